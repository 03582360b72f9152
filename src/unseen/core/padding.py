"""Padding: it exists only in batches, in scores and in published files, never in examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.task import Task

Array = npt.NDArray[Any]
PADDING = -1  # of signed arrays, as in the published files; models give it a class of their own. Unsigned arrays: 0


def grid_side(task: Task) -> int:
    """The side that grids of a task are padded to: as its view says, or the largest grid of any split.

    The largest of all splits, not of one, so that a model trained on small grids can answer large ones.

    >>> import unseen
    >>> grid_side(unseen.task("cogitao/g2-1")), grid_side(unseen.task("cogitao/g2-1+padding=32"))
    (20, 32)
    """
    return int(task.view.padding or max(split.spec.grid[1] for split in task.splits.values()))


def padded(grid: Array, height: int, width: int) -> Array:
    """A grid padded with -1 at the bottom and at the right.

    >>> padded(np.array([[5]]), 1, 3).tolist()
    [[5, -1, -1]]
    """
    dtype = np.promote_types(grid.dtype, np.int8)  # unsigned types cannot hold -1
    wide = np.full((height, width), PADDING, dtype)
    wide[: grid.shape[0], : grid.shape[1]] = grid
    return wide


def stack_padded(items: Sequence[Any], *, least: Sequence[int] = ()) -> Array:
    """Stack arrays, or lists of arrays, at the largest shape among them; trailing axes are at least `least`.

    >>> stack_padded([np.array([1, 2]), np.array([3])]).tolist()
    [[1, 2], [3, -1]]
    >>> stack_padded([[np.array([1])], [np.array([2]), np.array([3])]], least=[2]).tolist()
    [[[1, -1], [-1, -1]], [[2, -1], [3, -1]]]
    """
    arrays = [stack_padded(item, least=least) if isinstance(item, list) else np.asarray(item) for item in items]
    shape = np.max([array.shape for array in arrays], axis=0).astype(int)
    if least:
        shape[-len(least) :] = np.maximum(shape[-len(least) :], least)
    value = PADDING if np.issubdtype(arrays[0].dtype, np.signedinteger) else 0
    stacked = np.full((len(arrays), *shape), value, arrays[0].dtype)
    for number, array in enumerate(arrays):
        place = stacked[number, ...]  # a view, even where the items are plain numbers
        place[tuple(slice(size) for size in array.shape)] = array
    return stacked
