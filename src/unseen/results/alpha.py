"""Errors against alpha, the share of combinations that training shows: ours beside the published, and what they say.

A benchmark whose paper reports them has `paper.ALPHAS`, `paper.SCORES` and `paper.ORACLE`, and its tasks have an option
alpha. Ours is a mean over seeds, of tasks with no other option set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from unseen.core.catalogue import task as task_named
from unseen.core.task import Benchmark
from unseen.metrics.image import alpha_efficiency, generalization_gap
from unseen.results.compare import IN, OUT, is_comparable, paper_of, value_of
from unseen.results.record import Record

ERRORS = ("lpips", "mse")  # out of distribution
GAP = "gap"  # between the errors out of and in distribution
MEASURES = (*ERRORS, GAP)  # of all of them lower is better
SHARE = 0.5  # of the Oracle: an error at most twice as large

Place = tuple[str, str, str]  # task, model, measure


@dataclass(frozen=True)
class AlphaCurve:
    """How a model does on a task by one measure, for each alpha."""

    task: str  # "dsprites-sa"
    model: str
    measure: str
    ours: dict[float, float]
    paper: dict[float, float]


@dataclass(frozen=True)
class AlphaEfficiency:
    """The smallest alpha at which a model is as good as a share of the Oracle; none where it never is."""

    task: str
    model: str
    measure: str
    ours: float | None
    paper: float | None


def alpha_curves(records: Iterable[Record], benchmark: Benchmark) -> list[AlphaCurve]:
    """Every curve that is published or that we have points of, in the order of tasks, measures and models."""
    paper = paper_of(benchmark)
    if not hasattr(paper, "ALPHAS"):
        return []
    published: dict[Place, dict[float, float]] = {}
    for score in (score for table in paper.SCORES.values() for score in table):
        if score.task in {row.name for row in benchmark.rows}:  # and not a mean over tasks
            published.setdefault((score.task, score.model, score.metric), {})[score.alpha] = score.value
    ours = _ours([record for record in records if is_comparable(record, benchmark)])
    tasks = [row.name for row in benchmark.rows]
    models = list(dict.fromkeys(model for _, model, _ in (*published, *ours)))
    places = ((task, model, measure) for task in tasks for measure in MEASURES for model in models)
    return [
        AlphaCurve(*place, ours.get(place, {}), published.get(place, {}))
        for place in places
        if place in ours or place in published
    ]


def _ours(records: Iterable[Record]) -> dict[Place, dict[float, float]]:
    """The mean over seeds of each measure, by alpha."""
    values: dict[Place, dict[float, list[float]]] = {}
    for record in records:
        task = task_named(record.task)
        alpha = getattr(task.options, "alpha", None)
        if alpha is None or record.options.keys() - {"alpha"}:
            continue
        for measure in MEASURES:
            if (value := measured(record, measure)) is not None:
                place = (task.row.name, record.model, measure)
                values.setdefault(place, {}).setdefault(alpha, []).append(value)
    return {place: {alpha: mean(by[alpha]) for alpha in sorted(by)} for place, by in values.items()}


def measured(record: Record, measure: str) -> float | None:
    """A measure of one run; none where it lacks a metric, and no gap where an error is 0."""
    if measure != GAP:
        return value_of(record, OUT, measure)
    outside, inside = value_of(record, OUT, "mse"), value_of(record, IN, "mse")
    return generalization_gap(outside, inside) if outside and inside else None


def alpha_efficiencies(
    curves: Sequence[AlphaCurve], benchmark: Benchmark, *, share: float = SHARE
) -> list[AlphaEfficiency]:
    """How early each model is as good as a share of the Oracle: of ours where it was run, else of the paper's."""
    oracle = getattr(paper_of(benchmark), "ORACLE", None)
    yardsticks = {(curve.task, curve.measure): curve for curve in curves if curve.model == oracle}
    found = []
    for curve in curves:
        best = yardsticks.get((curve.task, curve.measure))
        if best and curve.measure in ERRORS:
            ours = alpha_efficiency(curve.ours, best.ours or best.paper, share=share)
            paper = alpha_efficiency(curve.paper, best.paper, share=share) if best.paper else None
            found.append(AlphaEfficiency(curve.task, curve.model, curve.measure, ours, paper))
    return found
