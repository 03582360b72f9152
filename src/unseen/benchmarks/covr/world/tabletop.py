"""The world in 3-D: solids on a table top, complete by construction.

Two rows of *groups* stand before a camera that looks down on them, with clear gaps between groups and between rows. A
group is one to three solids side by side, each perhaps with a small one on it; or a large solid that a small one stands
in front of. Relations come from how solids are put, as in `flat.py`:

    on, under       a small solid rests on the flat top of another
    next to         stands beside it, almost touching
    between         stands in the middle of three, which are told by a modifier: between one and the other
    in front of     partly hides it                  behind      is partly hidden by it

Solids of different groups stand in no relation: none hides a part of another, and none is as near as those of a
group. What is to the left of what is not told, as the paper drops these relations of GQA.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from unseen.benchmarks.covr.world.identity import named
from unseen.benchmarks.covr.world.scene import Modifier, Relation, Scene, Thing
from unseen.benchmarks.covr.world.stream import SceneStream

SHAPES = {  # and how far each reaches to any side, turned as it may be, where its size is 1
    **{"cube": 1.26, "ball": 1.0, "cylinder": 1.0, "cone": 0.93, "ring": 1.0, "icosahedron": 0.99},
    **{"teapot": 1.42, "monkey": 1.36},
}
FLAT = ("cube", "cylinder")  # what has room on its top
HIDES = ("cube", "ball", "cylinder")  # what stands in front: as wide above as below, so that it hides much
TALL = ("cube", "cylinder", "cone")  # what stands behind, and is seen above what hides it
COLORS = {  # and the materials that have it
    **dict.fromkeys(("red", "orange", "yellow", "green", "blue", "purple", "gray", "black"), ("rubber", "metal")),
    "brown": ("wood",),
}
SIZES = {"large": 0.62, "small": 0.4}  # half the side of a solid, in units of the 3-D scene

RELATIONS = ("on", "under", "next to", "between", "between:_and", "in front of", "behind")

SIDE = 360  # pixels of a scene's boxes, which is square
CAMERA, TARGET, FIELD_OF_VIEW = (13.0, 0.0, 8.6), (0.0, 0.0, 0.3), 29.0  # across is y, and x comes towards the camera
FOCAL = SIDE / 2 / 0.2586175843558903  # pixels; the tangent of half the field of view
ROWS = (-3.1, 2.6)  # x of the two rows, the far one first
SHIFT = 0.35  # how far rows are from there, at most
WIDTH = 6.6  # of a row
BESIDE = 0.12  # between solids of a group
APART = 0.9  # between groups, at least
TURNED = 20  # degrees, at most


@dataclass(eq=False)
class Solid:
    """A solid on the table: its size is half its side, and `x`, `y`, `z` its middle."""

    name: str
    attributes: tuple[str, ...]
    size: float
    turn: int  # degrees
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    relations: list[tuple[str, Solid, tuple[tuple[str, Solid], ...]]] = field(default_factory=list)

    @property
    def half(self) -> float:
        """How far the solid reaches to either side of its middle."""
        return SHAPES[self.name] * self.size

    def link(self, name: str, other: Solid, converse: str) -> None:
        """Note a relation to another solid, and the converse relation."""
        self.relations.append((name, other, ()))
        other.relations.append((converse, self, ()))


def scene(key: int, index: int, draw: int = 0, rng: SceneStream | None = None) -> Scene:
    """Return one scene: a pure function of the stream's key, index and draw; its id names the stream."""
    scene_id, solids = named(key, index, draw), solids_of(key, index, draw, rng)
    ids = {id(solid): f"{scene_id}/{number}" for number, solid in enumerate(solids)}
    things = {}
    for solid in solids:
        relations = tuple(
            Relation(name, ids[id(other)], tuple(Modifier(what, ids[id(by)]) for what, by in modifiers))
            for name, other, modifiers in solid.relations
        )
        own = ids[id(solid)]
        things[own] = Thing(own, solid.name, solid.attributes, relations, box_of(solid))
    return Scene(scene_id, things, SIDE, SIDE, "table")


def solids_of(key: int, index: int, draw: int, rng: SceneStream | None = None) -> list[Solid]:
    """Return the solids of a scene: rows from the far one on, groups from the left."""
    maker = _Maker(rng or SceneStream(key, index=index, draw=draw))
    return [solid for x in ROWS for solid in maker.row(x + SHIFT * (2 * maker.rng.uniform() - 1))]


