"""The published kind of objects, grown from code: `python -m unseen.benchmarks.cogitao.grow` rebuilds library.npz.

As in the paper (appendix C.1) there is an object per combination of parameters, in two loops: objects from predefined
footprints, and objects grown from one cell. Each is a pure function of its combination and a stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unseen.benchmarks.cogitao.objects import LIBRARY_FILE, Library
from unseen.benchmarks.cogitao.patterns import COLOR_PATTERNS, ColorCells
from unseen.benchmarks.cogitao.properties import Mask, components, dilated
from unseen.core.errors import Unplaceable, unknown
from unseen.core.random import Stream, path_key

SIDES = range(1, 16)  # the paper's 15; the published script stops at 14
PATTERNS = tuple(COLOR_PATTERNS)  # those of the default library: patterns registered later do not change it

# Objects per combination: one, but
# - more for boxes under 6x6, which the default tasks use: one each would leave too few distinct objects with a hole and
#   one color, as `fill_holes_*` needs; uniform ones get the most;
# - every second combination for large boxes, so that the library stays near the 23,000 objects of the paper.
SMALL_SIDE = 5
SMALL_COPIES = 2
SMALL_UNIFORM_COPIES = 6
LARGE_SIDE = 10

MAX_ROUNDS = 2000
MAX_DRAWS = 100


# Footprints


def rectangle(rows: int, cols: int) -> Mask:
    """Return a full box."""
    return np.ones((rows, cols), np.bool_)


def square(rows: int, cols: int) -> Mask:
    """Return a full box of `rows` by `rows`."""
    return rectangle(rows, rows)


def ellipse(rows: int, cols: int) -> Mask:
    """Give the cells strictly inside an ellipse whose half-axes reach one cell beyond the box (as in scikit-image)."""
    down, right = (rows - 1) // 2, (cols - 1) // 2
    row, col = _centered(down, right)
    a, b = down + 1, right + 1
    return row**2 * b**2 + col**2 * a**2 < a**2 * b**2


def diamond(rows: int, cols: int) -> Mask:
    """Return the cells within `rows // 2` edge-to-edge steps of the center."""
    radius = rows // 2
    row, col = _centered(radius, radius)
    return abs(row) + abs(col) <= radius


def disk(rows: int, cols: int) -> Mask:
    """Return the cells within a distance of `rows // 2` from the center."""
    radius = rows // 2
    row, col = _centered(radius, radius)
    return row**2 + col**2 <= radius**2


def _centered(down: int, right: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column numbers of a box around its middle cell, to broadcast against each other."""
    return np.arange(-down, down + 1)[:, None], np.arange(-right, right + 1)


def outline(mask: Mask) -> Mask:
    """Return the cells with a background cell, or the end of the box, at one of their four edges.

    >>> outline(rectangle(3, 3)).astype(int).tolist()
    [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    """
    around = np.pad(~mask, 1, constant_values=True)
    return mask & dilated(around, diagonal=False)[1:-1, 1:-1]


FOOTPRINTS: dict[str, Callable[[int, int], Mask]] = {
    footprint.__name__: footprint for footprint in (rectangle, square, ellipse, diamond, disk)
}


# Growth

Cell = tuple[int, int]
Offsets = tuple[Cell, ...]


def within_distance(squared: int) -> Offsets:
    """Return the offsets of all cells around a cell up to a squared distance."""
    reach = range(-3, 4)
    return tuple((i, j) for i, j in product(reach, reach) if 0 < i * i + j * j <= squared)


NEIGHBORS: dict[str, tuple[Offsets, ...]] = {  # one of the alternatives is drawn per object
    "4connected": (within_distance(1),),
    "8connected": (within_distance(2),),
    "distance": (within_distance(4), within_distance(9)),  # disks of radius 2 and 3: may leave unconnected parts
}


@dataclass(frozen=True)
class Symmetry:
    """A mask is symmetric when one `half` of it is the `image` of the other."""

    half: Callable[[int, int], Mask]
    image: Callable[[Mask], Mask]
    square: bool = False


