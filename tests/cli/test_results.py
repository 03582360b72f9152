"""`unseen score` on the folder of a run, and `unseen results`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unseen.core.analysis import DASH


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
    sure = pytest.approx([0.5958, 0.9821], abs=1e-4)
    assert found["scores"]["test"]["metrics"]["grid_accuracy"] == {"value": 0.9, "better": "higher", "interval": sure}


def test_a_run_is_scored_whole(run, make_run) -> None:
    code, _, err = run("score", make_run(), "test")
    assert code == 2
    assert "is a run, all of which is scored" in err


@pytest.mark.parametrize("place", [1, 2, 3])
def test_options_of_a_scored_task_may_stand_anywhere(run, place: int, tmp_path: Path) -> None:
    words = ["cogitao/custom", "test", tmp_path / "key=value" / "none.parquet"]
    words.insert(place, "grid=9")
    code, _, err = run("score", *words)
    assert code == 2
    assert f"there is no predictions file {tmp_path / 'key=value' / 'none.parquet'}" in err


def test_a_task_alone_cannot_be_scored(run) -> None:
    code, _, err = run("score", "cogitao/c1-1")
    assert code == 2
    assert "name the run's folder, or a task, a split and a file of predictions" in err


def test_our_results_are_next_to_the_published_ones_and_the_rest_is_folded(run, records: Path) -> None:
    shown = run("results", "cogitao", "--records", records)
    assert shown.code == 0
    words = " ".join(shown.out.split())
    assert "s2-translate resnet 90.0 100.0" in words
    assert "and 199 published rows without a run; --all shows them" in words
    assert "Table 4: " in shown.out
    assert "s3-mirror" not in shown.out
    assert "left out: the records that come with unseen: add --records shipped" in shown.out


def test_all_shows_every_published_row(run, records: Path) -> None:
    words = " ".join(run("results", "cogitao", "--records", records, "--all").out.split())
    assert "without a run" not in words
    assert f"s3-mirror resnet {DASH} 98.3" in words


def test_the_records_that_ship_are_found_from_anywhere(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = " ".join(run("results", "--table", "2").out.split())
    assert "s2-mirror resnet 11.3 27.4" in words
    assert "(shipped)" in words


def test_runs_of_ones_own_tasks_and_models_are_shown(run, make_run, tmp_path: Path) -> None:
    task = "cogitao/custom+grid=10+max_size=4+objects=1+sequences=rot90"
    folder = make_run(task=task, model="mine.py:Mine", options={"width": 8}, right={"test": 5})
    run("score", folder, "--results", tmp_path / "results")
    words = " ".join(run("results", "--records", tmp_path / "results").out.split())
    assert "Runs outside the published tables" in words
    assert f"{task.partition('/')[2]} Mine+width=8 50.0 1" in words


@pytest.mark.parametrize(("table", "least"), [("2", "s3-mirror"), ("4", "c2-5")])
def test_a_table_that_is_asked_for_is_shown_whole(run, records: Path, table: str, least: str) -> None:
    shown = run("results", "--table", table, "--records", records)
    assert least in shown.out
    assert f"Table {table}: " in shown.out
    assert "without a run" not in shown.out
    assert shown.out.count("Table ") == 1


def test_results_are_printed_for_programs_and_papers(run, records: Path) -> None:
    found = json.loads(run("results", "--table", "2", "--records", records, "--json").out)
    (table,) = found["tables"]
    assert [row["task"] for row in table["rows"] if not row["missing"]] == ["s2-translate"]
    assert len(table["rows"]) == 200
    assert "| s2-translate | resnet | 90.0 |" in run("results", "--records", records, "--markdown").out
    assert r"s2-translate & resnet & 90.0 &" in run("results", "--records", records, "--latex").out


def test_findings_of_a_benchmarks_own_are_printed(run) -> None:
    found = json.loads(run("results", "cvr", "--json").out)
    titles = [one["title"] for one in found["findings"]]
    assert titles[0] == "Sample efficiency"
    assert "Curriculum" in titles
    words = run("results", "cvr", "--all").out
    assert "Sample efficiency. Accuracy by the number of training samples" in words


def test_two_formats_at_once_are_a_mistake(run) -> None:
    code, _, err = run("results", "--json", "--latex")
    assert code == 2
    assert "choose one of --json, --markdown and --latex" in err


def test_an_unknown_table_is_a_mistake(run) -> None:
    code, _, err = run("results", "--table", "3")
    assert code == 2
    assert "no table named '3' in cogitao" in err


def test_pictures_without_a_report_are_a_mistake(run, tmp_path: Path) -> None:
    code, _, err = run("results", "--pictures", tmp_path)
    assert code == 2
    assert "--pictures are for the report" in err


def test_a_report_is_written_for_the_browser(run, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = run("results", "--records", records, "--runs", tmp_path / "runs", "--html", out, "--json")
    assert shown.code == 0
    json.loads(shown.out)  # the name of the page does not stand in the way of programs
    assert f"report: {out / 'index.html'}" in shown.err
    assert (out / "cogitao/s2-translate/resnet-seed-0.html").is_file()
