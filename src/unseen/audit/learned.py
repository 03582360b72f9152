"""What all statistics together tell: boosted trees, tested on problems that they have not learned from.

A statistic alone may say little, and with others everything. The trees see of every image how far each of its
statistics is from those of the other images; they know nothing of the rule, and those statistics are kept from them
that a benchmark declares to carry it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.audit import boosting
from unseen.core.task import Example
from unseen.metrics.metric import Metric, share

Floats = npt.NDArray[np.float64]

FIT = 1_000  # problems to learn from, at most: half of them where there are fewer than twice as many
DIGITS = 6  # of statistics: what is behind them is rounding, which would tell how much was summed up
FEWEST = 100  # problems of which anything can be learned


@dataclass(frozen=True)
class Learned:
    """A solver that learns which image is odd from the statistics of problems."""

    name: str
    about: str
    numbers: Callable[[Example], Floats]  # (images, columns)
    without: frozenset[int] = frozenset()  # columns that are kept from it

    def tally(self, metrics: Sequence[Metric]) -> Collected:
        """Make an empty tally of problems."""
        return Collected(self)


class Collected:
    """Problems, the first of which are learned from when all are known."""

    def __init__(self, solver: Learned) -> None:
        self.solver = solver
        self.rows: list[Floats] = []
        self.right: list[int] = []

    def see(self, example: Example, target: Any) -> None:
        """Take one more problem."""
        numbers = self.solver.numbers(example)
        kept = [column for column in range(numbers.shape[1]) if column not in self.solver.without]
        self.rows.append(relative(numbers[:, kept]))
        self.right.append(int(target))

    def values(self) -> dict[str, float]:
        """Give the share of right answers to the problems that were not learned from; none where there are too few."""
        if len(self.right) < FEWEST:
            return {}
        fitted = min(FIT, len(self.right) // 2)
        rows, right = np.stack(self.rows), np.array(self.right)
        forest = boosting.fit(rows[:fitted], right[:fitted])
        answers = boosting.scores(forest, rows[fitted:]).argmax(axis=1)
        return {"exact": share(int((answers == right[fitted:]).sum()), len(answers))}


def relative(numbers: Floats) -> Floats:
    """Statistics (images, n) as features (images, 3 n) that compare each image with the others.

    These are the signed distance from the median of the others, its size, and its size by the range of the others.

    >>> relative(np.array([[1.0], [2.0], [1.0], [8.0]]))[3].round(3).tolist()
    [7.0, 7.0, 6.542]
    """
    numbers, count = numbers.round(DIGITS), len(numbers)
    others = np.stack([np.delete(numbers, i, axis=0) for i in range(count)])
    away = numbers - np.median(others, axis=1)
    spans = others.max(axis=1) - others.min(axis=1)
    typical = numbers.max(axis=0) - numbers.min(axis=0)
    return np.concatenate([away, abs(away), abs(away) / (spans + 0.01 * typical + 1e-12)], axis=1)
