"""Pages made from the catalogue: a page per benchmark, one per group of tasks, one for its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from PIL.Image import Image

import unseen
from unseen.benchmarks.svib.graph import causal_graph
from unseen.benchmarks.svib.rules import effects_of
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import MissingExtra
from unseen.core.task import KINDS, Benchmark, Example, Task
from unseen.render import figure
from unseen.render.png import encode_png
from unseen.report.catalogue import citation_of, compositions_of, option_rows, rule_rows, spelled, task_row
from unseen.report.gallery import picture, show

LISTED = 30  # compositions written out; more are counted
IMAGES = "/images"  # a place of the site, which the build turns into the way from each page
WITHOUT_OPENGL = (
    "*This site was built without OpenGL, so masks, outlines or boxes stand for the 3-D images;"
    " [how to install it](/install.md#3-d-images).*"
)

# A picture of one rule alone, by benchmark; a benchmark without an entry has no pictures of its rules.
RULE_PICTURES: dict[str, Callable[[str], figure.Image]] = {
    "cogitao": lambda rule: before_and_after("cogitao/custom", sequences=rule, grid=12, objects=1, unique=False),
    "cvr": lambda rule: picture(unseen.load(f"cvr/{rule}")[0]),
    "svib": lambda rule: causal_graph(effects_of(((rule,),))),
}


def pages(images: Path) -> Iterator[tuple[str, str]]:
    """Place and text of every page; pictures are written beside them."""
    for benchmark in BENCHMARKS.values():
        yield f"benchmarks/{benchmark.name}", benchmark_page(benchmark)
        for group, tasks in groups(benchmark):
            yield f"benchmarks/{benchmark.name}-{group}", group_page(group, tasks, images)
        yield f"benchmarks/{benchmark.name}-rules", rules_page(benchmark, images)


def groups(benchmark: Benchmark) -> Iterable[tuple[str, list[Task]]]:
    """Tasks by the first part of their name, wherever they are in the table: c1-1 and c1-2 are of the group c1."""
    found: dict[str, list[Task]] = {}
    for row in benchmark.rows:
        found.setdefault(row.name.partition("-")[0], []).append(unseen.task(f"{benchmark.name}/{row.name}"))
    return found.items()


def benchmark_page(benchmark: Benchmark) -> str:
    """All tasks of a benchmark, and the options they share."""
    title, _, about = benchmark.title.partition(": ")
    kind = KINDS[benchmark.kind]
    lines = [
        f"# {title}",
        f"{benchmark.asks or about.capitalize() + '.'} A model is shown {_arrays(kind.inputs)} and asked for"
        f" {_arrays(kind.target)}.",
        f"{_paper(benchmark)} [The rules that are composed]({benchmark.name}-rules.md).",
        "## Tasks",
    ]
    for group, tasks in groups(benchmark):
        lines.append(f"### [{group.upper()}]({benchmark.name}-{group}.md)")
        lines.append(table(("task", "examples", "about"), map(_task_line, tasks)))
    lines += ["## How examples look", "Options of every task that change only the look, not the content.", ""]
    lines.append(options_table(benchmark.view_class))
    lines += ["## Metrics", ", ".join(f"`{name}`" for name in benchmark.metrics)]
    return "\n\n".join(lines)


def _paper(benchmark: Benchmark) -> str:
    """The paper's title, with a link to it and how to cite it where the benchmark says."""
    citation = citation_of(benchmark)
    if citation is None:
        return f"The paper: *{benchmark.paper}*."
    return (
        f"The paper: [*{benchmark.paper}*]({citation.url}); `unseen list {benchmark.name} --cite` prints its citation."
    )


def _arrays(arrays: dict[str, str]) -> str:
    return " and ".join(f"`{name}` ({what})" for name, what in arrays.items())


def _task_line(task: Task) -> tuple[str, str, str]:
    row = task_row(task.benchmark, task.row)
    sizes = ", ".join(f"{name} {size:,}" for name, size in row["splits"].items())
    return f"`{row['task']}`", sizes, row["summary"]


