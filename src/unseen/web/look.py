"""Pages to look at: benchmarks, tasks, examples, and a search over all their names and rules."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_type_hints

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from unseen.core.catalogue import BENCHMARKS
from unseen.core.catalogue import task as task_named
from unseen.core.contents import sources
from unseen.core.errors import SpecError, UnknownName
from unseen.core.options import read_options, written, written_value
from unseen.core.task import Benchmark, Task
from unseen.report.catalogue import citation_of, compositions_of, option_rows, rule_rows, spelled
from unseen.web import drawing
from unseen.web.drawing import Address
from unseen.web.respond import Form, check_open, file, number_in, page, see, site_of
from unseen.web.safety import open_task, whole

SHOWN = 3  # examples of each split on the page of a task
SCROLLED = 24  # examples that one scroll adds
LISTED = 12  # compositions of a split


def home(request: Request, form: Form) -> Response:
    """Return the benchmarks, and what can be done here."""
    shown = [(one, _first_look(request, one), len(one.rows)) for one in BENCHMARKS.values()]
    return page(request, "home.html", benchmarks=shown, studies=site_of(request).studies.values())


def _first_look(request: Request, benchmark: Benchmark) -> Address | None:
    task, _, split = benchmark.example.partition(" ")
    first = Address(f"{benchmark.name}/{task}", split, 0, 0)
    return first if task and not site_of(request).is_asked(first.task, split, first.seed) else None


def benchmark(request: Request, form: Form) -> Response:
    """Return a benchmark: what it asks, its tasks, and its rules in words."""
    found = BENCHMARKS[request.path_params["benchmark"]]
    tasks = [task_named(f"{found.name}/{row.name}") for row in found.rows]
    splits = list(dict.fromkeys(name for task in tasks for name in task.splits))
    return page(
        request,
        "benchmark.html",
        benchmark=found,
        look=_first_look(request, found),
        tasks=tasks,
        splits=splits,
        rules=rules_of(found.name),
        citation=citation_of(found),
        tables=list(getattr(found.optional_file("paper"), "TABLES", ())),
    )


def task(request: Request, form: Form) -> Response:
    """Return a task: its rule in words, splits, sizes, options, and the first examples of each split."""
    found = asked_task(request)
    asked = {name for name in found.splits if site_of(request).is_asked(found.id, name, 0)}
    shown = [
        (split, [Address(found.id, name, 0, index) for index in range(min(SHOWN, split.size)) if name not in asked])
        for name, split in found.splits.items()
    ]
    return page(
        request,
        "task.html",
        task=found,
        rules=_rules_of_task(found),
        shown=shown,
        compositions={name: _some(found, name) for name in found.splits},
        options=option_fields(found),
        answerable=found.kind.name,
    )


def _some(found: Task, split: str) -> tuple[list[str], int]:
    every = compositions_of(found, found.splits[split])
    return [spelled(one) for one, _ in zip(every, range(LISTED), strict=False)], len(every)


def choose_options(request: Request, form: Form) -> Response:
    """Send the browser to the task with the options of a form, whose address can be shared."""
    found = asked_task(request)
    return see(f"/{with_options(found, request.query_params)}")


def examples(request: Request, form: Form) -> Response:
    """As many examples of a split as one scrolls."""
    found, split, seed = asked_task(request), request.path_params["split"], number_in(request, "seed")
    size = found.split(split).size
    check_open(request, found.id, split, seed)
    first = whole(request.query_params.get("from")) or 0
    indices = range(min(first, size), min(first + SCROLLED, size))
    addresses = [Address(found.id, split, seed, index) for index in indices]
    more = (
        f"{Address(found.id, split, seed, 0).path.rpartition('/')[0]}?from={indices.stop}"
        if indices.stop < size
        else ""
    )
    return page(request, "examples.html", task=found, split=split, seed=seed, size=size, addresses=addresses, more=more)


def example(request: Request, form: Form) -> Response:
    """Return one example, with all there is to see of it."""
    address = asked_address(request)
    found = task_named(address.task)
    shown = site_of(request).drawn(drawing.sheet, address)
    size = found.split(address.split).size
    return page(
        request,
        "example.html",
        task=found,
        address=address,
        sheet=shown,
        size=size,
        before=dataclasses.replace(address, index=address.index - 1) if address.index else None,
        after=dataclasses.replace(address, index=address.index + 1) if address.index + 1 < size else None,
        options=option_fields(found),
        code=address.code(),
    )


def picture(request: Request, form: Form) -> Response:
    """Return a picture of an example: its own, its film as one strip, or its masks."""
    site, address, what = site_of(request), asked_address(request), request.path_params["what"]
    if what == "example":
        return file(site.drawn(drawing.picture, address), forever=True)
    shown = site.drawn(drawing.sheet, address)
    content = {"film": shown.film, "masks": shown.masks}.get(what)
    if content is None:
        raise UnknownName(f"this example has no picture named {what!r}")
    return file(content, forever=True)


# ---------------------------------------------------------------------------- what an address asks for


def asked_task(request: Request) -> Task:
    """Return the task that an address names."""
    return open_task(f"{request.path_params['benchmark']}/{request.path_params['task']}")


def asked_address(request: Request) -> Address:
    """Return the example that an address names."""
    found = asked_task(request)
    split = request.path_params["split"]
    found.split(split)
    seed = number_in(request, "seed")
    check_open(request, found.id, split, seed)
    return Address(found.id, split, seed, number_in(request, "index"))


# ---------------------------------------------------------------------------- options


class Field(NamedTuple):
    """An option of a task as a field of a form."""

    name: str
    value: str
    default: str
    about: str
    choices: tuple[str, ...]  # where only some values are possible


def option_fields(found: Task) -> list[Field]:
    """Return the options of a task as fields, with what they are now."""
    fields = []
    for record in (found.options, found.view):
        hints = get_type_hints(type(record), include_extras=False)
        about = {row["option"]: row for row in option_rows(type(record))}
        for one in dataclasses.fields(record):
            if one.name in sources(record):  # files of this machine are nothing to choose from elsewhere
                continue
            choices = _choices(hints[one.name])
            row = about[one.name]
            value = written_value(getattr(record, one.name))
            fields.append(Field(one.name, value, row["default"], row["comment"], choices))
    return fields


def _choices(hint: Any) -> tuple[str, ...]:
    """The values of an option that has only a few."""
    if hint is bool:
        return ("false", "true")
    found = get_args(hint)
    return found if found and all(isinstance(one, str) for one in found) else ()


def with_options(found: Task, given: QueryParams) -> str:
    """Return the id of a task with the options of a form; those at their default are left out."""
    classes = (type(found.options), type(found.view))
    known = {one.name: one for one in option_fields(task_named(found.name))}
    chosen = {name: value.strip() for name, value in given.items() if name in known and value.strip()}
    if any(set(value) & set("+/?#%") for value in chosen.values()):
        raise SpecError("the value of an option has none of the characters + / ? # %")
    chosen = {name: value for name, value in chosen.items() if value != known[name].default}
    return found.name + written(*read_options(classes, chosen, of=found.name))


# ---------------------------------------------------------------------------- rules and search


@lru_cache(maxsize=16)
def rules_of(benchmark: str) -> tuple[dict[str, str], ...]:
    """Return the rules of a benchmark in words; none where it has none."""
    try:
        return tuple(rule_rows(BENCHMARKS[benchmark]))
    except SpecError:
        return ()


def _rules_of_task(found: Task) -> list[dict[str, str]]:
    """The rules that a task is named after, or whose name its own ends in."""
    name = found.row.name.replace("-", "_")
    rows = rules_of(found.benchmark.name)
    exact = [row for row in rows if row["rule"].replace("-", "_") == name]
    return exact or [row for row in rows if name.endswith("_" + row["rule"].replace("-", "_"))][:1]


class Hit(NamedTuple):
    """Something that a search found."""

    benchmark: str
    what: str
    name: str
    about: str
    path: str


def search(request: Request, form: Form) -> Response:
    """Rules, setups, transformations and tasks whose name or words hold every word of a query."""
    query = request.query_params.get("q", "")[:200]
    words = query.lower().replace("_", "-").split()
    hits = [hit for hit in every_hit() if words and all(word in _text(hit) for word in words)]
    return page(request, "search.html", query=query, hits=hits, every=len(every_hit()))


def _text(hit: Hit) -> str:
    return f"{hit.benchmark} {hit.what} {hit.name} {hit.about}".lower().replace("_", "-")


@lru_cache(maxsize=1)
def every_hit() -> tuple[Hit, ...]:
    """Return all that can be searched for."""
    found = []
    for one in BENCHMARKS.values():
        names = {row.name for row in one.rows}
        for row in one.rows:
            found.append(Hit(one.name, "task", row.name, row.summary, f"/{one.name}/{row.name}"))
        for rule in rules_of(one.name):
            name = rule["rule"].replace("_", "-")
            path = f"/{one.name}/{name}" if name in names else f"/{one.name}#{rule['rule']}"
            about = " · ".join(value for key, value in rule.items() if key != "rule" and value)
            found.append(Hit(one.name, "rule", rule["rule"], about, path))
    return tuple(found)
