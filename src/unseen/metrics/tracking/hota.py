"""HOTA (Luiten et al. 2021): how well objects are found, and how well they are kept apart over time, in one number.

For each of 19 thresholds of the IoU, 0.05 to 0.95, detections are matched so that tracks agree as far as possible over
the whole video. With TP matches, A(c) the Jaccard index of the two tracks of a match c, and all detections that are
matched or should have been counted once:

    DetA = TP / (TP + misses + false positives)      AssA = sum of A(c) / TP      HOTA = sqrt(DetA * AssA)

The counts are summed over videos before ratios are taken, and the ratios averaged over thresholds, as in TrackEval.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.overlaps import Overlaps, unions_of

Floats = npt.NDArray[np.float64]

STEPS = 20  # thresholds are 1/20, 2/20, ... 19/20


class Hota(NamedTuple):
    """Counts of each video at each threshold (video, threshold)."""

    true_positives: npt.NDArray[np.int64]
    detections: npt.NDArray[np.int64]  # matches, misses and false positives
    association: Floats  # A(c) summed over matches


def hota(overlaps: Overlaps) -> Hota:
    """Match every video for HOTA, and count."""
    shape = videos, _, objects, segments = overlaps.pixels.shape
    lifespans = overlaps.objects.sum(axis=1)[:, :, None] + overlaps.predictions.sum(axis=1)[:, None, :]
    columns = kernels.assign(
        alignment_scores(overlaps, lifespans).reshape(-1, objects, segments),
        overlaps.objects.reshape(-1, objects),
        overlaps.predictions.reshape(-1, segments),
    ).reshape(shape[:3])

    v, f, i = np.nonzero(columns >= 0)
    j = columns[v, f, i]
    reached = STEPS * overlaps.pixels[v, f, i, j] // overlaps.unions[v, f, i, j]  # the last threshold below the IoU
    places = np.ravel_multi_index((v, i, j, np.minimum(reached, STEPS - 1)), (videos, objects, segments, STEPS))
    exactly = np.bincount(places, minlength=videos * objects * segments * STEPS)
    at_least = exactly.reshape(videos, objects, segments, STEPS)[..., ::-1].cumsum(axis=3)[..., ::-1]
    matches = at_least[..., 1:]  # frames in which a pair is matched (video, true segment, predicted segment, threshold)

    jaccard = matches / np.maximum(lifespans[..., None] - matches, 1)
    true_positives = matches.sum(axis=(1, 2))
    seen = overlaps.objects.sum(axis=(1, 2)) + overlaps.predictions.sum(axis=(1, 2))
    return Hota(true_positives, seen[:, None] - true_positives, (matches * jaccard).sum(axis=(1, 2)))


def alignment_scores(overlaps: Overlaps, lifespans: npt.NDArray[np.int64]) -> Floats:
    """What matching maximizes (video, frame, true segment, predicted segment): the IoU, weighted by the tracks' own.

    Tracks overlap in a frame by the share that a pair has in all IoUs of either of its segments.
    """
    iou = np.where(overlaps.pairs, overlaps.pixels, 0) / np.maximum(overlaps.unions, 1)
    shares = iou / np.maximum(unions_of(iou), np.finfo(float).tiny)
    together = shares.sum(axis=1)
    alignment = together / np.maximum(lifespans - together, np.finfo(float).tiny)
    return np.asarray(alignment[:, None] * iou)
