"""The 28 transformations of COGITAO, each with its name, precondition and plain meaning declared together.

An object is what is visible of it: a 2-D array of colors 1..9 (0 is background) in its tight box, and the place `at`
of the box's top-left cell. A transformation maps the box to another array and says how far its top-left cell moves;
cutting the result to its tight box is common to all. Families are declared once, over a table of their parameter.
The compiled twins are in `kernels.py`, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao.objects import checked_object
from unseen.benchmarks.cogitao.properties import PROPERTIES, holes
from unseen.core.errors import SpecError
from unseen.core.registry import Registry

Cells = npt.NDArray[np.uint8]
Place = tuple[int, int]
Meaning = Callable[[Cells], tuple[Cells, Place]]  # box -> (new box, how far its top-left cell moves)
Parametric = Callable[..., tuple[Cells, Place]]  # the same of a box and a family's parameter


@dataclass(frozen=True)
class Transformation:
    """A transformation: its name, what it does, which objects it is not for, and its plain meaning."""

    name: str
    description: str
    unless: tuple[str, ...]  # properties an object must not have
    meaning: Meaning

    def refuses(self, cells: Cells) -> str | None:
        """Return the first property of an object that rules this transformation out."""
        return next((name for name in self.unless if PROPERTIES[name].holds(cells)), None)


TRANSFORMATIONS: Registry[Transformation] = Registry("transformation", listing="unseen list cogitao --rules")


def transformation(*, unless: tuple[str, ...] = ()) -> Callable[[Meaning], Meaning]:
    """Declare a function as a transformation: its name and docstring become the transformation's."""

    def declare(meaning: Meaning) -> Meaning:
        TRANSFORMATIONS.add(
            meaning.__name__, Transformation(meaning.__name__, (meaning.__doc__ or "").strip(), unless, meaning)
        )
        return meaning

    return declare


class Member(NamedTuple):
    """A row of a family's table."""

    suffix: str  # of its name
    words: str  # that `{}` in the family's docstring stands for
    parameter: Any
    unless: tuple[str, ...] = ()


def family(*members: Member) -> Callable[[Parametric], Parametric]:
    """Declare one transformation per row of a table."""

    def declare(meaning: Parametric) -> Parametric:
        for suffix, words, parameter, unless in members:
            name = f"{meaning.__name__}_{suffix}"
            text = (meaning.__doc__ or "").strip().format(words)
            member = partial(meaning, parameter=parameter)
            TRANSFORMATIONS.add(name, Transformation(name, text, unless, member))
        return meaning

    return declare


def next_color(color: int) -> int:
    """Return the color after this one: 1 -> 2, ..., 9 -> 1."""
    return color % 9 + 1


def main_color(cells: Cells) -> int:
    """Return the most frequent color; the smallest of several wins."""
    return int(np.bincount(cells[cells > 0]).argmax())


# In the order of the published registry: a transformation's place is its number in task codes and kernels.


@family(
    Member("up", "up", (-1, 0)),
    Member("down", "down", (1, 0)),
    Member("right", "to the right", (0, 1)),
    Member("left", "to the left", (0, -1)),
)
def translate(cells: Cells, parameter: Place) -> tuple[Cells, Place]:
    """Move the object one cell {}."""
    return cells, parameter


@transformation()
def rot90(cells: Cells) -> tuple[Cells, Place]:
    """Turn the object a quarter counter-clockwise; the top-left of its box stays."""
    return np.rot90(cells), (0, 0)


ONE_COLORED_RING = ("not_hollow", "not_evenly_colored")


@family(
    Member("same_color", "the object's main color, which all of it takes", 0, ONE_COLORED_RING),
    Member("different_color", "the color after the object's main one", 1, ONE_COLORED_RING),
)
def fill_holes(cells: Cells, parameter: int) -> tuple[Cells, Place]:
    """Fill the holes of the object with {}."""
    inside = holes(cells)
    if not inside.any():
        return cells, (0, 0)
    main = main_color(cells)
    if parameter == 0:
        return np.where(inside | (cells > 0), main, 0).astype(np.uint8), (0, 0)
    return np.where(inside, next_color(main), cells).astype(np.uint8), (0, 0)


