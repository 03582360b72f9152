"""Which process works on a run: the one that holds the lock of its claim file, in which it says how far it is.

The system gives the lock of a killed process back, so that another can take the run over.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

from unseen.core.errors import DataError
from unseen.core.progress import Progress
from unseen.data.lock import held

EVERY = 1.0  # seconds between notes of how far a run is


class Taken(DataError):
    """The error that another process works on the run."""


@dataclass(frozen=True)
class Note:
    """How far a run is, as the process that works on it wrote down."""

    process: int
    host: str
    done: int = 0
    total: int = 0
    text: str = ""
    seconds: float = 0.0  # since this process began with it

    @property
    def left(self) -> float | None:
        """Seconds that are left at this pace; none where nothing is known yet."""
        return self.seconds * (self.total - self.done) / self.done if self.done else None


@contextmanager
def claimed(path: Path) -> Iterator[Progress]:
    """Hold the claim on a run, or raise `Taken`; gives a function that notes how far it is."""
    with held(path, Taken(f"another process works on {path}")) as lock:
        yield _Notes(lock)
        os.ftruncate(lock, 0)


class _Notes:
    """Writes notes into the claim file, not too often."""

    def __init__(self, file: int) -> None:
        self.file, self.began, self.written = file, monotonic(), 0.0
        self(0, 0)

    def __call__(self, done: int, total: int, text: str = "") -> None:
        now = monotonic()
        if now - self.written >= EVERY or not total:
            self.written = now
            note = Note(os.getpid(), platform.node(), done, total, text, now - self.began)
            line = json.dumps(asdict(note)).encode()
            os.pwrite(self.file, line, 0)
            os.ftruncate(self.file, len(line))


def read_note(path: Path) -> Note | None:
    """Tell how far a run is; none where no living process of this machine works on it."""
    try:
        note = Note(**json.loads(path.read_text()))
        if note.host == platform.node():
            os.kill(note.process, 0)  # asks whether it lives
    except (OSError, ValueError, TypeError):
        return None
    return note
