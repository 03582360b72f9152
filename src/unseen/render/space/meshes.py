"""The shapes by name, as unit meshes of about [-1, 1]³ that stand where the published ones do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np

from unseen.core.errors import unknown
from unseen.render.space.mesh import Floats, Mesh, halves, joined, lathe, placed, rounded, shell
from unseen.render.space.monkey import monkey
from unseen.render.space.teapot import teapot

AROUND = 48  # segments of what is round
GRAIN = 65536  # vertices lie on a grid of this many steps a unit: no machine's sine moves them


def _cuboid(bevel: float, steps: int = 3) -> Mesh:
    """A cube with rounded edges: a ball of radius `bevel` swept over a smaller cube."""
    cube, quads = shell((2 * steps + 1,) * 3)
    inner, lines = 1 - bevel, np.linspace(-1, 1, 2 * steps + 2)
    arc = inner + bevel * np.tan(np.arange(steps + 1) / steps * np.pi / 4)  # even angles
    stretched = np.interp(cube, lines, np.concatenate([-arc[::-1], arc]))
    core = np.clip(stretched, -inner, inner)
    normals = stretched - core
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(core + bevel * normals, normals, halves(quads))


def _turned(corners: list[tuple[float, float]], bevel: float) -> Mesh:
    """A solid of revolution from the corners of its profile, from below to above, with rounded edges."""
    return lathe(*rounded(np.array(corners, float), bevel, 4), AROUND)


def _round(radius: float, tube: tuple[float, float], height: float, reach: float) -> Mesh:
    """A tube of half a width and half a height, turned about the axis at `radius`; `reach` degrees from outwards."""
    angle = np.radians(np.linspace(-reach, reach, AROUND // 2 + 1))
    circle = np.stack([np.cos(angle), np.sin(angle)], 1)
    normals = circle / tube
    return lathe(
        np.array(tube) * circle + (radius, height), normals / np.linalg.norm(normals, axis=1, keepdims=True), AROUND
    )


def _icosahedron(height: float, bevel: float = 0.08) -> Mesh:
    """Flat faces of circumradius 1, the first of them below and level; normals turn towards each corner near edges."""
    golden = (1 + 5**0.5) / 2
    corners = np.array([c for a in (-1, 1) for b in (-golden, golden) for c in ((0, a, b), (a, b, 0), (b, 0, a))])
    corners /= np.linalg.norm(corners[0])
    near = np.linalg.norm(corners[:, None] - corners, axis=2) < 1.1  # edges are 1.05 long, other distances above 1.7
    faces = [face for face in combinations(range(12), 3) if near[np.ix_(face, face)].all()]
    down = -corners[list(faces[0])].mean(0)
    corners = corners @ _upright(down)
    x, y, _ = corners[np.hypot(corners[:, 0], corners[:, 1]).argmax()]
    far = np.hypot(x, y)
    # a corner of those that reach furthest out lies before it, along -y
    corners = corners @ np.array([[-y / far, -x / far, 0], [x / far, -y / far, 0], [0, 0, 1]]) + (0, 0, height)
    return joined(_facet(corners[list(face)], (0, 0, height), bevel) for face in faces)


def _upright(axis: Floats) -> Floats:
    """A rotation, to be multiplied from the right, that turns `axis` to z."""
    z = axis / np.linalg.norm(axis)
    x = np.cross((0.0, 1.0, 0.0), z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], 1)


def _facet(corners: Floats, center: tuple[float, float, float], bevel: float) -> Mesh:
    """A triangle seen from outside: flat within, its rim's normals turned towards the corners."""
    flat = corners.mean(0) - center
    if np.cross(corners[1] - corners[0], corners[2] - corners[0]) @ flat < 0:
        corners = corners[::-1]
    inner = corners + bevel * (corners.mean(0) - corners) * 2
    flat = np.tile(flat / np.linalg.norm(flat), (3, 1))
    rim = [(k, (k + 1) % 3, 3 + (k + 1) % 3, 3 + k) for k in range(3)]
    triangles = np.concatenate([halves(np.array(rim)), np.array([[3, 4, 5]], np.int32)])
    return Mesh(np.concatenate([corners, inner]), np.concatenate([corners - center, flat]), triangles)


SHAPES: dict[str, Callable[[], Mesh]] = {  # extents as in CLEVR and CLEVRTex, whose camera stands at (7.5, -6.5, 5.3)
    "cube": lambda: _cuboid(bevel=0.12),
    "box": lambda: _cuboid(bevel=0.005),  # as good as sharp
    "cylinder": lambda: _turned([(0, -1), (1, -1), (1, 1), (0, 1)], bevel=0.12),
    "sphere": lambda: _round(radius=0.0, tube=(1.0, 1.0), height=0.0, reach=90),
    "cone": lambda: _turned([(0, -1), (0.94, -1), (0, 1)], bevel=0.03),
    "torus": lambda: _round(radius=0.649, tube=(0.347, 0.474), height=-0.515, reach=180),
    "icosahedron": lambda: _icosahedron(height=-0.195),
    "teapot": lambda: placed(teapot(8), turn=135, scale=0.454, place=(0.02, 0.0, -1.0)),  # spout to the back
    "monkey": lambda: placed(monkey(), turn=45, place=(0.01, -0.01, 0.0)),  # faces that camera
}


@cache
def mesh(shape: str) -> Mesh:
    """The unit mesh of a shape.

    >>> mesh("cube").vertices.min(), mesh("cube").vertices.max()
    (np.float64(-1.0), np.float64(1.0))
    """
    if shape not in SHAPES:
        raise unknown("shape", shape, SHAPES, where="3-D scenes")
    made = SHAPES[shape]()
    return Mesh(np.round(made.vertices * GRAIN) / GRAIN, made.normals, np.ascontiguousarray(made.triangles))
