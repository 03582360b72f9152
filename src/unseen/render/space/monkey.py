"""A monkey's head of our own: coarse cages, pushed into shape, then subdivided.

It looks along -y, is as wide as its ears in x, and is its own mirror image in x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unseen.render.space.mesh import Mesh, halves, joined, mirrored, placed, shell, smooth, subdivided


@dataclass(frozen=True)
class Push:
    """Move what is near a place, the less the further: about half as far at 0.8 of the reach along an axis."""

    place: tuple[float, float, float]
    reach: tuple[float, float, float]
    by: tuple[float, float, float]


# Each cage begins as a ball of radius 1; a place with x > 0 stands for both sides.
HEAD = (
    Push((0.0, 0.0, 1.0), (1.2, 1.2, 0.6), (0.0, 0.1, -0.08)),  # a flat crown
    Push((0.75, -0.3, -0.6), (0.5, 0.9, 0.5), (-0.22, 0.1, 0.08)),  # hollow cheeks
    Push((0.0, -0.7, -0.9), (0.7, 0.9, 0.45), (0.0, -0.12, -0.02)),  # chin
    Push((0.36, -1.0, 0.12), (0.3, 0.6, 0.26), (0.0, 0.3, 0.0)),  # eye sockets
    Push((0.36, -0.9, 0.5), (0.5, 0.6, 0.14), (0.0, -0.24, 0.03)),  # brow
    Push((0.0, -1.0, 0.1), (0.12, 0.6, 0.4), (0.0, -0.06, 0.0)),  # bridge of the nose
)
MUZZLE = (
    Push((0.0, -1.0, -0.3), (0.9, 0.7, 0.16), (0.0, 0.3, 0.0)),  # mouth
    Push((0.0, -0.9, 0.75), (0.5, 0.6, 0.3), (0.0, -0.25, 0.1)),  # nose
    Push((0.0, -0.6, -0.9), (1.0, 0.8, 0.4), (0.0, 0.15, 0.1)),  # lower lip
)
EAR = (Push((0.0, -1.0, 0.0), (0.7, 1.2, 0.7), (0.0, 1.4, 0.0)),)  # a disk's hollow


def monkey() -> Mesh:
    """The head with its muzzle, and on either side an eye and an ear."""
    head = _cage((8, 6, 8), HEAD, radii=(1.0, 0.95, 1.0))
    muzzle = _cage((6, 4, 6), MUZZLE, radii=(0.58, 0.5, 0.46))
    eye, ear = _cage((4, 4, 4), (), radii=(0.25, 0.2, 0.25)), _cage((6, 2, 6), EAR, radii=(0.6, 0.16, 0.56))
    right = [placed(eye, place=(0.35, -0.72, 0.14)), placed(ear, turn=-25, place=(1.36, 0.22, 0.12))]
    return joined([head, placed(muzzle, place=(0.0, -0.72, -0.5)), *right, *map(mirrored, right)])


def _cage(steps: tuple[int, int, int], pushes: tuple[Push, ...], *, radii: tuple[float, float, float]) -> Mesh:
    """A ball of quadrangles, pushed, scaled to its radii, subdivided."""
    cube, quads = shell(steps)
    ball = np.tan(cube * np.pi / 4)  # even angles
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    vertices = ball.copy()
    for push in pushes:
        for side in (1, -1) if push.place[0] else (1,):
            mirror = np.array([side, 1, 1])
            near = np.exp(-(((ball - push.place * mirror) / push.reach) ** 2).sum(1, keepdims=True))
            vertices += near * push.by * mirror
    vertices, quads = subdivided(vertices * radii, quads)
    return smooth(vertices, halves(quads))
