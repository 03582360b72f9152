"""What a problem is made of: four images of outlined objects, one of which is the odd one.

Lengths are fractions of the image's side, x goes right and y goes down, angles are degrees and look clockwise. A shape
is a number, the key of its contour: `kernels/contours.py` draws the same closed outline from it at any time, one whose
box is exactly 1 x 1 around the origin. An object's outline is its contour, mirrored left to right where `flip` says so,
turned by `angle`, scaled by `size` and moved to (x, y), in this order. "Size" is thus the side of the unturned box.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

PANELS = 4
FINE = 65536  # sizes, places and angles are whole multiples of 1 / FINE: exact, and the same on every machine


class Object(NamedTuple):
    """One outline of an image."""

    shape: int  # the key of its contour
    size: float
    x: float
    y: float
    angle: float  # 0 <= angle < 360
    flip: bool
    hue: float  # 0 <= hue < 1
    saturation: float
    value: float


Image = tuple[Object, ...]
Table = npt.NDArray[np.float64]  # (n, 9): objects as rows; keys of contours are below 2**52, and so exact
FIELDS = len(Object._fields)
ROW = FIELDS * np.dtype(np.float64).itemsize  # bytes of an object


@dataclass(frozen=True)
class Record:
    """A symbolic problem: the rule that three of its images follow, and the four images in the order shown.

    Most records are drawn and never looked at object by object, so a record that comes from tables has its `images`
    made when they are asked for, and one that is made of images its `tables`.
    """

    rule: str
    shifted: bool  # of the rule's generalization version
    contour: str  # the family of all its contours, by name in `contours.FAMILIES`
    odd: int
    images: tuple[Image, Image, Image, Image]

    @classmethod
    def of_tables(cls, rule: str, shifted: bool, contour: str, odd: int, tables: tuple[bytes, ...]) -> Record:
        """Return the record whose images have these tables, as bytes."""
        record = cls.__new__(cls)
        record.__dict__.update(rule=rule, shifted=shifted, contour=contour, odd=odd, tables=tables)
        return record

    @cached_property
    def tables(self) -> tuple[bytes, ...]:
        """The bytes of every image's table."""
        return tuple(np.array(image, np.float64).tobytes() for image in self.images)

    def __getattr__(self, name: str) -> Any:  # of what is not there yet
        if name != "images" or "tables" not in self.__dict__:
            raise AttributeError(f"a record has no {name!r}")
        images = tuple(image_of(np.frombuffer(table).reshape(-1, FIELDS)) for table in self.tables)
        return self.__dict__.setdefault("images", images)


def image_of(table: Table) -> Image:
    """Return the objects of rows."""
    make = tuple.__new__  # `Object(...)` would sort out its arguments first, and take half as long again
    return tuple(
        [
            make(Object, (int(shape), size, x, y, angle, flip > 0, hue, saturation, value))
            for shape, size, x, y, angle, flip, hue, saturation, value in table.tolist()
        ]
    )
