"""One-number statistics of an image, and the guess that the odd image is the one farthest from the others.

They look at pixels alone, on a white background. A rule that one of them gives away can be learned without learning
anything, unless the statistic is what the rule is about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unseen.audit import kernels
from unseen.core.errors import SpecError

Scores = npt.NDArray[np.float64]  # (images,), highest for the odd one


@dataclass(frozen=True)
class Statistic:
    """Something that can be measured on an image; what is no plain number, like a place, has several columns."""

    name: str
    about: str
    columns: tuple[int, ...]  # of what `kernels.measure` gives


STATISTICS = {
    row.name: row
    for row in (
        Statistic("ink", "pixels that are not white", (kernels.INK,)),
        Statistic("filled area", "pixels that outlines cover or enclose", (kernels.AREA,)),
        Statistic("components", "connected pieces of ink, corners included", (kernels.COMPONENTS,)),
        Statistic("box area", "mean area of the boxes around components", (kernels.BOX,)),
        Statistic("smallest box", "area of the smallest of these boxes", (kernels.SMALLEST,)),
        Statistic("largest box", "area of the largest of these boxes", (kernels.LARGEST,)),
        Statistic("box aspect", "mean logarithm of their width over height", (kernels.ASPECT,)),
        Statistic("box elongation", "mean logarithm of their longer over shorter side", (kernels.ELONGATION,)),
        Statistic("centroid", "mean place of the ink", (kernels.X, kernels.Y)),
        Statistic("spread", "root mean square distance of the ink from its centroid", (kernels.SPREAD,)),
        Statistic("hue", "mean direction of the ink's hues on the color circle", (kernels.HUE_COS, kernels.HUE_SIN)),
        Statistic("saturation", "mean saturation of the ink", (kernels.SATURATION,)),
        Statistic("value", "mean value of the ink", (kernels.VALUE,)),
        Statistic("roughness", "ink over the root of the filled area", (kernels.ROUGHNESS,)),
    )
}
COLUMNS = {name: np.array(row.columns) for name, row in STATISTICS.items()}


def farthest(images: npt.NDArray[np.uint8]) -> dict[str, Scores]:
    """Measure by each statistic how far each image is from the median of the other images.

    >>> images = np.full((4, 8, 8, 3), 255, np.uint8)
    >>> images[:, 2, 2:4], images[3, 2, 2:6] = 0, 0
    >>> farthest(images)["ink"]
    array([0., 0., 0., 2.])
    """
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[3:] != (3,) or len(images) < 3:
        raise SpecError(f"statistics are of images uint8 (3 or more, h, w, 3), not {images.dtype} {images.shape}")
    numbers = kernels.measure(images)
    scores = {name: np.empty(len(images)) for name in STATISTICS}
    for name, found in scores.items():
        kernels.distances(numbers, COLUMNS[name], found)
    return scores