@family(Member("horizontal", "top and bottom", 0), Member("vertical", "left and right", 1))
def mirror(cells: Cells, parameter: int) -> tuple[Cells, Place]:
    """Flip the object in its box, which stays where it is: {} change places."""
    return np.flip(cells, parameter), (0, 0)


@family(
    Member("top_side", "upper", (0, True), ("less_than_4_rows",)),
    Member("bottom_side", "lower", (0, False), ("less_than_4_rows",)),
    Member("left_side", "left", (1, True), ("less_than_4_cols",)),
    Member("right_side", "right", (1, False), ("less_than_4_cols",)),
)
def crop(cells: Cells, parameter: tuple[int, bool]) -> tuple[Cells, Place]:
    """Cut the {} half of the box away, the smaller half where it is odd; what is left does not move."""
    axis, first = parameter
    length = cells.shape[axis]
    cut = length // 2
    kept = np.take(cells, range(cut, length) if first else range(length - cut), axis)
    return kept, (cut if first and axis == 0 else 0, cut if first and axis == 1 else 0)


@transformation(
    unless=("hollow", "not_fully_connected", "less_than_3_rows", "less_than_3_cols", "less_than_6_cell"),
)
def empty_inside_pixels(cells: Cells) -> tuple[Cells, Place]:
    """Erase every cell whose four edge neighbors belong to the object."""
    solid = np.pad(cells > 0, 1)
    inside = solid[:-2, 1:-1] & solid[2:, 1:-1] & solid[1:-1, :-2] & solid[1:-1, 2:]
    return np.where(inside, 0, cells).astype(np.uint8), (0, 0)


@family(
    Member("same_color", "its own color", 0),
    Member("different_color", "the color after the object's main one", 1),
)
def extend_contours(cells: Cells, parameter: int) -> tuple[Cells, Place]:
    """Grow every cell on the border of the box one cell outwards, in {}."""
    grown = np.pad(cells, 1)
    grown[0], grown[-1] = grown[1], grown[-2]
    grown[:, 0], grown[:, -1] = grown[:, 1], grown[:, -2]
    grown[[0, 0, -1, -1], [0, -1, 0, -1]] = 0
    if parameter:
        rim = grown > 0
        rim[1:-1, 1:-1] = False
        grown[rim] = next_color(main_color(cells))
    return grown, (-1, -1)


@transformation()
def change_shape_color(cells: Cells) -> tuple[Cells, Place]:
    """Give every cell the color after its own."""
    return np.where(cells > 0, cells % 9 + 1, 0).astype(np.uint8), (0, 0)


PADS = (
    Member("top", "color 8 along the top", (8, (-1, 0))),
    Member("bottom", "color 9 along the bottom", (9, (1, 0))),
    Member("left", "color 7 along the left", (7, (0, -1))),
    Member("right", "color 6 along the right", (6, (0, 1))),
)


@family(*PADS)
def pad(cells: Cells, parameter: tuple[int, Place]) -> tuple[Cells, Place]:
    """Lay a full line of {} side of the box, outside it; the object itself does not move."""
    color, (down, right) = parameter
    before, after = (max(-down, 0), max(-right, 0)), (max(down, 0), max(right, 0))
    padded = np.pad(cells, ((before[0], after[0]), (before[1], after[1])), constant_values=color)
    return padded, (-before[0], -before[1])


@transformation()
def pad_shape(cells: Cells) -> tuple[Cells, Place]:
    """Frame the box: a line of color 8 above, 9 below, then 7 to the left and 6 to the right, corners included."""
    for side in PADS:
        cells, _ = pad(cells, side.parameter)
    return cells, (-1, -1)


