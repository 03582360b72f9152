"""OP3: IODINE with foresight. Between two frames, a network of pairs of slots says where each will be.

Veerapaneni et al. (2019), as Weis et al. (JMLR 2021, appendix C) train it, after their code: half of a slot's state is
known, half is believed; a refinement replaces the belief; the exponent of the likelihood is a mean over channels. What
the dynamics foresee is what the next frame's belief is held to. There are no actions here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor, nn

from unseen.models import Videos
from unseen.models.iodine import Belief, Guess, Painter, Refinement, Step, drawn, last_paintings, refinement_loss
from unseen.models.layers import Batch, pixels
from unseen.models.monet import SPARE, Answer, answered, slot_views

EFFECT = 32  # width of what one slot does to another


class OP3(nn.Module):
    """A video -> slots that are foreseen, then refined. Videos are trained on in pieces of `piece` frames."""

    kinds = ("video",)

    def __init__(
        self,
        task: Videos,
        slots: int = 0,
        latents: int = 64,
        first: int = 4,
        later: int = 2,
        beta: float = 0.01,
        piece: int = 5,
    ) -> None:
        super().__init__()
        self.slots, self.first, self.later = slots or task.slots + SPARE, first, later
        self.beta, self.piece = beta, piece
        self.guess = Guess(latents, known=latents)
        self.refine = Refinement(task.side, latents, adds=False)
        self.foresee = Dynamics(latents)
        self.paint = Painter(task.side, 2 * latents)

    def forward(self, frames: Tensor) -> Iterator[Step]:
        """Go through a video (b, t, 3, s, s), painting by painting.

        What was foreseen of a frame weighs as much as what was made of it in the end.
        """
        belief = self.guess(len(frames), self.slots)
        for time, frame in enumerate(frames.unbind(1)):
            if time:
                belief = self.foresee(belief)
            painted = self.paint(belief, frame)
            if time:
                yield Step(painted, 1.0, time, False)
            steps = self.later if time else self.first
            for step in range(1, steps + 1):
                belief = self.refine(belief, frame, painted, self.beta)
                painted = self.paint(belief, frame)
                yield Step(painted, step / steps, time, step == steps)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the mean over all paintings, the later ones of a frame weighing more."""
        frames = pixels(batch["input_frames"])
        pieces = torch.cat(
            [part for part in torch.split(frames, self.piece, dim=1) if part.shape[1] == self.piece] or [frames]
        )
        return refinement_loss(self, pieces, self.beta)

    def predict(self, batch: Batch) -> Answer:
        """Number the slot whose mask is strongest in every pixel, from 1 on, and give frames as they are painted."""
        return answered(*last_paintings(self, batch))

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every slot paints in every frame."""
        colors, logits, videos = last_paintings(self, batch)
        return slot_views(colors, logits.softmax(1), videos)


class Dynamics(nn.Module):
    """What slots will be in the next frame, by what each does and what all others do to it."""

    def __init__(self, latents: int) -> None:
        super().__init__()
        width = 2 * latents
        self.alone = nn.Sequential(_mlp(width, width, width), nn.ELU())
        self.pair = nn.Sequential(_mlp(2 * width, 2 * width, width), nn.ELU())
        self.effect = nn.Sequential(_mlp(width, width, EFFECT), nn.ELU())
        self.attention = nn.Sequential(_mlp(width, width, 1), nn.Sigmoid())
        self.merge = nn.Sequential(_mlp(width + EFFECT, width, width), nn.ELU())
        self.known, self.mean, self.spread = (_mlp(width, width, latents) for _ in range(3))

    def forward(self, belief: Belief) -> Belief:
        """What is foreseen is both the belief and what it is held to; refinements start afresh."""
        own = self.alone(belief.state)  # (b, k, width)
        slots = own.shape[1]
        pairs = torch.cat(
            [own[:, :, None].expand(-1, -1, slots, -1), own[:, None].expand(-1, slots, -1, -1)], dim=-1
        )  # (b, k, k, 2 * width): each and what acts on it
        together = self.pair(pairs)
        others = 1 - torch.eye(slots, device=own.device)[..., None]
        acted = (self.effect(together) * self.attention(together) * others).sum(2)
        merged = self.merge(torch.cat([own, acted], dim=-1))
        mean, spread = self.mean(merged), self.spread(merged)
        return replace(
            belief,
            mean=mean,
            spread=spread,
            latents=drawn(mean, spread),
            known=self.known(merged),
            memory=belief.no_memory,
            prior_mean=mean,
            prior_spread=spread,
        )


def _mlp(width: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.ELU(), nn.Linear(hidden, out))
