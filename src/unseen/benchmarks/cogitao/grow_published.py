"""A library as the published script makes it: `python -m unseen.benchmarks.cogitao.grow_published` rebuilds the file.

One object for each combination, up to 14 cells a side. `grow.py` says what the default library does otherwise; here are
the ways of the script, which decide how often an object of a task repeats, and how many look the same when mirrored:

- half of a symmetric object is grown by itself and mirrored; "point" mirrors a quarter twice;
- diagonal symmetry, and squares, take the shorter side of the box, so that there are many of them;
- an outline leaves out cells all of whose neighbors are taken, and what lies beyond the array counts as taken: solid
  boxes have none, and round ones are open where they touch their box;
- duplicates are found by their bytes without the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from unseen.benchmarks.cogitao.grow import (
    FOOTPRINTS,
    MAX_ROUNDS,
    NEIGHBORS,
    Cell,
    Offsets,
    fills_box,
    grow_once,
    keep_probability,
    mask_of,
)
from unseen.benchmarks.cogitao.objects import PUBLISHED_FILE, Library
from unseen.benchmarks.cogitao.patterns import COLOR_PATTERNS, ColorCells
from unseen.benchmarks.cogitao.properties import Mask, components, dilated
from unseen.core.errors import Unplaceable
from unseen.core.random import Stream, path_key

SIDES = range(1, 15)
PATTERNS = ("uniform", "top_bot", "left_right", "col_stripes", "row_stripes", "random")

Masks = Callable[[Stream], Mask]


def rounds() -> Iterator[int]:
    """Count rounds of growth, of which there cannot be as many by chance."""
    yield from range(MAX_ROUNDS)
    raise Unplaceable(f"an object did not fill its box in {MAX_ROUNDS} rounds of growth, which cannot be by chance")


@dataclass(frozen=True)
class Growth:
    """How cells are added: which ones can be reached from a cell, and how many of these are kept."""

    connectivity: str
    neighbors: Offsets
    probability: float
    rng: Stream

    def add(self, grown: list[Cell], box: tuple[int, int]) -> None:
        """Try every cell that can be reached."""
        grow_once(grown, box, neighbors=self.neighbors, probability=self.probability, rng=self.rng)

    def fill(self, box: tuple[int, int], start: Cell) -> Mask:
        """Grow from a cell until the box is filled."""
        grown = [start]
        for _ in rounds():
            if fills_box(mask := mask_of(grown, box)):
                break
            self.add(grown, box)
        return mask

    def connects(self, mask: Mask) -> bool:
        """Tell whether the mask is one part in the sense of the connectivity; `distance` asks for nothing."""
        if self.connectivity == "distance":
            return True
        return bool(components(mask, diagonal=self.connectivity == "8connected").max() == 1)


def mirrored_up(mask: Mask, rows: int) -> Mask:
    """Put the image of a lower half above it; of an odd number of rows, the middle one is shared."""
    return np.concatenate([mask[::-1][: rows - len(mask)], mask])


def none(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow a mask without a symmetry."""
    return growth.fill((rows, cols), (rows // 2, cols // 2))


def horizontal(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow the lower half of a mask, and put its image above it."""
    return mirrored_up(growth.fill(((rows + 1) // 2, cols), (0, cols // 2)), rows)


def vertical(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow the left half of a mask, and put its image to the right of it."""
    return np.rot90(horizontal(growth, cols, rows))


def point(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow a quarter of a mask, and mirror it to the other three."""
    half = horizontal(growth, rows, (cols + 1) // 2)
    return mirrored_up(half.T, cols).T


def diagonal(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow the lower triangle of a square and mirror it, until the square is filled and connected."""
    side = min(rows, cols)
    mask = np.zeros((side, side), np.bool_)
    for _ in rounds():
        mask[side // 2, side // 2] = True
        grown = [(int(row), int(col)) for row, col in np.argwhere(mask)]
        growth.add(grown, (side, side))
        lower = np.tril(mask_of(grown, (side, side)))
        mask = lower | lower.T
        if fills_box(mask) and growth.connects(mask):
            break
    return mask


def antidiagonal(growth: Growth, rows: int, cols: int) -> Mask:
    """Grow a mask that is its own image in the antidiagonal: a diagonal one, turned."""
    return np.rot90(diagonal(growth, rows, cols))


SYMMETRIES = (horizontal, vertical, diagonal, antidiagonal, point, none)


def grown_mask(connectivity: str, symmetry: Callable[[Growth, int, int], Mask], rows: int, cols: int) -> Masks:
    """Return a function that grows a mask of a symmetry."""

    def mask(rng: Stream) -> Mask:
        neighbors = rng.choice(NEIGHBORS[connectivity])
        return symmetry(Growth(connectivity, neighbors, keep_probability(rng), rng), rows, cols)

    return mask


def footprint_mask(name: str, rows: int, cols: int) -> Masks:
    """Return a footprint, or its outline."""
    if name == "square":
        rows = min(rows, cols)
    whole = FOOTPRINTS[name](rows, cols)

    def mask(rng: Stream) -> Mask:
        edge = open_outline(whole)
        return edge if rng.below(2) and edge.any() else whole

    return mask


def open_outline(mask: Mask) -> Mask:
    """Return the cells with a background cell at one of their four edges, inside the array.

    >>> bool(open_outline(np.ones((3, 3), np.bool_)).any())
    False
    """
    return mask & dilated(~mask, diagonal=False)


def combinations() -> Iterator[tuple[str, Masks]]:
    """Yield every color pattern with every way to make a mask, in the order of the script."""
    for pattern in PATTERNS:
        for footprint, rows, cols in product(FOOTPRINTS, SIDES, SIDES):
            yield pattern, footprint_mask(footprint, rows, cols)
        for connectivity, symmetry, rows, cols in product(NEIGHBORS, SYMMETRIES, SIDES, SIDES):
            yield pattern, grown_mask(connectivity, symmetry, rows, cols)


def library_stream(index: int) -> Stream:
    """Return the stream of the combination with this position in the loops."""
    return Stream(path_key(0, "cogitao", "published library"), index=index)


def grow_all() -> Iterator[ColorCells]:
    """Yield one object per combination, each from its own stream, without those whose bytes came before."""
    seen = set()
    for index, (pattern, mask) in enumerate(combinations()):
        rng = library_stream(index)
        cells = COLOR_PATTERNS[pattern](mask(rng), rng)
        if cells.tobytes() not in seen:
            seen.add(cells.tobytes())
            yield cells


def main() -> None:
    """Grow the library and write it beside this file."""
    library = Library.from_arrays(list(grow_all()))
    path = Path(__file__).with_name(PUBLISHED_FILE)
    library.save(path)
    print(f"{len(library)} objects, {path.stat().st_size / 1000:.0f} kB: {path}")


if __name__ == "__main__":
    main()
