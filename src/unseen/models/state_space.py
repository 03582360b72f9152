"""State-space models: an image becomes a state, that the next state, and that an image (SVIB, appendix E.2).

They learn in three stages. Images alone teach the representation; then the dynamics learn to predict the state of the
target from that of the input; then a probe, the transformer decoder, learns to paint the predicted state. Each stage
leaves alone what was learned before it.

    stages=three            representation, dynamics, probe, as in the paper
    stages=joint            the first two at once, the dynamics without a say in the representation: the published code
    stages=representation   the first alone, for tasks in which nothing happens; the answer is the input, painted again
    stages=pretrained       the others, from the representation of another run, which stays as it is

A frozen representation is at rest: the slots that it begins with are not drawn anew in later stages, as they are in the
published code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import unknown
from unseen.models import Stage
from unseen.models.layers import Batch, pixels
from unseen.models.transformer import TransformerDecoder, TransformerEncoder

Logged = dict[str, Tensor]

REPRESENTATION = ("encoder", "decoder")
SEE = Stage("representation", REPRESENTATION, loss="representation_loss")
THINK = Stage("dynamics", ("dynamics",), loss="dynamics_loss")
PAINT = Stage("probe", ("probe",))
STAGES = {
    "three": (SEE, THINK, PAINT),
    "joint": (Stage("world", (*REPRESENTATION, "dynamics"), loss="world_loss"), PAINT),
    "representation": (SEE,),
    "pretrained": (THINK, PAINT),
}


class StateSpace(nn.Module, ABC):
    """What state-space models share; they differ in what a state is."""

    kinds = ("image",)

    encoder: nn.Module
    decoder: nn.Module  # states -> images, to learn the representation by
    dynamics: TransformerEncoder  # (b, n, d) -> (b, n, d)
    probe: TransformerDecoder

    def __init__(self, stages: str) -> None:
        super().__init__()
        if stages not in STAGES:
            raise unknown("way of training", stages, STAGES, where="state-space models")
        self.stages = STAGES[stages]

    @abstractmethod
    def states(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the states of the input and of the target, (b, n, d) each."""

    @abstractmethod
    def state(self, batch: Batch) -> Tensor:
        """Return the state of the input alone, (b, n, d)."""

    @abstractmethod
    def painted(self, states: Tensor) -> Tensor:
        """Return the images that the representation's own decoder paints of states (b, n, d)."""

    @abstractmethod
    def representation_loss(self, batch: Batch) -> tuple[Tensor, Logged]:
        """Return what the encoder and its decoder minimise."""

    def forward(self, batch: Batch) -> Tensor:
        """Imagine the next image -> (b, 3, side, side); with no dynamics to learn, paint the input"""
        state = self.state(batch)
        if self.stages == STAGES["representation"]:
            return self.painted(state)
        return self.probe(self.dynamics(state))  # type: ignore[no-any-return]

    def dynamics_loss(self, batch: Batch) -> tuple[Tensor, Logged]:
        """Mean squared error of the predicted state; no gradient goes back to the states."""
        with torch.no_grad():
            source, target = self.states(batch)
        loss = F.mse_loss(self.dynamics(source), target)
        return loss, {"still": F.mse_loss(source, target)}  # of a prediction that nothing happens

    def world_loss(self, batch: Batch) -> tuple[Tensor, Logged]:
        """Return the representation's and the dynamics' loss in one, each with its own part of the model."""
        seen, logged = self.representation_loss(batch)
        predicted, further = self.dynamics_loss(batch)
        return seen + predicted, {**logged, **further, "dynamics": predicted.detach()}


def both(batch: Batch) -> Tensor:
    """Input and target as a video of two frames, (b, 2, 3, side, side)."""
    # stacked while they are bytes, and with colors last in memory, as convolutions like them best
    return pixels(torch.stack([batch["input_image"], batch["target_image"]], dim=1))
