"""Batches for PyTorch: padded tensors in an order that depends on seed and epoch alone.

A batch is a dict. `index` are the examples' indices in their split; every other entry is named by its side and its
array: `input_grid`, `input_code`, `target_grid`, `input_demonstration_inputs`. Signed integers become int64, which
embeddings and cross-entropy take; images stay uint8; text stays a list of strings.

Arrays that differ in shape are padded and stacked: grids, frames and demonstrations to the side of the task's largest
grid (or `padding` of its view), everything else to the largest of the batch. Padding is -1, as in the published files
and in metrics; a model that gives padding a class of its own maps it there. Unsigned arrays are padded with 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unseen.core.errors import SpecError, missing_extra
from unseen.core.padding import grid_side, stack_padded
from unseen.core.random import Stream, path_key
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset

if TYPE_CHECKING:
    from torch import Tensor
    from torch.utils.data import DataLoader

Batch = dict[str, Any]  # tensors, and lists of strings


def data_loader(
    dataset: Dataset,
    batch_size: int,
    *,
    shuffle: bool = False,
    seed: int = 0,
    workers: int = 0,
    drop_last: bool = False,
    epoch: int = 0,
) -> DataLoader[Batch]:
    """A DataLoader whose batches are the same under any number of workers and leave torch's random state alone.

    Going through it again gives the same order; a shuffled run makes one loader per epoch, which costs nothing.

    >>> import unseen
    >>> batch = next(iter(data_loader(unseen.load("cogitao/g2-1", "test"), 32)))
    >>> {name: tuple(tensor.shape) for name, tensor in batch.items()}
    {'index': (32,), 'input_grid': (32, 20, 20), 'input_code': (32, 0), 'target_grid': (32, 20, 20)}
    """
    try:
        import torch
        from torch.utils.data import DataLoader
    except ImportError:
        raise missing_extra("loading batches for training", "train", "torch") from None
    if batch_size < 1:
        raise SpecError(f"batch_size counts examples, so it cannot be {batch_size}")
    batches = Batches(dataset, batch_size, key=shuffle_key(dataset, seed, epoch) if shuffle else None, whole=drop_last)
    if len(dataset):
        dataset[0]  # compiles kernels and finds repeated examples here, once, rather than in every worker
    return DataLoader(
        dataset,  # type: ignore[arg-type]  # a sequence is all that is asked of a data set
        batch_sampler=batches,
        collate_fn=Collate(dataset.task),
        num_workers=workers,
        generator=torch.Generator(),  # else the workers' seeds, which nothing here uses, are drawn globally
    )


def shuffle_key(dataset: Dataset, seed: int, epoch: int) -> int:
    """The key of an epoch's order."""
    return path_key(seed, "shuffle", dataset.task.name, dataset.split, str(epoch))


class Batches:
    """Which examples form which batch: lists of positions in a data set, shuffled where there is a key."""

    def __init__(self, dataset: Sequence[Any], size: int, *, key: int | None = None, whole: bool = False) -> None:
        self.total = len(dataset)
        self.count = self.total // size * size if whole else self.total
        self.size = size
        self.key = key

    def __len__(self) -> int:
        return -(-self.count // self.size)

    def __iter__(self) -> Iterator[list[int]]:
        order = list(range(self.total))
        if self.key is not None:
            Stream(self.key).shuffle(order)
        for start in range(0, self.count, self.size):
            yield order[start : start + self.size]


class Collate:
    """Examples -> a batch of one task."""

    def __init__(self, task: Task) -> None:
        self.least = (grid_side(task),) * 2 if task.kind.name == "grid" else ()

    def __call__(self, examples: Sequence[Example]) -> Batch:
        """Stack what the examples hold, padded alike."""
        import torch

        batch: Batch = {"index": torch.tensor([example.index for example in examples])}
        for side, held in (("input", [e.inputs for e in examples]), ("target", [e.target for e in examples])):
            for name in held[0]:
                batch[f"{side}_{name}"] = self._stacked(name, [arrays[name] for arrays in held])
        return batch

    def _stacked(self, name: str, items: list[Any]) -> Tensor | list[str]:
        import torch

        if isinstance(items[0], str):
            return items
        # codes have one axis and nothing to pad; images of grids have pixels, not cells
        cells = "image" not in name and (isinstance(items[0], list) or np.ndim(items[0]) >= 2)
        stacked = stack_padded(items, least=self.least if cells else ())
        if np.issubdtype(stacked.dtype, np.signedinteger):
            stacked = stacked.astype(np.int64)
        return torch.from_numpy(stacked)
