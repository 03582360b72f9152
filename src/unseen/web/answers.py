"""What a person answers to an item: read and checked, right or wrong, and as the prediction of a model.

`predictions_file` runs in a worker process.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unseen.core.asking import form_of
from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError
from unseen.core.nesting import parsed
from unseen.core.task import Example
from unseen.web.drawing import Address, example_at
from unseen.web.items import GRID_COLORS, VIEWS, Grid, Item, Shown, frames_of
from unseen.web.safety import clean, whole

FIELDS = {  # form -> the field of an answer
    "odd": "choice",
    "choose": "choice",
    "grid": "grid",
    "question": "answer",
    "count": "count",
    "follow": "clicks",
}
MOST_CLICKS = 5_000
MOST_ANSWER = 200  # characters
NEAR = 24  # values of a color channel that count as the same color under a click


def read_answer(shown: Shown, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what somebody answered, checked; what cannot be an answer is refused."""
    form = shown.form
    if form in ("odd", "choose"):
        return {"choice": _number(given.get("choice"), 0, 3)}
    if form == "count":
        return {"count": _number(given.get("count"), 0, 255)}
    if form == "question":
        answer = given.get("answer")
        text = clean(answer) if isinstance(answer, str) else ""
        if not text.strip() or len(text) > MOST_ANSWER:
            raise SpecError(f"an answer is a word or a number, of at most {MOST_ANSWER} characters")
        return {"answer": " ".join(text.split())}
    if form == "grid":
        return {"grid": _painted(given.get("grid"), shown.grid or [])}
    return {"clicks": _clicks(given.get("clicks"), shown)}


def _number(value: Any, low: int, high: int) -> int:
    number = whole(value)
    if number is None or not low <= number <= high:
        raise SpecError(f"an answer is a number from {low} to {high}")
    return number


def _parsed(value: Any) -> Any:
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
            and all(type(one) is int and 0 <= one < len(GRID_COLORS) for one in row)
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
    """Tell whether an answer is right; None where it is right in part, which only scoring tells."""
    form = found.shown.form
    if form == "follow":
        return None
    if form == "question":
        return str(response["answer"]).strip().lower() == str(found.truth).lower()
    return bool(response[FIELDS[form]] == found.truth)


def spelled(value: Any) -> str:
    """Return an answer as a text: as it is, or as JSON where it is a grid or clicks.

    >>> spelled("red"), spelled(2), spelled([[0, 1]])
    ('red', '2', '[[0, 1]]')
    """
    return json.dumps(value) if isinstance(value, list) else str(value)


# ---------------------------------------------------------------------------- predictions


def prediction(example: Example, form: str, response: Mapping[str, Any]) -> Any:
    """Return an answer as the prediction of a model: of the task's own kind, or the plain value of a view."""
    if form == "odd":
        return np.eye(4, dtype=np.float32)[response["choice"]]
    if form == "grid":
        return np.array(response["grid"], np.int8)
    if form == "follow":
        return regions(frames_of(example), response["clicks"])
    return response[FIELDS[form]]


def regions(frames: Any, clicks: Sequence[Sequence[int]]) -> Any:
    """Return the object in every pixel: what has about the same color as the clicked pixel, and hangs together with it.

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
