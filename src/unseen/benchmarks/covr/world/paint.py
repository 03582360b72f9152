"""Scene -> flat drawing: two strips of ground with everything that stands on them, back to front."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr import kernels
from unseen.benchmarks.covr.world.backdrops import FAR
from unseen.benchmarks.covr.world.flat import SIDE, grounds
from unseen.benchmarks.covr.world.icons import EFFECTS, FIXED, FORMS, ICONS, PEOPLE, REACHED, Shape
from unseen.benchmarks.covr.world.identity import hashed, is_mirrored
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing
from unseen.core.errors import SpecError

Image = npt.NDArray[np.uint8]  # (size, size, 3)

FINE = 3  # drawn this many times larger and shrunk, for smooth edges

COLORS = {
    "red": 0xD93A32,
    "orange": 0xF28C28,
    "yellow": 0xF4D03F,
    "green": 0x3FA34D,
    "blue": 0x2F6FD0,
    "purple": 0x8E44AD,
    "pink": 0xF29BC1,
    "white": 0xFAFAFA,
    "black": 0x2B2B2B,
    "gray": 0x9AA0A6,
    "brown": 0x8B5A2B,
}
BACKGROUNDS = {  # place -> behind the things, and below them; each scene has one of these
    "kitchen": ((0xFBF1D9, 0xD9C7A8), (0xE3F0EA, 0xC9B79C), (0xF6E3DC, 0xB9A28C), (0xE6ECF5, 0xCFC3B0)),
    "room": ((0xE9E3F0, 0xC9B08E), (0xF3EBDD, 0xA98A6B), (0xDDE8E4, 0xB9A183), (0xF2DFDF, 0xC4A58A)),
    "park": ((0xDCEFFB, 0xA9D18E), (0xE8F3E4, 0x9CC77F), (0xF6EDD8, 0xB7CB86), (0xD5E6F2, 0x8FBF8A)),
    "street": ((0xE7EDF2, 0xA7ADB5), (0xF2E9E1, 0xB3ABA4), (0xDDE6EA, 0x98A2AC), (0xEFE6EE, 0xADA5B0)),
    "farm": ((0xEAF4FB, 0xCDB98A), (0xF7F0DC, 0xC6AE78), (0xE3F1EC, 0xBFB27E), (0xF4E6DA, 0xD0B38C)),
}
LIGHTS = ((0xFFFFFF, 0), (0xFFC98A, 16), (0x9FB8E8, 16), (0xE8A0B8, 14))  # mixed into the background, in percent
GROUND = 12  # pixels of a scene that the ground reaches above the things' feet
PATTERNS = ("", "striped", "checkered", "dotted")
MATERIALS = (
    "",
    *("wood", "metal", "wicker", "stone", "plastic", "glass", "cardboard", "leather", "paper", "clay"),
    "porcelain",
)


class Icon(NamedTuple):
    """A thing's shapes as arrays: corners in shares of its box, and the role of each shape's color."""

    points: npt.NDArray[np.float64]  # (corners, 2)
    lengths: tuple[int, ...]
    roles: tuple[str, ...]


def painted(scene: Scene, size: int) -> Image:
    """Return a generated scene as a picture of `size` pixels a side. No randomness: same scene, same bytes."""
    if size < 1:
        raise SpecError(f"size is an image's side in pixels, so it cannot be {size}")
    sheet = _Sheet()
    sheet.backdrop(scene)
    mirrored = is_mirrored(scene.id)
    if mirrored:
        scene = _turned(scene)
    for thing in scene.things.values():
        sheet.thing(thing)
    for thing in scene.things.values():
        for relation in thing.relations:
            sheet.deed(relation, thing, scene)
    canvas = np.empty((size * FINE, size * FINE, 3), np.uint8)
    kernels.paint(*sheet.arrays(size * FINE / SIDE), size * FINE / SIDE, canvas)
    image = _shrunk(canvas)
    return np.ascontiguousarray(image[:, ::-1]) if mirrored else image


def swatch(name: str, size: int = 22) -> Image:
    """Return a small piece of a material or pattern in gray, as a drawing shows it."""
    attributes = ("gray", name)
    sheet = _Sheet()
    sheet.rectangle(0, 0, size, size, COLORS["gray"])
    sheet.styles[-1] = _style("main", attributes, 0, 0)
    canvas = np.empty((size * FINE, size * FINE, 3), np.uint8)
    kernels.paint(*sheet.arrays(FINE), float(FINE), canvas)
    return _shrunk(canvas)


def _turned(scene: Scene) -> Scene:
    """A scene with left and right exchanged."""
    boxes = {key: _box(thing) for key, thing in scene.things.items()}
    turned = {key: (SIDE - left - width, top, width, height) for key, (left, top, width, height) in boxes.items()}
    return replace(scene, things={key: thing._replace(box=turned[key]) for key, thing in scene.things.items()})


def _shrunk(canvas: Image) -> Image:
    """The mean of every FINE by FINE pixels."""
    image = np.empty((len(canvas) // FINE, canvas.shape[1] // FINE, 3), np.uint8)
    kernels.shrink(canvas, FINE, image)
    return image


class _Sheet:
    """Polygons in the scene's pixels, back to front, and how each is filled."""

    def __init__(self) -> None:
        self.points: list[npt.NDArray[np.float64]] = []
        self.lengths: list[int] = []
        self.styles: list[tuple[int, ...]] = []  # fill, second color, pattern, material, left, top, lined

    def backdrop(self, scene: Scene) -> None:
        """Add what is behind and below the things: the colors of the place in some light, and shapes far away."""
        kinds = BACKGROUNDS[scene.location]
        tint, percent = LIGHTS[hashed(scene.id, seed=2) % len(LIGHTS)]
        above, below = (_mixed(color, tint, percent) for color in kinds[hashed(scene.id, seed=3) % len(kinds)])
        feet = grounds(scene.id)
        for strip, (top, foot) in enumerate(zip((0, feet[0]), feet, strict=True)):
            self.rectangle(0, top, SIDE, foot, above)
            draw = hashed(f"{scene.id} {strip}", seed=4)
            for shape in FAR[scene.location][draw % len(FAR[scene.location])](draw // 64, foot - top):
                faint = _mixed(above, below, 30) if shape.role == "shade" else _mixed(above, 0xFFFFFF, 55)
                self.polygon(np.array(shape.points, np.float64) + np.array((0, top)), faint)
            self.rectangle(0, foot - GROUND, SIDE, foot + 4, below)

    def polygon(self, points: npt.NDArray[np.float64], color: int) -> None:
        """Add a plain polygon without a line around it."""
        self.points.append(points)
        self.lengths.append(len(points))
        self.styles.append((color, color, 0, 0, 0, 0, 0))

    def rectangle(self, left: float, top: float, right: float, bottom: float, color: int) -> None:
        """Add a plain rectangle without a line around it."""
        self.polygon(np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64), color)

    def thing(self, thing: Thing) -> None:
        """Add the shapes of a thing, in its box."""
        left, top, width, height = _box(thing)
        icon = _icon(thing.name, thing.attributes)
        self.points.append(icon.points * (width, height) + np.array((left, top)))
        self.lengths += icon.lengths
        self.styles += [_style(role, thing.attributes, left, top) for role in icon.roles]

    def deed(self, relation: Relation, someone: Thing, scene: Scene) -> None:
        """Add what shows that someone acts on a thing: a sign at it, or where it is put; or a line to it."""
        for modifier in relation.modifiers:
            at = modifier.target if modifier.name == "putting:_into" else relation.target
            left, top, width, _ = _box(scene.things[at])
            self.signs(EFFECTS[relation.name], left + width / 2, top)
        if relation.name in REACHED:
            across, down = REACHED[relation.name]
            left, top, width, height = _box(someone)
            hand = left + 0.92 * width, top + 0.58 * height
            left, top, width, height = _box(scene.things[relation.target])
            self.line(*hand, left + across * width, top + down * height)

    def signs(self, shapes: tuple[Shape, ...], x: float, y: float) -> None:
        """Add shapes of fixed colors around a place."""
        for shape in shapes:
            self.points.append(np.array(shape.points) + np.array((x, y)))
            self.lengths.append(len(shape.points))
            self.styles.append(_style(shape.role, (), 0, 0))

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Add a thin line."""
        self.points.append(np.array([(x, y - 1), (x, y + 1), (to_x, to_y + 1), (to_x, to_y - 1)]))
        self.lengths.append(4)
        self.styles.append(_style("ink", (), 0, 0))

    def arrays(self, scale: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Corners on the canvas, where each polygon begins, and the styles."""
        starts = np.cumsum([0, *self.lengths])
        return np.concatenate(self.points) * scale, starts, np.array(self.styles, np.int64)


