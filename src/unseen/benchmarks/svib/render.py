"""Record -> arrays: both images, masks, and pictures for people."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, pi, sin
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import kernels
from unseen.benchmarks.svib.sample import Placed, Record, plan, scene_of
from unseen.benchmarks.svib.spec import Spec, View
from unseen.render.palette import Image

Ids = npt.NDArray[np.uint8]  # (h, w), 0 for the background


def paint(objects: tuple[Placed, ...], spec: Spec, size: int) -> Image:
    """The image of a scene of sprites."""
    image = np.empty((size, size, 3), np.uint8)
    known = plan(spec)
    colors = channels(spec.place.colors)
    kernels.paint_sprites(known.limits, known.sizes, known.flat, colors, lanczos(size), scene_of(objects), image)
    return image


@lru_cache(maxsize=64)
def channels(colors: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Colors as numbers (colors, 3)."""
    return np.array([[*bytes.fromhex(color)] for color in colors], np.int64)


def masks(objects: tuple[Placed, ...], spec: Spec, size: int) -> Ids:
    """The object that every pixel of a scene of sprites belongs to."""
    ids = np.zeros((size, size), np.uint8)
    known = plan(spec)
    kernels.paint_ids(known.limits, known.sizes, known.flat, scene_of(objects), ids)
    return ids


# ---------------------------------------------------------------------------- Lanczos' filter

REACH = 3  # pixels on each side


class Weights(NamedTuple):
    """How the columns of a canvas add up to pixels, in the fixed-point numbers of Pillow."""

    starts: npt.NDArray[np.int64]  # the first column of each pixel
    lengths: npt.NDArray[np.int64]  # and how many there are
    sums: npt.NDArray[np.int64]  # (pixels, 1 + most columns): of the weights of a pixel's first columns
    near: npt.NDArray[np.int64]  # the first and last pixel that has columns on both sides of a border
    far: npt.NDArray[np.int64]


@lru_cache(maxsize=16)
def lanczos(size: int) -> Weights:
    """The weights that reduce a canvas of ten times as many columns to `size` pixels."""
    columns = size * kernels.FINE
    centers = (np.arange(size) + 0.5) * kernels.FINE
    reach = REACH * kernels.FINE
    starts = np.maximum((centers - reach + 0.5).astype(np.int64), 0)
    ends = np.minimum((centers + reach + 0.5).astype(np.int64), columns)
    sums = np.zeros((size, 2 * reach + 2), np.int64)
    for pixel in range(size):
        weights = [windowed((x - centers[pixel] + 0.5) / kernels.FINE) for x in range(starts[pixel], ends[pixel])]
        scaled = [round(weight / sum(weights) * 2**kernels.BITS) for weight in weights]
        sums[pixel, 1 : len(scaled) + 1] = np.cumsum(scaled)
    borders = np.arange(columns + 1)
    near = np.searchsorted(ends, borders, side="right")
    far = np.searchsorted(starts, borders, side="left") - 1
    return Weights(starts, ends - starts, sums, near, far)


def windowed(x: float) -> float:
    """Lanczos' window of a sine wave over its argument."""
    if x == 0:
        return 1.0
    return sin(pi * x) / (pi * x) * sin(pi * x / REACH) / (pi * x / REACH) if abs(x) < REACH else 0.0
