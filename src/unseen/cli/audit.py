"""`unseen audit`: how far do solvers get that understand nothing?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson, Asked, Seed, SpecFile, read_asked

if TYPE_CHECKING:
    from unseen.audit import Audit
    from unseen.core.task import Task

SPLITS = ("train", "test_ood")  # of each sort one: the other splits are drawn alike

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="TASK|BENCHMARK [SPLIT]... [KEY=VALUE]...", help="A task, or all tasks of a benchmark."),
]


def audit(
    words: Words = None,
    count: Annotated[int, typer.Option(min=1, help="Examples of each split.")] = 2_000,
    seed: Seed = 0,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Put trivial solvers to a task; exit code 1 if one exceeds its benchmark's bound and no reason is declared.

    unseen audit cvr/shape train

    unseen audit cvr --json
    """
    from unseen.audit.run import audit as put_solvers
    from unseen.audit.run import plain
    from unseen.cli.output import print_json, progress_bar

    asked = read_asked(words, spec)
    tasks = _tasks(asked)
    with progress_bar() as progress:
        found = [
            put_solvers(task, split, count=count, seed=seed, progress=progress)
            for task in tasks
            for split in asked.words or [name for name in SPLITS if name in task.splits]
        ]
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


def _print_findings(found: Audit) -> None:
    """Every solver of one task and split."""
    from unseen.cli.output import print_table

    rows = [
        (one.solver, one.metric, one.value, one.bound, _verdict(one.too_high, one.held), one.reason or one.about)
        for one in found.findings
    ]
    title = f"{found.task} {found.split}: {found.count:,} examples"
    print_table(("solver", "metric", "value", "bound", "", "why it may, or what it answers"), rows, title=title)


def _print_worst(found: list[Audit]) -> None:
    """A line per task and split: of the solvers that must keep to a bound the highest, or the first where none must."""
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
