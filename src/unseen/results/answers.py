"""Scores of language models' answers as they are published, over all items and over the usable answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Any

from unseen.core.asking import Manner, form_of
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS
from unseen.metrics.metric import Counts, Metric
from unseen.metrics.statistics import Interval, interval
from unseen.predict import Predictions, read_predictions
from unseen.predict.item import metrics_of
from unseen.predict.language import Outcome

PUBLISHED = ("grid_accuracy", "cell_accuracy", "non_background_accuracy")  # exact match, cells, "object accuracy"


@dataclass(frozen=True)
class AnswerScores:
    """Scores of answers: `all` counts unusable ones as wrong; `usable` leaves them out (nan if none is)."""

    all: dict[str, float]
    usable: dict[str, float]
    intervals: dict[str, Interval] = field(default_factory=dict)  # of `all`, with a confidence of 95 %
    form: str = ""


def score_answers(
    task: Task, split: str, outcome: Outcome, manner: Manner | None = None, *, seed: int = 0
) -> AnswerScores:
    """Score the answers that were read, each alone.

    Grids are compared without padding, as published: it would make part of an unusable answer right, and `unseen score`
    counts it, as for other models.
    """
    form = form_of(task.benchmark, (manner or Manner()).form)
    predictions = read_predictions(outcome.path)
    names = PUBLISHED if task.kind.name == "grid" and form.own else metrics_of(task, form)
    truth = Dataset(Generated(task, split, seed))
    metrics = [METRICS[name] for name in names]
    usable = {answer.index for answer in outcome.answers if answer.unusable is None}
    counts = {metric: _counts(metric, predictions, truth, form.truth) for metric in metrics}
    found = {metric.name: interval(metric, list(each.values())) for metric, each in counts.items()}
    return AnswerScores(
        {metric.name: _pooled(metric, each.values()) for metric, each in counts.items()},
        {
            metric.name: _pooled(metric, [one for index, one in each.items() if index in usable])
            for metric, each in counts.items()
        },
        {name: one for name, one in found.items() if one},
        form.name,
    )


def _counts(
    metric: Metric, predictions: Predictions, truth: Dataset, truth_of: Callable[[Example], Any]
) -> Mapping[int, Counts]:
    """What a metric counts of every answer, by index."""
    answered = zip(predictions.indices, predictions.values, strict=True)
    if metric.kind == "grid":  # a mean over answers, as published, and not over the cells of all of them
        rows = ((index, metric.value(*metric.counts(truth_of(truth[index]), value))) for index, value in answered)
        return {index: (value, 1) for index, value in rows}
    return {index: metric.counts(truth_of(truth[index]), value) for index, value in answered}


def _pooled(metric: Metric, counts: Iterable[Counts]) -> float:
    kept = list(counts)
    if not kept:
        return nan
    if metric.kind == "grid":
        return float(sum(one for one, _ in kept)) / len(kept)
    return metric.pooled(kept)
