"""Answers of a model, right and wrong or the best and the worst, as pictures next to input and target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.task import Example
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS, Metric
from unseen.predict import read_predictions
from unseen.render import figure
from unseen.render.palette import Image
from unseen.results.scoring import Scores
from unseen.runs import Run
from unseen.runs.views import read_looks, read_views

Array = npt.NDArray[Any]

SIDE = 192  # pixels of a view on a sheet, about
GAP = 12  # pixels between images
CLEAR, STRONG = 0.995, 2.0  # twice the value that this share of the pixels stays below is tinted in full


@dataclass(frozen=True)
class Answer:
    """The picture of an answer, and whether it is right, or one of the best."""

    index: int  # of the example
    right: bool
    word: str  # "right", or "lpips 0.0643"
    picture: Image


def answers(run: Run, scores: Scores, *, right: bool, count: int) -> list[Answer]:
    """Return the first right, or wrong, answers of a split, or its best and worst; none where the benchmark draws none.

    Answers to another question than the task's own have no picture either.
    """
    draw = getattr(run.task.benchmark.file("render"), "answer_picture", None)
    if draw is None or scores.form:
        return []
    metric = METRICS[next(iter(scores))]
    words = dict(islice(chosen(scores, metric, right=right), count))
    examples = Dataset(Generated(run.task, scores.split, scores.seed))
    predicted = predictions(run.predictions[scores.split], list(words))
    looks = read_looks(run.attribution_file(scores.split))
    found = []
    for index, word in words.items():
        drawn = answer_picture(examples[index], predicted[index])
        if index in looks:
            drawn = figure.above([drawn, look_picture(examples[index], looks[index])], gap=GAP)
        found.append(Answer(index, right, word, drawn))
    return found


def look_picture(example: Example, look: Array) -> Image:
    """Give an example's images, red where pixels spoke for the model's answer and blue where they spoke against it."""
    most = STRONG * max(float(np.quantile(np.abs(look), CLEAR)), 1e-12)
    images = zip(example.inputs["images"], look, strict=True)
    return figure.beside([figure.framed(figure.heated(image, values, most)) for image, values in images], gap=GAP)


def chosen(scores: Scores, metric: Metric, *, right: bool) -> Iterator[tuple[int, str]]:
    """The examples that are right, or wrong, by a share that is 1 for an answer that is right in full; else best first,
    or worst first. With each, what to say of it.
    """
    if metric.percent:
        word = "right" if right else "wrong"
        return ((int(row["index"]), word) for row in scores.rows if (row[metric.name] == 1) is right)
    rows = sorted(scores.rows, key=lambda row: row[metric.name], reverse=metric.higher_is_better is right)
    return ((int(row["index"]), f"{metric.name} {row[metric.name]:.4g}") for row in rows)


def view_sheets(run: Run, split: str) -> list[tuple[Image, str]]:
    """For each example of a split that there are views of, a sheet of them below the answer, and a caption."""
    views = read_views(run.views[split])
    examples = Dataset(Generated(run.task, split, run.config.data_seed))
    answered = predictions(run.predictions[split], list(views.indices))
    return [
        (view_sheet(examples[index], answered[index], views.rows(place)), f"example {index:,}")
        for place, index in enumerate(views.indices)
        if index in answered
    ]


def view_sheet(example: Example, prediction: Any, rows: Mapping[str, Mapping[str, Image]]) -> Image:
    """Draw an example's picture with a model's answer, and below it rows of views with their names."""
    pieces = [answer_picture(example, prediction)]
    for name, views in rows.items():
        shown = [
            figure.above([figure.text(what, size=11, color=figure.QUIET), _enlarged(view)], gap=2)
            for what, view in views.items()
        ]
        pieces += [figure.text(name), figure.beside(shown, gap=8)]
    return figure.margin(figure.above(pieces, gap=6), 8)


def _enlarged(view: Image) -> Image:
    times = max(1, SIDE // len(view))
    return figure.framed(view.repeat(times, axis=0).repeat(times, axis=1))


def predictions(path: Path, chosen: list[int]) -> dict[int, Any]:
    """Return some predictions of a file, by the index of their example."""
    found = read_predictions(path)
    return {index: value for index, value in zip(found.indices, found.values, strict=True) if index in chosen}


def answer_picture(example: Example, prediction: Any) -> Image:
    """Return an example's picture with a model's answer."""
    task = example.task
    draw = task.benchmark.file("render").answer_picture
    picture: Image = draw(example.record, prediction, task.split(example.split).spec, task.view)
    return picture
