"""How many inputs are tried, how long one may take, and what may come of it.

A small sample runs with the other tests. `UNSEEN_FUZZ=10000` tries that many inputs in all, shared by the targets;
`UNSEEN_FUZZ_SEED=7` tries others than the last time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, seed, settings

from unseen.core.errors import LONGEST, UnseenError

SAMPLE = 150  # inputs of all targets together, in an ordinary run, and at least one of each target
TOTAL = int(os.environ.get("UNSEEN_FUZZ", SAMPLE))
SEED = os.environ.get("UNSEEN_FUZZ_SEED")
SECONDS = 120  # that an input may take, on a busy machine


class TookTooLong(BaseException):
    """An input that keeps a command busy for longer than anybody waits; no handler of the library catches it."""


@contextmanager
def limited() -> Iterator[None]:
    """Give a block `SECONDS`."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def tried() -> Callable[[float], Callable[[Any], Any]]:
    """Try a property on a share of all inputs: `tried(0.1)(given(...)(property))()`."""

    def share(part: float) -> Callable[[Any], Any]:
        how = settings(
            max_examples=max(1, round(TOTAL * part)),
            deadline=None,
            derandomize=SEED is None,
            database=None,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
        )
        return lambda property: (seed(int(SEED)) if SEED else lambda same: same)(how(property))

    return share


@pytest.fixture(scope="session")
def answered() -> Callable[[Callable[[], Any]], Any]:
    """Call a function that may refuse its input in a sentence, in time, and may not fail in any other way."""

    def call(function: Callable[[], Any]) -> Any:
        with limited():
            try:
                return function()
            except UnseenError as error:
                said = str(error)
                assert said, "the error says nothing"
                assert "\n" not in said
                assert len(said) <= LONGEST
                return error

    return call
