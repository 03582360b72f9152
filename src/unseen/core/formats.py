"""A file format that a benchmark was published in: one row of its `published.FORMATS`.

Beside the table, `published.place(task)` names the folder that the published data set keeps a task in, and
`published.SPLITS` the splits that it calls otherwise; the latter may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unseen.core.task import Example

PublishedRow = dict[str, Any]  # an example in the words of the published files


@dataclass(frozen=True)
class Format:
    """How examples are written to one file, and how rows are read from one; neither holds all of them in memory.

    A format without suffix is a folder, which `write` makes. A file that is not what it should be makes `read` raise
    ValueError or OSError with the reason.
    """

    name: str
    suffix: str
    summary: str
    write: Callable[[Path, Sequence[Example]], None]
    read: Callable[[Path], Iterator[PublishedRow]]
