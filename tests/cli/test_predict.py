"""`unseen predict` with a baseline that needs no training."""

from __future__ import annotations

from pathlib import Path

import pytest

from unseen.predict import read_predictions


def test_a_baseline_answers_the_splits_that_are_named(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(
        "predict", "video/vmds", "test_small", "test_size", "--model", "blind", "--count", 2, "--seed", 4
    )
    assert code == 0
    for split in ("test_small", "test_size"):
        file = f"predictions/video/vmds/{split}/blind-seed4.parquet"
        assert f"score it with: unseen score video/vmds {split} {file}" in out
        found = read_predictions(file)
        assert (found.model, found.split, found.seed, len(found)) == ("blind", split, 4, 2)


def test_one_file_is_for_one_split(run, tmp_path: Path) -> None:
    code, _, err = run("predict", "video/vmds", "--model", "blind", "--out", tmp_path / "x.parquet")
    assert code == 2
    assert "--out is one file, and there are 8 splits" in err
