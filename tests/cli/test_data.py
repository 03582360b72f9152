"""`generate`, `verify`, `export`, `score` and `bench`: the commands that lead to other rooms."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import unseen
from unseen.predict import write_predictions

TASK = "cogitao/s2-rotate"


@pytest.fixture
def folder(run, tmp_path: Path) -> Path:
    """A small stored data set."""
    place = tmp_path / "data"
    made = run("generate", TASK, "--split", "test", "--split", "val", "--count", 40, "--workers", 1, "--out", place)
    assert made.code == 0
    assert made.out.strip() == f"{place}: 80 examples of {TASK} (test 40, val 40)"
    return place


def test_a_folder_is_named_after_the_task(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("generate", "cogitao/custom", "test", "grid=9", "--count", 5, "--workers", 1)
    assert len(unseen.load("data/cogitao/custom+grid=9", "test")) == 5


def test_a_good_folder_has_nothing_wrong(run, folder: Path) -> None:
    checked = run("verify", folder, "--workers", 1)
    assert checked == (0, "80 examples checked, nothing wrong\n", "")


def test_a_task_is_verified_without_data(run) -> None:
    checked = run("verify", "cogitao/c1-1", "test_ood", "--count", 30, "--workers", 1, "--json")
    assert checked.code == 0
    assert json.loads(checked.out) == {"checked": 30, "problems": [], "damaged": []}


def test_a_damaged_shard_is_named_and_exit_code_is_1(run, folder: Path) -> None:
    shard = folder / "val-00000-of-00001.parquet"
    content = bytearray(shard.read_bytes())
    content[len(content) // 3] ^= 255
    shard.write_bytes(content)
    code, out, _ = run("verify", folder, "--workers", 1)
    assert code == 1
    assert shard.name in out
    assert out.endswith("examples checked, one thing wrong\n")


def test_a_wrong_example_is_named_and_exit_code_is_1(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unseen.benchmarks.cogitao.verify.check", lambda record, spec: ["it is upside down"])
    code, out, _ = run("verify", TASK, "test", "--count", 25, "--workers", 1)
    assert code == 1
    assert "test 0: it is upside down" in out
    assert "... and 5 more; --json gives all of them" in out
    assert "25 examples checked, 25 things wrong" in out


def test_a_stored_data_set_can_be_shown_and_exported(run, folder: Path, tmp_path: Path) -> None:
    assert run("show", folder, "val", "--count", 1, "--output", tmp_path / "x.png").code == 0
    exported = run("export", folder, "--format", "json", "--out", tmp_path / "published")
    paths = [line.partition(":")[0] for line in exported.out.splitlines()]
    assert [len(json.loads(Path(path).read_text())) for path in paths] == [40, 40]


def test_an_unknown_format_is_a_mistake(run, tmp_path: Path) -> None:
    code, _, err = run("export", TASK, "test", "--format", "hdf", "--out", tmp_path)
    assert code == 2
    assert "Did you mean 'hdf5'?" in err


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """Right answers to the first half of twenty examples, empty grids for the rest."""
    dataset = unseen.load(TASK, "test")[:20]
    answers = [example.target["grid"] * (example.index < 10) for example in dataset]
    path = tmp_path / "mine.parquet"
    write_predictions(path, dataset.task, "test", answers, indices=range(20))
    return path


def test_predictions_are_scored(run, predictions: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    scored = run("score", TASK, "test", predictions, "--rows", rows)
    assert scored.code == 0
    assert "grid_accuracy" in scored.out
    found = json.loads(run("score", TASK, "test", predictions, "--json").out)
    accuracy = found["metrics"]["grid_accuracy"]
    assert (accuracy["value"], accuracy["better"]) == (0.5, "higher")
    assert accuracy["interval"][0] < 0.5 < accuracy["interval"][1]
    with rows.open() as file:
        assert [float(row["grid_accuracy"]) for row in csv.DictReader(file)] == [1.0] * 10 + [0.0] * 10


def test_rows_take_the_place_of_a_file_when_they_are_whole(run, predictions: Path, tmp_path: Path) -> None:
    kept, rows = tmp_path / "kept.csv", tmp_path / "rows.csv"
    kept.write_text("kept")
    rows.hardlink_to(kept)  # writing into the file would change both
    assert run("score", TASK, "test", predictions, "--rows", rows).code == 0
    assert kept.read_text() == "kept"
    assert len(rows.read_text().splitlines()) == 21
    code, _, err = run("score", TASK, "test", predictions, "--rows", kept / "rows.csv")
    assert code == 2
    assert "could not write" in err


def test_predictions_are_scored_by_the_metrics_that_are_named(run, predictions: Path) -> None:
    words = ["score", TASK, "test", predictions, "--metric", "cell_accuracy", "--metric", "missed_objects"]
    assert "grid_accuracy" not in run(*words).out
    assert list(json.loads(run(*words, "--json").out)["metrics"]) == ["cell_accuracy", "missed_objects"]
    code, _, err = run("score", TASK, "test", predictions, "--metric", "cell_acuracy")
    assert code == 2
    assert "no metric named 'cell_acuracy'. Did you mean 'cell_accuracy'? List them: unseen list --metrics" in err


def test_a_run_is_scored_by_the_metrics_that_are_named_and_keeps_its_record(run, make_run, tmp_path: Path) -> None:
    folder, results = make_run(right={"test": 9}), tmp_path / "results"
    scored = run("score", folder, "--metric", "grid_accuracy", "--results", results)
    assert "0.9" in scored.out
    assert "cell_accuracy" not in scored.out
    assert not results.exists()
    (found,) = json.loads(run("score", folder, "--metric", "cell_accuracy", "--json").out)
    assert list(found["metrics"]) == ["cell_accuracy"]


def test_missing_predictions_are_a_mistake(run, tmp_path: Path) -> None:
    code, _, err = run("score", TASK, "test", tmp_path / "none.parquet")
    assert code == 2
    assert "none.parquet" in err


@pytest.mark.slow
def test_speed_is_measured_and_told(run) -> None:
    found = json.loads(run("bench", "cogitao", "--count", 200, "--json").out)
    assert all(row["microseconds"] > 0 for row in found["examples"])
    assert {row["unit"] for row in found["others"]} == {"CPU s", "per CPU s", "µs", "s", "MB"}
    assert "times faster" in run("bench", "cogitao", "--count", 200).out
