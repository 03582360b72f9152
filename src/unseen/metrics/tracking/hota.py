"""HOTA (Luiten et al. 2021): how well objects are found, and how well they are kept apart over time, in one number.

For each of 19 thresholds of the IoU, 0.05 to 0.95, detections are matched so that tracks agree as far as possible over
the whole video. With TP matches, A(c) the Jaccard index of the two tracks of a match c, and all detections that are
matched or should have been counted once:

    DetA = TP / (TP + misses + false positives)      AssA = sum of A(c) / TP      HOTA = sqrt(DetA * AssA)

The counts are summed over videos before the ratios are taken, and the ratios averaged over thresholds, as TrackEval does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.overlaps import Overlaps

Floats = npt.NDArray[np.float64]

STEPS = 20  # thresholds are 1/20, 2/20, ... 19/20


class Hota(NamedTuple):
    """Counts of each video at each threshold (video, threshold)."""

    true_positives: Floats
    detections: Floats  # matches, misses and false positives
    association: Floats  # A(c) summed over matches


def hota(overlaps: Overlaps) -> Hota:
    """Match every video for HOTA, and count."""
    iou, pixels = overlaps.iou, overlaps.pixels
    videos, frames, objects, segments = pixels.shape
    lifespans = overlaps.objects.sum(axis=1)[:, :, None] + overlaps.predictions.sum(axis=1)[:, None, :]
    shares = iou / np.maximum(iou.sum(axis=3, keepdims=True) + iou.sum(axis=2, keepdims=True) - iou, np.finfo(float).eps)
    potential = shares.sum(axis=1)
    alignment = potential / np.maximum(lifespans - potential, np.finfo(float).eps)
    scores = alignment[:, None] * iou
    columns = kernels.assign(
        scores.reshape(-1, objects, segments),
        overlaps.objects.reshape(-1, objects),
        overlaps.predictions.reshape(-1, segments),
    ).reshape(videos, frames, objects)

    v, f, i = np.nonzero(columns >= 0)
    j = columns[v, f, i]
    levels = STEPS * pixels[v, f, i, j] // overlaps.unions[v, f, i, j]  # how many thresholds the IoU reaches
    places = np.ravel_multi_index((v, i, j, np.minimum(levels, STEPS - 1)), (videos, objects, segments, STEPS))
    exactly = np.bincount(places, minlength=videos * objects * segments * STEPS)
    matches = exactly.reshape(videos, objects, segments, STEPS)[..., ::-1].cumsum(axis=3)[..., -2::-1]
    jaccard = matches / np.maximum(lifespans[..., None] - matches, 1)
    true_positives = matches.sum(axis=(1, 2)).astype(float)
    return Hota(
        true_positives,
        lifespans_total(overlaps)[:, None] - true_positives,
        (matches * jaccard).sum(axis=(1, 2)),
    )


def lifespans_total(overlaps: Overlaps) -> Floats:
    """Objects and predictions in all frames in which they are seen (video,)."""
    return (overlaps.objects.sum(axis=(1, 2)) + overlaps.predictions.sum(axis=(1, 2))).astype(float)
