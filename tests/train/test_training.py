"""Runs: the same twice, other configurations refused, weights handed on, data from shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unseen
from unseen.core.errors import DataError
from unseen.data.generate import generate
from unseen.runs import open_run
from unseen.train import trained_model
from unseen.train.checkpoint import load_weights


def test_the_same_seed_gives_the_same_weights_and_another_others(short, weights) -> None:
    first, second, other = short(out="one"), short(out="two"), short(seed=1)
    assert weights(first) == weights(second)
    assert weights(first, "best.safetensors") == weights(second, "best.safetensors")
    assert weights(first) != weights(other)
    losses = [[line.splits for line in run.log] for run in (first, second)]
    assert losses[0] == losses[1]


def test_a_model_with_an_objective_of_its_own_is_deterministic_too(short, weights, owner: str) -> None:
    assert weights(short(model=owner, out="one")) == weights(short(model=owner, out="two"))


def test_a_folder_says_what_its_run_is_of(short, small_task: str, tmp_path: Path) -> None:
    run = short(options={"width": 4}, seed=2)
    assert run.folder == tmp_path / "runs" / small_task / "Tiny+width=4" / "seed-2"
    again = open_run(run.folder)
    assert again.config == run.config
    assert again.task.id == small_task
    assert again.config.examples == 100
    written = json.loads((run.folder / "config.json").read_text())
    assert written["versions"].keys() == {"unseen", "torch", "lightning-fabric"}
    assert written["machine"]["device"] == "cpu"
    assert written["machine"]["cores"] >= 1
    assert written["parameters"] > 0


def test_a_finished_run_is_left_as_it_is(short) -> None:
    before = {path: path.stat().st_mtime_ns for path in short().folder.glob("*.safetensors")}
    assert {path: path.stat().st_mtime_ns for path in short().folder.glob("*.safetensors")} == before


def test_the_folder_of_another_configuration_is_refused(short) -> None:
    short()
    with pytest.raises(DataError, match="batch_size is 16 there, and 8 was asked for"):
        short(batch_size=8)


def test_starting_afresh_replaces_the_run_and_nothing_else(short) -> None:
    folder = short().folder
    (folder / "notes.txt").write_text("mine")
    (folder / "predictions-test.parquet").write_text("of the old weights")
    run = short(batch_size=50, fresh=True)
    assert run.state.step == 4
    assert [line.step for line in run.log] == [2, 4]
    assert (folder / "notes.txt").exists()
    assert not (folder / "predictions-test.parquet").exists()
    assert len(list((folder / "tensorboard").iterdir())) == 1


@pytest.mark.parametrize("content", ["{", "{}", '{"recipe": {"epoch": 3}, "freeze": []}', "[]"])
def test_a_damaged_configuration_is_a_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(DataError, match="it is damaged or of another version of unseen"):
        open_run(tmp_path)


def test_a_folder_without_a_run_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is not the folder of a run: it has no config\.json"):
        open_run(tmp_path)


def test_stored_examples_give_the_weights_that_drawn_ones_give(short, weights, small_task: str, tmp_path) -> None:
    task = unseen.task(small_task)
    stored = generate(task, tmp_path / "data", splits=["train"], workers=1)
    drawn = short(out="drawn")
    assert weights(short(data=stored)) == weights(drawn)
    assert short(data=stored, out="drawn").config == drawn.config


def test_a_folder_of_other_data_is_refused(short, tmp_path: Path) -> None:
    other = generate(unseen.task("cogitao/s1-pad"), tmp_path / "data", splits=["train"], count=5, workers=1)
    with pytest.raises(DataError, match="holds cogitao/s1-pad, not cogitao/custom"):
        short(data=other)
    with pytest.raises(DataError, match=r"there is no folder \S+ to train from"):
        short(data=tmp_path / "none")


def test_weights_come_from_another_run_and_frozen_ones_stay(short) -> None:
    first = short(seed=5)
    second = short(out="second", init_from=first.folder, freeze=["body"])
    before, after = (load_weights(run.folder / "best.safetensors") for run in (first, second))
    kept = [name for name in before if before[name].equal(after[name])]
    assert kept == [name for name in before if name.startswith("body")]
    assert second.config.freeze == ("body",)
    assert second.config.init_from == str(first.folder)


def test_the_model_of_a_run_has_its_best_weights(short) -> None:
    run = short()
    model = trained_model(open_run(run.folder))
    assert not model.training
    best = load_weights(run.folder / "best.safetensors")
    assert all(value.equal(best[name]) for name, value in model.state_dict().items())


def test_weights_of_another_model_are_a_sentence(short, weights) -> None:
    run = short(options={"width": 4})
    other = short()
    (other.folder / "best.safetensors").write_bytes((run.folder / "best.safetensors").read_bytes())
    with pytest.raises(DataError, match="are of another model than"):
        trained_model(other)
