"""A monkey's head of our own: balls that melt into one another, and hollows.

It looks along -y, is as wide as its ears in x, and is its own mirror image in x. Its extents are those of the published
head as it stands in CLEVR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unseen.render.space.mesh import Floats, Mesh, polygonized

CELL = 0.055  # side of the cells that its surface is found in


@dataclass(frozen=True)
class Blob:
    """A stretched ball, which melts into what is there before; one that is `hollow` is taken away from it.

    A place with x > 0 stands for both sides. The ball is turned about z, outwards, by degrees.
    """

    place: tuple[float, float, float]
    radii: tuple[float, float, float]
    melts: float = 0.1  # how near two surfaces are when they begin to
    turn: float = 0.0
    hollow: bool = False


HEAD = (
    Blob((0.0, 0.05, -0.12), (0.66, 0.66, 0.56)),  # skull
    Blob((0.82, 0.19, -0.10), (0.265, 0.09, 0.32), turn=24, melts=0.12),  # ears
    Blob((0.84, 0.08, -0.11), (0.17, 0.09, 0.22), turn=24, melts=0.06, hollow=True),  # their cups
    Blob((0.23, -0.50, -0.12), (0.21, 0.2, 0.17), melts=0.1, hollow=True),  # eye sockets
    Blob((0.0, -0.70, -0.52), (0.48, 0.44, 0.28), melts=0.18),  # snout
    Blob((0.0, -0.46, -0.70), (0.42, 0.42, 0.23), melts=0.14),  # jaw
    Blob((0.0, -0.60, -0.22), (0.11, 0.22, 0.28), melts=0.16),  # bridge of the nose
    Blob((0.26, -0.52, 0.09), (0.28, 0.17, 0.10), melts=0.12),  # brow
    Blob((0.0, -1.10, -0.60), (0.46, 0.16, 0.03), melts=0.08, hollow=True),  # mouth
    Blob((0.23, -0.51, -0.12), (0.16, 0.16, 0.15), melts=0.05),  # eyes
)


def monkey() -> Mesh:
    """Return the monkey's head as a mesh."""
    return polygonized(field, low=(-1.1, -1.32, -1.1), cells=(40, 38, 30), cell=CELL)


def field(points: Floats) -> Floats:
    """About how far points (n, 3) are outside the head; negative within."""
    total = np.full(len(points), np.inf)
    for blob in HEAD:
        away = distance(points, blob)
        if blob.place[0]:
            away = melted(away, distance(points * (-1, 1, 1), blob), blob.melts)
        total = -melted(-total, away, blob.melts) if blob.hollow else melted(total, away, blob.melts)
    return total


def distance(points: Floats, blob: Blob) -> Floats:
    """About how far points are from a blob."""
    turn = np.radians(blob.turn)
    c, s = np.cos(turn), np.sin(turn)
    offset = (points - blob.place) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    scaled, steep = (np.sqrt(((offset / np.power(blob.radii, k)) ** 2).sum(1)) for k in (1, 2))
    return np.asarray(scaled * (scaled - 1) / np.maximum(steep, 1e-9))


def melted(one: Floats, other: Floats, near: float) -> Floats:
    """The lesser of two distances, rounded off where they differ by less than `near`."""
    with np.errstate(invalid="ignore"):  # nothing at all is infinitely far
        overlap = np.maximum(near - np.abs(one - other), 0) / near
    return np.asarray(np.minimum(one, other) - overlap**2 * near / 4)
