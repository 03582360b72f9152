"""Baselines that need no training: ceilings, floors, and simple rules. Names are those of `--model`.

Those that answer any task of a kind are here; those that know the records of one benchmark are in its `baselines.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError, unknown
from unseen.core.progress import Progress
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.predict.kernels import color_regions
from unseen.predict.predictions import write_predictions

Ready = Callable[[Dataset], Callable[[Example], Any]]  # from a training set to how an example is answered

MOST = 255  # regions of a frame that have an id
CEILING = "perfect"  # what knows the truth


@dataclass(frozen=True)
class Untrained:
    """A baseline of one kind of task."""

    name: str
    kind: str
    description: str
    ready: Ready


def same_image(example: Example) -> npt.NDArray[np.uint8]:
    """Return the input, unchanged."""
    return example.inputs["image"]  # type: ignore[no-any-return]


def outlyingness(example: Example) -> npt.NDArray[np.float32]:
    """Tell how much the pixels of each image differ from those of the others."""
    images = example.inputs["images"]
    flat = images.reshape(len(images), -1).astype(np.float32)
    return ((flat[:, None] - flat) ** 2).mean(axis=(1, 2))  # type: ignore[no-any-return]


def true_ids(example: Example) -> npt.NDArray[np.uint8]:
    """Return the truth itself."""
    return example.target["ids"]  # type: ignore[no-any-return]


def no_ids(example: Example) -> npt.NDArray[np.uint8]:
    """Return background everywhere."""
    return np.zeros_like(example.target["ids"])


def region_ids(example: Example) -> npt.NDArray[np.uint8]:
    """Take every region of one color for an object, the largest first; the most frequent color is background.

    Frames are taken one by one, so that an object keeps its id only as long as the order of sizes stays.
    """
    return np.stack([_regions(frame) for frame in example.inputs["frames"]])


def _regions(frame: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    labels = np.empty(frame.shape[:2], np.int64)
    count = color_regions(frame, labels)
    sizes = np.bincount(labels.ravel(), minlength=count)
    colors = np.zeros(count, np.int64)
    colors[labels] = frame @ np.array([1 << 16, 1 << 8, 1])
    packed, of = np.unique(colors, return_inverse=True)
    background = packed[np.bincount(of, weights=sizes).argmax()]
    order = [region for region in np.argsort(-sizes, kind="stable") if colors[region] != background][:MOST]
    ids = np.zeros(count, np.uint8)
    ids[order] = np.arange(1, len(order) + 1)
    return ids[labels]


UNTRAINED = {
    row.name: row
    for row in (
        Untrained("copy", "image", "the input, as if nothing happened", lambda _: same_image),
        Untrained("outlier", "odd", "the image whose pixels differ most from the others", lambda _: outlyingness),
        Untrained(CEILING, "video", "the truth itself", lambda _: true_ids),
        Untrained("blind", "video", "background everywhere", lambda _: no_ids),
        Untrained("regions", "video", "connected regions of one color, frame by frame", lambda _: region_ids),
    )
}


def baselines(task: Task) -> dict[str, Ready]:
    """Return the baselines that answer a task without training: those of its kind, and its benchmark's own."""
    own = task.benchmark.optional_file("baselines")
    of_kind = {name: row.ready for name, row in UNTRAINED.items() if row.kind == task.kind.name}
    return of_kind | (own.UNTRAINED if own else {})


def baseline(name: str, task: Task) -> Ready:
    """Return a baseline of a task by its name."""
    found = baselines(task)
    if name in found:
        return found[name]
    if name in UNTRAINED:
        raise SpecError(f"{name} answers {UNTRAINED[name].kind} tasks, and {task.id} is a {task.kind.name} task")
    raise unknown("baseline without training", name, found, where=task.id)


def predict_untrained(name: str, dataset: Dataset, path: str | Path, progress: Progress | None = None) -> None:
    """Answer a data set with a baseline, and write a predictions file."""
    seed = dataset.source.seed
    answer = baseline(name, dataset.task)(Dataset(Generated(dataset.task, "train", seed)))
    answers = []
    for example in dataset:
        answers.append(answer(example))
        if progress:
            progress(len(answers), len(dataset), dataset.split)
    write_predictions(path, dataset.task, dataset.split, answers, seed=seed, model=name, indices=dataset.indices)
