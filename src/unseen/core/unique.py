"""Uniqueness without shared state: in index order, an index takes its first draw whose key no lower index has.

Few indices have to move. They form a small table that travels with the data set, the cache and the manifest, so that
lazy, stored and parallel use agree. It is found by one pass of the sampler over a split's keys: ranges of indices, done
anywhere and in any order, each give a run of sorted keys. Runs are merged by ranges of keys, from files, so that memory
does not grow with the split: of equal keys the lowest index keeps its own. The others are drawn again, in index order.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import TooFewExamples
from unseen.core.files import read_sealed, write_sealed

Keys = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int64]
Redraw = Callable[[int, int], tuple[int, int]]  # (index, first draw) -> (key, draw that was accepted)

TRIES = 2_000  # consecutive repeats before the example space counts as used up
RUN = 1 << 16  # indices of a run: a few seconds of a sampler's time
MERGED = 1 << 20  # keys that are merged at once: some 50 MB
SAMPLED = 64  # of so many keys one tells where the ranges that are merged end
EVERY = 20.0  # seconds between lines of progress


class Run(NamedTuple):
    """The keys of a range of indices, sorted, with the place of each in the range."""

    start: int
    keys: Keys
    places: npt.NDArray[np.uint32]


def sorted_run(start: int, keys: Iterable[int]) -> Run:
    """Sort the keys of the indices from `start` on.

    >>> sorted_run(10, [7, 3, 7]).places.tolist()
    [1, 0, 2]
    """
    found = np.fromiter(keys, np.uint64)
    places = np.argsort(found, kind="stable")
    return Run(start, found[places], places.astype(np.uint32))


def moved_indices(runs: Iterable[Run], redraw: Redraw, *, what: str) -> dict[int, int]:
    """Return the indices whose own first draw repeats a lower index, and the draw that each takes instead.

    >>> def redraw(index, first):
    ...     return [[5], [7], [5, 7, 9]][index][first], first
    >>> moved_indices([sorted_run(0, [5, 7, 5])], redraw, what="an example")
    {2: 2}
    """
    with merged(runs) as (first, repeats):
        return _moved(first, repeats.tolist(), redraw, what)


def _moved(first: First, waiting: list[int], redraw: Redraw, what: str) -> dict[int, int]:
    """Draw again, in index order, what repeats a lower index, and also whose key such an index then takes.

    A key belongs to the lowest index that has it of its first draw: where that one moved, a still lower one took it.
    """
    taken: set[int] = set()  # by indices that moved
    moved = {}
    while waiting:  # a heap, since it was sorted
        index = heappop(waiting)
        _, draw = redraw(index, 0)
        for _ in range(TRIES):
            key, draw = redraw(index, draw + 1)
            owner = first.index_of(key)
            if key not in taken and (owner is None or owner > index):
                break
        else:
            raise TooFewExamples(
                f"{what} has too few distinct examples: {index:,} were found and {TRIES:,} further draws"
                " repeated them; ask for fewer"
            )
        taken.add(key)
        moved[index] = draw
        if owner is not None:
            heappush(waiting, owner)
    return moved


class First(NamedTuple):
    """Every key once, sorted, with the lowest index that has it."""

    keys: Keys
    indices: Indices

    def index_of(self, key: int) -> int | None:
        """Return the lowest index whose first draw has a key."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        found = place < len(self.keys) and int(self.keys[place]) == key
        return int(self.indices[place]) if found else None


