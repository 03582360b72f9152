"""How sure a score is, whether two test takers differ, and how many items it takes to tell.

Items are what varies: an interval says where a score would lie, in 95 of 100 cases, had other items been drawn. Two
test takers who answered the same items are compared item by item, which takes far fewer items than comparing two scores
with their intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, comb, erfc, isnan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, Metric, share

Interval = tuple[float, float]
Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 1_000  # of the bootstrap, and sign flips of the permutation test
FEWEST = 200  # resamples of a set so large that its interval is narrow anyway
MOST_DRAWN = 20_000_000  # numbers drawn for the interval of a large set
AT_ONCE = 2**21  # numbers drawn at a time
EXACT = 25  # items that differ, up to which McNemar's test is exact rather than its approximation


def wilson(right: float, count: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a share: so many right of so many.

    It stays within 0 and 1, and holds up for few items and for shares near either end.

    >>> [round(edge, 3) for edge in wilson(8, 10)]
    [0.49, 0.943]
    >>> wilson(0, 1000)[0], wilson(1000, 1000)[1]
    (0.0, 1.0)
    """
    if count < 1:
        raise SpecError(f"a share is of at least one item, not of {count}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = right / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return (middle - half if right else 0.0), (middle + half if right < count else 1.0)  # exact at both ends


def interval(metric: Metric, counts: Sequence[Counts], confidence: float = CONFIDENCE) -> Interval | None:
    """Return the interval of a metric from the counts of its examples; none of fewer than two examples.

    Wilson's where every example is right or wrong, else a bootstrap: examples are drawn again and again with
    replacement, and the middle 95 % of the values are kept.
    """
    if len(counts) < 2:
        return None
    if metric.value is share and all(_is_right_or_wrong(*one) for one in counts):
        return wilson(float(sum(achieved for achieved, _ in counts)), len(counts), confidence)
    values = _resampled(metric, counts)
    if not len(values):
        return None
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _is_right_or_wrong(achieved: Any, possible: Any) -> bool:
    return not np.ndim(achieved) and possible == 1 and achieved in (0, 1)


def _resampled(metric: Metric, counts: Sequence[Counts]) -> Floats:
    """The values of a metric over samples of the examples, drawn with replacement."""
    achieved = np.array([np.ravel(one) for one, _ in counts], np.float64)
    possible = np.array([np.ravel(of) for _, of in counts], np.float64)
    shapes = np.shape(counts[0][0]), np.shape(counts[0][1])
    values: list[float] = []
    for weights in _weights(len(counts)):
        for one, of in zip(weights @ achieved, weights @ possible, strict=True):
            values.append(metric.value(_shaped(one, shapes[0]), _shaped(of, shapes[1])))
    found = np.array(values, np.float64)
    known: Floats = found[~np.isnan(found)]
    return known


def _weights(count: int) -> Iterator[Floats]:
    """How often each of so many examples is in each sample (samples, examples), some samples at a time."""
    batch = max(1, AT_ONCE // count)
    samples = max(FEWEST, min(RESAMPLES, MOST_DRAWN // count))
    for number, start in enumerate(range(0, samples, batch)):
        yield _some_weights(count, min(batch, samples - start), number)


@lru_cache(maxsize=2)  # all metrics of a data set are resampled alike
def _some_weights(count: int, samples: int, number: int) -> Floats:
    rng = np.random.Generator(np.random.Philox((count, number)))
    return rng.multinomial(count, np.full(count, 1 / count), size=samples).astype(np.float64)


def _shaped(sums: Floats, shape: tuple[int, ...]) -> Any:
    return sums.reshape(shape) if shape else float(sums[0])


@dataclass(frozen=True)
class Paired:
    """Two test takers on the same items."""

    items: int
    first: float  # mean value
    second: float
    difference: float  # first less second
    interval: Interval | None  # of the difference
    better: int  # items on which the first did better
    worse: int
    p: float  # of a difference at least as large, were there none
    test: str  # which gave it

    @property
    def said(self) -> str:
        """The comparison in a sentence."""
        sure = "cannot be told apart" if self.p > 1 - CONFIDENCE else "differ"
        return f"on {self.items:,} shared items they {sure} (p = {self.p:.3g}, {self.test})"


def paired(first: Sequence[float], second: Sequence[float]) -> Paired:
    """Compare two test takers item by item: McNemar's test where answers are right or wrong, else by flipping signs.

    >>> found = paired([1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1])
    >>> found.difference, found.better, found.worse, found.p, found.test
    (0.75, 6, 0, 0.03125, "McNemar's exact test")
    """
    if len(first) != len(second) or not len(first):
        raise SpecError(f"two test takers are compared on the same items, not on {len(first)} and {len(second)}")
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    known = ~(np.isnan(one) | np.isnan(other))
    one, other = one[known], other[known]
    if not len(one):
        raise SpecError("there is no item on which both test takers have a score")
    gaps = one - other
    better, worse = int((gaps > 0).sum()), int((gaps < 0).sum())
    binary = bool(np.isin(one, (0, 1)).all() and np.isin(other, (0, 1)).all())
    p, test = mcnemar(better, worse) if binary else permutation(gaps)
    middle = float(gaps.mean())
    return Paired(len(one), float(one.mean()), float(other.mean()), middle, _gap_interval(gaps), better, worse, p, test)


def mcnemar(better: int, worse: int) -> tuple[float, str]:
    """Tell how likely items would split so unevenly by chance: exactly for few items, else by the corrected chi-square.

    >>> mcnemar(5, 5)[0], round(mcnemar(40, 20)[0], 4), mcnemar(400, 100)[0] > 0
    (1.0, 0.0142, True)
    """
    n = better + worse
    if n == 0:
        return 1.0, "McNemar's exact test"
    if n <= EXACT:
        tail = sum(comb(n, k) for k in range(min(better, worse) + 1)) / 2**n
        return min(1.0, 2 * tail), "McNemar's exact test"
    z = max(0.0, abs(better - worse) - 1) / sqrt(n)
    return erfc(z / sqrt(2)), "McNemar's test"  # both tails; 1 less the rest would round to 0


def permutation(gaps: Floats, draws: int = 9_999) -> tuple[float, str]:
    """Tell how often a mean gap would be as large if it were chance who of both did better on each item."""
    seen, name = abs(gaps.sum()), "permutation test"
    rng = np.random.Generator(np.random.Philox(len(gaps)))
    batch = max(1, AT_ONCE // len(gaps))
    larger = 0
    for start in range(0, draws, batch):
        signs = rng.integers(2, size=(min(batch, draws - start), len(gaps)), dtype=np.int8) * 2 - 1
        larger += int((np.abs(signs @ gaps) >= seen - 1e-9).sum())
    return (1 + larger) / (1 + draws), name


def _gap_interval(gaps: Floats) -> Interval | None:
    """The interval of a mean gap, from its standard error."""
    if len(gaps) < 2:
        return None
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * float(gaps.std(ddof=1)) / sqrt(len(gaps))
    middle = float(gaps.mean())
    return middle - half, middle + half


def items_needed(first: float, second: float, *, power: float = 0.8, differ: float | None = None) -> int:
    """Tell how many items it takes to tell two accuracies apart, answered by both, with this chance to succeed.

    `differ` is the share of items that just one of them gets right. Without it, the two are taken to be right
    independently of each other, which is cautious: mostly the same items are hard for both, and fewer will do.

    >>> items_needed(0.60, 0.55), items_needed(0.60, 0.55, differ=0.15)
    (1537, 469)
    """
    gap = abs(first - second)
    if not (0 <= first <= 1 and 0 <= second <= 1 and gap > 0 and 0 < power < 1):
        raise SpecError("two different accuracies from 0 to 1 can be told apart, with a power between 0 and 1")
    if differ is None:
        differ = first * (1 - second) + second * (1 - first)
    if not gap <= differ <= 1:
        raise SpecError(f"accuracies that differ by {gap:.3g} differ on at least as many items, not on {differ:.3g}")
    normal = NormalDist()
    z = normal.inv_cdf((1 + CONFIDENCE) / 2) * sqrt(differ) + normal.inv_cdf(power) * sqrt(differ - gap * gap)
    return ceil((z / gap) ** 2)


def spelled(found: Interval | None, scale: float = 1, form: str = ".3g") -> str:
    """Return an interval for a table; empty where there is none.

    >>> spelled((0.49, 0.943), 100, ".1f")
    '49.0 to 94.3'
    """
    if found is None or any(map(isnan, found)):
        return ""
    low, high = (format(scale * edge, form) for edge in found)
    return f"{low} to {high}"
