"""Contours: closed random outlines, each drawn from its key alone.

Drawn as published: an anchor in each quadrant, recursive midpoint displacement, all thrown away when a vertex falls in
the hole; turned at random, then stretched to a box of exactly 1 x 1. As published, a contour may cross itself.
"""

from __future__ import annotations

from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cvr.contours.kernels import BINS, SLOTS, VERTICES, Contours, Outlines, located
from unseen.core.errors import SpecError, unknown

KEYS = 2**52  # contours are numbered from 0 to one less: whole numbers that a float64 holds exactly


class Family(NamedTuple):
    """What contours of one kind have in common; lengths before they are stretched, except for the fuzz."""

    hole: float  # radius of the empty disc in the middle
    gap: float  # most of a step between vertices, on either axis
    fuzz: float = 0.0  # most of the offset of a vertex along the normal


FAMILIES = {
    "plain": Family(hole=0.05, gap=0.007),
    "wide": Family(hole=0.2, gap=0.007),  # with room for contents
    # of the generalization set, as its paper describes them; finer detail would drown in the fuzz
    "plain-fuzzy": Family(hole=0.05, gap=0.02, fuzz=0.035),
    "wide-fuzzy": Family(hole=0.2, gap=0.02, fuzz=0.035),
}


def contour(key: int, family: str) -> npt.NDArray[np.float64]:
    """The vertices of a contour, (n, 2), in a box from -0.5 to 0.5 on both axes; the last is joined to the first.

    >>> vertices = contour(5, "plain")
    >>> vertices.min(axis=0).tolist(), vertices.max(axis=0).tolist()
    ([-0.5, -0.5], [0.5, 0.5])
    """
    if not 0 <= key < KEYS:
        raise SpecError(f"contours have keys from 0 to 2**52 - 1, got {key}")
    kept = cache_of(family)
    slot = located(kept, key)
    vertices: npt.NDArray[np.float64] = kept.points[slot, :, : kept.lengths[slot]].T.copy()
    return vertices


def cache_of(family: str) -> Contours:
    """The contours of a family that this thread drew last; every kernel that needs contours takes them from here."""
    if family not in FAMILIES:
        raise unknown("contour family", family, FAMILIES)
    return _cache(family, get_ident())


@lru_cache(maxsize=16)
def _cache(family: str, thread: int) -> Contours:
    # one for each thread, because kernels of several threads run at the same time
    hole, gap, fuzz = FAMILIES[family]
    return Contours(
        hole=hole,
        gap=gap,
        fuzz=fuzz,
        keys=np.full(SLOTS, -1),
        lengths=np.zeros(SLOTS, np.int64),
        points=np.empty((SLOTS, 2, VERTICES)),
        profiles=np.empty((SLOTS, BINS), np.int32),
        spare=np.empty((2, 2, VERTICES)),
    )


def room(count: int) -> Outlines:
    """Room for the outlines of so many objects, for `kernels.outlines` to fill; this thread's until it asks again."""
    return _room(count, get_ident())


@lru_cache(maxsize=64)
def _room(count: int, thread: int) -> Outlines:
    return Outlines(
        points=np.empty((count, 2, VERTICES)),
        lengths=np.zeros(count, np.int64),
        boxes=np.empty((count, 4)),
        edges=np.empty(count),
    )
