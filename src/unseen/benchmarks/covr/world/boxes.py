"""A scene graph as a picture, in place of an image that is missing: boxes with their names, and lines for relations.

Boxes are where the graph has them; things without boxes, as imSitu's, stand in rows. Every label has a place of its own
as far as there is room, so that all of it can be read.
"""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from unseen.benchmarks.covr.world.scene import Scene
from unseen.render import figure
from unseen.render.palette import Image

Box = tuple[float, float, float, float]  # left, top, right, bottom

COLORS: tuple[figure.Color, ...] = (  # of boxes and their labels in turn; all dark enough to be read on white
    *((190, 30, 45), (0, 95, 160), (20, 120, 60), (150, 80, 0), (110, 50, 140), (0, 120, 125), (160, 30, 110)),
    (80, 80, 80),
)
LETTERS = 10, 14  # height of letters in pixels, least and most


def drawn(scene: Scene, size: int) -> Image:
    """Return the picture of a scene graph, `size` pixels a side."""
    canvas = Pillow.new("RGB", (size, size), figure.PAPER)
    pen = ImageDraw.Draw(canvas)
    face = figure.font(min(max(LETTERS[0], size // 22), LETTERS[1]))
    places = places_of(scene, size)
    taken: list[Box] = []
    for k, thing in enumerate(scene.things.values()):
        pen.rectangle(places[thing.id], outline=COLORS[k % len(COLORS)], width=1)
    for thing in scene.things.values():
        for relation in thing.relations:
            for name, target in ((relation.name, relation.target), *relation.modifiers):
                one, other = _middle(places[thing.id]), _middle(places[target])
                pen.line((*one, *other), fill=figure.FRAME)
                _dot(pen, other)
                middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
                _label(pen, name.rpartition(":_")[2], middle, figure.QUIET, face, size, taken)
    for k, thing in enumerate(scene.things.values()):
        _label(pen, thing.words, places[thing.id][:2], COLORS[k % len(COLORS)], face, size, taken)
    return np.array(canvas)


def places_of(scene: Scene, size: int) -> dict[str, Box]:
    """Tell where each thing is in the picture."""
    boxes = [thing.box for thing in scene.things.values() if thing.box]
    wide = scene.width or max((left + width for left, _, width, _ in boxes), default=1)
    high = scene.height or max((top + height for _, top, _, height in boxes), default=1)
    scale = (size - 1) / max(wide, high, 1)
    places: dict[str, Box] = {}
    bare = [thing.id for thing in scene.things.values() if not thing.box]
    side = ceil(sqrt(len(bare)))
    cell = size / max(1, side)
    for thing in scene.things.values():
        if thing.box:
            left, top, width, height = (scale * one for one in thing.box)
            places[thing.id] = left, top, left + width, top + height
        else:
            row, column = divmod(bare.index(thing.id), side)
            left, top = cell * (column + 0.12), cell * (row + 0.12 + 0.18 * (column % 2))
            places[thing.id] = left, top, left + 0.76 * cell, top + 0.5 * cell
    return places


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _dot(pen: ImageDraw.ImageDraw, at: tuple[float, float]) -> None:
    """Mark the end of a line that a relation leads to."""
    pen.ellipse((at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2), fill=figure.FRAME)


def _label(
    pen: ImageDraw.ImageDraw,
    words: str,
    at: tuple[float, float],
    color: figure.Color,
    face: object,
    size: int,
    taken: list[Box],
) -> None:
    """Write words on white near a place, below or above what is written already."""
    width, height = pen.textlength(words, font=face) + 2, sum(face.getmetrics())  # type: ignore[attr-defined,arg-type]
    left = min(max(0.0, at[0] + 1), max(0.0, size - width))
    for step in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6):
        top = at[1] + 1 + step * height
        box = left, top, left + width, top + height
        if 0 <= top <= size - height and not any(_overlap(box, other) for other in taken):
            break
    else:
        top = min(max(0.0, at[1]), size - height)
        box = left, top, left + width, top + height
    taken.append(box)
    pen.rectangle(box, fill=figure.PAPER)
    pen.text((left + 1, box[1]), words, fill=color, font=face)  # type: ignore[arg-type]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
