"""The catalogue: every benchmark and task by name, with options read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from unseen.core.errors import SpecError, unknown
from unseen.core.registry import Registry
from unseen.core.task import EXTRA_ROWS, Benchmark, Row, Split, Task

BENCHMARKS: Registry[Benchmark] = Registry("benchmark", group="unseen.benchmarks", listing="unseen list")
BENCHMARKS.add_lazy("cogitao", "unseen.benchmarks.cogitao:BENCHMARK")
BENCHMARKS.add_lazy("cvr", "unseen.benchmarks.cvr:BENCHMARK")
BENCHMARKS.add_lazy("svib", "unseen.benchmarks.svib:BENCHMARK")
BENCHMARKS.add_lazy("video", "unseen.benchmarks.video:BENCHMARK")
BENCHMARKS.add_lazy("covr", "unseen.benchmarks.covr:BENCHMARK")


MOST = 10**9  # examples of a split


def task(name: str, /, **options: Any) -> Task:
    """Return a task by its id, with options written in the id, given by keyword, or both.

    >>> task("cogitao/c1-1")
    <cogitao/c1-1: grid task; train 100,000, val 1,000, test 1,000, val_ood 1,000, test_ood 1,000>
    """
    from unseen.core.options import parse_id

    bare, written = parse_id(name)
    twice = written.keys() & options.keys()
    if twice:
        raise SpecError(f"option {min(twice)!r} is given twice: in {name!r} and by keyword")
    benchmark_name, _, row_name = bare.partition("/")
    benchmark = BENCHMARKS[benchmark_name.lower()]
    return settle(benchmark, _row(benchmark, row_name), {**written, **options})


def settle(benchmark: Benchmark, row: Row, given: Mapping[str, Any]) -> Task:
    """Make a task of a row and the options given for it, which are read, checked and written down."""
    if not given:
        return _plain(benchmark, row.name)
    return _settle(benchmark, row, given)


@lru_cache(maxsize=512)
def _plain(benchmark: Benchmark, row_name: str) -> Task:
    return _settle(benchmark, _row(benchmark, row_name), {})


def _settle(benchmark: Benchmark, row: Row, given: Mapping[str, Any]) -> Task:
    from unseen.core.options import read_options, written

    options, view = read_options((row.options, benchmark.view_class), given, of=f"{benchmark.name}/{row.name}")
    splits = {split.name: split for split in row.splits(options)}
    for split in splits.values():
        _check_size(split, f"{benchmark.name}/{row.name}")
    settled = Task(benchmark, row, options, view, splits, written(options, view))
    if hasattr(view, "check"):
        view.check(settled)
    return settled


def _check_size(split: Split, of: str) -> None:
    """Refuse a split that nobody can go through."""
    if split.size > MOST:
        raise SpecError(f"{split.name} of {of} can have {MOST:,} examples at most, not {split.size:,}")


def tasks(benchmark: str | None = None) -> list[str]:
    """List the ids of all tasks, or of one benchmark's tasks.

    >>> tasks("cogitao")[:3]
    ['cogitao/c1-1', 'cogitao/c1-2', 'cogitao/c1-3']
    """
    found = [BENCHMARKS[benchmark]] if benchmark else BENCHMARKS.values()
    return [f"{item.name}/{row.name}" for item in found for row in item.rows]


def register_task(benchmark: str, row: Row) -> None:
    """Add a task to a benchmark."""
    if row.name in {known.name for known in BENCHMARKS[benchmark].rows}:
        raise SpecError(f"{benchmark} has a task named {row.name!r} already; choose another name")
    EXTRA_ROWS.setdefault(benchmark, []).append(row)


def _row(benchmark: Benchmark, name: str) -> Row:
    rows = benchmark.rows
    for row in rows:
        if name == row.name or name in row.aliases:
            return row
    lowered = name.lower().replace("_", "-")
    for row in rows:
        if lowered == row.name:
            return row
    names = [row.name for row in rows]
    raise unknown("task", name, names, where=benchmark.name, listing=f"unseen list {benchmark.name}")
