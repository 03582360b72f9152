"""A data set is a sequence of examples: drawn when asked for, or read from shards; the same examples either way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, overload

from unseen.core.task import Example, Task

if TYPE_CHECKING:
    from torch.utils.data import DataLoader

    from unseen.core.unique import Run
    from unseen.engines import Engine

SEED = 0  # of every data set, unless another is asked for
SHOWN = 3  # examples in a notebook
FIRST = 16  # examples that a look at a data set asks for, at most: a contact sheet has twelve


class Source(Protocol):
    """Where a data set's examples come from."""

    task: Task
    split: str
    seed: int
    size: int

    def example(self, index: int) -> Example:
        """Return the example at an index of the whole split."""


class Generated:
    """Examples drawn from the task's sampler: pure functions of (task, split, seed, index)."""

    def __init__(self, task: Task, split: str, seed: int, moved: dict[int, int] | None = None) -> None:
        self.task = task
        self.split = split
        self.seed = seed
        self.size = task.split(split).size
        self._moved = moved

    @cached_property
    def _sampler(self) -> Any:
        return self.task.sampler(self.split, self.seed)

    @property
    def moved(self) -> dict[int, int]:
        """Indices that take a later draw than their first, so that no example occurs twice."""
        if self._moved is None:
            self.find_moved()
        return self._moved  # type: ignore[return-value]

    def find_moved(self, engine: str | Engine = "local", workers: int | None = 1) -> None:
        """Find the moved indices by one pass over the keys of the split, unless they are known."""
        if self._moved is None:
            unique = self.task.split(self.split).unique
            self._moved = self._pass_over_keys(engine, workers) if unique else {}

    def _pass_over_keys(self, engine: str | Engine, workers: int | None) -> dict[int, int]:
        from unseen.core.files import cache_root
        from unseen.core.kernel import expect
        from unseen.core.unique import cached_table

        benchmark, declared = self.task.benchmark, self.task.split(self.split)
        what = f"{benchmark.version} {self.task.name} {self.split} {self.seed} {declared.size} {declared.spec!r}"
        if contents := self.task.contents():
            what += f" {contents}"
        name = hashlib.sha256(what.encode()).hexdigest()[:32]

        def make() -> dict[int, int]:
            expect(declared.size)
            return self.moved_among(declared.size, engine, workers)

        return cached_table(cache_root() / "unique" / f"{name}.json", make)

    @cached_property
    def _first_moved(self) -> dict[int, int]:
        """The moved indices among the first, for which no pass over the whole split is needed."""
        declared = self.task.split(self.split)
        return self.moved_among(min(FIRST, declared.size)) if declared.unique else {}

    def moved_among(self, count: int, engine: str | Engine = "local", workers: int | None = 1) -> dict[int, int]:
        """Return the moved indices among the first so many, for which only these are looked at."""
        from unseen.core.unique import RUN, moved_indices, told
        from unseen.engines import engine as engine_of

        what = f"{self.task.id} {self.split}"
        ranges = (range(start, min(start + RUN, count)) for start in range(0, count, RUN))
        with closing(engine_of(engine)(self.sorted_keys, ranges, workers)) as runs:
            return moved_indices(told(runs, count, what=what), self._redraw, what=what)

    def sorted_keys(self, indices: range) -> Run:
        """Return the sorted keys of the first draws of some indices."""
        from unseen.core.kernel import expect
        from unseen.core.unique import sorted_run

        expect(len(indices))
        draw, keys = self._sampler.draw, getattr(self._sampler, "keys", None)
        drawn = keys(indices.start, indices.stop) if keys else (draw(index)[1:] for index in indices)
        return sorted_run(indices.start, (key for key, _ in drawn))

    def _redraw(self, index: int, first: int) -> tuple[int, int]:
        _, key, draw = self._sampler.draw(index, first)
        return key, draw

    def draw(self, index: int) -> tuple[Any, int]:
        """Return the record at an index, and its content key."""
        record, key, _ = self._sampler.draw(index, self.moved.get(index, 0))
        return record, int(key)

    def example(self, index: int) -> Example:
        """Return the example at an index."""
        moved = self._moved
        if moved is None and index:  # the first example repeats none
            moved = self._first_moved if index < FIRST else self.moved
        record, _, _ = self._sampler.draw(index, moved.get(index, 0) if moved else 0)
        return Example(self.task, self.split, index, record)

    def __getstate__(self) -> dict[str, Any]:
        # workers get the small table of moved indices and make their own sampler
        return {k: v for k, v in self.__dict__.items() if k != "_sampler"}


