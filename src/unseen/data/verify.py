"""Is a data set right? Every label proven again, every split kept to itself, every stored byte accounted for.

Of any example: its record passes the benchmark's `verify.check`, its content key belongs to its split, and no other
example of a split without repetition has it. Of a stored one also: it is what the generator gives for its index, and
its arrays are those that its record renders to, to the last bit. Only pictures that another graphics driver has drawn
may differ from those that are drawn here, and no more than `render.space.alike` allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import numpy as np

from unseen.core.kernel import expect
from unseen.core.progress import Progress
from unseen.core.task import Example
from unseen.core.unique import RUN, Run, merged, sorted_run
from unseen.data.columns import is_picture
from unseen.data.dataset import Dataset, Generated
from unseen.data.manifest import read_manifest
from unseen.data.places import Place
from unseen.data.shards import RENDERER, DamagedShard, key_digest, shards_of
from unseen.data.stored import Stored, open_place
from unseen.engines import Engine
from unseen.engines import engine as engine_of
from unseen.render.space.alike import alike

CHUNK = 512  # examples of a job


class Problem(NamedTuple):
    """What is wrong with an example."""

    split: str
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody misses
    sentence: str


@dataclass
class Report:
    """What was found: how many examples were checked, what is wrong with which, and which files are damaged."""

    checked: int = 0
    problems: list[Problem] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether nothing at all is wrong."""
        return not self.problems and not self.damaged


class Sources(NamedTuple):
    """A split as the generator draws it, and as it is stored if it is."""

    drawn: Generated
    stored: Stored | None


class Chunk(NamedTuple):
    """Some examples to check."""

    split: str
    indices: range


@dataclass
class Finding:
    """What was found in a chunk."""

    split: str
    keys: dict[int, int] = field(default_factory=dict)  # of the examples that were checked, by index
    problems: list[Problem] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def verify(
    data: Dataset | str | Path | Place,
    *,
    count: int | None = None,
    workers: int | None = None,
    engine: str | Engine = "local",
    progress: Progress | None = None,
) -> Report:
    """Check a data set, or every split of a folder or URL; with `count`, the first examples of each split."""
    datasets = [dataset[:count] for dataset in ([data] if isinstance(data, Dataset) else _splits(data))]
    total = sum(map(len, datasets))
    expect(total)
    sources = {dataset.split: _sources(dataset, engine, workers) for dataset in datasets}
    jobs = (chunk for dataset in datasets for chunk in _chunks(dataset))
    keys = {dataset.split: Keys(dataset.indices) for dataset in datasets}
    report = Report()
    with closing(engine_of(engine)(partial(check, sources), jobs, workers)) as findings:
        for finding in findings:
            report.checked += len(finding.keys)
            report.problems += finding.problems
            report.damaged += finding.damaged
            keys[finding.split].put(finding.keys)
            if progress:
                progress(report.checked, total)
    for split, (drawn, stored) in sources.items():
        if drawn.task.split(split).unique:
            report.problems += _repeated(split, keys[split])
        if stored:
            report.problems += _moved_otherwise(stored, drawn)
            report.damaged += _digests_otherwise(stored, keys[split])
    report.problems.sort()
    report.damaged = sorted({*report.damaged})
    return report


def _splits(where: str | Path | Place) -> list[Dataset]:
    return [open_place(where, split) for split in read_manifest(where).splits]


def _sources(dataset: Dataset, engine: str | Engine, workers: int | None) -> Sources:
    source = dataset.source
    drawn = source if isinstance(source, Generated) else Generated(source.task, source.split, source.seed)
    if len(dataset):
        drawn.example(dataset.indices[0])  # compiles kernels, which workers then need not
    drawn.find_moved(engine, workers)
    return Sources(drawn, source if isinstance(source, Stored) else None)


def _chunks(dataset: Dataset) -> Iterator[Chunk]:
    for start in range(0, len(dataset), CHUNK):
        yield Chunk(dataset.split, dataset.indices[start : start + CHUNK])


# ---------------------------------------------------------------------------- example by example


def check(sources: dict[str, Sources], chunk: Chunk) -> Finding:
    """Check the examples of a chunk; this is the work of a worker."""
    split = chunk.split
    drawn, stored = sources[split]
    task = drawn.task
    finding = Finding(split)
    expect(len(chunk.indices))
    for index in chunk.indices:
        record, key = drawn.draw(index)
        sentences: list[str] = []
        if stored:
            if not _readable(stored, index, finding.damaged):
                continue
            sentences += _stored_otherwise(stored, index, record, key)
            record = stored.example(index).record
        if not task.split(split).part.holds(key):
            sentences.append("its content key belongs to another split")
        sentences += task.check(record, split)
        finding.keys[index] = key
        finding.problems += [Problem(split, index, sentence) for sentence in sentences]
    return finding


