"""Trivial solvers, by kind of task: a model that scores no more than they do has learned nothing.

A `Solver` answers an example from a glance at its inputs, and is scored like a model. A `Farthest` one goes by one
statistic of each image. A `Blind` one looks at a clue only and gives the answer that is commonest for it among the very
examples it is tested on, so that it is an upper bound for whatever learns answers by heart. Those of `words.py` and
`learned.py` learn from some examples and are tested on others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from unseen.audit.kernels import pixels
from unseen.audit.learned import Floats, Learned
from unseen.audit.statistics import STATISTICS, away, numbers_of
from unseen.audit.words import WORDS, Words
from unseen.core.task import Example, Task
from unseen.metrics.metric import Counts, Metric, share
from unseen.results.scoring import counts_of

EXACT = "exact"  # the metric of blind solvers: the share of answers that are right


class Tally(Protocol):
    """How a solver does on the examples it is shown."""

    def see(self, example: Example, target: Any) -> None:
        """Take one more example."""

    def values(self) -> dict[str, float]:
        """Return the value of each metric over all examples that were seen."""


@dataclass(frozen=True)
class Solver:
    """A way to answer each example by itself."""

    name: str
    about: str
    answer: Callable[[Example], Any]  # a prediction of the task's kind

    def tally(self, metrics: Sequence[Metric]) -> Tally:
        """Make an empty tally of the solver's scores."""
        return Scored(self, metrics)


@dataclass(frozen=True)
class Blind:
    """A solver that gives the commonest answer, given a clue."""

    name: str
    about: str
    clue: Callable[[Example], Hashable]  # all that it looks at

    def tally(self, metrics: Sequence[Metric]) -> Tally:
        """Make an empty tally of the answers by clue."""
        return Counted(self)


@dataclass(frozen=True)
class Farthest:
    """A solver that takes the image farthest from the others in a statistic to be the odd one."""

    name: str
    what: str  # the statistic
    numbers: Callable[[Example], Floats]  # (images, columns)
    columns: tuple[int, ...]  # that it goes by

    @property
    def about(self) -> str:
        """What it answers."""
        return f"the image farthest from the others in: {self.what}"

    def answer(self, example: Example) -> Floats:
        """Return a score for each image, highest for the odd one."""
        return away(self.numbers(example)[:, self.columns])

    def tally(self, metrics: Sequence[Metric]) -> Tally:
        """Make an empty tally of problems."""
        return Measured(self, metrics[0].name if metrics else EXACT)


class Measured:
    """Problems that are answered all at once, because there are many statistics."""

    def __init__(self, solver: Farthest, metric: str) -> None:
        self.solver, self.metric = solver, metric
        self.numbers: list[Floats] = []
        self.right: list[int] = []

    def see(self, example: Example, target: Any) -> None:
        """Take one more problem."""
        self.numbers.append(self.solver.numbers(example))
        self.right.append(int(target))

    def values(self) -> dict[str, float]:
        """Return the share of problems whose odd image is the farthest; the first of those that are as far."""
        if not self.right:
            return {self.metric: 0.0}
        answers = away(np.stack(self.numbers)[:, :, self.solver.columns]).argmax(axis=1)
        return {self.metric: share(int((answers == self.right).sum()), len(self.right))}


class Scored:
    """The scores of a solver's answers."""

    def __init__(self, solver: Solver, metrics: Sequence[Metric]) -> None:
        self.solver = solver
        self.counts: dict[Metric, list[Counts]] = {metric: [] for metric in metrics}

    def see(self, example: Example, target: Any) -> None:
        """Score one more answer."""
        answer = self.solver.answer(example)
        for metric, counts in self.counts.items():
            counts.append(counts_of(metric, example, target, answer))

    def values(self) -> dict[str, float]:
        """Return the value of each metric over all answers."""
        return {metric.name: metric.pooled(counts) for metric, counts in self.counts.items()}


class Counted:
    """How often each answer is right, by clue."""

    def __init__(self, solver: Blind) -> None:
        self.solver = solver
        self.answers: defaultdict[Hashable, Counter[Hashable]] = defaultdict(Counter)

    def see(self, example: Example, target: Any) -> None:
        """Note one more right answer."""
        answer = (target.shape, target.tobytes()) if isinstance(target, np.ndarray) else target
        self.answers[self.solver.clue(example)][answer] += 1

    def values(self) -> dict[str, float]:
        """Return the share of examples whose answer is the commonest for their clue."""
        right = sum(max(found.values()) for found in self.answers.values())
        return {EXACT: share(right, sum(found.total() for found in self.answers.values()))}


# ---------------------------------------------------------------------------- the solvers

AnySolver = Solver | Blind | Farthest | Words | Learned


@lru_cache(maxsize=1)
def _numbers(example: Example) -> Floats:
    """All statistics of a problem, those that its benchmark has of its own last; each solver asks for one of them."""
    numbers = numbers_of(example.inputs["images"])
    file = example.task.benchmark.optional_file("audit") if example.task else None
    own = getattr(file, "measure", None)
    return np.concatenate([numbers, own(example.record)], axis=1) if own else numbers


def solvers_of(task: Task, split: str) -> tuple[AnySolver, ...]:
    """Return the solvers of a task's kind, and one for each statistic that its benchmark has of its own.

    What learns from statistics learns from those alone that the benchmark does not declare to carry the task.
    """
    file = task.benchmark.optional_file("audit")
    own = {name: (pixels.COLUMNS + k,) for k, name in enumerate(getattr(file, "STATISTICS", ()))}
    columns = {name: row.columns for name, row in STATISTICS.items()} | own
    told = file.tells(task.split(split).spec) if file else {}
    without = frozenset(column for name in told for column in columns.get(name, ()))
    solvers = (replace(one, without=without) if isinstance(one, Learned) else one for one in SOLVERS[task.kind.name])
    return (*solvers, *(Farthest(name, file.STATISTICS[name], _numbers, at) for name, at in own.items()))  # type: ignore[union-attr]


SOLVERS: dict[str, tuple[AnySolver, ...]] = {
    "grid": (
        Solver("copy", "the input, unchanged", lambda example: example.inputs["grid"]),
        Blind("majority", "the commonest output of the task code", lambda example: example.inputs["code"].tobytes()),
    ),
    "odd": (
        Blind("position", "the place where the odd image is most often", lambda _: ()),
        Learned("learned", "what boosted trees make of all statistics that are not declared", _numbers),
        *(Farthest(row.name, row.about, _numbers, row.columns) for row in STATISTICS.values()),
    ),
    "image": (
        Solver("copy", "the input, unchanged", lambda example: example.inputs["image"]),
        Blind("majority", "the commonest output of all", lambda _: ()),
    ),
    "video": (Solver("nothing", "no object in any frame", lambda example: np.zeros_like(example.target["ids"])),),
    "question": (
        Blind("majority", "the commonest answer of all", lambda _: ()),
        Blind("template", "the commonest answer of the question's template", lambda example: example.record.template),
        Blind("text", "the commonest answer to the question's text", lambda example: example.inputs["text"]),
        *WORDS,
    ),
}
