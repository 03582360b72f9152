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
SEED_DIGITS = 12  # hexadecimal ones of a seed that is drawn: as many as any table program keeps


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


def _benchmark(task: str) -> str:
    return task.partition("/")[0].lower()


@dataclass
class Site:
    """One site and all it has."""

    database: Database
    studies: dict[str, Study] = field(default_factory=shipped_studies)
    records: tuple[str, ...] = ("results", "shipped")  # folders of records
    runs: Path = Path("runs")
    drawers: int = 2  # processes that draw, for those who look and for studies each
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
    def studying(self) -> Bounded:
        """The processes that draw what studies ask: nobody who looks at examples keeps participants waiting."""
        return Bounded(self.drawers, seconds=DRAWING_SECONDS)

    @cached_property
    def scoring(self) -> Bounded:
        """The process that parses and scores what strangers upload; it draws nothing for others meanwhile."""
        return Bounded(1, seconds=SCORING_SECONDS, memory=2 * GIBIBYTE)

    def drawn(self, function: Callable[..., Result], *arguments: Any, by: Bounded | None = None) -> Result:
        """Return what a function of `drawing` gives, drawn now or before."""
        key = (function.__module__, function.__qualname__, arguments)
        return self.kept.get(key, lambda: (by or self.drawing).call(function, *arguments))

    def seed_of(self, study: Study) -> int:
        """The seed that the examples of a study are drawn from: its own, or one that nobody but this site can know.

        Judging questions is about those of the data set, whose answers nobody has to find.
        """
        if study.data_seed is not None or study.form != "test":
            return study.data_seed or 0
        return int(self.tokens.derived("examples", study.name)[:SEED_DIGITS], 16)

    def is_asked(self, task: str, split: str, seed: int) -> bool:
        """Tell whether a study asks such examples here, so that no other page may show them with their answers.

        All tasks of a benchmark count, since some show the examples of others.
        """
        return any(
            study.form == "test"
            and (study.split, self.seed_of(study)) == (split, seed)
            and _benchmark(task) in map(_benchmark, (*study.tasks, *study.practice.tasks))
            for study in self.studies.values()
        )

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
        for workers in (self.drawing, self.studying, self.scoring):
            workers.close()
        self.database.close()
