"""A file format that a benchmark was published in: one row of its `published.FORMATS`.

Beside the table, `published.place(task)` names the folder that the published data set keeps a task in, and
`published.SPLITS` the splits that it calls otherwise, with fields of their spec in braces; the latter may be left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from unseen.core.task import Example

PublishedRow = dict[str, Any]  # an example in the words of the published files
READ = 1 << 20  # characters of a file at a time
LONGEST = 1 << 24  # characters of a row; two grids of 64x64 take a hundredth of it


@dataclass(frozen=True)
class Format:
    """A published file format: how examples are written and rows are read, without all of them in memory.

    A format without suffix is a folder, which `write` makes. A file that is not what it should be makes `read` raise
    ValueError or OSError with the reason.
    """

    name: str
    suffix: str
    summary: str
    write: Callable[[Path, Sequence[Example]], None]
    read: Callable[[Path], Iterator[PublishedRow]]


def json_elements(file: TextIO) -> Iterator[Any]:
    """Read the elements of a JSON list one at a time, since a published file would take gigabytes as Python lists."""
    decoder, separators = json.JSONDecoder(), " \t\r\n,"
    text = file.read(READ).lstrip()
    if not text.startswith("["):
        raise ValueError("it is not a JSON list")
    text, at = text[1:], 0
    while True:
        while at < len(text) and text[at] in separators:
            at += 1
        if text.startswith("]", at):
            return
        try:
            element, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            more = file.read(READ)
            if not more or len(text) - at > LONGEST:
                raise ValueError("the list is broken or ends early") from error
            text, at = text[at:] + more, 0
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        else:
            yield element
