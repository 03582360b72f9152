"""Metrics of image tasks: how far a predicted image is from its target.

Images are uint8 (height, width, 3) and are compared as values from 0 to 1. LPIPS, which needs a network, is in
perceptual.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, hypot

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric

Image = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float64]  # from 0 to 1

FIRST = 320  # examples that SVIB's published evaluation stops after
IDENTICAL = 100.0  # decibels that stand for no error at all, which would be infinitely many
_bell = [exp(-((place / 1.5) ** 2) / 2) for place in range(-5, 6)]
WINDOW = tuple(height / sum(_bell) for height in _bell)  # weights of SSIM along one side: a Gaussian of 1.5 pixels
STABLE = (0.01**2, 0.03**2)  # keep SSIM's two quotients finite where an image is dark, and where it is flat


@metric(kind="image", higher_is_better=False, percent=False)
def mse(target: Image, prediction: Image) -> Counts:
    """Squared error summed over the values of an image from 0 to 1, averaged over images.

    The paper's MSE, which grows with the size of the images: from 0 to 3 x height x width, 49,152 at 128 pixels. Lower
    is better. No images: 0.

    >>> black = np.zeros((2, 2, 3), np.uint8)
    >>> mse([black, black], [black, black + 255])
    6.0
    """
    return squared_error(target, prediction), 1


@metric(kind="image", higher_is_better=False, percent=False, first=FIRST)
def mse_first_320(target: Image, prediction: Image) -> Counts:
    """MSE of the first 320 examples of a split, after which SVIB's published evaluation stops.

    Squared error summed over the values of an image, averaged over images. Lower is better. No images: 0.

    >>> black = np.zeros((2, 2, 3), np.uint8)
    >>> mse_first_320([black, black], [black, black + 255])
    6.0
    """
    return squared_error(target, prediction), 1


@metric(kind="image", higher_is_better=False, percent=False)
def mse_per_value(target: Image, prediction: Image) -> Counts:
    """Squared error averaged over the values of all images, from 0 to 1.

    0 to 1, lower is better; does not depend on the size of the images. No images: 0.

    >>> black = np.zeros((2, 2, 3), np.uint8)
    >>> mse_per_value([black, black], [black, black + 255])
    0.5
    """
    return squared_error(target, prediction), target.size


@metric(kind="image", percent=False)
def psnr(target: Image, prediction: Image) -> Counts:
    """Peak signal-to-noise ratio of an image in decibels, averaged over images.

    0 to 100, higher is better; 100 stands for an image that is exact, and is more than any other of 128 pixels has. No
    images: 0.

    >>> black = np.zeros((2, 2, 3), np.uint8)
    >>> round(psnr([black, black], [black + 255, black + 51]), 2), psnr([black], [black])
    (6.99, 100.0)
    """
    error = squared_error(target, prediction) / target.size
    return min(-10 * np.log10(error), IDENTICAL) if error else IDENTICAL, 1


@metric(kind="image", percent=False)
def ssim(target: Image, prediction: Image) -> Counts:
    """Structural similarity of Wang et al. (2004), of each color channel, averaged over images.

    -1 to 1, higher is better, 1 only for an image that is exact. Windows of 11 x 11 pixels with Gaussian weights lie
    wholly inside the image, which is at least as large. No images: 0.

    >>> black = np.zeros((11, 11, 3), np.uint8)
    >>> ssim([black], [black]), round(ssim([black], [black + 255]), 4)
    (1.0, 0.0001)
    """
    one, other = compared(target, prediction)
    if min(one.shape[:2]) < len(WINDOW):
        raise SpecError(f"SSIM compares images of at least {len(WINDOW)} pixels a side, not {one.shape[:2]}")
    mean, other_mean = weighted(one), weighted(other)
    variances = weighted(one**2) - mean**2 + weighted(other**2) - other_mean**2
    covariance = weighted(one * other) - mean * other_mean
    brightness = (2 * mean * other_mean + STABLE[0]) / (mean**2 + other_mean**2 + STABLE[0])
    structure = (2 * covariance + STABLE[1]) / (variances + STABLE[1])
    return float((brightness * structure).mean()), 1


def squared_error(target: Image, prediction: Image) -> float:
    """Return the squared differences of all values, from 0 to 1, summed."""
    one, other = compared(target, prediction)
    return float(np.square(one - other).sum())


def compared(target: Image, prediction: Image) -> tuple[Values, Values]:
    """Return a target and its prediction as values from 0 to 1, checked to be images of one shape."""
    for image in (target, prediction):
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise SpecError(f"an image is uint8 (height, width, 3), not {image.dtype} {image.shape}")
    if target.shape != prediction.shape:
        raise SpecError(f"a prediction has the shape {target.shape} of its target, not {prediction.shape}")
    return target / 255, prediction / 255


def weighted(values: Values) -> Values:
    """Return the weighted mean of every window that lies inside an image, of values (height, width, channel)."""
    # along one side, then along the other; no matrix products, whose threads cost more than they save
    for axes in ((0, 1), (1, 0)):
        lines = values.transpose(*axes, 2)
        inside = len(lines) - len(WINDOW) + 1
        total = sum(weight * lines[first : first + inside] for first, weight in enumerate(WINDOW))
        values = np.transpose(total, (*axes, 2))
    return values


# ---------------------------------------------------------------------------- objects

Object = tuple[Mapping[str, int], float, float]  # its factors by name, and its place in sides of the image
NEAR = 1 / 32  # sides of the image by which a place may be off


@metric(kind="image", objects=True)
def factor_accuracy(target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Share of objects that are there with every factor right, in their place.

    0 to 1, higher is better. An object of the prediction stands for one of the target, the nearest that looks like it.
    Objects beyond those that should be there cost nothing. No objects: 0.

    >>> red, blue = ({"color": 0, "size": 2}, 0.2, 0.5), ({"color": 3, "size": 2}, 0.7, 0.5)
    >>> factor_accuracy([[red, blue]], [[({"color": 3, "size": 2}, 0.71, 0.5), ({"color": 0, "size": 1}, 0.2, 0.5)]])
    0.5
    """
    left = list(prediction)
    for look, x, y in target:
        alike = [one for one in left if one[0] == look and hypot(one[1] - x, one[2] - y) <= NEAR]
        if alike:
            left.remove(min(alike, key=lambda one: hypot(one[1] - x, one[2] - y)))
    return len(prediction) - len(left), len(target)


