"""Curves over training samples: of ours only what is whole, beside what was published."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from types import SimpleNamespace

import pytest

from unseen.cli import main
from unseen.core.machine import this_machine
from unseen.core.task import Row, Split
from unseen.report.efficiency import curriculum_section, efficiency_section
from unseen.results.curriculum import gains
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
        CURRICULUM_SCORES={"net": 12.0, "other": 5.0},
        TABLES={},
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


def test_a_gain_is_over_the_rules_and_regimes_that_were_run_both_ways(benchmark):
    after = {"init_from": "runs/components"}
    records = [
        record("size+samples=20", 0.30),
        record("size+samples=20", 0.50, seed=1),
        record("size+samples=50", 0.60),
        record("size+samples=20", 0.60, **after),
        record("size+samples=50", 0.65, **after),
        record("count+samples=20", 0.50),
        record("count+samples=20", 0.45, **after),
        record("all+samples=20", 0.50, **after),
    ]
    net, other = gains(records, benchmark)
    assert (net.ours, net.rules, net.paper) == (pytest.approx((20 - 5) / 2), 2, 12.0)
    assert (other.ours, other.rules) == (None, 0)
    text = curriculum_section([net, other])
    assert "<td>net</td><td class=number>7.5</td><td class=number>12.0</td><td class=number>2</td>" in text
    assert "other" not in text
    assert curriculum_section([other]) == ""


def test_the_scores_are_printed_and_on_the_page(benchmark, tmp_path, capsys):
    for one in (record("all+samples=20", 0.3), record("all+samples=50", 0.6)):
        path = tmp_path / "results" / one.place
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(asdict(one)))
    with pytest.raises(SystemExit) as exit:
        main(["results", "few", "--records", str(tmp_path / "results"), "--html", str(tmp_path / "out")])
    assert exit.value.code == 0
    assert "few: sample efficiency" in capsys.readouterr().out
    assert "<h2>Sample efficiency</h2>" in (tmp_path / "out" / "index.html").read_text()


def test_the_section_shows_both_curves_and_both_scores(benchmark):
    records = [record("all+samples=20", 0.3), record("all+samples=50", 0.6)]
    text = efficiency_section(learners(records, benchmark))
    assert text.count("<polyline") == 2
    assert "net, joint training, test" in text
    assert "individual" not in text
    assert "<td class=number>45.0</td><td class=number>41.0</td>" in text