def top_half(rows: int, cols: int) -> Mask:
    """Return the upper rows of a box, with the middle one."""
    half = np.zeros((rows, cols), np.bool_)
    half[: (rows + 1) // 2] = True
    return half


def left_half(rows: int, cols: int) -> Mask:
    """Return the left columns of a box, with the middle one."""
    return top_half(cols, rows).T


def lower_triangle(rows: int, cols: int) -> Mask:
    """Return the cells on and below the main diagonal."""
    return np.tri(rows, cols, dtype=np.bool_)


def left_triangle(rows: int, cols: int) -> Mask:
    """Return the cells on and above the antidiagonal."""
    return lower_triangle(rows, cols)[::-1]


SYMMETRIES: dict[str, Symmetry] = {
    "horizontal": Symmetry(top_half, lambda mask: mask[::-1]),
    "vertical": Symmetry(left_half, lambda mask: mask[:, ::-1]),
    "diagonal": Symmetry(lower_triangle, lambda mask: mask.T, square=True),
    "antidiagonal": Symmetry(left_triangle, lambda mask: mask[::-1, ::-1].T, square=True),
    # Equal to its turn by 180 degrees. The published "point" mirrors a quarter twice, which makes a special case of
    # this: symmetric on both axes as well.
    "point": Symmetry(top_half, lambda mask: mask[::-1, ::-1]),
    "none": Symmetry(rectangle, lambda mask: mask),
}


def keep_probability(rng: Stream) -> float:
    """Return the share of reached cells that an object keeps: 0.2 + 0.2 |z| with z standard normal, as published.

    z is the sum of twelve uniforms minus six: additions round alike on every machine, logarithms and cosines do not.
    Values above 1 are drawn again.
    """
    for _ in range(MAX_DRAWS):
        z = -6.0
        for _ in range(12):  # not sum(), which rounds differently since Python 3.12
            z += rng.uniform()
        probability = 0.2 + 0.2 * abs(z)
        if probability <= 1.0:
            return probability
    raise Unplaceable(f"no probability up to 1 in {MAX_DRAWS} draws of 0.2 + 0.2 |z|, which cannot be by chance")


def grow_once(grown: list[Cell], box: tuple[int, int], *, neighbors: Offsets, probability: float, rng: Stream) -> None:
    """Try every cell of the box that can be reached once, and add it to the grown ones with a probability."""
    tried = set(grown)
    frontier = list(grown)
    while frontier:
        row, col = frontier.pop()
        for down, right in neighbors:
            cell = (row + down, col + right)
            if cell in tried or not (0 <= cell[0] < box[0] and 0 <= cell[1] < box[1]):
                continue
            tried.add(cell)
            if rng.uniform() < probability:
                grown.append(cell)
                frontier.append(cell)


def mask_of(cells: list[Cell], box: tuple[int, int]) -> Mask:
    """Return the mask of a list of cells."""
    mask = np.zeros(box, np.bool_)
    mask[tuple(zip(*cells, strict=True))] = True
    return mask


def fills_box(mask: Mask) -> bool:
    """Tell whether the mask touches all four sides of its array."""
    return all(bool(side.any()) for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


# Combinations


@dataclass(frozen=True)
class FromFootprint:
    """A predefined footprint in a color pattern; half of them are outlines only."""

    pattern: str
    footprint: str
    rows: int
    cols: int

    def mask(self, rng: Stream) -> Mask:
        """The footprint, or its outline. As published, some footprints ignore `cols` or come out a little smaller."""
        mask = FOOTPRINTS[self.footprint](self.rows, self.cols)
        return outline(mask) if rng.below(2) else mask


@dataclass(frozen=True)
class FromGrowth:
    """A mask grown from the center of a box, of a connectivity and a symmetry, in a color pattern."""

    pattern: str
    connectivity: str
    symmetry: str
    rows: int
    cols: int

    def mask(self, rng: Stream) -> Mask:
        """Grow round after round until the symmetric mask fills its box and is as connected as asked."""
        symmetry = SYMMETRIES[self.symmetry]
        # A diagonal symmetry needs a square box: `rows` is its side, and `cols` counts variants, as published
        box = (self.rows, self.rows if symmetry.square else self.cols)
        half = symmetry.half(*box)
        grown = [((box[0] - 1) // 2, (box[1] - 1) // 2)]  # the center, and in the half that counts
        neighbors = rng.choice(NEIGHBORS[self.connectivity])
        probability = keep_probability(rng)
        for _ in range(MAX_ROUNDS):
            drawn = half & mask_of(grown, box)
            mask = drawn | symmetry.image(drawn)
            if fills_box(mask) and self.is_connected(mask):
                return mask
            grow_once(grown, box, neighbors=neighbors, probability=probability, rng=rng)
        raise Unplaceable(f"{self} did not fill its box in {MAX_ROUNDS} rounds of growth, which cannot be by chance")

    def is_connected(self, mask: Mask) -> bool:
        """Tell whether the mask is one part in the sense of this connectivity; `distance` asks for nothing."""
        if self.connectivity == "distance":
            return True
        return bool(components(mask, diagonal=self.connectivity == "8connected").max() == 1)


Combination = FromFootprint | FromGrowth


def combinations(patterns: Iterable[str] = PATTERNS) -> Iterator[Combination]:
    """Yield every combination of the two loops, in the order of the library.

    >>> next(combinations())
    FromFootprint(pattern='uniform', footprint='rectangle', rows=1, cols=1)
    """
    patterns = tuple(patterns)
    for pattern, footprint, rows, cols in product(patterns, FOOTPRINTS, SIDES, SIDES):
        yield FromFootprint(pattern, footprint, rows, cols)
    for pattern, connectivity, symmetry, rows, cols in product(patterns, NEIGHBORS, SYMMETRIES, SIDES, SIDES):
        if max(rows, cols) >= LARGE_SIDE and (patterns.index(pattern) + rows + cols) % 2:
            continue
        for _ in range(copies(pattern, rows, cols)):
            yield FromGrowth(pattern, connectivity, symmetry, rows, cols)


def copies(pattern: str, rows: int, cols: int) -> int:
    """Tell how many objects to grow for a combination of the second loop that is not left out."""
    if max(rows, cols) > SMALL_SIDE:
        return 1
    return SMALL_UNIFORM_COPIES if pattern == "uniform" else SMALL_COPIES


def grow(combination: Combination, rng: Stream) -> ColorCells:
    """Grow one object of a combination.

    >>> combination = FromFootprint("row_stripes", "diamond", rows=3, cols=1)
    >>> grow(combination, Stream(path_key(0, "docs")))
    array([[0, 6, 0],
           [2, 0, 2],
           [0, 6, 0]], dtype=uint8)
    """
    if combination.pattern not in COLOR_PATTERNS:
        raise unknown("color pattern", combination.pattern, COLOR_PATTERNS, where="cogitao")
    return COLOR_PATTERNS[combination.pattern](combination.mask(rng), rng)


def library_stream(index: int) -> Stream:
    """Return the stream of the combination with this position in the loops."""
    return Stream(path_key(0, "cogitao", "library"), index=index)


def grow_all(combinations: Iterable[Combination]) -> Iterator[ColorCells]:
    """Yield one object per combination, each from its own stream, without those that came before."""
    seen = set()
    for index, combination in enumerate(combinations):
        cells = grow(combination, library_stream(index))
        # the shape belongs to the content: by bytes alone, as published, a 2x6 box would pass for a 3x4 one
        content = (cells.shape, cells.tobytes())
        if content not in seen:
            seen.add(content)
            yield cells


def main() -> None:
    """Grow the default library and write it beside this file."""
    library = Library.from_arrays(list(grow_all(combinations())))
    path = Path(__file__).with_name(LIBRARY_FILE)
    library.save(path)
    print(f"{len(library)} objects, {path.stat().st_size / 1000:.0f} kB: {path}")


if __name__ == "__main__":
    main()
