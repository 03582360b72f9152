"""`unseen audit`: what do trivial solvers score, and what do splits hold?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, Asked, Seed, SpecFile, read_asked
from unseen.cli.unfold import unfolded
from unseen.cli.where import HERE, Where

if TYPE_CHECKING:
    from unseen.audit import Audit
    from unseen.core.task import Task

SPLITS = ("train", "test_ood")  # of each sort one: the other splits are drawn alike

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="TASK|BENCHMARK [SPLIT]... [KEY=VALUE]...", help="A task, or all tasks of a benchmark."),
]


@unfolded
def audit(
    words: Words = None,
    count: Annotated[int, typer.Option(min=1, help="Number of examples of each split.")] = 2_000,
    divergence: Annotated[
        bool, typer.Option("--divergence", help="Measure how far the splits are from training instead.")
    ] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print statistics of the splits instead, where a benchmark has any.")
    ] = False,
    where: Where = HERE,
    seed: Seed = 0,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Measure what trivial solvers score on a task.

    The exit code is 1 if one of them exceeds its benchmark's bound and the benchmark declares no reason for it.

    unseen audit cvr/shape train

    unseen audit cvr --json

    unseen audit cogitao/c1-1 --divergence
    """
    from unseen.audit.run import audit as put_solvers
    from unseen.audit.run import plain
    from unseen.cli.output import print_json

    asked = read_asked(words, spec)
    tasks = _tasks(asked)
    measure = partial(_measured, where, count=count, seed=seed)
    if divergence:
        _measure_divergence(tasks, measure, count, json)
        return
    places = [
        (task, split) for task in tasks for split in asked.words or [name for name in SPLITS if name in task.splits]
    ]
    if statistics:
        _print_statistics(places, measure, json)
        return
    found = measure(put_solvers, places)
    if json:
        print_json([plain(one) for one in found])
    elif len(tasks) == 1:
        for one in found:
            _print_findings(one)
    else:
        _print_worst(found)
    if not all(one.clean for one in found):
        raise typer.Exit(1)


def _tasks(asked: Asked) -> list[Task]:
    """The task asked about, or every task of the benchmark."""
    from unseen.core.catalogue import task, tasks

    if "/" in asked.name:
        return [asked.task()]
    return [task(name, **asked.options) for name in tasks(asked.name)]


def _measured(
    where: Where, function: Callable[..., Any], places: list[tuple[Any, ...]], *, count: int, seed: int
) -> list[Any]:
    """What a function finds at each of some places: tasks, or splits of tasks."""
    from unseen.cli.output import progress_bar
    from unseen.core.progress import OnlyHere
    from unseen.engines import in_order

    with progress_bar() as progress:
        at = partial(_at, partial(function, count=count, seed=seed, progress=OnlyHere(progress)))
        return in_order(where.chosen(), at, places, workers=where.workers, progress=progress, text="audits")


def _at(function: Callable[..., Any], place: tuple[Any, ...]) -> Any:
    return function(*place)


def _measure_divergence(tasks: list[Task], measure: Callable[..., list[Any]], count: int, as_json: bool) -> None:
    """Print how far every split of some tasks is from training."""
    from unseen.audit.divergence import divergences
    from unseen.cli.output import print_json, print_table

    found = measure(divergences, [(task,) for task in tasks])
    lines = {
        task.id: [(split, *map(_known, one)) for split, one in splits.items()]
        for task, splits in zip(tasks, found, strict=True)
    }
    columns = ("from train to", "atoms", "compounds")
    if as_json:
        print_json({task: [dict(zip(columns, line, strict=True)) for line in each] for task, each in lines.items()})
        return
    for task, each in lines.items():
        print_table(columns, each, title=f"{task}: divergence of {count:,} examples")


def _print_statistics(places: list[tuple[Task, str]], measure: Callable[..., list[Any]], as_json: bool) -> None:
    """Print statistics of some splits, as their benchmark defines them."""
    from unseen.audit.contents import contents
    from unseen.cli.output import print_json, print_table

    tables_of = measure(contents, places)
    found = {f"{task.id} {split}": tables for (task, split), tables in zip(places, tables_of, strict=True)}
    if as_json:
        print_json(found)
        return
    for place, tables in found.items():
        for title, numbers in tables.items():
            print_table(("", ""), list(numbers.items()), title=f"{place}: {title}")


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _print_findings(found: Audit) -> None:
    """Print what every solver scores on one task and split."""
    from unseen.cli.output import print_table

    rows = [
        (one.solver, one.metric, one.value, one.bound, _verdict(one.too_high, one.held), one.reason or one.about)
        for one in found.findings
    ]
    title = f"{found.task} {found.split}: {found.count:,} examples"
    print_table(("solver", "metric", "value", "bound", "", "why it may, or what it does"), rows, title=title)


def _print_worst(found: list[Audit]) -> None:
    """Print a line per task and split: the highest solver that has a bound to keep to, or the first if none has."""
    from unseen.cli.output import print_table

    rows = []
    for one in found:
        worst = one.worst or one.findings[0]
        verdict = _verdict(worst.too_high, worst.held)
        rows.append((one.task, one.split, worst.solver, worst.metric, worst.value, worst.bound, verdict))
    columns = ("task", "split", "solver", "metric", "value", "bound", "")
    print_table(columns, rows, title=f"{len(found)} audits, {sum(not one.clean for one in found)} with a shortcut")


def _verdict(too_high: bool, held: bool) -> str:
    return "too high" if too_high else "ok" if held else ""
