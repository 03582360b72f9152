"""Triangle meshes with smooth normals, and the few ways in which ours are made: sheets, lathes, level surfaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A mesh: vertices and unit normals float64 (n, 3); triangles int32 (m, 3), counter-clockwise from outside."""

    vertices: Floats
    normals: Floats
    triangles: Ints


def sheet(points: Floats, normals: Floats) -> Mesh:
    """A grid of points (rows, columns, 3) as triangles; it faces the side from which rows go up as columns go right."""
    rows, columns = points.shape[:2]
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    quads = np.stack([a, a + 1, a + columns + 1, a + columns], 1)
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), halves(quads))


def lathe(profile: Floats, normals: Floats, segments: int) -> Mesh:
    """A surface of revolution about z; the profile's points (k, 2) are radius and height, from below to above."""
    angle = np.linspace(0, 2 * np.pi, segments + 1)

    def turned(pairs: Floats) -> Floats:
        radius, height = pairs[:, :1], np.repeat(pairs[:, 1:], segments + 1, 1)
        return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], 2)

    return sheet(turned(profile), turned(normals))


def rounded(corners: Floats, bevel: float, steps: int) -> tuple[Floats, Floats]:
    """A polyline (k, 2) whose inner corners are arcs of radius `bevel`, and its normals, to the right of the way."""
    way = np.diff(corners, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    right = np.stack([way[:, 1], -way[:, 0]], 1)
    points, normals = [corners[:1]], [right[:1]]
    for k in range(1, len(corners) - 1):
        blend = np.linspace(0, 1, steps + 1)[:, None]
        arc = (1 - blend) * right[k - 1] + blend * right[k]
        arc /= np.linalg.norm(arc, axis=1, keepdims=True)
        inward = right[k - 1] + right[k]
        center = corners[k] - bevel * inward / (1 + right[k - 1] @ right[k])
        points.append(center + bevel * arc)
        normals.append(arc)
    return np.concatenate([*points, corners[-1:]]), np.concatenate([*normals, right[-1:]])


def joined(meshes: Iterable[Mesh]) -> Mesh:
    """Several meshes as one."""
    pieces = list(meshes)
    starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces[:-1])])
    return Mesh(
        np.concatenate([piece.vertices for piece in pieces]),
        np.concatenate([piece.normals for piece in pieces]),
        np.concatenate([piece.triangles + start for piece, start in zip(pieces, starts, strict=True)]).astype(np.int32),
    )


def placed(mesh: Mesh, *, turn: float = 0.0, scale: float = 1.0, place: tuple[float, float, float]) -> Mesh:
    """A mesh turned about z by degrees, scaled, then moved."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    return Mesh(mesh.vertices @ spin * scale + place, mesh.normals @ spin, mesh.triangles)


def smooth(vertices: Floats, triangles: Ints) -> Mesh:
    """A mesh whose normals are those of its faces, mixed by area at vertices that share a place."""
    places, which = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    shared = which.reshape(-1)[triangles]
    corners = vertices[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sums = np.zeros_like(places)
    for k in range(3):
        np.add.at(sums, shared[:, k], faces)
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return Mesh(vertices, (sums / np.where(length > 0, length, 1))[which.reshape(-1)], triangles)


def halves(quads: npt.NDArray[np.integer]) -> Ints:
    """Quadrangles (m, 4) as triangles (2 m, 3)."""
    return np.ascontiguousarray(quads[:, [0, 1, 2, 0, 2, 3]], np.int32).reshape(-1, 3)


def shell(steps: tuple[int, int, int]) -> tuple[Floats, Ints]:
    """The surface of the cube [-1, 1]³, cut into steps along x, y and z: vertices (n, 3) and quads (m, 4)."""
    pieces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        across = np.stack(np.meshgrid(np.arange(steps[u] + 1), np.arange(steps[v] + 1)), 2)  # rows along v
        for end in (0, steps[axis]):
            grid = np.empty((*across.shape[:2], 3), int)
            grid[..., axis], grid[..., [u, v]] = end, across
            a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
            quads = np.stack([a, b, c, d] if end else [a, d, c, b], 2).reshape(-1, 4, 3)
            pieces.append(quads)
    corners = np.concatenate(pieces)
    places, which = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return 2 * places / np.array(steps) - 1, which.reshape(-1, 4).astype(np.int32)


def polygonized(
    field: Callable[[Floats], Floats], *, low: tuple[float, float, float], cells: tuple[int, int, int], cell: float
) -> Mesh:
    """The surface where a field is 0, which is negative within: a vertex in every cell of a grid that it passes.

    Vertices begin in the middle of where the surface crosses the cell's edges (Gibson's surface nets), and are then
    moved onto it.
    """
    grid = np.moveaxis(np.indices([count + 1 for count in cells]), 0, -1)
    corners: Floats = (grid * cell + np.array(low)).reshape(-1, 3)
    values = field(corners).reshape(grid.shape[:3])
    total, count = np.zeros((*cells, 3)), np.zeros(cells, int)
    edges = []  # of the grid that cross the surface, each with the cells around it, in turn
    for axis in range(3):
        u, v = np.eye(3, dtype=int)[[(axis + 1) % 3, (axis + 2) % 3]]
        start, end = (np.take(values, range(k, cells[axis] + k), axis) for k in (0, 1))
        crossing = np.argwhere((start < 0) != (end < 0))
        begin, stop = start[tuple(crossing.T)], end[tuple(crossing.T)]
        points = crossing + np.eye(3)[axis] * (begin / (begin - stop))[:, None]
        around = np.stack([crossing, crossing - u, crossing - u - v, crossing - v], 1)
        for k in range(4):
            np.add.at(total, tuple(around[:, k].T), points)
            np.add.at(count, tuple(around[:, k].T), 1)
        edges.append(np.where((begin < 0)[:, None, None], around, around[:, ::-1]))
    number = np.cumsum(count.ravel() > 0).reshape(cells) - 1
    quads = number[tuple(np.moveaxis(np.concatenate(edges), -1, 0))]
    vertices = (total[count > 0] / count[count > 0][:, None]) * cell + low
    for _ in range(3):
        slopes = slopes_of(field, vertices, cell / 100)
        vertices = vertices - slopes * (field(vertices) / np.maximum((slopes**2).sum(1), 1e-3))[:, None]
    normals = slopes_of(field, vertices, cell / 4)
    return Mesh(vertices, normals / np.linalg.norm(normals, axis=1, keepdims=True), halves(quads))


def slopes_of(field: Callable[[Floats], Floats], points: Floats, step: float) -> Floats:
    """How steeply a field rises along x, y and z at points (n, 3)."""
    return np.stack([(field(points + way) - field(points - way)) / (2 * step) for way in np.eye(3) * step], 1)
