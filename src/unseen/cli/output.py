"""What commands print: tables for people, JSON for programs, and progress."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from time import monotonic
from typing import Any

from unseen.core.errors import one_line
from unseen.core.progress import Progress

PIPE_WIDTH = 200  # of tables that no terminal limits
READABLE, NARROW = 16, 8  # columns of text give way down to one width, and all columns down to the other
EVERY = 20.0  # seconds between lines of progress where no terminal shows a bar


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, default=str))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "") -> None:
    """Print rows under their column names, if they have any; numbers to the right, long texts on several lines."""
    lines = [[_cell(value) for value in row] for row in rows]
    widths = _fit([max(map(_width, column)) for column in zip(columns, *lines, strict=True)])
    right = [_holds_numbers(column) for column in zip(*rows, strict=True)] or [False] * len(columns)
    if title:
        named = one_line(title)
        print(f"\033[1m{named}\033[0m" if sys.stdout.isatty() else named)
    print()
    if any(columns):
        _print_row(columns, widths, right)
        print(" " + "─" * (sum(widths) + 2 * len(widths) - 2))
    for line in lines:
        _print_row(line, widths, right)
    print()


def _holds_numbers(cells: Sequence[object]) -> bool:
    found = [cell for cell in cells if cell not in ("", None)]
    return bool(found) and all(isinstance(cell, int | float) for cell in found)


def _fit(widths: list[int]) -> list[int]:
    """The widths of columns that fit on the screen: the widest give way first, and the names in the first one last."""
    room = (shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH) - 2 * len(widths)
    fitted = list(widths)
    while sum(fitted) > room and max(fitted) > NARROW:
        widest = max(range(len(fitted)), key=lambda k: (k > 0 and fitted[k] > READABLE, fitted[k]))
        fitted[widest] -= 1
    return fitted


def _print_row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> None:
    wrapped = [_wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*wrapped, fillvalue=""):
        placed = (
            part.rjust(width) if flush else part.ljust(width)
            for part, width, flush in zip(parts, widths, right, strict=True)
        )
        print(" " + "  ".join(placed).rstrip())


def _width(cell: str) -> int:
    return max(map(len, cell.splitlines()), default=0)


def _wrap(cell: str, width: int) -> list[str]:
    return [part for line in cell.splitlines() for part in textwrap.wrap(line, width)] or [""]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else "\n".join(map(one_line, str(value).splitlines()))


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Give long work a function (done, total, text) to tell how far it is, on stderr.

    A terminal shows a bar. Elsewhere, as in a log, a line is printed now and then, so that silence never means that
    work goes on.
    """
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("", total=None)

        def move(done: int, total: int, text: str = "examples") -> None:
            bar.update(shown, completed=done, total=total, description=text)

        yield move


class _Lines:
    """Progress as lines of text, one at most every `EVERY` seconds; short work prints none."""

    def __init__(self) -> None:
        self.printed = monotonic()

    def __call__(self, done: int, total: int, text: str = "examples") -> None:
        now = monotonic()
        if now - self.printed >= EVERY:
            self.printed = now
            print(f"{text}: {done:,} of {total:,}", file=sys.stderr, flush=True)
