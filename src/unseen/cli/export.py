"""`unseen export`: write a data set in the published formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.asked import Seed, SpecFile, Words, read_asked


def export(
    words: Words = None,
    format: Annotated[
        str | None,
        typer.Option(
            help="The format: json, hdf5 or parquet for COGITAO; strips for CVR; json, hdf5 or coco for videos."
            " The first of them by default."
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("export"),
    split: Annotated[list[str] | None, typer.Option(help="A split to write; may be repeated. All by default.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Write at most this many examples of each split.")] = None,
    seed: Seed = 0,
    spec: SpecFile = None,
) -> None:
    """Write examples in the published formats.

    The papers' own loaders read them.

    unseen export cogitao/c1-1 --format hdf5 --out published/c1-1
    """
    from unseen.cli.output import progress_bar
    from unseen.data.export import by_task
    from unseen.data.export import export as write_published

    asked = read_asked([*(words or ()), *(split or ())], spec)
    datasets = [asked.dataset(name, seed=seed)[:count] for name in asked.splits()]
    with progress_bar() as progress:
        paths = write_published(datasets, out, format, progress=progress)
    parts = (part for dataset in datasets for part in by_task(dataset))
    for (task, part), path in zip(parts, paths, strict=True):
        print(f"{path}: {len(part):,} examples of {task.id} {part.split}")
