"""`unseen score`: how good are these predictions, or all those of a run, or those in published files?"""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, Asked, Seed, read_asked
from unseen.core.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unseen.results.scoring import Scores


def score(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="TASK_OR_RUN [SPLIT FILE] [KEY=VALUE]...",
            help="The folder of a run; or a task, the split that was predicted, a Parquet file with a prediction for"
            " each example, and options of the task.",
        ),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Score by this metric instead of the task's, and write no record; may be given several times."
            " List them: unseen list --metrics."
        ),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="The folder or URL of data that was predicted, instead of the task.")
    ] = None,
    rows: Annotated[Path | None, typer.Option(help="A CSV file to write a row per example to.")] = None,
    results: Annotated[Path, typer.Option(help="The folder that the record of a run is written to.")] = Path("results"),
    format: Annotated[
        str | None,
        typer.Option(help="The format of files to score: published, for masks of a video task in the published form."),
    ] = None,
    truth: Annotated[Path | None, typer.Option(help="The published file of true masks.")] = None,
    published: Annotated[
        Path | None, typer.Option("--predictions", help="The published file of predicted masks.")
    ] = None,
    frames: Annotated[str, typer.Option(help="The frames of published files to score: first:beyond.")] = "2:10",
    exclude_background: Annotated[
        bool, typer.Option("--exclude-background", help="Leave predictions out that overlap true background.")
    ] = False,
    against: Annotated[
        Path | None, typer.Option(help="Another file of predictions, to compare with on the items that both answer.")
    ] = None,
    groups: Annotated[bool, typer.Option("--groups", help="Print scores by rule, by template and so on, too.")] = False,
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """Score predictions with the task's metrics.

    Of a run, all predictions are scored and its record is written.

    unseen score cogitao/c1-1 test_ood predictions.parquet

    unseen score runs/cogitao/s2-translate/resnet/seed-0

    unseen score runs/cogitao/s2-translate/resnet/seed-0 --metric cell_accuracy

    unseen score cvr/shape test_ood one.parquet --against another.parquet

    unseen score video/vmds --format published --truth truth.json --predictions predictions.json --exclude-background
    """
    from unseen.runs import is_run

    asked = read_asked(words)
    run = Path(asked.name)
    if format is not None or truth is not None or published is not None:
        if format != "published" or truth is None or published is None:
            raise SpecError("published files are scored with --format published, --truth FILE and --predictions FILE")
        score_published(asked.name, truth, published, frames=frames, exclude_background=exclude_background, json=json)
    elif is_run(run):
        if asked.words or asked.options or data is not None or rows is not None or groups or against is not None:
            raise SpecError(
                f"{run} is a run, all of which is scored;"
                " leave the split, options, --data, --rows, --against and --groups out"
            )
        if metric:
            score_run_by(run, metric, json=json)
        else:
            score_run(run, results, json=json)
    elif len(asked.words) != 2:
        raise SpecError(f"name the run's folder, or a task, a split and a file of predictions; {run} is no run")
    elif against is not None:
        compare_files(asked, against, metrics=metric or None, data=data, seed=seed, json=json)
    else:
        score_file(asked, metrics=metric or None, data=data, rows=rows, groups=groups, seed=seed, json=json)


def score_run(folder: Path, results: Path, *, json: bool) -> None:
    """Score every split that a run predicted, write its record, and print it."""
    from unseen.cli.output import print_table
    from unseen.metrics.statistics import spelled
    from unseen.results.record import read_record, write_record

    path = write_record(folder, results)
    if json:
        print(path.read_text(), end="")
        return
    record = read_record(path)
    for split, scores in record.scores.items():
        lines = [
            (name, metric.value, spelled(metric.interval), metric.better) for name, metric in scores.metrics.items()
        ]
        title = f"{record.task} {split}: {scores.count:,} predictions of {record.model}, seed {record.seed}"
        print_table(("metric", "value", "95 %", "better"), lines, title=title)
    print(f"record: {path}")


