"""An image as the verifier sees it: outlines rebuilt from its objects and what follows from them, when asked for.

Nothing here knows how an image was made. Contact, containment, clumps and boxes come from the outlines; how one object
moves to another of its shape is algebra on (size, angle, flip), since an outline is contour, flip, turn, scale, move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unseen.benchmarks.cvr.meaning.margins import CONTACT, PX, Floats, Undecided
from unseen.benchmarks.cvr.scene import Image

Contour = Callable[[int], Floats]  # key -> closed outline (n, 2) whose box is 1 x 1 around the origin
Booleans = NDArray[np.bool_]
Integers = NDArray[np.intp]

FAR = 3 * PX  # distances beyond are not worked out: outlines at least this far apart are simply apart
BINS = 64  # directions of a radial profile
AXES = {"x": 0, "y": 1}

# Least difference of a profile from its own turned (by 15 degrees or more) or mirrored copies: below it nobody can see
# by how much such a shape is turned, or whether it is mirrored
RECOGNIZABLE = 0.02


class Shapes:
    """The contours of a problem and what is known of each, worked out once for its four images."""

    def __init__(self, contour: Contour) -> None:
        self._contour = contour
        self._contours: dict[int, Floats] = {}
        self._profiles: dict[int, Floats] = {}
        self._differences: dict[tuple[int, int], float] = {}
        self._recognizable: dict[int, bool] = {}

    def contour(self, key: int) -> Floats:
        """Return the outline of a key."""
        if key not in self._contours:
            self._contours[key] = np.asarray(self._contour(key), dtype=np.float64)
        return self._contours[key]

    def profile(self, key: int) -> Floats:
        """Return the radial profile of a key's outline."""
        if key not in self._profiles:
            self._profiles[key] = radial_profile(self.contour(key))
        return self._profiles[key]

    def difference(self, key: int, other: int) -> float:
        """Tell how different two shapes look, however turned or mirrored; a shape is equal to itself only."""
        if key == other:
            return 0.0
        pair = (min(key, other), max(key, other))
        if pair not in self._differences:
            self._differences[pair] = shape_difference(self.profile(key), self.profile(other))
        return self._differences[pair]

    def recognizable(self, key: int) -> bool:
        """Tell whether a turned or mirrored copy of this shape can be told from the shape itself."""
        if key not in self._recognizable:
            self._recognizable[key] = self_difference(self.profile(key)) >= RECOGNIZABLE
        return self._recognizable[key]


def radial_profile(points: Floats) -> Floats:
    """Return the greatest distance from the origin in each of 64 directions; empty ones lie between their neighbors."""
    bins = np.floor(np.arctan2(points[:, 1], points[:, 0]) * (BINS / (2 * np.pi))).astype(np.intp) % BINS
    profile = np.zeros(BINS)
    np.maximum.at(profile, bins, np.hypot(points[:, 0], points[:, 1]))
    full = np.flatnonzero(profile)
    return np.interp(np.arange(BINS), full, profile[full], period=BINS)


# Every turn of a profile, and every turn of its mirror image: (2 * 64, 64) places to read from
_TURNS = (np.arange(BINS)[:, None] + np.arange(BINS)) % BINS
_MOTIONS = np.concatenate([_TURNS, _TURNS[:, ::-1]])
_SEEN_MOTIONS = np.concatenate([_TURNS[3 : BINS - 2], _TURNS[:, ::-1]])  # 3 bins are 17 degrees


def shape_difference(profile: Floats, other: Floats) -> float:
    """Least mean difference of two profiles over turns and flips."""
    return float(np.abs(profile - other[_MOTIONS]).mean(axis=1).min())


def self_difference(profile: Floats) -> float:
    """Least mean difference of a profile from its own copies that are turned, or mirrored and turned in any way."""
    return float(np.abs(profile - profile[_SEEN_MOTIONS]).mean(axis=1).min())


@dataclass(frozen=True)
class Motion:
    """The part of a similarity that neither moves nor grows: how an object is turned or mirrored into another."""

    mirrored: bool
    turn: float  # degrees in (-180, 180]; of a mirrored one: after mirroring left to right

    @property
    def axis(self) -> float:
        """The direction of a mirrored motion's axis, degrees in [0, 180)."""
        return (self.turn / 2 + 90) % 180


