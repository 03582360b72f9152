"""What a metric is: counts of one example, pooled over a data set.

A metric is declared as a function of one target and one prediction that returns what was achieved and what could
have been. The value of a data set is the sum of the first over the sum of the second, as in the published evaluators;
a mean over examples is the case where the second is always 1. A metric whose value is no plain share of its counts says
how to make it from their sums; these counts may then be arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import update_wrapper, wraps
from math import isnan, nan
from statistics import mean
from typing import Any, TypeVar

from unseen.core.errors import FAULTS, DataError, MissingExtra, SpecError, UnseenError, fault
from unseen.core.registry import Registry

Counted = TypeVar("Counted")
Counts = tuple[Any, Any]  # what was achieved, and what could have been
Function = Callable[[Any, Any], Counts]
Together = Callable[[Sequence[Any], Sequence[Any]], list[Counts]]
Value = Callable[[Any, Any], float]  # from sums of counts

EMPTY = 0.0  # of a data set in which nothing could have been achieved, as published


class Metric:
    """A declared metric: called with targets and predictions, it gives the value of the whole data set.

    >>> @metric(kind="question")
    ... def exact_match(target, prediction):
    ...     '''Share of answers that are right.'''
    ...     return target == prediction, 1
    >>> exact_match(["yes", "2"], ["yes", "3"]), exact_match.each(["yes", "2"], ["yes", "3"])
    (0.5, [1.0, 0.0])
    >>> exact_match.name, exact_match.description
    ('exact_match', 'Share of answers that are right.')
    """

    def __init__(
        self,
        function: Function,
        *,
        kind: str,
        higher_is_better: bool,
        value: Value,
        percent: bool,
        prepare: Callable[[], object],
        objects: bool,
        first: int,
        against: str,
        beside: str,
        together: Together | None,
    ) -> None:
        self.counts = _refusing(function)
        self.first = first
        self.together = together and _refusing(together)
        self.value = value
        self.kind = kind
        self.higher_is_better = higher_is_better
        self.percent = percent
        self.prepare = prepare
        self.objects = objects
        self.against = against
        self.beside = beside
        self.name = function.__name__
        self.description = (function.__doc__ or "").partition("\n")[0]
        update_wrapper(self, function)

    @property
    def shown(self) -> int:
        """What a value is multiplied by before people see it."""
        return 100 if self.percent else 1

    def __call__(self, targets: Sequence[Any], predictions: Sequence[Any]) -> float:
        """The value of a data set: one prediction per target, in the same order."""
        return self.pooled(self.all_counts(targets, predictions))

    def each(self, targets: Sequence[Any], predictions: Sequence[Any]) -> list[float]:
        """Return the value of every example alone."""
        return [self.value(*counts) for counts in self.all_counts(targets, predictions)]

    def pooled(self, counts: Iterable[Counts]) -> float:
        """The value of a data set from the counts of its examples; EMPTY where nothing could have been achieved."""
        achieved = possible = 0.0
        for one, of in counts:
            achieved, possible = achieved + one, possible + of
        value = self.value(achieved, possible)
        return EMPTY if isnan(value) else value

    def all_counts(self, targets: Sequence[Any], predictions: Sequence[Any]) -> list[Counts]:
        """Return what is counted of every example, taken together where that is faster."""
        if len(targets) != len(predictions):
            raise SpecError(f"{self.name} needs one prediction per target, got {len(predictions)} for {len(targets)}")
        if self.together:
            return self.together(targets, predictions)
        return [self.counts(target, prediction) for target, prediction in zip(targets, predictions, strict=True)]

    def __repr__(self) -> str:
        better = "higher" if self.higher_is_better else "lower"
        return f"<metric {self.name} of {self.kind} tasks: {better} is better>"


def _refusing(count: Callable[..., Counted]) -> Callable[..., Counted]:
    """Have a function that counts refuse in a sentence what it cannot compare."""

    @wraps(count)
    def call(*given: Any) -> Counted:
        try:
            return count(*given)
        except UnseenError:
            raise
        except FAULTS as error:
            name = getattr(count, "__name__", "a metric")
            raise SpecError(f"{name} cannot compare what it was given: {fault(error)}") from error

    return call


def share(achieved: float, possible: float) -> float:
    """Return what was achieved of what could have been: nan where nothing could.

    >>> share(1, 4), share(0, 0)
    (0.25, nan)
    """
    return float(achieved / possible) if possible else nan


def nothing() -> None:
    """What most metrics need before they can be computed."""


def metric(
    *,
    kind: str,
    higher_is_better: bool = True,
    value: Value = share,
    percent: bool = True,
    prepare: Callable[[], object] = nothing,
    objects: bool = False,
    first: int = 0,
    against: str = "",
    beside: str = "",
    together: Together | None = None,
) -> Callable[[Function], Metric]:
    """Declare a metric of a kind of task; the function's name is its name, its first docstring line the description.

    Tables show shares in `percent`, and what is no share as it is. `prepare` gets what a metric needs, such as the
    weights of a network, or says in an error why it cannot be had. A metric of `objects` compares those that an image
    should show with those that the benchmark reads from it. `first` is for an evaluation that stops after so many
    examples of a split. One that holds answers `against` something else than what was asked for names that entry of the
    target; splits without it are not scored by it. A metric of what stands `beside` answers, such as the frames that a
    model paints, compares it with the input of that name; files without it are not scored by it. `together` counts many
    examples at once, for a metric that is faster that way.
    """
    return lambda function: Metric(
        function,
        kind=kind,
        higher_is_better=higher_is_better,
        value=value,
        percent=percent,
        prepare=prepare,
        objects=objects,
        first=first,
        against=against,
        beside=beside,
        together=together,
    )


def means_by_group(groups: Iterable[str], values: Iterable[float]) -> dict[str, float]:
    """Return the mean value of each group, given the group and the value of every example.

    >>> means_by_group(["size", "count", "size"], [1.0, 1.0, 0.0])
    {'size': 0.5, 'count': 1.0}
    """
    found: dict[str, list[float]] = {}
    for group, value in zip(groups, values, strict=True):
        found.setdefault(group, []).append(value)
    return {group: mean(each) for group, each in found.items()}


METRICS: Registry[Metric] = Registry("metric", group="unseen.metrics", listing="unseen list --metrics")


def available(names: Iterable[str]) -> list[Metric]:
    """Return metrics by name, leaving out with a warning those that need what is not installed.

    >>> [metric.name for metric in available(["mse", "ssim"])]
    ['mse', 'ssim']
    """
    found = []
    for name in names:
        try:
            METRICS[name].prepare()
        except (MissingExtra, DataError) as error:
            warnings.warn(f"{name} is left out: {error}", stacklevel=2)
        else:
            found.append(METRICS[name])
    return found
