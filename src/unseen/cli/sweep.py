"""`unseen sweep`: many runs from one file, such as a published table."""

from __future__ import annotations

import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson, Trust
from unseen.cli.output import EVERY, print_json, print_table
from unseen.cli.train import RecipeWords, read_pairs, tell_advice
from unseen.cli.unfold import unfolded
from unseen.cli.where import HERE, Where

if TYPE_CHECKING:
    from unseen.sweeps import Outcome, Planned

REFRESH = 1.0  # seconds between views of the live table
SHOWN = 20  # rows of it


@unfolded
def sweep(
    source: Annotated[
        str, typer.Argument(metavar="FILE.toml|NAME", help="A sweep file, or the name of one that ships.")
    ] = "",
    budget: Annotated[float, typer.Option(help="The share of the training, above 0 and at most 1.")] = 1.0,
    models: Annotated[list[str] | None, typer.Option(help="Only this model; may be repeated.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this block, or tasks whose names begin so (s2); may be repeated.")
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Only this many seeds, from the first on.")] = None,
    count: Annotated[
        int | None, typer.Option(min=1, help="Answer only this many examples of each test split, from the first on.")
    ] = None,
    recipe: RecipeWords = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder of runs and results; by default here, or budget-SHARE.")
    ] = None,
    where: Where = HERE,
    trust: Trust = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be run and what it costs.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate/--no-estimate", help="Measure a few steps first, to tell how long it takes.")
    ] = True,
    json: AsJson = False,
) -> None:
    """Train, test and score every run of a file.

    If it is interrupted, run the same command again: it continues where it stopped.

    unseen sweep cogitao/table-2 --models resnet --only s2 --seeds 1

    unseen sweep mine.toml --dry-run
    """
    from unseen.sweeps import plan, read_sweep, shipped
    from unseen.sweeps import sweep as sweep_over
    from unseen.sweeps.cost import cost_of, seconds_per_step
    from unseen.train import Devices

    if not source:
        print_table(("sweep", "about"), [(name, _about(path)) for name, path in shipped().items()])
        return
    folder = out or Path("." if budget == 1 else f"budget-{budget:g}")
    engine = where.chosen()
    blocks = read_sweep(source)
    runs = plan(
        blocks,
        out=folder,
        budget=budget,
        models=models or (),
        only=only or (),
        seeds=seeds,
        count=count,
        recipe=dict(read_pairs(recipe or ())),
        trust=trust,
    )
    if not runs:
        raise typer.BadParameter(f"{source} has no such runs; see them all: unseen sweep {source} --dry-run")
    left = [run for run in runs if not run.record.exists()]
    tell_advice(Devices(), *(run.recipe for run in left))
    cost = cost_of(left, measure=seconds_per_step if estimate else None)
    if dry_run:
        _tell_plan(runs, left, str(cost), json)
        return
    print(f"{len(runs) - len(left)} of {len(runs)} runs are done; left: {cost}", file=sys.stderr)
    outcomes: list[Outcome] = []
    with _watched(left, outcomes):
        for outcome in sweep_over(left, workers=where.at_once, engine=engine):
            outcomes.append(outcome)
    _tell(runs, outcomes, json, folder)
    if any(outcome.status != "done" for outcome in outcomes):
        raise typer.Exit(1)


def _about(path: Path) -> str:
    """What a sweep file says of itself in its first sentence, which may go on over lines."""
    lines = takewhile(lambda line: line.startswith("# "), path.read_text().splitlines())
    return re.split(r"(?<=[.?]) (?=[A-Z\d])", " ".join(line.removeprefix("# ") for line in lines))[0]


def _tell_plan(runs: Sequence[Planned], left: Sequence[Planned], cost: str, json: bool) -> None:
    if json:
        print_json({"runs": [run.name for run in runs], "left": len(left), "cost": cost})
        return
    rows = [(run.name, "to do" if run in left else "done", run.start) for run in runs]
    print_table(("run", "status", "starts from"), rows)
    print(f"left: {cost}")


def _tell(runs: Sequence[Planned], outcomes: Sequence[Outcome], json: bool, out: Path) -> None:
    """Say what failed, and show the results of the rest."""
    from unseen.cli.results import results

    failed = [outcome for outcome in outcomes if outcome.status != "done"]
    if json:
        ended = {outcome.run.name: outcome.status for outcome in outcomes}
        records = [str(run.record) for run in runs if run.record.exists()]
        why = {outcome.run.name: outcome.why for outcome in failed}
        print_json({"records": records, "ended": ended, "why": why})
        return
    for benchmark in dict.fromkeys(run.task.partition("/")[0] for run in runs if run.record.exists()):
        results(benchmark, records=[str(out / "results")])
    for outcome in failed:
        print(f"{outcome.status}: {outcome.run.name}: {outcome.why}", file=sys.stderr)
    if failed:
        print(f"{len(failed)} of {len(runs)} runs failed; run the same command to try again", file=sys.stderr)


# ---------------------------------------------------------------------------- while it runs


@contextmanager
def _watched(runs: Sequence[Planned], outcomes: Sequence[Outcome]) -> Iterator[None]:
    """Show how the runs go, in a terminal as a table that follows them, elsewhere as a line now and then."""
    over = threading.Event()
    show = _show_table if sys.stderr.isatty() else _show_lines
    watcher = threading.Thread(target=show, args=(runs, outcomes, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _show_lines(runs: Sequence[Planned], outcomes: Sequence[Outcome], over: threading.Event) -> None:
    while not over.wait(EVERY):
        rows = [(name, what) for name, status, what in _rows(runs, outcomes) if status == "running"]
        going = "; ".join(f"{name}: {what}" for name, what in rows)
        print(f"{_counted(runs, outcomes)}{f'; {going}' if going else ''}", file=sys.stderr, flush=True)


def _show_table(runs: Sequence[Planned], outcomes: Sequence[Outcome], over: threading.Event) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    with Live(console=Console(stderr=True), transient=True) as live:
        while not over.wait(REFRESH):
            table = Table("run", "status", "", title=_counted(runs, outcomes))
            for row in _rows(runs, outcomes)[:SHOWN]:
                table.add_row(*row)
            live.update(table)


def _rows(runs: Sequence[Planned], outcomes: Sequence[Outcome]) -> list[tuple[str, str, str]]:
    """Every run that began, with what is to say of it: those that run first, then what failed, then what is done."""
    from unseen.sweeps.claim import read_note

    ended = {outcome.run.name: outcome for outcome in outcomes}
    rows = [(run.name, ended[run.name].status, ended[run.name].why) for run in runs if run.name in ended]
    for run in runs:
        if run.name not in ended and (note := read_note(run.claim)):
            left = "" if note.left is None else f", about {note.left:,.0f} s left"
            rows.append((run.name, "running", f"{note.done:,} of {note.total:,}, {note.text}{left}"))
    order = {"running": 0, "failed": 1, "skipped": 2, "done": 3}
    return sorted(rows, key=lambda row: order[row[1]])


def _counted(runs: Sequence[Planned], outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.status for outcome in outcomes)
    failed = f", {counts['failed'] + counts['skipped']} failed" if counts["failed"] else ""
    return f"{counts['done']} of {len(runs)} done{failed}"
