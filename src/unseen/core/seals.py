"""Seals: a file that holds the SHA-256 of its own bytes, so that whoever reads it finds every change.

A format that can hold a text somewhere (a key of JSON, metadata of Parquet, the header of safetensors) holds `BLANK`
there, in whose places for the digest are zeros. The seal is the digest of the whole file with those zeros. It finds
damage; it is no signature, for anyone can make it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unseen.core.errors import DataError

NAME = "seal"  # under which files hold it
MARK = b"sha256 without this:"
ZEROS = b"0" * 64
BLANK = (MARK + ZEROS).decode()
TRIED = 16  # places that look like a seal: content may quote one

Content = bytes | bytearray | mmap.mmap


def seal(content: bytes) -> bytes:
    """Fill in the blank seal of a file's content.

    >>> is_sealed(seal(b"content, " + BLANK.encode())), is_sealed(seal(b"content, " + BLANK.encode())[1:])
    (True, False)
    """
    made = bytearray(content)
    _fill(made)
    return bytes(made)


def seal_file(path: Path) -> None:
    """Fill in the blank seal of a file, without reading it into memory."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as content:
        _fill(content)
        content.flush()


def is_sealed(content: Content) -> bool:
    """Tell whether a content is what it was when it was sealed; no where it has no seal."""
    return any(content[at : at + len(ZEROS)] == _digest(content, at) for at in _places(content))


def is_file_sealed(path: Path) -> bool:
    """Tell whether a file is what it was when it was sealed; no where it has no seal."""
    with _mapped(path) as content:
        return is_sealed(content)


def has_seal(path: Path) -> bool:
    """Tell whether a file has a seal, fitting or not; those of others have none."""
    with _mapped(path) as content:
        return any(True for _ in _places(content))


@contextmanager
def _mapped(path: Path) -> Iterator[Content]:
    with path.open("rb") as file:
        try:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file
            yield b""
            return
        with content:
            yield content


def sealed_json(value: dict[str, Any], *, indent: int | None = 2) -> bytes:
    """Write a JSON object with a seal as its last entry, on a line of its own or all in one line."""
    return seal((json.dumps({**value, NAME: BLANK}, indent=indent, allow_nan=False) + "\n").encode())


def without_seal(content: bytes, what: str | Path) -> bytes:
    """Give a JSON object as it was before it was sealed; one that was changed since is an error.

    A file without a seal is as good as one: readers allow no other names than theirs, so that a damaged name of the
    seal is found, too. Whoever changes a file by hand removes the seal.
    """
    head, comma, tail = content.rpartition(b'"' + NAME.encode() + b'":')
    if not comma or not tail.strip().startswith(b'"' + MARK):
        return content
    if not is_sealed(content):
        raise DataError(
            f"{what} was damaged or changed after it was written: it does not fit its seal; write it again, or remove"
            f" the entry {NAME!r} if you changed it on purpose"
        )
    return head.rstrip().removesuffix(b",") + b"}"


def _fill(content: bytearray | mmap.mmap) -> None:
    places = [at for at in _places(content) if content[at : at + len(ZEROS)] == ZEROS]
    if len(places) != 1:
        raise ValueError(f"a file has one place for its seal, and this one has {len(places)}")
    (at,) = places
    content[at : at + len(ZEROS)] = _digest(content, at)


def _places(content: Content) -> Iterator[int]:
    at = 0
    for _ in range(TRIED):
        at = content.find(MARK, at)
        if at < 0:
            return
        at += len(MARK)
        yield at


def _digest(content: Content, at: int) -> bytes:
    view = memoryview(content)
    try:
        made = hashlib.sha256(view[:at])
        made.update(ZEROS)
        made.update(view[at + len(ZEROS) :])
        return made.hexdigest().encode()
    finally:
        view.release()
