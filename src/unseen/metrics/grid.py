"""Metrics of grid tasks: whole grids, cells, and objects.

Grids are arrays (h, w) of colors 1..9, 0 for background and -1 for padding. Target and prediction are padded alike, at
the right and at the bottom, before they are compared; so a prediction may be cropped or padded, and where it has colors
instead of the target's padding, or the other way round, it is wrong. To count padding as the papers do, hand over
targets padded to the side of the batches (scoring does). An empty grid (0, 0) is an answer that is wrong wherever the
target is not padding: give it for a model that did not answer.

An object is a set of 8-connected cells above 0, whatever their colors, so objects that touch count as one. It is found
when an object of the prediction has the same cells in the same colors. The published evaluator also takes a prediction
as a stack (n, h, w) of canvases with one object each; so do the object metrics here, and duplicates exist only there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.core.padding import padded
from unseen.metrics.metric import Counts, metric

Grid = npt.NDArray[np.integer[Any]]
Object = frozenset[tuple[int, int]]  # cells and their colors

ROW = (
    1 << 16
)  # a cell is one number, row * ROW + column, which dicts find faster than a pair and any grid width can share
AROUND = (-ROW - 1, -ROW, -ROW + 1, -1, 1, ROW - 1, ROW, ROW + 1)


@metric(kind="grid")
def grid_accuracy(target: Grid, prediction: Grid) -> Counts:
    """Share of grids that are exact in every cell, padding included.

    0 to 1, higher is better; the papers' headline. One wrong cell is as bad as all wrong. A prediction of another
    shape is padded, so that it differs from the target in the padding and is wrong. No examples: 0.

    >>> target = np.array([[0, 2], [0, 2]])
    >>> grid_accuracy([target, target], [target, target[:1]])
    0.5
    """
    target, prediction = padded_alike(target, prediction)
    return int(np.array_equal(target, prediction)), 1


@metric(kind="grid")
def cell_accuracy(target: Grid, prediction: Grid) -> Counts:
    """Share of cells that are right, background and padding included.

    0 to 1, higher is better. Most cells are background, so that copying the input scores high. No cells: 0.

    >>> cell_accuracy([np.array([[0, 2], [0, 2]])], [np.array([[0, 2], [0, 3]])])
    0.75
    """
    target, prediction = padded_alike(target, prediction)
    return int(np.count_nonzero(target == prediction)), target.size


@metric(kind="grid")
def non_background_accuracy(target: Grid, prediction: Grid) -> Counts:
    """Share of the target's colored cells that are right.

    0 to 1, higher is better. Colors put where the target has background cost nothing. No colored cells: 0.

    >>> non_background_accuracy([np.array([[0, 2], [0, 2]])], [np.array([[5, 2], [0, 3]])])
    0.5
    """
    target, prediction = padded_alike(target, prediction)
    colored = target > 0
    return int(np.count_nonzero((target == prediction) & colored)), int(np.count_nonzero(colored))


@metric(kind="grid")
def object_iou(target: Grid, prediction: Grid) -> Counts:
    """Intersection over union of the colored cells: whether objects are where they should be.

    0 to 1, higher is better; which color a cell has does not matter. No colored cells in either: 0, as published.

    >>> object_iou([np.array([[0, 2, 2]])], [np.array([[7, 7, 0]])])
    0.3333333333333333
    """
    target, prediction = padded_alike(target, prediction)
    both, either = (target > 0) & (prediction > 0), (target > 0) | (prediction > 0)
    return int(np.count_nonzero(both)), int(np.count_nonzero(either))


@metric(kind="grid")
def perfect_objects(target: Grid, prediction: Grid) -> Counts:
    """Share of objects that are found: in the target, and in the prediction at the same place in the same colors.

    0 to 1, higher is better. The four object shares have one denominator, the objects of target and prediction with
    those that agree counted once, and sum to 1. No objects in either: 0.

    >>> perfect_objects([np.array([[1, 0, 2]])], [np.array([[1, 0, 3]])])
    0.3333333333333333
    """
    objects = compare_objects(target, prediction)
    return objects.found, sum(objects)


@metric(kind="grid", higher_is_better=False)
def missed_objects(target: Grid, prediction: Grid) -> Counts:
    """Share of objects that are in the target and not found in the prediction.

    0 to 1, lower is better; denominator and empty case as for `perfect_objects`.

    >>> missed_objects([np.array([[1, 0, 2]])], [np.array([[1, 0, 0]])])
    0.5
    """
    objects = compare_objects(target, prediction)
    return objects.missed, sum(objects)


@metric(kind="grid", higher_is_better=False)
def extra_objects(target: Grid, prediction: Grid) -> Counts:
    """Share of objects that are in the prediction and not in the target.

    0 to 1, lower is better; denominator and empty case as for `perfect_objects`.

    >>> extra_objects([np.array([[1, 0, 0]])], [np.array([[1, 0, 2]])])
    0.5
    """
    objects = compare_objects(target, prediction)
    return objects.extra, sum(objects)


@metric(kind="grid", higher_is_better=False)
def duplicate_objects(target: Grid, prediction: Grid) -> Counts:
    """Share of objects that repeat one already found; always 0 where the prediction is one grid.

    0 to 1, lower is better; denominator and empty case as for `perfect_objects`.

    >>> canvases = np.array([[[1, 0, 0]], [[1, 0, 0]]])
    >>> duplicate_objects([np.array([[1, 0, 0]])], [canvases])
    0.5
    """
    objects = compare_objects(target, prediction)
    return objects.duplicate, sum(objects)


@metric(kind="grid", higher_is_better=False, against="paired_grid")
def stubbornness(target: Grid, prediction: Grid) -> Counts:
    """Share of answers that are exactly what another, trained sequence of transformations asks for on the same input.

    0 to 1, lower is better; for paired test sets, where `target` is the answer to that other sequence. A model that
    does not know the order of transformations answers a held-out pair as the trained reverse. No examples: 0.

    >>> reverse = np.array([[0, 2], [0, 2]])
    >>> stubbornness([reverse, reverse], [reverse, reverse.T])
    0.5
    """
    target, prediction = padded_alike(target, prediction)
    return int(np.array_equal(target, prediction)), 1


class ObjectCounts(NamedTuple):
    """How the objects of a prediction relate to those of its target."""

    found: int
    missed: int
    extra: int
    duplicate: int


def compare_objects(target: Grid, prediction: Grid) -> ObjectCounts:
    """Count the target's objects that are found and missed, and the prediction's that are extra and duplicate.

    >>> compare_objects(np.array([[1, 0, 2]]), np.array([[1, 0, 3]]))
    ObjectCounts(found=1, missed=1, extra=1, duplicate=0)
    """
    wanted = set(objects_of(checked(target, "target")))
    answered = checked(prediction, "prediction", stack=True)
    given = _canvases(answered) if answered.ndim == 3 else objects_of(answered)
    right = sum(one in wanted for one in given)
    found = len(wanted.intersection(given))
    return ObjectCounts(found, len(wanted) - found, len(given) - right, right - found)


def objects_of(grid: Grid) -> list[Object]:
    """Return the objects of a grid: 8-connected cells above 0, in reading order of their first cell.

    >>> [len(one) for one in objects_of(np.array([[1, 0, 0, 2], [0, 3, 0, 2]]))]
    [2, 2]
    """
    left = _colored_cells(grid)
    objects = []
    while left:
        first = next(iter(left))
        part = {first: left.pop(first)}
        frontier = [first]
        while frontier:
            here = frontier.pop()
            for step in AROUND:
                cell = here + step
                if cell in left:
                    part[cell] = left.pop(cell)
                    frontier.append(cell)
        objects.append(frozenset(part.items()))
    return objects


def _canvases(stack: Grid) -> list[Object]:
    """Find the objects of canvases with one object each; an empty canvas holds none."""
    objects = (frozenset(_colored_cells(canvas).items()) for canvas in stack)
    return [one for one in objects if one]


def _colored_cells(grid: Grid) -> dict[int, int]:
    rows, columns = np.nonzero(grid > 0)
    return dict(zip((rows * ROW + columns).tolist(), grid[rows, columns].tolist(), strict=True))


def padded_alike(target: Grid, prediction: Grid) -> tuple[Grid, Grid]:
    """Pad two grids with -1 to the larger height and the larger width."""
    target, prediction = checked(target, "target"), checked(prediction, "prediction")
    if target.shape == prediction.shape:
        return target, prediction
    height, width = np.maximum(target.shape, prediction.shape)
    return padded(target, height, width), padded(prediction, height, width)


def checked(grid: Any, what: str, *, stack: bool = False) -> Grid:
    """Check that a grid is an array of whole numbers with two axes, or with three if it may be a stack of canvases."""
    try:
        array = np.asarray(grid)
    except ValueError:  # rows of different lengths
        raise SpecError(f"a {what} is a grid of whole numbers (h, w); the rows of one differ in length") from None
    if array.ndim not in ((2, 3) if stack else (2,)) or not np.issubdtype(array.dtype, np.integer):
        raise SpecError(f"a {what} is a grid of whole numbers (h, w), not {array.dtype} {array.shape}")
    return array
