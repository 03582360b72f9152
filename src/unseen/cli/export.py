"""`unseen export`: write a data set in the published forms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.asked import Seed, SpecFile, Words, read_asked

FORMATS = ("json", "hdf5", "parquet")


def export(
    words: Words = None,
    format: Annotated[str, typer.Option(help=f"One of {', '.join(FORMATS)}.")] = "json",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("export"),
    split: Annotated[list[str] | None, typer.Option(help="A split; may be repeated. All by default.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many examples of each split.")] = None,
    seed: Seed = 0,
    spec: SpecFile = None,
) -> None:
    """Write examples in a published form, which the papers' own loaders read.

    unseen export cogitao/c1-1 --format hdf5 --out published/c1-1
    """
    from unseen.core.errors import unknown

    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    from unseen.data.export import export as write_published

    asked = read_asked([*(words or ()), *(split or ())], spec)
    datasets = [asked.dataset(name, seed=seed)[:count] for name in asked.splits()]
    write_published(datasets, out, format)
    print(f"{out}: {sum(map(len, datasets)):,} examples as {format} ({', '.join(item.split for item in datasets)})")
