"""`unseen generate`: write a task's splits into a folder of shards, or to an object store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.asked import Seed, SpecFile, Words, read_asked
from unseen.cli.unfold import unfolded
from unseen.cli.where import HERE, Where


@unfolded
def generate(
    words: Words = None,
    split: Annotated[list[str] | None, typer.Option(help="A split to write; may be repeated. All by default.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Write at most this many examples of each split.")] = None,
    out: Annotated[
        str | None, typer.Option(help="The folder or URL (s3://bucket/data) to write to; data/<task id> by default.")
    ] = None,
    where: Where = HERE,
    seed: Seed = 0,
    regenerate: Annotated[bool, typer.Option(help="Write damaged shards again.")] = False,
    spec: SpecFile = None,
) -> None:
    """Write examples into a folder of shards.

    If it is interrupted, run the same command again: it continues where it stopped.

    unseen generate cogitao/c1-1 --split test --split test_ood

    unseen generate cogitao/c1-1 --out s3://bucket/c1-1
    """
    from unseen.cli.output import progress_bar
    from unseen.data.generate import generate as write_shards
    from unseen.data.places import place_of
    from unseen.runs.names import task_folder

    asked = read_asked(words, spec)
    task = asked.task()
    splits = [*(split or ()), *asked.words] or list(task.splits)
    sizes = {name: min(count or task.split(name).size, task.split(name).size) for name in splits}
    place = place_of(out or Path("data") / task_folder(task.id))
    with progress_bar() as progress:
        write_shards(
            task,
            place,
            splits=splits,
            count=count,
            seed=seed,
            workers=where.workers,
            engine=where.chosen(),
            progress=progress,
            regenerate=regenerate,
        )
    parts = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
    print(f"{place}: {sum(sizes.values()):,} examples of {task.id} ({parts})")
