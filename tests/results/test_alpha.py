"""Errors against alpha: of ours what was run, beside what was published; on a page with the predictions."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from unseen.benchmarks.svib import paper
from unseen.cli import main
from unseen.core.catalogue import task as task_named
from unseen.core.machine import this_machine
from unseen.core.task import Row, Split
from unseen.predict import write_predictions
from unseen.report import alpha as report
from unseen.report.page import run_page
from unseen.results.alpha import GAP, AlphaCurve, alpha_curves, alpha_efficiencies
from unseen.results.compare import compare, published
from unseen.results.record import FORMAT, Budget, MetricValue, Record, SplitScores
from unseen.results.run import find_runs, read_run, write_untrained


@dataclass(frozen=True)
class Options:
    """As SVIB's tasks have them."""

    alpha: float = 0.4
    dark: bool = False


class Sampler:
    """Squares at different places; the record is the place."""

    def __init__(self, spec, part, key):
        self.dark = spec

    def draw(self, index, first=0):
        return index, index, 0


def arrays(record, spec, view):
    """A square, and the same further to the right."""
    image = np.full((32, 32, 3), 20 if spec else 0, np.uint8)
    target = image.copy()
    image[8:20, record : record + 12] = target[8:20, record + 10 : record + 22] = (255, 127, 0)
    return {"image": image}, {"image": target}


def splits(options):
    return tuple(Split(name, 8, options.dark) for name in ("train", "test", "test_ood"))


@pytest.fixture
def benchmark(add_benchmark):
    """SVIB's tasks in a world of squares, and one that is not in the paper."""
    names = (*(f"{world}-{rule}" for world in paper.WORLDS for rule in paper.RULES), "custom")
    return add_benchmark(
        "imagine",
        kind="image",
        metrics=("mse", "psnr"),
        splits=SimpleNamespace(
            TASKS=tuple(Row(name, name, splits, Options) for name in names), compositions=lambda spec: [("square",)]
        ),
        sample=SimpleNamespace(Sampler=Sampler),
        render=SimpleNamespace(
            arrays=arrays,
            picture=lambda record, spec, view: arrays(record, spec, view)[0]["image"],
            answer_picture=lambda record, prediction, spec, view: prediction,
        ),
        paper=paper,
    )


def record(task, model="i2i-vit", seed=0, **scores):
    """A record whose scores are named split__metric."""
    found: dict[str, dict[str, MetricValue]] = {}
    for name, value in scores.items():
        split, _, metric = name.partition("__")
        found.setdefault(split, {})[metric] = MetricValue(value, "lower")
    named = task_named(f"imagine/{task}")
    return Record(
        format=FORMAT,
        task=named.id,
        options=dict(piece.split("=") for piece in named.id.split("+")[1:]),
        seed=seed,
        model=model,
        model_options={},
        parameters=None,
        init_from="",
        freeze=(),
        budget=Budget({}, 0, 0, 1.0, None),
        scores={split: SplitScores(8, 0, "", metrics) for split, metrics in found.items()},
        benchmark_version=1,
        versions={},
        machine=this_machine(),
        commit=None,
    )


def curve_of(curves, task, model, measure) -> AlphaCurve:
    (found,) = (one for one in curves if (one.task, one.model, one.measure) == (task, model, measure))
    return found


def test_without_records_only_the_papers_curves_are_there(benchmark):
    curves = alpha_curves([], benchmark)
    assert curve_of(curves, "dsprites-sa", "i2i-vit", "lpips").paper == {0.6: 0.0036, 0.4: 0.0172, 0.2: 0.17}
    assert curve_of(curves, "clevr-sa", "oracle", "mse").paper[0.0] == 1366.79
    assert {one.measure for one in curves} == {"lpips", "mse"}
    assert {one.task for one in curves} == {row.name for row in benchmark.rows} - {"custom"}
    assert report.alpha_section(curves, alpha_efficiencies(curves, benchmark)) == ""


