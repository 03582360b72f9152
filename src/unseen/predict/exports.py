"""Items in the files of other evaluation tools: a task for inspect-ai, a table for VLMEvalKit."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from unseen.core.asking import Manner, checked_manner
from unseen.core.files import write_whole
from unseen.core.progress import Progress
from unseen.data.dataset import Dataset
from unseen.predict.item import Item, items
from unseen.predict.language.message import message

LETTERS = ascii_uppercase


def write_inspect(dataset: Dataset, folder: Path, manner: Manner, progress: Progress | None = None) -> Path:
    """Write a task file for inspect-ai: `inspect eval FILE --model openai/NAME` runs it, and draws the items itself."""
    task, split = dataset.task, dataset.split
    checked_manner(task.benchmark, manner)
    settings = {"count": len(dataset), "seed": dataset.source.seed, **manner.written}
    arguments = [json.dumps(task.id), json.dumps(split), *(f"{name}={value!r}" for name, value in settings.items())]
    path = folder / f"{file_stem(task.id, split)}.py"
    write_whole(
        path,
        INSPECT_FILE.format(
            task=task.id,
            split=split,
            version=task.benchmark.version,
            benchmark=task.benchmark.name,
            file=path.name,
            name=path.stem,
            arguments=", ".join(arguments),
        ).encode(),
    )
    return path


INSPECT_FILE = '''"""{task} {split}, content version {version} of {benchmark}, as a task for inspect-ai.

inspect eval {file} --model openai/NAME
unseen predict logs/LOG.eval        the answers as predictions, to score and compare like any others
"""

from inspect_ai import Task, task

from unseen.predict.inspected import inspect_task


@task
def {name}() -> Task:
    return inspect_task({arguments})
'''


def file_stem(task: str, split: str) -> str:
    """Return a task and split as a name that Python and file systems take.

    >>> file_stem("cvr/shape+size=224", "test_ood")
    'cvr_shape_size_224_test_ood'
    """
    return "".join(letter if letter.isalnum() else "_" for letter in f"{task}_{split}")


def write_vlmevalkit(dataset: Dataset, folder: Path, manner: Manner, progress: Progress | None = None) -> Path:
    """Write the table that VLMEvalKit reads: images as base64 in place of `<image 1>`, the question, the answer.

    Where an answer is a choice, the options are columns A, B, ... and the answer is a letter, for its multiple-choice
    data sets; else it is the answer itself.
    """
    path = folder / f"{file_stem(dataset.task.id, dataset.split)}.tsv"
    rows = list(_rows(dataset, manner, progress))
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = StringIO(newline="")
    table = csv.DictWriter(text, names, restval="", delimiter="\t", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_whole(path, text.getvalue().encode())
    return path


def _rows(dataset: Dataset, manner: Manner, progress: Progress | None) -> Iterator[dict[str, Any]]:
    found = items(dataset.task, dataset.split, manner, seed=dataset.source.seed)
    for done, item in enumerate(islice(found, len(dataset)), 1):
        yield _row(item)
        if progress:
            progress(done, len(dataset), dataset.split)


def _row(item: Item) -> dict[str, Any]:
    example, form = item.example, item.form
    written = message(item.parts, item.manner)
    images = [base64.b64encode(png).decode() for png in written.pictures]
    right = form.say(form.truth(example))
    row: dict[str, Any] = {"index": example.index}
    if images:
        row["image"] = images[0] if len(images) == 1 else str(images)
    row |= {"question": _marked(written.parts), "answer": right}
    if form.options:
        options = list(form.options(example))
        row |= {"answer": LETTERS[options.index(right)], **dict(zip(LETTERS, options, strict=False))}
    return {**row, "category": form.name, "split": example.split, "task": example.task.id}


def _marked(parts: tuple[str | bytes, ...]) -> str:
    """The texts, with a mark in the place of every image."""
    number, said = 0, []
    for part in parts:
        if isinstance(part, bytes):
            number += 1
        said.append(part if isinstance(part, str) else f"<image {number}>")
    return "\n".join(said)


ITEM_FORMATS: dict[str, Callable[[Dataset, Path, Manner, Progress | None], Path]] = {
    "inspect": write_inspect,
    "vlmevalkit": write_vlmevalkit,
}
