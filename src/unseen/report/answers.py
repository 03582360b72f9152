"""Answers of a model, right and wrong, as pictures beside input and target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from unseen.core.task import Example
from unseen.data.dataset import Dataset, Generated
from unseen.predict import read_predictions
from unseen.render.palette import Image
from unseen.results.run import Run
from unseen.results.scoring import Scores


@dataclass(frozen=True)
class Answer:
    """The picture of an answer, and whether it is right."""

    index: int  # of the example
    right: bool
    picture: Image


def answers(run: Run, scores: Scores, *, right: bool, count: int) -> list[Answer]:
    """The first right, or wrong, answers of a split; none where the benchmark does not draw them."""
    draw = getattr(run.task.benchmark.file("render"), "answer_picture", None)
    if draw is None:
        return []
    chosen = list(islice(indices(scores, run.task.metrics[0], right=right), count))
    examples = Dataset(Generated(run.task, scores.split, scores.seed))
    predicted = predictions(run.predictions[scores.split], chosen)
    return [Answer(index, right, answer_picture(examples[index], predicted[index])) for index in chosen]


def indices(scores: Scores, metric: str, *, right: bool) -> Iterator[int]:
    """The examples that are right, or wrong, by a metric that is 1 for an answer that is right in full."""
    return (int(row["index"]) for row in scores.rows if (row[metric] == 1) is right)


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
