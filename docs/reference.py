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
from unseen.core.modules import CallableModule
from unseen.data import dataset
from unseen.render import figure, palette, png, sheet
from unseen.report.summary import results
from unseen.report.tables import markdown
from unseen.results.gather import SHIPPED

COLD_STARTS = "cold_starts"
WIDE = 80  # signatures that are longer have a line for each parameter
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
    if speeds := {path.stem: json.loads(path.read_text()) for path in sorted((measured / "speed").glob("*.json"))}:
        cold = speeds.pop(COLD_STARTS, None)
        sections = [*map(speed_section, speeds.values()), *([cold_section(cold)] if cold else [])]
        yield "speed", "\n\n".join(["# Speed", *sections])
    if (measured / "audit.json").is_file():
        yield "audit", audit_page(json.loads((measured / "audit.json").read_text()))
    if (measured / "results.md").is_file():
        yield "results", results_page((measured / "results.md").read_text())


def audit_page(audits: list[dict[str, Any]]) -> str:
    """What trivial solvers reach on every task: the highest that must keep to a bound, and those with a reason."""
    counts = sorted({f"{audit['count']:,}" for audit in audits})
    lines = [
        "# Shortcuts",
        f"What trivial solvers score on {' or '.join(counts)} examples of each split, as `unseen audit` prints"
        " it. A solver must stay under its bound unless the benchmark declares why it need not: the statistic is then"
        " what the rule is about.",
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


def results_page(notes: str) -> str:
    """Our notes, and every table of which we ran something, our results next to the paper's."""
    found = [finding for name in BENCHMARKS for finding in results(name, records=[SHIPPED]).findings]
    return "\n\n".join(["# Results", notes.strip(), *(markdown(finding) for finding in found if finding.rows)])


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
    """A signature and a docstring; of a package that can be called, those of its function."""
    thing = thing.called if isinstance(thing, CallableModule) else thing
    return f"```python\n{name}{signature(thing)}\n```\n\n{prose(inspect.getdoc(thing) or '')}"


def signature(thing: Any) -> str:
    """How a function is called; nothing for errors."""
    if isinstance(thing, type) and issubclass(thing, Exception):
        return ""
    found = inspect.signature(thing)
    shown = [each for name, each in found.parameters.items() if name not in ("self", "cls") and name[0] != "_"]
    # annotations are strings here, and read better without their quotes
    written = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(found.replace(parameters=shown)))
    written = re.sub(r"<class '(?:\w+\.)*(\w+)'>|PosixPath\(('\w+')\)", lambda one: one[1] or one[2], written)
    if len(written) <= WIDE:
        return written
    given, _, gives = written[1:].rpartition(")")
    lines = re.sub(r", (?=\w+:|\*+\w|[*/],)", ",\n    ", given)  # one parameter to a line
    return f"(\n    {lines},\n){gives}"


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
            table(("also measured", "value", "unit"), others),
        ]
    )


def cold_section(measured: list[dict[str, Any]]) -> str:
    """The cold starts that `perf/measure_cold_starts.py` measured."""
    columns = (
        "command",
        "first time, s",
        "CPU s",
        "compiled after, s",
        "next time, s",
        "compiling before it starts, s",
    )
    rows = [
        (
            row["name"],
            f"{row['first']['wall']:.1f}",
            f"{row['first']['cpu']:.1f}",
            f"{row['compiled_after']:.0f}",
            f"{row['next']['wall']:.1f}",
            f"{row['compiling_first']['wall']:.0f}",
        )
        for row in measured
    ]
    text = (
        "The first use on a machine runs kernels as plain Python while they are compiled in the background; the next"
        " finds machine code. What makes many examples waits for the compiler first."
    )
    return "\n\n".join(["## Cold starts", text, table(columns, rows)])


def _speed_line(row: dict[str, Any]) -> tuple[str, ...]:
    place = row["name"], f"`{row['task']}` {row['split']}", f"{row['microseconds']:.0f}"
    if row["ratio"] is None:  # nothing was published, so that the target is a rate
        return *place, "", "", f"{row['target']:,.0f} / s"
    return *place, f"{row['published_ms']:g}", f"{row['ratio']:,.0f}", f"{row['target']:,.0f}"
