"""Locks of files: one writer at a time per folder, one process per run, and no leftovers of those that were killed."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unseen.core.errors import DataError
from unseen.core.files import ASIDE, unwritable

LOCK = ".lock"
HELD: set[int] = set()  # descriptors of the locks that this process holds


def _let_go() -> None:
    """Close a parent's locks in a forked child, which would hold them on after the parent's death."""
    while HELD:
        os.close(HELD.pop())


os.register_at_fork(after_in_child=_let_go)


@contextmanager
def held(path: Path, taken: DataError) -> Iterator[int]:
    """Make a file and hold its lock, or raise `taken` where another process does; gives the file's descriptor.

    The system gives the lock back even if this process is killed. A link is not followed: it may lead anywhere.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise unwritable(path.parent, error) from error
    HELD.add(lock)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise taken from None
        except OSError as error:
            raise unwritable(path, error) from error
        yield lock
    finally:
        if lock in HELD:  # not in a child that came about while it was held
            HELD.remove(lock)
            os.close(lock)


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Make the folder and hold its lock."""
    taken = DataError(f"another process is writing to {folder}; wait for it, or choose another folder")
    with held(folder / LOCK, taken):
        yield


def remove_leftovers(folder: Path) -> None:
    """Remove what writers that were killed left aside; only for the holder of the lock."""
    for path in folder.glob(f".*{ASIDE}*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
