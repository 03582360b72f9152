"""`unseen score`: how good are these predictions?"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, Seed, read_asked

if TYPE_CHECKING:
    from collections.abc import Sequence


def score(
    task: Annotated[str, typer.Argument(help="The task.")],
    split: Annotated[str, typer.Argument(help="The split that was predicted.")],
    predictions: Annotated[Path, typer.Argument(help="A parquet file, a prediction for each example.")],
    options: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="The task's options.")] = None,
    data: Annotated[
        Path | None, typer.Option(help="The folder of data that was predicted, instead of the task.")
    ] = None,
    rows: Annotated[Path | None, typer.Option(help="A CSV file to write a row per example to.")] = None,
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """Score predictions with the task's metrics.

    unseen score cogitao/c1-1 test_ood predictions.parquet
    """
    from unseen.cli.output import print_table
    from unseen.results.scoring import score as score_predictions

    asked = read_asked([task, *(options or ())]).task()
    scores = score_predictions(asked, split, predictions, seed=seed, data=data)
    if rows:
        write_rows(rows, scores.rows)
    if json:
        print(scores.to_json())
        return
    lines = [(name, value, scores.directions[name]) for name, value in scores.items()]
    title = f"{scores.task} {split}: {scores.count:,} predictions of {predictions}"
    print_table(("metric", "value", "better"), lines, title=title)


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write a row per example as CSV."""
    from unseen.core.errors import DataError

    try:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}") from None
