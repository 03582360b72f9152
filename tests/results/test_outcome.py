"""A benchmark's own analysis sees scores as people do, and the answers of runs that are at hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from unseen.core.analysis import Finding
from unseen.core.catalogue import BENCHMARKS
from unseen.core.task import Benchmark
from unseen.results.outcome import findings, outcome_of
from unseen.results.record import read_record, write_record
from unseen.runs import open_run


@pytest.fixture
def folder(make_run) -> Path:
    return make_run(options={"width": 64}, freeze=["body"], init_from="runs/a")


def test_an_outcome_has_its_scores_in_percent_and_its_model_with_its_options(folder: Path, tmp_path: Path):
    outcome = outcome_of(read_record(write_record(folder, tmp_path)))
    assert outcome.task.id == "cogitao/s2-translate"
    assert (outcome.model, outcome.began_with) == ("resnet+width=64, body frozen", "runs/a")
    assert outcome.value("test") == outcome.value("test", "grid_accuracy") == 90.0
    assert outcome.value("test_ood") is None
    assert outcome.answers("test", 2) == ()


def test_a_run_that_is_at_hand_gives_its_first_answers(folder: Path, tmp_path: Path):
    outcome = outcome_of(read_record(write_record(folder, tmp_path)), open_run(folder))
    answers = outcome.answers("test", 3)
    assert [example.index for example, _ in answers] == [0, 1, 2]
    assert all((answer == example.target["grid"]).all() for example, answer in answers)
    assert outcome.answers("val", 3) == []


def test_an_analysis_from_anywhere_is_asked_about_the_records_of_its_benchmark(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    record = read_record(write_record(folder, tmp_path))
    analysis = SimpleNamespace(
        findings=lambda outcomes: [Finding("Runs", f"{one.model}: {len(one.answers('test', 5))}") for one in outcomes]
    )
    monkeypatch.setattr(Benchmark, "optional_file", lambda self, name: analysis if name == "analysis" else None)
    (found,) = findings([record], BENCHMARKS["cogitao"], [open_run(folder)])
    assert found.about == "resnet+width=64, body frozen: 5"
    assert findings([record], BENCHMARKS["video"]) == []


def test_a_benchmark_without_an_analysis_finds_nothing(folder: Path, tmp_path: Path):
    assert findings([read_record(write_record(folder, tmp_path))], BENCHMARKS["cogitao"]) == []
