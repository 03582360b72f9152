"""Pictures of examples: one, a contact sheet of many, or many that move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from PIL import Image

from unseen.core.catalogue import BENCHMARKS, task, tasks
from unseen.core.errors import SpecError
from unseen.core.task import Example, Task
from unseen.data.dataset import SEED, load
from unseen.render.palette import Image as Pixels
from unseen.render.sheet import contact_sheet

COUNT = 12  # examples on the sheet of a task
PAGE = 1500  # about how many pixels wide a sheet is, where the caller does not say how many columns


def show(
    what: str | Example | Iterable[Example],
    split: str = "train",
    *,
    count: int | None = None,
    columns: int = 0,
    seed: int = SEED,
    **options: Any,
) -> Image.Image:
    """Draw a contact sheet of a task's or data set's first examples, or the picture of one example.

    The name of a benchmark stands for all its tasks, with one example of each unless `count` says otherwise.

    >>> show("cogitao/c1-1", "test_ood", count=2).mode
    'RGB'
    """
    if isinstance(what, Example):
        return what.show()
    if isinstance(what, str):
        examples = first_examples(what, split, count, seed=seed, **options)
    else:
        examples = list(islice(what, count or COUNT))
    pictures = [picture(example) for example in examples]
    return Image.fromarray(contact_sheet(pictures, captions(examples), columns or fitting_columns(pictures)))


def first_examples(name: str, split: str, count: int | None, *, seed: int = SEED, **options: Any) -> list[Example]:
    """List the first examples of a task or folder, or of each task of a benchmark that does not repeat others."""
    if name not in BENCHMARKS or Path(name).is_dir():
        return list(load(name, split, seed=seed, **options)[: count or COUNT])
    own = [task(one, **options) for one in tasks(name) if not task(one).row.repeats]
    found = [one for one in own if split in one.splits] or own[:1]  # of which loading says what it has instead
    return [example for one in found for example in load(one.id, split, seed=seed)[: count or 1]]


def captions(examples: list[Example]) -> list[str]:
    """Caption examples by their place in their task, or by what their tasks are about if there are several."""
    if len({example.task.id for example in examples}) > 1:
        return [f"{example.task.id}{number(example.task)}: {example.task.row.summary}" for example in examples]
    return [f"{example.task.id}  {example.split} {example.index:,}" for example in examples]


def number(task: Task) -> str:
    """Return the published number of a task, where that is one of its names."""
    return next((f" ({alias})" for alias in task.row.aliases if alias.isdigit()), "")


def animate(examples: Iterable[Example], *, columns: int = 0) -> list[Pixels]:
    """Draw contact sheets to be shown one after the other: all examples in their first moment, then in their second."""
    chosen = list(examples)
    films = [_film(example) for example in chosen]
    columns = columns or fitting_columns([film[0] for film in films])
    return [contact_sheet(moment, captions(chosen), columns) for moment in map(list, zip(*films, strict=True))]


def _film(example: Example) -> Sequence[Pixels]:
    task = example.task
    render = task.benchmark.file("render")
    if not hasattr(render, "film"):
        raise SpecError(f"nothing moves in {task.benchmark.name}; write a .png")
    film: Sequence[Pixels] = render.film(example.record, task.split(example.split).spec, task.view)
    return film


def picture(example: Example) -> Pixels:
    """Draw the picture of an example, as an array of pixels."""
    task = example.task
    pixels: Pixels = task.benchmark.file("render").picture(example.record, task.split(example.split).spec, task.view)
    return pixels


def fitting_columns(pictures: list[Pixels]) -> int:
    """Count the columns of the widest picture that fit a page, at least one."""
    return max(1, PAGE // max((item.shape[1] for item in pictures), default=PAGE))
