"""The prediction column of each kind of task: text as strings, images as PNG files, other arrays as nested lists.

The form of a prediction is read from the kind's own description, such as "int8 (h, w)" or "float32 (4,)".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from unseen.core.errors import DataError, SpecError
from unseen.core.task import Kind

Array = npt.NDArray[Any]
IMAGE = "uint8 (h, w, 3)"
TEXT = "str"


@dataclass(frozen=True)
class Column:
    """How predictions of one kind are stored: the Arrow type, and the way there and back."""

    name: str
    type: pa.DataType
    pack: Callable[[Sequence[Any]], pa.Array]
    unpack: Callable[[pa.Array], list[Any]]


def column_of(kind: Kind) -> Column:
    """The prediction column of a kind.

    >>> from unseen.core.task import KINDS
    >>> column_of(KINDS["odd"]).type
    ListType(list<item: float>)
    """
    name, form = kind.prediction
    if form == TEXT:
        return Column(
            name, pa.string(), lambda values: pa.array(values, pa.string()), lambda column: column.to_pylist()
        )
    if form == IMAGE:
        return Column(name, pa.binary(), lambda values: _pack_images(values, form), _unpack_images)
    dtype, axes = parse_form(form)
    nested = pa.from_numpy_dtype(dtype)
    for _ in axes:
        nested = pa.list_(nested)
    return Column(name, nested, lambda values: _pack_arrays(values, form), _unpack_arrays)


def parse_form(form: str) -> tuple[np.dtype[Any], tuple[str, ...]]:
    """The type and the axes that a description names.

    >>> parse_form("float32 (4,)")
    (dtype('float32'), ('4',))
    """
    name, _, axes = form.partition(" ")
    return np.dtype(name), tuple(axis.strip() for axis in axes.strip("()").split(",") if axis.strip())


def checked(value: Any, form: str) -> Array:
    """A prediction as an array of the form that its kind describes.

    >>> checked([[1, 2]], "int8 (h, w)")
    array([[1, 2]], dtype=int8)
    """
    dtype, axes = parse_form(form)
    try:
        given = np.asarray(value)
        array = given.astype(dtype)
    except (ValueError, TypeError):  # rows of different lengths, or text
        raise SpecError(f"a prediction is {form}, and one that cannot be read as an array was given") from None
    sizes = array.ndim == len(axes) and all(
        not axis.isdigit() or int(axis) == size for axis, size in zip(axes, array.shape, strict=True)
    )
    if not sizes or (dtype.kind != "f" and not np.array_equal(array, given)):  # fractions, or numbers too large
        raise SpecError(f"a prediction is {form}, not {given.dtype} {given.shape}")
    return array


def _pack_images(images: Sequence[Any], form: str) -> pa.Array:
    from unseen.render.png import encode_png

    return pa.array([encode_png(checked(image, form)) for image in images], pa.binary())


def _unpack_images(column: pa.Array) -> list[Array]:
    from PIL import Image, UnidentifiedImageError

    try:
        return [np.asarray(Image.open(BytesIO(file)).convert("RGB")) for file in column.to_pylist()]
    except UnidentifiedImageError:
        raise DataError("one of the images is not a PNG file") from None


def _pack_arrays(values: Sequence[Any], form: str) -> pa.Array:
    """Nested lists built from flat numbers and lengths, because Python lists of pixels would take minutes."""
    dtype, axes = parse_form(form)
    arrays = [checked(value, form) for value in values]
    packed = pa.array(np.concatenate([array.ravel() for array in arrays] or [np.empty(0, dtype)]))
    for axis in reversed(range(len(axes))):
        lengths = [np.full(int(np.prod(array.shape[:axis])), array.shape[axis]) for array in arrays]
        offsets = np.concatenate([[0], *lengths]).cumsum().astype(np.int32)
        packed = pa.ListArray.from_arrays(offsets, packed)
    return packed


def _unpack_arrays(column: pa.Array) -> list[Array]:
    levels: list[Array] = []
    values = column
    while pa.types.is_list(values.type):
        levels.append(values.offsets.to_numpy())
        values = values.values
    flat = values.to_numpy(zero_copy_only=False)
    return [_unpack_array(levels, flat, row) for row in range(len(column))]


def _unpack_array(levels: list[Array], flat: Array, row: int) -> Array:
    start, stop = row, row + 1
    shape = []
    for offsets in levels:
        lengths = np.diff(offsets[start : stop + 1])
        if (lengths != lengths[:1]).any():
            raise DataError("the rows of one of the arrays differ in length")
        shape.append(int(lengths[0]) if len(lengths) else 0)
        start, stop = offsets[start], offsets[stop]
    return flat[start:stop].reshape(shape)