class _Maker:
    """Draw the groups of one scene."""

    def __init__(self, rng: SceneStream) -> None:
        self.rng = rng
        self.favorite = rng.choice(tuple(SHAPES))  # is likely, so that there is much to count

    def solid(self, shapes: Sequence[str] = tuple(SHAPES), size: str = "") -> Solid:
        """Make a solid with random attributes."""
        rng = self.rng
        name = self.favorite if self.favorite in shapes and rng.uniform() < 0.3 else rng.choice(shapes)
        color = rng.choice(tuple(COLORS))
        attributes = color, rng.choice(COLORS[color]), size or rng.choice(tuple(SIZES))
        half = SIZES[attributes[-1]]
        return Solid(name, attributes, half, rng.between(-TURNED, TURNED), z=half)

    def row(self, x: float) -> list[Solid]:
        """Place two to four groups on one row, fewer where there is no room."""
        groups: list[list[Solid]] = []
        room = WIDTH
        for _ in range(self.rng.between(2, 4)):
            solids = self.hiding() if self.rng.uniform() < 0.35 else self.side_by_side()
            if width(solids) + APART > room:
                break
            groups.append(solids)
            room -= width(solids) + APART
        left = -WIDTH / 2
        for i, solids in enumerate(groups):
            spare = self.rng.uniform() * room / (len(groups) - i)
            left += APART / 2 + spare
            room -= spare
            start = min(solid.y - solid.half for solid in solids)
            for solid in solids:
                solid.x += x
                solid.y += left - start
            left += width(solids) + APART / 2
        return [solid for solids in groups for solid in solids]

    def side_by_side(self) -> list[Solid]:
        """Place one to three solids side by side, with what is on them; of three, one is between the others."""
        columns = [self.column() for _ in range(self.rng.between(1, 3))]
        edge = 0.0
        for column in columns:
            reach = max(solid.half for solid in column)
            for solid in column:
                solid.y = edge + reach
            edge += 2 * reach + BESIDE
        bases = [column[0] for column in columns]
        for one, other in pairwise(bases):
            one.link("next to", other, "next to")
        if len(bases) == 3:
            one, middle, other = bases
            middle.relations.insert(0, ("between", one, (("between:_and", other),)))
            middle.relations.insert(1, ("between", other, (("between:_and", one),)))
        return [solid for column in columns for solid in column]

    def column(self) -> list[Solid]:
        """Place a solid, most often with another on its top where that is flat."""
        base = self.solid()
        if base.name not in FLAT or self.rng.uniform() < 0.3:
            return [base]
        top = self.solid(size="small")
        top.z += 2 * base.size
        top.link("on", base, "under")
        return [base, top]

    def hiding(self) -> list[Solid]:
        """Place a small solid in front of a large one, a little aside."""
        behind, front = self.solid(TALL, "large"), self.solid(HIDES, "small")
        front.x = behind.half + BESIDE + front.half
        front.y = self.rng.choice((-1, 1)) * behind.size / 3
        front.link("in front of", behind, "behind")
        return [behind, front]


def width(solids: list[Solid]) -> float:
    """Return the width of a group."""
    return max(solid.y + solid.half for solid in solids) - min(solid.y - solid.half for solid in solids)


def box_of(solid: Solid) -> tuple[int, int, int, int]:
    """Tell where a solid is in the picture, in pixels: the corners of its cuboid as the camera sees them."""
    dx, dz = CAMERA[0] - TARGET[0], CAMERA[2] - TARGET[2]
    far = (dx * dx + dz * dz) ** 0.5
    place, reaches = (solid.x, solid.y, solid.z), (solid.half, solid.half, solid.size)
    corners = []
    for side in range(8):
        x, y, z = (
            middle + (reach if side >> axis & 1 else -reach)
            for axis, (middle, reach) in enumerate(zip(place, reaches, strict=True))
        )
        away, above = CAMERA[0] - x, CAMERA[2] - z
        depth = (away * dx + above * dz) / far
        up = (away * dz - above * dx) / far
        corners.append((SIDE / 2 + FOCAL * y / depth, SIDE / 2 - FOCAL * up / depth))
    left, top = (round(min(corner[axis] for corner in corners)) for axis in range(2))
    right, bottom = (round(max(corner[axis] for corner in corners)) for axis in range(2))
    return left, top, right - left, bottom - top