def test_seeds_are_averaged_by_alpha_which_may_be_at_its_default(benchmark):
    records = [
        record("dsprites-sa+alpha=0.4", test_ood__mse=100.0, test__mse=10.0),
        record("dsprites-sa+alpha=0.4", seed=1, test_ood__mse=200.0, test__mse=20.0),
        record("dsprites-sa+alpha=0", test_ood__mse=900.0),
    ]
    assert records[0].task == "imagine/dsprites-sa"
    curves = alpha_curves(records, benchmark)
    assert curve_of(curves, "dsprites-sa", "i2i-vit", "mse").ours == {0.0: 900.0, 0.4: 150.0}
    assert curve_of(curves, "dsprites-sa", "i2i-vit", GAP).ours == {0.4: pytest.approx(np.log(10))}
    assert curve_of(curves, "dsprites-sa", "i2i-vit", GAP).paper == {}


def test_a_perfect_run_has_no_gap_and_other_options_are_another_task(benchmark):
    records = [
        record("dsprites-sa", test_ood__mse=0.0, test__mse=0.0),
        record("dsprites-sa+dark=true", test_ood__mse=5.0, test__mse=1.0),
    ]
    curves = alpha_curves(records, benchmark)
    assert curve_of(curves, "dsprites-sa", "i2i-vit", "mse").ours == {0.4: 0.0}
    assert not [one for one in curves if one.measure == GAP]


def test_efficiency_is_by_our_oracle_where_it_was_run_and_else_by_the_papers(benchmark):
    vit = [record(f"dsprites-sa+alpha={alpha}", test_ood__mse=9.0 - 10 * alpha) for alpha in (0.2, 0.4, 0.6)]

    def efficiency(records, model="i2i-vit"):
        found = alpha_efficiencies(alpha_curves(records, benchmark), benchmark)
        (one,) = (one for one in found if (one.task, one.model, one.measure) == ("dsprites-sa", model, "mse"))
        return one.ours, one.paper

    assert efficiency(vit) == (0.2, None)  # at most twice 4.54
    assert efficiency([*vit, record("dsprites-sa", "oracle", test_ood__mse=2.5)]) == (0.4, None)
    assert efficiency(vit, "oracle") == (None, 0.4)


def test_a_benchmark_whose_paper_has_no_alphas_has_no_curves(add_benchmark):
    plain = add_benchmark("plain", paper=SimpleNamespace(TABLES={}))
    assert alpha_curves([], plain) == alpha_efficiencies([], plain) == []


# ---------------------------------------------------------------------------- tables


def test_tables_of_errors_are_compared_on_their_own_scale(benchmark):
    records = [record("dsprites-sa", test_ood__mse=100.0, test_ood__lpips=0.0372)]
    squared = {(row.task, row.model): row for row in compare(records, benchmark, "11").rows}
    number = squared["dsprites-sa+alpha=0.4", "i2i-vit"].numbers["test_ood"]
    assert (number.ours, number.paper, number.difference) == (100.0, 94.72, pytest.approx(5.28))
    perceptual = {(row.task, row.model): row for row in compare(records, benchmark, "8").rows}
    assert perceptual["dsprites-sa+alpha=0.4", "i2i-vit"].numbers["test_ood"].difference == pytest.approx(0.02)
    whole = perceptual["dsprites+alpha=0.4", "i2i-vit"]
    assert (whole.experiments, whole.experiments_published, whole.numbers["test_ood"].difference) == (1, 4, None)


def test_what_the_paper_reports_of_a_record_is_of_the_first_metric(benchmark):
    assert published(record("dsprites-sa", test_ood__mse=1.0)) == {"test_ood": 94.72}
    assert published(record("custom", test_ood__mse=1.0)) == {}


# ---------------------------------------------------------------------------- the page


