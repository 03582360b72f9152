"""Martin Newell's teapot of 1975, z up, in his units: 32 bicubic Bézier patches, written as what they are made of.

Rim, body, lid and bottom are quarter turns of a profile; handle and spout are patches and their mirror images. Six
patches of ours close it, so that nobody looks inside: between lid and rim, and in the spout.
"""

from __future__ import annotations

import numpy as np

from unseen.render.space.mesh import Floats, Mesh, joined, sheet, smooth

PROFILES = (  # radius and height of four control points, from above to below
    ((1.4, 2.4), (1.3375, 2.53125), (1.4375, 2.53125), (1.5, 2.4)),  # rim
    ((1.5, 2.4), (1.75, 1.875), (2.0, 1.35), (2.0, 0.9)),  # body
    ((2.0, 0.9), (2.0, 0.45), (1.5, 0.225), (1.5, 0.15)),
    ((0.0, 3.15), (0.8, 3.15), (0.0, 2.85), (0.2, 2.7)),  # lid
    ((0.2, 2.7), (0.4, 2.55), (1.3, 2.55), (1.3, 2.4)),
    ((1.5, 0.15), (1.5, 0.075), (1.425, 0.0), (0.0, 0.0)),  # bottom
    ((1.3, 2.4), (1.33, 2.4), (1.37, 2.4), (1.4, 2.4)),  # ours
)
QUARTER = ((1.0, 0.0), (1.0, 0.56), (0.56, 1.0), (0.0, 1.0))  # Newell's quarter of a circle
HALVES = (  # x and z of the inner and outer line, and y of the two control points between them
    (((-1.6, 2.025), (-2.3, 2.025), (-2.7, 2.025), (-2.7, 1.8)),  # handle
     ((-1.5, 2.25), (-2.5, 2.25), (-3.0, 2.25), (-3.0, 1.8)), (0.3, 0.3, 0.3, 0.3)),
    (((-2.7, 1.8), (-2.7, 1.575), (-2.5, 1.125), (-2.0, 0.9)),
     ((-3.0, 1.8), (-3.0, 1.35), (-2.65, 0.9375), (-1.9, 0.6)), (0.3, 0.3, 0.3, 0.3)),
    (((1.7, 0.6), (3.1, 0.825), (2.4, 2.025), (3.3, 2.4)),  # spout
     ((1.7, 1.425), (2.6, 1.425), (2.3, 2.1), (2.7, 2.4)), (0.66, 0.66, 0.25, 0.25)),
    (((3.3, 2.4), (3.525, 2.49375), (3.45, 2.5125), (3.2, 2.4)),
     ((2.7, 2.4), (2.8, 2.475), (2.9, 2.475), (2.8, 2.4)), (0.25, 0.25, 0.15, 0.15)),
    (((3.2, 2.4), (3.13, 2.4), (3.07, 2.4), (3.0, 2.4)),  # ours
     ((2.8, 2.4), (2.87, 2.4), (2.93, 2.4), (3.0, 2.4)), (0.15, 0.1, 0.05, 0.0)),
)  # fmt: skip


def patches() -> Floats:
    """The control points of all patches, (38, 4, 4, 3): 7 x 4 quarters, then 5 x 2 halves."""
    made = []
    for profile in PROFILES:
        radius, height = np.array(profile).T[:, :, None]
        x, y = np.array(QUARTER).T
        for _ in range(4):
            made.append(np.stack([radius * x, radius * y, np.broadcast_to(height, (4, 4))], 2))
            x, y = -y, x
    for inner, outer, half in HALVES:
        lines = np.array([inner, inner, outer, outer])  # (4 across, 4 along, x and z)
        y = np.array(half) * np.array([0, 1, 1, 0])[:, None]
        for side in (-1, 1):
            points = np.stack([lines[..., 0], side * y, lines[..., 1]], 2)
            made.append(points if side < 0 else points[:, ::-1])
    return np.array(made)


def teapot(steps: int) -> Mesh:
    """The teapot in steps x steps pieces a patch; smooth within its parts, sharp between them."""
    t = np.linspace(0, 1, steps + 1)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    surfaces = np.einsum("ui,pijc,vj->puvc", weights, patches(), weights)
    rim, pot, lid, bottom, ring, handle, spout, cap = np.split(surfaces, [4, 12, 20, 24, 28, 32, 36])
    return joined(_part(part) for part in (rim, pot, lid, bottom, ring, handle, spout, cap))


def _part(surfaces: Floats) -> Mesh:
    whole = joined(sheet(points[::-1], points) for points in surfaces)
    return smooth(whole.vertices, whole.triangles)
