"""Chains of convolutions; those that halve an image four times, and their mirror image, are SVIB's eye and brush."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from torch import Tensor, nn

from unseen.core.errors import SpecError

LAYERS = 4
SHRINKING = 2**LAYERS  # times


def smallest(side: int) -> int:
    """Return the side of an image that was halved four times.

    >>> smallest(128)
    8
    """
    if side % SHRINKING:
        raise SpecError(f"images are halved {LAYERS} times, so their side is a multiple of {SHRINKING}, not {side}")
    return side // int(SHRINKING)


def chain(
    widths: Sequence[int], kernel: int, activation: Callable[[], nn.Module], *, stride: int = 1, padding: int = 0
) -> list[nn.Module]:
    """Convolutions from width to width, each with the activation behind it.

    >>> [type(layer).__name__ for layer in chain((3, 8, 8), 3, nn.ReLU, padding=1)]
    ['Conv2d', 'ReLU', 'Conv2d', 'ReLU']
    """
    layers: list[nn.Module] = []
    for start, end in pairwise(widths):
        layers += [nn.Conv2d(start, end, kernel, stride, padding), activation()]
    return layers


def shrinking(channels: int) -> nn.Sequential:
    """Images (b, 3, side, side) -> features (b, channels, side / 16, side / 16)."""
    return nn.Sequential(*chain((3, *[channels] * LAYERS), 5, nn.ReLU, stride=2, padding=2))


def growing(inputs: int, channels: int, out: int, *, doubling: int = LAYERS) -> nn.Sequential:
    """Features (b, inputs, side / 16, side / 16) -> images (b, out, side, side).

    Of the four layers the last so many double; where those are fewer, features begin with a greater share of the side.
    """
    layers: list[nn.Module] = []
    for number, (start, end) in enumerate(pairwise((inputs, *[channels] * (LAYERS - 1), out))):
        doubles = number >= LAYERS - doubling
        layers += [
            nn.ConvTranspose2d(start, end, 5, stride=1 + doubles, padding=2, output_padding=int(doubles)),
            nn.ReLU(),
        ]
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
