"""Pages made from docstrings and from measurements: the Python reference, speed, and results."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from taskpages import table

import unseen
from unseen.benchmarks.cogitao import objects, patterns, rules
from unseen.core import errors, task
from unseen.core.catalogue import BENCHMARKS
from unseen.data import dataset
from unseen.render import figure, palette, png, sheet
from unseen.report import comparison
from unseen.results.compare import compare
from unseen.results.record import read_records

SECTIONS = {
    "The public face": [(unseen, name) for name in unseen.__all__ if callable(getattr(unseen, name))],
    "Tasks and examples": [
        (dataset, "Dataset"),
        *((task, name) for name in ("Example", "Task", "Split", "Benchmark", "Row", "Kind")),
    ],
    "COGITAO": [
        (rules, "apply"),
        (rules, "transformation"),
        (patterns, "color_pattern"),
        (objects, "Library"),
        (objects, "register_library"),
    ],
    "Images": [
        *((palette, name) for name in ("palette", "grid_image", "grid_from_image")),
        (png, "encode_png"),
        (sheet, "contact_sheet"),
        *((figure, name) for name in ("lined", "name_box", "arrow", "beside", "above")),
    ],
    "Errors": [(errors, name) for name, value in vars(errors).items() if isinstance(value, type)],
}


def pages(measured: Path) -> Iterator[tuple[str, str]]:
    """Place and text of every page."""
    yield "api", "\n\n".join(["# Python reference", *(_section(*section) for section in SECTIONS.items())])
    if speeds := sorted((measured / "speed").glob("*.json")):
        yield "speed", "\n\n".join(["# Speed", *(speed_section(json.loads(path.read_text())) for path in speeds)])
    if (measured / "audit.json").is_file():
        yield "audit", audit_page(json.loads((measured / "audit.json").read_text()))
    if (measured / "results").is_dir():
        yield "results", results_page(measured / "results")


def audit_page(audits: list[dict[str, Any]]) -> str:
    """What trivial solvers reach on every task: the highest that must keep to a bound, and those with a reason."""
    counts = sorted({f"{audit['count']:,}" for audit in audits})
    lines = [
        "# Shortcuts",
        f"Solvers that understand nothing, on {' or '.join(counts)} examples of each split, as `unseen audit` prints"
        " them: whatever is not declared must stay under its bound. A declared statistic is what the rule is about, for"
        " the reason beside it.",
        table(("task", "split", "highest undeclared", "value", "bound", "declared"), map(_audit_line, audits)),
        "## Declared",
    ]
    declared = ((audit, one) for audit in audits for one in audit["findings"] if one["reason"])
    rows = [
        (f"`{audit['task']}`", audit["split"], one["solver"], f"{one['value']:.2f}", one["reason"])
        for audit, one in declared
    ]
    return "\n\n".join([*lines, table(("task", "split", "solver", "value", "why it may"), rows)])


def _audit_line(audit: dict[str, Any]) -> tuple[str, ...]:
    worst = audit["worst"]
    held = (worst["solver"], f"{worst['value']:.2f}", f"{worst['bound']:.2f}") if worst else ("", "", "")
    declared = ", ".join(one["solver"] for one in audit["findings"] if one["reason"])
    return f"`{audit['task']}`", audit["split"], *held, declared


def results_page(records: Path) -> str:
    """The published tables of which we ran something, ours beside the paper's, and our notes on the differences."""
    found = read_records(records)
    tables = [compare(found, one, table) for one in BENCHMARKS.values() for table in one.file("paper").TABLES]
    run = [comparison.markdown(table) for table in tables if not all(row.missing for row in table.rows)]
    return "\n\n".join(["# Results", (records / "notes.md").read_text().strip(), *run])


def _section(title: str, members: list[tuple[Any, str]]) -> str:
    return "\n\n".join([f"## {title}", *(entry(module, name) for module, name in members)])


def entry(module: Any, name: str) -> str:
    """One function or class with its methods."""
    thing = getattr(module, name)
    path = f"{module.__name__}.{name}"
    if not isinstance(thing, type):
        return f"### {path}\n\n{described(name, thing)}"
    public = {member: value for member, value in vars(thing).items() if not member.startswith("_")}
    known = [f"- `{n}`: {inspect.getdoc(v)}" for n, v in public.items() if isinstance(v, property | cached_property)]
    methods = {n: getattr(v, "__func__", v) for n, v in public.items()}
    calls = [described(f".{n}", method) for n, method in methods.items() if inspect.isfunction(method)]
    return "\n\n".join([f"### {path}", described(name, thing), "\n".join(known), *calls])


def described(name: str, thing: Any) -> str:
    """A signature and a docstring."""
    return f"```python\n{name}{signature(thing)}\n```\n\n{prose(inspect.getdoc(thing) or '')}"


def signature(thing: Any) -> str:
    """How a function is called; nothing for errors."""
    if isinstance(thing, type) and issubclass(thing, Exception):
        return ""
    found = inspect.signature(thing)
    shown = [each for name, each in found.parameters.items() if name not in ("self", "cls") and name[0] != "_"]
    # annotations are strings here, and read better without their quotes
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(found.replace(parameters=shown)))


def prose(text: str) -> str:
    """A docstring with its examples fenced and its indented blocks kept."""
    return re.sub(r"(?m)^>>> (?:.*\n?)+?(?=\n|\Z)", lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text)


def speed_section(measured: dict[str, Any]) -> str:
    """What `unseen bench --json` measured of one benchmark."""
    others = [(row["name"], f"{row['value']:,.3g}", row["unit"]) for row in measured["others"]]
    columns = ("configuration", "task", "µs per example", "published ms", "times faster", "target")
    return "\n\n".join(
        [
            f"## {measured['benchmark']}",
            f"CPU time in one process, over {measured['count']:,} examples each, as printed by"
            f" `unseen bench {measured['benchmark']}`.",
            table(columns, map(_speed_line, measured["examples"])),
            table(("beside that", "value", "unit"), others),
        ]
    )


def _speed_line(row: dict[str, Any]) -> tuple[str, ...]:
    place = row["name"], f"`{row['task']}` {row['split']}", f"{row['microseconds']:.0f}"
    if row["ratio"] is None:  # nothing was published, so that the target is a rate
        return *place, "", "", f"{row['target']:,.0f} / s"
    return *place, f"{row['published_ms']:g}", f"{row['ratio']:,.0f}", f"{row['target']:,.0f}"
