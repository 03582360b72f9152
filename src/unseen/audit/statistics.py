"""One-number statistics of an image, and the guess that the odd image is the one farthest from the others.

They look at pixels alone, on a white background. A rule that one of them gives away can be learned without learning
anything, unless the statistic is what the rule is about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unseen.audit.kernels import pixels
from unseen.core.errors import SpecError

Scores = npt.NDArray[np.float64]  # (images,), highest for the odd one
TINY = 1e-6  # differences below it are rounding, which grows with the ink and would tell how much there is


@dataclass(frozen=True)
class Statistic:
    """Something that can be measured on an image; what is no plain number, like a place, has several columns."""

    name: str
    about: str
    columns: tuple[int, ...]  # of what `kernels.pixels` gives


STATISTICS = {
    row.name: row
    for row in (
        Statistic("ink", "pixels that are not white", (pixels.INK,)),
        Statistic("filled area", "pixels that outlines cover or enclose", (pixels.AREA,)),
        Statistic("components", "connected pieces of ink, corners included", (pixels.COMPONENTS,)),
        Statistic("parity", "whether their number is odd", (pixels.PARITY,)),
        Statistic("contained", "pieces that lie within another", (pixels.CONTAINED,)),
        Statistic("box area", "mean area of the boxes around components", (pixels.BOX,)),
        Statistic("smallest box", "area of the smallest of these boxes", (pixels.SMALLEST,)),
        Statistic("largest box", "area of the largest of these boxes", (pixels.LARGEST,)),
        Statistic("box aspect", "mean logarithm of their width over height", (pixels.ASPECT,)),
        Statistic("box elongation", "mean logarithm of their longer over shorter side", (pixels.ELONGATION,)),
        Statistic("centroid", "mean place of the ink", (pixels.X, pixels.Y)),
        Statistic("centroid x", "mean column of the ink", (pixels.X,)),
        Statistic("centroid y", "mean row of the ink", (pixels.Y,)),
        Statistic("spread", "root mean square distance of the ink from its centroid", (pixels.SPREAD,)),
        Statistic("whole box", "area of the box around all ink", (pixels.WHOLE_BOX,)),
        Statistic("whole aspect", "logarithm of its width over height", (pixels.WHOLE_ASPECT,)),
        Statistic("axes", "direction and elongation of all ink", (pixels.AXIS_COS, pixels.AXIS_SIN)),
        Statistic("axis elongation", "elongation of all ink, in any direction", (pixels.AXES,)),
        Statistic("hue", "mean direction of the ink's hues on the color circle", (pixels.HUE_COS, pixels.HUE_SIN)),
        Statistic("saturation", "mean saturation of the ink", (pixels.SATURATION,)),
        Statistic("value", "mean value of the ink", (pixels.VALUE,)),
        Statistic("roughness", "ink over the root of the filled area", (pixels.ROUGHNESS,)),
        Statistic("compactness", "ink squared over the filled area", (pixels.COMPACTNESS,)),
        Statistic("piece x", "mean column of the pieces' centroids", (pixels.PIECE_X,)),
        Statistic("piece y", "mean row of the pieces' centroids", (pixels.PIECE_Y,)),
        Statistic("x spread", "standard deviation of these columns", (pixels.SPREAD_X,)),
        Statistic("y spread", "standard deviation of these rows", (pixels.SPREAD_Y,)),
        Statistic("gap", "mean distance of pieces from the nearest other", (pixels.NEAREST,)),
        Statistic("gap spread", "standard deviation of these distances", (pixels.GAP_SPREAD,)),
        Statistic("x gaps", "standard deviation of the gaps between columns of pieces", (pixels.X_GAPS,)),
        Statistic("y gaps", "standard deviation of the gaps between rows of pieces", (pixels.Y_GAPS,)),
        Statistic("ink spread", "standard deviation of the logarithm of pieces' ink", (pixels.INK_SPREAD,)),
        Statistic("ink ratio", "logarithm of the most over the least ink of a piece", (pixels.INK_RATIO,)),
        Statistic("area spread", "standard deviation of the logarithm of pieces' filled area", (pixels.AREA_SPREAD,)),
        Statistic("area ratio", "logarithm of the largest over the smallest filled area", (pixels.AREA_RATIO,)),
        Statistic("piece roughness", "mean roughness of pieces", (pixels.PIECE_ROUGHNESS,)),
        Statistic("smoothest", "least roughness of a piece", (pixels.SMOOTHEST,)),
        Statistic("roughest", "greatest roughness of a piece", (pixels.ROUGHEST,)),
        Statistic("roughness spread", "standard deviation of pieces' roughness", (pixels.ROUGHNESS_SPREAD,)),
        Statistic("sizes", "groups of pieces whose boxes are about equally large", (pixels.SIZES,)),
        Statistic("smallest size group", "pieces of the smallest of these groups", (pixels.SIZE_LEAST,)),
        Statistic("largest size group", "pieces of the largest of these groups", (pixels.SIZE_MOST,)),
        Statistic("size group of 1 or 4", "whether one has 1 piece, or at least 4", (pixels.SIZE_TELLING,)),
        Statistic("colors", "different colors", (pixels.COLORS,)),
        Statistic("hues", "groups of colors of about the same hue", (pixels.HUES,)),
        Statistic("smallest hue group", "colors of the smallest of these groups", (pixels.HUE_LEAST,)),
        Statistic("largest hue group", "colors of the largest of these groups", (pixels.HUE_MOST,)),
        Statistic("hue group of 1 or 4", "whether one has 1 color, or at least 4", (pixels.HUE_TELLING,)),
        Statistic("hue spread", "how far the colors' hues are from being one", (pixels.HUE_SPREAD,)),
    )
}


def numbers_of(images: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Return all that is measured on images: (images, pixels.COLUMNS)."""
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[3:] != (3,) or len(images) < 3:
        raise SpecError(f"statistics are of images uint8 (3 or more, h, w, 3), not {images.dtype} {images.shape}")
    found: npt.NDArray[np.float64] = pixels.measure(images)
    return found


def away(numbers: npt.NDArray[np.float64]) -> Scores:
    """Tell how far each image is from the median of the others, in all columns of (..., images, columns) together.

    >>> away(np.array([[1.0], [1.0], [4.0], [1.0]]))
    array([0., 0., 3., 0.])
    """
    images = numbers.shape[-2]
    others = np.array([[k for k in range(images) if k != i] for i in range(images)])
    squares = (numbers - np.median(numbers[..., others, :], axis=-2)) ** 2
    total = squares.sum(axis=-1)
    return np.sqrt(np.where(total > TINY**2, total, 0.0))


def farthest(images: npt.NDArray[np.uint8]) -> dict[str, Scores]:
    """Measure by each statistic how far each image is from the median of the other images.

    >>> images = np.full((4, 8, 8, 3), 255, np.uint8)
    >>> images[:, 2, 2:4], images[3, 2, 2:6] = 0, 0
    >>> farthest(images)["ink"]
    array([0., 0., 0., 2.])
    """
    numbers = numbers_of(images)
    return {name: away(numbers[:, row.columns]) for name, row in STATISTICS.items()}
