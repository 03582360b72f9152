"""Chains of convolutions; those that halve an image four times, and their mirror image, are SVIB's eye and brush.

Those that paint from vectors at every place (spatial broadcast) are the brush of MONet, ViMON, IODINE and OP3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models.layers import coordinates

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


class Broadcast(nn.Module):
    """Vectors -> maps, by convolutions of the same vector at every place, beside its two coordinates.

    What the first convolution makes of a vector is the same everywhere but near a padded edge, and what it makes of the
    coordinates is the same for all vectors; so each is worked out once, and both are added.
    """

    places: Tensor

    def __init__(self, side: int, layers: Sequence[nn.Module]) -> None:
        super().__init__()
        self.register_buffer("places", coordinates(side), persistent=False)
        self.layers = nn.Sequential(*layers)

    def spread(self, vectors: Tensor) -> Tensor:
        """Paint vectors, (n, d) -> (n, out, ...)."""
        first = cast(nn.Conv2d, self.layers[0])
        edge, side = int(first.padding[0]), first.kernel_size[0]
        told, placed = first.weight[:, :-2], first.weight[:, -2:]  # (out, d, side, side), (out, 2, side, side)
        sums = F.conv2d(told.new_ones(1, 1, side, side), told.flatten(0, 1)[:, None], padding=edge)
        painted = torch.einsum("nd,odyx->noyx", vectors, sums.view(*told.shape[:2], 2 * edge + 1, 2 * edge + 1))
        shared = F.conv2d(self.places[None], placed, first.bias, padding=edge)
        for axis in (2, 3) if edge else ():
            start, middle, end = (painted.narrow(axis, *part) for part in ((0, edge), (edge, 1), (edge + 1, edge)))
            inside = middle.repeat_interleave(shared.shape[axis] - 2 * edge, dim=axis)
            painted = torch.cat([start, inside, end], dim=axis)
        return self.layers[1:](painted + shared)  # type: ignore[no-any-return]
