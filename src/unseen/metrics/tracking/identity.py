"""IDF1 (Ristani et al. 2016): how long objects are followed by the one prediction that follows them best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.overlaps import Overlaps

Floats = npt.NDArray[np.float64]


class Identity(NamedTuple):
    """Counts of each video (video,)."""

    followed: Floats  # occurrences of objects that are matched by their own prediction: IDTP
    detections: npt.NDArray[np.int64]  # occurrences of objects and of predictions: 2 IDTP + IDFN + IDFP


def identity(overlaps: Overlaps) -> Identity:
    """Give each object one prediction, each prediction one object at most, so that most occurrences are matched.

    An IoU of exactly 0.5 is enough, as in TrackEval; in CLEAR MOT, which follows the paper, it is not.
    """
    matches = overlaps.pairs & (2 * overlaps.pixels >= overlaps.unions)
    together = matches.sum(axis=1).astype(float)  # frames in which a pair is a match
    seen = overlaps.objects.sum(axis=(1, 2)) + overlaps.predictions.sum(axis=(1, 2))
    return Identity(best_totals(together), seen)


def best_totals(scores: Floats) -> Floats:
    """The highest total of a one-to-one assignment of rows to columns, for each of some matrices (n, rows, columns).

    >>> best_totals(np.array([[[3.0, 2.0], [2.0, 0.0]]]))
    array([4.])
    """
    rows, columns = np.ones(scores.shape[:2], bool), np.ones(scores.shape[::2], bool)
    chosen = kernels.assign(scores, rows, columns)
    taken = np.take_along_axis(scores, np.maximum(chosen, 0)[..., None], axis=2)[..., 0]
    totals: Floats = np.where(chosen >= 0, taken, 0).sum(axis=1)
    return totals
