"""A fresh exam: a set that was never published, fixed by a seed and the digest of its content.

Everyone who has the seed and the same version of the generator draws the same items, and the digest proves it. Until
the seed is told, the sheet holds the digest alone: whoever wrote it has settled on the items, and nobody else can know
them. Items of a test split are in no training set of any seed, because the content key keeps them apart.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, SpecError
from unseen.core.files import write_whole
from unseen.core.progress import Progress
from unseen.core.task import Task
from unseen.data.dataset import Generated
from unseen.data.shards import key_digest

FORMAT = 1  # of the sheet
TODAY, SECRET = "today", "secret"  # in the place of a seed: the date as a number, or a number that nobody can guess
BITS = 62


@dataclass(frozen=True)
class Exam:
    """The sheet of an exam: what is asked, by which generator, the digest of the items, and the seed once told."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    format: int
    task: str  # id, with its options
    split: str
    count: int  # the first so many items
    seed: int | None  # none as long as it is secret
    digest: str  # SHA-256 of the content keys of the items, in order
    benchmark_version: int  # of the content: another version has other items
    unseen: str  # version of the package that wrote the sheet


def read_seed(text: str) -> int:
    """Return a seed as a user writes it: a number, today's date, or a secret one.

    >>> read_seed("7"), read_seed("today") > 20_200_000
    (7, True)
    """
    if text == TODAY:
        return int(date.today().strftime("%Y%m%d"))
    if text == SECRET:
        return secrets.randbits(BITS)
    if not text.isdecimal() or int(text) >= 2**BITS:
        raise SpecError(f"a seed is a number below 2**{BITS}, {TODAY} or {SECRET}, not {text!r}")
    return int(text)


def make_exam(task: Task, split: str, *, seed: int, count: int | None = None, progress: Progress | None = None) -> Exam:
    """Fix an exam: draw its items, and note the digest of their content."""
    size = task.split(split).size
    asked = size if count is None else count
    if not 1 <= asked <= size:
        raise SpecError(f"{task.id} {split} has {size:,} examples, so that an exam cannot have {asked:,}")
    digest = digest_of(task, split, seed=seed, count=asked, progress=progress)
    return Exam(FORMAT, task.id, split, asked, seed, digest, task.benchmark.version, version("unseen"))


def digest_of(task: Task, split: str, *, seed: int, count: int, progress: Progress | None = None) -> str:
    """Return the digest of the content keys of the first items of a split."""
    source, keys = Generated(task, split, seed), []
    for index in range(count):
        keys.append(source.draw(index)[1])
        if progress:
            progress(index + 1, count, "items")
    return key_digest(keys)


def sealed(exam: Exam) -> Exam:
    """Return the same sheet without its seed."""
    return replace(exam, seed=None)


def revealed(exam: Exam, seed: int, progress: Progress | None = None) -> Exam:
    """Return the same sheet with its seed, once this is known to be the seed that it was made with."""
    check_version(exam)
    if exam.seed not in (None, seed):
        raise SpecError(f"this exam has the seed {exam.seed}, and not {seed}")
    found = digest_of(task_named(exam.task), exam.split, seed=seed, count=exam.count, progress=progress)
    if found != exam.digest:
        raise DataError(
            f"the seed {seed} gives other items than this exam was fixed to: their digest is {found[:12]}..., and the"
            f" sheet says {exam.digest[:12]}..."
        )
    return replace(exam, seed=seed)


def check_version(exam: Exam) -> None:
    """Refuse a sheet of a generator whose items differ from ours."""
    benchmark = task_named(exam.task).benchmark
    if benchmark.version != exam.benchmark_version:
        raise DataError(
            f"this exam is of version {exam.benchmark_version} of {benchmark.name}'s content, and this is version"
            f" {benchmark.version}, whose items differ; install unseen {exam.unseen}"
        )


def write_exam(path: Path, exam: Exam) -> None:
    """Write a sheet."""
    write_whole(path, (json.dumps(asdict(exam), indent=2) + "\n").encode())


def read_exam(path: Path) -> Exam:
    """Read a sheet, and check that it is one."""
    try:
        exam = TypeAdapter(Exam).validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise DataError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DataError(
            f"{path} is not the sheet of an exam{f', at {where}' if where else ''}: {first['msg'].lower()}"
        ) from None
    if exam.format != FORMAT:
        raise DataError(f"{path} is a sheet of format {exam.format}, and this version reads {FORMAT}")
    return exam
