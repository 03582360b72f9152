"""Stores on disk: SQLite, and PostgreSQL through the same SQL for those who share one store.

Scenes are added in steps; each is written with all its rows or not at all, so an interrupted build goes on where it
stopped. A database holds the index itself: the lists of scenes by fact, a piece for every step, and the scenes as
packed for the search. What is searched is fetched, and the search is that of the index in memory.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import reduce
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from unseen.benchmarks.covr.english.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.store import index, kernels
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import Attested, Query, place
from unseen.benchmarks.covr.world.scene import Scene, from_gqa, to_gqa
from unseen.core.errors import DataError, missing_extra, unknown
from unseen.core.files import unwritable

STEP = 4000  # scenes written at once
FETCHED = 700  # scenes looked at, at once; databases allow about a thousand values in a statement

TABLES = {
    "scenes": ("scene BIGINT PRIMARY KEY", "id TEXT UNIQUE", "graph BYTEA", "block BYTEA"),
    "words": ("number BIGINT PRIMARY KEY", "word TEXT UNIQUE"),
    "lists": ("fact TEXT", "step BIGINT", "scenes BYTEA"),  # a step is named by the number of its first scene
    "whole": ("added BIGINT",),  # a row as soon as nothing is missing
}


class SQL(Store):
    """Scenes in a database."""

    connection: Any  # as PEP 249 has it

    def __init__(self, exclusive: Exclusive, complete: Complete | None, most: int) -> None:
        super().__init__(exclusive, complete, most)
        for name, columns in TABLES.items():
            self.execute(f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(columns)})")
        self.execute("CREATE UNIQUE INDEX IF NOT EXISTS lists_by_fact ON lists (fact, step)")
        self.commit()
        self._codes: index.Codes | None = None
        self._ranks: Any = None  # of the scenes' ids in the alphabet, by number

    # ------------------------------------------------------------------------ what databases do differently

    @abstractmethod
    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with its values in place of question marks; returns the rows of an answer."""

    @abstractmethod
    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""

    # ------------------------------------------------------------------------ what they have in common

    def commit(self) -> None:
        """Commit what was written."""
        self.connection.commit()

    def rollback(self) -> None:
        """Undo what was written since the last commit."""
        self.connection.rollback()

    def close(self) -> None:
        """Close the connection to the database."""
        self.connection.close()

    # ------------------------------------------------------------------------ writing

    def add(self, scenes: Iterable[Scene]) -> int:
        """Add the scenes that are not there yet, and return how many these were; may be interrupted at any time."""
        known = {scene_id for (scene_id,) in self.execute("SELECT id FROM scenes")}
        fresh = (scene for scene in scenes if scene.id not in known)
        added = 0
        while step := list(islice(fresh, STEP)):
            try:
                self._write(step)
            except BaseException:
                self.rollback()
                raise
            self.commit()
            added += len(step)
            self._codes = self._substitutions = self._ranks = None
        return added

    def fill(self, scenes: Callable[[], Iterable[Scene]]) -> None:
        """Add all scenes, unless that was done before."""
        if not self.execute("SELECT added FROM whole"):
            self.insert("whole", [(self.add(scenes()),)])
            self.commit()

    def _write(self, scenes: list[Scene]) -> None:
        numbers = self._numbers()
        known, first = len(numbers), len(self)
        corpus = index.read(scenes, numbers)
        blocks, graph = index.packed(corpus)
        self.insert("words", [(number, word) for word, number in islice(numbers.items(), known, None)])
        self.insert(
            "scenes",
            (
                (first + k, scene.id, _compressed(scene), graph[blocks[k] : blocks[k + 1]].tobytes())
                for k, scene in enumerate(scenes)
            ),
        )
        facts, ends, found = index.listed(corpus)
        lists = ((found[begin:end] + first).tobytes() for begin, end in pairwise(ends.tolist()))
        keys = (_key(index.fact(row)) for row in facts.tolist())
        self.insert("lists", ((key, first, some) for key, some in zip(keys, lists, strict=True)))

    def _numbers(self) -> index.Numbering:
        rows = self.execute("SELECT word, number FROM words ORDER BY number")
        return index.Numbering((word, int(number)) for word, number in rows)

    # ------------------------------------------------------------------------ reading

    def __len__(self) -> int:
        return int(self.execute("SELECT COALESCE(MAX(scene), -1) + 1 FROM scenes")[0][0])

    def __iter__(self) -> Iterator[Scene]:
        return map(self.scene, self.ids)

    @property
    def ids(self) -> list[str]:
        """The ids of all scenes, in alphabetical order."""
        return sorted(scene_id for (scene_id,) in self.execute("SELECT id FROM scenes"))

    def scene(self, scene_id: str) -> Scene:
        """Return a scene by its id."""
        rows = self.execute("SELECT graph FROM scenes WHERE id = ?", (scene_id,))
        if not rows:
            raise unknown("scene", scene_id, (), where="the store")
        return from_gqa(scene_id, json.loads(zlib.decompress(rows[0][0])))

    def attested(self) -> Attested:
        """Return what occurs in the scenes."""
        keys = (key.split() for (key,) in self.execute("SELECT DISTINCT fact FROM lists"))
        rows = [index.row((kind, *map(int, words))) for kind, *words in keys]
        return index.attested(np.array(rows, np.int32).reshape(-1, 4).T, list(self._numbers()))

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query."""
        if self._codes is None:
            self._codes = index.Codes(self._numbers())
        pattern, without = self._codes.of(query.pattern), self._codes.of(query.without)
        if not index.is_possible(pattern):
            return []
        candidates = self._in_turn(self._shared(pattern), place(query.pattern))
        found: list[str] = []
        for at in range(0, len(candidates), FETCHED):
            ids, blocks, graph = self._blocks(candidates[at : at + FETCHED])
            out = np.empty(self.most - len(found), np.int32)
            no_maps = np.empty((0, len(ids) // 64 + 1), np.uint64)
            count = kernels.find(
                *(np.arange(len(ids), dtype=np.int32), np.array([(0, len(ids))], np.int64), np.array([-1]), no_maps),
                *(0, pattern, query.several, without, query.without_several, blocks, graph, self._codes.sets, out),
            )
            found += [ids[row] for row in out[:count].tolist()]
            if len(found) == self.most:
                break
        return sorted(found)

    def _shared(self, pattern: index.Numbers) -> index.Numbers:
        """The scenes in which everything is so that a pattern says in single words."""
        keys = [_key(fact) for fact in index.facts(pattern)]
        marks = ", ".join("?" * len(keys))
        pieces: dict[str, list[bytes]] = {}
        for fact, some in self.execute(
            f"SELECT fact, scenes FROM lists WHERE fact IN ({marks}) ORDER BY fact, step", keys
        ):
            pieces.setdefault(fact, []).append(some)
        lists = sorted((np.frombuffer(b"".join(some), np.int32) for some in pieces.values()), key=len)
        if not lists:
            return np.arange(len(self), dtype=np.int32)
        return reduce(lambda one, other: np.intersect1d(one, other, assume_unique=True), lists)

    def _in_turn(self, scenes: index.Numbers, place: int) -> index.Numbers:
        """Some scenes in the alphabetical order of ids, from a place on and around."""
        if self._ranks is None:  # sorted here, since databases have alphabets of their own
            ids = [scene_id for (scene_id,) in self.execute("SELECT id FROM scenes ORDER BY scene")]
            self._ranks = np.empty(len(ids), np.int64)
            self._ranks[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        turned: index.Numbers = scenes[np.argsort((self._ranks[scenes] - place % len(self._ranks)) % len(self._ranks))]
        return turned

    def _blocks(self, scenes: index.Numbers) -> tuple[list[str], Any, Any]:
        """Some scenes as packed for the search, in the order given."""
        marks = ", ".join("?" * len(scenes))
        found = self.execute(f"SELECT scene, id, block FROM scenes WHERE scene IN ({marks})", scenes.tolist())
        by_number = {number: (scene_id, block) for number, scene_id, block in found}
        rows = [by_number[number] for number in scenes.tolist()]
        starts = np.cumsum([0, *(len(block) // 4 for _, block in rows)])
        return [scene_id for scene_id, _ in rows], starts, np.frombuffer(b"".join(b for _, b in rows), np.int32).copy()


def _compressed(scene: Scene) -> bytes:
    return zlib.compress(json.dumps(to_gqa(scene), separators=(",", ":")).encode(), 1)


def _key(fact: index.Fact) -> str:
    """Write a fact as text: `relation 3 17 -1`."""
    return " ".join(map(str, fact))


# ---------------------------------------------------------------------------- the two databases


class SQLite(SQL):
    """Scenes in a file of their own."""

    connection: sqlite3.Connection

    def __init__(
        self,
        path: str | Path,
        exclusive: Exclusive = tabled,
        complete: Complete | None = None,
        most: int = MOST,
    ) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(self.path)
            super().__init__(exclusive, complete, most)
        except OSError as error:
            raise unwritable(self.path, error) from error
        except sqlite3.Error as error:
            raise DataError(f"{self.path} is no store of scenes: {error}; choose another file") from error

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement."""
        return self.connection.execute(statement, values).fetchall()

    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        marks = ", ".join("?" * len(TABLES[table]))
        self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


class PostgreSQL(SQL):
    """Scenes in a database that many can read; one at a time may add to it, and others see what it added on opening.

    `address` is what libpq takes: "postgresql://user@host/database" or "host=... dbname=..."; where it is empty, libpq
    reads PGHOST, PGDATABASE and the like. Scenes of one `schema` know nothing of those of another.
    """

    def __init__(
        self,
        address: str = "",
        exclusive: Exclusive = tabled,
        complete: Complete | None = None,
        most: int = MOST,
        schema: str = "public",
    ) -> None:
        try:
            import psycopg
        except ImportError:
            raise missing_extra("a store in PostgreSQL", "postgres", "psycopg") from None
        try:
            self.connection = psycopg.connect(address)
        except psycopg.OperationalError as error:
            raise DataError(f"could not open the store at {address!r}: {' '.join(str(error).split())}") from error
        self.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        self.execute(f'SET search_path TO "{schema}"')
        super().__init__(exclusive, complete, most)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement."""
        with closing(self.connection.execute(statement.replace("?", "%s"), values)) as cursor:
            return cursor.fetchall() if cursor.description else []

    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
