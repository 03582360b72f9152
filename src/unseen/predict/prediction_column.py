"""The prediction column of each kind of task, from the kind's own description, such as "int8 (h, w)" or "str"."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.data.columns import Column, Numbers, Pictures, Plain

Array = npt.NDArray[Any]
PICTURES = {"uint8 (h, w, 3)": 0, "uint8 (t, h, w, 3)": 1}  # axes before those of a picture
TEXT = "str"


def prediction_column(form: str) -> Column:
    """Tell how predictions of a form are stored, or what stands beside them.

    >>> str(prediction_column("float32 (4,)")), str(prediction_column("uint8 (t, h, w, 3)"))
    ('float32 1', 'picture 1')
    """
    if form == TEXT:
        return Plain(str)
    if form in PICTURES:
        return Pictures(PICTURES[form])
    dtype, axes = parse_form(form)
    return Numbers(dtype, len(axes))


def parse_form(form: str) -> tuple[np.dtype[Any], tuple[str, ...]]:
    """Return the type and the axes that a description names.

    >>> parse_form("float32 (4,)")
    (dtype('float32'), ('4',))
    """
    name, _, axes = form.partition(" ")
    return np.dtype(name), tuple(axis.strip() for axis in axes.strip("()").split(",") if axis.strip())


def checked(value: Any, form: str) -> Array:
    """Return a prediction as an array of the form that its kind describes.

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
