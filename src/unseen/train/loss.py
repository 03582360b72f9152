"""What to minimise, what to answer, and what is right: a default for each kind of task, never for a benchmark.

A model that has an objective of its own declares `loss`, one whose answer is not the likeliest class `predict`; see
`unseen.models` for both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from unseen.core.errors import SpecError
from unseen.core.padding import PADDING
from unseen.core.task import Kind
from unseen.data.torch import Batch
from unseen.models import Grids

PADDING_CLASS = Grids.colors  # after the colors
NOISE = 1e-3  # mean squared error of an image, of values from 0 to 1, that counts as none: 30 decibels


def grid_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of every cell of the padded grid, padding being a class of its own.

    >>> logits = torch.zeros(1, 11, 2, 2)
    >>> grid_loss(logits, {"target_grid": torch.tensor([[[3, -1], [-1, -1]]])}).exp().round().item()
    11.0
    """
    target: Tensor = batch["target_grid"]
    loss: Tensor = F.cross_entropy(logits, target.masked_fill(target == PADDING, PADDING_CLASS))
    return loss


def grid_prediction(logits: Tensor) -> Tensor:
    """The likeliest color of every cell, (batch, side, side); -1 where that is padding."""
    likeliest: Tensor = logits.argmax(dim=1)
    return likeliest.masked_fill(likeliest == PADDING_CLASS, PADDING)


def grid_right(predicted: Tensor, batch: Batch) -> Tensor:
    """Whether each grid is exact in every cell, padding included, (batch,)."""
    target: Tensor = batch["target_grid"]
    return predicted.eq(target).flatten(1).all(dim=1)


def image_loss(images: Tensor, batch: Batch) -> Tensor:
    """Mean squared error of images (batch, 3, height, width) of values from 0 to 1.

    >>> image_loss(torch.ones(1, 3, 2, 2), {"target_image": torch.zeros(1, 2, 2, 3, dtype=torch.uint8)}).item()
    1.0
    """
    loss: Tensor = F.mse_loss(images, batch["target_image"].permute(0, 3, 1, 2) / 255)
    return loss


def image_prediction(images: Tensor) -> Tensor:
    """The images as they are stored, uint8 (batch, height, width, 3)."""
    return images.clamp(0, 1).mul(255).round().to(torch.uint8).permute(0, 2, 3, 1)


def image_right(predicted: Tensor, batch: Batch) -> Tensor:
    """Whether each image is right but for noise, (batch,)."""
    error: Tensor = (predicted.float() - batch["target_image"].float()) / 255
    return error.square().flatten(1).mean(dim=1).le(NOISE)


@dataclass(frozen=True)
class Objective:
    """The defaults of a kind of task."""

    loss: Callable[[Tensor, Batch], Tensor]  # of the model's output
    prediction: Callable[[Tensor], Tensor]  # from the model's output
    right: Callable[[Tensor, Batch], Tensor]  # which predictions are, by the kind's headline metric


OBJECTIVES = {
    "grid": Objective(grid_loss, grid_prediction, grid_right),
    "image": Objective(image_loss, image_prediction, image_right),
}


def objective_of(kind: Kind) -> Objective:
    """The defaults of a kind of task."""
    if kind.name not in OBJECTIVES:
        raise SpecError(f"{kind.name} tasks have no default loss yet; there is one for {', '.join(OBJECTIVES)} tasks")
    return OBJECTIVES[kind.name]


class Learner(nn.Module):
    """A model and its objective as one module, so that precision and processes are handled around both."""

    def __init__(self, model: nn.Module, kind: Kind) -> None:
        super().__init__()
        self.model: Any = model  # it may have methods that no nn.Module has
        self.objective = objective_of(kind)

    def forward(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch, and what else the model wants logged."""
        if self._owns("loss"):
            loss, logged = self.model.loss(batch)
            return loss, logged
        return self.objective.loss(self.model(batch), batch), {}

    def predict(self, batch: Batch) -> Tensor:
        """The answer to every example of a batch."""
        if self._owns("predict"):
            return self.model.predict(batch)  # type: ignore[no-any-return]
        return self.objective.prediction(self.model(batch))

    @torch.no_grad()
    def judge(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and how many of its answers are right."""
        loss, predicted = self._loss_and_prediction(batch)
        return loss, self.objective.right(predicted, batch).sum()

    def _loss_and_prediction(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Both from one pass, where the model has no ways of its own or shares them."""
        if self._owns("loss_and_output") and not self._owns("predict"):
            loss, output = self.model.loss_and_output(batch)
        elif self._owns("loss") or self._owns("predict"):
            return self(batch)[0], self.predict(batch)
        else:
            output = self.model(batch)
            loss = self.objective.loss(output, batch)
        return loss, self.objective.prediction(output)

    def _owns(self, what: str) -> bool:
        return callable(getattr(self.model, what, None))
