"""What to minimise, what to answer, and what is right: a default for each kind of task, never for a benchmark.

A model that has an objective of its own declares `loss`, one whose answer is not what its output says `predict`; see
`unseen.models` for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from unseen.core.errors import SpecError
from unseen.core.padding import PADDING
from unseen.data.torch import Batch
from unseen.models import Grids, Images, Interface, Odd, Questions, Videos
from unseen.models.layers import pixels

PADDING_CLASS = Grids.colors  # after the colors
NOISE = 1e-3  # mean squared error of an image, of values from 0 to 1, that counts as none: 30 decibels
OWN = "loss"  # the method of a model that has an objective of its own
UNKNOWN = -1  # class of an answer that no question of the training split has

Answers = Tensor | list[str]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Objective:
    """The defaults of a kind of task, for one task."""

    output: Callable[[Batch], Shape]  # shape that a model's output must have
    loss: Callable[[Tensor, Batch], Tensor]  # of the model's output
    prediction: Callable[[Tensor], Answers]  # from the model's output
    answer: Callable[[Batch], Shape]  # shape that answers must have
    right: Callable[[Any, Batch], Tensor] | None  # which answers are, (batch,); none where it takes a metric to say
    counted: Callable[[Batch], dict[str, float]] = lambda batch: {}  # what else is counted


# ---------------------------------------------------------------------------- grids


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
    """Return the likeliest color of every cell, (batch, side, side); -1 where that is padding."""
    likeliest: Tensor = logits.argmax(dim=1)
    return likeliest.masked_fill(likeliest == PADDING_CLASS, PADDING)


def grid_right(predicted: Tensor, batch: Batch) -> Tensor:
    """Tell whether each grid is exact in every cell, padding included, (batch,)."""
    target: Tensor = batch["target_grid"]
    return predicted.eq(target).flatten(1).all(dim=1)


def grids(told: Grids) -> Objective:
    """Read grids cell by cell."""
    return Objective(
        output=lambda batch: (len(batch["index"]), told.classes, told.side, told.side),
        loss=grid_loss,
        prediction=grid_prediction,
        answer=lambda batch: (len(batch["index"]), told.side, told.side),
        right=grid_right,
    )


# ---------------------------------------------------------------------------- the odd one of four


def odd_loss(scores: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy over the scores of the four images."""
    loss: Tensor = F.cross_entropy(scores, batch["target_odd"])
    return loss


def odd_right(scores: Tensor, batch: Batch) -> Tensor:
    """Tell whether the odd image has the highest score, (batch,)."""
    return scores.argmax(dim=1).eq(batch["target_odd"])


def odd(told: Odd) -> Objective:
    """Find the odd one of four images."""

    def shape(batch: Batch) -> Shape:
        return (len(batch["index"]), told.images)

    return Objective(shape, odd_loss, lambda scores: scores.float(), shape, odd_right)


# ---------------------------------------------------------------------------- images


def image_loss(images: Tensor, batch: Batch) -> Tensor:
    """Mean squared error of images (batch, 3, height, width) of values from 0 to 1.

    >>> image_loss(torch.ones(1, 3, 2, 2), {"target_image": torch.zeros(1, 2, 2, 3, dtype=torch.uint8)}).item()
    1.0
    """
    loss: Tensor = F.mse_loss(images, pixels(batch["target_image"]))
    return loss


def image_prediction(images: Tensor) -> Tensor:
    """Return the images as they are stored, uint8 (batch, height, width, 3)."""
    return images.clamp(0, 1).mul(255).round().to(torch.uint8).permute(0, 2, 3, 1)


def image_right(predicted: Tensor, batch: Batch) -> Tensor:
    """Tell whether each image is right but for noise, (batch,)."""
    error: Tensor = (predicted.float() - batch["target_image"].float()) / 255
    return error.square().flatten(1).mean(dim=1).le(NOISE)


def images(told: Images) -> Objective:
    """Compare images pixel by pixel."""
    return Objective(
        output=lambda batch: (len(batch["index"]), 3, told.side, told.side),
        loss=image_loss,
        prediction=image_prediction,
        answer=lambda batch: (len(batch["index"]), told.side, told.side, 3),
        right=image_right,
    )


# ---------------------------------------------------------------------------- questions


def questions(told: Questions) -> Objective:
    """Choose an answer among those of the training split; one that is not among them is counted wrong."""
    number = {answer: index for index, answer in enumerate(told.answers)}

    def classes(batch: Batch) -> list[int]:
        return [number.get(answer, UNKNOWN) for answer in batch["target_answer"]]

    def loss(logits: Tensor, batch: Batch) -> Tensor:
        target = torch.tensor(classes(batch), device=logits.device)
        summed: Tensor = F.cross_entropy(logits, target, ignore_index=UNKNOWN, reduction="sum")
        return summed / target.ne(UNKNOWN).sum().clamp(min=1)

    def prediction(logits: Tensor) -> list[str]:
        return [told.answers[index] for index in logits.argmax(dim=1).tolist()]

    def right(predicted: Sequence[str], batch: Batch) -> Tensor:
        return torch.tensor([said == true for said, true in zip(predicted, batch["target_answer"], strict=True)])

    return Objective(
        output=lambda batch: (len(batch["index"]), len(told.answers)),
        loss=loss,
        prediction=prediction,
        answer=lambda batch: (len(batch["index"]),),
        right=right,
        counted=lambda batch: {"unknown_answers": classes(batch).count(UNKNOWN)},
    )


