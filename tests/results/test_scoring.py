"""Scoring: the truth is drawn again, from a file or a sequence, with a row per example."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import unseen
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS, metric
from unseen.predict import write_predictions
from unseen.results import score, scoring

TASK = unseen.task("cogitao/s1-translate")


@cache
def grids(side: str) -> list[np.ndarray]:
    """The grids of all examples on one side."""
    return [getattr(example, side)["grid"] for example in unseen.load(TASK.id, "test")]


def truth() -> list[np.ndarray]:
    return grids("target")


def inputs() -> list[np.ndarray]:
    return grids("inputs")


def test_the_truth_scores_perfectly_by_every_metric():
    scores = score(TASK, "test", truth())
    assert scores == {
        "grid_accuracy": 1.0,
        "cell_accuracy": 1.0,
        "non_background_accuracy": 1.0,
        "object_iou": 1.0,
        "perfect_objects": 1.0,
        "missed_objects": 0.0,
        "extra_objects": 0.0,
        "duplicate_objects": 0.0,
    }


def test_a_task_scores_its_own_predictions():
    assert TASK.score("test", inputs())["grid_accuracy"] == 0.0


def test_there_is_a_row_per_example_that_the_value_is_made_of():
    scores = score(TASK, "test", [*truth()[:10], *inputs()[10:]], metrics=["grid_accuracy"])
    assert scores.count == len(scores.rows) == 1000
    assert scores["grid_accuracy"] == 0.01
    assert scores.rows[9] == {"index": 9, "grid_accuracy": 1.0}
    assert scores.rows[10] == {"index": 10, "grid_accuracy": 0.0}


def test_a_metric_that_takes_examples_together_gets_some_at_a_time_in_order(monkeypatch):
    asked = []

    def together(targets, predictions):
        asked.append(len(targets))
        return [(int((target == prediction).all()), 1) for target, prediction in zip(targets, predictions, strict=True)]

    @metric(kind="grid", together=together)
    def right(target, prediction):
        """Share of grids that are right."""
        raise AssertionError("examples are taken together")

    monkeypatch.setitem(METRICS._items, "right", right)
    answers = [*truth()[:70], *inputs()[70:]]
    scores = score(TASK, "test", answers, metrics=["right", "grid_accuracy"])
    assert asked == [64] * 15 + [40]
    assert scores["right"] == scores["grid_accuracy"] == 0.07
    assert [row["right"] for row in scores.rows] == [row["grid_accuracy"] for row in scores.rows]


def test_a_file_may_answer_some_examples_in_any_order(tmp_path):
    path = tmp_path / "some.parquet"
    write_predictions(path, TASK, "test", [truth()[7], inputs()[3]], indices=[7, 3])
    scores = score(TASK.id, "test", path)
    assert scores["grid_accuracy"] == 0.5
    assert [row["index"] for row in scores.rows] == [7, 3]
    assert len(scores.digest) == 64


def test_the_json_says_what_was_scored_and_which_way_is_better():
    scores = score(TASK, "test", truth(), metrics=["grid_accuracy", "missed_objects"])
    assert json.loads(scores.to_json()) == {
        "task": "cogitao/s1-translate",
        "split": "test",
        "seed": 0,
        "count": 1000,
        "digest": "",
        "metrics": {
            "grid_accuracy": {"value": 1.0, "better": "higher", "interval": pytest.approx([0.99617, 1.0], abs=1e-5)},
            "missed_objects": {"value": 0.0, "better": "lower", "interval": [0.0, 0.0]},
        },
    }


@pytest.mark.parametrize(("options", "side"), [("", 15), ("+padding=20", 20)])
def test_cell_accuracy_counts_the_padding_of_the_task(options, side):
    empty = [np.zeros((0, 0), np.int8)] * 1000
    assert score(TASK.id + options, "test", empty)["cell_accuracy"] == 1 - 15**2 / side**2


def test_the_seed_decides_the_truth():
    assert score(TASK, "test", truth(), seed=1)["grid_accuracy"] == 0.0


def test_the_truth_may_come_from_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(scoring, "load", lambda folder, split: Dataset(Generated(TASK, split, 5)))
    truth = [example.target["grid"] for example in Dataset(Generated(TASK, "test", 5))]
    scores = score(TASK, "test", truth, data=tmp_path)
    assert (scores["grid_accuracy"], scores.seed) == (1.0, 5)
    with pytest.raises(DataError, match=r"holds cogitao/s1-translate, not cogitao/s1-rotate"):
        score("cogitao/s1-rotate", "test", truth, data=tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no folder .*nowhere to read the truth from"):
        score(TASK, "test", truth(), data=tmp_path / "nowhere")


def test_too_few_predictions_in_a_sequence_are_refused():
    with pytest.raises(SpecError, match="has 1,000 examples, and 3 predictions were given"):
        score(TASK, "test", truth()[:3])


@pytest.mark.parametrize(
    ("task", "split", "seed"), [("cogitao/s1-rotate", "test", 0), (TASK.id, "val", 0), (TASK.id, "test", 1)]
)
def test_predictions_of_something_else_are_refused(tmp_path, task, split, seed):
    path = tmp_path / "other.parquet"
    write_predictions(path, unseen.task(task), split, truth(), seed=seed)
    with pytest.raises(DataError, match=f"the predictions are of {task} {split} with seed {seed}, and were to be"):
        score(TASK, "test", path)


def test_predictions_without_a_row_are_refused(tmp_path):
    path = tmp_path / "empty.parquet"
    write_predictions(path, TASK, "test", [], indices=[])
    with pytest.raises(DataError, match="answer no example of cogitao/s1-translate test, so there is nothing"):
        score(TASK, "test", path)


def test_an_unknown_split_or_metric_is_named():
    with pytest.raises(UnknownName, match="no split named 'tset'"):
        score(TASK, "tset", truth())
    with pytest.raises(UnknownName, match="no metric named 'acuracy'"):
        score(TASK, "test", truth(), metrics=["acuracy"])


def test_a_metric_of_a_third_party_scores_by_name():
    @metric(kind="grid", higher_is_better=False)
    def empty_grids(target, prediction):
        """Share of predictions that hold no object."""
        return not (np.asarray(prediction) > 0).any(), 1

    METRICS.add("empty_grids", empty_grids)
    try:
        scores = score(TASK, "test", [np.zeros((15, 15), int), *truth()[1:]], metrics=["empty_grids"])
    finally:
        METRICS.remove("empty_grids")
    assert scores == {"empty_grids": 0.001}
    assert scores.directions == {"empty_grids": "lower"}


def test_a_kind_without_metrics_is_an_error_that_says_so():
    without = replace(TASK, benchmark=replace(TASK.benchmark, metrics=()))
    with pytest.raises(SpecError, match="cogitao/s1-translate has no metrics to score with"):
        score(without, "test", truth())


def test_a_metric_of_another_kind_is_refused():
    question = replace(TASK, benchmark=replace(TASK.benchmark, kind="question"))
    with pytest.raises(SpecError, match=r"grid_accuracy is a metric of grid tasks, and .* is a question task"):
        score(question, "test", truth())


def test_a_metric_of_the_first_320_examples_leaves_the_others_out(tmp_path):
    task, path = unseen.task("svib/custom", size=16), tmp_path / "predictions.parquet"
    right = unseen.load(task.id, "test")[319].target["image"]
    write_predictions(path, task, "test", [right, np.zeros_like(right)], indices=[319, 320])
    scores = score(task, "test", path, metrics=["mse", "mse_first_320"])
    assert scores["mse_first_320"] == 0 < scores["mse"]
    assert scores.count == 2
