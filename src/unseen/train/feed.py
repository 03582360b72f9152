"""Batches in an order that depends on seed and step alone, shared among processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader

from unseen.core.task import Example
from unseen.data.dataset import Dataset
from unseen.data.torch import Batch, Batches, Collate, shuffle_key

GIB = 2**30
BESIDE = 1024  # bytes of an example beside its arrays: record, index, names


class Feed:
    """A data set as batches. Examples that are kept stay in memory, arrays and all, from their first use on."""

    def __init__(self, dataset: Dataset, *, workers: int = 0, keep: bool = False, single: bool = False) -> None:
        self.dataset = dataset
        self.keep = keep
        self.workers = 0 if keep else workers  # what a worker makes would be lost with it
        self._collate = Collate(dataset.task, single=single)
        self._examples: Sequence[Example] = dataset

    def shuffled(
        self, size: int, *, seed: int, steps: range, share: tuple[int, int] = (0, 1), pieces: int = 1
    ) -> Iterator[list[Batch]]:
        """The batches of some steps, epoch after epoch, in pieces: one process's share (rank, ranks) of each.

        Workers go on with the next epoch while the last one is evaluated.
        """
        order, counted = tee(cut(shared(batch, *share), pieces) for batch in self._order(size, seed, steps))
        batches = self._batches(piece for step in order for piece in step)
        return ([next(batches) for _ in step] for step in counted)

    def in_order(self, size: int) -> Iterator[Batch]:
        """All examples in their own order."""
        return self._batches(Batches(self.dataset, size))

    def steps(self, size: int) -> int:
        """How many batches an epoch has."""
        return len(Batches(self.dataset, size))

    def _order(self, size: int, seed: int, steps: range) -> Iterator[list[int]]:
        """The positions of the examples of each step."""
        per_epoch, step = self.steps(size), steps.start
        while step < steps.stop:
            epoch, skip = divmod(step, per_epoch)
            order = list(Batches(self.dataset, size, key=shuffle_key(self.dataset, seed, epoch)))
            yield from order[skip : skip + steps.stop - step]
            step += per_epoch - skip

    def _batches(self, positions: Iterable[list[int]]) -> Iterator[Batch]:
        if self.keep and self._examples is self.dataset:
            self._examples = list(self.dataset)
        loader: DataLoader[Batch] = DataLoader(
            self._examples,  # type: ignore[arg-type]  # a sequence is all that is asked of a data set
            batch_sampler=positions,
            collate_fn=self._collate,
            num_workers=self.workers,
            generator=torch.Generator(),  # else seeds of workers, which nothing here uses, are drawn globally
        )
        return iter(loader)


def cut(batch: list[int], pieces: int) -> list[list[int]]:
    """A batch in pieces as equal as can be, fewer where it has fewer examples.

    >>> cut([5, 6, 7, 8, 9], 2), cut([5], 2)
    ([[5, 6, 7], [8, 9]], [[5]])
    """
    size = -(-len(batch) // pieces)
    return [batch[start : start + size] for start in range(0, len(batch), size)]


def feeds_of(
    datasets: Mapping[str, Dataset], *, workers: int = 0, memory: float = 1.0, single: bool = False
) -> dict[str, Feed]:
    """A feed for each data set; examples are kept of those that fit into so many GiB together, the first ones first.

    With `single`, batches hold one image of each odd-one-out problem.
    """
    feeds, left = {}, memory * GIB
    for split, dataset in datasets.items():
        size = bytes_of(dataset)
        feeds[split] = Feed(dataset, workers=workers, keep=size <= left, single=single)
        left -= size if feeds[split].keep else 0
    return feeds


def bytes_of(dataset: Dataset) -> int:
    """What the examples of a data set take in memory, about: as many times the first one's bytes."""
    if not len(dataset):
        return 0
    return len(dataset) * (BESIDE + sum(_bytes(value) for arrays in dataset[0].arrays for value in arrays.values()))


def _bytes(value: Any) -> int:
    return sum(map(_bytes, value)) if isinstance(value, list) else int(np.asarray(value).nbytes)


def shared(batch: list[int], rank: int, ranks: int) -> list[int]:
    """One process's share of a batch; the batch is filled up from its beginning, so that all shares are equal.

    >>> [shared([5, 6, 7], rank, 2) for rank in range(2)]
    [[5, 7], [6, 5]]
    """
    missing = -len(batch) % ranks
    return (batch + (batch * ranks)[:missing])[rank::ranks]
