"""Numbers that a scene is built from: each function draws one kind, from a stream and settled arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from unseen.core.random import Stream

Values = dict[str, Any]


def between(rng: Stream, low: int, high: int) -> int:
    """A whole number, both ends included."""
    return rng.between(low, high)


def one_of(rng: Stream, *values: Any) -> Any:
    """One of several values."""
    return values[rng.below(len(values))]


def uniform(rng: Stream, low: float, high: float) -> float:
    """A real number."""
    return low + (high - low) * rng.uniform()


def parts(rng: Stream, count: int, low: int, high: int) -> tuple[int, ...]:
    """So many whole numbers within bounds."""
    return tuple(rng.between(low, high) for _ in range(count))


def composition(rng: Stream, total: int, count: int) -> tuple[int, ...]:
    """So many whole numbers of at least 1 that make up a total, each way as likely as any other."""
    return one_of(rng, *compositions(total, count))  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def compositions(total: int, count: int) -> tuple[tuple[int, ...], ...]:
    """All ways to make up a total of so many whole numbers of at least 1.

    >>> compositions(4, 2)
    ((1, 3), (2, 2), (3, 1))
    """
    if count == 1:
        return ((total,),)
    return tuple(
        (first, *rest) for first in range(1, total - count + 2) for rest in compositions(total - first, count - 1)
    )


def regrouped(rng: Stream, counts: tuple[int, ...]) -> tuple[int, ...]:
    """Another multiset of as many counts with the same total."""
    others = [other for other in compositions(sum(counts), len(counts)) if sorted(other) != sorted(counts)]
    return one_of(rng, *others)  # type: ignore[no-any-return]


def grouping(rng: Stream, n: int, groups: int) -> tuple[int, ...]:
    """Which of so many groups each of n objects is in; none is empty."""
    labels = list(range(groups)) + [rng.below(groups) for _ in range(n - groups)]
    rng.shuffle(labels)
    return tuple(labels)


def permutation(rng: Stream, n: int) -> tuple[int, ...]:
    """The numbers below n in any order."""
    order = list(range(n))
    rng.shuffle(order)
    return tuple(order)


def plus(rng: Stream, first: int, second: int) -> int:
    """A sum."""
    return first + second


def plus_minus(rng: Stream, number: int, low: int, high: int) -> int:
    """One more or one less, within bounds."""
    steps = [step for step in (-1, 1) if low <= number + step <= high]
    return number + one_of(rng, *steps)  # type: ignore[no-any-return]


KINDS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        between,
        one_of,
        uniform,
        parts,
        composition,
        regrouped,
        grouping,
        permutation,
        plus,
        plus_minus,
    )
}


def settled(value: Any, values: Values) -> Any:
    """A number itself, or the draw it names, with its step: "n-1" is one less than what n is.

    >>> settled("n-1", {"n": 5}), settled(3, {})
    (4, 3)
    """
    if not isinstance(value, str):
        return value
    name, step = _parsed(value)
    return values[name] + step if step else values[name]


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[str, int]:
    for sign in "+-":
        if sign in text:
            name, _, step = text.partition(sign)
            return name, int(sign + step)
    return text, 0
