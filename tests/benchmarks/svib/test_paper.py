"""The published numbers agree with each other."""

from __future__ import annotations

from statistics import mean

import pytest

from unseen.benchmarks.svib.paper import (
    ALPHAS,
    BATCH_SIZES,
    LEVELS,
    MEASURED,
    MODELS,
    RULES,
    SCORES,
    SPEED,
    STEPS,
    TABLES,
    TITLES,
    WORLDS,
    Score,
    experiments,
)
from unseen.core.paper import Result
from unseen.metrics import METRICS

LAST_DIGIT = 1.01e-4


def values(table: str) -> dict[tuple[str, float, str], float]:
    return {(one.task, one.alpha, one.model): one.value for one in SCORES[table]}


@pytest.mark.parametrize(("table", "world"), [("8", "dsprites"), ("9", "clevr"), ("10", "clevrtex")])
def test_averages_are_those_of_the_rules_and_are_the_rows_of_table_1(table, world):
    found = values(table)
    assert len(found) == len(LEVELS) * len(MODELS) * (len(RULES) + 1)
    for alpha in LEVELS.values():
        for model in MODELS:
            average = mean(found[f"{world}-{rule}", alpha, model] for rule in RULES)
            assert found[world, alpha, model] == pytest.approx(average, abs=LAST_DIGIT)
            assert values("1")[world, alpha, model] == found[world, alpha, model]


def test_table_11_has_every_task_alpha_and_model_once():
    tasks = {f"{world}-{rule}" for world in WORLDS for rule in RULES}
    places = {(task, alpha, model) for task in tasks for alpha in ALPHAS for model in MODELS}
    assert values("11").keys() == places
    assert len(SCORES["11"]) == 240


@pytest.mark.parametrize(("world", "task"), [(world, f"{world}-{rule}") for world in WORLDS for rule in RULES])
def test_the_oracle_is_the_best_from_alpha_0_2_on_by_both_metrics(world, task):
    perceptual = values({"dsprites": "8", "clevr": "9", "clevrtex": "10"}[world])
    for found in (values("11"), perceptual):
        for alpha in LEVELS.values():
            assert min(MODELS, key=lambda model: found[task, alpha, model]) == "oracle"


def test_numbers_of_the_paper_are_where_they_should_be():
    assert Score("clevrtex", 0.2, "ssm-slot", "lpips", 0.3590) in SCORES["1"]
    assert Score("dsprites-mna", 0.2, "i2i-vit", "lpips", 0.3243) in SCORES["8"]
    assert Score("clevr-sna", 0.6, "ssm-slot", "lpips", 0.0839) in SCORES["9"]
    assert Score("clevrtex-ma", 0.4, "ssm-vae", "lpips", 0.3917) in SCORES["10"]
    assert Score("clevr-sna", 0.0, "ssm-vae", "mse", 959.04) in SCORES["11"]
    assert Result("clevrtex-mna+alpha=0.6", "oracle", "test_ood", 64.50) in TABLES["11"]


def test_the_doubt_about_the_columns_of_table_11_is_in_the_numbers():
    perceptual, squared = values("10"), values("11")

    def kept(found, task, model):
        """The share of its error at alpha 0.2 that a model still has at alpha 0.6."""
        return found[task, 0.6, model] / found[task, 0.2, model]

    for model in ("i2i-cnn", "i2i-vit"):
        assert kept(perceptual, "clevrtex-ma", model) < kept(perceptual, "clevrtex-sna", model)
        assert kept(squared, "clevrtex-ma", model) > kept(squared, "clevrtex-sna", model)


def test_every_table_has_a_title_and_a_registered_metric():
    assert TABLES.keys() == TITLES.keys() == MEASURED.keys()
    assert [METRICS[name].kind for name in dict.fromkeys(MEASURED.values())] == ["image", "image"]


def test_names_of_the_tables_stand_for_the_twelve_tasks():
    behind = {task.partition("+")[0] for table in TABLES.values() for one in table for task in experiments(one.task)}
    assert behind == {f"{world}-{rule}" for world in WORLDS for rule in RULES}
    assert len(experiments("dsprites+alpha=0.6")) == 4


def test_training_goes_through_the_training_set_eighty_or_a_hundred_times():
    assert {world: STEPS * size / 64_000 for world, size in BATCH_SIZES.items()} == {
        "dsprites": 80,
        "clevr": 100,
        "clevrtex": 100,
    }


def test_the_published_speeds_are_those_of_whole_episodes():
    *flat, clevr, clevrtex = SPEED
    assert len(flat) == 4
    assert all(row.milliseconds == pytest.approx(81.3, abs=0.01) for row in flat)
    assert clevr.milliseconds == clevrtex.milliseconds == 50_000
    assert clevr.milliseconds / clevr.target_ratio == pytest.approx(120)  # two frames of 60 ms
