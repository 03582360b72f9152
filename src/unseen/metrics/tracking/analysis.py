"""What the paper's figures show, from counts of videos."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unseen.core.errors import SpecError
from unseen.metrics.tracking.evaluation import Counts

FAILURES = ("Miss", "IDS", "FP")
EVALUATED_AFTER_WARM_START = (10, 20)  # frames, of the 20 of a test video
COMPARED_WITH = 2  # the warm start that others are compared with


def warm_start(counts: Mapping[int, Counts]) -> dict[int, float]:
    """MOTA after so many frames of warm start, less that after two, in percentage points (Fig. 2).

    Each of the counts is of frames 10 to 19, predicted by a model that saw so many frames before them:
    `count(truth, predictions, frames=EVALUATED_AFTER_WARM_START)`.
    """
    if COMPARED_WITH not in counts:
        raise SpecError(f"warm starts are compared with that of {COMPARED_WITH} frames, which is missing")
    mota = {frames: each.scores()["MOTA"] for frames, each in counts.items()}
    return {frames: value - mota[COMPARED_WITH] for frames, value in mota.items()}


def failures_by_objects(counts: Counts) -> dict[int, dict[str, float]]:
    """Failures of videos with so many objects, in percent of the occurrences of these (Fig. 3, E.1).

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
    """Scores in percent of those on the set that is distributed as the training set is (Fig. 5, 6, E.3).

    >>> relative({"MOTA": 43.4, "MOTP": 82.5}, {"MOTA": 86.8})
    {'MOTA': 50.0}
    """
    return {name: 100 * scores[name] / iid[name] for name in scores if name in iid}