# ---------------------------------------------------------------------------- videos


def videos(told: Videos) -> Objective:
    """Leave what is minimised and how it answers to a model of videos, which learns without labels."""

    def own(*_: Any) -> Any:
        raise SpecError("video tasks have no default: the model must have methods loss(batch) and predict(batch)")

    def answer(batch: Batch) -> Shape:
        return tuple(batch["target_ids"].shape)

    return Objective(answer, own, own, answer, right=None)


OBJECTIVES: Mapping[type, Callable[[Any], Objective]] = {
    Grids: grids,
    Odd: odd,
    Images: images,
    Questions: questions,
    Videos: videos,
}


# ---------------------------------------------------------------------------- a model and its objective


class Learner(nn.Module):
    """A model and its objective as one module, so that precision and processes are handled around both."""

    def __init__(self, model: nn.Module, told: Interface, loss: str = OWN) -> None:
        super().__init__()
        self.model: Any = model  # it may have methods that no nn.Module has
        self.objective = OBJECTIVES[type(told)](told)
        self.loss = loss  # the name of the method that is minimised
        if loss != OWN and not self._owns(loss):
            raise SpecError(f"a stage minimises {loss}, and the model has no method {loss}(batch)")

    def forward(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch, and what else the model wants logged."""
        if self._owns(self.loss):
            loss, logged = getattr(self.model, self.loss)(batch)
            return loss, logged
        return self.objective.loss(self._output(batch), batch), {}

    def augmented(self, batch: Batch) -> Batch:
        """Return the batch as the model is to be trained on it."""
        return self.model.augment(batch) if self._owns("augment") else batch

    def predict(self, batch: Batch) -> Answers:
        """Return the answer to every example of a batch."""
        return self.answered(batch)[0]

    def answered(self, batch: Batch) -> tuple[Answers, dict[str, Tensor]]:
        """Return the answer to every example of a batch, and by name what the model hands in beside them."""
        if not self._owns("predict"):
            return self.objective.prediction(self._output(batch)), {}
        given = self.model.predict(batch)
        answers, beside = given if isinstance(given, tuple) else (given, {})
        return _checked(answers, self.objective.answer(batch), "predict(batch)"), beside

    @torch.no_grad()
    def judge(self, batch: Batch, *, answers: bool = False) -> tuple[dict[str, float], Answers | None]:
        """Sums over a batch: of the loss, of what is logged, of right answers where the kind knows them; and answers.

        Answers are made where they are judged or asked for: not in stages that learn something else.
        """
        size = len(batch["index"])
        if self.loss != OWN or (self.objective.right is None and not answers):
            return self._sums(size, *self(batch)), None
        loss, logged, predicted = self._loss_and_prediction(batch)
        sums = self._sums(size, loss, logged)
        if self.objective.right is not None:
            sums["accuracy"] = int(self.objective.right(predicted, batch).sum())
        return {**sums, **self.objective.counted(batch)}, predicted

    def _sums(self, size: int, loss: Tensor, logged: Mapping[str, Tensor]) -> dict[str, float]:
        return {"loss": float(loss) * size, **{name: float(value) * size for name, value in logged.items()}}

    def _loss_and_prediction(self, batch: Batch) -> tuple[Tensor, Mapping[str, Tensor], Answers]:
        """Both from one pass, where the model has no ways of its own or shares them."""
        if self._owns("loss_and_output") and not self._owns("predict"):
            loss, logged, output = self.model.loss_and_output(batch)
        elif self._owns("loss") or self._owns("predict"):
            return *self(batch), self.predict(batch)
        else:
            output, logged = self._output(batch), {}
            loss = self.objective.loss(output, batch)
        return loss, logged, self.objective.prediction(output)

    def _output(self, batch: Batch) -> Tensor:
        output: Tensor = _checked(self.model(batch), self.objective.output(batch), "forward(batch)")
        return output

    def _owns(self, what: str) -> bool:
        return callable(getattr(self.model, what, None))


def _checked(given: Any, expected: Shape, what: str) -> Any:
    """What a model gives, if it has the shape that it should have."""
    shape = tuple(given.shape) if isinstance(given, Tensor) else (len(given),)
    if shape != expected:
        raise SpecError(f"the model's {what} gives {shape}, and this kind of task needs {expected}")
    return given
