"""Video metrics are the tracking evaluation's numbers as shares, pooled over videos, and need no numba before use."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.errors import SpecError
from unseen.metrics import METRICS
from unseen.metrics.metric import EMPTY
from unseen.metrics.tracking import evaluate

NAMES = {  # ours, and as the paper and its readers write them
    "mota": "MOTA",
    "motp": "MOTP",
    "md": "MD",
    "mt": "MT",
    "mt_strict": "MT-strict",
    "match": "Match",
    "miss": "Miss",
    "id_switches": "IDS",
    "false_positives": "FP",
    "hota": "HOTA",
    "idf1": "IDF1",
    "fg_ari": "FG-ARI",
    "fg_ari_frames": "FG-ARI-frames",
    "miou": "mIoU",
    "mbo": "mBO",
}
ids = hnp.arrays(np.uint8, (3, 5, 4, 4), elements=st.sampled_from([0, 1, 1, 2]))


def test_these_are_the_metrics_of_video_tasks_in_the_order_of_the_paper():
    assert [name for name in METRICS if METRICS[name].kind == "video"] == [*NAMES, "video_mse"]
    assert {name for name in NAMES if not METRICS[name].higher_is_better} == {"miss", "id_switches", "false_positives"}


@settings(max_examples=50)
@given(ids, ids)
def test_a_metric_is_what_evaluate_gives(truth, predictions):
    scores = evaluate(truth, predictions)
    for name, written in NAMES.items():
        found, expected = METRICS[name](list(truth), list(predictions)), scores[written] / 100
        assert found == (pytest.approx(expected) if math.isfinite(expected) else EMPTY), name


@settings(max_examples=50)
@given(ids, ids)
def test_the_value_of_a_video_is_that_of_a_data_set_of_one(truth, predictions):
    for name in NAMES:
        (alone,) = METRICS[name].each([truth[0]], [predictions[0]])
        assert METRICS[name]([truth[0]], [predictions[0]]) == (EMPTY if math.isnan(alone) else alone), name


def test_a_video_that_is_changed_in_place_is_counted_again():
    truth = np.ones((1, 3, 3), np.uint8)
    prediction = truth.copy()
    assert METRICS["mota"]([truth], [prediction]) == 1
    prediction[:] = 0
    assert METRICS["mota"]([truth], [prediction]) == 0


def test_a_single_frame_is_evaluated_though_the_first_two_are_skipped():
    frame = np.ones((1, 3, 3), np.uint8)
    assert METRICS["hota"]([frame], [frame]) == 1


def test_a_prediction_of_another_shape_is_a_mistake():
    with pytest.raises(SpecError, match=r"an id for every pixel \(2, 3, 3\) of its video, not \(2, 3, 4\)"):
        METRICS["mota"]([np.ones((2, 3, 3), int)], [np.ones((2, 3, 4), int)])


def test_listing_metrics_does_not_load_numba():
    program = "import sys; from unseen.metrics import METRICS; list(METRICS); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
