"""Processes that work for a server, each call bounded in time and memory: one that takes too long is ended.

Unlike `local.run`, which hands out a list of jobs, a call comes at any moment and from any thread, and whoever asks may
be a stranger: what is parsed or drawn for them must not hold up or bring down the process that serves others.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from unseen.core.errors import UnseenError
from unseen.engines.local import Worker, give, receive, start

Result = TypeVar("Result")
GIBIBYTE = 1 << 30


class TooBusy(UnseenError, TimeoutError):
    """A call that found no free worker, or took longer than it may."""


class Bounded:
    """A few worker processes, started when first needed, that calls take turns at.

    >>> workers = Bounded(1, seconds=60)
    >>> workers.call(divmod, 7, 2)
    (3, 1)
    >>> workers.close()
    """

    def __init__(self, count: int, *, seconds: float, memory: int = 4 * GIBIBYTE) -> None:
        """`memory` bounds the bytes that a worker may ask the system for; a call beyond it fails."""
        self.seconds = seconds
        self.memory = memory
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        self._all: set[Worker] = set()
        self._lock = threading.Lock()
        for _ in range(count):
            self._idle.put(None)  # a place for a worker that has yet to be started

    def call(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function, which must be found by its name, in a worker; an exception there is raised here."""
        try:
            worker = self._idle.get(timeout=self.seconds)
        except queue.Empty:
            raise TooBusy("too much is asked for at the moment; try again in a minute") from None
        good = None  # what goes back to the others: a worker that is ready, or the place for a new one
        try:
            worker = worker or self._started()
            job = (function, arguments)
            give(worker, job)
            if not worker.pipe.poll(self.seconds):
                raise TooBusy(f"this takes longer than {self.seconds:g} seconds, so it was given up; try again later")
            try:
                result: Result = receive(worker, job)
            except Exception:
                good = worker if worker.process.is_alive() else None
                raise
            good = worker
            return result
        finally:
            if good is None and worker is not None:
                self._end(worker)
            self._idle.put(good)

    def _started(self) -> Worker:
        worker = start(partial(_call, self.memory))
        with self._lock:
            self._all.add(worker)
        return worker

    def _end(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def close(self) -> None:
        """End all workers; a call that is under way fails."""
        for worker in list(self._all):
            self._end(worker)


def _call(memory: int, job: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    """Do one job in the worker, within a bound of memory that is set at the first."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    bound = memory if most == resource.RLIM_INFINITY else min(memory, most)
    resource.setrlimit(resource.RLIMIT_DATA, (bound, most))
    function, arguments = job
    return function(*arguments)
