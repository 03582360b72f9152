"""Files and folders that options name, such as `corpus=scenes.json`: ids say where they are, digests what they hold.

An option that decides by contents what examples are is declared as a `Source`, or as `Sources`. Shards, predictions,
configurations and records then hold the digest, and whoever reads them compares it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from unseen.core.errors import DataError
from unseen.core.files import cache_root, read_sealed, write_sealed
from unseen.core.options import Names

MARK = "source"
Source = Annotated[str, MARK]
Sources = Annotated[Names, MARK]  # several


def digests(*options: Any) -> dict[str, str]:
    """The digests of the files and folders that some records of options name, by option; empty where one is not there.

    >>> from dataclasses import make_dataclass
    >>> digests(make_dataclass("Options", [("corpus", Source), ("size", int)])("", 3))
    {}
    """
    named = {name: getattr(one, name) for one in options for name in sources(one)}
    return {name: _digest_of(value) for name, value in sorted(named.items()) if value}


def _digest_of(value: str | tuple[str, ...]) -> str:
    """The digest of what one option names; of several files and folders in their order."""
    found = [digest(path) for path in ([value] if isinstance(value, str) else value)]
    if len(found) == 1 or not all(found):
        return found[0] if all(found) else ""
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def check_same(then: Mapping[str, str], options: tuple[Any, ...], what: str | Path) -> None:
    """Compare digests that were noted with those of today; what is gone since cannot be compared, nor do harm."""
    now = digests(*options)
    for name, noted in then.items():
        if now.get(name) and now[name] != noted:
            raise DataError(
                f"{name} is not what it was when {what} was made: its digest was {noted[:12]} and is {now[name][:12]};"
                " put it back, or make this again"
            )


def sources(*options: Any) -> tuple[str, ...]:
    """Return the options of some records that name files or folders, whatever they are set to."""
    return tuple(name for one in options for name in _sources(type(one)))  # type: ignore[arg-type]


@cache
def _sources(options: type[Any]) -> tuple[str, ...]:
    hints = get_type_hints(options, include_extras=True)
    return tuple(name for name, hint in hints.items() if MARK in getattr(hint, "__metadata__", ()))


def digest(path: str) -> str:
    """SHA-256 of a file, or of all files of a folder with their names; empty where there is nothing.

    Large ones are read once: the digest is remembered for as long as no size and no time of change differs.
    """
    try:
        files = sorted(_files(Path(path)))
        stats = [(name, (status := os.stat(file)).st_size, status.st_mtime_ns) for name, file in files]
    except (OSError, ValueError):
        return ""
    if not files:
        return ""
    seen = hashlib.sha256(repr((os.path.abspath(path), stats)).encode(errors="surrogatepass")).hexdigest()
    kept = cache_root() / "contents" / seen[:32]
    known = read_sealed(kept)
    if known is None:
        known = _read(files).encode()
        write_sealed(kept, known)
    return known.decode()


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """The file, under no name, or the files of a folder and those below it by their names in it."""
    if path.is_file():
        yield "", path
        return
    for folder, _, names in os.walk(path):
        for name in names:
            file = Path(folder) / name
            if file.is_file():
                yield file.relative_to(path).as_posix(), file


def _read(files: list[tuple[str, Path]]) -> str:
    found = []
    for name, file in files:
        try:
            with file.open("rb") as opened:
                found.append((name, hashlib.file_digest(opened, "sha256").hexdigest()))
        except OSError as error:
            raise DataError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    if [name for name, _ in found] == [""]:
        return found[0][1]
    return hashlib.sha256(repr(found).encode(errors="surrogatepass")).hexdigest()