@contextmanager
def merged(runs: Iterable[Run]) -> Iterator[tuple[First, Indices]]:
    """Merge runs in files that are gone afterwards; every key with its first index, and the sorted indices of the rest.

    What is in memory at once is a share of the keys, whatever their number, and the indices that repeat a key. One run
    needs no files.
    """
    waiting = iter(runs)
    few = list(islice(waiting, 2))
    if len(few) < 2:
        run = few[0] if few else sorted_run(0, ())
        first, repeats = _parted(run.keys, run.places + np.int64(run.start))
        yield first, np.sort(repeats)
        return
    with tempfile.TemporaryDirectory(prefix="unseen-keys-") as name:
        folder = Path(name)
        stored = _stored(chain(few, waiting), folder)
        found = []
        with open(folder / "first-keys", "wb") as keys_file, open(folder / "first-indices", "wb") as indices_file:
            for keys, indices in _by_key_range(stored):
                first, repeats = _parted(keys, indices)
                first.keys.tofile(keys_file)
                first.indices.tofile(indices_file)
                found.append(repeats)
        first = First(_mapped(keys_file, np.uint64), _mapped(indices_file, np.int64))
        yield first, np.sort(np.concatenate(found))


def _parted(keys: Keys, indices: Indices) -> tuple[First, Indices]:
    """Part sorted keys into the first of each and the indices of the rest."""
    again = np.zeros(len(keys), bool)
    again[1:] = keys[1:] == keys[:-1]
    return First(keys[~again], indices[~again]), indices[again]


def _stored(runs: Iterable[Run], folder: Path) -> list[Run]:
    """Put runs into two files, one behind the other; they are in the order of their indices again."""
    starts, sizes = [], []
    with open(folder / "keys", "wb") as keys_file, open(folder / "places", "wb") as places_file:
        for run in runs:
            run.keys.tofile(keys_file)
            run.places.tofile(places_file)
            starts.append(run.start)
            sizes.append(len(run.keys))
    keys, places = _mapped(keys_file, np.uint64), _mapped(places_file, np.uint32)
    ends = np.cumsum(sizes)
    found = [
        Run(start, keys[end - size : end], places[end - size : end])
        for start, size, end in zip(starts, sizes, ends, strict=True)
    ]
    return sorted(found, key=lambda run: run.start)


def _by_key_range(runs: list[Run]) -> Iterator[tuple[Keys, Indices]]:
    """The keys of all runs and their indices, sorted, a range of keys at a time; equal keys in index order."""
    total = sum(len(run.keys) for run in runs)
    sample = np.sort(np.concatenate([run.keys[::SAMPLED] for run in runs]))
    bounds = np.unique(sample[:: max(1, len(sample) * MERGED // total)])
    below = [0] * len(runs)
    for bound in [*bounds[1:], None]:
        upto = [len(run.keys) if bound is None else int(np.searchsorted(run.keys, bound)) for run in runs]
        slices = [slice(*ends) for ends in zip(below, upto, strict=True)]
        below = upto
        if any(one.stop > one.start for one in slices):
            keys = np.concatenate([run.keys[one] for run, one in zip(runs, slices, strict=True)])
            indices = np.concatenate(
                [run.places[one] + np.int64(run.start) for run, one in zip(runs, slices, strict=True)]
            )
            order = np.argsort(keys, kind="stable")  # runs are in index order, and so are places of equal keys
            yield keys[order], indices[order]


def _mapped(file: IO[bytes], dtype: Any) -> Any:
    """What a file holds, read as it is needed; no file of no bytes can be mapped."""
    path = Path(file.name)
    return np.memmap(path, dtype, "r") if path.stat().st_size else np.empty(0, dtype)


def told(runs: Iterable[Run], count: int, *, what: str) -> Iterator[Run]:
    """Pass runs on, and say on stderr how far it is every now and then: a pass over millions takes minutes."""
    last = monotonic()
    done = 0
    for run in runs:
        done += len(run.keys)
        if monotonic() - last >= EVERY:
            last = monotonic()
            print(f"unseen: looking for repetitions in {what}: {done:,} of {count:,}", file=sys.stderr, flush=True)
        yield run


def cached_table(path: Path, make: Callable[[], dict[int, int]]) -> dict[int, int]:
    """Read a table from the cache, or make it; a cache that is damaged or cannot be used costs only time."""
    content = read_sealed(path)
    if content is not None:
        return {int(index): draw for index, draw in json.loads(content).items()}
    table = make()
    write_sealed(path, json.dumps(table).encode())
    return table
