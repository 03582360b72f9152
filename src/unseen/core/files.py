"""Files appear whole or not at all: written aside, synced, renamed. What can be made again is in the user's cache."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from unseen.core.errors import DataError

ASIDE = ".aside."  # in the name of every file that is being written


def cache_root() -> Path:
    """Folder for everything that can be made again: `UNSEEN_CACHE`, or `unseen` in the user's cache folder."""
    named = os.environ.get("UNSEEN_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unseen"


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path to write to; it becomes `path` when the block ends well, and is removed when it does not.

    It may become a file or a folder: a file takes the place of an older one, a folder only that of an empty one.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_aside(folder / "new" / "a.txt") as aside:
    ...     _ = aside.write_text("whole")
    >>> (folder / "new" / "a.txt").read_text(), len(list((folder / "new").iterdir()))
    ('whole', 1)
    """
    aside = path.with_name(f".{path.name}{ASIDE}{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield aside
        _sync(aside)
        os.replace(aside, path)
        _sync(path.parent)  # makes the rename last through a power cut
    except DataError:  # also an OSError, and says more
        raise
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        if aside.is_dir():
            shutil.rmtree(aside, ignore_errors=True)
        with suppress(OSError):  # it has its name by now, or never came to be
            aside.unlink()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that no reader, and no crash, ever sees half of it."""
    with written_aside(path) as aside:
        aside.write_bytes(content)


def unwritable(path: Path, error: OSError) -> DataError:
    """The sentence for a file or folder that cannot be written."""
    if error.errno == errno.ENOTEMPTY:
        return DataError(f"{path} holds something already; remove it, or choose another folder")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DataError(f"no space left to write {path}; free some and run again: what is finished is kept")
    reason = (error.strerror or str(error)).lower()
    return DataError(f"could not write {path}: {reason}; choose a place that can be written to")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
