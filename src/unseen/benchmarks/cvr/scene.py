"""What a problem is made of: four images of outlined objects, one of which is the odd one.

Lengths are fractions of the image's side, x goes right and y goes down, angles are degrees and look clockwise. A shape
is a number, the key of its contour: `kernels/contours.py` draws the same closed outline from it at any time, one whose
box is exactly 1 x 1 around the origin. An object's outline is its contour, mirrored left to right where `flip` says so,
turned by `angle`, scaled by `size` and moved to (x, y), in this order. "Size" is thus the side of the unturned box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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


@dataclass(frozen=True, slots=True)
class Record:
    """A symbolic problem: the rule that three of its images follow, and the four images in the order shown."""

    rule: str
    shifted: bool  # of the rule's generalization version
    contour: str  # the family of all its contours, by name in `contours.FAMILIES`
    odd: int
    images: tuple[Image, Image, Image, Image]
