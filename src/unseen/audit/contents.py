"""What a split holds, by the tables of its benchmark's `statistics.describe`."""

from __future__ import annotations

from itertools import islice
from typing import Any

from unseen.audit.run import COUNT, examples
from unseen.core.errors import SpecError
from unseen.core.progress import Progress
from unseen.core.task import Task
from unseen.data.dataset import SEED

Tables = dict[str, dict[Any, float]]


def contents(
    task: Task, split: str, *, count: int = COUNT, seed: int = SEED, progress: Progress | None = None
) -> Tables:
    """Tables of the first examples of a split, each a number by what it is of."""
    benchmark = task.benchmark
    file = benchmark.optional_file("statistics")
    if file is None:
        raise SpecError(f"{benchmark.name} has no statistics; what is declared of it: unseen list {task.id}")
    records = []
    for done, example in enumerate(islice(examples(task, split, seed), count), 1):
        records.append(example.record)
        if progress:
            progress(done, count, f"{task.id} {split}")
    found: Tables = file.describe(records)
    return found
