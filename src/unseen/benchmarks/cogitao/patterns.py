"""Color patterns: how a mask becomes an object of colors 1..9.

Adding one is a function with the decorator; its name is the pattern's name, its docstring the description:

    @color_pattern
    def frame(mask: Mask, rng: Stream) -> ColorCells: ...
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from unseen.benchmarks.cogitao.properties import Mask
from unseen.core.errors import SpecError
from unseen.core.random import Stream

ColorCells = NDArray[np.uint8]
ColorPattern = Callable[[Mask, Stream], ColorCells]

N_COLORS = 9

COLOR_PATTERNS: dict[str, ColorPattern] = {}


def color_pattern(function: ColorPattern) -> ColorPattern:
    """Add a color pattern under the name of its function."""
    if function.__name__ in COLOR_PATTERNS:
        raise SpecError(f"there is a color pattern named {function.__name__!r} already; choose another name")
    COLOR_PATTERNS[function.__name__] = function
    return function


def random_color(rng: Stream) -> int:
    """Give a color, uniformly; drawn with replacement, so that a pattern of two colors may show one (as published)."""
    return rng.between(1, N_COLORS)


def two_colored(mask: Mask, second: Mask, rng: Stream) -> ColorCells:
    """Return the mask in one random color, and in another where `second` is true."""
    first_color, second_color = random_color(rng), random_color(rng)
    return np.where(mask, np.where(second, second_color, first_color), 0).astype(np.uint8)


def row_numbers(mask: Mask) -> NDArray[np.int64]:
    """0, 1, 2, ... downwards, as a column that broadcasts over the mask."""
    return np.arange(mask.shape[0])[:, None]


def col_numbers(mask: Mask) -> NDArray[np.int64]:
    """0, 1, 2, ... to the right."""
    return np.arange(mask.shape[1])


def split_at(length: int, rng: Stream) -> int:
    """Return the middle of a length; an odd line in the middle goes to either side."""
    return (length + rng.below(2)) // 2


@color_pattern
def uniform(mask: Mask, rng: Stream) -> ColorCells:
    """One color."""
    return (mask * random_color(rng)).astype(np.uint8)


@color_pattern
def top_bot(mask: Mask, rng: Stream) -> ColorCells:
    """One color for the top half, one for the bottom half."""
    return two_colored(mask, row_numbers(mask) >= split_at(mask.shape[0], rng), rng)


@color_pattern
def left_right(mask: Mask, rng: Stream) -> ColorCells:
    """One color for the left half, one for the right half."""
    return two_colored(mask, col_numbers(mask) >= split_at(mask.shape[1], rng), rng)


@color_pattern
def col_stripes(mask: Mask, rng: Stream) -> ColorCells:
    """Columns that alternate between two colors."""
    return two_colored(mask, col_numbers(mask) % 2 == 1, rng)


@color_pattern
def row_stripes(mask: Mask, rng: Stream) -> ColorCells:
    """Rows that alternate between two colors."""
    return two_colored(mask, row_numbers(mask) % 2 == 1, rng)


@color_pattern
def diagonal_stripes(mask: Mask, rng: Stream) -> ColorCells:
    """Diagonals of either direction, two cells wide, that alternate between two colors.

    The paper lists this pattern, the published script does not use it. Stripes are two cells wide because those of one
    cell are a checkerboard, which has no direction.
    """
    rows, cols = row_numbers(mask), col_numbers(mask)
    across = rows + cols if rng.below(2) else rows + cols[::-1]
    return two_colored(mask, across // 2 % 2 == 1, rng)


@color_pattern
def random(mask: Mask, rng: Stream) -> ColorCells:
    """Every cell on its own from a palette of one to nine draws."""
    palette = [random_color(rng) for _ in range(rng.between(1, N_COLORS))]
    cells = np.zeros(mask.shape, np.uint8)
    for cell in zip(*np.nonzero(mask), strict=True):
        cells[cell] = rng.choice(palette)
    return cells
