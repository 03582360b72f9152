"""JSON files larger than memory: the entries of one big object or list, one at a time, with errors that say where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from unseen.core.errors import DataError
from unseen.core.nesting import parsed

CHUNK = 1 << 20  # characters read at once; longer entries are read in twice as many, and so on

_decoder = json.JSONDecoder()


def entries(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield the entries of a file's object or list: where each begins ("file:line:column"), its key, its value.

    An entry of a list has its place in the list as key.
    """
    try:
        with path.open(encoding="utf-8") as file:
            yield from _Reader(path, file).entries()
    except UnicodeDecodeError:
        raise DataError(
            f"{path} is not a text file in UTF-8; give the JSON file itself, not an archive of it"
        ) from None
    except DataError:
        raise
    except OSError as error:
        raise DataError(f"could not read {path}: {(error.strerror or str(error)).lower()}") from error


def whole(path: Path) -> Any:
    """Return a small file at once."""
    try:
        return parsed(json.loads, path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}:{error.colno}: broken JSON: {error.msg.lower()}") from None
    except ValueError as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    except OSError as error:
        raise DataError(f"could not read {path}: {(error.strerror or str(error)).lower()}") from error


class _Reader:
    """A window on a file, and where in the file it begins."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path = path
        self.file = file
        self.text = ""
        self.at = 0  # in the window
        self.told, self.line, self.column = 0, 1, 1  # a place in the window before which all lines are counted

    def entries(self) -> Iterator[tuple[str, str, Any]]:
        opening = self.symbol("{[")
        closing = {"{": "}", "[": "]"}[opening]
        count = 0
        if self.peek() == closing:
            return
        while True:
            where = self.where()
            key = str(count)
            if opening == "{":
                key = self.value()
                self.symbol(":")
            yield where, key, self.value()
            count += 1
            if self.symbol("," + closing) == closing:
                return

    def where(self) -> str:
        """Return the place of the next entry."""
        self.peek()
        return self._place(self.at)

    def peek(self) -> str:
        """Return the next symbol that is not blank; empty at the end of the file."""
        while True:
            while self.at < len(self.text):
                if not self.text[self.at].isspace():
                    return self.text[self.at]
                self.at += 1
            if not self.more(CHUNK):
                return ""

    def symbol(self, expected: str) -> str:
        """Take one of some symbols."""
        found = self.peek()
        if not found or found not in expected:
            wanted = " or ".join(repr(one) for one in expected)
            raise DataError(f"{self.where()}: broken JSON: expected {wanted}, found {found or 'the end of the file'!r}")
        self.at += 1
        return found

    def value(self) -> Any:
        """Take a whole value, reading on for as long as it is not complete."""
        self.peek()
        size = CHUNK
        while True:
            try:
                value, end = _decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if not self.more(size):
                    raise DataError(f"{self._place(error.pos)}: broken JSON: {error.msg.lower()}") from None
                size *= 2
                continue
            except RecursionError:
                raise DataError(f"{self.where()}: broken JSON: it is nested too deeply") from None
            if end == len(self.text) and self.more(size):
                continue  # a number might go on
            self.at = end
            return value

    def more(self, size: int) -> bool:
        """Read on, and forget what is done with; returns whether there was anything."""
        fresh = self.file.read(size)
        if fresh:
            self._place(self.at)
            self.text = self.text[self.at :] + fresh
            self.at = self.told = 0
        return bool(fresh)

    def _place(self, at: int) -> str:
        """Name a place in the window that is not before the last one; lines are counted from there on."""
        last = self.text.rfind("\n", self.told, at)
        self.line += self.text.count("\n", self.told, at)
        self.column = at - last if last >= 0 else self.column + at - self.told
        self.told = at
        return f"{self.path}:{self.line}:{self.column}"
