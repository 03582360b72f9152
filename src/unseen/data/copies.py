"""Copies of far shards on this machine, within a bound of bytes: fetched once, by whichever process needs one first.

They lie in the user's cache by the SHA-256 of what they hold, so that a copy is of use wherever the shard was found.
The folder is for its owner only. A copy that was damaged is thrown away, and those that were not used for longest
make room for others. Where there is no room, or the cache cannot be written to, nothing is kept, and shards are read
by ranges.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from unseen.core.errors import DataError, SpecError
from unseen.core.files import cache_root, only_ours
from unseen.data.places import Place
from unseen.data.shards import Entry, check_bytes

BYTES = 4 * 2**30  # of all copies, unless UNSEEN_CACHE_BYTES says otherwise
PIECE = 8 * 2**20  # bytes that are fetched at once, and held in memory
PART = ".part"  # how the name of a copy ends that is being fetched; its lock is held as long
ROOM = "room.lock"  # held by who makes room


def most_bytes() -> int:
    """Return the bytes that copies may take in all."""
    told = os.environ.get("UNSEEN_CACHE_BYTES", str(BYTES))
    if not told.isdecimal():
        raise SpecError(f"UNSEEN_CACHE_BYTES is a number of bytes such as {BYTES}, not {told!r}; 0 keeps no copies")
    return int(told)


def copy_of(place: Place, entry: Entry, *, checked: bool = False) -> Any:
    """Return a file for Arrow to read: the copy of a shard, fetched if need be; None where none can be kept.

    A copy is compared with the manifest's SHA-256 when it is fetched and whenever it is opened, unless it was `checked`
    before.
    """
    try:
        folder = _folder()
        found = _opened(folder / entry.sha256, entry, checked=checked)
        return found or _fetched(place, entry, folder)
    except DataError:  # of the shard, not of the copy
        raise
    except OSError:
        return None


def _folder() -> Path:
    """The folder of copies, made if need be; an error where others could look into it."""
    folder = cache_root() / "shards"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not only_ours(folder, hidden=True):
        raise PermissionError(f"{folder} is not this user's alone")
    return folder


def _opened(path: Path, entry: Entry, *, checked: bool) -> Any:
    """A copy that is there and whole; one that is not whole is removed."""
    import pyarrow as pa

    try:
        file = pa.memory_map(str(path))
    except FileNotFoundError:
        return None
    if file.size() != entry.bytes or not (checked or digest_of(file) == entry.sha256):
        path.unlink(missing_ok=True)
        return None
    os.utime(path)  # used just now
    file.seek(0)
    return file


def _fetched(place: Place, entry: Entry, folder: Path) -> Any:
    """Fetch a copy, or wait for the process that does; None where it is larger than all copies may be."""
    if entry.bytes > most_bytes():
        return None
    path, part = folder / entry.sha256, folder / f"{entry.sha256}{PART}"
    with _held(part) as copy:
        if found := _opened(path, entry, checked=False):  # another process was faster
            part.unlink()
            return found
        try:
            with _held(folder / ROOM):
                _make_room(folder, most_bytes() - entry.bytes)
                copy.truncate(entry.bytes)  # the room is taken from now on
            with place.open(entry.file) as file:
                check_bytes(place.file(entry.file), entry, file.size(), digest_of(file, copy))
            copy.flush()
        except BaseException:
            part.unlink()
            raise
        part.replace(path)
    return _opened(path, entry, checked=True)


def digest_of(file: Any, copy: BinaryIO | None = None) -> str:
    """Return the SHA-256 of an open file, which is read in pieces, and copied on the way."""
    made = hashlib.sha256()
    while piece := file.read(PIECE):
        made.update(piece)
        if copy:
            copy.write(piece)
    return made.hexdigest()


@contextmanager
def _held(path: Path) -> Iterator[BinaryIO]:
    """Open a file and hold its lock; one that was removed or renamed while waiting for the lock does not count."""
    while True:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                yield file
                return


def _make_room(folder: Path, most: int) -> None:
    """Remove copies, those first that were not used for longest, until the others have so many bytes at most."""
    kept = []
    for path in folder.iterdir():
        if path.name != ROOM and not (path.suffix == PART and _abandoned(path)):
            with suppress(FileNotFoundError):  # renamed or removed since it was listed
                kept.append((path.stat().st_mtime_ns, path.stat().st_size, path))
    total = sum(size for _, size, _ in kept)
    for _, size, path in sorted(kept):
        if total > most and path.suffix != PART:
            path.unlink(missing_ok=True)  # who has it open goes on reading it
            total -= size


def _abandoned(part: Path) -> bool:
    """Remove what a process began to fetch and was killed; tells whether it was so."""
    with suppress(OSError), part.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink(missing_ok=True)
        return True
    return False
