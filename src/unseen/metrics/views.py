"""Metrics of answers to other questions than a task's own: a choice, a number, the factors of objects in words.

What a model answers is a plain value; None, or an empty list, stands for an answer that could not be used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric

Look = Mapping[str, Any]  # the words for the factors of an object
MOST = 8  # objects that are matched


@metric(kind="view")
def choice_accuracy(target: int, prediction: int | None) -> Counts:
    """Share of items of which the right one is chosen.

    0 to 1, higher is better; chance is one in as many as there are to choose from. No items: 0.

    >>> choice_accuracy([2, 0, 1], [2, 1, None])
    0.3333333333333333
    """
    return int(_whole(prediction) == target), 1


@metric(kind="view")
def count_accuracy(target: int, prediction: int | None) -> Counts:
    """Share of items whose number of objects is right.

    0 to 1, higher is better. No items: 0.

    >>> count_accuracy([2, 4], [2, 3])
    0.5
    """
    return int(_whole(prediction) == target), 1


def _whole(prediction: Any) -> int | None:
    if prediction is not None and (not isinstance(prediction, int) or isinstance(prediction, bool)):
        raise SpecError(f"an answer is a whole number, or none, not {prediction!r}")
    return prediction


@metric(kind="view")
def named_factors(target: Sequence[Look], prediction: Sequence[Look]) -> Counts:
    """Share of factors that are named right, objects being matched so that most are.

    0 to 1, higher is better. The order of objects does not matter. No objects: 0.

    >>> red, blue = {"color": "red", "size": "small"}, {"color": "blue", "size": "small"}
    >>> named_factors([[red, blue]], [[blue, {"color": "green", "size": "small"}]])
    0.75
    """
    return _best(_right(target, prediction, sum)), sum(map(len, target))


@metric(kind="view")
def named_objects(target: Sequence[Look], prediction: Sequence[Look]) -> Counts:
    """Share of objects all of whose factors are named right.

    0 to 1, higher is better, never above named_factors. No objects: 0.

    >>> red, blue = {"color": "red", "size": "small"}, {"color": "blue", "size": "small"}
    >>> named_objects([[red, blue]], [[blue, {"color": "green", "size": "small"}]])
    0.5
    """
    return _best(_right(target, prediction, all)), len(target)


def _right(target: Sequence[Look], prediction: Any, of: Callable[[Iterable[bool]], int]) -> list[list[int]]:
    """How much of each object is right if it is matched with each that was named."""
    if not isinstance(prediction, Sequence) or not all(isinstance(one, Mapping) for one in prediction):
        raise SpecError(f"an answer names objects by their factors, and {prediction!r} does not")
    return [
        [int(of(named.get(name) == value for name, value in one.items())) for named in prediction[:MOST]]
        for one in target
    ]


def _best(worth: Sequence[Sequence[int]]) -> int:
    """The highest total if each row takes a column of its own, or none.

    >>> _best([[3, 2], [3, 0]])
    5
    """
    totals = {0: 0}  # by the columns that are taken, as bits
    for row in worth:
        further = dict(totals)
        for taken, total in totals.items():
            for column, value in enumerate(row):
                if not taken >> column & 1:
                    now = taken | 1 << column
                    further[now] = max(further.get(now, 0), total + value)
        totals = further
    return max(totals.values())
