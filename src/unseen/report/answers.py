"""Answers of a model, right and wrong or the best and the worst, as pictures next to input and target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from unseen.core.task import Example
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS, Metric
from unseen.predict import read_predictions
from unseen.render.palette import Image
from unseen.results.scoring import Scores
from unseen.runs import Run


@dataclass(frozen=True)
class Answer:
    """The picture of an answer, and whether it is right, or one of the best."""

    index: int  # of the example
    right: bool
    word: str  # "right", or "lpips 0.0643"
    picture: Image


def answers(run: Run, scores: Scores, *, right: bool, count: int) -> list[Answer]:
    """The first right, or wrong, answers of a split, or its best and worst; none where the benchmark draws none.

    Answers to another question than the task's own have no picture either.
    """
    draw = getattr(run.task.benchmark.file("render"), "answer_picture", None)
    if draw is None or scores.form:
        return []
    metric = METRICS[next(iter(scores))]
    words = dict(islice(chosen(scores, metric, right=right), count))
    examples = Dataset(Generated(run.task, scores.split, scores.seed))
    predicted = predictions(run.predictions[scores.split], list(words))
    return [
        Answer(index, right, word, answer_picture(examples[index], predicted[index])) for index, word in words.items()
    ]


def chosen(scores: Scores, metric: Metric, *, right: bool) -> Iterator[tuple[int, str]]:
    """The examples that are right, or wrong, by a share that is 1 for an answer that is right in full; else best first,
    or worst first. With each, what to say of it.
    """
    if metric.percent:
        word = "right" if right else "wrong"
        return ((int(row["index"]), word) for row in scores.rows if (row[metric.name] == 1) is right)
    rows = sorted(scores.rows, key=lambda row: row[metric.name], reverse=metric.higher_is_better is right)
    return ((int(row["index"]), f"{metric.name} {row[metric.name]:.4g}") for row in rows)


def predictions(path: Path, chosen: list[int]) -> dict[int, Any]:
    """Some predictions of a file, by the index of their example."""
    found = read_predictions(path)
    return {index: value for index, value in zip(found.indices, found.values, strict=True) if index in chosen}


def answer_picture(example: Example, prediction: Any) -> Image:
    """An example's picture with a model's answer."""
    task = example.task
    draw = task.benchmark.file("render").answer_picture
    picture: Image = draw(example.record, prediction, task.split(example.split).spec, task.view)
    return picture