def _readable(stored: Stored, index: int, damaged: list[str]) -> bool:
    """Whether an index can be read; the file that holds it is noted if not, and not tried again."""
    if stored.file_of(index) in damaged:
        return False
    try:
        stored.row(index)
        stored.prove(index)
    except DamagedShard:
        damaged.append(stored.file_of(index))
        return False
    return True


def _stored_otherwise(stored: Stored, index: int, record: Any, key: int) -> Iterator[str]:
    """What is stored at an index and differs from what the generator gives for it."""
    group, row = stored.row(index)
    if group.index[row] != index:
        yield f"its index column says {group.index[row]}"
    if group.key[row] != key:
        yield "its key is not the one that the generator gives"
    if group.records[row] != record:
        yield "its record is not the one that the generator gives"
    rendered = Example(stored.task, stored.split, index, group.records[row]).arrays
    elsewhere = drawn_elsewhere(stored)
    for side, found, expected in zip(("input", "target"), group.arrays(row), rendered, strict=True):
        if found.keys() != expected.keys():
            yield f"its {side} columns are {', '.join(found)}, not {', '.join(expected)}"
        yield from (
            f"its {side}_{name} is not what its record renders to"
            for name in found.keys() & expected.keys()
            if not _same(found[name], expected[name])
            and not (elsewhere and is_picture(name) and alike(found[name], expected[name]))
        )


def drawn_elsewhere(stored: Stored) -> bool:
    """Tell whether another graphics driver than this machine's drew any pictures of a stored split."""
    here = stored.task.drawn_by(stored.split)
    return here is not None and any(made.get(RENDERER) != here for made in stored.manifest.made_with)


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a column are equal, in dtype too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return np.asarray(one).dtype == np.asarray(other).dtype and np.array_equal(one, other)


# ---------------------------------------------------------------------------- over a whole split


class Keys:
    """The keys of the examples that were checked, in files, so that memory does not grow with their number."""

    def __init__(self, indices: range) -> None:
        self.indices = indices if indices.step > 0 else indices[::-1]
        self.keys = _in_a_file(np.uint64, len(indices))  # in the order of their indices
        self.known = _in_a_file(np.bool_, len(indices))

    def put(self, found: dict[int, int]) -> None:
        """Note the keys of some examples by their indices."""
        places = [self.indices.index(index) for index in found]
        self.keys[places] = np.fromiter(found.values(), np.uint64)
        self.known[places] = True

    def runs(self) -> Iterator[Run]:
        """Yield all keys that are known, by places among the indices."""
        for start in range(0, len(self.indices), RUN):
            places = np.flatnonzero(self.known[start : start + RUN]).astype(np.uint32)
            run = sorted_run(start, self.keys[start : start + RUN][places])
            yield run._replace(places=places[run.places])


def _in_a_file(dtype: Any, count: int) -> Any:
    """An array of zeros in a file that is gone with it."""
    with TemporaryFile() as file:  # it stays for as long as it is mapped
        return np.memmap(file, dtype, "w+", shape=max(1, count))


def _repeated(split: str, found: Keys) -> Iterator[Problem]:
    """The examples that repeat a lower index, in a split that promises that none does."""
    with merged(found.runs()) as (first, repeats):
        for place in repeats.tolist():
            earlier = first.index_of(int(found.keys[place]))
            assert earlier is not None
            yield Problem(split, found.indices[place], f"it repeats example {found.indices[earlier]}")


def _moved_otherwise(stored: Stored, drawn: Generated) -> Iterator[Problem]:
    """The indices whose draw is not the one that the manifest tells of."""
    listed, found = stored.shards.whole().moved, drawn.moved
    for index in sorted(listed.keys() | found.keys()):
        if index < stored.size and listed.get(index) != found.get(index):
            yield Problem(stored.split, index, f"its draw is {found.get(index, 0)}, not {listed.get(index, 0)}")


def _digests_otherwise(stored: Stored, found: Keys) -> Iterator[str]:
    """The shards that were checked whole and whose keys have another digest than the manifest says."""
    checked = found.indices
    if checked.step != 1:
        return
    for shard in shards_of(stored.split, stored.size, stored.shards.rows):
        places = slice(shard.start - checked.start, shard.stop - checked.start)
        whole = checked.start <= shard.start and shard.stop <= checked.stop and found.known[places].all()
        if whole and key_digest(found.keys[places]) != stored.shards[shard.number].keys:
            yield shard.name
