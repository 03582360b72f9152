"""What the figures show, on videos whose failures are known."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.benchmarks.video.paper import SCORES
from unseen.core.errors import SpecError
from unseen.metrics.tracking import EVALUATED_AFTER_WARM_START, count, failures_by_objects, relative, warm_start


def counts(*rows, frames=(0, 1)):
    """Counts of videos of one frame of one row, truth and prediction."""
    truth, predictions = (np.array([[[row]] for row in column], np.uint8) for column in zip(*rows, strict=True))
    return count(truth, predictions, frames=frames, min_pixels=0, exclude_background=False)


def test_failures_are_shares_of_the_videos_with_so_many_objects():
    found = counts(
        ([1, 1, 0, 0], [5, 5, 6, 0]),  # one object, matched, and a false positive
        ([1, 1, 0, 0], [5, 5, 0, 0]),
        ([1, 1, 2, 2], [5, 5, 0, 0]),  # two objects, one missed
        ([0, 0, 0, 0], [5, 0, 0, 0]),  # none
    )
    assert failures_by_objects(found) == {
        1: {"Miss": 0, "IDS": 0, "FP": 50, "all": 50},
        2: {"Miss": 50, "IDS": 0, "FP": 0, "all": 50},
    }


def test_warm_starts_are_compared_with_that_of_two_frames():
    perfect, blind = counts(([1, 1], [5, 5])), counts(([1, 1], [0, 0]))
    assert warm_start({0: blind, 2: perfect, 10: perfect}) == {0: -100, 2: 0, 10: 0}
    with pytest.raises(SpecError, match="compared with that of 2 frames, which is missing"):
        warm_start({0: blind})


def test_a_warm_start_is_evaluated_on_the_last_ten_of_twenty_frames():
    truth = np.ones((1, 20, 3, 3), np.uint8)
    predictions = truth.copy()
    predictions[:, :10] = 0
    assert count(truth, predictions, frames=EVALUATED_AFTER_WARM_START).scores()["MOTA"] == 100


def test_relative_performance_is_that_of_figure_5():
    test = {one.metric: one.value for one in SCORES["2"] if (one.task, one.model) == ("vmds", "op3")}
    occlusion = {one.metric: one.value for one in SCORES["E.2"] if (one.split, one.model) == ("test_occlusion", "op3")}
    assert relative(occlusion, test) == pytest.approx({"mota": 93.0, "motp": 97.9, "mt": 93.0}, abs=0.1)
