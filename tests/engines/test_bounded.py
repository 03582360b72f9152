"""Calls in processes of their own, bounded in time and memory."""

from __future__ import annotations

import os
import time

import pytest

from unseen.core.errors import SpecError
from unseen.engines.bounded import Bounded, TooBusy


def fill(count: int) -> int:
    return len(bytearray(count))


def refuse() -> None:
    raise SpecError("this cannot be")


def leave() -> None:
    os._exit(3)


@pytest.fixture
def workers():
    found = Bounded(1, seconds=30, memory=1 << 30)
    yield found
    found.close()


def test_an_error_of_the_worker_is_raised_here_and_the_worker_goes_on(workers: Bounded) -> None:
    first = workers.call(os.getpid)
    with pytest.raises(SpecError, match="this cannot be"):
        workers.call(refuse)
    assert workers.call(os.getpid) == first


def test_more_memory_than_it_may_have_is_an_error_and_not_the_end(workers: Bounded) -> None:
    assert workers.call(fill, 1000) == 1000
    with pytest.raises(MemoryError):
        workers.call(fill, 4 << 30)
    assert workers.call(fill, 1000) == 1000


def test_a_worker_that_ends_is_replaced(workers: Bounded) -> None:
    with pytest.raises(OSError, match="ended without an answer"):
        workers.call(leave)
    assert workers.call(fill, 10) == 10


def test_what_takes_too_long_is_ended() -> None:
    workers = Bounded(1, seconds=30)
    first = workers.call(os.getpid)
    workers.seconds = 0.2
    with pytest.raises(TooBusy, match="longer than"):
        workers.call(time.sleep, 60)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    workers.seconds = 30
    assert workers.call(os.getpid) != first
    workers.close()
