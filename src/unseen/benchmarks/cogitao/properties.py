"""Properties of objects: what a task may ask of an object, and what a transformation needs of it.

An object is a 2-D array of colors 1..9 in its tight box, 0 where it has no cell. Names are those of the published
generator without its prefix `is_shape_`; definitions are the published ones too, where they surprise we say so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unseen.core.errors import unknown

Cells = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]
Measure = Callable[[Cells], int]
Predicate = Callable[[Cells], bool]

PUBLISHED_PREFIX = "is_shape_"


@dataclass(frozen=True)
class Property:
    """A named yes-or-no question about an object."""

    name: str
    description: str
    holds: Predicate


def properties_of(cells: Cells) -> frozenset[str]:
    """Return the names of all properties that an object has.

    >>> ring = np.array([[6, 6, 6], [6, 0, 6], [6, 6, 6]])
    >>> {"hollow", "symmetric", "evenly_colored", "of_three_rows"} <= properties_of(ring)
    True
    """
    return frozenset(name for name, asked in PROPERTIES.items() if asked.holds(cells))


def property_named(name: str) -> Property:
    """Return the property of a name, which may carry the published prefix.

    >>> property_named("is_shape_hollow").description
    'encloses background: at least one hole'
    """
    plain = name.removeprefix(PUBLISHED_PREFIX)
    if plain not in PROPERTIES:
        raise unknown("property", plain, PROPERTIES, where="cogitao")
    return PROPERTIES[plain]


# Connectivity: shared with the transformations and the scene checks


def dilated(mask: Mask, *, diagonal: bool) -> Mask:
    """Return the mask and its edge neighbors, and its corner neighbors where `diagonal`; nothing leaves the array.

    >>> dilated(np.eye(3, dtype=bool), diagonal=False).astype(int).tolist()
    [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    """
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    sideways = tall if diagonal else mask
    result = tall.copy()
    result[:, 1:] |= sideways[:, :-1]
    result[:, :-1] |= sideways[:, 1:]
    return result


def reached(start: Mask, within: Mask, *, diagonal: bool) -> Mask:
    """Return every cell of `within` that moves inside `within` can reach from `start`, which must lie in it.

    >>> corridor = np.array([[True, True, False, True]])
    >>> reached(np.array([[True, False, False, False]]), corridor, diagonal=True).astype(int).tolist()
    [[1, 1, 0, 0]]
    """
    while True:
        grown = dilated(start, diagonal=diagonal) & within
        if np.array_equal(grown, start):
            return grown
        start = grown


def holes(cells: Cells) -> Mask:
    """Return the background that no path of edge-to-edge background cells joins to the outside.

    Diagonal contact closes a ring, because background moves are not diagonal.

    >>> holes(np.array([[0, 2, 0], [2, 0, 2], [0, 2, 0]])).astype(int).tolist()
    [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    """
    background = np.pad(cells == 0, 1, constant_values=True)
    corner = np.zeros_like(background)
    corner[0, 0] = True
    enclosed: Mask = background & ~reached(corner, background, diagonal=False)
    return enclosed[1:-1, 1:-1]


def components(mask: Mask, *, diagonal: bool) -> Labels:
    """Label the connected parts 1, 2, ... in reading order of their first cell; 0 is outside the mask.

    >>> two_cells = np.array([[True, False], [False, True]])
    >>> components(two_cells, diagonal=False).tolist(), components(two_cells, diagonal=True).tolist()
    ([[1, 0], [0, 2]], [[1, 0], [0, 1]])
    """
    labels = np.zeros(mask.shape, np.int32)
    left = mask.copy()
    count = 0
    while left.any():
        count += 1
        first = np.zeros_like(left)
        first.flat[left.argmax()] = True
        part = reached(first, left, diagonal=diagonal)
        labels[part] = count
        left &= ~part
    return labels


# Measures: the numbers that the families of properties compare


def rows(cells: Cells) -> int:
    """Return the height of the box."""
    return len(cells)


def cols(cells: Cells) -> int:
    """Return the width of the box."""
    return int(cells.shape[1])


def cell_count(cells: Cells) -> int:
    """Count the cells."""
    return int(np.count_nonzero(cells))


def color_count(cells: Cells) -> int:
    """Count the distinct colors."""
    return len(set(cells.ravel().tolist()) - {0})


# Ways to make a predicate from measures and from other predicates


def less(measure: Measure, than: int) -> Predicate:
    """Make a predicate that holds where a measure is strictly below a bound."""
    return lambda cells: measure(cells) < than


def more(measure: Measure, than: int) -> Predicate:
    """Make a predicate that holds where a measure is strictly above a bound."""
    return lambda cells: measure(cells) > than


def exactly(measure: Measure, number: int) -> Predicate:
    """Make a predicate that holds where a measure is one number."""
    return lambda cells: measure(cells) == number


def either(*predicates: Predicate) -> Predicate:
    """Join predicates to one that holds where at least one of them holds."""
    return lambda cells: any(holds(cells) for holds in predicates)


def both(*predicates: Predicate) -> Predicate:
    """Join predicates to one that holds where all of them hold."""
    return lambda cells: all(holds(cells) for holds in predicates)


def no(predicate: Predicate) -> Predicate:
    """Make a predicate that holds where another does not."""
    return lambda cells: not predicate(cells)


# Predicates that need their own geometry


def vertically_symmetric(cells: Cells) -> bool:
    """Tell whether the mask equals its left-right flip."""
    return np.array_equal(cells != 0, cells[:, ::-1] != 0)


def horizontally_symmetric(cells: Cells) -> bool:
    """Tell whether the mask equals its top-bottom flip."""
    return np.array_equal(cells != 0, cells[::-1] != 0)


def point_symmetric(cells: Cells) -> bool:
    """Tell whether the mask equals its turn by 180 degrees."""
    return np.array_equal(cells != 0, cells[::-1, ::-1] != 0)


def diagonally_symmetric(cells: Cells) -> bool:
    """The colored array equals its transpose (published so: here, and not in the flips above, colors count)."""
    return np.array_equal(cells, cells.T)


def antidiagonally_symmetric(cells: Cells) -> bool:
    """Tell whether the colored array equals its transpose along the antidiagonal."""
    return diagonally_symmetric(cells[:, ::-1])


def hollow(cells: Cells) -> bool:
    """Tell whether there is a hole."""
    return bool(holes(cells).any())


def connected(*, diagonal: bool) -> Predicate:
    """Make a predicate that holds where the object is one part; `diagonal` lets corners join."""
    return lambda cells: int(components(cells != 0, diagonal=diagonal).max()) == 1


def diagonal_line(cells: Cells) -> bool:
    """Tell whether the cells are those of the main diagonal and no others."""
    return np.array_equal(cells != 0, np.eye(*cells.shape, dtype=bool))


def anti_diagonal_line(cells: Cells) -> bool:
    """Tell whether the cells are those of the antidiagonal and no others."""
    return diagonal_line(cells[:, ::-1])


def same_height_width(cells: Cells) -> bool:
    """Tell whether the box is square."""
    return rows(cells) == cols(cells)


def rectangular(cells: Cells) -> bool:
    """Tell whether the box has no empty cell."""
    return bool((cells != 0).all())


def cross(cells: Cells) -> bool:
    """Tell whether a box of at least 3x3 has one full row and one full column, and nothing else."""
    mask = cells != 0
    full_rows, full_cols = mask.all(axis=1), mask.all(axis=0)
    one_of_each = full_rows.sum() == 1 and full_cols.sum() == 1
    return min(cells.shape) >= 3 and bool(one_of_each) and np.array_equal(mask, full_rows[:, None] | full_cols)


def diamond(cells: Cells) -> bool:
    """Tell whether a square box with a middle row has rows of 1, 3, 5, ... and back to 1 cells without gaps.

    As published, rows are not tested to be centered.
    """
    height, width = cells.shape
    if height != width or height % 2 == 0:
        return False
    radius = height // 2
    row_numbers = np.arange(height)
    expected = 2 * (radius - abs(row_numbers - radius)) + 1
    mask = cells != 0
    first, last = mask.argmax(axis=1), width - 1 - mask[:, ::-1].argmax(axis=1)
    return np.array_equal(mask.sum(axis=1), expected) and np.array_equal(last - first + 1, expected)


# Predicates named because other rows build on them

evenly_colored = exactly(color_count, 1)
fully_connected = connected(diagonal=True)
mirror_symmetric = either(horizontally_symmetric, vertically_symmetric)
diagonal_symmetric = either(diagonally_symmetric, antidiagonally_symmetric)
symmetric = either(mirror_symmetric, diagonal_symmetric)
simple = both(symmetric, evenly_colored, more(cell_count, 2), fully_connected)
vertical_line = exactly(cols, 1)
horizontal_line = exactly(rows, 1)

SIDES = {"rows": rows, "cols": cols}
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}

# One row per property; families are rows made from a table of their parameter
_ROWS = (
    Property("vertically_symmetric", "mask equal to its left-right flip, of any colors", vertically_symmetric),
    Property("horizontally_symmetric", "mask equal to its top-bottom flip, of any colors", horizontally_symmetric),
    Property("horizontally_or_vertically_symmetric", "mask equal to at least one of its flips", mirror_symmetric),
    Property("diagonally_symmetric", "cells and colors equal to their transpose", diagonally_symmetric),
    Property("antidiagonally_symmetric", "same along the other diagonal", antidiagonally_symmetric),
    Property("diagonally_or_antidiagonally_symmetric", "symmetric along at least one diagonal", diagonal_symmetric),
    # As published, symmetric under a turn by 180 degrees alone does not count as symmetric
    Property("symmetric", "symmetric along an axis or a diagonal", symmetric),
    Property("not_symmetric", "symmetric along no axis and no diagonal", no(symmetric)),
    Property("point_symmetric", "mask equal to its turn by 180 degrees (not published)", point_symmetric),
    Property("evenly_colored", "one color", evenly_colored),
    Property("not_evenly_colored", "more than one color", no(evenly_colored)),
    Property("of_2_colors", "exactly two colors", exactly(color_count, 2)),
    Property("of_3_colors", "exactly three colors", exactly(color_count, 3)),
    Property("more_than_3_colors", "more than three colors", more(color_count, 3)),
    Property("hollow", "encloses background: at least one hole", hollow),
    Property("not_hollow", "without a hole", no(hollow)),
    Property("fully_connected", "one part, where corners join", fully_connected),
    Property("not_fully_connected", "several parts, even where corners join", no(fully_connected)),
    Property("four_connected", "one part, where only edges join (not published)", connected(diagonal=False)),
    Property("simple", "symmetric, one color, connected and more than two cells", simple),
    Property("not_simple", "lacks something of simple", no(simple)),
    Property("vertical_line", "one column wide", vertical_line),
    Property("horizontal_line", "one row high", horizontal_line),
    Property("line", "one row high or one column wide", either(vertical_line, horizontal_line)),
    Property("diagonal_line", "the cells of the main diagonal only", diagonal_line),
    Property("anti_diagonal_line", "the cells of the other diagonal only", anti_diagonal_line),
    Property("diagonal_or_antidiagonal_line", "one diagonal only", either(diagonal_line, anti_diagonal_line)),
    # The published names mislead: whether the box is filled is not tested; `rectangular` tests that
    Property("filled_square", "square box and one color", both(same_height_width, evenly_colored)),
    Property("filled_rectangle", "box that is not square, and one color", both(no(same_height_width), evenly_colored)),
    Property("higher_than_wide", "more rows than columns", lambda cells: rows(cells) > cols(cells)),
    Property("wider_than_high", "more columns than rows", lambda cells: rows(cells) < cols(cells)),
    Property("same_height_width", "square box", same_height_width),
    Property("not_same_height_width", "box that is not square", no(same_height_width)),
    *(
        Property(f"of_{word}_{side}", f"exactly {word} {side}", exactly(measure, number))
        for side, measure in SIDES.items()
        for word, number in NUMBERS.items()
    ),
    *(Property(f"more_than_{n}_cell", f"more than {n} cells", more(cell_count, n)) for n in (1, 2, 3, 4, 5, 6)),
    *(Property(f"less_than_{n}_cell", f"fewer than {n} cells", less(cell_count, n)) for n in (2, 3, 4, 5, 6)),
    *(
        Property(f"less_than_{n}_{side}", f"fewer than {n} {side}", less(measure, n))
        for side, measure in SIDES.items()
        for n in (2, 3, 4, 5, 6, 9, 11)
    ),
    *(Property(f"more_than_5_{side}", f"more than 5 {side}", more(measure, 5)) for side, measure in SIDES.items()),
    Property("small", "fewer than 9 rows and 9 columns", both(less(rows, 9), less(cols, 9))),
    Property("rectangular", "box without an empty cell", rectangular),
    Property("rectangular_not_square", "full box that is not square", both(rectangular, no(same_height_width))),
    Property("cross", "one full row and one full column, nothing else, at least 3x3", cross),
    Property("diamond", "rows of 1, 3, 5, ... and back to 1 cells, without gaps", diamond),
    Property("cross_or_rectangle", "cross or full box", either(cross, rectangular)),
    Property("cross_or_rectangle_or_diamond", "cross, full box or diamond", either(cross, rectangular, diamond)),
)

PROPERTIES: dict[str, Property] = {row.name: row for row in _ROWS}
