"""Pictures of examples: one, a contact sheet of many, or many that move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from PIL import Image

from unseen.core.errors import SpecError
from unseen.core.task import Example
from unseen.data.dataset import SEED, load
from unseen.render.palette import Image as Pixels
from unseen.render.sheet import contact_sheet

PAGE = 1500  # about how many pixels wide a sheet is, where the caller does not say how many columns


def show(
    what: str | Example | Iterable[Example],
    split: str = "train",
    *,
    count: int = 12,
    columns: int = 0,
    seed: int = SEED,
    **options: Any,
) -> Image.Image:
    """A contact sheet of a task's or data set's first examples, or the picture of one example.

    >>> show("cogitao/c1-1", "test_ood", count=2).mode
    'RGB'
    """
    if isinstance(what, Example):
        return what.show()
    examples = list(islice(load(what, split, seed=seed, **options) if isinstance(what, str) else what, count))
    pictures = [picture(example) for example in examples]
    captions = [f"{example.task.id}  {example.split} {example.index:,}" for example in examples]
    return Image.fromarray(contact_sheet(pictures, captions, columns or fitting_columns(pictures)))


def animate(examples: Iterable[Example], *, columns: int = 0) -> list[Pixels]:
    """Contact sheets to be shown one after the other: every example in its first moment, in its second, and so on."""
    chosen = list(examples)
    films = [_film(example) for example in chosen]
    captions = [f"{example.task.id}  {example.split} {example.index:,}" for example in chosen]
    columns = columns or fitting_columns([film[0] for film in films])
    return [contact_sheet(moment, captions, columns) for moment in map(list, zip(*films, strict=True))]


def _film(example: Example) -> Sequence[Pixels]:
    task = example.task
    render = task.benchmark.file("render")
    if not hasattr(render, "film"):
        raise SpecError(f"nothing moves in {task.benchmark.name}; write a .png")
    film: Sequence[Pixels] = render.film(example.record, task.split(example.split).spec, task.view)
    return film


def picture(example: Example) -> Pixels:
    """The pixels of an example's picture."""
    task = example.task
    pixels: Pixels = task.benchmark.file("render").picture(example.record, task.split(example.split).spec, task.view)
    return pixels


def fitting_columns(pictures: list[Pixels]) -> int:
    """How many columns of the widest picture fit a page, at least one."""
    return max(1, PAGE // max((item.shape[1] for item in pictures), default=PAGE))
