"""Triangle meshes with smooth normals, and the few ways in which ours are made: sheets, lathes, subdivided cages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """vertices and unit normals float64 (n, 3); triangles int32 (m, 3), counter-clockwise seen from outside."""

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


def mirrored(mesh: Mesh) -> Mesh:
    """The mirror image of a mesh in x."""
    return Mesh(mesh.vertices * (-1, 1, 1), mesh.normals * (-1, 1, 1), mesh.triangles[:, ::-1])


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


def subdivided(vertices: Floats, quads: Ints) -> tuple[Floats, Ints]:
    """One step of Catmull and Clark's scheme on a closed mesh of quadrangles."""
    count = len(vertices)
    faces = vertices[quads].mean(1)
    sides = np.sort(np.stack([quads, np.roll(quads, -1, 1)], 2).reshape(-1, 2), 1)  # each edge twice
    edges, which = np.unique(sides, axis=0, return_inverse=True)
    which = which.reshape(-1, 4)  # the edge that leaves each corner of each face

    def spread(length: int, index: npt.NDArray[np.integer], values: Floats) -> Floats:
        total = np.zeros((length, 3))
        np.add.at(total, index.ravel(), values)
        return total

    around = spread(len(edges), which, np.repeat(faces, 4, 0))  # of an edge: its two faces
    middles = (vertices[edges].sum(1) + around) / 4
    valence = np.bincount(quads.ravel(), minlength=count)[:, None]
    face_mean = spread(count, quads, np.repeat(faces, 4, 0)) / valence
    edge_mean = spread(count, edges, np.repeat(vertices[edges].mean(1), 2, 0)) / valence
    moved = (face_mean + 2 * edge_mean + (valence - 3) * vertices) / valence
    corner, ahead = quads, count + which
    center = np.broadcast_to((count + len(edges) + np.arange(len(quads)))[:, None], quads.shape)
    new = np.stack([corner, ahead, center, np.roll(ahead, 1, 1)], 2).reshape(-1, 4)
    return np.concatenate([moved, middles, faces]), new.astype(np.int32)
