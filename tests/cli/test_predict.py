"""`unseen predict` with a baseline that needs no training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unseen.predict import read_predictions
from unseen.report.tables import DASH


def test_a_baseline_answers_the_splits_that_are_named(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(
        "predict", "video/vmds", "test_small", "test_size", "--model", "blind", "--count", 2, "--seed", 4
    )
    assert code == 0
    assert "score them with: unseen score runs/video/vmds/blind/seed-4" in out
    for split in ("test_small", "test_size"):
        found = read_predictions(f"runs/video/vmds/blind/seed-4/predictions-{split}.parquet")
        assert (found.model, found.split, found.seed, len(found)) == ("blind", split, 4, 2)


def test_what_a_baseline_answered_is_scored_and_stands_in_a_published_table(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("predict", "video/spmot", "--model", "perfect", "--count", 3).code == 0
    assert run("score", "runs/video/spmot/perfect/seed-0").code == 0
    assert (
        "answer with: unseen predict video/spmot --model perfect"
        in run("predict", "runs/video/spmot/perfect/seed-0").err
    )
    lines = run("results", "video", "--table", "2").out.splitlines()
    (row,) = (line for line in lines if " perfect " in line and "(shipped)" not in line)
    assert row.split() == ["spmot", "perfect", "100.0", DASH, DASH, "1", "(0.3", "%", "answered)", DASH]


def test_a_baseline_of_another_kind_of_task_leaves_nothing_behind(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("predict", "cogitao/c1-1", "--model", "regions")
    assert code == 2
    assert "regions answers video tasks" in err
    assert not any(tmp_path.iterdir())


def test_a_baseline_answers_stored_data(run, tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "answers.parquet"
    stored = ("generate", "video/spmot", "--split", "test", "--count", 3, "--workers", 1, "--out", data)
    assert run(*stored).code == 0
    answered = ("--model", "regions", "--data", data, "--out", file)
    assert "3 predictions" in run("predict", "video/spmot", "test", *answered).out
    code, _, err = run("predict", "video/vmds", "test", *answered)
    assert code == 2
    assert "holds video/spmot, not video/vmds" in err


def test_one_file_is_for_one_split(run, tmp_path: Path) -> None:
    code, _, err = run("predict", "video/vmds", "--model", "blind", "--out", tmp_path / "x.parquet")
    assert code == 2
    assert "--out is one file, and there are 8 splits" in err


def test_questions_answered_without_training_are_scored_template_by_template(
    run, question_task, tmp_path: Path
) -> None:
    file = tmp_path / "answers.parquet"
    assert run("predict", question_task, "test", "--model", "majtempl", "--out", file).code == 0
    ran = run("score", question_task, "test", file, "--groups", "--json")
    found = json.loads(ran.out)
    assert found["groups"]["template"].keys() == {"count_ref", "multiple_ref", "choose_attr", "query_attr"}
    assert "choose_attr" in run("score", question_task, "test", file, "--groups").out
    assert "groups" not in json.loads(run("score", question_task, "test", file, "--json").out)


def test_where_a_model_looks_is_written_down(run, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from unseen.runs.views import read_looks
    from unseen.train import Devices, train

    changes = {"epochs": 1, "least_steps": 0, "eval_examples": 8, "batch_size": 8}
    task = "cvr/custom+rules=size+samples=16+size=32"
    made = train(task, "wren", options={"channels": 4}, changes=changes, out=tmp_path, on=Devices("cpu"))
    assert run("predict", made.folder, "test", "--count", 4, "--attribution", 2, "--device", "cpu").code == 0
    assert list(read_looks(made.attribution_file("test"))) == [0, 1]
    refused = run("predict", "cvr/size", "--model", "outlier", "--attribution", 2)
    assert refused.code == 2
    assert "--attribution looks into a trained model" in refused.err
