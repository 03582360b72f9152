"""One description of a 3-D scene, in plain numbers, that every renderer reads.

Lengths are world units, z is up, and the floor lies at z = 0. Angles are degrees. Colors are linear light in 0 .. 1.
A body's `position` is the origin of its mesh, not its foot: most meshes reach down to -1, so size s stands at z = s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unseen.core.errors import SpecError

Vector = tuple[float, float, float]
Color = tuple[float, float, float]

GRAY: Color = (0.8, 0.8, 0.8)  # of a surface without a color of its own, as in Blender
BLACK: Color = (0.0, 0.0, 0.0)
WHITE: Color = (1.0, 1.0, 1.0)
MOST_BODIES = 239  # ids from 240 on are the parts of a room


@dataclass(frozen=True)
class Surface:
    """What something is made of; textured materials ignore the color."""

    material: str = "plain"
    color: Color = GRAY


@dataclass(frozen=True)
class Body:
    """One object: a unit mesh, scaled by `size`, turned about z, then moved."""

    shape: str
    position: Vector
    size: float = 1.0
    turn: float = 0.0
    material: str = "rubber"
    color: Color = GRAY

    def __post_init__(self) -> None:
        if not self.size > 0:
            raise SpecError(f"the size of a body must be above 0, got {self.size} (it scales a mesh of about [-1, 1])")

    @property
    def surface(self) -> Surface:
        """What the body is made of."""
        return Surface(self.material, self.color)


@dataclass(frozen=True)
class AreaLight:
    """A square lamp that faces `aim`; `power` is in Blender's watts, which give a radiance of power / (4 edge²)."""

    position: Vector
    power: float
    edge: float = 1.0
    aim: Vector = (0.0, 0.0, 0.0)
    color: Color = WHITE


@dataclass(frozen=True)
class Sun:
    """Light that shines along `direction` from a disk `angle` wide in the sky; `strength` is what faces it receives."""

    direction: Vector
    strength: float
    color: Color = WHITE
    angle: float = 0.0  # the wider, the softer are shadows


@dataclass(frozen=True)
class Camera:
    """A pinhole that looks at `target` with z up; `field_of_view` is the angle across the square image."""

    position: Vector
    target: Vector = (0.0, 0.0, 0.0)
    field_of_view: float = 49.134  # a lens of 35 mm before a sensor of 32 mm

    def __post_init__(self) -> None:
        if not 0 < self.field_of_view < 180:
            raise SpecError(f"the field of view must be between 0 and 180 degrees, got {self.field_of_view}")
        if self.position[:2] == self.target[:2]:
            raise SpecError("the camera looks straight up or down, where z is no direction of the image; move it aside")


@dataclass(frozen=True)
class Cyclorama:
    """A studio's back-drop: a floor that bends up into a wall at negative x.

    `back` is where the floor ends; from there the curve goes back by `bend` and up by `rise`, along an ellipse where
    `late` is 2; where it is larger, the curve stays low for longer. `height` is that of the wall. A texture repeats
    after `tile` units.
    """

    surface: Surface = Surface()
    back: float = -12.0
    bend: float = 6.0
    rise: float = 6.0
    late: float = 2.0
    height: float = 23.0
    tile: float = 6.0


@dataclass(frozen=True)
class Room:
    """A floor between four walls, at low x, high x, low y, high y in this order; open above."""

    low: tuple[float, float]
    high: tuple[float, float]
    height: float
    floor: Surface
    walls: tuple[Surface, Surface, Surface, Surface]
    tile: float = 2.0


@dataclass(frozen=True)
class Scene:
    """Everything that is in a picture; `sky` is the light that comes evenly from wherever nothing stands."""

    bodies: tuple[Body, ...]
    camera: Camera
    lights: tuple[AreaLight, ...] = ()
    sun: Sun | None = None
    stage: Cyclorama | Room = Cyclorama()
    sky: Color = BLACK
    view_transform: Literal["standard", "filmic"] = "standard"  # filmic: Blender's, with very high contrast

    def __post_init__(self) -> None:
        if len(self.bodies) > MOST_BODIES:
            raise SpecError(f"a scene holds at most {MOST_BODIES} bodies, got {len(self.bodies)}")