@pytest.fixture
def runs(benchmark, tmp_path):
    """Two models at two alphas, one of them at one alpha only, that predict darker and darker squares."""
    for model, alphas in {"i2i-vit": (0.2, 0.4), "oracle": (0.4,)}.items():
        for alpha in alphas:
            task = task_named(f"imagine/dsprites-sa+alpha={alpha}")
            folder = write_untrained(task, model, seed=0, out=tmp_path / "runs")
            for split in ("test", "test_ood"):
                targets = [arrays(index, False, None)[1]["image"] for index in range(3)]
                values = [(target * alpha).astype(np.uint8) for target in targets]
                write_predictions(folder / f"predictions-{split}.parquet", task, split, values, indices=range(3))
    return [read_run(folder) for folder in find_runs(tmp_path / "runs")]


def test_a_sheet_shows_every_model_at_every_alpha_under_the_question(runs):
    sheets = report.prediction_sheets(runs)
    assert list(sheets) == ["dsprites-sa"]
    first, second = sheets["dsprites-sa"]
    assert first.shape == second.shape
    colors = {tuple(map(int, color)) for color in first.reshape(-1, 3)}
    assert {(255, 127, 0), (102, 50, 0), (51, 25, 0)} <= colors  # input and target, alpha 0.4, alpha 0.2
    cells = [(first == color).all(axis=2).sum() for color in ((255, 127, 0), (102, 50, 0), (51, 25, 0))]
    assert cells == [2 * 48 * 48, 2 * 48 * 48, 48 * 48]  # squares of 12 pixels, four times as large


def test_answers_to_other_questions_stand_on_other_sheets(runs, tmp_path):
    dark = task_named("imagine/dsprites-sa+dark=true")
    folder = write_untrained(dark, "oracle", seed=0, out=tmp_path / "more")
    answer = arrays(0, True, None)[1]["image"]
    write_predictions(folder / "predictions-test_ood.parquet", dark, "test_ood", [answer], indices=[0])
    assert len(report.prediction_sheets([*runs, read_run(folder)])["dsprites-sa"]) == 3


def test_charts_have_our_lines_and_the_papers_in_the_same_colors(benchmark):
    records = [record(f"dsprites-sa+alpha={alpha}", test_ood__mse=50.0, test__mse=70.0) for alpha in (0.2, 0.4)]
    curves = [one for one in alpha_curves(records, benchmark) if one.task == "dsprites-sa"]
    squared, gap = report.alpha_charts(curves)  # no LPIPS of ours
    assert squared.count('class="line paper c') == 5
    assert squared.count('class="line c1"') == squared.count('class="line paper c1"') == 1
    assert squared.count(">i2i-vit<") == 1
    assert gap.count("<polyline") == 1
    assert ">\N{MINUS SIGN}" in gap or ">-" in gap  # better out of distribution: the axis goes below zero


def test_the_report_has_the_section_with_charts_predictions_and_efficiencies(benchmark, runs, tmp_path, capsys):
    for one in (record("dsprites-sa", test_ood__mse=8.0), record("dsprites-sa", "oracle", test_ood__mse=5.0)):
        path = tmp_path / "results" / one.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(one)))
    folders = {name: str(tmp_path / name) for name in ("results", "runs", "out")}
    with pytest.raises(SystemExit) as exit:
        main(
            ["results", "imagine", "--records", folders["results"], "--runs", folders["runs"], "--html", folders["out"]]
        )
    assert exit.value.code == 0
    assert "lower is better" in capsys.readouterr().out
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<h2>Systematic generalization</h2>" in page
    assert page.count("<img") == 2
    assert "<td>dsprites-sa</td><td>i2i-vit</td><td>mse</td><td class=number>0.4</td>" in page


def test_the_page_of_a_run_says_errors_as_they_are_and_shows_the_best_and_the_worst(runs):
    page = run_page(runs[0])
    assert "its mse is " in page
    assert "%" not in page.partition("<h2>The task</h2>")[0].partition("<main>")[2]
    assert "The best and the worst of 3 answers." in page
    assert "answers are right" not in page
    assert page.count('<span class="right">mse ') == page.count('<span class="wrong">mse ') == 4  # of two splits
    assert "must draw the image on the right" in page
