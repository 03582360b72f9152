"""ViMON: MONet for videos. Each slot remembers its object, and expects where it will be.

Weis et al. (JMLR 2021, appendix C) and their code. A recurrent cell per slot, with weights that all share, holds what
the slot has seen; from its latents a linear map foresees those of the next frame, and the mask decoded from them tells
the attention where the slot should look. That is what keeps a slot on its object.

Where text and code differ, the code is followed: the forecast made from the first frame alone is not scored, and slots
are mixed by the masks that the decoder paints (`by_attention` is the text's way, and MONet's). The text's start of the
recurrence near identity, which the code has but never calls, is the default (`near_identity`), for the text's numbers
are said to come from it. So that attention starts as MONet's too, it hears of expectations from weights that are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unseen.models import Videos
from unseen.models.layers import Batch, pixels
from unseen.models.monet import (
    SPARE,
    Answer,
    AttentionNet,
    BroadcastDecoder,
    Encoder,
    answered,
    claim,
    divergence,
    mask_divergence,
    mixture_surprise,
    sampled,
    slot_views,
    squared_error,
)

SCALE = 5.0  # codes are divided by this before the recurrence and multiplied after it: its outputs are within -1 and 1
NOISE = 1e-3  # of weights that start near zero or near identity


class ViMON(nn.Module):
    """A video -> slots that follow their objects; `expects` and `remembers` are the parts that Table E.5 takes away."""

    kinds = ("video",)

    def __init__(
        self,
        task: Videos,
        slots: int = 0,
        latents: int = 16,
        memory: int = 128,
        beta: float = 1.0,
        gamma: float = 2.0,
        expects: bool = True,
        remembers: bool = True,
        near_identity: bool = True,
        channels: int = 32,
        blur: float = 1.0,
        flat: bool = False,
        by_attention: bool = False,
    ) -> None:
        super().__init__()
        self.slots, self.expects, self.by_attention = slots or task.slots + SPARE, expects, by_attention
        self.beta, self.gamma, self.blur = beta, gamma, blur
        self.attention = AttentionNet(task.side, expects=expects, width=channels)
        self.encoder = Encoder(task.side, latents, width=channels)
        self.recurrence = Recurrence(2 * latents, memory) if remembers else None
        self.foresee = nn.Linear(latents, latents)
        self.decoder = BroadcastDecoder(task.side, latents, width=channels, flat=flat)
        if near_identity:
            self._start_near_identity()

    def _start_near_identity(self) -> None:
        """Let what is new pass on what there is, so that all of a trained MONet still fits."""
        nn.init.eye_(self.foresee.weight)
        nn.init.zeros_(self.foresee.bias)
        if self.recurrence is not None:
            self.recurrence.start_near_identity()
        if self.attention.expected is not None:
            nn.init.zeros_(self.attention.expected.weight)

    def forward(self, batch: Batch) -> Unfolded:
        """Go through a video frame by frame."""
        frames = pixels(batch["input_frames"])  # (b, t, 3, s, s)
        expected = torch.zeros(len(frames), self.slots, *frames.shape[-2:], device=frames.device)  # (b, k, s, s)
        state = None
        steps = []
        for time, frame in enumerate(frames.unbind(1)):
            attended = claim(self.attention, frame, self.slots, expected if self.expects else None)
            code = self.encoder(frame, attended)  # (b, k, 2 * latents)
            if self.recurrence is not None:
                code, state = self.recurrence(code, state)
            mean, spread = code.chunk(2, dim=-1)
            latents = sampled(mean, spread)
            painted = self.decoder(latents)
            last = time == frames.shape[1] - 1
            foreseen = painted if last else self.decoder(self.foresee(latents))
            expected = foreseen[1].log_softmax(1)
            steps.append((*painted, *foreseen, attended, divergence(mean, spread)))
        return Unfolded(frames, *(torch.stack(values, dim=1) for values in zip(*steps, strict=True)))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Surprise of every frame and of every forecast, divergences of latents and of masks; means over frames."""
        seen = self(batch)
        mixed = seen.attended if self.by_attention else seen.logits
        surprise = _over_frames(self._surprise, seen.frames, seen.colors, mixed)
        masks = _over_frames(mask_divergence, seen.attended, seen.logits)
        loss = surprise + self.beta * seen.divergence.mean() + self.gamma * masks
        logged = {
            "surprise": surprise,
            "squared_error": _over_frames(squared_error, seen.frames, seen.colors, seen.logits),
        }
        if seen.frames.shape[1] > 2:
            told = slice(1, -1)  # forecasts of the third frame and later ones
            after = slice(2, None)
            foreseen = seen.foreseen_logits[:, told]
            mixed = seen.attended[:, after] if self.by_attention else foreseen
            loss = loss + _over_frames(self._surprise, seen.frames[:, after], seen.foreseen[:, told], mixed)
            loss = loss + self.gamma * _over_frames(mask_divergence, seen.attended[:, after], foreseen)
        return loss, logged

    def _surprise(self, frames: Tensor, colors: Tensor, logits: Tensor) -> Tensor:
        return mixture_surprise(frames, colors, logits, self.blur)

    def predict(self, batch: Batch) -> Answer:
        """Number the slot whose mask is strongest in every pixel, from 1 on, and give frames as they are painted."""
        seen = self(batch)
        return answered(seen.colors.flatten(0, 1), seen.logits.flatten(0, 1), len(seen.frames))

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every slot paints in every frame."""
        seen = self(batch)
        return slot_views(seen.colors.flatten(0, 1), seen.logits.flatten(0, 1).softmax(1), len(seen.frames))


class Unfolded(NamedTuple):
    """What ViMON makes of the frames of a video; the second axis of everything is time."""

    frames: Tensor  # (b, t, 3, s, s)
    colors: Tensor  # (b, t, k, 3, s, s)
    logits: Tensor  # (b, t, k, s, s), of the masks
    foreseen: Tensor  # the colors of the frame after each
    foreseen_logits: Tensor
    attended: Tensor  # (b, t, k, s, s), in logarithms
    divergence: Tensor  # (b, t)


class Recurrence(nn.Module):
    """A GRU that every slot has a state of, and a linear layer that reads it."""

    def __init__(self, width: int, memory: int) -> None:
        super().__init__()
        self.cell = nn.GRU(width, memory, batch_first=True)
        self.read = nn.Linear(memory, width)

    def forward(self, code: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """One step of all slots, (b, k, width) -> the same, and the new state (1, b * k, memory)."""
        out, state = self.cell(code.flatten(0, 1)[:, None] / SCALE, state)
        return self.read(out.squeeze(1) * SCALE).unflatten(0, code.shape[:2]), state

    def start_near_identity(self) -> None:
        """Let the candidate be the input and the gates be undecided, but for a little noise."""
        for name, weight in self.cell.named_parameters():
            if name.startswith("bias"):
                nn.init.zeros_(weight)
            else:
                nn.init.normal_(weight, std=NOISE)
        weights = self.cell.get_parameter("weight_ih_l0")
        with torch.no_grad():
            weights[2 * self.cell.hidden_size :] += torch.eye(
                self.cell.hidden_size, weights.shape[1]
            )  # after both gates
        nn.init.eye_(self.read.weight)
        nn.init.zeros_(self.read.bias)


def _over_frames(measure: Callable[..., Tensor], *values: Tensor) -> Tensor:
    """The mean of a measure over all frames of all videos."""
    return measure(*(value.flatten(0, 1) for value in values)).mean()
