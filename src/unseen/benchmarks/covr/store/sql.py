"""Stores on disk: SQLite, and PostgreSQL through the same SQL for those who share one store.

Scenes are added in steps; each is written with all its rows or not at all, so an interrupted build goes on where it
stopped. Relations repeat the names of both ends, so that the words of a pattern lead straight to its scenes.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from unseen.benchmarks.covr.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.scene import Scene, from_gqa, to_gqa
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import MODIFIER, RELATION, Attested, Pattern, Query, Words, following
from unseen.core.errors import DataError, missing_extra, unknown
from unseen.core.files import unwritable

STEP = 1000  # scenes written at once
FIRST, GROWTH = 4000, 4  # scenes searched at first, and how many times as many are by the next search

TABLES = {
    "scenes": "scene BIGINT PRIMARY KEY, id TEXT UNIQUE, graph BYTEA",
    "things": "thing BIGINT PRIMARY KEY, scene BIGINT, name TEXT",
    "attributes": "thing BIGINT, name TEXT",
    "relations": (
        "relation BIGINT PRIMARY KEY, scene BIGINT, subject BIGINT, target BIGINT,"
        " name TEXT, subject_name TEXT, target_name TEXT"
    ),
    "modifiers": "relation BIGINT, target BIGINT, name TEXT, target_name TEXT",
}
INDEXES = {  # those of words end with the scene: answers come in its order, and stop when there are enough
    "things_in_scene": "things (scene, name)",
    "things_named": "things (name, scene)",
    "attributes_of_thing": "attributes (thing, name)",
    "relations_of_subject": "relations (subject, name)",
    "relations_in_scene": "relations (scene, subject_name)",
    "relations_between": "relations (subject_name, target_name, scene)",
    "relations_into": "relations (name, target_name, scene)",
    "relations_out_of": "relations (subject_name, name, scene)",
    "modifiers_of_relation": "modifiers (relation, name)",
}


class SQL(Store):
    """Scenes in a database."""

    def __init__(self, exclusive: Exclusive, complete: Complete | None) -> None:
        super().__init__(exclusive, complete)
        for name, columns in TABLES.items():
            self.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
        self.commit()

    # ------------------------------------------------------------------------ what databases do differently

    @abstractmethod
    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with its values in place of question marks; returns the rows of an answer."""

    @abstractmethod
    def insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add rows to a table."""

    @abstractmethod
    def commit(self) -> None:
        """Make what was done last."""

    @abstractmethod
    def rollback(self) -> None:
        """Forget what was done since."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

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
        for name, columns in INDEXES.items():  # after the first scenes: filling a table is faster without
            self.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {columns}")
        self.execute("ANALYZE")
        self.commit()
        self._substitutions = None
        return added

    def _write(self, scenes: list[Scene]) -> None:
        rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in TABLES}
        scene_number, thing_number, relation_number = (
            self.execute(f"SELECT COALESCE(MAX({key}), -1) + 1 FROM {key}s")[0][0]
            for key in ("scene", "thing", "relation")
        )
        for number, scene in enumerate(scenes, scene_number):
            rows["scenes"].append((number, scene.id, _packed(scene)))
            place = {key: k for k, key in enumerate(scene.things, thing_number)}
            thing_number += len(place)
            names = {key: thing.name for key, thing in scene.things.items()}
            for key, thing in scene.things.items():
                rows["things"].append((place[key], number, thing.name))
                rows["attributes"] += [(place[key], attribute) for attribute in thing.attributes]
                for name, target, modifiers in thing.relations:
                    ends = (place[key], place[target], name, thing.name, names[target])
                    rows["relations"].append((relation_number, number, *ends))
                    rows["modifiers"] += [(relation_number, place[to], what, names[to]) for what, to in modifiers]
                    relation_number += 1
        for table, some in rows.items():
            self.insert(table, some)

    # ------------------------------------------------------------------------ reading

    def __len__(self) -> int:
        return int(self.execute("SELECT COUNT(*) FROM scenes")[0][0])

    def __iter__(self) -> Iterator[Scene]:
        ids = [scene_id for (scene_id,) in self.execute("SELECT id FROM scenes")]
        return map(self.scene, sorted(ids))

    def scene(self, scene_id: str) -> Scene:
        """A scene by its id."""
        rows = self.execute("SELECT graph FROM scenes WHERE id = ?", (scene_id,))
        if not rows:
            raise unknown("scene", scene_id, (), where="the store")
        return from_gqa(scene_id, json.loads(zlib.decompress(rows[0][0])))

    def attested(self) -> Attested:
        """What occurs in the scenes."""
        triples = self.execute("SELECT DISTINCT subject_name, name, target_name FROM relations")
        triples += self.execute(
            "SELECT DISTINCT r.subject_name, m.name, m.target_name"
            " FROM modifiers m JOIN relations r ON r.relation = m.relation"
        )
        described = self.execute("SELECT DISTINCT t.name, a.name FROM attributes a JOIN things t ON t.thing = a.thing")
        return Attested(triples, described)

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query; of very many those that were added first.

        Scenes are searched some at a time, each time more, because most queries are soon answered.
        """
        statement = _Statement()
        text = statement.scenes(query)
        (end,) = self.execute("SELECT COALESCE(MAX(scene), -1) + 1 FROM scenes")[0]
        found: list[str] = []
        low, high = 0, FIRST
        while low < end and len(found) < MOST:
            found += [scene_id for (scene_id,) in self.execute(text, (*statement.values, low, high, MOST - len(found)))]
            low, high = high, GROWTH * high
        return sorted(found)


def _packed(scene: Scene) -> bytes:
    return zlib.compress(json.dumps(to_gqa(scene), separators=(",", ":")).encode(), 1)


class _Statement:
    """A query in SQL; the values stand in the order of their question marks."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def scenes(self, query: Query) -> str:
        """Ids of the scenes that answer a query, from one number on and up to another, and at most so many."""
        way = next(following(query.pattern, 0, RELATION), None)
        if way is None:
            source = f"things t WHERE {self.thing(query.pattern, 0, 't.thing', 't.name')}"
        else:  # the first relation leads to the scenes, by the index of its words
            source = (
                f"relations t WHERE {self.relation(query.pattern, way, 't')}"
                f" AND {self.thing(query.pattern, 0, 't.subject', 't.subject_name', but=way)}"
            )
        if query.several > 1:
            source += f" AND {self.count(query.pattern)} >= {query.several}"
        if query.without and query.without_several == 1:
            source += f" AND NOT EXISTS ({self.roots(query.without, '1')})"
        elif query.without:
            source += f" AND {self.count(query.without)} < {query.without_several}"
        numbers = f"SELECT DISTINCT t.scene FROM {source} AND t.scene >= ? AND t.scene < ? ORDER BY t.scene LIMIT ?"
        return f"SELECT id FROM scenes WHERE scene IN ({numbers})"

    def roots(self, pattern: Pattern, what: str) -> str:
        """The roots of a pattern in the scene at hand."""
        return f"SELECT {what} FROM things o WHERE o.scene = t.scene AND {self.thing(pattern, 0, 'o.thing', 'o.name')}"

    def count(self, pattern: Pattern) -> str:
        """How many roots of a pattern there are in the scene at hand."""
        return f"({self.roots(pattern, 'COUNT(*)')})"

    def thing(self, pattern: Pattern, at: int, thing: str, name: str, *, but: int = -1) -> str:
        """Whether a thing fits an object of the pattern, and all that follows it but one relation."""
        element = pattern[at]
        tests = [self.among(name, element.words)]
        if element.attributes is not None:
            named = self.among("a.name", element.attributes)
            tests.append(f"EXISTS (SELECT 1 FROM attributes a WHERE a.thing = {thing} AND {named})")
        for i in following(pattern, at, RELATION):
            if i != but:
                fits = self.relation(pattern, i, f"r{i}")
                tests.append(f"EXISTS (SELECT 1 FROM relations r{i} WHERE r{i}.subject = {thing} AND {fits})")
        return " AND ".join(tests)

    def relation(self, pattern: Pattern, at: int, row: str) -> str:
        """Whether a relation fits one of the pattern, with its target and modifiers."""
        tests = [
            self.among(f"{row}.name", pattern[at].words),
            self.thing(pattern, at + 1, f"{row}.target", f"{row}.target_name"),
        ]
        for i in following(pattern, at, MODIFIER):
            fits = f"{self.among(f'm{i}.name', pattern[i].words)} AND " + self.thing(
                pattern, i + 1, f"m{i}.target", f"m{i}.target_name"
            )
            tests.append(f"EXISTS (SELECT 1 FROM modifiers m{i} WHERE m{i}.relation = {row}.relation AND {fits})")
        return " AND ".join(tests)

    def among(self, column: str, words: Words) -> str:
        """Whether a word is one of those allowed."""
        if words is None:
            return "TRUE"
        self.values += sorted(words)
        return f"{column} IN ({', '.join('?' * len(words))})" if words else "FALSE"


