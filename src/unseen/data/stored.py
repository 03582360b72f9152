"""Examples read from a folder of shards: the same as those drawn when asked for, in constant memory."""

from __future__ import annotations

import hashlib
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
from unseen.data.dataset import Dataset, Generated
from unseen.data.manifest import check_listing, read_manifest, task_of
from unseen.data.records import scene_column
from unseen.data.shards import METADATA, ROW_GROUP, damaged

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
    """Examples of one split of a folder that `unseen generate` wrote.

    When a shard is first opened, its size and SHA-256 are checked, and whether its footer agrees with the manifest; the
    checksum of a page is checked when it is read. Threads may share it: one at a time reads from the files, which
    Arrow's reader needs, and all decode at once.
    """

    def __init__(self, folder: Path, split: str) -> None:
        self.folder = folder
        self.split = split
        self.manifest = read_manifest(folder)
        self.task = task_of(folder, self.manifest)
        self.seed = self.manifest.seed
        if split not in self.manifest.splits:
            raise unknown("split", split, self.manifest.splits, where=str(folder))
        self.size = self.manifest.splits[split].count
        self.shards = self.manifest.splits[split].shards
        self._scene = scene_column(self.task.benchmark)
        self._checked: set[int] = set()
        self._files: OrderedDict[int, pq.ParquetFile] = OrderedDict()
        self._groups: OrderedDict[tuple[int, int], Group] = OrderedDict()
        self._cached = 0
        self._lock = Lock()  # of the files and groups

    def example(self, index: int) -> Example:
        """The example at an index."""
        group, row = self.row(index)
        return Example(self.task, self.split, index, group.records[row], partial(group.arrays, row))

    def row(self, index: int) -> tuple[Group, int]:
        """The row group that holds an index, and its row there."""
        shard, place = divmod(index, self.shards[0].rows)
        number, row = divmod(place, ROW_GROUP)
        with self._lock:
            if (shard, number) not in self._groups:
                self._read(shard, number)
            self._groups.move_to_end((shard, number))
            return self._groups[shard, number], row

    def file_of(self, index: int) -> str:
        """The name of the shard that holds an index."""
        return self.shards[index // self.shards[0].rows].file

    def _check(self, shard: int) -> None:
        """Compare a shard's size, SHA-256 and footer with the manifest's."""
        entry = self.shards[shard]
        path = self.folder / entry.file
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise damaged(path, "it cannot be opened") from error
        if size != entry.bytes:
            raise damaged(path, f"it has {size:,} bytes, not {entry.bytes:,}")
        if digest != entry.sha256:
            raise damaged(path, "its SHA-256 is not the manifest's")
        check_listing(self.folder, self.manifest, self.split, shard)
        self._checked.add(shard)

    def _read(self, shard: int, number: int) -> None:
        file = self._open(shard)
        try:
            table = file.read_row_group(number, use_threads=False)
        except (pa.ArrowException, OSError) as error:
            raise damaged(self.folder / self.shards[shard].file, f"row group {number} cannot be read") from error
        group = self._groups[shard, number] = Group(table, self._scene)
        self._cached += group.bytes
        while self._cached > CACHED_BYTES and len(self._groups) > 1:
            _, oldest = self._groups.popitem(last=False)
            self._cached -= oldest.bytes

    def _open(self, shard: int) -> pq.ParquetFile:
        if shard not in self._checked:
            self._check(shard)
        if shard not in self._files:
            path = self.folder / self.shards[shard].file
            self._files[shard] = open_parquet(path, path, memory_map=True)
            if len(self._files) > OPEN_FILES:
                self._files.popitem(last=False)[1].close()
        self._files.move_to_end(shard)
        return self._files[shard]

    def __reduce__(self) -> tuple[type[Stored], tuple[Path, str]]:
        return Stored, (self.folder, self.split)  # workers open the files themselves


def open_folder(folder: Path, split: str) -> Dataset:
    """A split of a folder that `unseen generate` wrote."""
    return Dataset(Stored(folder, split))


def drawn_or_stored(task: Task, split: str, seed: int, folder: str | Path | None) -> Dataset:
    """A split of a task: drawn, or read from a folder that holds just this task."""
    if split not in task.splits:
        raise unknown("split", split, task.splits, where=task.id)
    if folder is None:
        return Dataset(Generated(task, split, seed))
    stored = open_folder(Path(folder), split)
    if stored.task.id != task.id:
        raise DataError(f"the folder {folder} holds {stored.task.id}, not {task.id}")
    return stored
