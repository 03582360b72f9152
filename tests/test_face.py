"""The public face: `import unseen`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

import unseen
from unseen.core.catalogue import BENCHMARKS, EXTRA_ROWS
from unseen.core.errors import SpecError


@pytest.fixture
def tidy() -> Iterator[None]:
    """Forget what a test registered."""
    yield
    BENCHMARKS.remove("mine")
    EXTRA_ROWS.clear()


def test_benchmarks_are_found_by_attribute_without_an_import_of_their_own() -> None:
    program = "import unseen; print(unseen.benchmarks.cogitao.BENCHMARK.name, 'cogitao' in dir(unseen.benchmarks))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "cogitao True\n"
    with pytest.raises(AttributeError, match="no attribute 'cogitoa'"):
        _ = unseen.benchmarks.cogitoa


def test_everything_public_is_there() -> None:
    assert all(hasattr(unseen, name) for name in unseen.__all__)


@pytest.mark.usefixtures("tidy")
def test_a_registered_benchmark_appears_with_its_tasks() -> None:
    unseen.register(replace(BENCHMARKS["cogitao"], name="mine"))
    assert "mine/c1-1" in unseen.tasks()
    assert unseen.load("mine/c1-1", "test")[0].inputs["grid"].shape == (20, 20)


@pytest.mark.usefixtures("tidy")
def test_a_registered_task_appears_in_its_benchmark() -> None:
    row = replace(unseen.task("cogitao/c1-1").row, name="mine", aliases=())
    unseen.register(row, benchmark="cogitao")
    assert "cogitao/mine" in unseen.tasks("cogitao")
    with pytest.raises(SpecError, match="a task named 'mine' already"):
        unseen.register(row, benchmark="cogitao")


def test_registering_says_what_is_missing() -> None:
    row = unseen.task("cogitao/c1-1").row
    with pytest.raises(SpecError, match="say whose task 'c1-1' is"):
        unseen.register(row)
    with pytest.raises(SpecError, match="only a task row belongs to a benchmark"):
        unseen.register(BENCHMARKS["cogitao"], benchmark="cogitao")
