"""The catalogue as plain rows, for the command line and the docs."""

from __future__ import annotations

import dataclasses
import inspect
import re
from itertools import islice
from typing import Any

from unseen.core.catalogue import BENCHMARKS, settle
from unseen.core.errors import SpecError, UnknownName
from unseen.core.paper import Citation
from unseen.core.registry import load_plugins
from unseen.core.splits import Compositions, Listed
from unseen.core.task import Benchmark, Row, Split, Task
from unseen.metrics import METRICS
from unseen.models import MODELS, Grids, MakeModel

COMPOSITIONS = 12  # shown of a split; the rest is counted


def benchmark_row(benchmark: Benchmark) -> dict[str, Any]:
    """Describe a benchmark and its tasks."""
    return {
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "paper": benchmark.paper,
        "kind": benchmark.kind,
        "version": benchmark.version,
        "tasks": [task_row(benchmark, row) for row in benchmark.rows],
    }


def task_row(benchmark: Benchmark, row: Row) -> dict[str, Any]:
    """Describe a task: its id, how many examples its splits hold, and what it is about."""
    task = settle(benchmark, row, {})
    sizes = {split.name: split.size for split in task.splits.values()}
    return {"task": task.id, "kind": task.kind.name, "splits": sizes, "summary": row.summary}


def task_details(task: Task) -> dict[str, Any]:
    """Describe everything that is declared about one task."""
    return {
        **task_row(task.benchmark, task.row),
        "task": task.id,
        "aliases": list(task.row.aliases),
        "inputs": task.kind.inputs,
        "target": task.kind.target,
        "metrics": list(task.metrics),
        "baselines": list(task.row.baselines),
        "tables": list(task.row.tables),
        "options": option_rows(task.row.options) + option_rows(task.benchmark.view_class),
        "compositions": {name: _some(compositions_of(task, split)) for name, split in task.splits.items()},
    }


def compositions_of(task: Task, split: Split) -> Compositions:
    """Return the compositions that a split draws from; none if its benchmark does not say."""
    found = getattr(task.benchmark.file("splits"), "compositions", None)
    every: Compositions = found(split.spec) if found else Listed(())
    return every


def _some(every: Compositions) -> dict[str, Any]:
    return {"count": len(every), "first": [spelled(item) for item in islice(every, COMPOSITIONS)]}


def spelled(composition: Any) -> str:
    """Write a composition in one line.

    >>> spelled(("rot90", "pad_top"))
    'rot90 -> pad_top'
    """
    return composition if isinstance(composition, str) else " -> ".join(map(str, composition))


def rule_rows(benchmark: Benchmark) -> list[dict[str, str]]:
    """Return the rules of a benchmark, as its `rules.describe` tells them."""
    load_plugins()
    describe = getattr(benchmark.optional_file("rules"), "describe", None)
    if describe is None:
        raise SpecError(f"{benchmark.name} has no rules to list")
    rows: list[dict[str, str]] = describe()
    return rows


def citations(found: list[Benchmark]) -> dict[str, Citation]:
    """Tell how to cite benchmarks, by their names; it is an error if none of them has a paper."""
    cited = {one.name: citation for one in found if (citation := citation_of(one))}
    if not cited:
        raise SpecError(f"{', '.join(one.name for one in found)} names no paper to cite")
    return cited


def citation_of(benchmark: Benchmark) -> Citation | None:
    """Tell how to cite a benchmark; None if it has no paper."""
    return getattr(benchmark.optional_file("paper"), "CITATION", None)


def metric_rows() -> list[dict[str, Any]]:
    """Return the metrics, the kind of task each is for, which way is better, and what each says of itself."""
    return [{"metric": name, **_metric_facts(name)} for name in METRICS]


def _metric_facts(name: str) -> dict[str, Any]:
    try:
        metric = METRICS[name]
    except UnknownName as error:  # another package's, and broken: say so, and list the others
        return {"kind": None, "better": None, "about": str(error)}
    return {
        "kind": metric.kind,
        "better": "higher" if metric.higher_is_better else "lower",
        "about": metric.description,
    }


def model_rows() -> list[dict[str, Any]]:
    """The models: the kinds of task each answers, its weights on grids of 20 cells a side, what it says of itself."""
    return [{"model": name, **_model_facts(name)} for name in MODELS]


def _model_facts(name: str) -> dict[str, Any]:
    try:
        made = MODELS[name]
    except UnknownName as error:  # another package's, and broken: say so, and list the others
        return {"kinds": "", "parameters": None, "about": str(error)}
    about = (inspect.getdoc(made) or "").partition("\n")[0]
    kinds = getattr(made, "kinds", ())
    return {"kinds": ", ".join(kinds), "parameters": _weights(made) if "grid" in kinds else None, "about": about}


def _weights(made: MakeModel) -> int:
    return sum(weights.numel() for weights in made(Grids(side=20, code_length=4, tokens=29)).parameters())


def option_rows(options: type[Any]) -> list[dict[str, str]]:
    """Return the options of a task as declared: name, default, and the comment beside it."""
    from unseen.core.options import written_value

    comments = {name: comment for cls in reversed(options.__mro__) for name, comment in _comments(cls).items()}
    defaults = options()
    return [
        {
            "option": field.name,
            "default": written_value(getattr(defaults, field.name)),
            "comment": comments.get(field.name, ""),
        }
        for field in dataclasses.fields(options)
    ]


def _comments(cls: type[Any]) -> dict[str, str]:
    """The comments behind the fields of a class, from its source: what a reader of the code sees, users see too."""
    try:
        source = inspect.getsource(cls)
    except (OSError, TypeError):  # made in an interpreter, or built in
        return {}
    return dict(re.findall(r"^ {4}(\w+):.*?  # (.+)$", source, re.MULTILINE))


def benchmarks(name: str | None = None) -> list[Benchmark]:
    """Return the benchmark of a name, or all that can be imported."""
    return [BENCHMARKS[name]] if name else BENCHMARKS.values()
