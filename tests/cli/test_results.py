"""`unseen score` on the folder of a run, and `unseen results`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def records(run, make_run, tmp_path: Path) -> Path:
    """A folder with the record of one run."""
    folder = tmp_path / "results"
    assert run("score", make_run(), "--results", folder).code == 0
    return folder


def test_a_run_is_scored_and_its_record_written(run, make_run, tmp_path: Path) -> None:
    folder = make_run()
    scored = run("score", folder, "--results", tmp_path / "results")
    assert scored.code == 0
    assert "10 predictions of resnet, seed 0" in scored.out
    assert "resnet-seed-0.json" in scored.out
    found = json.loads(run("score", folder, "--results", tmp_path / "results", "--json").out)
    assert found["scores"]["test"]["metrics"]["grid_accuracy"] == {"value": 0.9, "better": "higher"}


def test_a_run_is_scored_whole(run, make_run) -> None:
    code, _, err = run("score", make_run(), "test")
    assert code == 2
    assert "is a run, all of which is scored" in err


def test_a_task_alone_cannot_be_scored(run) -> None:
    code, _, err = run("score", "cogitao/c1-1")
    assert code == 2
    assert "name the run's folder, or a task, a split and a file of predictions" in err


def test_results_stand_beside_the_published_ones(run, records: Path) -> None:
    shown = run("results", "cogitao", "--records", records)
    assert shown.code == 0
    words = " ".join(shown.out.split())
    assert "s2-translate resnet 90.0 100.0" in words
    assert "s2: 9 tasks resnet missing" in words
    assert "Table 4: " in shown.out
    assert "None of its 30 results was run." in shown.out


def test_one_table_is_shown_whole(run, records: Path) -> None:
    shown = run("results", "--table", "4", "--records", records)
    assert "c1: 5 tasks" in shown.out
    assert "Table 2" not in shown.out


def test_results_are_printed_for_programs_and_papers(run, records: Path) -> None:
    (found,) = json.loads(run("results", "--table", "2", "--records", records, "--json").out)
    assert [row["task"] for row in found["rows"] if not row["missing"]] == ["s2-translate"]
    assert "| s2-translate | resnet | 90.0 |" in run("results", "--records", records, "--markdown").out
    assert r"s2-translate & resnet & 90.0 &" in run("results", "--records", records, "--latex").out


def test_two_formats_at_once_are_a_mistake(run) -> None:
    code, _, err = run("results", "--json", "--latex")
    assert code == 2
    assert "choose one of --json, --markdown and --latex" in err


def test_an_unknown_table_is_a_mistake(run) -> None:
    code, _, err = run("results", "--table", "3")
    assert code == 2
    assert "no table named '3' in cogitao" in err


def test_a_report_is_written_for_the_browser(run, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = run("results", "--records", records, "--runs", tmp_path / "runs", "--html", out, "--json")
    assert shown.code == 0
    json.loads(shown.out)  # the name of the page does not stand in the way of programs
    assert f"report: {out / 'index.html'}" in shown.err
    assert (out / "cogitao/s2-translate/resnet-seed-0.html").is_file()
