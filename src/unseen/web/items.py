"""An example put to a person: what is shown, what an answer is, whether it is right, and the prediction that it makes.

`item` and `predictions_file` run in worker processes. What an item shows and what it hides are two fields, and only the
first ever reaches a page.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from unseen.core.asking import Manner, Pictures, form_of
from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError
from unseen.core.run_lengths import is_background
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.render.png import encode_png
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
MOST_CLICKS = 5_000
MOST_ANSWER = 200  # characters
NEAR = 24  # values of a color channel that count as the same color under a click
COLORS = 10  # of grids
THEN = " → "  # between the transformations of a sequence

Grid = list[list[int]]


@dataclass(frozen=True)
class Shown:
    """What a person sees."""

    form: str
    text: str = ""
    images: tuple[bytes, ...] = ()  # files, in their order
    solved: tuple[tuple[bytes, bytes], ...] = ()  # episodes with their next image
    grid: Grid | None = None
    demonstrations: tuple[tuple[Grid, Grid], ...] = ()
    frames: int = 0
    size: int = 0  # pixels of a frame's side


@dataclass(frozen=True)
class Item:
    """An example as a person is asked it, and what they must not know yet."""

    shown: Shown
    truth: Any
    told: str  # the right answer in words


def forms_of(task: Task) -> tuple[str, ...]:
    """The ways in which a task can be put to a person."""
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
    shown = Shown(
        "grid",
        text=THEN.join(example.scene.get("sequence", ())),
        grid=given["grid"].tolist(),
        demonstrations=tuple((one.tolist(), other.tolist()) for one, other in zip(before, after, strict=True)),
    )
    return Item(shown, asked.tolist(), "the grid on the right")


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


def _frames(example: Example) -> Any:
    frames = example.inputs.get("frames")
    if frames is None:
        raise SpecError(f"{example.task.id} has no frames to show; leave renderer=none out")
    return frames


def _video(example: Example, form: str, truth: Any, told: str) -> Item:
    frames = _frames(example)
    strip = encode_png(frames.reshape(-1, *frames.shape[2:]))
    return Item(Shown(form, images=(strip,), frames=len(frames), size=frames.shape[1]), truth, told)


def objects_in(ids: Any) -> int:
    """How many objects some frames show.

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


# ---------------------------------------------------------------------------- answers


def read_answer(shown: Shown, given: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody answered, checked; what cannot be an answer is refused."""
    form = shown.form
    if form in ("odd", "choose"):
        return {"choice": _number(given.get("choice"), 0, 3)}
    if form == "count":
        return {"count": _number(given.get("count"), 0, 255)}
    if form == "question":
        answer = given.get("answer")
        if not isinstance(answer, str) or not answer.strip() or len(answer) > MOST_ANSWER:
            raise SpecError(f"an answer is a word or a number, of at most {MOST_ANSWER} characters")
        return {"answer": " ".join(answer.split())}
    if form == "grid":
        return {"grid": _painted(given.get("grid"), shown.grid or [])}
    return {"clicks": _clicks(given.get("clicks"), shown)}


def _number(value: Any, low: int, high: int) -> int:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 6:
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise SpecError(f"an answer is a number from {low} to {high}")
    return value


def _parsed(value: Any) -> Any:
    import json

    from unseen.core.nesting import parsed

    if not isinstance(value, str):
        return value
    try:
        return parsed(json.loads, value)
    except ValueError:
        raise SpecError("what was sent is no JSON") from None


def _painted(value: Any, like: Grid) -> Grid:
    rows = _parsed(value)
    fits = (
        isinstance(rows, list)
        and len(rows) == len(like)
        and all(
            isinstance(row, list)
            and len(row) == len(like[0])
            and all(type(one) is int and 0 <= one < COLORS for one in row)
            for row in rows
        )
    )
    if not fits:
        raise SpecError(f"an answer is a grid of {len(like)} rows of {len(like[0]) if like else 0} colors from 0 to 9")
    return rows  # type: ignore[no-any-return]


def _clicks(value: Any, shown: Shown) -> list[list[int]]:
    """Clicks as rows: the number of the object, the frame, and the place in it."""
    rows = _parsed(value)
    bounds = ((1, 99), (0, shown.frames - 1), (0, shown.size - 1), (0, shown.size - 1))
    fits = (
        isinstance(rows, list)
        and len(rows) <= MOST_CLICKS
        and all(
            isinstance(row, list)
            and len(row) == len(bounds)
            and all(type(one) is int and low <= one <= high for one, (low, high) in zip(row, bounds, strict=True))
            for row in rows
        )
    )
    if not fits:
        raise SpecError("an answer is a list of clicks: object, frame, and the place in it")
    return rows  # type: ignore[no-any-return]


def is_right(found: Item, response: Mapping[str, Any]) -> bool | None:
    """Whether an answer is right; None where it is right in part, which only scoring tells."""
    form = found.shown.form
    if form == "follow":
        return None
    if form == "question":
        return str(response["answer"]).strip().lower() == str(found.truth).lower()
    return bool(response[{"odd": "choice", "choose": "choice"}.get(form, form)] == found.truth)


# ---------------------------------------------------------------------------- predictions


def prediction(example: Example, form: str, response: Mapping[str, Any]) -> Any:
    """An answer as the prediction of a model: of the task's own kind, or the plain value of a view."""
    if form == "odd":
        return np.eye(4, dtype=np.float32)[response["choice"]]
    if form == "grid":
        return np.array(response["grid"], np.int8)
    if form == "follow":
        return regions(_frames(example), response["clicks"])
    return response[{"question": "answer", "choose": "choice"}.get(form, form)]


def regions(frames: Any, clicks: Sequence[Sequence[int]]) -> Any:
    """The object in every pixel: what has about the same color as the clicked pixel, and hangs together with it.

    >>> frames = np.zeros((1, 2, 3, 3), np.uint8)
    >>> frames[0, :, 2] = 200
    >>> regions(frames, [[1, 0, 2, 0]])[0].tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    ids = np.zeros(frames.shape[:3], np.uint8)
    for number, frame, x, y in clicks:
        ids[frame][_region(frames[frame], x, y)] = number
    return ids


def _region(frame: Any, x: int, y: int) -> Any:
    """The pixels that a click stands for."""
    alike = (np.abs(frame.astype(int) - frame[y, x].astype(int)) <= NEAR).all(axis=2)
    region = np.zeros_like(alike)
    region[y, x] = True
    while True:
        grown = region.copy()
        grown[1:] |= region[:-1]
        grown[:-1] |= region[1:]
        grown[:, 1:] |= region[:, :-1]
        grown[:, :-1] |= region[:, 1:]
        grown &= alike
        if (grown == region).all():
            return region
        region = grown


def predictions_file(task: str, split: str, seed: int, form: str, answers: Mapping[int, Any], model: str) -> bytes:
    """Answers by the index of their example as a predictions file, as a model's would be."""
    from unseen.predict import write_predictions

    settled = task_named(task)
    indices = sorted(answers)
    values = [prediction(example_at(Address(task, split, seed, index)), form, answers[index]) for index in indices]
    view: dict[str, Any] = {}
    if form in VIEWS:
        view = {"form": form_of(settled.benchmark, form)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.parquet"
        write_predictions(path, settled, split, values, seed=seed, model=model, indices=indices, **view)
        return path.read_bytes()


def askable(addresses: Sequence[Address], form: str, count: int) -> list[Address]:
    """The first so many of some examples that can be put in a form; runs in a worker process."""
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
