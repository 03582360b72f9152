"""Every registered engine keeps the contract of `unseen.engines`, one of another package's too."""

from __future__ import annotations

import math
import operator
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from unseen.core.catalogue import task
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.engines import ENGINES, Engine, engine
from unseen.engines.local import run as run_local

PACKAGES = {"ray": "ray", "slurm": "submitit"}  # that an engine needs
OPTIONS: dict[str, dict[str, object]] = {"slurm": {"address": "local"}}  # with which it runs on this machine
WORKERS = 2

INTERRUPTED = """
import time
from unseen.engines import engine
if __name__ == "__main__":
    print("ready", flush=True)
    try:
        list(engine({name!r}, **{options})(time.sleep, [0.001, 600, 600], 2))
    except KeyboardInterrupt:
        print("interrupted")
"""


def run_outside(
    function: Callable[[Any], Any], jobs: Iterable[Any], workers: int | None = None, *, color: str = ""
) -> Generator[Any, None, None]:
    """The engine of somebody else's package."""
    yield from run_local(function, jobs, workers)


ENGINES.add("outside", run_outside)
NAMES = [*ENGINES]


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found: str = request.param
    if found in PACKAGES:
        package = pytest.importorskip(PACKAGES[found], reason=f"the engine {found} is not tested without its package")
        if found == "slurm":  # it waits for results on slow network drives
            monkeypatch.setattr(package.core.core.Job, "_results_timeout_s", 0.2)
        monkeypatch.setattr(f"unseen.engines.on_{found}.TRIES", 2)
    monkeypatch.chdir(tmp_path)
    return found


@pytest.fixture
def run(name: str) -> Engine:
    return engine(name, **OPTIONS.get(name, {}))


def test_results_of_all_jobs_come_back(run: Engine) -> None:
    assert sorted(run(operator.neg, range(20), WORKERS)) == list(range(-19, 1))
    assert list(run(abs, [], WORKERS)) == []


def test_the_number_of_workers_is_checked(run: Engine) -> None:
    with pytest.raises(SpecError, match="cannot be 0"):
        list(run(abs, [1], 0))


def test_an_exception_comes_back_as_itself(run: Engine) -> None:
    with pytest.raises(UnknownName, match="no task named 'c9-9' in cogitao") as mistake:
        list(run(task, ["cogitao/c9-9"] * 2, WORKERS))
    assert not hasattr(mistake.value, "__notes__")
    with pytest.raises(ValueError, match="math") as bug:
        list(run(math.sqrt, [-1.0, -1.0], WORKERS))
    assert "in a worker" in bug.value.__notes__[0]


def test_a_result_that_cannot_be_sent_is_an_error_that_says_so(run: Engine) -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        list(run(memoryview, [b"a", b"b"], WORKERS))


def test_jobs_are_taken_as_they_are_needed(run: Engine) -> None:
    taken = []

    def jobs() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    with closing(run(abs, jobs(), WORKERS)) as results:
        next(results)
        assert len(taken) <= 2 * WORKERS + 1


def test_an_error_among_the_jobs_is_raised(run: Engine) -> None:
    def jobs() -> Iterator[int]:
        yield from range(3)
        raise LookupError("no more jobs")

    with pytest.raises(LookupError, match="no more jobs"):
        list(run(abs, jobs(), WORKERS))


def test_closing_the_results_ends_the_work(run: Engine) -> None:
    began = time.monotonic()
    with closing(run(time.sleep, [0, 600, 600, 600], WORKERS)) as results:
        next(results)
    assert sorted(run(abs, [-1, -2], WORKERS)) == [1, 2]  # there is room for others
    assert time.monotonic() - began < 300


def test_a_job_that_ends_its_worker_is_named(run: Engine) -> None:
    with pytest.raises(DataError, match="the job was 3"):
        list(run(os._exit, [3, 3], WORKERS))


def test_an_interrupt_ends_everything(name: str, tmp_path: Path) -> None:
    if name == "outside":
        pytest.skip("other processes do not know the engine that is registered here")
    mark = f"UNSEEN_TEST_MARK={uuid.uuid4()}"
    script = INTERRUPTED.format(name=name, options=OPTIONS.get(name, {}))
    started = subprocess.Popen(
        [sys.executable, "-c", script],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | dict([mark.split("=")]),
    )
    try:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        assert wait_until(lambda: len(processes(mark)) >= 3)  # it, and workers or what starts them
        time.sleep(3)
        os.killpg(started.pid, signal.SIGINT)
        said, errors = started.communicate(timeout=60)
    finally:
        started.kill()
    assert said == "interrupted\n"
    assert not errors or name == "slurm"  # whose processes on this machine say that they were interrupted
    assert wait_until(lambda: not processes(mark))
    assert not list(tmp_path.iterdir())


def processes(mark: str) -> list[int]:
    """The processes that have a mark in their environment, and are alive."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue  # ended since it was listed, or somebody else's
    return found


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return holds()


def test_an_option_that_an_engine_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match=f"the engine {name} has no option 'colour'"):
        engine(name, colour="green")
