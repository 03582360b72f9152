"""What a metric is: pooled counts, rows, and errors that finish the sentence."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.core.task import KINDS
from unseen.metrics import METRICS, metric
from unseen.metrics.metric import Counts, available


@metric(kind="question", higher_is_better=False)
def words_wrong(target: str, prediction: str) -> Counts:
    """Share of the words that are wrong.

    The rest of the docstring is no part of the description.
    """
    words = target.split()
    return len(set(words) - set(prediction.split())), len(words)


def test_a_metric_is_named_and_described_by_its_function():
    assert words_wrong.name == "words_wrong"
    assert words_wrong.description == "Share of the words that are wrong."
    assert words_wrong.kind == "question"
    assert repr(words_wrong) == "<metric words_wrong of question tasks: lower is better>"


def test_a_data_set_is_pooled_and_not_averaged():
    targets, predictions = ["a", "b c d"], ["x", "b c d"]
    assert words_wrong(targets, predictions) == 1 / 4
    assert words_wrong.each(targets, predictions) == [1.0, 0.0]


def test_an_example_in_which_nothing_is_possible_is_nan_and_changes_no_pool():
    assert math.isnan(words_wrong.each([""], ["x"])[0])
    assert words_wrong(["", "a b"], ["x", "a"]) == 1 / 2
    assert words_wrong([""], ["x"]) == 0.0
    assert words_wrong([], []) == 0.0


def test_a_missing_prediction_is_an_error():
    with pytest.raises(SpecError, match="words_wrong needs one prediction per target, got 1 for 2"):
        words_wrong(["a", "b"], ["a"])


def test_an_unknown_metric_is_answered_with_the_nearest_name():
    with pytest.raises(UnknownName, match="Did you mean 'grid_accuracy'"):
        METRICS["grid_acuracy"]


def test_metrics_need_neither_pyarrow_nor_numba_nor_torch():
    program = "import sys, unseen.metrics; sys.exit(bool({'pyarrow', 'numba', 'torch'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("name", list(METRICS))
def test_every_registered_metric_has_a_kind_and_a_description(name):
    found = METRICS[name]
    assert found.name == name
    assert found.kind in (*KINDS, "view")  # a view: another question than a task's own
    assert found.description.endswith(".")


def test_a_metric_that_needs_what_cannot_be_had_is_left_out_with_a_reason():
    def unreachable() -> None:
        raise DataError("its weights could not be fetched")

    @metric(kind="question", prepare=unreachable)
    def weighty(target: str, prediction: str) -> Counts:
        """Needs weights."""
        return 0, 1

    METRICS.add("weighty", weighty)
    try:
        with pytest.warns(UserWarning, match="weighty is left out: its weights could not be fetched"):
            assert [found.name for found in available(["weighty", "mse"])] == ["mse"]
    finally:
        METRICS.remove("weighty")
    with pytest.raises(UnknownName):
        available(["mean_square_error"])
