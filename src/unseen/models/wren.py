"""WReN (Barrett et al., 2018): relations of all pairs of images; a baseline of CVR with 1.5 M parameters.

The context of a problem are its four images, and so are the choices. A choice is scored by the 16 ordered pairs within
the context and the eight of the choice with each image of the context; their relations are summed, so that the order of
the context has no say. The original tags images with their place in the matrix; here there is none.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Odd
from unseen.models.layers import Batch
from unseen.models.odd_one_out import RuleCue, images_of

LEAST = 31  # pixels of a side, for the last convolution to see anything
CONVOLUTIONS = 4


class WReN(nn.Module):
    """Embeds every image, relates all pairs, and judges the sum of their relations."""

    kinds = ("odd",)

    def __init__(self, task: Odd, *, channels: int = 32, width: int = 256, hidden: int = 512) -> None:
        super().__init__()
        if task.side < LEAST:
            raise SpecError(f"wren needs images of {LEAST} pixels at least, and these have {task.side}")
        self.images = task.images
        self.eye = nn.Sequential(
            *(layer for number in range(CONVOLUTIONS) for layer in convolution(channels if number else 3, channels))
        )
        side = task.side
        for _ in range(CONVOLUTIONS):
            side = (side - 1) // 2
        self.project = nn.Linear(channels * side**2, width)
        self.cue = RuleCue(task.rules, width)
        self.relate = nn.Sequential(
            *(nn.Linear(2 * width, hidden), nn.ReLU()),
            *(nn.Linear(hidden, hidden), nn.ReLU()),
            *(nn.Linear(hidden, hidden), nn.ReLU()),
            *(nn.Linear(hidden, width), nn.ReLU()),
        )
        self.judge = nn.Sequential(
            *(nn.Linear(width, width), nn.ReLU()),
            *(nn.Linear(width, width), nn.ReLU()),
            *(nn.Dropout(0.5), nn.Linear(width, 1)),
        )

    def forward(self, batch: Batch) -> Tensor:
        """Score the images of a batch -> (b, 4)"""
        features = self.eye(images_of(batch)).flatten(1).unflatten(0, (-1, self.images))
        x = self.project(features) + self.cue(batch)  # (b, 4, d)
        relations = self.relate(pairs(x))  # (b, 4, 4, d)
        # choices are the images of the context, so that each pair is related once and counted where it belongs
        within = relations.sum(dim=(1, 2))[:, None]  # (b, 1, d): the 16 pairs of the context
        own = relations.sum(dim=1) + relations.sum(dim=2)  # (b, 4, d): a choice with each of the context, both ways
        return self.judge(within + own).squeeze(-1)  # type: ignore[no-any-return]


def pairs(x: Tensor) -> Tensor:
    """Return all ordered pairs of images, each with itself too: (b, 4, d) -> (b, 4, 4, 2d)."""
    count = x.shape[1]
    return torch.cat([x[:, :, None].expand(-1, -1, count, -1), x[:, None].expand(-1, count, -1, -1)], dim=-1)


def convolution(channels: int, out: int) -> tuple[nn.Module, ...]:
    """Return a convolution that halves the image, normalised and rectified."""
    return nn.Conv2d(channels, out, 3, stride=2), nn.BatchNorm2d(out), nn.ReLU()
