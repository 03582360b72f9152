"""Bodies with their numbers: what contains, touches and measures what, object by object, and how they are grouped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from unseen.benchmarks.cvr.kernels.words import ANY, NONE
from unseen.benchmarks.cvr.sample.numbers import Values, drawn_as, settled
from unseen.benchmarks.cvr.vocabulary import Bodies
from unseen.core.errors import SpecError, unknown


@dataclass(frozen=True)
class Cast:
    """The objects of one image: for each the one that contains it, the one it touches, and what its size refers to."""

    parent: tuple[int, ...]
    touches: tuple[int, ...]  # an earlier member of the clump, ANY of them, or NONE
    measure: tuple[int, ...]  # whose size its own is a share of
    labels: Mapping[str, tuple[int, ...]]

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def outer(self) -> int:
        """How many objects are not inside another."""
        return self.parent.count(NONE)

    @cached_property
    def clumps(self) -> tuple[int, ...]:
        """The first member of each object's clump: itself, where it touches nothing before it."""
        first: list[int] = []
        for i, partner in enumerate(self.touches):
            first.append(i if partner == NONE else first[i - 1] if partner == ANY else first[partner])
        return tuple(first)

    @cached_property
    def marked(self) -> bool:
        """Whether the first object is a marker, and no part of a pair."""
        pair = self.labels.get("pair", (0, 0))
        return pair[0] != pair[1]

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """What each offset counts from: the container, the first of the clump, or NONE for the root of a body."""
        own = range(len(self))
        return tuple(
            parent if parent != NONE else NONE if first == i else first
            for i, parent, first in zip(own, self.parent, self.clumps, strict=True)
        )


def cast_of(bodies: Bodies, values: Values) -> Cast:
    """Return the objects of an image whose numbers are drawn."""
    settled_args = [_argument(arg, values) for arg in bodies.args]
    if bodies.kind != "written":
        for name in settled_args:
            if isinstance(name, str):
                raise unknown("draw", name, values, where="the scene")
    return cast(bodies.kind, *settled_args)


def _argument(arg: Any, values: Values) -> Any:
    return drawn_as(arg[1:], values) if isinstance(arg, str) and arg.startswith("$") else settled(arg, values)


@lru_cache(maxsize=4096)
def cast(kind: str, *args: Any) -> Cast:
    """Return the objects of bodies whose numbers are settled."""
    return globals()[f"_{kind}"](*args)  # type: ignore[no-any-return]


def _cast(
    parent: list[int], touches: list[int] | None = None, measure: list[int] | None = None, **labels: list[int]
) -> Cast:
    n = len(parent)
    touches = touches or [NONE] * n
    own = [i if outer == NONE else outer for i, outer in enumerate(parent)]
    labels = {"all": [0] * n, "each": list(range(n)), "parent": own} | labels
    return Cast(
        tuple(parent), tuple(touches), tuple(measure or parent), {name: tuple(label) for name, label in labels.items()}
    )


def _written(text: str, small: str = "") -> Cast:
    """Objects from letters, in alphabetical order, whatever the order they are written in."""
    letters = sorted(set(re.findall("[a-z]", text)))
    number = {letter: i for i, letter in enumerate(letters)}
    if set(text) - {*letters, *"()- "} or text.count("(") != text.count(")"):
        raise SpecError(f"bodies are written in letters, brackets, '-' and spaces, such as 'a-b c(d)'; {text!r} is not")
    parent, touches = [NONE] * len(letters), [NONE] * len(letters)
    for body in text.split():
        inside: list[int] = []
        last, touching = NONE, False
        for sign in body:
            if sign == "(":
                inside.append(last)
            elif sign == ")":
                last = inside.pop()
            elif sign == "-":
                touching = True
            elif sign.isalpha():
                if inside:
                    parent[number[sign]] = inside[-1]
                if touching:
                    touches[number[sign]] = last
                    touching = False
                last = number[sign]
    measure = list(parent)
    if small:
        inner, _, outer = small.partition(" of ")
        if not {inner, outer} <= {*number}:
            raise SpecError(f"small names two bodies of {text!r}, such as 'b of a'; {small!r} does not")
        measure[number[inner]] = number[outer]
    return _cast(parent, touches, measure)


def _singles(n: int) -> Cast:
    return _cast([NONE] * n)


def _by_group(counts: tuple[int, ...]) -> list[int]:
    return [group for group, count in enumerate(counts) for _ in range(count)]


def _groups(counts: tuple[int, ...]) -> Cast:
    group = _by_group(counts)
    within = [i for count in counts for i in range(count)]
    return _cast([NONE] * len(group), group=group, within=within)


def _clumps(counts: tuple[int, ...]) -> Cast:
    group = _by_group(counts)
    touches = [ANY if i and group[i] == group[i - 1] else NONE for i in range(len(group))]
    return _cast([NONE] * len(group), touches, group=group)


def _filled(count: int, of: int) -> Cast:
    inner = list(range(count))
    # what each content has instead of its container's: the next container's, or an empty object's where there is one
    astray = [*range(of), *(inner[1:] + inner[:1] if count > 1 else [count] * count)]
    return _cast([NONE] * of + inner, astray=astray)


def _sided(counts: tuple[int, ...], group: int) -> Cast:
    side = _by_group(counts)
    inner = [i for i, one in enumerate(side) if one == group]
    return _cast([NONE] * len(side) + inner, group=side + [group] * len(inner))


def _nest(inside: int, outside: int) -> Cast:
    parent = [NONE] + [0] * inside + [NONE] * outside
    return _cast(parent, measure=[NONE] + [0] * (inside + outside))


def _pairs(count: int, marker: bool, filled: int) -> Cast:
    first = int(marker)
    pair = [0] * first + [first + k for k in range(count) for _ in range(2)]
    parent = [NONE] * len(pair) + [first + i for i in range(2 * filled)]
    inner = [k for k in range(filled) for _ in range(2)]
    shell = [0] * len(pair) + [1 + k for k in inner]
    return _cast(parent, pair=pair + [first + k for k in inner], shell=shell)


def _sets(count: int, of: int) -> Cast:
    return _cast([NONE] * (count * of), set=[k for k in range(count) for _ in range(of)])
