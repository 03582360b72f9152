"""The library of objects: arrays of cells, a table of their properties, and queries on it.

Scenes draw their objects from a library by id, as in the paper. The default library ships with the package (`grow.py`
made it); others can be registered by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unseen.benchmarks.cogitao.properties import PROPERTIES, properties_of, property_named
from unseen.core.errors import SpecError, unknown

LIBRARY_FILE = "library.npz"
PUBLISHED_FILE = "published_library.npz"
MAX_SIDE = 64  # of objects and grids: a row is one machine word in the kernels
MAX_COLOR = 9


class Library:
    """Objects with consecutive ids, and which properties each of them has. Its arrays are read-only.

    >>> library = Library.from_arrays([[[4]], [[2, 2], [0, 2]]])
    >>> len(library), library[1].tolist(), library.query(wanted=["more_than_1_cell"]).tolist()
    (2, [[2, 2], [0, 2]], [1])
    """

    heights: NDArray[np.int32]  # of each object's tight box
    widths: NDArray[np.int32]
    offsets: NDArray[np.int32]  # where each object begins in `cells`
    cells: NDArray[np.uint8]  # all objects one after the other, each row by row; 0 where an object has no cell
    table: NDArray[np.bool_]  # [object, property]
    properties: tuple[str, ...]  # names of the columns of `table`

    def __init__(
        self,
        *,
        heights: ArrayLike,
        widths: ArrayLike,
        cells: NDArray[np.uint8],
        table: NDArray[np.bool_],
        properties: Iterable[str],
    ) -> None:
        self.heights = np.asarray(heights, np.int32)
        self.widths = np.asarray(widths, np.int32)
        sizes = self.heights * self.widths
        self.offsets = (np.cumsum(sizes) - sizes).astype(np.int32)
        self.cells = cells
        self.table = table
        self.properties = tuple(properties)
        for array in (self.heights, self.widths, self.offsets, self.cells, self.table):
            array.flags.writeable = False

    @classmethod
    def from_arrays(cls, arrays: Iterable[ArrayLike]) -> Library:
        """Return a library of objects given as 2-D arrays of colors 1..9, with 0 where there is no cell.

        Each must fill its box (no empty row or column at a side), and be at most 64 cells high and wide.
        """
        objects = [checked_object(array, name=f"object {i}") for i, array in enumerate(arrays)]
        if not objects:
            raise SpecError("a library needs at least one object, got none")
        rows = [properties_of(cells) for cells in objects]
        return cls(
            heights=[cells.shape[0] for cells in objects],
            widths=[cells.shape[1] for cells in objects],
            cells=np.concatenate([cells.ravel() for cells in objects]),
            table=np.array([[name in row for name in PROPERTIES] for row in rows]),
            properties=PROPERTIES,
        )

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return len(self.heights)

    def __getitem__(self, i: int) -> NDArray[np.uint8]:
        """The cells of one object, as a read-only view."""
        height, width, start = int(self.heights[i]), int(self.widths[i]), int(self.offsets[i])
        return self.cells[start : start + height * width].reshape(height, width)

    def query(
        self,
        *,
        wanted: Sequence[str] = (),
        unwanted: Sequence[str] = (),
        min_size: int = 1,
        max_size: int = MAX_SIDE,
    ) -> NDArray[np.int32]:
        """The ids of the objects with all wanted properties, no unwanted one, and both sides of the box in a range.

        >>> small_rings = default_library().query(wanted=["hollow"], unwanted=["not_evenly_colored"], max_size=5)
        >>> len(small_rings) > 150
        True
        """
        found = np.minimum(self.heights, self.widths) >= min_size
        found &= np.maximum(self.heights, self.widths) <= max_size
        for name in wanted:
            found &= self.having(name)
        for name in unwanted:
            found &= ~self.having(name)
        return np.flatnonzero(found).astype(np.int32)

    def having(self, name: str) -> NDArray[np.bool_]:
        """Which objects have a property; one that was added to `PROPERTIES` after the table was made is worked out."""
        asked = property_named(name)
        if asked.name in self.properties:
            return self.table[:, self.properties.index(asked.name)]
        return np.array([asked.holds(cells) for cells in self])

    def save(self, path: Path) -> None:
        """Write the library as a compressed file that `load` reads."""
        colors = self.cells[self.cells > 0]
        np.savez_compressed(
            path,
            heights=self.heights.astype(np.uint8),
            widths=self.widths.astype(np.uint8),
            masks=np.packbits(self.cells > 0),
            colors=_two_per_byte(colors),
            table=np.packbits(self.table.T, axis=1),
            properties=np.array(self.properties),
        )

    @classmethod
    def load(cls, file: Path | IO[bytes]) -> Library:
        """Read a library that `save` wrote."""
        with np.load(file) as stored:
            heights = stored["heights"].astype(np.int32)
            widths = stored["widths"].astype(np.int32)
            cells = np.unpackbits(stored["masks"], count=int(heights @ widths))
            cells[cells > 0] = _one_per_byte(stored["colors"])[: np.count_nonzero(cells)]
            return cls(
                heights=heights,
                widths=widths,
                cells=cells,
                # properties first, so that a query reads memory in order
                table=np.unpackbits(stored["table"], axis=1, count=len(heights)).astype(np.bool_).T,
                properties=stored["properties"].tolist(),
            )


def _two_per_byte(colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pack colors, which are below 16, into half as many bytes."""
    even = np.append(colors, np.zeros(len(colors) % 2, np.uint8))
    return (even[::2] << 4 | even[1::2]).astype(np.uint8)