def score_run_by(folder: Path, metrics: Sequence[str], *, json: bool) -> None:
    """Score every split that a run predicted by some metrics, and print the scores."""
    from unseen.results.record import score_run
    from unseen.runs import open_run

    found = score_run(open_run(folder), metrics)
    if json:
        print("[" + ",\n".join(scores.to_json() for scores in found.values()) + "]")
        return
    for split, scores in found.items():
        print_scores(scores, f"{scores.task} {split}: {scores.count:,} predictions of {folder}")


def print_scores(scores: Scores, title: str) -> None:
    """Print the value of every metric, the interval it lies in, and which way is better."""
    from unseen.cli.output import print_table
    from unseen.metrics.statistics import spelled

    lines = [
        (name, value, spelled(scores.intervals.get(name)), scores.directions[name]) for name, value in scores.items()
    ]
    print_table(("metric", "value", "95 %", "better"), lines, title=title)


def score_file(
    asked: Asked,
    *,
    metrics: Sequence[str] | None,
    data: str | None,
    rows: Path | None,
    groups: bool,
    seed: int,
    json: bool,
) -> None:
    """Score one file of predictions, and print the scores."""
    from unseen.cli.output import print_table
    from unseen.results.groups import group_scores
    from unseen.results.scoring import score as score_predictions

    task, (split, predictions) = asked.task(), asked.words
    scores = score_predictions(task, split, Path(predictions), seed=seed, metrics=metrics, data=data)
    ways = group_scores(task, scores) if groups else {}
    if rows:
        write_rows(rows, scores.rows)
    if json:
        print(scores.to_json(**({"groups": ways} if groups else {})))
        return
    print_scores(scores, f"{scores.task} {split}: {scores.count:,} predictions of {predictions}")
    for way, found in ways.items():
        print_table((way, next(iter(scores))), list(found.items()))


def compare_files(
    asked: Asked,
    other: Path,
    *,
    metrics: Sequence[str] | None,
    data: str | None,
    seed: int,
    json: bool,
) -> None:
    """Compare two files of predictions, item by item, and print by which metrics they differ."""
    from dataclasses import asdict

    from unseen.cli.output import print_json, print_table
    from unseen.metrics.statistics import spelled
    from unseen.results.paired import compare

    task, (split, one) = asked.task(), asked.words
    found = compare(task, split, Path(one), other, seed=seed, metrics=metrics, data=data)
    if json:
        print_json({name: asdict(each) for name, each in found.items()})
        return
    rows = [
        (name, each.first, each.second, each.difference, spelled(each.interval), each.p, each.test)
        for name, each in found.items()
    ]
    columns = ("metric", "first", "second", "difference", "95 %", "p", "test")
    items = next(iter(found.values())).items
    print_table(columns, rows, title=f"{task.id} {split}: {one} and {other} on {items:,} shared items, mean over items")


def score_published(
    task: str, truth: Path, predictions: Path, *, frames: str, exclude_background: bool, json: bool
) -> None:
    """Score published files of masks as the published evaluation does, and print its metrics, in percent."""
    from math import isfinite

    from unseen.cli.output import print_json, print_table
    from unseen.metrics.tracking import evaluate_published

    kind = read_asked([task]).task().kind.name
    if kind != "video":
        raise SpecError(f"published files of masks are of video tasks, and {task} is a {kind} task")
    start, colon, stop = frames.partition(":")
    if not (colon and start.isdecimal() and stop.isdecimal()):
        raise SpecError(f"--frames is the first frame and the one after the last, for instance 2:10, not {frames!r}")
    scores = evaluate_published(
        read_videos(truth),
        read_videos(predictions),
        frames=(int(start), int(stop)),
        exclude_background=exclude_background,
    )
    if json:
        print_json({name: value if isfinite(value) else None for name, value in scores.items()})
        return
    print_table(("metric", "percent"), list(scores.items()), title=f"{task}: {predictions}, as published")


def read_videos(path: Path) -> list[Any]:
    """Return the list of videos in a published file."""
    import json

    from unseen.core.errors import DataError
    from unseen.core.nesting import parsed

    try:
        videos = parsed(json.loads, path.read_bytes())
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{path} is no JSON: {error}") from None
    if not isinstance(videos, list):
        raise DataError(f"{path} holds a {type(videos).__name__} and not a list of videos")
    return videos


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write a row per example as CSV."""
    from unseen.core.files import write_whole

    text = StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())
