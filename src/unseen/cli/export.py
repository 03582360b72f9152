"""`unseen export`: write a data set in the published forms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.asked import Seed, SpecFile, Words, read_asked


def export(
    words: Words = None,
    format: Annotated[
        str, typer.Option(help="COGITAO: json, hdf5, parquet; CVR: strips; video: json, hdf5, coco.")
    ] = "json",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("export"),
    split: Annotated[list[str] | None, typer.Option(help="A split; may be repeated. All by default.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many examples of each split.")] = None,
    seed: Seed = 0,
    spec: SpecFile = None,
) -> None:
    """Write examples in a published form, which the papers' own loaders read.

    unseen export cogitao/c1-1 --format hdf5 --out published/c1-1
    """
    from unseen.data.export import export as write_published

    asked = read_asked([*(words or ()), *(split or ())], spec)
    datasets = [asked.dataset(name, seed=seed)[:count] for name in asked.splits()]
    for dataset, path in zip(datasets, write_published(datasets, out, format), strict=True):
        print(f"{path}: {len(dataset):,} examples of {dataset.task.id} {dataset.split}")
