"""Batches in an order that depends on seed and step alone, shared among processes."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import tee
from time import monotonic
from typing import Any

import numpy as np

from unseen.core.task import Example
from unseen.data.dataset import Dataset
from unseen.data.torch import Batch, Batches, Collate, shuffle_key
from unseen.train.ahead import Ahead, Used, has_room, pays

GIB = 2**30
BESIDE = 1024  # bytes of an example beside its arrays: record, index, names


class Kept:
    """Examples that stay in memory, arrays and all, from their first use on."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._held: dict[int, Example] = {}

    def __getitem__(self, position: int) -> Example:
        if (held := self._held.get(position)) is None:
            held = self._held[position] = self.dataset[position]
        return held


class Feed:
    """A data set as batches, which are the same whoever makes them.

    That many workers make them. With None, this process does, until a worker pays for what is left of a training.
    Examples are kept where batches are made of them, so that those of a kept set have one worker at most.
    """

    def __init__(self, dataset: Dataset, *, workers: int | None = 0, keep: bool = False, single: bool = False) -> None:
        self.dataset = dataset
        self.keep = keep
        self.workers = 1 if keep and workers else workers
        self._collate = Collate(dataset.task, single=single)
        self._examples: Kept | Dataset = Kept(dataset) if keep else dataset
        self._ahead: Ahead | None = None
        self._used = Used()

    def shuffled(
        self, size: int, *, seed: int, steps: range, share: tuple[int, int] = (0, 1), pieces: int = 1
    ) -> Generator[list[Batch], None, None]:
        """Yield the batches of some steps, epoch after epoch, in pieces: one process's share (rank, ranks) of each.

        Workers go on with the next epoch while the last one is evaluated.
        """
        order = (cut(shared(batch, *share), pieces) for batch in self._order(size, seed, steps))
        at = steps.start
        while not self.workers and at < steps.stop:
            began = monotonic()
            batch = list(map(self._made, next(order)))
            made = monotonic()
            yield batch
            at += 1
            if self.workers is None and at > steps.start + 1:  # the first one may have waited for the compiler
                step = monotonic() - began
                if pays(made - began, step, left=steps.stop - at):
                    self.workers = int(has_room(batch))
        asked, counted = tee(order)
        batches = self._batches(piece for step in asked for piece in step)
        yield from ([next(batches) for _ in step] for step in counted)

    def in_order(self, size: int) -> Iterator[Batch]:
        """Return all examples in their own order."""
        return self._batches(Batches(self.dataset, size))

    def close(self) -> None:
        """End the workers, if there are any."""
        self._used, self._ahead = self.used, None

    @property
    def used(self) -> Used:
        """What workers have used so far."""
        return self._ahead.used if self._ahead else self._used

    def _batches(self, positions: Iterable[list[int]]) -> Iterator[Batch]:
        if not self.workers:
            return map(self._made, positions)
        self._ahead = self._ahead or Ahead(self._examples, self._collate, self.workers)
        return self._ahead.batches(positions)

    def _made(self, positions: list[int]) -> Batch:
        return self._collate([self._examples[position] for position in positions])

    def steps(self, size: int) -> int:
        """Tell how many batches an epoch has."""
        return len(Batches(self.dataset, size))

    def _order(self, size: int, seed: int, steps: range) -> Iterator[list[int]]:
        """The positions of the examples of each step."""
        per_epoch, step = self.steps(size), steps.start
        while step < steps.stop:
            epoch, skip = divmod(step, per_epoch)
            order = list(Batches(self.dataset, size, key=shuffle_key(self.dataset, seed, epoch)))
            yield from order[skip : skip + steps.stop - step]
            step += per_epoch - skip


def cut(batch: list[int], pieces: int) -> list[list[int]]:
    """Return a batch in pieces as equal as can be, fewer where it has fewer examples.

    >>> cut([5, 6, 7, 8, 9], 2), cut([5], 2)
    ([[5, 6, 7], [8, 9]], [[5]])
    """
    size = -(-len(batch) // pieces)
    return [batch[start : start + size] for start in range(0, len(batch), size)]


def feeds_of(
    datasets: Mapping[str, Dataset], *, workers: int | None = 0, memory: float = 1.0, single: bool = False
) -> dict[str, Feed]:
    """A feed for each data set; examples are kept of those that fit into so many GiB together, the first ones first.

    A kept set that is not trained on needs no worker, as it is made only once. With `single`, batches hold one image of
    each odd-one-out problem.
    """
    feeds: dict[str, Feed] = {}
    left = memory * GIB
    for split, dataset in datasets.items():
        size = bytes_of(dataset)
        keep = size <= left
        feeds[split] = Feed(dataset, workers=0 if keep and feeds else workers, keep=keep, single=single)
        left -= size if keep else 0
    return feeds


def bytes_of(dataset: Dataset) -> int:
    """Return what the examples of a data set take in memory, about: as many times the first one's bytes."""
    if not len(dataset):
        return 0
    return len(dataset) * (BESIDE + sum(_bytes(value) for arrays in dataset[0].arrays for value in arrays.values()))


def _bytes(value: Any) -> int:
    return sum(map(_bytes, value)) if isinstance(value, list) else int(np.asarray(value).nbytes)


def shared(batch: list[int], rank: int, ranks: int) -> list[int]:
    """Return one process's share of a batch; the batch is filled up from its beginning, so that all shares are equal.

    >>> [shared([5, 6, 7], rank, 2) for rank in range(2)]
    [[5, 7], [6, 5]]
    """
    missing = -len(batch) % ranks
    return (batch + (batch * ranks)[:missing])[rank::ranks]
