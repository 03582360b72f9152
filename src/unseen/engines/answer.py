"""What engines have in common: how a job is answered in a worker, and what is said of one that no worker answers."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from typing import Any

from unseen.core.errors import DataError, SpecError, UnseenError, quoted

TRIES = 4  # of a job that loses its worker; where it is the job that ends them, it ends no more than these


def answer(function: Callable[[Any], Any], job: Any) -> bytes:
    """Do a job; what is sent back is its result or its exception, also where the result cannot be sent.

    >>> opened(answer(abs, -3))
    3
    """
    try:
        return pickle.dumps((True, function(job)))
    except Exception as error:  # whatever it is, it is the caller's to handle
        return pickle.dumps((False, _portable(error)))


def opened(sent: bytes) -> Any:
    """Give the result that a worker sent back, or raise its exception."""
    done, found = pickle.loads(sent)
    if done:
        return found
    raise found


def _portable(error: Exception) -> Exception:
    """An exception that can be sent, with the worker's traceback unless it is a user's mistake."""
    if not isinstance(error, UnseenError):
        error.add_note("in a worker:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # any class may fail in its own way to be pickled
        return RuntimeError(f"{type(error).__name__}: {error}\n" + "\n".join(getattr(error, "__notes__", ())))
    return error


def checked(workers: int | None) -> int | None:
    """Refuse a number of workers that cannot be."""
    if workers is not None and workers < 1:
        raise SpecError(
            f"workers counts processes, so it cannot be {workers}; leave it out for as many as there is room"
        )
    return workers


def lost(job: Any, why: str) -> DataError:
    """Make the error for a job that no worker answers.

    >>> print(lost(range(3), "a worker was killed"))
    a worker was killed; the job was range(0, 3)
    """
    return DataError(f"{why}; the job was {name_of(job)}")


def name_of(job: Any) -> str:
    """Name a job for people."""
    return quoted(str(getattr(job, "name", job)))
