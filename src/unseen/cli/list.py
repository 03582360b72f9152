"""`unseen list`: benchmarks, their tasks, rules and papers, one task in detail, models, or metrics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, read_asked
from unseen.cli.output import print_json, print_table
from unseen.core.errors import missing_extra, unknown
from unseen.core.splits import PARTS

if TYPE_CHECKING:
    from unseen.core.task import Benchmark


def list_things(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BENCHMARK|TASK [KEY=VALUE]...", help="What to list; all benchmarks if nothing is named."
        ),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="List the rules that compositions are made of instead.")
    ] = False,
    models: Annotated[bool, typer.Option("--models", help="List the models that can be trained instead.")] = False,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="List the metrics that answers can be scored by instead.")
    ] = False,
    forms: Annotated[
        bool, typer.Option("--forms", help="List the forms in which language models can be asked instead.")
    ] = False,
    cite: Annotated[bool, typer.Option("--cite", help="Print the BibTeX entries of the papers instead.")] = False,
    json: AsJson = False,
) -> None:
    """List benchmarks, tasks, rules, forms, models or metrics.

    unseen list cvr: its tasks

    unseen list cvr/shape-contact-2: one task in detail

    unseen list cvr --rules relations=shape,color: the rules that compose both relations

    unseen list cvr --cite: its paper, for a bibliography
    """
    from unseen.core.errors import SpecError
    from unseen.report.catalogue import benchmarks

    if models:
        _list_models(json)
        return
    if metrics:
        _list_metrics(json)
        return
    first = words[0] if words else None
    if first and "/" in first and not rules and not cite:
        _list_task(words or [], json)
        return
    if words and len(words) > 1 and not rules:
        raise SpecError(f"one benchmark or task at a time, not {' '.join(words)}")
    found = benchmarks(first.partition("/")[0] if first else None)
    if forms:
        _list_forms(found, json)
    elif cite:
        _cite(found, json)
    elif rules:
        _list_rules(found, words[1:] if words else [], json)
    elif first or json:
        _list_tasks(found, json)
    else:
        _list_benchmarks(found)


def _list_benchmarks(found: list[Benchmark]) -> None:
    """Print what each benchmark asks, an example to look at, and what to type next."""
    lines = [(one.name, len(one.rows), "\n".join((one.asks or one.title, *_example(one)))) for one in found]
    print_table(("benchmark", "tasks", "what a model has to do, and how to see an example"), lines)
    name = found[0].name
    hints = {
        f"unseen list {name}": "its tasks; the same for the others",
        f"unseen list {name} --rules": "what its compositions are made of",
        f"unseen list {name} --cite": "its paper, for a bibliography",
        f"unseen list {name} --forms": "how language models can be asked about it",
        "unseen list --models": "the models that can be trained",
        "unseen list --metrics": "the metrics that answers can be scored by",
    }
    width = max(map(len, hints))
    for command, what in hints.items():
        print(f" {command:{width}}   {what}")


def _example(benchmark: Benchmark) -> list[str]:
    return [f"unseen show {benchmark.name}/{benchmark.example}"] if benchmark.example else []


def _cite(found: list[Benchmark], as_json: bool) -> None:
    """Print the citations of benchmarks that have one."""
    from unseen.report.catalogue import citations

    cited = citations(found)
    if as_json:
        print_json({name: asdict(one) for name, one in cited.items()})
        return
    print("\n\n".join(one.bibtex() for one in cited.values()))


def _list_forms(found: list[Benchmark], as_json: bool) -> None:
    """Print what can be asked in words and pictures, the default of each benchmark first."""
    from unseen.core.asking import forms_of

    asked = [one for one in found if one.optional_file("prompt")]
    rows = [
        (
            one.name,
            form.name,
            form.about,
            ", ".join(form.metrics) or "the task's own",
            ", ".join(form.takes),
            form.shots,
        )
        for one in asked
        for form in forms_of(one).values()
    ]
    columns = ("benchmark", "form", "what is asked", "metrics", "takes", "shots")
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    print_table(columns, rows)


def _list_tasks(found: list[Benchmark], as_json: bool) -> None:
    from unseen.report.catalogue import benchmark_row

    rows = [benchmark_row(benchmark) for benchmark in found]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        splits = [name for name in PARTS if any(name in task["splits"] for task in row["tasks"])]
        lines = [(task["task"], *map(task["splits"].get, splits), _about(task)) for task in row["tasks"]]
        title = f"{row['title']} ({row['kind']} tasks, content version {row['version']})"
        print_table(("task", *splits, "about"), lines, title=title)


def _about(task: dict[str, Any]) -> str:
    """What a task is about, and the splits that have no column, as few tasks have them."""
    further = [name for name in task["splits"] if name not in PARTS]
    return "\n".join([task["summary"], *([f"also {', '.join(further)}"] if further else [])])


def _list_rules(found: list[Benchmark], wanted: list[str], as_json: bool) -> None:
    from unseen.report.catalogue import rule_rows

    rules = {benchmark.name: [row for row in rule_rows(benchmark) if _has(row, wanted)] for benchmark in found}
    if as_json:
        print_json(rules)
        return
    for name, rows in rules.items():
        columns = list(rows[0]) if rows else []
        print_table(columns, [list(row.values()) for row in rows], title=f"{name}: {len(rows)} rules")


def _has(row: dict[str, Any], wanted: list[str]) -> bool:
    """Whether a rule has all that is wanted of it, each a column and words that are to be in it."""
    for column, _, words in (one.partition("=") for one in wanted):
        if column not in row:
            raise unknown("column of rules", column, row)
        if not set(words.split(",")) <= set(str(row[column]).split()):
            return False
    return True


def _list_models(as_json: bool) -> None:
    from unseen.report.catalogue import model_rows

    rows = model_rows()
    if as_json:
        print_json(rows)
        return
    title = f"{len(rows)} models"
    if find_spec("torch") is None:  # nothing but the names is known of them
        print(f"{title}: {', '.join(row['model'] for row in rows)}")
        print(missing_extra("Telling more about them", "train", "torch, lightning-fabric and safetensors"))
        return
    print_table(("model", "of tasks", "parameters", "about"), [list(row.values()) for row in rows], title=title)


def _list_metrics(as_json: bool) -> None:
    from unseen.report.catalogue import metric_rows

    rows = metric_rows()
    if as_json:
        print_json(rows)
        return
    lines = [list(row.values()) for row in rows]
    print_table(("metric", "of tasks", "better", "about"), lines, title=f"{len(rows)} metrics")


def _list_task(words: list[str], as_json: bool) -> None:
    from unseen.report.catalogue import task_details

    details = task_details(read_asked(words).task())
    if as_json:
        print_json(details)
        return
    print_table(("", ""), _summary(details), title=details["task"])
    print_table(("option", "default", "about"), [list(row.values()) for row in details["options"]])
    print_table(("split", "examples", "compositions", "which"), list(_split_lines(details)))


def _summary(details: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("about", details["summary"]),
        ("also called", ", ".join(details["aliases"])),
        ("inputs", ", ".join(f"{name} {what}" for name, what in details["inputs"].items())),
        ("target", ", ".join(f"{name} {what}" for name, what in details["target"].items())),
        ("metrics", ", ".join(details["metrics"])),
        ("baselines", ", ".join(details["baselines"])),
        ("published in", ", ".join(f"table {name}" for name in details["tables"])),
    ]


def _split_lines(details: dict[str, Any]) -> Iterator[tuple[str, int, int, str]]:
    """A line per split; compositions that an earlier split has too are written out once."""
    told: dict[str, str] = {}
    for split, found in details["compositions"].items():
        which = _some(found)
        yield split, details["splits"][split], found["count"], f"as {told[which]}" if which in told else which
        told.setdefault(which, split)


def _some(found: dict[str, Any]) -> str:
    more = found["count"] - len(found["first"])
    return "\n".join(found["first"]) + (f"\n... and {more:,} more" if more else "")
