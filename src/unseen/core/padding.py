"""Padding: it exists only in batches, in scores and in published files, never in examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.core.task import Example, Task

Array = npt.NDArray[Any]
PADDING = -1  # of signed arrays, as in the published files; models give it a class of their own. Unsigned arrays: 0
LOOKED_AT = 8  # examples of a split, to find the side of grids that are all of one


def grid_side(task: Task) -> int:
    """Return the side that grids of a task are padded to: the largest of any split.

    The largest of all splits, not of one, so that a model trained on small grids can answer large ones. Where a
    benchmark does not say how large its grids may get (`render.side`), all of a split must have one side.

    >>> import unseen
    >>> grid_side(unseen.task("cogitao/g2-1")), grid_side(unseen.task("cogitao/g2-1+padding=32"))
    (20, 32)
    """
    declared = getattr(task.benchmark.file("render"), "side", None)
    if declared:
        return int(max(declared(split.spec, task.view) for split in task.splits.values()))
    return max(_side_of_first(task, split) for split in task.splits)


def _side_of_first(task: Task, split: str) -> int:
    """The side of a split's first grids, which must be alike: of grids that vary, later ones may be larger."""
    sampler = task.sampler(split, seed=0)
    examples = [Example(task, split, index, sampler.draw(index)[0]) for index in range(LOOKED_AT)]
    shapes = {arrays["grid"].shape for example in examples for arrays in example.arrays}
    if len({max(shape) for shape in shapes}) > 1:
        raise SpecError(
            f"the grids of {task.id} {split} vary in size, and nothing says how large they get;"
            f" declare side(spec, view) in {task.benchmark.package}.render"
        )
    return int(max(shapes.pop()))


def padded(grid: Array, height: int, width: int) -> Array:
    """Pad a grid with -1 at the bottom and at the right.

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
    if not least and len({array.shape for array in arrays}) == 1:
        return np.stack(arrays)
    shape = np.max([array.shape for array in arrays], axis=0).astype(int)
    if least:
        shape[-len(least) :] = np.maximum(shape[-len(least) :], least)
    value = PADDING if np.issubdtype(arrays[0].dtype, np.signedinteger) else 0
    stacked = np.full((len(arrays), *shape), value, arrays[0].dtype)
    for number, array in enumerate(arrays):
        place = stacked[number, ...]  # a view, even where the items are plain numbers
        place[tuple(slice(size) for size in array.shape)] = array
    return stacked
