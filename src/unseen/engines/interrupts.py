"""Ctrl-C reaches every process of a terminal; it is for the one that began the work to end it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Have interrupts wait until the block is left; a process that is started in it is never interrupted."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
