"""Segmentation of videos: foreground ARI, mean IoU, mean best overlap.

They compare tubes, the pixels of a segment in all evaluated frames, so that a segment has to keep its id; one form of
the foreground ARI is of single frames, where it need not. Every pixel counts, in segments of any size; no prediction is
dropped as background.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.metrics.tracking.identity import best_totals
from unseen.metrics.tracking.overlaps import Overlaps, unions_of

Floats = npt.NDArray[np.float64]


class Segmentation(NamedTuple):
    """Scores of each video (video,)."""

    ari: Floats  # nan where no object is seen
    frame_ari: Floats  # mean over the frames in which an object is seen; nan where there is none
    iou: Floats  # summed over objects, each with the prediction that a one-to-one assignment gives it
    best_overlap: Floats  # summed over objects, each with the prediction that fits it best
    objects: npt.NDArray[np.int64]


def segmentation(overlaps: Overlaps) -> Segmentation:
    """Compare the tubes of objects with those of predictions."""
    tubes = overlaps.pixels.sum(axis=1)  # (video, true segment, predicted segment)
    foreground = np.where(overlaps.background[..., None], 0, tubes)
    iou = foreground / np.maximum(unions_of(tubes), 1)
    iou[:, :, 0] = 0  # what is predicted to be nothing is no segment
    return Segmentation(
        ari=adjusted_rand_index(foreground),
        frame_ari=mean_known(adjusted_rand_index(np.where(overlaps.background[:, None, :, None], 0, overlaps.pixels))),
        iou=best_totals(iou),
        best_overlap=iou.max(axis=2).sum(axis=1),
        objects=(foreground.sum(axis=2) > 0).sum(axis=1),
    )


def mean_known(values: Floats) -> Floats:
    """Average over the last axis, leaving nan out; nan where every value is nan.

    >>> mean_known(np.array([[1.0, np.nan, 0.0], [np.nan, np.nan, np.nan]]))
    array([0.5, nan])
    """
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    return np.where(count > 0, np.where(known, values, 0).sum(axis=-1) / np.maximum(count, 1), np.nan)


def adjusted_rand_index(shared: npt.NDArray[np.int64]) -> Floats:
    """Agreement of two groupings, from how many elements their groups share (..., one group, other group).

    1 is the same grouping, 0 is chance, negative is worse; the order of groups does not matter. No elements: nan.

    >>> adjusted_rand_index(np.array([[[2, 0], [0, 2]], [[2, 0], [1, 1]], [[0, 0], [0, 0]]]))
    array([ 1.,  0., nan])
    """
    total = shared.sum(axis=(-1, -2))
    both, one, other = _pairs(shared), _pairs(shared.sum(axis=-1)[..., None]), _pairs(shared.sum(axis=-2)[..., None])
    every = np.maximum(total * (total - 1) / 2, 1)
    expected, highest = one * other / every, (one + other) / 2
    # where chance cannot be told from perfection, both groupings are one group, or all groups are of one element
    with np.errstate(invalid="ignore", divide="ignore"):
        index = np.where(highest == expected, 1.0, (both - expected) / (highest - expected))
    return np.where(total > 0, index, np.nan)


def _pairs(counts: npt.NDArray[np.int64]) -> Floats:
    """Pairs of elements within groups, summed over the last two axes."""
    pairs: Floats = (counts * (counts - 1) / 2).sum(axis=(-1, -2))
    return pairs