def group_page(group: str, tasks: list[Task], images: Path) -> str:
    """Some tasks that belong together, with pictures of the first."""
    first = tasks[0]
    lines = [f"# {first.benchmark.name}/{group}"]
    for split in ("test", "test_ood"):
        if split in first.splits:
            file = f"{first.name.replace('/', '-')}-{split}.png"
            draw = partial(show, first.id, split, count=4, columns=2)
            lines.append(f"`{first.id}`, {_words(split)}:")
            lines.append(contact_sheet(images / file, f"examples of {first.id} {split}", draw))
    lines += ["## Tasks", table(("task", "examples", "about"), map(_task_line, tasks))]
    lines += ["## Options", options_table(first.row.options), "## Compositions"]
    for task in tasks:
        lines += [f"### {task.id}", *compositions_lists(task)]
    return "\n\n".join(lines)


def _words(split: str) -> str:
    return "out of distribution" if split.endswith("_ood") else "in distribution"


def contact_sheet(path: Path, said: str, draw: Callable[..., Image]) -> str:
    """Write a contact sheet of some examples and return the Markdown that shows it.

    `draw` is called with options of the view. Where 3-D images cannot be drawn because there is no OpenGL, the sheet
    shows masks, outlines or boxes instead, and a sentence says so.
    """
    note = ""
    try:
        sheet = draw()
    except MissingExtra:
        sheet = draw(renderer="none")
        note = f"\n\n{WITHOUT_OPENGL}"
    path.write_bytes(encode_png(np.asarray(sheet)))
    return f"![{said}]({IMAGES}/{path.name}){note}"


def compositions_lists(task: Task) -> Iterator[str]:
    """What a task trains on and what it holds out."""
    for split, title in (("train", "Trained on"), ("test_ood", "Held out")):
        if split not in task.splits:
            continue
        every = compositions_of(task, task.splits[split])
        some = [f"`{spelled(item)}`" for item in islice(every, LISTED)]
        more = f", and {len(every) - LISTED:,} more" if len(every) > LISTED else ""
        yield f"{title} ({len(every):,}): {', '.join(some)}{more}."


def rules_page(benchmark: Benchmark, images: Path) -> str:
    """Every rule with what it says, what else there is to know, and a picture."""
    rows = rule_rows(benchmark)
    cards = "\n".join(_card(benchmark, row, images) for row in rows)
    title = benchmark.title.partition(":")[0]
    return f'# {title}: {len(rows)} rules\n\n<div class="cards">\n{cards}\n</div>\n'


def _card(benchmark: Benchmark, row: dict[str, str], images: Path) -> str:
    (_, name), (_, about), *others = row.items()
    shown = ""
    if benchmark.name in RULE_PICTURES:
        file = f"rule-{benchmark.name}-{name}.png"
        (images / file).write_bytes(encode_png(RULE_PICTURES[benchmark.name](name)))
        shown = f'<img src="{IMAGES}/{file}" alt="an example of {name}">'
    notes = "; ".join(f"{what} {value}" for what, value in others if value)
    quiet = f"<p class=quiet>{notes[0].upper()}{notes[1:]}.</p>" if notes else ""
    return f'<div class="card" id="{name}"><h3>{name}</h3>{shown}<p>{about}</p>{quiet}</div>'


def before_and_after(name: str, **options: Any) -> figure.Image:
    """The first example of a task in which something large enough changes."""
    example = next(example for example in unseen.load(name, "train", **options) if telling(example))
    grids = [figure.lined(side["grid"], 12) for side in (example.inputs, example.target)]
    return figure.beside([grids[0], figure.arrow(30), grids[1]], gap=10)


def telling(example: Example) -> bool:
    """Whether an example shows what its rule does: an object of some size changes."""
    before, after = example.inputs["grid"], example.target["grid"]
    return bool((before > 0).sum() >= 7 and (before != after).any())


def options_table(options: type[Any]) -> str:
    """The options of a task, as declared."""
    rows = option_rows(options)
    lines = [(f"`{row['option']}`", f"`{row['default']}`" if row["default"] else "", row["comment"]) for row in rows]
    return table(("option", "default", "about"), lines)


def table(columns: tuple[str, ...], rows: Any) -> str:
    """A Markdown table."""
    lines = [columns, ("---",) * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
