"""Scores of language models' answers as they are published, over all answers and over the usable ones."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from unseen.core.task import Task
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS
from unseen.predict import Predictions

PUBLISHED = ("grid_accuracy", "cell_accuracy", "non_background_accuracy")  # exact match, cells, "object accuracy"


@dataclass(frozen=True)
class AnswerScores:
    """Means over answers: `all` counts unusable ones as 0, as published; `usable` leaves them out (nan if none is)."""

    all: dict[str, float]
    usable: dict[str, float]


def score_answers(task: Task, predictions: Predictions) -> AnswerScores:
    """Score grids without padding, each answer alone; an empty grid is an unusable answer.

    Padding would make part of an unusable answer right: `unseen score` counts it, as for other models.
    """
    truth = Dataset(Generated(task, predictions.split, predictions.seed))
    metrics = [METRICS[name] for name in PUBLISHED]
    rows = np.array(
        [
            [metric.value(*metric.counts(truth[index].target["grid"], value)) for metric in metrics]
            for index, value in zip(predictions.indices, predictions.values, strict=True)
        ]
    ).reshape(-1, len(metrics))
    usable = np.array([np.size(value) > 0 for value in predictions.values], bool)
    return AnswerScores(_means(rows), _means(rows[usable]))


def _means(rows: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, float]:
    values = rows.mean(axis=0) if len(rows) else [nan] * len(PUBLISHED)
    return dict(zip(PUBLISHED, map(float, values), strict=True))
