"""The stage as meshes: what stands around the bodies, each part with its id and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from unseen.render.space.mesh import Floats, Mesh, sheet
from unseen.render.space.scene import Cyclorama, Room, Surface

FLOOR = 240  # id of a room's floor; its walls are 241 .. 244; a cyclorama is 0
WIDE = 90.0  # how far a cyclorama reaches to the right, and to either side: further than any camera here sees
ARC = 24  # flat pieces of its bend


@dataclass(frozen=True)
class Part:
    """One piece of a stage, in world coordinates."""

    id: int
    mesh: Mesh
    surface: Surface


@lru_cache(maxsize=64)
def parts(stage: Cyclorama | Room) -> tuple[Part, ...]:
    """The pieces of a stage."""
    return _cyclorama(stage) if isinstance(stage, Cyclorama) else _room(stage)


def _cyclorama(stage: Cyclorama) -> tuple[Part, ...]:
    """One sheet: its profile in x and z, drawn out along y."""
    angle = np.linspace(0, np.pi / 2, ARC + 1)
    back, left = np.abs(np.sin(angle)) ** (2 / stage.late), np.abs(np.cos(angle)) ** (2 / stage.late)  # to rise
    back[-1], left[-1] = 1.0, 0.0
    bend = np.stack([stage.back - stage.bend * back, stage.rise * (1 - left)], 1)
    normals = np.stack([back ** (stage.late - 1) / stage.bend, left ** (stage.late - 1) / stage.rise], 1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    profile = np.concatenate([[(WIDE, 0.0)], bend, [(stage.back - stage.bend, stage.height)]])
    normals = np.concatenate([normals[:1], normals, normals[-1:]])

    def drawn_out(pairs: Floats, low: float, high: float) -> Floats:
        return np.stack([np.insert(pairs, 1, low, 1), np.insert(pairs, 1, high, 1)], 1)

    return (Part(0, sheet(drawn_out(profile, -WIDE, WIDE), drawn_out(normals, 0, 0)), stage.surface),)


def _room(stage: Room) -> tuple[Part, ...]:
    """The floor, then the walls at low x, high x, low y and high y; all face inwards."""
    (x0, y0), (x1, y1), h = stage.low, stage.high, stage.height
    sheets = (  # the first corner, and its neighbors to the right and above, seen from inside
        ((x0, y0, 0), (x1, y0, 0), (x0, y1, 0)),
        ((x0, y0, 0), (x0, y1, 0), (x0, y0, h)),
        ((x1, y1, 0), (x1, y0, 0), (x1, y1, h)),
        ((x1, y0, 0), (x0, y0, 0), (x1, y0, h)),
        ((x0, y1, 0), (x1, y1, 0), (x0, y1, h)),
    )
    return tuple(
        Part(FLOOR + k, _rectangle(*np.array(corners, float)), surface)
        for k, (corners, surface) in enumerate(zip(sheets, (stage.floor, *stage.walls), strict=True))
    )


def _rectangle(corner: Floats, right: Floats, up: Floats) -> Mesh:
    normal = np.cross(right - corner, up - corner)
    points = np.array([[corner, right], [up, right + up - corner]])
    return sheet(points, np.broadcast_to(normal / np.linalg.norm(normal), points.shape))
