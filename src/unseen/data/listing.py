"""The shards of a split as a table with 72 bytes for each, of which a million are no burden to a process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from unseen.data.shards import Entry, number_of, shard_at

PART = 10_000  # shards that one file lists at most: 3 MB
KNOWN = np.dtype([("bytes", np.int64), ("sha256", "V32"), ("keys", "V32")])  # of a shard; name and rows follow


@dataclass(frozen=True)
class Part:
    """Neighboring shards of a split, `PART` of them or the last."""

    moved: dict[int, int]  # indices that take a later draw than their first, so that no example occurs twice
    shards: tuple[Entry, ...]


def part_count(shards: int) -> int:
    """In how many parts so many shards are listed."""
    return -(-shards // PART)


class Listing:
    """What is known of the shards of a split; a part that is not known is read by `read`, where that is given.

    >>> listing = Listing("train", 1000, 400)
    >>> listing.put(2, Entry("train-00002-of-00003.parquet", 200, 5_000, "0" * 64, "f" * 64))
    >>> len(listing), listing.knows(1), listing.knows(2), listing[2].rows
    (3, False, True, 200)
    """

    def __init__(self, split: str, count: int, rows: int, read: Callable[[Listing, int], None] | None = None) -> None:
        self.split, self.count, self.rows = split, count, rows
        self._read = read
        self._known = np.zeros(-(-count // rows), KNOWN)  # a row takes memory when it is written to
        self.moved: dict[int, int] = {}  # of the shards that are known

    def __len__(self) -> int:
        return len(self._known)

    def knows(self, number: int) -> bool:
        """Tell whether a shard was put here."""
        return bool(self._known["bytes"][number])

    def put(self, number: int, entry: Entry, moved: dict[int, int] | None = None) -> None:
        """Note a shard, and which of its indices moved; ValueError for an entry of another shard."""
        shard = shard_at(self.split, number, self.count, self.rows)
        if (entry.file, entry.rows) != (shard.name, shard.stop - shard.start):
            raise ValueError(f"{entry.file} with {entry.rows} rows is not {shard}")
        self._known[number] = entry.bytes, bytes.fromhex(entry.sha256), bytes.fromhex(entry.keys)
        self.moved |= moved or {}

    def put_part(self, number: int, part: Part) -> None:
        """Note the shards of a part, or of all in one; ValueError where they are others, or not as many."""
        rest = len(self) - number * PART
        if len(part.shards) not in (rest, min(PART, rest)):
            raise ValueError(f"{len(part.shards)} shards are listed, of {rest}")
        self.moved |= part.moved
        for place, entry in enumerate(part.shards, number * PART):
            self.put(place, entry)

    def __getitem__(self, number: int) -> Entry:
        if self._read and not self.knows(number):
            self._read(self, number // PART)
        shard, known = shard_at(self.split, number, self.count, self.rows), self._known[number]
        digests = known["sha256"].tobytes().hex(), known["keys"].tobytes().hex()
        return Entry(shard.name, shard.stop - shard.start, int(known["bytes"]), *digests)

    def __iter__(self) -> Iterator[Entry]:
        return map(self.__getitem__, range(len(self)))

    def whole(self) -> Listing:
        """Itself, with every part known."""
        for first in range(0, len(self), PART):
            self[first]
        return self

    def parts(self) -> Iterator[Part]:
        """Yield all that is known, part by part."""
        for start in range(0, len(self), PART):
            numbers = range(start, min(start + PART, len(self)))
            indices = range(start * self.rows, numbers.stop * self.rows)
            moved = {index: draw for index, draw in sorted(self.moved.items()) if index in indices}
            yield Part(moved, tuple(map(self.__getitem__, numbers)))

    @property
    def complete(self) -> bool:
        """Whether all shards are known."""
        return bool(self._known["bytes"].all())

    @property
    def bytes(self) -> int:
        """The bytes of all shards that are known."""
        return int(self._known["bytes"].sum())

    @property
    def digest(self) -> str:
        """SHA-256 over the keys of all examples, shard by shard: the same wherever the data is."""
        made = hashlib.sha256()
        for entry in self:
            made.update(entry.keys.encode())
        return made.hexdigest()


def entry_named(name: str, listings: Iterable[Listing]) -> Entry | None:
    """Return what is known of a file; None where nothing is."""
    for listing in listings:
        number = number_of(name, listing.split, listing.count, listing.rows)
        if number is not None and listing.knows(number):
            return listing[number]
    return None
