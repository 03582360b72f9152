"""An example put to a person. What it shows and what it hides are two fields, and only the first ever reaches a page.

`item` and `askable` run in worker processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unseen.core.asking import Manner, Pictures, form_of
from unseen.core.errors import SpecError, UnknownName
from unseen.core.run_lengths import is_background
from unseen.core.task import Benchmark, Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.render.palette import COLORS
from unseen.render.png import encode_png
from unseen.report.catalogue import rule_rows
from unseen.web.drawing import Address, enlarged, example_at

FORMS = {  # kind of task -> the ways in which people can be asked, the first one first
    "odd": ("odd",),
    "grid": ("grid",),
    "image": ("choose",),
    "video": ("count", "follow"),
    "question": ("question",),
}
SPELLED = {
    "odd": "Three of the four images follow a rule. Click on the one that breaks it.",
    "grid": "Paint the grid that results when the transformations are applied, in their order, to every object.",
    "choose": "A hidden rule turns the image into the next one. Click on the next image.",
    "count": "How many different objects does the video show?",
    "follow": "Click on every object in every frame: one number for each object, which it keeps.",
    "question": "Answer the question about all of the images, in a word or a number.",
}
VIEWS = ("choose", "count")  # answers that are no prediction of the task's own kind
SHOWN_PIXELS = 256  # about how wide images are sent, so that small ones need no smoothing
SOLVED = 3  # episodes that are shown with their next image
THEN = " → "  # between the transformations of a sequence
GRID_COLORS = ("#ffffff", *(f"#{color:06x}" for color in COLORS[:9]))  # of the numbers in a grid

Grid = list[list[int]]


@dataclass(frozen=True)
class Shown:
    """What a person sees."""

    form: str
    text: str = ""
    images: tuple[bytes, ...] = ()  # files, in their order
    solved: tuple[tuple[bytes, bytes], ...] = ()  # episodes with their next image
    words: tuple[tuple[str, str], ...] = ()  # names in the text, and what they mean
    grid: Grid | None = None
    demonstrations: tuple[tuple[Grid, Grid], ...] = ()
    frames: int = 0
    size: int = 0  # pixels of a frame's side

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """All files by their number in addresses: the images, then those of solved episodes, in pairs."""
        return (*self.images, *(image for pair in self.solved for image in pair))

    def picture(self, number: int) -> bytes:
        """Return the file of a number."""
        if number >= len(self.pictures):
            raise UnknownName("there is no such image")
        return self.pictures[number]

    @property
    def painting(self) -> dict[str, Any]:
        """What the script that grids are painted with must know."""
        return {"grid": self.grid, "demonstrations": self.demonstrations, "colors": GRID_COLORS}


@dataclass(frozen=True)
class Item:
    """An example as a person is asked it, and what they must not know yet."""

    shown: Shown
    truth: Any
    told: str  # the right answer in words


def forms_of(task: Task) -> tuple[str, ...]:
    """Return the ways in which a task can be put to a person."""
    return FORMS[task.kind.name]


def item(address: Address, form: str) -> Item:
    """Put an example to a person."""
    return MAKERS[form](example_at(address))


def _odd(example: Example) -> Item:
    images = tuple(encode_png(enlarged(image, SHOWN_PIXELS)) for image in example.inputs["images"])
    odd = int(example.target["odd"])
    return Item(Shown("odd", images=images), odd, f"image {odd + 1}")


def _grid(example: Example) -> Item:
    given, asked = example.inputs, example.target["grid"]
    before, after = (given.get(f"demonstration_{what}", ()) for what in ("inputs", "targets"))
    sequence = example.scene.get("sequence", ())
    shown = Shown(
        "grid",
        text=THEN.join(sequence),
        words=_meanings(example.task.benchmark, sequence),
        grid=given["grid"].tolist(),
        demonstrations=tuple((one.tolist(), other.tolist()) for one, other in zip(before, after, strict=True)),
    )
    return Item(shown, asked.tolist(), "the grid on the right")


def _meanings(benchmark: Benchmark, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What transformations do, as the benchmark's rules say it; nothing where it has none in words."""
    try:
        about = {row["rule"]: row.get("what it does") for row in rule_rows(benchmark)}
    except SpecError:
        return ()
    return tuple((name, meaning) for name in dict.fromkeys(names) if (meaning := about.get(name)))


def _question(example: Example) -> Item:
    pictures = example.inputs.get("images")
    if pictures is None:
        raise SpecError(f"{example.task.id} has no images to show; leave renderer=none out")
    images = tuple(encode_png(enlarged(image, SHOWN_PIXELS)) for image in pictures)
    answer = str(example.target["answer"])
    return Item(Shown("question", text=example.inputs["text"], images=images), answer, answer)


def _choose(example: Example) -> Item:
    form = form_of(example.task.benchmark, "choose")
    if not form.asks(example):
        raise SpecError(f"no three wrong images can be made beside the next one of {example!r}")
    training = Dataset(Generated(example.task, "train", 0, moved={}))
    solved = [training[index] for index in range(SOLVED)]
    parts = [part for part in form.write(example, solved, Manner(form="choose")) if isinstance(part, Pictures)]
    *_, source, offered = parts
    shown = Shown(
        "choose",
        images=tuple(encode_png(enlarged(image, SHOWN_PIXELS)) for image in (*offered.images, *source.images)),
        solved=tuple(
            (
                encode_png(enlarged(one.inputs["image"], SHOWN_PIXELS)),
                encode_png(enlarged(one.target["image"], SHOWN_PIXELS)),
            )
            for one in solved
        ),
    )
    right = int(form.truth(example))
    return Item(shown, right, f"image {right + 1}")


def frames_of(example: Example) -> Any:
    """Return the frames of a video."""
    frames = example.inputs.get("frames")
    if frames is None:
        raise SpecError(f"{example.task.id} has no frames to show; leave renderer=none out")
    return frames


def _video(example: Example, form: str, truth: Any, told: str) -> Item:
    frames = frames_of(example)
    strip = encode_png(frames.reshape(-1, *frames.shape[2:]))
    return Item(Shown(form, images=(strip,), frames=len(frames), size=frames.shape[1]), truth, told)


def objects_in(ids: Any) -> int:
    """Tell how many objects some frames show.

    >>> objects_in(np.array([[[0, 1], [2, 2]]], np.uint8))
    2
    """
    return sum(not is_background(number) for number in np.unique(ids))


def _count(example: Example) -> Item:
    number = int(form_of(example.task.benchmark, "count").truth(example))
    return _video(example, "count", number, str(number))


def _follow(example: Example) -> Item:
    return _video(example, "follow", None, f"{objects_in(example.target['ids'])} objects")


MAKERS = {"odd": _odd, "grid": _grid, "question": _question, "choose": _choose, "count": _count, "follow": _follow}


def askable(addresses: Sequence[Address], form: str, count: int) -> list[Address]:
    """Return the first so many of some examples that can be put in a form; runs in a worker process."""
    if form not in VIEWS:
        return list(addresses[:count])
    found: list[Address] = []
    for address in addresses:
        if len(found) == count:
            break
        example = example_at(address)
        if form_of(example.task.benchmark, form).asks(example):
            found.append(address)
    return found
