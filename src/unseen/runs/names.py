"""Names of folders and files: made here, from whatever a task, a model or an option is called."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from unseen.core.options import written_value

RUNS = Path("runs")
LONGEST = 180  # bytes; file systems allow 255, and seeds, endings and marks of unfinished files are added
REFUSED = re.compile(r"[^\w+=,.:~ -]")  # separators of folders among them
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


def file_name(text: str) -> str:
    """Return a text as the name of one file or folder, which cannot lead out of the folder it is in.

    What a name cannot hold becomes a hyphen; a digest then keeps different texts apart.

    >>> file_name("resnet+width=64"), file_name("../f")
    ('resnet+width=64', '-.-f~0542c883')
    """
    named = REFUSED.sub("-", text)
    if named.startswith("."):  # hidden, or the folder above
        named = f"-{named[1:]}"
    if named == text and 0 < len(text.encode()) <= LONGEST:
        return text
    shortened = named.encode()[:LONGEST].decode(errors="ignore")
    return f"{shortened}~{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def model_name(model: str, options: Mapping[str, Any] = NO_OPTIONS) -> str:
    """A model and its options in one word, as tasks are written with theirs; without the path of a user's own file.

    >>> model_name("resnet"), model_name("my/models.py:Mine", {"width": 64})
    ('resnet', 'Mine+width=64')
    """
    written = (f"+{name}={written_value(options[name])}" for name in sorted(options))
    return model.rpartition(":")[2] + "".join(written)


def task_folder(task: str) -> Path:
    """Return the folder of a task, by its id, among runs, records and pages.

    >>> task_folder("cogitao/custom+grid=20").as_posix()
    'cogitao/custom+grid=20'
    """
    benchmark, _, name = task.partition("/")
    return Path(file_name(benchmark)) / file_name(name)


def folder_of(
    task: str, model: str, seed: int, *, options: Mapping[str, Any] = NO_OPTIONS, out: str | Path = RUNS
) -> Path:
    """Return the folder of a run.

    >>> folder_of("cogitao/s2-pad", "resnet", 1, options={"width": 64}).as_posix()
    'runs/cogitao/s2-pad/resnet+width=64/seed-1'
    """
    return out / task_folder(task) / file_name(model_name(model, options)) / f"seed-{seed}"


def record_place(
    task: str, model: str, seed: int, *, options: Mapping[str, Any] = NO_OPTIONS, ending: str = ".json"
) -> Path:
    """Return the place of a run's record, or page, in a folder of them.

    >>> record_place("cogitao/s2-pad", "resnet", 1).as_posix()
    'cogitao/s2-pad/resnet-seed-1.json'
    """
    return task_folder(task) / f"{file_name(model_name(model, options))}-seed-{seed}{ending}"
