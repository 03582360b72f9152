"""Batches in an order that depends on seed and epoch alone, shared among processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch.utils.data import DataLoader

from unseen.core.task import Example
from unseen.data.dataset import Dataset
from unseen.data.torch import Batch, Batches, Collate, shuffle_key

KEPT = 20_000  # examples; larger sets are drawn or read anew every epoch. About 3 KB each for grids


class Feed:
    """A data set as batches; the examples of a small one are kept, arrays and all, from their first use on."""

    def __init__(self, dataset: Dataset, *, workers: int = 0) -> None:
        self.dataset = dataset
        self.workers = workers
        self._collate = Collate(dataset.task)
        self._examples: Sequence[Example] = dataset

    def shuffled(
        self, size: int, *, seed: int, epoch: int, skip: int = 0, share: tuple[int, int] = (0, 1)
    ) -> Iterator[Batch]:
        """The batches of an epoch from the one numbered `skip` on: one process's share (rank, ranks) of each."""
        key = shuffle_key(self.dataset, seed, epoch)
        positions = list(Batches(self.dataset, size, key=key))[skip:]
        return self._batches([shared(batch, *share) for batch in positions])

    def in_order(self, size: int) -> Iterator[Batch]:
        """All examples in their own order."""
        return self._batches(list(Batches(self.dataset, size)))

    def steps(self, size: int) -> int:
        """How many batches an epoch has."""
        return len(Batches(self.dataset, size))

    def _batches(self, positions: list[list[int]]) -> Iterator[Batch]:
        if len(self.dataset) <= KEPT and self._examples is self.dataset:
            self._examples = list(self.dataset)
        loader: DataLoader[Batch] = DataLoader(
            self._examples,  # type: ignore[arg-type]  # a sequence is all that is asked of a data set
            batch_sampler=positions,
            collate_fn=self._collate,
            num_workers=self.workers,
            generator=torch.Generator(),  # else seeds of workers, which nothing here uses, are drawn globally
        )
        return iter(loader)


def shared(batch: list[int], rank: int, ranks: int) -> list[int]:
    """One process's share of a batch; the batch is filled up from its beginning, so that all shares are equal.

    >>> [shared([5, 6, 7], rank, 2) for rank in range(2)]
    [[5, 7], [6, 5]]
    """
    missing = -len(batch) % ranks
    return (batch + (batch * ranks)[:missing])[rank::ranks]
