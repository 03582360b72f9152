"""A record says all that is needed to run and score again, and is read back as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unseen.core.errors import DataError
from unseen.core.seals import without_seal
from unseen.results.record import read_record, record_files, write_record


def test_a_record_says_what_was_trained_for_how_long_where_and_how_it_scored(make_run, tmp_path: Path):
    path = write_record(make_run(steps=160), tmp_path / "results")
    assert path == tmp_path / "results/cogitao/s2-translate/resnet-seed-0.json"
    record = read_record(path)
    assert (record.task, record.options, record.model, record.seed) == ("cogitao/s2-translate", {}, "resnet", 0)
    assert (record.budget.steps, record.budget.examples, record.budget.seconds) == (160, 10_000, 80.0)
    assert record.machine.accelerator == "Some GPU"
    assert record.machine.cores >= 1
    assert record.scores["test"].count == 10
    assert record.scores["test"].metrics["grid_accuracy"].value == 0.9
    assert record.scores["test"].metrics["missed_objects"].better == "lower"
    assert len(record.scores["test"].digest) == 64
    assert record.parameters == 1_203_211
    assert repr(record) == "<resnet on cogitao/s2-translate, seed 0: scores of test>"


def test_options_of_task_and_model_are_in_the_place(make_run, tmp_path: Path):
    run = make_run(task="cogitao/s2-translate+in_context=1", model="my/models.py:Mine", options={"width": 64})
    path = write_record(run, tmp_path)
    assert path == tmp_path / "cogitao/s2-translate+in_context=1/Mine+width=64-seed-0.json"
    assert read_record(path).options == {"in_context": "1"}


def test_a_run_that_noted_no_size_and_machine_has_a_record_too(make_run, tmp_path: Path):
    record = read_record(write_record(make_run(parameters=None, machine={}), tmp_path))
    assert record.parameters is None
    assert record.machine.accelerator is None


def test_scoring_again_gives_the_same_record(make_run, tmp_path: Path):
    run = make_run()
    first = write_record(run, tmp_path).read_bytes()
    assert write_record(run, tmp_path).read_bytes() == first


def test_every_record_of_a_folder_is_found(make_run, tmp_path: Path):
    paths = [write_record(make_run(seed=seed), tmp_path / "results") for seed in (0, 1)]
    assert record_files(tmp_path / "results") == paths
    assert record_files(tmp_path / "none") == []


def test_a_run_without_predictions_says_how_to_make_them(make_run, tmp_path: Path):
    with pytest.raises(DataError, match="has no predictions to score; make them: unseen predict"):
        write_record(make_run(right={}), tmp_path)


def test_a_record_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(DataError, match="there is no record"):
        read_record(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": "many"}, "cannot be read at seed: "),
        ({"extra": 1}, "cannot be read at extra: "),
        ({"format": 99}, "has format 99, and this version reads 1 and 2"),
    ],
)
def test_a_broken_record_is_named(make_run, tmp_path: Path, change, sentence):
    path = write_record(make_run(), tmp_path)
    path.write_text(json.dumps({**json.loads(without_seal(path.read_bytes(), path)), **change}))
    with pytest.raises(DataError, match=sentence):
        read_record(path)


def test_half_a_record_is_named(make_run, tmp_path: Path):
    path = write_record(make_run(), tmp_path)
    path.write_text(path.read_text()[:100])
    with pytest.raises(DataError, match=r"cannot be read: .*; write it again"):
        read_record(path)
