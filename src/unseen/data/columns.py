"""Values to Arrow columns and back: numbers, text, arrays of any rank, pictures, and lists of these.

The type of a column follows from the name, dtype and rank of its first value, never from what is in it, so that all
shards of a data set have one schema. A field's metadata says how to read it back, so an array of rank 3 and a list of
arrays of rank 2, which Arrow stores alike, return as what they were.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

PLAIN = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
PICTURE = pa.struct({"bytes": pa.binary(), "path": pa.string()})  # what Hugging Face's `Image` feature reads
PICTURE_NAMES = ("image", "images", "frames")  # last word of a name; ids and masks are uint8 too and stay numbers


class Rows(Sequence[Any]):
    """Values that are made when asked for: a column that has been read, row by row."""

    def __init__(self, size: int, row: Callable[[int], Any]) -> None:
        self.size = size
        self.row = row

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self.row(i) for i in range(self.size)[index]]
        return self.row(range(self.size)[index])

    def __iter__(self) -> Iterator[Any]:
        return map(self.row, range(self.size))


class Column(ABC):
    """How one value of every example is stored."""

    @property
    @abstractmethod
    def arrow(self) -> pa.DataType:
        """The Arrow type of the column."""

    def encode(self, values: Iterable[Any]) -> pa.Array:
        """Encode the values of many examples as one Arrow array."""
        return self.join([self.pack(value) for value in values])

    def pack(self, value: Any) -> Any:
        """Pack a value until all values are there: what is kept is smaller than a large value."""
        return value

    @abstractmethod
    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join the packed values of many examples to one Arrow array."""

    @abstractmethod
    def decode(self, array: pa.Array) -> Sequence[Any]:
        """Decode the column to the values that were stored."""


@dataclass(frozen=True)
class Plain(Column):
    """A column of bools, ints, floats or strings; None where there is no value."""

    type: type[Any]

    @property
    def arrow(self) -> pa.DataType:
        """The Arrow type of the column."""
        return PLAIN[self.type]

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join the values to one Arrow array."""
        return pa.array(packed, self.arrow)

    def decode(self, array: pa.Array) -> list[Any]:
        """Decode the column to Python values."""
        if array.null_count or self.type is str:
            return array.to_pylist()  # type: ignore[no-any-return]
        return array.to_numpy(zero_copy_only=False).tolist()  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.type.__name__


@dataclass(frozen=True)
class Numbers(Column):
    """A numeric array of a fixed dtype and rank; its shape may differ from row to row.

    An axis that follows one of length 0 is read back with length 0.
    """

    dtype: np.dtype[Any]
    rank: int

    @property
    def arrow(self) -> pa.DataType:
        """Lists of lists, one level per axis."""
        return _nested(pa.from_numpy_dtype(self.dtype), self.rank)

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join the arrays end to end, with the offsets of every axis."""
        odd = {(value.dtype, value.ndim) for value in packed} - {(self.dtype, self.rank)}
        if odd:
            dtype, rank = odd.pop()
            raise TypeError(f"an array of {dtype} and rank {rank} is in a column of {self.dtype} and rank {self.rank}")
        leaves = np.concatenate([value.ravel() for value in packed]) if packed else np.empty(0, self.dtype)
        return _wrap(pa.array(leaves), _shape_rows([value.shape for value in packed], self.rank))

    def decode(self, array: pa.Array) -> Rows:
        """Decode the column to arrays of the right dtype and shape that may be written to."""
        offsets, leaves = _unwrap(array, self.rank)
        flat = leaves.to_numpy(zero_copy_only=False)

        def row(index: int) -> Any:
            shape, start, stop = _extent(offsets, index)
            return flat[start:stop].reshape(shape).copy()[()]  # [()] makes rank 0 a scalar

        return Rows(len(array), row)

    def __str__(self) -> str:
        return f"{self.dtype.name} {self.rank}"