# ---------------------------------------------------------------------------- the two databases


class SQLite(SQL):
    """Scenes in a file of their own."""

    def __init__(self, path: str | Path, exclusive: Exclusive = tabled, complete: Complete | None = None) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(self.path)
            super().__init__(exclusive, complete)
        except OSError as error:
            raise unwritable(self.path, error) from error
        except sqlite3.Error as error:
            raise DataError(f"{self.path} is no store of scenes: {error}; choose another file") from error

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement."""
        return self.connection.execute(statement, values).fetchall()

    def insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def commit(self) -> None:
        """Make what was done last."""
        self.connection.commit()

    def rollback(self) -> None:
        """Forget what was done since."""
        self.connection.rollback()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


class PostgreSQL(SQL):
    """Scenes in a database that many can read; one at a time may add to it.

    `address` is what libpq takes: "postgresql://user@host/database" or "host=... dbname=...".
    """

    def __init__(self, address: str, exclusive: Exclusive = tabled, complete: Complete | None = None) -> None:
        try:
            import psycopg
        except ImportError:
            raise missing_extra("a store in PostgreSQL", "postgres", "psycopg") from None
        try:
            self.connection = psycopg.connect(address)
        except psycopg.OperationalError as error:
            raise DataError(f"could not open the store at {address!r}: {' '.join(str(error).split())}") from error
        super().__init__(exclusive, complete)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement."""
        with closing(self.connection.execute(statement.replace("?", "%s"), values)) as cursor:
            return cursor.fetchall() if cursor.description else []

    def insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add rows to a table."""
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def commit(self) -> None:
        """Make what was done last."""
        self.connection.commit()

    def rollback(self) -> None:
        """Forget what was done since."""
        self.connection.rollback()

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()