class Seen:
    """One image; objects are numbered as in the image."""

    def __init__(self, image: Image, shapes: Shapes) -> None:
        self.objects = image
        self.shapes = shapes
        self.count = len(image)

    def numbers(self, name: str) -> Floats:
        """Return one field of all objects."""
        return np.array([getattr(one, name) for one in self.objects], dtype=np.float64)

    @cached_property
    def centers(self) -> Floats:
        """The centers (n, 2) of the objects."""
        return np.array([(one.x, one.y) for one in self.objects])

    @cached_property
    def outlines(self) -> list[Floats]:
        """The vertices of each object, where they are in the image."""
        return [self._outline(i) for i in range(self.count)]

    def _outline(self, i: int) -> Floats:
        one = self.objects[i]
        x, y = self.shapes.contour(one.shape).T
        if one.flip:
            x = -x
        turn = np.deg2rad(one.angle)
        cos, sin = np.cos(turn) * one.size, np.sin(turn) * one.size
        return np.stack([x * cos - y * sin + one.x, x * sin + y * cos + one.y], axis=1)

    @cached_property
    def boxes(self) -> Floats:
        """True extents (n, 2, 2): least and greatest corner of each outline."""
        return np.array([(points.min(axis=0), points.max(axis=0)) for points in self.outlines])

    @cached_property
    def gaps(self) -> Floats:
        """Least distances (n, n) between outlines; those beyond FAR are inf."""
        gaps = np.full((self.count, self.count), np.inf)
        low, high = self.boxes[:, 0], self.boxes[:, 1]
        near = (low[:, None] < high[None] + FAR).all(axis=2)
        for i, j in np.argwhere(np.triu(near & near.T, 1)):
            gaps[i, j] = gaps[j, i] = self._gap(i, j)
        return gaps

    def _gap(self, i: int, j: int) -> float:
        one, other = self._edges(i, near=j), self._edges(j, near=i)
        return edge_distance(one, other) if len(one) and len(other) else float("inf")

    def _edges(self, i: int, *, near: int) -> Floats:
        """The edges (k, 2, 2) of an outline that come within FAR of the box of another."""
        points, (low, high) = self.outlines[i], self.boxes[near]
        ends = following(points)
        close = (np.maximum(points, ends) > low - FAR) & (np.minimum(points, ends) < high + FAR)
        close = close[:, 0] & close[:, 1]
        return np.stack([points[close], ends[close]], axis=1)

    @cached_property
    def contact(self) -> Booleans:
        """Which outlines touch (n, n)."""
        if ((self.gaps >= CONTACT.equal) & (self.gaps < CONTACT.different)).any():
            raise Undecided("two outlines neither touch nor are clearly apart")
        return self.gaps < CONTACT.equal

    @cached_property
    def clumps(self) -> Integers:
        """The number of the connected group of touching objects that each belongs to."""
        labels = np.arange(self.count)
        for i, j in np.argwhere(np.triu(self.contact, 1)):
            labels[labels == labels[j]] = labels[i]
        return labels

    @cached_property
    def containers(self) -> Booleans:
        """[i, j]: i contains j, that is, j's outline lies within i's and they do not touch."""
        low, high = self.boxes[:, 0], self.boxes[:, 1]
        around = ((low[:, None] < low[None]) & (high[:, None] > high[None])).all(axis=2) & ~self.contact
        for i, j in np.argwhere(around):
            around[i, j] = within(self.outlines[i], self.outlines[j][:1])[0]
        return around

    @cached_property
    def depth(self) -> Integers:
        """How many objects each lies within."""
        depth: Integers = self.containers.sum(axis=0)
        return depth

    @cached_property
    def parent(self) -> Integers:
        """The innermost object that contains each, or -1."""
        deepest = np.where(self.containers, self.depth[:, None] + 1, 0)
        return np.where(self.depth > 0, deepest.argmax(axis=0), -1)

    @cached_property
    def filled(self) -> Booleans:
        """Which objects contain another."""
        return np.asarray(self.containers.any(axis=1))

    @cached_property
    def top(self) -> Integers:
        """The objects that nothing contains."""
        return np.flatnonzero(self.depth == 0)

    def children(self, i: int) -> Integers:
        """Return the objects directly inside another."""
        return np.flatnonzero(self.parent == i)

    def order(self, axis: str) -> Integers:
        """Return the objects that nothing contains, in their order on an axis, each wholly before the next."""
        low, high = self.boxes[self.top, 0, AXES[axis]], self.boxes[self.top, 1, AXES[axis]]
        line = np.argsort(low)
        if (low[line[1:]] <= high[line[:-1]]).any():
            raise Undecided(f"not every object is wholly before or after every other on the {axis} axis")
        return self.top[line]

    def motion(self, i: int, j: int) -> Motion:
        """Tell how i becomes j, if they are of one shape: R(b) F^g (R(a) F^f)^-1, with F R(a) = R(-a) F."""
        one, other = self.objects[i], self.objects[j]
        if one.shape == other.shape and not self.shapes.recognizable(one.shape):
            raise Undecided("a shape looks like its own turned or mirrored copy")
        mirrored = one.flip != other.flip
        turn = other.angle + one.angle if mirrored else other.angle - one.angle
        return Motion(mirrored, 180 - (180 - turn) % 360)