@dataclass(frozen=True)
class Pictures(Column):
    """A column of uint8 pictures (h, w, 3) as PNG, or of arrays of pictures with `rank` further axes in front."""

    rank: int

    @property
    def arrow(self) -> pa.DataType:
        """Hugging Face's struct, in lists of one level per axis."""
        return _nested(PICTURE, self.rank)

    def pack(self, value: npt.NDArray[np.uint8]) -> tuple[tuple[int, ...], list[bytes]]:
        """Pack pictures as PNG files, with the lengths of the axes before height."""
        from unseen.render.png import encode_png

        axes, picture = value.shape[: self.rank], value.shape[self.rank :]
        return axes, [encode_png(each) for each in value.reshape(-1, *picture)]

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join PNG files end to end, with the offsets of every axis before height."""
        files = [file for _, files in packed for file in files]
        paths = pa.nulls(len(files), pa.string())
        leaves = pa.StructArray.from_arrays([pa.array(files, pa.binary()), paths], fields=list(PICTURE))
        return _wrap(leaves, _shape_rows([axes for axes, _ in packed], self.rank))

    def decode(self, array: pa.Array) -> Rows:
        """Decode the column to pictures; the files of a row are read when the row is asked for."""
        offsets, leaves = _unwrap(array, self.rank)
        files = leaves.field("bytes")

        def row(index: int) -> npt.NDArray[np.uint8]:
            shape, start, stop = _extent(offsets, index)
            pictures = [decode_png(files[i].as_py()) for i in range(start, stop)]
            return np.stack(pictures).reshape(*shape, *pictures[0].shape)

        return Rows(len(array), row)

    def __str__(self) -> str:
        return f"picture {self.rank}"


@dataclass(frozen=True)
class Listed(Column):
    """A list or tuple of values of one column type."""

    of: Column
    make: Callable[[Iterable[Any]], Any] = list

    @property
    def arrow(self) -> pa.DataType:
        """A list of the values' type."""
        return pa.list_(self.of.arrow)

    def pack(self, value: Iterable[Any]) -> list[Any]:
        """Pack the items of every list."""
        return [self.of.pack(item) for item in value]

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join the items end to end, with the offsets of the lists."""
        lengths = np.fromiter(map(len, packed), np.int64, len(packed))
        return _wrap(self.of.join(list(chain.from_iterable(packed))), lengths[:, None])

    def decode(self, array: pa.Array) -> Rows:
        """Decode the column to the lists that were stored."""
        offsets, leaves = _unwrap(array, 1)
        items = self.of.decode(leaves)

        def row(index: int) -> Any:
            _, start, stop = _extent(offsets, index)
            return self.make(items[start:stop])

        return Rows(len(array), row)

    def __str__(self) -> str:
        return f"list of {self.of}"


def column_of(name: str, values: Iterable[Any]) -> Column:
    """Return the column type for a named value, from the first of its values that tells.

    >>> grid, images = np.zeros((2, 2), np.int8), np.zeros((4, 9, 9, 3), np.uint8)
    >>> str(column_of("grid", [grid])), str(column_of("images", [images])), str(column_of("shown", [[], [grid]]))
    ('int8 2', 'picture 1', 'list of int8 2')
    """
    first, others = _split(values)
    if isinstance(first, list | tuple):
        return Listed(column_of(name, chain(first, chain.from_iterable(others))))
    if isinstance(first, np.ndarray | np.generic):
        if first.dtype == np.uint8 and is_picture(name):
            return Pictures(first.ndim - 3)
        return Numbers(first.dtype, first.ndim)
    if type(first) in PLAIN:
        return Plain(type(first))
    raise TypeError(f"{name!r} cannot be stored: {type(first).__name__} is neither array, list, str nor number")


def is_picture(name: str) -> bool:
    """Tell whether a value of this name is a picture for people.

    >>> is_picture("target_image"), is_picture("image_ids")
    (True, False)
    """
    return name.split("_")[-1] in PICTURE_NAMES


def _split(values: Iterable[Any]) -> tuple[Any, Iterator[Any]]:
    remaining = iter(values)
    return next(remaining, None), remaining


def column_named(text: str) -> Column:
    """Return a column type from its written form.

    >>> column_named("list of int8 2") == column_of("shown", [[np.zeros((2, 2), np.int8)]])
    True
    """
    kind, _, rest = text.partition(" ")
    if kind == "list":
        return Listed(column_named(rest.removeprefix("of ")))
    if kind == "picture":
        return Pictures(int(rest))
    if rest:
        return Numbers(np.dtype(kind), int(rest))
    return Plain({plain.__name__: plain for plain in PLAIN}[kind])


def hugging_face_feature(column: Column) -> Any:
    """Tell how `datasets` is told that a column holds pictures; None where the Arrow type says all.

    The mode makes every picture arrive as RGB: flat ones are palette files, which without it arrive as palette numbers.
    """
    if isinstance(column, Listed):
        inner = hugging_face_feature(column.of)
        return inner and [inner]
    if not isinstance(column, Pictures):
        return None
    feature: Any = {"_type": "Image", "mode": "RGB"}
    for _ in range(column.rank):
        feature = [feature]
    return feature


def decode_png(file: bytes) -> npt.NDArray[np.uint8]:
    """Decode a PNG file to a picture (h, w, 3)."""
    from unseen.render.picture import read_picture

    return read_picture(file)


# ---------------------------------------------------------------------------- arrays as lists of lists

Offsets = list[npt.NDArray[np.int32]]  # per axis, where each list begins in the next level


def _nested(leaf: pa.DataType, rank: int) -> pa.DataType:
    for _ in range(rank):
        leaf = pa.list_(leaf)
    return leaf


def _shape_rows(shapes: Sequence[tuple[int, ...]], rank: int) -> npt.NDArray[np.int64]:
    return np.array(shapes, np.int64).reshape(len(shapes), rank)


def _wrap(leaves: pa.Array, shapes: npt.NDArray[np.int64]) -> pa.Array:
    """Put leaves that lie end to end into nested lists, given the shape of each row."""
    lists = np.ones(len(shapes), np.int64)  # how many lists a row has at this level
    levels = []
    for lengths in shapes.T:
        levels.append(np.concatenate(([0], np.cumsum(np.repeat(lengths, lists)))))
        lists = lists * lengths
    for offsets in reversed(levels):
        leaves = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), leaves)
    return leaves


def _unwrap(array: pa.Array, rank: int) -> tuple[Offsets, pa.Array]:
    offsets = []
    for _ in range(rank):
        offsets.append(array.offsets.to_numpy())
        array = array.values
    return offsets, array


def _extent(offsets: Offsets, index: int) -> tuple[list[int], int, int]:
    """The shape of a row, and which leaves are its own."""
    shape = []
    start, stop = index, index + 1
    for level in offsets:
        # the lists of one array are equally long, so the first tells the length of the axis
        shape.append(int(level[start + 1] - level[start]) if stop > start else 0)
        start, stop = int(level[start]), int(level[stop])
    return shape, start, stop
