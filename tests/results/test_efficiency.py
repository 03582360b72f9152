"""Curves over training samples: of ours only what is whole, beside what was published."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from unseen.core.machine import this_machine
from unseen.core.task import Row, Split
from unseen.report.efficiency import efficiency_section
from unseen.results.efficiency import learners
from unseen.results.record import FORMAT, Budget, MetricValue, Record, SplitScores


@dataclass(frozen=True)
class Options:
    """How many samples to train on."""

    samples: int = 1000


def splits(options):
    return Split("train", options.samples, None), Split("test", 10, None)


def published(training, **accuracies):
    found = {int(name[1:]): value for name, value in accuracies.items()}
    return SimpleNamespace(
        training=training, start="random", model="net", split="test", ses=40.0, auc=41.0, accuracies=found
    )


def experiments(name):
    training, _, samples = name.partition("-")
    return [f"{task}+samples={samples}" for task in (("all",) if training == "joint" else ("size", "count"))]


@pytest.fixture
def benchmark(add_benchmark):
    """Two rules and a joint task, with published curves over two regimes."""
    pretrained = SimpleNamespace(**{**vars(published("joint")), "start": "ssl"})
    paper = SimpleNamespace(
        REGIMES=(20, 50),
        RANDOM="random",
        EFFICIENCY=(published("joint", n20=30.0, n50=50.0), published("individual"), pretrained),
        experiments=experiments,
    )
    rows = tuple(Row(name, name, splits, Options) for name in ("all", "size", "count"))
    return add_benchmark("few", splits=SimpleNamespace(TASKS=rows), paper=paper)


def record(task, value, seed=0, model="net", **changes):
    scores = {"test": SplitScores(10, 0, "", {"odd_accuracy": MetricValue(value, "higher")})}
    of = {"format": FORMAT, "options": {}, "model_options": {}, "parameters": None, "versions": {}, "commit": None}
    of |= {"init_from": "", "freeze": (), "benchmark_version": 1, "machine": this_machine()}
    return Record(
        task=f"few/{task}",
        model=model,
        seed=seed,
        budget=Budget({}, 0, 0, 1.0, None),
        scores=scores,
        **{**of, **changes},
    )


def test_without_records_only_the_papers_curves_are_there(benchmark):
    found = learners([], benchmark)
    assert [(one.training, one.ours.accuracies, one.paper.ses) for one in found] == [
        ("joint", {}, 40.0),
        ("individual", {}, 40.0),
    ]
    assert efficiency_section(found) == ""


def test_seeds_are_averaged_and_scores_need_every_regime(benchmark):
    records = [record("all+samples=20", 0.3), record("all+samples=20", 0.5, seed=1)]
    (joint, _) = learners(records, benchmark)
    assert joint.ours.accuracies == {20: pytest.approx(40)}
    assert (joint.ours.ses, joint.ours.auc) == (None, None)
    (joint, _) = learners([*records, record("all+samples=50", 0.6)], benchmark)
    assert joint.ours.auc == pytest.approx(50)
    assert joint.ours.ses < joint.ours.auc


def test_rules_learned_one_by_one_count_where_all_of_them_were(benchmark):
    half = [record("size+samples=20", 0.9), record("size+samples=50", 1.0)]
    assert learners(half, benchmark)[1].ours.accuracies == {}
    whole = [*half, record("count+samples=20", 0.5)]
    assert learners(whole, benchmark)[1].ours.accuracies == {20: pytest.approx(70)}


def test_other_models_other_content_and_pretrained_weights_do_not_count(benchmark):
    others = [
        record("all+samples=20", 0.9, model="other"),
        record("all+samples=20", 0.9, benchmark_version=2),
        record("all+samples=20", 0.9, init_from="runs/elsewhere"),
    ]
    assert learners(others, benchmark)[0].ours.accuracies == {}


def test_the_section_shows_both_curves_and_both_scores(benchmark):
    records = [record("all+samples=20", 0.3), record("all+samples=50", 0.6)]
    text = efficiency_section(learners(records, benchmark))
    assert text.count("<polyline") == 2
    assert "net, joint training, test" in text
    assert "individual" not in text
    assert "<td class=number>45.0</td><td class=number>41.0</td>" in text
