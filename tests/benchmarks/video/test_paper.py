"""The published numbers agree with each other."""

from __future__ import annotations

from statistics import mean, pstdev

import pytest

from unseen.benchmarks.video.paper import COSTS, METRICS, SCORES, TABLES, TITLES, Score
from unseen.metrics import METRICS as REGISTERED

ROUNDING = 0.1 + 1e-9
MODELS = {"monet", "vimon", "tba", "op3", "scalor"}


def runs_of(score: Score) -> list[float]:
    place = (score.task, score.model, score.metric)
    return [one.value for one in SCORES["E.1"] if (one.task, one.model, one.metric) == place]


@pytest.mark.parametrize("score", SCORES["2"], ids=lambda one: f"{one.task}-{one.model}-{one.metric}")
def test_table_2_has_the_means_and_spreads_of_the_runs(score: Score):
    runs = runs_of(score)
    assert len(runs) == 3
    assert score.value == pytest.approx(mean(runs), abs=ROUNDING)
    assert score.spread == pytest.approx(pstdev(runs), abs=ROUNDING)


@pytest.mark.parametrize("table", ["2", "E.1", "E.5", "texVMDS"])
def test_matches_misses_and_switches_sum_to_100_and_mota_is_matches_less_false_positives(table):
    lines: dict[tuple[object, ...], dict[str, float]] = {}
    for score in SCORES[table]:
        lines.setdefault((score.task, score.model, score.run), {})[score.metric] = score.value
    for line in lines.values():
        assert line["match"] + line["miss"] + line["id_switches"] == pytest.approx(100, abs=2 * ROUNDING)
        assert line["mota"] == pytest.approx(line["match"] - line["false_positives"], abs=2 * ROUNDING)
        assert line["mt"] <= line["md"]


@pytest.mark.parametrize(
    ("table", "count"), [("2", 126), ("E.1", 378), ("E.2", 48), ("E.3", 96), ("E.5", 18), ("texVMDS", 36)]
)
def test_tables_are_complete_and_name_nothing_twice(table, count):
    places = {(one.task, one.model, one.split, one.metric, one.run) for one in SCORES[table]}
    assert len(places) == len(SCORES[table]) == count


def test_every_metric_is_registered_for_videos():
    assert {REGISTERED[name].kind for name in METRICS} == {"video"}


def test_every_table_of_means_has_a_title():
    assert TABLES.keys() == TITLES.keys() == SCORES.keys() - {"E.1"}


def test_a_row_of_the_paper_is_where_it_should_be():
    assert Score("vor", "op3", "test", "false_positives", 25.3, 0.6) in SCORES["2"]
    assert Score("vmds", "scalor*", "test_rotation", "mt", 50.2, 1.1) in SCORES["E.3"]
    assert Score("vmds", "tba", "test_large", "mota", 25.6, 15.0) in SCORES["E.2"]
    assert Score("spmot", "scalor", "test", "video_mse", 3.6, run=3) in SCORES["E.1"]
    (result,) = (one for one in TABLES["E.3"] if (one.split, one.model) == ("test_rotation", "vimon"))
    assert (result.mean, result.sem) == (-10.4, 4.0)


def test_models_are_the_five_of_the_paper_and_variants_of_them():
    named = {one.model for table in SCORES.values() for one in table}
    assert {name.partition("-")[0].rstrip("*") for name in named} == MODELS
    assert {one.model for one in COSTS} == MODELS - {"monet"}


@pytest.mark.parametrize("cost", COSTS, ids=lambda one: one.model)
def test_the_test_set_takes_as_long_as_its_thousand_videos(cost):
    assert cost.seconds_in_all == pytest.approx(1000 * cost.seconds_a_video, abs=6)
