"""SCL (Wu et al., 2020): five convolutions and a scattering head; a baseline of CVR with 176 k parameters.

CVR gives the widths (16, 16, 32, 32, 32 channels to 80 numbers; ten attribute heads; 80 relation heads) and the number
of parameters, which is met exactly. It does not say whether convolutions are rectified: in the original they are; a
much used PyTorch version, whose other layers these are, has nothing but normalisations between them, which makes all
five one linear map of the image. Here they are rectified; `rectified=false` leaves that out.
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn

from unseen.models import Odd
from unseen.models.layers import Batch
from unseen.models.odd_one_out import images_of
from unseen.models.scattering import Scattering

CHANNELS = (3, 16, 16, 32, 32, 32)


class SCL(nn.Module):
    """Sees every image by few convolutions, and scores it against all four as its context."""

    kinds = ("odd",)

    def __init__(
        self, task: Odd, *, width: int = 80, heads: int = 10, hidden: int = 128, rectified: bool = True
    ) -> None:
        super().__init__()
        self.images = task.images
        self.eye = eye(rectified)
        side = task.side
        for _ in range(len(CHANNELS) - 1):
            side = -(-side // 2)
        self.head = Scattering(task.rules, CHANNELS[-1] * side**2, width=width, heads=heads, hidden=hidden)

    def forward(self, batch: Batch) -> Tensor:
        """Score the images of a batch -> (b, 4)"""
        features = self.eye(images_of(batch)).flatten(1)  # (b*4, 32 * side / 32 * side / 32)
        return self.head(features.unflatten(0, (-1, self.images)), batch)  # type: ignore[no-any-return]


def eye(rectified: bool) -> nn.Sequential:
    """Five convolutions that halve the image each, normalised but for the last."""
    made: list[nn.Module] = []
    for number, (channels, out) in enumerate(pairwise(CHANNELS), 1):
        made.append(nn.Conv2d(channels, out, 3, stride=2, padding=1))
        made += [nn.BatchNorm2d(out)] if number < len(CHANNELS) - 1 else []
        made += [nn.ReLU()] if rectified else []
    return nn.Sequential(*made)
