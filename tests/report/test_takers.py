"""Whoever took a test stands beside people and the floor, by the same metric."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unseen
from unseen.core.asking import form_of
from unseen.core.catalogue import BENCHMARKS
from unseen.report.takers import findings, lowest, published_people
from unseen.results.gather import SHIPPED_FOLDER
from unseen.results.record import MetricValue, SplitScores, read_record


def record(model="gpt", form="", taker="language model", value=0.8, task="cvr/shape", metric="odd_accuracy", **more):
    shipped = read_record(next(SHIPPED_FOLDER.rglob("*-seed-0.json")))
    benchmark = BENCHMARKS[task.partition("/")[0]]
    scores = {"test": SplitScores(50, 0, "", {metric: MetricValue(value, "higher", (value - 0.1, value + 0.1))})}
    own = {"model": model, "model_options": {}, "taker": taker, "form": form, "task": task, "scores": scores}
    return replace(shipped, benchmark_version=benchmark.version, init_from="", freeze=(), seed=0, **own, **more)


def rows(records, benchmark="cvr"):
    return {one.title: one.rows for one in findings(records, BENCHMARKS[benchmark])}


def test_models_people_and_the_floor_are_in_one_table():
    (table,) = rows([record(value=0.6), record("better", value=0.9), record("net", taker="", value=0.7)]).values()
    assert [row[1] for row in table[:3]] == ["better", "net", "gpt"]
    assert table[3][1:4] == ("people (paper)", "96.7", "93.0 to 98.5")
    assert table[4][1].startswith("floor: ")
    assert table[0][2:] == ("90.0", "80.0 to 100.0", "50")


def test_a_task_that_only_models_of_ours_took_has_no_such_table():
    assert rows([record(taker="")]) == {}


def test_views_have_tables_of_their_own():
    asked = {"task": "video/vmds", "metric": "count_accuracy", "form": "count"}
    which = {"task": "video/vmds", "metric": "choice_accuracy", "form": "which"}
    found = rows([record(**asked), record(**which)], "video")
    assert list(found) == ["Test takers on video/vmds, count", "Test takers on video/vmds, which"]
    assert all("people" not in row[1] for table in found.values() for row in table)


def test_records_of_other_content_are_left_out():
    assert rows([replace(record(), benchmark_version=99)]) == {}


@pytest.mark.parametrize(
    ("task", "form", "below"),
    [("svib/dsprites-sa", "choose", 60), ("svib/dsprites-sa", "factors", 95), ("video/vmds", "count", 60)],
)
def test_the_floor_of_a_view_is_what_its_best_shortcut_scores(task, form, below):
    found = lowest(unseen.task(task), "test", form_of(unseen.task(task).benchmark, form), count=30, seed=0)
    again = lowest(unseen.task(task), "test", form_of(unseen.task(task).benchmark, form), count=30, seed=0)
    assert found == again
    assert 0 < found.value < below
    assert found.interval[0] <= found.value <= found.interval[1]
    assert found.items == 30


def test_no_solver_of_the_floor_carries_the_rule():
    found = lowest(unseen.task("cvr/pos"), "test", form_of(BENCHMARKS["cvr"]), count=60, seed=0)
    assert found.value < 60  # the place alone, which is the rule, reaches 100


def test_published_people_are_found():
    assert published_people(unseen.task("covr/iid", text="paraphrased"), "test").value == 91.9
    assert published_people(unseen.task("covr/iid"), "test") is None
    assert published_people(unseen.task("cogitao/c1-1"), "test") is None
