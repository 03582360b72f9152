"""`unseen list`."""

from __future__ import annotations

import json

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.metrics import METRICS


def test_every_task_is_listed_under_its_benchmark(run) -> None:
    for benchmark in BENCHMARKS:
        out = run("list", benchmark).out
        assert all(name in out for name in unseen.tasks(benchmark))
    every = [task["task"] for benchmark in json.loads(run("list", "--json").out) for task in benchmark["tasks"]]
    assert every == unseen.tasks()


def test_the_first_look_is_what_each_benchmark_asks_and_an_example_that_can_be_shown(run) -> None:
    out = run("list").out
    assert len(out.splitlines()) < 24
    shown = [line.split()[2:] for line in out.splitlines() if line.strip().startswith("unseen show ")]
    assert [task.partition("/")[0] for task, _ in shown] == list(BENCHMARKS)
    assert all(split in unseen.task(task).splits for task, split in shown)
    assert all(f"{len(unseen.tasks(benchmark))}  {BENCHMARKS[benchmark].asks}" in out for benchmark in BENCHMARKS)


def test_a_benchmark_says_how_to_cite_it(run) -> None:
    out = run("list", "cvr", "--cite").out
    assert out.startswith("@inproceedings{zerroug2022cvr,")
    assert "eprint = {2206.05379}" in out
    assert run("list", "--cite").out.count("\n@") == len(BENCHMARKS) - 1
    assert set(json.loads(run("list", "--cite", "--json").out)) == {*BENCHMARKS}


def test_a_benchmark_without_a_paper_says_so(run, monkeypatch) -> None:
    monkeypatch.delattr("unseen.benchmarks.cvr.paper.CITATION")
    done = run("list", "cvr", "--cite")
    assert (done.code, done.err) == (2, "error: cvr names no paper to cite\n")


def test_programs_read_the_same_as_json(run) -> None:
    (benchmark,) = json.loads(run("list", "cogitao", "--json").out)
    assert benchmark["tasks"][0]["splits"]["train"] == 100_000


def test_rules_are_listed_with_what_they_are_not_for(run) -> None:
    rows = json.loads(run("list", "cogitao", "--rules", "--json").out)["cogitao"]
    assert len(rows) == 28
    assert "less_than_4_rows" in run("list", "cogitao", "--rules").out


def test_rules_are_found_by_their_relations(run) -> None:
    rows = json.loads(run("list", "cvr", "--rules", "relations=shape,color", "--json").out)["cvr"]
    assert [row["rule"] for row in rows] == ["shape_color", "shape_color_2", "shape_color_3"]
    mistyped = run("list", "cvr", "--rules", "relation=shape")
    assert mistyped.code == 2
    assert "Did you mean 'relations'" in mistyped.err


def test_one_task_is_told_in_detail(run) -> None:
    out = run("list", "cogitao/c1-1").out
    for word in ("translate_up -> rot90", "grid_accuracy", "grid-tf", "in_context", "128"):
        assert word in out


def test_compositions_that_splits_share_are_written_out_once(run) -> None:
    out = run("list", "cogitao/c1-1").out
    assert out.count("rot90 -> rot90") == 1
    assert "as train" in out
    assert "as val_ood" in out


def test_one_task_with_options_is_told_as_json(run) -> None:
    details = json.loads(run("list", "cogitao/custom", "sequences=rot90:pad_top", "--json").out)
    assert details["compositions"]["train"] == {"count": 1, "first": ["rot90 -> pad_top"]}


def test_metrics_are_listed_with_their_kind_and_direction(run) -> None:
    rows = {row["metric"]: row for row in json.loads(run("list", "--metrics", "--json").out)}
    assert rows["grid_accuracy"]["kind"] == "grid"
    assert rows["mse"]["better"] == "lower"
    assert "Share of grids that are exact in every cell" in run("list", "--metrics").out
    assert list(rows) == list(METRICS)


def test_without_torch_models_are_named_and_one_sentence_says_what_to_install(run, monkeypatch) -> None:
    monkeypatch.setattr("unseen.cli.list.find_spec", lambda name: None)
    named, sentence = run("list", "--models").out.splitlines()
    assert "resnet-50" in named
    assert 'pip install ".[train]"' in sentence
