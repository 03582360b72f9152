"""The catalogue as rows."""

from __future__ import annotations

import pytest

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.report.catalogue import benchmark_row, option_rows, rule_rows, task_details


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_every_benchmark_lists_its_tasks_and_rules(name: str) -> None:
    benchmark = BENCHMARKS[name]
    assert [row["task"] for row in benchmark_row(benchmark)["tasks"]] == unseen.tasks(name)
    assert all(row["rule"] and row["what it does"] for row in rule_rows(benchmark))


@pytest.mark.parametrize("name", unseen.tasks())
def test_every_task_can_be_told_in_detail(name: str) -> None:
    details = task_details(unseen.task(name))
    assert details["summary"]
    assert all(found["count"] >= len(found["first"]) > 0 for found in details["compositions"].values())


def test_comments_in_the_code_explain_options_to_users() -> None:
    rows = {row["option"]: row for row in option_rows(unseen.task("cogitao/custom").row.options)}
    assert rows["in_context"]["comment"] == "demonstration pairs of the same sequence before the query"
    assert rows["held_out"]["comment"] == "sequences kept for val_ood and test_ood"
    assert rows["grid"]["default"] == "20"


def test_held_out_sequences_are_not_among_those_trained_on() -> None:
    found = task_details(unseen.task("cogitao/c1-3"))["compositions"]
    assert not set(found["train"]["first"]) & set(found["test_ood"]["first"])
