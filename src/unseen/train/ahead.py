"""Batches that worker processes make ahead of training, and when that pays."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Protocol

import torch
from torch.utils.data import DataLoader

from unseen.core.errors import DataError, UnseenError
from unseen.core.machine import cores
from unseen.core.task import Example
from unseen.data.torch import Batch, Collate

WAITED = 0.03  # share of a step that goes by with making its batch, from which on a worker is worth its start
WORTH = 2.0  # seconds of making batches that are still to come, from which on it is
AHEAD = 4  # batches that each worker makes ahead
SHARED = Path("/dev/shm")  # where batches lie between processes, on Linux


class Examples(Protocol):
    """Examples by their position."""

    def __getitem__(self, position: int, /) -> Example: ...


@dataclass(frozen=True)
class Used:
    """What worker processes have used so far."""

    seconds: float = 0.0  # of CPU time
    memory: int = 0  # bytes, beyond those that they share with the process that started them

    def __add__(self, other: Used) -> Used:
        return Used(self.seconds + other.seconds, self.memory + other.memory)


def pays(making: float, step: float, *, left: int) -> bool:
    """Tell whether a worker is worth its start: by the seconds of making a batch, of its whole step, and steps left.

    >>> pays(0.1, 1.0, left=100), pays(0.01, 1.0, left=10_000), pays(0.1, 1.0, left=3)
    (True, False, False)
    """
    return making > WAITED * step and making * left > WORTH


def has_room(batch: Sequence[Batch]) -> bool:
    """Tell whether this machine has a core for a worker, and memory to share for batches like this one."""
    if cores() == 1 or multiprocessing.current_process().daemon:  # a worker of a pool may start no others
        return False
    size = sum(one.nbytes for piece in batch for one in piece.values() if isinstance(one, torch.Tensor))
    return not SHARED.is_dir() or shutil.disk_usage(SHARED).free > 4 * AHEAD * size


class Ahead:
    """Worker processes that make batches ahead. They live on from one order to the next, with what they keep."""

    def __init__(self, examples: Examples, collate: Collate, workers: int) -> None:
        self._orders = Orders()
        self._used: dict[int, Used] = {}  # by the number of the process
        self._loader: DataLoader[Any] = DataLoader(
            Maker(examples, collate),  # type: ignore[arg-type]  # PyTorch asks for no more than this
            batch_sampler=self._orders,
            collate_fn=_as_it_is,
            num_workers=workers,
            persistent_workers=True,
            prefetch_factor=AHEAD,
            generator=torch.Generator(),  # else seeds of workers, which nothing here uses, are drawn globally
        )

    def batches(self, positions: Iterable[list[int]]) -> Iterator[Batch]:
        """The batches of these positions, in order; those of an earlier order that are still on their way are lost."""
        self._orders.latest = positions
        for batch, process, used in self._loader:
            self._used[process] = used
            if isinstance(batch, UnseenError):
                raise batch
            yield batch

    @property
    def used(self) -> Used:
        """What all workers have used so far."""
        return sum(self._used.values(), Used())


class Orders:
    """The positions of batches that are asked for, which change while workers live."""

    latest: Iterable[list[int]] = ()

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.latest)


class Maker:
    """Makes batches in a worker and says what that has used; what is wrong with the examples comes back whole."""

    def __init__(self, examples: Examples, collate: Collate) -> None:
        self.examples, self.collate = examples, collate
        self.began: int | None = None  # with so many bytes

    def __getitems__(self, positions: list[int]) -> tuple[Batch | UnseenError, int, Used]:
        self.began = peak_memory() if self.began is None else self.began
        batch: Batch | UnseenError
        try:
            batch = self.collate([self.examples[position] for position in positions])
        except UnseenError as error:
            batch = error
        return batch, os.getpid(), Used(process_time(), peak_memory() - self.began)


@contextmanager
def deaths_told() -> Iterator[None]:
    """Say in a sentence that a worker has died, which PyTorch raises wherever training is at that moment."""
    try:
        yield
    except RuntimeError as error:
        if "DataLoader worker (pid" not in str(error):
            raise
        raise DataError(
            "a worker that makes batches was killed, most likely because memory ran out; the same command goes on from"
            " the last checkpoint, and with --workers 0 it does without workers"
        ) from error


def _as_it_is(made: Any) -> Any:
    return made


def peak_memory() -> int:
    """Bytes that this process held at most."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
