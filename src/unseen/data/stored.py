"""Examples read from shards, near or far: the same as those drawn when asked for, in constant memory."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from unseen.core.errors import DataError, unknown
from unseen.core.parquet import open_parquet
from unseen.core.task import Arrays, Example, Task
from unseen.data.columns import Column, column_named
from unseen.data.copies import copy_of, digest_of, most_bytes
from unseen.data.dataset import Dataset, Generated
from unseen.data.manifest import check_listing, listing_of, read_manifest, task_of
from unseen.data.places import INHERITED, Place, place_of
from unseen.data.records import scene_column
from unseen.data.shards import METADATA, ROW_GROUP, check_bytes, damaged, footer_of

CACHED_BYTES = 256 * 2**20  # of row groups kept for random access: a data set of 100,000 grids fits in
OPEN_FILES = 16


class Group:
    """A row group that has been read; its records and arrays are made row by row."""

    def __init__(self, table: pa.Table, scene: Column) -> None:
        table = table.combine_chunks()
        self.bytes = table.nbytes
        self.index = table["index"].to_numpy()
        self.key = table["key"].to_numpy()
        self.records = scene.decode(table["scene"].chunk(0))
        self._values: dict[str, Sequence[Any]] = {
            field.name: column_named(field.metadata[METADATA].decode()).decode(table[field.name].chunk(0))
            for field in table.schema
            if field.metadata and METADATA in field.metadata
        }

    def arrays(self, row: int) -> tuple[Arrays, Arrays]:
        """Inputs and target of a row."""
        return self._side("input_", row), self._side("target_", row)

    def _side(self, prefix: str, row: int) -> Arrays:
        named = self._values.items()
        return {name.removeprefix(prefix): values[row] for name, values in named if name.startswith(prefix)}


class Stored:
    """Examples of one split of a data set that `unseen generate` wrote.

    When a shard is first opened, its size and SHA-256 are checked, and whether its footer agrees with the manifest; the
    checksum of a page is checked when it is read. From a store, a split that fits into this machine's cache is copied
    there, shard by shard as they are needed. Row groups of a larger one are read by range; the SHA-256 of a shard, for
    which all of it must be read, is then checked by `prove` alone.

    Threads may share it: one at a time reads from the files, which Arrow's reader needs, and all decode at once.
    """

    def __init__(self, place: Place, split: str) -> None:
        self.place = place
        self.split = split
        self.manifest = read_manifest(place)
        self.task = task_of(place, self.manifest)
        self.seed = self.manifest.seed
        if split not in self.manifest.splits:
            raise unknown("split", split, self.manifest.splits, where=str(place))
        self.shards = listing_of(place, self.manifest, split)
        self.size = self.shards.count
        self._copied = not place.near and self.manifest.splits[split].bytes <= most_bytes()
        self._scene = scene_column(self.task.benchmark)
        self._checked: set[int] = set()
        self._proven: set[int] = set()
        self._files: OrderedDict[int, pq.ParquetFile] = OrderedDict()
        self._of = os.getpid()  # the process that opened them
        self._groups: OrderedDict[tuple[int, int], Group] = OrderedDict()
        self._cached = 0
        self._lock = Lock()  # of the files and groups

    def example(self, index: int) -> Example:
        """Return the example at an index."""
        group, row = self.row(index)
        return Example(self.task, self.split, index, group.records[row], partial(group.arrays, row))

    def row(self, index: int) -> tuple[Group, int]:
        """Return the row group that holds an index, and its row there."""
        shard, place = divmod(index, self.shards.rows)
        number, row = divmod(place, ROW_GROUP)
        with self._lock:
            if (shard, number) not in self._groups:
                self._read(shard, number)
            self._groups.move_to_end((shard, number))
            return self._groups[shard, number], row

    def file_of(self, index: int) -> str:
        """Return the name of the shard that holds an index."""
        return self.shards[index // self.shards.rows].file

    def prove(self, index: int) -> None:
        """Check the SHA-256 of the shard that holds an index, where it was read by range alone."""
        shard = index // self.shards.rows
        with self._lock:
            if shard not in self._proven:
                with self._opened(shard) as file:
                    self._check(shard, file)

    def _check(self, shard: int, file: Any) -> None:
        """Compare a shard's size and SHA-256 with the manifest's."""
        entry = self.shards[shard]
        check_bytes(self.place.file(entry.file), entry, file.size(), digest_of(file))
        file.seek(0)
        self._proven.add(shard)

    def _read(self, shard: int, number: int) -> None:
        file = self._open(shard)
        try:
            table = file.read_row_group(number, use_threads=False)
        except DataError:  # of the store, and not of the shard
            raise
        except (pa.ArrowException, OSError) as error:
            raise damaged(self._path(shard), f"row group {number} cannot be read") from error
        group = self._groups[shard, number] = Group(table, self._scene)
        self._cached += group.bytes
        while self._cached > CACHED_BYTES and len(self._groups) > 1:
            _, oldest = self._groups.popitem(last=False)
            self._cached -= oldest.bytes

    def _open(self, shard: int) -> pq.ParquetFile:
        if self._of != os.getpid():
            INHERITED.append(self._files)
            self._files, self._of = OrderedDict(), os.getpid()
        if shard not in self._files:
            self._files[shard] = self._parquet(shard)
            if len(self._files) > OPEN_FILES:
                self._files.popitem(last=False)[1].close()
        self._files.move_to_end(shard)
        return self._files[shard]

    def _parquet(self, shard: int) -> pq.ParquetFile:
        """Open a shard; at the first time, compare it with the manifest."""
        first = shard not in self._checked
        file = self._copy(shard, checked=not first) if self._copied else None
        if file is None:
            file = self._opened(shard)
            if first and self.place.near:
                self._check(shard, file)
        try:
            opened = open_parquet(file, self._path(shard), pre_buffer=True)
        except DataError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise damaged(self._path(shard), "its footer cannot be read") from error
        if first:
            footer = footer_of(opened.schema_arrow, self._path(shard))
            check_listing(self.place, self.manifest, self.shards, shard, footer)
            self._checked.add(shard)
        return opened

    def _opened(self, shard: int) -> Any:
        try:
            return self.place.open(self.shards[shard].file)
        except DataError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise damaged(self._path(shard), "it cannot be opened") from error

    def _copy(self, shard: int, *, checked: bool) -> Any:
        """The copy of a far shard on this machine; None where there is no room for it."""
        try:
            copy = copy_of(self.place, self.shards[shard], checked=checked)
        except FileNotFoundError as error:
            raise damaged(self._path(shard), "it cannot be opened") from error
        if copy is not None:
            self._proven.add(shard)
        return copy

    def _path(self, shard: int) -> str:
        return self.place.file(self.shards[shard].file)

    def __reduce__(self) -> tuple[type[Stored], tuple[Place, str]]:
        return Stored, (self.place, self.split)  # workers open the files themselves


def open_place(where: str | Path | Place, split: str) -> Dataset:
    """Return a split of a data set that `unseen generate` wrote."""
    return Dataset(Stored(place_of(where), split))


def drawn_or_stored(task: Task, split: str, seed: int, where: str | Path | None) -> Dataset:
    """Return a split of a task: drawn, or read from a place that holds just this task."""
    if split not in task.splits:
        raise unknown("split", split, task.splits, where=task.id)
    if where is None:
        return Dataset(Generated(task, split, seed))
    stored = open_place(where, split)
    if stored.task.id != task.id:
        raise DataError(f"the folder {where} holds {stored.task.id}, not {task.id}")
    return stored
