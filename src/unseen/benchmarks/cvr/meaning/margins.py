"""When are two things the same? Equal below one distance, different from another on, and undecided in between.

A reading is right only where no image falls between: the sampler draws outside with room to spare, the verifier refuses
what lies inside. Truths are therefore of three kinds, and None is the third.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

Truth = bool | None
Floats = NDArray[np.float64]

PX = 1 / 128  # of an image of the published side


class Undecided(Exception):
    """An image, or four of them, of which a reading says neither yes nor no; the text finishes the sentence."""


@dataclass(frozen=True)
class Margin:
    """Equal below, different from on."""

    equal: float
    different: float

    def same(self, distance: float) -> Truth:
        """Tell whether two things at this distance are the same.

        >>> [Margin(1, 15).same(degrees) for degrees in (0.5, 7, 20)]
        [True, None, False]
        """
        return True if distance < self.equal else False if distance >= self.different else None


EXACT = Margin(0.5, 0.5)  # of things that are equal or not: distance 0 or 1
PLACE = Margin(PX, 0.15)  # where an object is in the image
LAYOUT = Margin(PX, 0.08)  # the object farthest off when two arrangements are laid on each other
POSE = Margin(PX, 0.04)  # where a motion takes an object, and where the other object is
TURN = Margin(1, 15)  # degrees
DIRECTION = Margin(5, 30)  # degrees: where a neighbor touches
SIZE = Margin(log(1.02), log(1.2))  # of logarithms, that is of ratios
HUE = Margin(0.01, 0.12)  # of a full circle of 1
SHAPE = Margin(1e-9, 0.03)  # of radial profiles of outlines of side 1: one outline, or two that look different
CONTACT = Margin(1.2 * PX, 1.6 * PX)  # the least distance between two outlines; equal means in contact


def every(truths: Iterable[Truth]) -> Truth:
    """True if all are; False as soon as one is clearly false, whatever is undecided.

    >>> every([True, None]), every([True, None, False]), every([])
    (None, False, True)
    """
    found = set(truths)
    return False if False in found else None if None in found else True


def some(truths: Iterable[Truth]) -> Truth:
    """True if one is; False only if all are clearly false."""
    found = set(truths)
    return True if True in found else None if None in found else False


def circular(one: Any, other: Any, *, period: float) -> Any:
    """Return the distance of two positions on a circle.

    >>> float(circular(350, 20, period=360))
    30.0
    """
    apart = abs(one - other) % period
    return np.minimum(apart, period - apart)


def classes(distances: Floats, margin: Margin, *, what: str) -> NDArray[np.intp]:
    """Which of n things are equal to which, from their (n, n) distances: each gets the number of its first equal."""
    same = distances < margin.equal
    first: NDArray[np.intp] = same.argmax(axis=1)
    if (~same & (distances < margin.different)).any() or (same != (first[:, None] == first)).any():
        raise Undecided(f"two of {what} are neither equal nor clearly different")
    return first
