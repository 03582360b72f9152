"""Processes of this machine, started afresh so that no thread or lock of the caller is copied into them.

Each worker has a pipe of its own: it is given one job at a time and answers with the result or the exception. A worker
that dies closes its pipe, which the caller notices; a caller that dies, however suddenly, is noticed by the workers.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, TypeVar

from unseen.core.errors import DataError, SpecError, UnseenError
from unseen.core.machine import cores

Job = TypeVar("Job")
Result = TypeVar("Result")
Results = Generator[Result, None, None]


class Worker(NamedTuple):
    """A process, and our end of its pipe."""

    process: BaseProcess
    pipe: Connection


def run(function: Callable[[Job], Result], jobs: Sequence[Job], workers: int | None = None) -> Results[Result]:
    """Yield the results of a function over jobs as they are finished; with one worker, in this process.

    >>> list(run(abs, [-1, 2, -3], workers=1))
    [1, 2, 3]
    """
    if workers is not None and workers < 1:
        raise SpecError(f"workers counts processes, so it cannot be {workers}; leave it out for one per core")
    workers = min(workers or cores(), len(jobs))
    yield from map(function, jobs) if workers <= 1 else _run(function, jobs, workers)


def _run(function: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> Results[Result]:
    waiting = iter(jobs)
    crew: dict[Connection, Worker] = {}
    try:
        for _ in range(workers):
            worker = start(function)
            crew[worker.pipe] = worker
            give(worker, next(waiting))
        left = len(jobs)
        while left:
            for pipe in wait(crew):
                worker = crew[pipe]  # type: ignore[index]
                result = receive(worker)
                left -= 1
                for job in islice(waiting, 1):
                    give(worker, job)
                yield result
    finally:
        for worker in crew.values():
            worker.process.terminate()
        for worker in crew.values():
            worker.process.join()
            worker.pipe.close()


def start(function: Callable[[Any], Any]) -> Worker:
    """Start a worker that answers jobs by a function."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(function, theirs), daemon=True)
    resource_tracker.ensure_running()  # would be started with the first worker, and undo the mask
    # Ctrl-C reaches every process of a terminal; a worker inherits this mask, leaves it to the caller, and is ended
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with closing(theirs):  # ours is the only copy left, so that the end of the worker is the end of the pipe
            process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Worker(process, ours)


def give(worker: Worker, job: Any) -> None:
    """Give a worker a job."""
    try:
        worker.pipe.send(job)
    except ConnectionError:
        raise _death(worker) from None


def receive(worker: Worker) -> Any:
    """Receive the answer of a worker."""
    try:
        done, answer = worker.pipe.recv()
    except (EOFError, ConnectionError):
        raise _death(worker) from None
    if done:
        return answer
    raise answer


def _death(worker: Worker) -> DataError:
    worker.process.join()
    code = worker.process.exitcode
    if code == -signal.SIGKILL:
        return DataError("a worker was killed, most likely because memory ran out; run again with fewer workers")
    return DataError(
        f"a worker ended without an answer (exit code {code}); what it printed above says why. Workers import the"
        ' script that starts them, so a script needs `if __name__ == "__main__":` before its own work'
    )


# ---------------------------------------------------------------------------- in the worker


def _serve(function: Callable[[Any], Any], pipe: Connection) -> None:
    """Answer jobs until the caller ends this process."""
    threading.Thread(target=_end_with_the_caller, daemon=True).start()
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            answer = (True, function(job))
        except Exception as error:  # whatever it is, it is the caller's to handle
            answer = (False, _portable(error))
        pipe.send(answer)


def _end_with_the_caller() -> None:
    """End at once when the caller is gone, even in the middle of a job."""
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """An exception that can be sent, with the worker's traceback unless it is a user's mistake."""
    if not isinstance(error, UnseenError):
        error.add_note("in a worker:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # any class may fail in its own way to be pickled
        return RuntimeError(f"{type(error).__name__}: {error}\n" + "\n".join(getattr(error, "__notes__", ())))
    return error
