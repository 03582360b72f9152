"""Records are aggregated as the published tables are, and none of them is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from types import SimpleNamespace

import pytest

import unseen
from unseen.benchmarks.cogitao.paper import EPOCHS, MADE_WITH, TABLES, TITLES
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import SpecError, UnknownName
from unseen.core.machine import this_machine
from unseen.core.task import Row, Split
from unseen.report.comparison import caption
from unseen.results.compare import compare, other_runs, plain, published, tables_of
from unseen.results.record import FORMAT, Budget, MetricValue, Record, SplitScores

COGITAO = BENCHMARKS["cogitao"]


def record(task="c1-1", model="resnet", seed=0, *, count=1000, examples=1_000_000, **values: float) -> Record:
    """A record with a grid accuracy for each split."""
    scores = {
        split: SplitScores(count, 0, "", {"grid_accuracy": MetricValue(value, "higher")})
        for split, value in values.items()
    }
    budget = Budget({}, 0, examples, 1.0, None)
    of = {"format": FORMAT, "options": {}, "model_options": {}, "parameters": None, "versions": {}, "commit": None}
    of |= {"init_from": "", "freeze": ()}
    return Record(
        task=f"cogitao/{task}",
        model=model,
        seed=seed,
        budget=budget,
        scores=scores,
        benchmark_version=COGITAO.version,
        machine=this_machine(),
        **of,  # type: ignore[arg-type]
    )


def row(records, table, task, model):
    (found,) = (one for one in compare(records, COGITAO, table).rows if (one.task, one.model) == (task, model))
    return found


@pytest.mark.parametrize("table", TABLES)
def test_without_records_every_number_is_the_papers_and_missing_of_ours(table):
    found = compare([], COGITAO, table)
    assert len(found.rows) == len({(result.task, result.model) for result in TABLES[table]})
    assert all(one.missing and one.budget is None for one in found.rows)
    numbers = [number for one in found.rows for number in one.numbers.values()]
    assert all(number.paper is not None and number.ours is None and number.difference is None for number in numbers)


def test_every_table_has_a_title_and_every_model_its_training():
    assert TITLES.keys() == TABLES.keys()
    assert {result.model for table in TABLES.values() for result in table} == set(EPOCHS)


def test_seeds_are_averaged_with_their_standard_error():
    records = [record(seed=seed, test=value, test_ood=0.0) for seed, value in enumerate((0.1, 0.2, 0.3))]
    found = row(records, "4", "c1-1", "resnet")
    number = found.numbers["test"]
    assert number.ours == pytest.approx(20.0)
    assert number.sem == pytest.approx(10 / sqrt(3))
    assert number.difference == pytest.approx(19.9)
    assert (found.runs, found.runs_published) == (3, 3)


def test_the_drop_is_taken_per_run():
    records = [record(seed=0, test=0.9, test_ood=0.5), record(seed=1, test=0.7, test_ood=0.3)]
    drop = row(records, "4", "c1-1", "resnet").numbers["drop"]
    assert drop.ours == pytest.approx(40.0)
    assert drop.sem == pytest.approx(0.0, abs=1e-9)
    assert drop.paper == 0.1


def test_a_single_run_has_no_standard_error():
    assert row([record(test=0.5)], "4", "c1-1", "resnet").numbers["test"].sem is None


def test_a_setting_is_the_mean_of_its_experiments_however_many_seeds_each_has():
    records = [record("c1-1", "grid-tf", 0, test=0.0), record("c1-1", "grid-tf", 1, test=0.0)]
    records += [record(f"c1-{k}", "grid-tf", test=0.5) for k in (2, 3, 4, 5)]
    found = row(records, "1", "c1", "grid-tf")
    assert found.numbers["test"].ours == pytest.approx(40.0)
    assert found.numbers["test"].difference == pytest.approx(40.0 - 59.8)
    assert (found.experiments, found.runs, found.runs_published) == (5, 6, 15)


def test_part_of_a_setting_is_not_held_against_the_whole():
    found = row([record("c1-2", "grid-tf", test=0.5)], "1", "c1", "grid-tf")
    assert found.numbers["test"].ours == pytest.approx(50.0)
    assert found.numbers["test"].difference is None
    assert (found.experiments, found.experiments_published) == (1, 5)


def test_the_published_drop_of_a_setting_is_the_printed_one():
    assert row([], "1", "g2", "pl-tf").numbers["drop"].paper == 37.6  # 92.6 less 54.9 is 37.7


@pytest.mark.parametrize(
    ("task", "model", "examples", "share"),
    [("c1-1", "resnet", 1_000_000, 1.0), ("c1-1", "resnet", 10_000, 0.01), ("s2-pad", "llada", 10_000, 0.5)],
)
def test_the_budget_is_the_share_of_the_papers_examples(task, model, examples, share):
    table = "4" if task == "c1-1" else "2"
    assert row([record(task, model, test=0.5, examples=examples)], table, task, model).budget == (share, share)


def test_runs_of_several_budgets_show_the_least_and_the_most():
    records = [record(seed=seed, test=0.5, examples=examples) for seed, examples in enumerate((10_000, 1_000_000))]
    assert row(records, "4", "c1-1", "resnet").budget == (0.01, 1.0)


def test_answers_to_part_of_a_split_are_told():
    assert row([record(test=0.5, count=50)], "4", "c1-1", "resnet").answered == 0.05


@pytest.mark.parametrize("change", [{"benchmark_version": 99}, {"task": "other/c1-1"}])
def test_other_content_is_not_compared(change):
    assert all(one.missing for one in compare([replace(record(test=0.5), **change)], COGITAO, "4").rows)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"model_options": {"width": 64}}, "resnet+width=64"),
        ({"init_from": "runs/a"}, "resnet, from runs/a"),
        ({"freeze": ("body", "head")}, "resnet, body and head frozen"),
    ],
)
def test_a_model_with_options_of_its_own_stands_below_the_published_one(change, name):
    records = [replace(record(test=0.5), **change)]
    assert row(records, "4", "c1-1", "resnet").missing
    changed = row(records, "4", "c1-1", name)
    assert (changed.numbers["test"].ours, changed.published) == (50.0, False)


def test_records_that_came_with_the_library_have_rows_of_their_own():
    found = compare([record(test=0.5)], COGITAO, "4", shipped=[record(test=0.1), record("c1-2", test=0.2)])
    run = [(one.task, one.numbers["test"].ours, one.shipped) for one in found.rows if not one.missing]
    assert run == [("c1-1", 50.0, False), ("c1-1", 10.0, True), ("c1-2", 20.0, True)]


@pytest.mark.parametrize("options", MADE_WITH)
def test_runs_on_the_data_that_the_papers_numbers_were_made_with_stand_beside_them(options):
    name = f"s2-mirror+{options}"
    assert unseen.task(f"cogitao/{name}").id == f"cogitao/{name}"
    made = record(name, test=0.235)
    (mirror,) = [
        one for one in compare([made], COGITAO, "2").rows if one.task.startswith("s2-mirror") and one.model == "resnet"
    ]
    assert (mirror.task, mirror.missing) == (name, False)
    assert mirror.numbers["test"].difference == pytest.approx(23.5 - 27.4)
    assert published(made) == {"test": 27.4}
    assert not other_runs([made], COGITAO).rows
    both = [one for one in compare([made, record("s2-mirror", test=0.1)], COGITAO, "2").rows if not one.missing]
    assert [one.task for one in both] == ["s2-mirror", name]


def test_what_no_table_has_a_place_for_is_shown_apart(small_ood_task):
    custom = small_ood_task.partition("/")[2]
    records = [
        record(test=0.5),
        record(custom, test=0.5, test_ood=0.25),
        replace(record(custom, test=1.0), model_options={"width": 8}),
        record("c1-2", val=0.3),
        record("c1-1+in_context=2", test=0.75),
    ]
    found = other_runs(records, COGITAO)
    assert [(one.task, one.model, one.numbers[next(iter(one.numbers))].ours) for one in found.rows] == [
        (custom, "resnet", 50.0),
        (custom, "resnet+width=8", 100.0),
        ("c1-2", "resnet", 30.0),
        ("c1-1+in_context=2", "resnet", 75.0),
    ]
    assert found.splits == ("test", "test_ood", "val", "drop")
    assert found.rows[0].numbers["drop"].ours == 25.0


def test_a_benchmark_without_a_paper_has_runs_all_the_same(add_benchmark):
    splits = SimpleNamespace(TASKS=(Row("plain", "plain", lambda _: (Split("test", 10, None),)),))
    bare = add_benchmark("bare", splits=splits)
    scores = {"test": SplitScores(10, 0, "", {"odd_accuracy": MetricValue(0.5, "higher")})}
    (only,) = other_runs([replace(record(), task="bare/plain", scores=scores)], bare).rows
    assert (only.numbers["test"].ours, only.budget) == (50.0, None)
    assert tables_of(bare) == []
    with pytest.raises(SpecError, match="bare has no published tables"):
        compare([], bare, "1")


def test_tables_of_errors_are_compared_on_their_own_scale():
    svib = BENCHMARKS["svib"]
    scores = {
        "test_ood": SplitScores(8, 0, "", {"mse": MetricValue(100.0, "lower"), "lpips": MetricValue(0.0372, "lower")})
    }
    task = unseen.task("svib/dsprites-sa", alpha=0.4).id
    records = [replace(record(model="i2i-vit"), task=task, scores=scores, benchmark_version=svib.version)]
    squared = {(one.task, one.model): one for one in compare(records, svib, "11").rows}
    number = squared["dsprites-sa+alpha=0.4", "i2i-vit"].numbers["test_ood"]
    assert (number.ours, number.paper, number.difference) == (100.0, 94.72, pytest.approx(5.28))
    perceptual = {(one.task, one.model): one for one in compare(records, svib, "8").rows}
    assert perceptual["dsprites-sa+alpha=0.4", "i2i-vit"].numbers["test_ood"].difference == pytest.approx(0.02)
    whole = perceptual["dsprites+alpha=0.4", "i2i-vit"]
    assert (whole.experiments, whole.experiments_published, whole.numbers["test_ood"].difference) == (1, 4, None)
    assert published(records[0]) == {"test_ood": 94.72}


def test_a_record_knows_what_the_paper_reports():
    assert published(record(test=0.5)) == {"test": 0.1, "test_ood": 0.0}
    assert published(record("custom", test=0.5)) == {}
    assert published(replace(record(test=0.5), model_options={"width": 64})) == {}


def test_an_unknown_table_is_named():
    with pytest.raises(UnknownName, match="no table named '3' in cogitao"):
        compare([], COGITAO, "3")


def test_a_comparison_becomes_json(tmp_path: Path):
    found = json.loads(json.dumps(plain(compare([record(test=0.5)], COGITAO, "4"))))
    assert found["rows"][0]["numbers"]["test"]["ours"] == 50.0
    assert [one["missing"] for one in found["rows"][:2]] == [False, True]


def test_a_model_that_the_paper_does_not_have_stands_below_its_models():
    found = compare([record(model="mine", test=0.5, test_ood=0.25)], COGITAO, "4")
    last = found.rows[-1]
    assert [row.model for row in found.rows].count("mine") == 1
    assert (last.task, last.model, last.runs, last.published, last.budget) == ("c1-1", "mine", 1, False, None)
    assert {split: (number.ours, number.paper) for split, number in last.numbers.items()} == {
        "test": (50.0, None),
        "test_ood": (25.0, None),
        "drop": (25.0, None),
    }
    assert "0 of 30 published results have a run" in caption(found)


def test_a_model_on_tasks_or_splits_that_a_table_does_not_have_is_not_in_it():
    records = [record(model="mine", task="s1-rotate", test=0.5), record(model="mine", val=0.5)]
    assert not any(row.model == "mine" for row in compare(records, COGITAO, "4").rows)
