"""Processes of this machine, started afresh so that no thread or lock of the caller is copied into them.

Each worker has a pipe of its own: it is given one job at a time and answers with the result or the exception. A worker
that dies closes its pipe, which the caller notices; a caller that dies, however suddenly, is noticed by the workers.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, TypeVar

from unseen.core.errors import DataError
from unseen.core.machine import cores
from unseen.engines.answer import answer, checked, lost, opened
from unseen.engines.interrupts import interrupts_wait

Job = TypeVar("Job")
Result = TypeVar("Result")
Results = Generator[Result, None, None]


class Worker(NamedTuple):
    """A process, and our end of its pipe."""

    process: BaseProcess
    pipe: Connection


def run(function: Callable[[Job], Result], jobs: Iterable[Job], workers: int | None = None) -> Results[Result]:
    """Yield the results of a function over jobs as they are finished; with one worker, in this process.

    >>> list(run(abs, [-1, 2, -3], workers=1))
    [1, 2, 3]
    """
    waiting = iter(jobs)
    first = list(islice(waiting, checked(workers) or cores()))
    every = chain(first, waiting)
    yield from map(function, every) if len(first) <= 1 else _run(function, every, len(first))


def _run(function: Callable[[Job], Result], waiting: Iterator[Job], workers: int) -> Results[Result]:
    crew: dict[Connection, Worker] = {}
    doing: dict[Connection, Job] = {}

    def go_on(worker: Worker) -> None:
        for job in islice(waiting, 1):
            doing[worker.pipe] = job
            give(worker, job)

    try:
        for _ in range(workers):
            worker = start(function, threads=max(1, cores() // workers))
            crew[worker.pipe] = worker
            go_on(worker)
        while doing:
            for pipe in wait(list(doing)):
                job = doing.pop(pipe)  # type: ignore[call-overload]
                result = receive(crew[pipe], job)  # type: ignore[index]
                go_on(crew[pipe])  # type: ignore[index]
                yield result
    finally:
        for worker in crew.values():
            worker.process.terminate()
        for worker in crew.values():
            worker.process.join()
            worker.pipe.close()


def start(function: Callable[[Any], Any], *, threads: int = 0) -> Worker:
    """Start a worker that answers jobs by a function, each with so many threads, as libraries like by default."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(function, theirs, threads), daemon=True)
    resource_tracker.ensure_running()  # would be started with the first worker, and undo the mask
    with interrupts_wait(), closing(theirs):  # ours is the only copy left: the end of the worker is the end of the pipe
        process.start()
    return Worker(process, ours)


def give(worker: Worker, job: Any) -> None:
    """Give a worker a job."""
    try:
        worker.pipe.send(job)
    except ConnectionError:
        raise _death(worker, job) from None


def receive(worker: Worker, job: Any) -> Any:
    """Receive the answer of a worker to a job."""
    try:
        sent = worker.pipe.recv_bytes()
    except (EOFError, ConnectionError):
        raise _death(worker, job) from None
    return opened(sent)


def _death(worker: Worker, job: Any) -> DataError:
    worker.process.join()
    code = worker.process.exitcode
    if code == -signal.SIGKILL:
        return lost(job, "a worker was killed, most likely because memory ran out; run again with fewer workers")
    return lost(
        job,
        f"a worker ended without an answer (exit code {code}); what it printed above says why. Workers import the"
        ' script that starts them, so a script needs `if __name__ == "__main__":` before its own work',
    )


# ---------------------------------------------------------------------------- in the worker


def _serve(function: Callable[[Any], Any], pipe: Connection, threads: int) -> None:
    """Answer jobs until the caller ends this process."""
    threading.Thread(target=_end_with_the_caller, daemon=True).start()
    if threads:  # for what a job starts, and for what it is the first to import
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(answer(function, job))


def _end_with_the_caller() -> None:
    """End at once when the caller is gone, even in the middle of a job."""
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)