def _box(thing: Thing) -> tuple[int, int, int, int]:
    assert thing.box is not None, "generated things have boxes"
    return thing.box


@lru_cache(maxsize=1024)
def _icon(name: str, attributes: tuple[str, ...]) -> Icon:
    shapes = PEOPLE[name]["sitting" if "sitting" in attributes else "standing"] if name in PEOPLE else ICONS[name]
    outline = next((value for value in attributes if value in FORMS), "square")
    corners = [shape.points or FORMS[outline](*shape.box) for shape in shapes]
    flat = np.array([point for points in corners for point in points], np.float64) / 100
    return Icon(flat, tuple(map(len, corners)), tuple(shape.role for shape in shapes))


@lru_cache(maxsize=4096)
def _style(role: str, attributes: tuple[str, ...], left: int, top: int) -> tuple[int, ...]:
    """How a shape is filled; pattern and material lie over the main color only."""
    if role in FIXED:
        return (FIXED[role], 0, 0, 0, left, top, 1)
    main = next((COLORS[value] for value in attributes if value in COLORS), COLORS["gray"])
    if role != "main":
        return (_mixed(main, 0x000000, 30) if role == "dark" else _mixed(main, 0xFFFFFF, 45), 0, 0, 0, left, top, 1)
    pattern = next((PATTERNS.index(value) for value in attributes if value in PATTERNS), 0)
    material = next((MATERIALS.index(value) for value in attributes if value in MATERIALS), 0)
    light = sum(main.to_bytes(3, "big")) > 500
    return (main, _mixed(main, 0x2B2B2B if light else 0xFFFFFF, 70), pattern, material, left, top, 1)


def _mixed(color: int, other: int, percent: int) -> int:
    """Mix some percent of another color into a color."""
    pairs = zip(color.to_bytes(3, "big"), other.to_bytes(3, "big"), strict=True)
    return int.from_bytes(bytes((one * (100 - percent) + two * percent) // 100 for one, two in pairs), "big")
