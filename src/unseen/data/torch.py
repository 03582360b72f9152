"""Batches for PyTorch: padded tensors in an order that depends on seed and epoch alone.

A batch is a dict. `index` are the examples' indices in their split; every other entry is named by its side and its
array: `input_grid`, `input_code`, `target_grid`, `input_demonstration_inputs`. Signed integers become int64, which
embeddings and cross-entropy take; images stay uint8; text stays a list of strings.

Arrays that differ in shape are padded and stacked: grids, frames and demonstrations to the side of the task's largest
grid (or `padding` of its view), everything else to the largest of the batch. The images of all questions of a batch
stand one after the other in `input_images`, and `input_counts` says how many each question has. Padding is -1, as in
the published files and in metrics; a model that gives padding a class of its own maps it there. Unsigned arrays are
padded with 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unseen.core.errors import SpecError, missing_extra, unknown
from unseen.core.kernel import expect
from unseen.core.padding import grid_side, stack_padded
from unseen.core.random import Stream, path_key
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset

if TYPE_CHECKING:
    from torch import Tensor
    from torch.utils.data import DataLoader

Batch = dict[str, Any]  # tensors, and lists of strings
WINDOW = 32  # groups of examples that are made together, whose examples are mixed; samplers keep at least so many
OWN_WORDS = ("dataset", "sampler", "batch_sampler", "collate_fn", "generator")  # of a DataLoader, that are settled here


def data_loader(
    dataset: Dataset,
    batch_size: int,
    *,
    shuffle: bool = False,
    seed: int = 0,
    epoch: int = 0,
    drop_last: bool = False,
    single: bool = False,
    share: tuple[int, int] = (0, 1),
    **further: Any,
) -> DataLoader[Batch]:
    """Return a DataLoader whose batches are the same under any number of workers and leave torch's random state alone.

    Going through it again gives the same order; a shuffled run makes one loader per epoch, which costs nothing. Further
    words are PyTorch's own: `num_workers`, `pin_memory`, `prefetch_factor`, `persistent_workers` and so on.

    With `share`, the number of a process and how many there are, each gets its share of every batch: the order is that
    of one process, whatever their number, and each example goes to one of them. A last batch that is too small for all
    is left out by those it has nothing for, so that training in step asks for `drop_last`.

    With `single`, batches of odd-one-out problems hold one image of each, `input_image`, and no answer: to learn from
    without labels.

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
    _check_words(further, inspect.signature(DataLoader).parameters)
    if not 0 <= share[0] < share[1] <= batch_size:
        raise SpecError(f"share is (rank, ranks) with at most one rank per example of a batch, so it cannot be {share}")
    key = shuffle_key(dataset, seed, epoch) if shuffle else None
    batches = Batches(dataset, batch_size, key=key, whole=drop_last, share=share)
    expect(len(dataset))
    dataset.prepare()
    return DataLoader(
        dataset,  # type: ignore[arg-type]  # a sequence is all that is asked of a data set
        batch_sampler=batches,
        collate_fn=Collate(dataset.task, single=single),
        generator=torch.Generator(),  # else the workers' seeds, which nothing here uses, are drawn globally
        **further,
    )


def _check_words(words: Iterable[str], known: Iterable[str]) -> None:
    """Refuse what no DataLoader knows, and what decides the batches, which are those of the task."""
    for word in words:
        if word in OWN_WORDS:
            raise SpecError(f"the order and form of batches are the data set's own; leave {word}= out")
        if word not in known:
            raise unknown("option", word, known, where="a DataLoader")


def shuffle_key(dataset: Dataset, seed: int, epoch: int) -> int:
    """Return the key of an epoch's order."""
    return path_key(seed, "shuffle", dataset.task.name, dataset.split, str(epoch))


class Batches:
    """Which examples form which batch: lists of positions in a data set, shuffled where there is a key."""

    def __init__(
        self,
        dataset: Sequence[Any],
        size: int,
        *,
        key: int | None = None,
        whole: bool = False,
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self.total = len(dataset)
        self.together = getattr(dataset, "together", 1)
        self.count = self.total // size * size if whole else self.total
        self.size = size
        self.key = key
        self.rank, self.ranks = share

    def __len__(self) -> int:
        batches, last = divmod(self.count, self.size)
        return batches + (last > self.rank)

    def __iter__(self) -> Iterator[list[int]]:
        order = range(self.total) if self.key is None else shuffled(self.total, Stream(self.key), self.together)
        for start in range(0, self.count, self.size):
            if batch := [*order[start : start + self.size][self.rank :: self.ranks]]:
                yield batch


def shuffled(total: int, stream: Stream, together: int = 1) -> list[int]:
    """Return the numbers below `count` in random order.

    Examples that are made together stay near each other, or each of them would cost the making of all: groups of them
    are shuffled, and then the examples of every `WINDOW` groups.

    >>> order = shuffled(1000, Stream(7), together=10)
    >>> len(set(order)), len({position // 10 for position in order[: 10 * WINDOW]}) == WINDOW
    (1000, True)
    """
    if together == 1:
        order = list(range(total))
        stream.shuffle(order)
        return order
    groups = [range(start, min(start + together, total)) for start in range(0, total, together)]
    stream.shuffle(groups)
    order = []
    for start in range(0, len(groups), WINDOW):
        near = [position for group in groups[start : start + WINDOW] for position in group]
        stream.shuffle(near)
        order += near
    return order


def regular_image(example: Example) -> Any:
    """Return the first image of an odd-one-out problem that is not the odd one."""
    return example.inputs["images"][1 if example.target["odd"] == 0 else 0]


class Collate:
    """Examples -> a batch of one task."""

    def __init__(self, task: Task, *, single: bool = False) -> None:
        if single and task.kind.name != "odd":
            raise SpecError(
                f"single images are taken of odd-one-out problems, and {task.id} is of kind {task.kind.name}"
            )
        self.single = single
        self.least = (grid_side(task),) * 2 if task.kind.name == "grid" else ()
        self.flat = task.kind.name == "question"

    def __call__(self, examples: Sequence[Example]) -> Batch:
        """Stack what the examples hold, padded alike."""
        import torch

        batch: Batch = {"index": torch.tensor([example.index for example in examples])}
        if self.single:
            return {**batch, "input_image": self._stacked("image", [regular_image(example) for example in examples])}
        for side, held in (("input", [e.inputs for e in examples]), ("target", [e.target for e in examples])):
            for name in held[0]:
                items = [arrays[name] for arrays in held]
                if self.flat and isinstance(items[0], list):  # of a question's images, one after the other
                    batch[f"{side}_counts"] = torch.tensor([len(item) for item in items])
                    items = [array for item in items for array in item]
                batch[f"{side}_{name}"] = self._stacked(name, items)
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
