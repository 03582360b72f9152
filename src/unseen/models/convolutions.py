"""Convolutions that halve an image four times, and their mirror image: the eye and the brush of SVIB's baselines."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn

from unseen.core.errors import SpecError

LAYERS = 4
SHRINKING = 2**LAYERS  # times


def smallest(side: int) -> int:
    """The side of an image that was halved four times.

    >>> smallest(128)
    8
    """
    if side % SHRINKING:
        raise SpecError(f"images are halved {LAYERS} times, so their side is a multiple of {SHRINKING}, not {side}")
    return side // int(SHRINKING)


def shrinking(channels: int) -> nn.Sequential:
    """Images (b, 3, side, side) -> features (b, channels, side / 16, side / 16)."""
    layers: list[nn.Module] = []
    for number in range(LAYERS):
        layers += [nn.Conv2d(channels if number else 3, channels, 5, stride=2, padding=2), nn.ReLU()]
    return nn.Sequential(*layers)


def growing(inputs: int, channels: int, out: int) -> nn.Sequential:
    """Features (b, inputs, side / 16, side / 16) -> images (b, out, side, side)."""
    layers: list[nn.Module] = []
    for start, end in pairwise((inputs, *[channels] * (LAYERS - 1), out)):
        layers += [nn.ConvTranspose2d(start, end, 5, stride=2, padding=2, output_padding=1), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class ConvEncoder(nn.Module):
    """An image as one vector."""

    def __init__(self, side: int, *, channels: int, out: int, hidden: int = 0) -> None:
        super().__init__()
        flat = channels * smallest(side) ** 2
        self.eye = shrinking(channels)
        head = [nn.Linear(flat, hidden), nn.ReLU(), nn.Linear(hidden, out)] if hidden else [nn.Linear(flat, out)]
        self.head = nn.Sequential(*head)

    def forward(self, images: Tensor) -> Tensor:
        """See images, (b, 3, side, side) -> (b, out)"""
        return self.head(self.eye(images).flatten(1))  # type: ignore[no-any-return]
