"""Are two pictures of one scene the same, but for the graphics drivers that drew them?

Drivers place the samples of a pixel, filter textures and round in their own ways; what is where is not theirs to decide
(see `project`). What may differ was measured on a stand-in, our own pictures with one sample a pixel instead of four:
mostly by about 1 on average with 1 % of pixels far off, two in twenty-four by 3.4 and 4.2; pictures of other scenes
by 17 and more, with 24 % of pixels far off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

MEAN = 6.0  # of 255, that values may differ by on average
FAR = 32  # of 255, by which a channel of a pixel is far off
SHARE = 0.05  # of the pixels that may be far off


def alike(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Tell whether pictures uint8 (..., h, w, 3) of one shape could show one scene.

    >>> black, gray = np.zeros((4, 4, 3), np.uint8), np.full((4, 4, 3), 5, np.uint8)
    >>> alike(black, gray), alike(black, gray + 2)
    (True, False)
    """
    if one.shape != other.shape or one.dtype != np.uint8 or other.dtype != np.uint8:
        return False
    apart = np.abs(one.astype(np.int16) - other)
    means, far = apart.mean(axis=(-3, -2, -1)), (apart.max(axis=-1) > FAR).mean(axis=(-2, -1))
    return bool((means <= MEAN).all() and (far <= SHARE).all())
