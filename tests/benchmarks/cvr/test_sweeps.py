"""The published tables and figures as sweeps: what they hold is what the paper lists."""

from __future__ import annotations

from functools import cache

import pytest

import unseen
from unseen.benchmarks.cvr import paper
from unseen.benchmarks.cvr.rules import RULES
from unseen.sweeps import plan, read_sweep, shipped
from unseen.sweeps.cost import cost_of

NAMES = {rule.id: rule.name for rule in RULES}
PAIRS = {f"cvr/custom+rules={NAMES[a]},{NAMES[b]}+samples=5000": rules for (a, b), rules in paper.COMPONENTS.items()}
RUNS = {
    "table-1": 5 * (103 + 1) * 6,
    "table-3": 5 * (103 + 1) * 6,
    "table-1-ssl": 2 + 2 * (103 + 1) * 6,
    "table-4": 5 * (41 + 70 * 6 + 70),
    "table-4-joint": 5 * (1 + 6 + 6 + 1),
    "figure-5": 5 * (70 + 2 * 70),
    "figure-9": 2 * (103 + 1) * 6,
    "small": 2 * 9 * 6 + 1 + 2 * 2 + 1 + 6 + 6 + 2 * 2,
}


def task(rule: int, samples: int) -> str:
    return unseen.task(f"cvr/{NAMES[rule]}", samples=samples).id


@cache
def planned(name: str):
    return plan(read_sweep(f"cvr/{name}"))


def of(name: str, block: str, model: str = "scl"):
    return [run for run in planned(name) if run.block.startswith(block) and run.model == model]


def test_every_table_and_figure_that_takes_training_ships():
    assert {name.partition("/")[2] for name in shipped() if name.startswith("cvr/")} == RUNS.keys()


@pytest.mark.parametrize("name", RUNS)
def test_sweeps_have_as_many_runs_as_the_paper_has_trainings_and_tests(name):
    runs = planned(name)
    assert len(runs) == len({run.record for run in runs}) == RUNS[name]
    assert len({run.folder for run in runs}) == len(runs)


def test_a_composition_starts_from_the_pair_of_its_components():
    found = {(run.task, run.after.split("/")[3]) for run in of("table-4", "transfer")}
    assert found == {
        (task(rule, samples), pair.partition("/")[2])
        for pair, rules in PAIRS.items()
        for rule in rules
        for samples in paper.REGIMES
    }
    assert {run.task for run in of("table-4", "components")} == PAIRS.keys()


def test_components_are_asked_of_every_model_of_a_composition_of_theirs():
    asked = {(run.after.split("/")[3], run.task) for run in of("figure-5", "reverse")}
    assert asked == {
        (task(rule, 1000).partition("/")[2], task(component, 1000))
        for components, rules in paper.COMPONENTS.items()
        for component in components
        for rule in rules
    }


@pytest.mark.parametrize(
    ("name", "block"), [("table-4", "zero-shot"), ("table-4-joint", "zero-shot"), ("figure-5", "reverse")]
)
def test_what_is_asked_without_learning_takes_no_step(name, block):
    assert cost_of(of(name, block)[:2]).steps == 0


@pytest.mark.parametrize(
    ("samples", "steps", "every"),
    [(20, 800, 8), (50, 800, 8), (100, 800, 8), (200, 800, 8), (500, 800, 8), (1000, 1600, 16)],
)
def test_rules_alone_are_trained_and_validated_as_often_as_published(samples, steps, every):
    epochs = {20: 800, 50: 800, 100: 400, 200: 200, 500: 100, 1000: 100}[samples]
    between = {20: 8, 50: 8, 100: 4, 200: 2, 500: 1, 1000: 1}[samples]
    per_epoch = -(-samples // 64)
    assert (steps, every) == (epochs * per_epoch, between * per_epoch)
    for model in paper.MODELS:
        recipe = paper.RECIPES[model]
        assert (recipe.steps(per_epoch), recipe.interval(per_epoch)) == (steps, every)


def test_rules_together_are_trained_for_a_hundred_epochs():
    for model in paper.MODELS:
        for name in ("all", "elementary", "compositions"):
            recipe = paper.RECIPES[model, name]
            assert (recipe.steps(33), recipe.interval(33)) == (3300, 33)
            assert recipe.patience == (20 if model in ("resnet-50", "vit-small") else 30)


def test_published_ranges_are_tried_where_they_differ():
    for run in of("small", "published"):
        plain = run.task.partition("+")[0]
        records = [unseen.load(one, "train")[0].record for one in (plain, f"{plain}+variant=published")]
        assert records[0] != records[1]
