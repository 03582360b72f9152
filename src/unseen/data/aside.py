"""Files that are whole or absent: written aside, synced, renamed; and one writer at a time per folder."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from unseen.core.errors import DataError

LOCK = ".lock"
ASIDE = ".aside."  # in the name of every file that is being written


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that no reader, and no crash, ever sees half of it."""
    aside = path.with_name(f".{path.name}{ASIDE}{os.getpid()}")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        _sync(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with suppress(OSError):  # it has its name by now, or never came to be
            aside.unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove what writers that were killed left aside; only for the holder of the lock."""
    for path in folder.glob(f".*{ASIDE}*"):
        path.unlink(missing_ok=True)


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Make the folder and hold its lock; the system gives the lock back even if this process is killed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"another process is writing to {folder}; wait for it, or choose another folder") from None
        except OSError as error:
            raise unwritable(folder / LOCK, error) from error
        yield
    finally:
        os.close(lock)


def unwritable(path: Path, error: OSError) -> DataError:
    """The sentence for a file or folder that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DataError(f"no space left to write {path}; free some and run again: finished shards are kept")
    reason = (error.strerror or str(error)).lower()
    return DataError(f"could not write {path}: {reason}; choose a folder that can be written to")


def _sync(folder: Path) -> None:
    """Make a rename last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
