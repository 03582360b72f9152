"""The three worlds: which factors make up the look of an object, what values each has, and where objects may be.

The order of factors is that of combinations, the order of values that of their indices; rules count in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt

Combination = tuple[int, ...]  # an object's look: the index of its value in the vocabulary of every factor
Point = tuple[float, float]


@dataclass(frozen=True)
class World:
    """A visual world. Places are in its own units: the side of the frame, or those of the 3-D scene."""

    name: str
    about: str
    factors: tuple[str, ...]
    colors: tuple[str, ...]  # RRGGBB
    shapes: tuple[str, ...]
    sizes: tuple[float, ...]
    materials: tuple[str, ...]
    low: float  # least and largest coordinate of an object
    high: float
    margin: float  # that an object keeps from these, in its sizes
    apart: float  # least distance of two objects, in the sum of their sizes
    center: float  # where quadrants meet, on both axes
    known_shapes: tuple[str, ...]  # that a vocabulary may hold
    known_materials: tuple[str, ...] = ()

    @property
    def vocabularies(self) -> tuple[tuple[object, ...], ...]:
        """The values of every factor, in order."""
        named = {"color": self.colors, "shape": self.shapes, "size": self.sizes, "material": self.materials}
        return tuple(named[factor] for factor in self.factors)

    @property
    def flat(self) -> bool:
        """Whether it is drawn without a camera."""
        return self.name == "dsprites"

    @property
    def textured(self) -> bool:
        """Whether materials are textures, and one of them is the ground's."""
        return self.name == "clevrtex"


def regular(corners: int, first: float) -> tuple[Point, ...]:
    """Return a regular polygon of area 1, from the corner at an angle in degrees on."""
    radius = sqrt(2 / (corners * sin(2 * pi / corners)))
    return _corners((radius,), corners, first)


def star(points: int) -> tuple[Point, ...]:
    """Return a star of area 1 whose outer corners are twice as far out as its inner ones, one of them upright."""
    inner = 1 / sqrt(2 * points * sin(pi / points))
    return _corners((inner, 2 * inner), 2 * points, 90 - 180 / points)


def _corners(radii: tuple[float, ...], count: int, first: float) -> tuple[Point, ...]:
    """Corners around the origin, to 2**-20: the last bits of a sine differ between machines."""
    angles = [first * pi / 180 + 2 * pi * k / count for k in range(count)]
    far = [radii[k % len(radii)] for k in range(count)]
    return tuple((_grained(r * cos(a)), _grained(r * sin(a))) for r, a in zip(far, angles, strict=True))


def _grained(value: float) -> float:
    return round(value * 2**20) / 2**20


SPRITES = {  # any row of pixels crosses each of them in one piece, which kernels rely on; y goes up
    "circle": regular(30, 0),
    "triangle": regular(3, 90),
    "square": regular(4, 45),
    "star_4": star(4),
    "diamond": regular(4, 0),
    "pentagon": regular(5, 90),
    "hexagon": regular(6, 0),
    "octagon": regular(8, 22.5),
}

CLEVR_MATERIALS = ("rubber", "metal")
TEXTURES = ("brick", "painted_brick", "chain_mail", "denim", "fleece", "spotted_metal", "terracotta_tiles", "wood")
SOLIDS = ("cone", "cube", "cylinder", "monkey", "icosahedron", "teapot", "sphere", "torus")

WORLDS = {
    world.name: world
    for world in (
        World(
            name="dsprites",
            about="flat sprites on black",
            factors=("color", "shape", "size"),
            colors=("00ff00", "ff00ff", "007fff", "ff7f00"),
            shapes=("circle", "triangle", "square", "star_4"),
            sizes=(0.125, 0.225, 0.325, 0.425),
            materials=(),
            low=0.0,
            high=1.0,
            margin=0.4,
            apart=0.4,
            center=0.5,
            known_shapes=tuple(SPRITES),
        ),
        World(
            name="clevr",
            about="solids of rubber and metal on a gray ground",
            factors=("color", "shape", "size", "material"),
            colors=("ff0000", "00ff00", "0000ff", "00ffff", "ff00ff", "ffff00"),
            shapes=("cube", "sphere", "cylinder", "monkey"),
            sizes=(1.0, 1.5, 2.0),
            materials=CLEVR_MATERIALS,
            low=-3.0,
            high=3.0,
            margin=0.0,
            apart=1.0,
            center=0.0,
            known_shapes=SOLIDS,
            known_materials=CLEVR_MATERIALS,
        ),
        World(
            name="clevrtex",
            about="solids with textures and relief on a textured ground",
            factors=("shape", "size", "material"),
            colors=(),
            shapes=SOLIDS,
            sizes=(1.0, 1.5, 2.0),
            materials=TEXTURES,
            low=-3.0,
            high=3.0,
            margin=0.0,
            apart=1.0,
            center=0.0,
            known_shapes=SOLIDS,
            known_materials=TEXTURES,
        ),
    )
}
