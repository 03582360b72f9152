"""Predictions scored by the library itself, in a process of its own: whoever uploaded them may mean harm."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS
from unseen.web.drawing import Address, example_at
from unseen.web.safety import open_task

MOST_ROWS = 200_000  # predictions of a file
MOST_VALUES = 100_000_000  # numbers in all of them


def judged(content: bytes, only: Iterable[int] | None = None) -> dict[str, Any]:
    """Score a predictions file, or only its answers to some examples, and tell all of it in plain values."""
    from dataclasses import replace

    import pyarrow.parquet as pq

    from unseen.core.kernel import MANY, hurry
    from unseen.predict import read_predictions
    from unseen.results.groups import group_scores
    from unseen.results.scoring import score

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload.parquet"
        path.write_bytes(content)
        try:
            about = pq.ParquetFile(path).metadata
            groups = [about.row_group(k) for k in range(about.num_row_groups)]
            values = sum(group.column(k).num_values for group in groups for k in range(group.num_columns))
        except Exception as error:  # a damaged file fails in any way
            raise DataError("this is not a Parquet file, or a damaged one") from error
        # a few bytes can stand for millions of values: counted before they are read
        for count, most, what in ((about.num_rows, MOST_ROWS, "rows"), (values, MOST_VALUES, "values")):
            if count > most:
                raise DataError(f"this file has {count:,} {what}, and the most that can be uploaded is {most:,}")
        try:
            found = read_predictions(path)
        except MemoryError:
            raise DataError("this file needs more memory than an upload may have") from None
        except DataError as error:
            raise DataError(str(error).replace(str(path), "this file")) from error
    if only is not None:
        chosen = set(only)
        kept = [i for i, index in enumerate(found.indices) if index in chosen]
        if not kept:
            raise DataError("it answers none of these examples")
        found = replace(found, indices=tuple(found.indices[i] for i in kept), values=[found.values[i] for i in kept])
    task = open_task(found.task)
    hurry(len(found.indices) <= MANY)
    scores = score(task, found.split, found, seed=found.seed)
    view = found.form
    return {
        "task": task.id,
        "split": found.split,
        "seed": found.seed,
        "model": found.model,
        "form": view,
        "count": scores.count,
        "of": task.split(found.split).size,
        "digest": found.digest,
        "version": task.benchmark.version,
        "metrics": {
            name: {
                "value": value if isfinite(value) else 0.0,
                "better": scores.directions[name],
                "shown": METRICS[name].shown,
                "interval": scores.intervals.get(name),
            }
            for name, value in scores.items()
        },
        "groups": {} if view else group_scores(task, scores),
        "right": {int(row["index"]): row[next(iter(scores))] for row in scores.rows} if only is not None else {},
    }


def same_items(runs: Path, task: str, split: str, seed: int, indices: tuple[int, ...]) -> list[tuple[str, float]]:
    """Return what models score on some examples, by their headline metric as shown.

    These are the ones that need no training, asked now, and every run at hand that has answered them all.
    """
    return [*_untrained(task, split, seed, indices), *_trained(runs, task, split, seed, indices)]


def _untrained(task: str, split: str, seed: int, indices: tuple[int, ...]) -> Iterator[tuple[str, float]]:
    from unseen.predict.predictions import Predictions
    from unseen.predict.untrained import CEILING, UNTRAINED
    from unseen.results.scoring import score

    settled = task_named(task)
    examples = [example_at(Address(task, split, seed, index)) for index in indices]
    for row in UNTRAINED.values():
        if row.kind == settled.kind.name and row.name != CEILING:
            answer = row.ready(Dataset(Generated(settled, "train", seed)))
            answers = Predictions(task, split, seed, row.name, indices, [*map(answer, examples)], "")
            scores = score(settled, split, answers, seed=seed, metrics=settled.metrics[:1])
            name, value = next(iter(scores.items()))
            yield f"{row.name}: {row.description}", METRICS[name].shown * value


def _trained(runs: Path, task: str, split: str, seed: int, indices: tuple[int, ...]) -> Iterator[tuple[str, float]]:
    from unseen.predict import read_predictions
    from unseen.runs import find_runs, model_name, open_run

    for run in map(open_run, find_runs(runs)):
        if run.task.id != task or split not in run.predictions:
            continue
        path = run.predictions[split]
        if not set(indices) <= set(read_predictions(path).indices):
            continue
        found = judged(path.read_bytes(), indices)
        if found["seed"] == seed:
            value = next(iter(found["metrics"].values()))
            yield model_name(run.config.model, run.config.options), value["shown"] * value["value"]
