"""A small task, shards of 300 rows so that it has several, and a folder that was generated without interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from unseen.core.catalogue import task
from unseen.core.task import KINDS, Task
from unseen.data.generate import generate

SMALL = (
    "cogitao/custom+depth=1+grid=4-6+max_size=3+objects=1+samples=900"
    "+transformations=rot90,translate_up,translate_down,mirror_horizontal+unique=true"
)
ROWS = 300  # two row groups, the second of them short

Contents = Callable[[Path], dict[str, bytes]]


@contextmanager
def small_shards() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(KINDS, "grid", replace(KINDS["grid"], shard_rows=ROWS))
        yield


@pytest.fixture(autouse=True)
def _small_shards() -> Iterator[None]:
    with small_shards():
        yield


@pytest.fixture(scope="session")
def small() -> Task:
    return task(SMALL)


@pytest.fixture(scope="session")
def finished(small: Task, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted run; tests only read it."""
    with small_shards():
        return generate(small, tmp_path_factory.mktemp("finished") / "small", workers=1)


@pytest.fixture
def folder(small: Task, tmp_path: Path) -> Path:
    """A folder with 700 examples of train in three shards, to be damaged."""
    return generate(small, tmp_path / "small", splits=["train"], count=700, workers=1)


@pytest.fixture(scope="session")
def contents() -> Contents:
    """Every file of a folder, hidden ones too."""
    return lambda folder: {path.name: path.read_bytes() for path in folder.iterdir()}