def following(outline: Floats) -> Floats:
    """Return the vertex after each one of a closed outline; several times faster than numpy's roll."""
    return np.concatenate([outline[1:], outline[:1]])


def edges_of(outline: Floats) -> Floats:
    """Return the edges (n, 2, 2) of a closed outline (n, 2): from each vertex to the next."""
    return np.stack([outline, following(outline)], axis=1)


def edge_distance(one: Floats, other: Floats) -> float:
    """Return the least distance between two sets of edges (n, 2, 2) and (m, 2, 2); 0 where two cross.

    >>> edge_distance(np.array([[(0, 0), (2.0, 0)]]), np.array([[(1, 1), (1, 3.0)]]))
    1.0
    """
    parted = side(one, other[:, 0]) * side(one, other[:, 1]) < 0  # [i, j]: edge j has an end on each side of edge i
    parting = side(other, one[:, 0]) * side(other, one[:, 1]) < 0
    if (parted & parting.T).any():
        return 0.0
    return float(min(point_distances(one[:, 0], other).min(), point_distances(other[:, 0], one).min()))


def side(edges: Floats, points: Floats) -> Floats:
    """On which side (n, m) of each edge (n, 2, 2) each point (m, 2) lies: the sign of the area they span."""
    (x, y), (end_x, end_y) = edges.transpose(1, 2, 0)[..., None]
    px, py = points.T
    area: Floats = (end_x - x) * (py - y) - (end_y - y) * (px - x)
    return area


def point_distances(points: Floats, edges: Floats) -> Floats:
    """Return the distance (n,) of each point (n, 2) from the nearest of some edges (m, 2, 2)."""
    (x, y), (end_x, end_y) = edges.transpose(1, 2, 0)
    px, py = points.T[..., None]
    along_x, along_y = end_x - x, end_y - y
    share = ((px - x) * along_x + (py - y) * along_y) / np.maximum(along_x**2 + along_y**2, 1e-30)
    share = share.clip(0, 1)
    squares: Floats = (px - x - share * along_x) ** 2 + (py - y - share * along_y) ** 2
    return np.asarray(np.sqrt(squares.min(axis=1)))


def within(outline: Floats, points: Floats) -> Booleans:
    """Tell which points (k, 2) lie within a closed outline: a ray to the right crosses it an odd number of times.

    >>> within(np.array([(0, 0), (2, 0), (2, 2), (0, 2.0)]), np.array([(1.5, 1), (3, 1)])).tolist()
    [True, False]
    """
    x, y = outline.T
    end_x, end_y = following(outline).T
    px, py = points.T[..., None]
    crossing = (y > py) != (end_y > py)
    rise = np.where(end_y == y, 1.0, end_y - y)  # level edges cross no ray
    right = x + (py - y) * (end_x - x) / rise > px
    inside: Booleans = (crossing & right).sum(axis=1) % 2 == 1
    return inside
