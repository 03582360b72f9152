"""What commands print: tables for people, JSON for programs, progress for the impatient."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


class Progress(Protocol):
    """What long work tells how far it is."""

    def __call__(self, done: int, total: int, text: str = "") -> None:
        """So many of so many are done."""


PIPE_WIDTH = 200  # of tables that no terminal limits


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, default=str))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "") -> None:
    """Print rows under their column names, if they have any; numbers to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False, show_header=any(columns))
    for i, column in enumerate(table.columns):
        cells = [row[i] for row in rows if row[i] not in ("", None)]
        if cells and all(isinstance(cell, int | float) for cell in cells):
            column.justify = "right"
    for row in rows:
        table.add_row(*map(_cell, row))
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False, markup=False)
    if title:
        console.print(title, style="bold")
    console.print(table)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on stderr, and the function (done, total, text) that moves it; nothing where nobody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        shown = bar.add_task("", total=None)

        def move(done: int, total: int, text: str = "examples") -> None:
            bar.update(shown, completed=done, total=total, description=text)

        yield move