@family(
    Member("right", "to its right", (0, 1)),
    Member("down", "below it", (1, 0)),
    Member("up", "above it", (-1, 0)),
    Member("left", "to its left", (0, -1)),
)
def double(cells: Cells, parameter: Place) -> tuple[Cells, Place]:
    """Put a copy of the box {}, without a gap; the object itself stays."""
    height, width = cells.shape
    down, right = parameter
    return np.tile(cells, (1 + abs(down), 1 + abs(right))), (min(down, 0) * height, min(right, 0) * width)


@transformation()
def quadruple_shape(cells: Cells) -> tuple[Cells, Place]:
    """Put copies of the box above it, to its left, and above to the left, without gaps; the object itself stays."""
    height, width = cells.shape
    return np.tile(cells, (2, 2)), (-height, -width)


@transformation(unless=("less_than_4_rows", "less_than_4_cols"))
def crop_contours(cells: Cells) -> tuple[Cells, Place]:
    """Cut the outer rows and columns of the box away; what is left does not move."""
    return cells[1:-1, 1:-1], (1, 1)


PUBLISHED = tuple(TRANSFORMATIONS)  # what is registered later joins no list that was published, nor the kernels


def describe() -> list[dict[str, str]]:
    """Return the transformations as rows for people."""
    return [
        {"rule": rule.name, "what it does": rule.description, "not for objects that are": ", ".join(rule.unless)}
        for rule in TRANSFORMATIONS.values()
    ]


def tight(cells: Cells, at: Place) -> tuple[Cells, Place] | None:
    """Cut an array to the box of its visible cells, or None where nothing is visible."""
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not len(rows):
        return None
    top, left = int(rows[0]), int(columns[0])
    return cells[top : rows[-1] + 1, left : columns[-1] + 1], (at[0] + top, at[1] + left)


def steps(names: Sequence[str], cells: Cells, at: Place = (0, 0)) -> list[tuple[Cells, Place]] | None:
    """Return the object before and after each transformation, or None where one leaves nothing of it."""
    frames = [(cells, at)]
    for name in names:
        box, (down, right) = TRANSFORMATIONS[name].meaning(frames[-1][0])
        frame = tight(box, (frames[-1][1][0] + down, frames[-1][1][1] + right))
        if frame is None:
            return None
        frames.append(frame)
    return frames


def refusal(names: Sequence[str], frames: Sequence[tuple[Cells, Place]]) -> str | None:
    """Say why a sequence is not for an object, given its `steps`; None if it is.

    A precondition has to hold at the start, as published, or when the transformation's turn comes: this way every
    ordered pair has objects (filling before emptying, emptying before filling).
    """
    for name, (cells, _) in zip(names, frames, strict=False):
        rule = TRANSFORMATIONS[name]
        reason = rule.refuses(cells)
        if reason and rule.refuses(frames[0][0]):
            return f"{name} is not for an object that is {reason}"
    return None


def apply(
    names: Sequence[str] | str, cells: npt.ArrayLike, at: Place = (0, 0), *, check: bool = False
) -> tuple[npt.NDArray[np.uint8], Place]:
    """Apply transformations in order to one object: its cells in their tight box, and the place of the box.

    With `check`, an object that a transformation is not for is an error.

    >>> apply(["rot90", "translate_up"], [[1, 2, 3]], at=(5, 5))
    (array([[3],
           [2],
           [1]], dtype=uint8), (4, 5))
    """
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        TRANSFORMATIONS[name]  # an unknown name is an error before anything is done
    frames = steps(names, checked_object(cells, name="an object"), (int(at[0]), int(at[1])))
    if frames is None:
        raise SpecError(f"{' -> '.join(names)} leaves nothing of this object")
    if check and (reason := refusal(names, frames)):
        raise SpecError(reason)
    result, place = frames[-1]
    return result.copy(), place
