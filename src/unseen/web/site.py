"""What the pages share: the database, worker processes, what was drawn before, studies, and folders."""

from __future__ import annotations

import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import UnseenError
from unseen.engines.bounded import GIBIBYTE, Bounded
from unseen.web import drawing
from unseen.web.database import Database
from unseen.web.drawing import Address
from unseen.web.safety import Tokens
from unseen.web.study import Study, shipped_studies

Result = TypeVar("Result")
KEPT_BYTES = 128 * 1024 * 1024  # of what was drawn
DRAWING_SECONDS = 30.0  # until an example is given up
SCORING_SECONDS = 120.0


class Kept:
    """What was made once, the last used within a bound of bytes; two who ask for the same wait for one.

    >>> kept = Kept(1000)
    >>> kept.get("a", lambda: b"drawn"), kept.get("a", lambda: b"drawn again")
    (b'drawn', b'drawn')
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.bytes = 0
        self._found: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._making: dict[Any, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Any, make: Callable[[], Result]) -> Result:
        """Give what is kept under a key, or make it."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key][0]  # type: ignore[no-any-return]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._found:
                    return self._found[key][0]  # type: ignore[no-any-return]
            try:
                made = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            self._keep(key, made)
            return made

    def _keep(self, key: Any, made: Any) -> None:
        size = len(pickle.dumps((key, made)))
        if size > self.most:
            return
        with self._lock:
            self._found[key] = made, size
            self.bytes += size
            while self.bytes > self.most:
                _, (_, less) = self._found.popitem(last=False)
                self.bytes -= less


@dataclass
class Site:
    """One site and all it has."""

    database: Database
    studies: dict[str, Study] = field(default_factory=shipped_studies)
    records: tuple[str, ...] = ("results", "shipped")  # folders of records
    runs: Path = Path("runs")
    drawers: int = 2  # processes that draw
    kept: Kept = field(default_factory=lambda: Kept(KEPT_BYTES))

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of this site."""
        return Tokens(self.database.secret())

    @cached_property
    def drawing(self) -> Bounded:
        """The processes that draw examples."""
        return Bounded(self.drawers, seconds=DRAWING_SECONDS)

    @cached_property
    def scoring(self) -> Bounded:
        """The process that parses and scores what strangers upload; it draws nothing for others meanwhile."""
        return Bounded(1, seconds=SCORING_SECONDS, memory=2 * GIBIBYTE)

    def drawn(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """What a function of `drawing` gives, drawn now or before."""
        key = (function.__module__, function.__qualname__, arguments)
        return self.kept.get(key, lambda: self.drawing.call(function, *arguments))

    def warm(self) -> None:
        """Draw an example of each benchmark, so that its code is loaded, and compiled in the background."""
        for benchmark in BENCHMARKS.values():
            task, _, split = benchmark.example.partition(" ")
            if task:
                try:
                    self.drawn(drawing.picture, Address(f"{benchmark.name}/{task}", split, 0, 0))
                except (UnseenError, OSError, ValueError):  # closed meanwhile, or no OpenGL: its page will say so
                    continue

    def close(self) -> None:
        """End the worker processes, and let go of the database."""
        self.drawing.close()
        self.scoring.close()
        self.database.close()
