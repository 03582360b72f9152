"""The numbers of a problem, drawn once for it or for each image: how many, which pattern, which way.

Each function draws one kind, from a stream and settled arguments. Several describe the odd image by the numbers of
the others: the same total in other groups, another turn, a sum that is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import Any

from unseen.benchmarks.cvr.kernels.words import MOST
from unseen.benchmarks.cvr.vocabulary import FACTORS, Draw, Scene
from unseen.core.errors import unknown
from unseen.core.random import Stream

Counts = tuple[int, ...]
Values = dict[str, Any]
Draws = Mapping[str, Draw]
KINDS: dict[str, Callable[..., Any]] = {}


def draw(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function a kind of draw, under its own name."""
    KINDS[function.__name__] = function
    return function


# ------------------------------------------------------------------------------------------------ numbers


@draw
def between(rng: Stream, low: int, high: int, *most: int) -> int:
    """Draw a whole number, both ends included, and no more than `most`."""
    return rng.between(low, min(high, *most) if most else high)


@draw
def one_of(rng: Stream, *values: Any) -> Any:
    """Draw one of several values."""
    return values[rng.below(len(values))] if len(values) > 1 else values[0]


@draw
def other_of(rng: Stream, known: Any, *values: Any) -> Any:
    """Draw one of several values, but not the known one."""
    return one_of(rng, *(value for value in values if value != known))


@draw
def other(rng: Stream, known: int, low: int, high: int, *most: int) -> int:
    """Draw a whole number within bounds, but not the known one."""
    return other_of(rng, known, *range(low, min(high, *most) + 1))  # type: ignore[no-any-return]


@draw
def uniform(rng: Stream, low: float, high: float) -> float:
    """Draw a real number between two bounds."""
    return low + (high - low) * rng.uniform()


