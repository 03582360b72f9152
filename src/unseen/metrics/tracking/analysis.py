"""The numbers of the paper's figures, from counts of videos."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unseen.core.errors import SpecError
from unseen.metrics.tracking.evaluation import Counts

FAILURES = ("Miss", "IDS", "FP")
EVALUATED_AFTER_WARM_START = (10, 20)  # frames, of the 20 of a test video
COMPARED_WITH = 2  # the warm start that others are compared with


def warm_start(counts: Mapping[int, Counts]) -> dict[int, float]:
    """MOTA after a warm start of some frames, less MOTA after two frames, in percentage points (Fig. 2).

    Each of the counts is of frames 10 to 19, predicted by a model that saw so many frames before them:
    `count(truth, predictions, frames=EVALUATED_AFTER_WARM_START)`.
    """
    if COMPARED_WITH not in counts:
        raise SpecError(f"warm starts are compared with that of {COMPARED_WITH} frames, which is missing")
    mota = {frames: each.scores()["MOTA"] for frames, each in counts.items()}
    return {frames: value - mota[COMPARED_WITH] for frames, value in mota.items()}


def failures_by_objects(counts: Counts) -> dict[int, dict[str, float]]:
    """Failures by number of objects in a video, in percent of the objects' occurrences (Fig. 3, E.1).

    By kind, and all of them together as "all". Videos without an object have no share and are left out.
    """
    objects = counts.clear.objects
    failures = {}
    for number in np.unique(objects[objects > 0]).tolist():
        scores = counts.of(objects == number).scores()
        kinds = {kind: scores[kind] for kind in FAILURES}
        failures[number] = {**kinds, "all": sum(kinds.values())}
    return failures


def relative(scores: Mapping[str, float], iid: Mapping[str, float]) -> dict[str, float]:
    """Scores in percent of the scores on the test set that is distributed like training (Fig. 5, 6, E.3).

    >>> relative({"MOTA": 43.4, "MOTP": 82.5}, {"MOTA": 86.8})
    {'MOTA': 50.0}
    """
    return {name: 100 * scores[name] / iid[name] for name in scores if name in iid}
