"""Run folders are read as training leaves them, and broken ones named."""

from __future__ import annotations

from pathlib import Path

import pytest

from unseen.core.errors import DataError
from unseen.runs import find_runs, is_run, open_run


def test_a_run_tells_its_task_its_curves_and_its_predictions(make_run):
    run = open_run(make_run(right={"val": 1, "test": 2}, answered=3))
    assert run.task.id == "cogitao/s2-translate"
    assert run.config.recipe.batch_size == 64
    assert run.curve("val", "accuracy")[0] == (0, 0.0)
    assert len(run.curve("train", "loss")) == 11
    assert run.curve("train", "accuracy") == run.curve("val_ood", "loss") == []
    assert list(run.predictions) == ["val", "test"]


def test_runs_are_found_wherever_they_are(make_run, tmp_path: Path):
    folders = [make_run(seed=1), make_run(seed=0), make_run(options={"width": 64})]
    assert find_runs(tmp_path) == sorted(folders)
    assert find_runs(folders[0]) == [folders[0]]
    assert is_run(folders[0])
    assert not is_run(tmp_path)


def test_half_a_line_that_a_killed_process_left_is_none(make_run):
    folder = make_run()
    log = folder / "log.jsonl"
    log.write_text(log.read_text() + '{"step": 17')
    assert len(open_run(folder).log) == 11


def test_a_broken_line_in_the_middle_is_named(make_run):
    folder = make_run()
    log = folder / "log.jsonl"
    log.write_text("[]\n" + log.read_text())
    with pytest.raises(DataError, match=r"log\.jsonl, line 1: input should be"):
        _ = open_run(folder).log


def test_a_folder_that_is_no_run_is_named(tmp_path: Path):
    with pytest.raises(DataError, match=r"is not the folder of a run: it has no config\.json"):
        open_run(tmp_path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", r"config\.json cannot be read: "),
        ('{"task": 1}', r"config\.json cannot be read at task: .*it is damaged or of another version of unseen"),
        ("[]", r"config\.json cannot be read: "),
    ],
)
def test_a_broken_config_is_named(make_run, content, sentence):
    folder = make_run()
    (folder / "config.json").write_text(content)
    with pytest.raises(DataError, match=sentence):
        open_run(folder)