@draw
def plus(rng: Stream, first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


@draw
def minus(rng: Stream, first: int, second: int) -> int:
    """Subtract a number from another."""
    return first - second


@draw
def plus_minus(rng: Stream, number: int, low: int, high: int) -> int:
    """Add or subtract one, within bounds."""
    return one_of(rng, *(number + step for step in (-1, 1) if low <= number + step <= high))  # type: ignore[no-any-return]


@draw
def odd_parity(rng: Stream, even: int, parity: int) -> int:
    """Return a neighbor of an even number, of the parity that the others have not."""
    return even + 1 - parity


@draw
def opposite(rng: Stream, bit: int) -> int:
    """Return 1 for 0, and 0 for 1."""
    return 1 - bit


@draw
def negative(rng: Stream, number: int) -> int:
    """Return a number with its sign changed, which turns a direction round."""
    return -number


@draw
def far_end(rng: Stream, end: int) -> int:
    """Return the last of three places for the first, and the first for the last."""
    return 2 - end


@draw
def first_middle_or_last(rng: Stream, n: int) -> str:
    """Draw a place among n; an even number has no middle."""
    return one_of(rng, "first", "last", *(["middle"] if n % 2 else []))  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ angles, in degrees


@draw
def other_turn(rng: Stream, turn: float, low: float, high: float, apart: float) -> float:
    """Draw a turn far from another; as nobody can say which of two objects was turned, turns end at 180."""
    while True:
        found = uniform(rng, low, high)
        if abs(found - turn) >= apart:
            return found  # type: ignore[no-any-return]


@draw
def other_axis(rng: Stream, axis: float, apart: float) -> float:
    """Draw an axis far from another, axes being the same after half a turn."""
    return (axis + apart + (180 - 2 * apart) * rng.uniform()) % 180


@draw
def sideways(rng: Stream, direction: float) -> float:
    """Turn a direction by 90 degrees, either way."""
    return (direction + one_of(rng, 90, 270)) % 360  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ counts of groups


@draw
def parts(rng: Stream, count: int, low: int, high: int) -> Counts:
    """Draw several whole numbers within bounds."""
    return tuple(rng.between(low, high) for _ in range(count))


@draw
def composition(rng: Stream, total: int, count: int, *most: int) -> Counts:
    """Draw whole numbers from 1 to `most` that make up a total, each way as likely as any other."""
    return one_of(rng, *compositions(total, count, *most))  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def compositions(total: int, count: int, most: int = MOST) -> tuple[Counts, ...]:
    """List all ways to make up a total of `count` whole numbers from 1 to `most`.

    >>> compositions(4, 2)
    ((1, 3), (2, 2), (3, 1))
    """
    if count == 1:
        return ((total,),) if total <= most else ()
    firsts = range(1, min(most, total - count + 1) + 1)
    return tuple((first, *rest) for first in firsts for rest in compositions(total - first, count - 1, most))


@draw
def partition(rng: Stream, total: int, count: int, *most: int) -> Counts:
    """Draw whole numbers from 1 to `most` that make up a total, in whatever order, each way as likely."""
    return one_of(rng, *partitions(total, count, *most))  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def partitions(total: int, count: int, most: int = MOST) -> tuple[Counts, ...]:
    """List the compositions that differ in more than their order.

    >>> partitions(6, 3)
    ((1, 1, 4), (1, 2, 3), (2, 2, 2))
    """
    return tuple(way for way in compositions(total, count, most) if list(way) == sorted(way))


@draw
def shared_out(rng: Stream, total: int, count: int) -> Counts:
    """Share a total out among parts that are as equal as can be, in any order."""
    counts = [total // count + (k < total % count) for k in range(count)]
    rng.shuffle(counts)
    return tuple(counts)


@draw
def regrouped(rng: Stream, counts: Counts, *most: int) -> Counts:
    """Draw another partition of the same total into as many parts, each way as likely."""
    return other_of(rng, tuple(sorted(counts)), *partitions(sum(counts), len(counts), *most))  # type: ignore[no-any-return]


@draw
def recounted(rng: Stream, counts: Counts, *most: int) -> Counts:
    """Draw other counts with the same total, or the same counts in another order."""
    return other_of(rng, counts, *compositions(sum(counts), len(counts), *most))  # type: ignore[no-any-return]


@draw
def whole(rng: Stream, n: int) -> Counts:
    """Put all objects into one part."""
    return (n,)


@draw
def in_pieces(rng: Stream, n: int) -> Counts:
    """Divide a total into two parts or more."""
    return composition(rng, n, rng.between(2, n))  # type: ignore[no-any-return]


@draw
def with_single(rng: Stream, k: int) -> Counts:
    """Leave one object alone, and group the others by two or three and one more, so that the total says little."""
    rest = list(parts(rng, k - 1, 2, 3))
    rest[rng.below(k - 1)] += rng.below(2) + 1
    return (1, *rest)


@draw
def fewer_first(rng: Stream, low: int, high: int) -> Counts:
    """Draw two different counts, the smaller first."""
    first, second = rng.between(low, high - 1), rng.between(low, high)
    return (min(first, second), max(first, second)) if first != second else (first, high)


@draw
def both_sides(rng: Stream, low: int, high: int) -> Counts:
    """Divide a total into two parts, neither of them empty."""
    return composition(rng, rng.between(low, high), 2)  # type: ignore[no-any-return]


@draw
def summed(rng: Stream, low: int, high: int) -> Counts:
    """Draw two counts, and add their sum."""
    first, second = rng.between(low, high), rng.between(low, high)
    return first, second, first + second


@draw
def missummed(rng: Stream, low: int, high: int) -> Counts:
    """Draw two counts and their sum, and then move one object between the third column and one of the others."""
    first, second, total = summed(rng, low, high)
    to_third = first + second > 2 and rng.below(2)
    counts = [first, second]
    giving = [k for k in range(2) if not to_third or counts[k] > 1]
    counts[one_of(rng, *giving)] += -1 if to_third else 1
    return counts[0], counts[1], total + (1 if to_third else -1)


# ------------------------------------------------------------------------------------------------ patterns


@draw
def grouping(rng: Stream, n: int, groups: int) -> Counts:
    """Put each of n objects into one of some groups; none is empty."""
    labels = list(range(groups)) + [rng.below(groups) for _ in range(n - groups)]
    rng.shuffle(labels)
    return tuple(labels)


@draw
def repartitioned(rng: Stream, groups: Counts) -> Counts:
    """Put the same labels on other objects, so that other objects are together."""
    labels = list(groups)
    while _renamed(labels) == _renamed(groups):
        rng.shuffle(labels)
    return tuple(labels)


def _renamed(labels: Any) -> Counts:
    """Labels in the order they come: the same for two patterns that group alike."""
    order = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return tuple(order[label] for label in labels)


@draw
def permutation(rng: Stream, n: int) -> Counts:
    """Draw the numbers below n in any order."""
    order = list(range(n))
    rng.shuffle(order)
    return tuple(order)


@draw
def mapped(rng: Stream, first: Counts, onto: Counts) -> Counts:
    """Draw ranks, and after them what each is mapped to."""
    return (*first, *(onto[rank] for rank in first))


@draw
def contrary(rng: Stream, pattern: Counts) -> Counts:
    """Exchange letters of two groups: (0, 0, 1, 1) becomes (1, 1, 0, 0); where each group has both, one has one."""
    turned = tuple(1 - letter for letter in pattern)
    if pattern == (0, 1, 0, 1):
        return one_of(rng, (0, 0, 1, 1), (1, 1, 0, 0))  # type: ignore[no-any-return]
    return turned


@draw
def half_turned(rng: Stream, ranks: tuple[Counts, ...]) -> Counts:
    """Draw ranks in which one of two couples (first and third, second and fourth) is the other way round."""
    first, second, third, fourth = one_of(rng, *ranks)
    return (third, second, first, fourth) if rng.below(2) else (first, fourth, third, second)


@draw
def both_or_neither(rng: Stream, ranks: tuple[Counts, ...]) -> Counts:
    """Draw ranks in which both couples are as they should be, or both the other way round."""
    first, second, third, fourth = one_of(rng, *ranks)
    return (first, second, third, fourth) if rng.below(2) else (third, fourth, first, second)


@draw
def all_alike(rng: Stream, n: int) -> Counts:
    """Put one label on all objects."""
    return (0,) * n


@draw
def some_unlike(rng: Stream, n: int) -> Counts:
    """Put one label on some objects, and labels of their own on the others, of which there are at most five."""
    unlike = rng.between(1, min(n - 1, 5))
    return (0,) * (n - unlike) + tuple(range(1, unlike + 1))


@draw
def repaired(rng: Stream, pattern: Counts, ranked: bool) -> Counts:
    """Put the same four labels into other pairs; unless they are ranks, labels may be renamed."""
    return one_of(rng, *_repaired(pattern, ranked))  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _repaired(pattern: Counts, ranked: bool) -> tuple[Counts, ...]:
    known = _pairing(pattern, ranked)
    return tuple(way for way in permutations(pattern) if _pairing(way, ranked) != known)


def _pairing(pattern: Counts, ranked: bool) -> Any:
    if ranked:
        return sorted((sorted(pattern[:2]), sorted(pattern[2:])))
    swapped = (pattern[:2] + pattern[2:], pattern[2:] + pattern[:2])
    turned = [(*pair[:2][::a], *pair[2:][::b]) for pair in swapped for a in (1, -1) for b in (1, -1)]
    return min(_renamed(one) for one in turned)


# ------------------------------------------------------------------------------------------------ settling names


def settled(value: Any, values: dict[str, Any]) -> Any:
    """Return a number itself, or the draw it names, times and plus what is written: "n-1" is one less than what n is.

    >>> settled("n-1", {"n": 5}), settled("k*2+2", {"k": 3}), settled(3, {})
    (4, 8, 3)
    """
    if not isinstance(value, str) or (value not in values and not _parsed(value)):
        return value
    if value in values:
        return values[value]
    name, times, step = _parsed(value)  # type: ignore[misc]
    return drawn_as(name, values) * times + step


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[str, int, int] | None:
    found = re.fullmatch(r"([a-z]+)(?:\*(\d+))?([+-]\d+)?", text)
    if not found or not (found[2] or found[3]):
        return None
    return found[1], int(found[2] or 1), int(found[3] or 0)


# ------------------------------------------------------------------------------------------------ all of a problem


def in_order(scene: Scene) -> Scene:
    """Return the scene with its draws in order; a draw may refer to what it replaces."""
    for draw in scene.draws.values():
        if draw.kind != "again" and draw.kind not in KINDS:
            raise unknown("kind of draw", draw.kind, KINDS, where="cvr")
    ordered: dict[str, Draw] = {}
    waiting = dict(scene.draws)
    while waiting:
        name = next(name for name, draw in waiting.items() if not _refers(draw, waiting.keys() - {name}))
        ordered[name] = waiting.pop(name)
    return replace(scene, draws=ordered)


def _refers(draw: Draw, names: Collection[str]) -> bool:
    """Whether a draw depends on one of these."""
    words = [arg for arg in draw.args if isinstance(arg, str)]
    return any(
        word == name or word.startswith((f"{name}-", f"{name}+", f"{name}*")) for word in words for name in names
    )


def changes_of(regular: Draws, odd: Draws) -> Draws:
    """Return what the odd image draws otherwise than a regular one, and what follows from that."""
    changes: dict[str, Draw] = {}
    for name, draw in odd.items():
        if draw.kind == "again" and name not in regular:
            raise unknown("factor or draw", name, [*FACTORS, *regular], where="the scene")
        if regular.get(name) != draw or _refers(draw, changes):
            changes[name] = draw
    return changes


def draw_numbers(regular: Draws, changes: Draws, rng: Stream) -> list[Values]:
    """Return the numbers of the four images, the odd one last."""
    shared: Values = {}
    images: list[Values] = [{}, {}, {}, {}]
    for place, values in enumerate(images):
        for name, draw in regular.items():
            if draw.level == "image":
                values[name] = _drawn(draw, values, rng)
                continue
            if name not in shared:
                shared[name] = _drawn(draw, values, rng)
            values[name] = shared[name][place] if draw.level == "spread" else shared[name]
    odd = images[-1]
    for name, draw in changes.items():
        odd[name] = _drawn_again(regular[name], odd, name, rng) if draw.kind == "again" else _drawn(draw, odd, rng)
    return images


def _drawn(draw: Draw, values: Values, rng: Stream) -> Any:
    args = [settled(arg, values) for arg in draw.args]
    if draw.level == "spread":
        rng.shuffle(args)
        return tuple(args)
    return KINDS[draw.kind](rng, *args)


def _drawn_again(draw: Draw, values: Values, name: str, rng: Stream) -> Any:
    """A number that comes out otherwise."""
    found = known = values[name]
    while found == known:
        found = _drawn(replace(draw, level="image"), values, rng)
    return found


def drawn_as(name: str, values: Values) -> Any:
    """Return what was drawn under a name."""
    if name not in values:
        raise unknown("draw", name, values, where="the scene")
    return values[name]
