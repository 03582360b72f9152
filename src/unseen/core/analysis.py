"""What a benchmark's own science is written in: the outcomes of runs go in, findings come out.

A benchmark's `analysis.py` reads no files, and whoever prints a finding need not know what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import nan
from statistics import mean
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.task import Example, Task

IN, OUT = "test", "test_ood"  # the split in distribution, and the one out of it
DASH = "\N{EN DASH}"  # in the place of a number that does not exist

Cells = tuple[str, ...]


def no_answers(split: str, count: int) -> Sequence[tuple[Example, Any]]:
    """Answer nothing: the predictions of the run are not at hand."""
    return ()


def no_measure(metric: str, answered: Sequence[tuple[Example, Any]]) -> float:
    """Measure nothing: there are no answers."""
    return nan


@dataclass(frozen=True)
class Outcome:
    """One scored run of the benchmark's present content."""

    task: Task
    model: str  # with the options by which it differs from its defaults: "resnet+width=64"
    seed: int
    scores: Mapping[str, Mapping[str, float]]  # by split and metric; shares in percent
    began_with: str = ""  # the run or file whose weights it began with; empty where it began afresh
    steps: int | None = None  # of its training: none where that is not known, 0 where it answered untrained
    # the first examples of a split, so many of them, each with the model's answer
    answers: Callable[[str, int], Sequence[tuple[Example, Any]]] = field(default=no_answers, repr=False)
    # a metric over some examples with their answers; a share in percent
    measure: Callable[[str, Sequence[tuple[Example, Any]]], float] = field(default=no_measure, repr=False)

    def value(self, split: str, metric: str = "") -> float | None:
        """Return a metric on a split, the task's first if none is named; none where it was not measured."""
        return self.scores.get(split, {}).get(metric or self.task.metrics[0])

    def task_without(self, option: str) -> str:
        """Return the name of the task with its options, all but one, over which a curve is drawn.

        >>> Outcome(task_named("svib/dsprites-sa+alpha=0.2+size=64"), "oracle", 0, {}).task_without("alpha")
        'dsprites-sa+size=64'
        """
        parts = self.task.id.partition("/")[2].split("+")
        return "+".join(part for part in parts if not part.startswith(f"{option}="))


@dataclass(frozen=True)
class Figure:
    """A drawing with its caption: SVG as text, or the pixels of an image."""

    drawing: Any
    caption: str = ""


@dataclass(frozen=True)
class Finding:
    """A table of what was found next to what was published, how to read it, and figures."""

    title: str
    about: str
    columns: Cells = ()
    rows: tuple[Cells, ...] = ()  # that have a run
    published: tuple[Cells, ...] = ()  # rows of the paper that have none
    words: int = 1  # how many of the first columns hold words
    figures: tuple[Figure, ...] = ()


def mean_over(
    outcomes: Iterable[Outcome], tasks: Sequence[str], model: str, *, split: str, metric: str = ""
) -> float | None:
    """Return the mean, over some tasks, of a model's mean over seeds; none where one of the tasks was not run."""
    values: dict[str, list[float]] = {settled(task): [] for task in tasks}
    for outcome in outcomes:
        if outcome.model == model and outcome.task.id in values:
            value = outcome.value(split, metric)
            if value is not None:
                values[outcome.task.id].append(value)
    return mean(map(mean, values.values())) if all(values.values()) else None


@lru_cache(maxsize=4096)
def settled(task: str) -> str:
    """Return the id of a task as records write it: without options that are at their default.

    >>> settled("cogitao/c1-1+in_context=0")
    'cogitao/c1-1'
    """
    return task_named(task).id


def spelled(value: float | None, form: str = ".1f") -> str:
    """Return a number for a table, or a dash where there is none.

    >>> spelled(12.34), spelled(None), spelled(0.4, "g")
    ('12.3', '–', '0.4')
    """
    return DASH if value is None else format(value, form)
