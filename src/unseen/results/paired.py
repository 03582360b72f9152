"""Two test takers on the same items, by every metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from unseen.core.errors import DataError
from unseen.core.task import Task
from unseen.metrics.statistics import Paired, paired
from unseen.predict import Predictions, read_predictions
from unseen.results.scoring import Scores, score


def compare(
    task: Task,
    split: str,
    one: str | Path | Predictions,
    other: str | Path | Predictions,
    *,
    seed: int = 0,
    metrics: Sequence[str] | None = None,
    data: str | Path | None = None,
) -> dict[str, Paired]:
    """Compare two files of predictions on the items that both answer: values item by item, a mean over items."""
    first, second = (file if isinstance(file, Predictions) else read_predictions(file) for file in (one, other))
    if first.form != second.form:
        named = " and ".join(f.form or "the task itself" for f in (first, second))
        raise DataError(f"the predictions answer two questions, {named}, and cannot be compared")
    shared = set(first.indices) & set(second.indices)
    if not shared:
        raise DataError("the two files answer no item in common, so there is nothing to compare")
    scored = [
        score(task, split, _only(found, shared), seed=seed, metrics=metrics, data=data) for found in (first, second)
    ]
    return {name: paired(_each(scored[0], name), _each(scored[1], name)) for name in scored[0]}


def _only(found: Predictions, indices: set[int]) -> Predictions:
    """The predictions of some examples, in their order."""
    kept = sorted(place for place in zip(found.indices, range(len(found)), strict=True) if place[0] in indices)
    values = [found.values[place] for _, place in kept]
    return replace(found, indices=tuple(index for index, _ in kept), values=values)


def _each(scores: Scores, name: str) -> list[float]:
    return [row[name] for row in scores.rows]
