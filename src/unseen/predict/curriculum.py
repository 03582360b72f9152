"""A curriculum: tasks of rising difficulty, sampled by how often they are solved.

Difficulty is a path through options: `levels("cogitao/custom", depth=[1, 2, 3], grid=[8, 12, 20])` are three tasks. A
level opens when the one before it is solved often enough. Of those that are open, those that are solved about half of
the time are sampled most: what always fails and what always succeeds teaches nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError
from unseen.core.random import Stream, path_key
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated

REMEMBERED = 64  # rewards of a level that count
LEAST = 0.02  # share of a level that is mastered or hopeless, so that a change is noticed


def levels(task: str, **options: Sequence[Any]) -> list[str]:
    """Return the ids of tasks whose options rise together, one value after the other.

    >>> levels("cogitao/custom", depth=[1, 3], grid=[8, 12])
    ['cogitao/custom+depth=1+grid=8', 'cogitao/custom+depth=3+grid=12']
    """
    lengths = {name: len(values) for name, values in options.items()}
    if len(set(lengths.values())) != 1:
        said = ", ".join(f"{name} has {count}" for name, count in lengths.items()) or "none was given"
        raise SpecError(f"a path has one value of every option for each level, and {said}")
    steps = zip(*options.values(), strict=True)
    return [task_named(task, **dict(zip(options, values, strict=True))).id for values in steps]


@dataclass
class Level:
    """One task of a curriculum, and how it went lately."""

    task: Task
    examples: Dataset = field(repr=False)
    drawn: int = 0
    rewards: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED), repr=False)

    @property
    def success(self) -> float:
        """The mean of the last rewards; one half is believed before there are any."""
        return (0.5 + sum(self.rewards)) / (1 + len(self.rewards))

    @property
    def weight(self) -> float:
        """How much there is to learn: most where one in two is solved."""
        return max(LEAST, 4 * self.success * (1 - self.success))


class Curriculum:
    """Draws training examples of several levels, and learns from their rewards what to draw next.

    >>> course = Curriculum(levels("cogitao/custom", depth=[1, 2], grid=[8, 8]), opens_at=0.8)
    >>> example = course.draw()
    >>> course.reward(example, 1.0)
    >>> example.task.id, len(course.open)
    ('cogitao/custom+depth=1+grid=8', 1)
    """

    def __init__(
        self, tasks: Sequence[str], *, split: str = "train", seed: int = 0, opens_at: float = 0.7, tries: int = 20
    ) -> None:
        if not tasks or not 0 < opens_at < 1 or tries < 1:
            raise SpecError("a curriculum has a level at least, which opens the next at a success between 0 and 1")
        self.levels = [
            Level(task, Dataset(Generated(task, split, seed))) for task in (task_named(name) for name in tasks)
        ]
        self.opens_at, self.tries = opens_at, tries
        self._opened = 1
        self._rng = Stream(path_key(seed, "curriculum", *tasks))

    @property
    def open(self) -> list[Level]:
        """The levels that are sampled: each but the first once the one before it was solved often enough."""
        return self.levels[: self._opened]

    def draw(self) -> Example:
        """Return the next example: of an open level, by how much there is to learn there, and none of them twice."""
        weights = [level.weight for level in self.open]
        at = self._rng.uniform() * sum(weights)
        passed = [at >= sum(weights[: place + 1]) for place in range(len(weights))]
        level = self.open[min(sum(passed), len(weights) - 1)]  # the last one where rounding leads past it
        level.drawn += 1
        return level.examples[(level.drawn - 1) % len(level.examples)]

    def __iter__(self) -> Iterator[Example]:
        while True:
            yield self.draw()

    def reward(self, example: Example, value: float) -> None:
        """Take note of what an answer to an example was worth."""
        level = next((one for one in self.levels if one.task.id == example.task.id), None)
        if level is None:
            raise SpecError(f"{example.task.id} is no level of this curriculum")
        level.rewards.append(float(value))
        newest = self.open[-1]
        solved = len(newest.rewards) >= self.tries and newest.success >= self.opens_at
        if solved and self._opened < len(self.levels):
            self._opened += 1
