"""`unseen export`: write a data set in the published formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.ask import Putting, picked
from unseen.cli.asked import Asked, Seed, SpecFile, Words, read_asked
from unseen.cli.unfold import unfolded

PUTTING = Putting()
EVERY_EVAL = "every-eval-ever"


@unfolded
def export(
    words: Words = None,
    format: Annotated[
        str | None,
        typer.Option(
            help="The format: json, hdf5 or parquet for COGITAO; strips for CVR; json, hdf5 or coco for videos, the"
            " first of them by default; webdataset for tars of any task; inspect or vlmevalkit for items of any task;"
            " every-eval-ever for a record that `unseen score` wrote."
        ),
    ] = None,
    out: Annotated[
        str, typer.Option(help="The folder or URL to write to; items and results go to folders.")
    ] = "export",
    split: Annotated[list[str] | None, typer.Option(help="A split to write; may be repeated. All by default.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Write at most this many examples of each split.")] = None,
    seed: Seed = 0,
    organization: Annotated[str, typer.Option(help="Who evaluated, for every-eval-ever.")] = "unknown",
    putting: Putting = PUTTING,
    spec: SpecFile = None,
) -> None:
    """Write examples, items or results in other formats.

    The papers' own loaders read examples in the published formats; other evaluation tools read items and results.

    unseen export cogitao/c1-1 --format hdf5 --out published/c1-1

    unseen export cvr/shape --format webdataset --out s3://bucket/tars

    unseen export cvr/shape test_ood --format inspect --count 100

    unseen export svib/dsprites-sa test_ood --format vlmevalkit --form choose --count 100

    unseen export results/cvr/shape/gpt-seed-0.json --format every-eval-ever --organization "My lab"
    """
    from unseen.cli.output import progress_bar
    from unseen.data.export import by_task
    from unseen.data.export import export as write_published
    from unseen.data.webdataset import FORMAT, export_tars
    from unseen.predict.exports import ITEM_FORMATS

    if format == EVERY_EVAL:
        export_records([Path(word) for word in words or ()], folder_of(out), organization)
        return
    asked = read_asked([*(words or ()), *(split or ())], spec)
    if format in ITEM_FORMATS:
        export_items(asked, format, folder_of(out), putting, count=count, seed=seed)
        return
    datasets = [asked.dataset(name, seed=seed)[:count] for name in asked.splits()]
    if format == FORMAT:
        for dataset in datasets:
            with progress_bar() as progress:
                tars = export_tars(dataset, out, progress=progress)
            print(f"{tars[0]}: {len(dataset):,} examples of {dataset.task.id} {dataset.split} in {len(tars)} tars")
        return
    with progress_bar() as progress:
        paths = write_published(datasets, out, format, progress=progress)
    parts = (part for dataset in datasets for part in by_task(dataset))
    for (task, part), path in zip(parts, paths, strict=True):
        print(f"{path}: {len(part):,} examples of {task.id} {part.split}")


def folder_of(out: str) -> Path:
    """Return the folder that is to be written to; a URL is refused."""
    from unseen.core.errors import SpecError
    from unseen.data.places import Folder, place_of

    place = place_of(out)
    if not isinstance(place, Folder):
        raise SpecError(f"items and results are written to folders, and {place} is a URL")
    return place.path


def export_items(asked: Asked, format: str, out: Path, putting: Putting, *, count: int | None, seed: int) -> None:
    """Write the items of splits for another evaluation tool."""
    from unseen.cli.output import progress_bar
    from unseen.core.asking import Manner
    from unseen.predict.exports import ITEM_FORMATS

    manner = picked(Manner, putting)
    for name in asked.splits():
        with progress_bar() as progress:
            dataset = asked.dataset(name, seed=seed)[:count]
            path = ITEM_FORMATS[format](dataset, out, manner, progress)
        print(f"{path}: {len(dataset):,} items of {dataset.task.id} {name}")


def export_records(paths: list[Path], out: Path, organization: str) -> None:
    """Write records in the schema of Every Eval Ever."""
    from time import time

    from unseen.core.errors import SpecError
    from unseen.results.every_eval import write_every_eval
    from unseen.results.record import read_record

    if not paths:
        raise SpecError("name the record of a result, such as results/cvr/shape/gpt-seed-0.json")
    for path in paths:
        print(write_every_eval(read_record(path), path, out, organization=organization, time=time()))
