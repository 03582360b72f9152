"""Files appear whole or not at all: written aside, synced, renamed. What can be made again is in the user's cache."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from unseen.core.errors import DataError

ASIDE = ".aside."  # in the name of every file or folder that something is being written to
NAMED = 40  # characters of a file's name that the name aside repeats: together they stay within what a name may have


def cache_root() -> Path:
    """Folder for everything that can be made again: `UNSEEN_CACHE`, or `unseen` in the user's cache folder."""
    named = os.environ.get("UNSEEN_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unseen"


def state_root() -> Path:
    """Folder for what is to be remembered of this user: `UNSEEN_STATE`, or `unseen` in the user's state folder."""
    named = os.environ.get("UNSEEN_STATE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "unseen"


def only_ours(folder: Path, *, hidden: bool = False) -> bool:
    """Tell whether nobody else can put files, which would be run, into a folder, or with `hidden`, look into it."""
    status = folder.lstat()
    others = 0o077 if hidden else 0o022
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & others


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to, which becomes `path` if the block succeeds and is removed if it fails.

    It may become a file or a folder: a file takes the place of an older one, a folder only that of an empty one. A
    device or a pipe is written to as it is.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_aside(folder / "new" / "a.txt") as aside:
    ...     _ = aside.write_text("whole")
    >>> (folder / "new" / "a.txt").read_text(), len(list((folder / "new").iterdir()))
    ('whole', 1)
    """
    try:
        if _is_stream(path):
            yield path
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with _room(path) as room:
            aside = room / "whole"
            yield aside
            _sync(aside)
            os.replace(aside, path)
        _sync(path.parent)  # makes the rename last through a power cut
    except DataError:  # also an OSError, and says more
        raise
    except OSError as error:
        raise unwritable(path, error) from error


@contextmanager
def _room(path: Path) -> Iterator[Path]:
    """Make a folder beside a path, of a name that nobody can foresee and only this user may enter; remove it after."""
    room = Path(tempfile.mkdtemp(dir=path.parent, prefix=_prefix(path)))
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _prefix(path: Path) -> str:
    return f".{path.name[:NAMED]}{ASIDE}"


def _is_stream(path: Path) -> bool:
    """Tell whether a path is a device, a pipe or an open file of a process: these are written to and never replaced."""
    parent = path.parent.resolve()
    special = path.exists() and not path.is_file() and not path.is_dir()
    return special or parent == Path("/dev") or parent.parts[:2] == ("/", "proc")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or absent, whatever reads it and whenever this process ends."""
    with written_aside(path) as aside:
        aside.write_bytes(content)


def read_sealed(path: Path) -> bytes | None:
    """Read what `write_sealed` kept, or give None; a file that was damaged is removed, so that it is made again."""
    try:
        seal, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if seal == _seal(content):
        return content
    with suppress(OSError):
        path.unlink()
    return None


def write_sealed(path: Path, content: bytes) -> None:
    """Keep in the cache what can be made again, with a checksum; where there is no room, it is not kept.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "new" / "table"
    >>> write_sealed(path, b"numbers")
    >>> read_sealed(path)
    b'numbers'
    """
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, aside = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path))
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_seal(content) + b"\n" + content)
            os.replace(aside, path)
        except OSError:
            os.unlink(aside)
            raise


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def unwritable(path: Path, error: OSError) -> DataError:
    """Return the sentence for a file or folder that cannot be written."""
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