def right_values(factor: str, target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Tell how many objects have a factor right, of how many: each by what is drawn nearest."""
    right = 0
    for look, x, y in target:
        if factor not in look:
            raise SpecError(f"these objects have no {factor} that could be right; they have {', '.join(look)}")
        near = [one for one in prediction if hypot(one[1] - x, one[2] - y) <= NEAR]
        if near:
            right += min(near, key=lambda one: hypot(one[1] - x, one[2] - y))[0][factor] == look[factor]
    return right, len(target)


@metric(kind="image", objects=True)
def color_accuracy(target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Share of objects in whose place one of the right color is drawn, whatever else it is.

    0 to 1, higher is better. Solids with textures have no color, which is an error. No objects: 0.

    >>> color_accuracy([[({"color": 0, "size": 2}, 0.2, 0.5)]], [[({"color": 0, "size": 3}, 0.2, 0.5)]])
    1.0
    """
    return right_values("color", target, prediction)


@metric(kind="image", objects=True)
def shape_accuracy(target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Share of objects in whose place one of the right shape is drawn, whatever else it is.

    0 to 1, higher is better. No objects: 0.

    >>> shape_accuracy([[({"shape": 1, "size": 2}, 0.2, 0.5)]], [[({"shape": 3, "size": 2}, 0.2, 0.5)]])
    0.0
    """
    return right_values("shape", target, prediction)


@metric(kind="image", objects=True)
def size_accuracy(target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Share of objects in whose place one of the right size is drawn, whatever else it is.

    0 to 1, higher is better. No objects: 0.

    >>> size_accuracy([[({"shape": 1, "size": 2}, 0.2, 0.5)]], [[({"shape": 3, "size": 2}, 0.2, 0.5)]])
    1.0
    """
    return right_values("size", target, prediction)


@metric(kind="image", objects=True)
def material_accuracy(target: Sequence[Object], prediction: Sequence[Object]) -> Counts:
    """Share of objects in whose place one of the right material is drawn, whatever else it is.

    0 to 1, higher is better. Sprites are of no material, which is an error. No objects: 0.

    >>> material_accuracy([[({"shape": 1, "material": 7}, 0.2, 0.5)]], [[({"shape": 3, "material": 7}, 0.2, 0.5)]])
    1.0
    """
    return right_values("material", target, prediction)