def _one_per_byte(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Undo `_two_per_byte`; an odd number of colors comes back with a 0 behind."""
    return np.stack([packed >> 4, packed & 15], axis=1).ravel()


def checked_object(array: ArrayLike, *, name: str) -> NDArray[np.uint8]:
    """Return an object as an array of cells, or one sentence about why it is none."""
    try:
        cells = np.asarray(array)
    except ValueError:
        raise SpecError(f"{name} must be a 2-D array of integers, got rows of different lengths") from None
    if cells.ndim != 2 or not np.issubdtype(cells.dtype, np.integer):
        raise SpecError(f"{name} must be a 2-D array of integers, got {cells.ndim}-D of {cells.dtype}")
    if not 1 <= min(cells.shape) <= max(cells.shape) <= MAX_SIDE:
        raise SpecError(f"{name} must be 1 to {MAX_SIDE} cells high and wide, got {cells.shape[0]}x{cells.shape[1]}")
    if cells.min() < 0 or cells.max() > MAX_COLOR:
        raise SpecError(
            f"{name} must have colors 1..{MAX_COLOR} and 0 for background, got {cells.min()}..{cells.max()}"
        )
    if not all(side.any() for side in (cells[0], cells[-1], cells[:, 0], cells[:, -1])):
        raise SpecError(f"{name} must fill its box: remove the empty rows and columns at its sides")
    return cells.astype(np.uint8)


LIBRARIES: dict[str, Callable[[], Library]] = {}


def register_library(name: str, loader: Callable[[], Library]) -> None:
    """Make a library known by a name; `loader` is called once, when the library is first asked for.

    >>> register_library("dots", lambda: Library.from_arrays([[[color]] for color in range(1, 10)]))
    >>> len(library_named("dots"))
    9
    """
    if name in LIBRARIES:
        raise SpecError(f"there is a library named {name!r} already; choose another name")
    LIBRARIES[name] = cache(loader)


def library_named(name: str) -> Library:
    """Return the library of a name, loaded on first use."""
    if name not in LIBRARIES:
        raise unknown("object library", name, LIBRARIES, where="cogitao")
    return LIBRARIES[name]()


def default_library() -> Library:
    """Return the objects that ship with the package."""
    return library_named("default")


def _load_shipped(name: str) -> Library:
    with files("unseen.benchmarks.cogitao").joinpath(name).open("rb") as file:
        return Library.load(file)


register_library("default", partial(_load_shipped, LIBRARY_FILE))
register_library("published", partial(_load_shipped, PUBLISHED_FILE))