class Dataset(Sequence[Example]):
    """A sequence of examples that can be indexed, sliced, and sent to workers; it holds none of them.

    >>> import unseen
    >>> ds = unseen.load("cogitao/c1-1", "train")
    >>> len(ds), len(ds[1000:2000:2]), ds[1000:][0].index
    (100000, 500, 1000)
    """

    def __init__(self, source: Source, indices: range | None = None) -> None:
        self.source = source
        self.indices = range(source.size) if indices is None else indices

    @property
    def task(self) -> Task:
        """The task these are examples of."""
        return self.source.task

    @property
    def split(self) -> str:
        """The split these are examples of."""
        return self.source.split

    @property
    def together(self) -> int:
        """How many neighboring examples are made at once, of stored ones too, so that both are shuffled alike."""
        return int(getattr(self.task.benchmark.file("sample").Sampler, "together", 1))

    def __len__(self) -> int:
        return len(self.indices)

    @overload
    def __getitem__(self, index: int) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> Dataset: ...
    def __getitem__(self, index: int | slice) -> Example | Dataset:
        if isinstance(index, slice):
            return Dataset(self.source, self.indices[index])
        return self.source.example(self.indices[index])

    def __iter__(self) -> Iterator[Example]:
        return map(self.source.example, self.indices)

    def prepare(self, engine: str | Engine = "local", workers: int | None = 1) -> None:
        """Do once what workers would otherwise do each: compile kernels, and find the indices that moved."""
        if len(self):
            self[0].arrays  # noqa: B018
            if isinstance(self.source, Generated) and max(self.indices[0], self.indices[-1]) >= FIRST:
                self.source.find_moved(engine, workers)

    def torch(self, batch_size: int = 64, **loader: Any) -> DataLoader[Any]:
        """Return a DataLoader of padded batches, deterministic under any number of workers.

        `shuffle`, `seed`, `epoch` and `drop_last` choose the batches, `share=(rank, ranks)` a process's part of each;
        `single` takes one image of each odd-one-out problem; `num_workers`, `pin_memory` and the like are PyTorch's.
        """
        from unseen.data.torch import data_loader

        return data_loader(self, batch_size, **loader)

    def _repr_html_(self) -> str:
        """What these are, and the first of them, for a notebook."""
        import numpy as np

        from unseen.render.html import paragraph, picture, row

        about = f"{self!r}"[1:-1] + f": {self.task.row.summary}"
        shown = [(example, np.asarray(example.show())) for example in self[:SHOWN]]
        pictures = [picture(image, f"{example.index:,}", said=f"example {example.index}") for example, image in shown]
        return paragraph(about) + row(pictures)

    def __repr__(self) -> str:
        return f"<{len(self):,} examples of {self.task.id} {self.split}, seed {self.source.seed}>"


def load(name: str, /, split: str = "train", *, seed: int = SEED, **options: Any) -> Dataset:
    """Return a data set by task id, drawn when asked for, or from a folder or URL that `unseen generate` wrote to.

    >>> load("cogitao/custom", "train", grid=20, objects=4, depth=2, max_size=5)[7].inputs["grid"].shape
    (20, 20)
    """
    from unseen.data.places import is_place

    if is_place(name):
        from unseen.core.errors import SpecError
        from unseen.data.stored import open_place

        if options:
            raise SpecError(f"{name} is a folder, whose options are settled; leave {min(options)}=... out")
        return open_place(name, split)
    from unseen.core.catalogue import task

    return Dataset(Generated(task(name, **options), split, seed))
