"""Answers of models, and the predictions file of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import unseen
from unseen.core.errors import DataError, UnknownName
from unseen.data.generate import generate
from unseen.predict import read_predictions
from unseen.predict.trained import answer, predict, splits_to_test
from unseen.results.scoring import score
from unseen.runs import Run
from unseen.train import Devices, Recipe, train
from unseen.train.modules import make_model


class Knowing:
    """Makes a model that has been told the targets; it leaves the padding to the batches."""

    def __new__(cls, task):
        from torch import nn

        model = nn.Linear(1, 1)
        model.predict = lambda batch: batch["target_grid"]
        return model


@pytest.fixture(scope="module")
def run(tiny: str, small_ood_task: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    recipe = Recipe(batch_size=50, epochs=1)
    return train(small_ood_task, tiny, recipe=recipe, out=tmp_path_factory.mktemp("runs"), on=Devices("cpu"))


def test_answers_are_padded_as_batches_are_and_scored_with_their_padding() -> None:
    dataset = unseen.load("cogitao/g2-1", "test")[:60]
    answers = answer(Knowing(None), dataset, device="cpu")
    assert {grid.shape for grid in answers} == {(20, 20)}
    assert {grid.dtype for grid in answers} == {np.dtype(np.int8)}
    assert any((grid == -1).any() for grid in answers)
    path_free = [example.target["grid"] for example in unseen.load("cogitao/g2-1", "test")]
    right = answers + path_free[60:]
    assert score("cogitao/g2-1", "test", right, metrics=["grid_accuracy", "cell_accuracy"]) == {
        "grid_accuracy": 1.0,
        "cell_accuracy": 1.0,
    }
    padding_painted = [np.maximum(grid, 0) for grid in answers]
    wrong = score("cogitao/g2-1", "test", padding_painted + path_free[60:], metrics=["grid_accuracy"])
    assert wrong["grid_accuracy"] == 0.94


def test_every_example_is_answered_in_order(tiny: str, small_task: str) -> None:
    dataset = unseen.load(small_task, "val")[:30]
    model = make_model(tiny, dataset.task)
    whole = answer(model, dataset, device="cpu")
    parts = answer(model, dataset, device="cpu", batch_size=7)
    assert len(whole) == 30
    assert all(np.array_equal(one, other) for one, other in zip(whole, parts, strict=True))


def test_progress_is_told(tiny: str, small_task: str) -> None:
    told = []
    dataset = unseen.load(small_task, "val")[:12]
    model = make_model(tiny, dataset.task)
    answer(model, dataset, device="cpu", batch_size=5, progress=lambda *how: told.append(how))
    assert told == [(5, 12, "val"), (10, 12, "val"), (12, 12, "val")]


def test_a_run_leaves_a_predictions_file_that_can_be_scored(run: Run) -> None:
    assert splits_to_test(run) == ["test", "test_ood"]
    path = predict(run.folder, "test_ood", device="cpu")
    assert path == run.folder / "predictions-test_ood.parquet"
    found = read_predictions(path)
    assert (found.task, found.split, found.model, len(found)) == (run.task.id, "test_ood", "Tiny", 1000)
    assert 0 <= score(run.task, "test_ood", path)["cell_accuracy"] <= 1


def test_stored_examples_get_the_answers_that_drawn_ones_get(run: Run, tmp_path: Path) -> None:
    stored = generate(run.task, tmp_path / "data", splits=["test"], count=20, workers=1)
    drawn = read_predictions(predict(run, "test", device="cpu")).values[:20]
    found = read_predictions(predict(run, "test", data=stored, device="cpu"))
    assert found.indices == tuple(range(20))
    assert all(np.array_equal(one, other) for one, other in zip(drawn, found.values, strict=True))


def test_other_data_and_unknown_splits_are_refused(run: Run, tmp_path: Path) -> None:
    other = generate(unseen.task("cogitao/s1-pad"), tmp_path / "data", splits=["test"], count=5, workers=1)
    with pytest.raises(DataError, match="holds cogitao/s1-pad, not cogitao/custom"):
        predict(run, "test", data=other)
    with pytest.raises(UnknownName, match="Did you mean 'test'"):
        predict(run, "tset")
