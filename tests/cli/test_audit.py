"""`unseen audit`: a table per split, a line per task, JSON, and an exit code."""

from __future__ import annotations

import json


def test_a_task_is_told_solver_by_solver(run):
    ran = run("audit", "cogitao/g1-1", "test", "--count", 10)
    assert ran.code == 0
    assert "cogitao/g1-1 test: 10 examples" in ran.out
    assert "copy" in ran.out
    assert "majority" in ran.out


def test_by_default_one_split_of_each_sort_is_audited(run):
    ran = run("audit", "cogitao/g1-1", "--count", 3, "--json")
    assert [(one["task"], one["split"]) for one in json.loads(ran.out)] == [
        ("cogitao/g1-1", "train"),
        ("cogitao/g1-1", "test_ood"),
    ]


def test_an_unknown_benchmark_is_a_sentence(run):
    ran = run("audit", "cogitoa", "--count", 3)
    assert (ran.code, ran.err) == (
        2,
        "error: no benchmark named 'cogitoa'. Did you mean 'cogitao'? List them: unseen list\n",
    )


def test_divergence_is_told_split_by_split(run):
    ran = run("audit", "cogitao/c2-1", "--divergence", "--count", 50, "--json")
    lines = json.loads(ran.out)["cogitao/c2-1"]
    assert [line["from train to"] for line in lines[:-1]] == ["val", "test", "val_ood", "test_ood"]
    assert lines[3]["compounds"] == 1.0
    assert "cogitao/c2-1: divergence of 9 examples" in run("audit", "cogitao/c2-1", "--divergence", "--count", 9).out


def test_statistics_are_told_where_a_benchmark_has_some(run):
    ran = run("audit", "covr/iid", "train", "--statistics", "--count", 30, "--json")
    tables = json.loads(ran.out)["covr/iid train"]
    assert tables["questions (Table 3)"]["questions"] == 30
    assert "covr/iid train: templates" in run("audit", "covr/iid", "train", "--statistics", "--count", 30).out
    ran = run("audit", "cogitao/g1-1", "--statistics")
    assert (ran.code, ran.err) == (
        2,
        "error: cogitao has no statistics; what is declared of it: unseen list cogitao/g1-1\n",
    )
