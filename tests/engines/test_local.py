from __future__ import annotations

import math
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from unseen.core.catalogue import task
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.engines import ENGINES
from unseen.engines.answer import _portable
from unseen.engines.local import run

SLEEPERS = """
import time
from unseen.engines.local import run
if __name__ == "__main__":
    try:
        list(run(time.sleep, [600, 600], 2))
    except KeyboardInterrupt:
        print("interrupted")
"""


def processes(session: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue  # ended since it was listed
        if int(of) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def sleepers() -> subprocess.Popen[str]:
    """A process in a session of its own, two workers of which are at work."""
    started = subprocess.Popen(
        [sys.executable, "-c", SLEEPERS],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert wait_until(lambda: len(processes(started.pid)) >= 4)  # it, multiprocessing's tracker, two workers
    time.sleep(1)  # for them to be importing or working
    return started


@pytest.mark.parametrize("workers", [1, 2])
def test_results_of_all_jobs_come_back(workers):
    assert sorted(run(operator.neg, list(range(20)), workers)) == list(range(-19, 1))


def test_more_workers_than_jobs_are_not_started():
    assert list(run(os.getpid, [], 4)) == []
    assert list(run(abs, [-3], 4)) == [3]


def test_the_number_of_workers_is_checked():
    with pytest.raises(SpecError, match="cannot be 0"):
        list(run(abs, [1], 0))


def test_an_exception_in_a_worker_comes_back_as_itself():
    with pytest.raises(UnknownName, match="no task named 'c9-9' in cogitao") as mistake:
        list(run(task, ["cogitao/c9-9", "cogitao/c9-9"], 2))
    assert not hasattr(mistake.value, "__notes__")
    with pytest.raises(ValueError, match="math") as bug:
        list(run(math.sqrt, [-1.0, -1.0], 2))
    assert "in a worker" in bug.value.__notes__[0]


def test_an_exception_that_cannot_be_pickled_is_told_of():
    class LocalError(Exception):
        pass

    assert "LocalError: gone" in str(_portable(LocalError("gone")))


def test_a_worker_that_dies_is_an_error_and_not_a_hang():
    with pytest.raises(DataError, match="exit code 3"):
        list(run(os._exit, [3, 3], 2))
    with pytest.raises(DataError, match="memory ran out; run again with fewer workers"):
        list(run(signal.raise_signal, [signal.SIGKILL, signal.SIGKILL], 2))
    assert not multiprocessing.active_children()


def test_closing_the_results_ends_the_workers():
    with closing(run(time.sleep, [0, 600], 2)) as results:
        next(results)
    assert not multiprocessing.active_children()


def test_workers_end_when_the_caller_is_killed():
    started = sleepers()
    started.kill()
    started.communicate()
    assert wait_until(lambda: not processes(started.pid), seconds=5)


def test_an_interrupt_reaches_the_caller_alone():
    started = sleepers()
    os.killpg(started.pid, signal.SIGINT)
    assert started.communicate(timeout=10) == ("interrupted\n", "")
    assert wait_until(lambda: not processes(started.pid), seconds=5)


def test_engines_are_found_by_name():
    assert list(ENGINES["local"](math.sqrt, [4.0], 1)) == [2.0]
    with pytest.raises(UnknownName, match="no engine named 'locl'"):
        ENGINES["locl"]
