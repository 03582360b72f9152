"""Which compositions a split may hold, and how train, val and test of one distribution stay apart.

A set of compositions answers two questions, `sample` and `contains`, so that "no test composition occurs in training"
is a test over real samples and not a hope. Sets combine: `a | b`, `a & b`, `a - b` (hold out b). Where compositions are
too many to be listed they are told by their properties, combined by the same signs in a written expression.

The content key keeps splits of the *same* compositions apart without shared state: it is a hash of what decides input
and answer, and its top three bits say which part of the example space an example belongs to.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from unseen.core.errors import SpecError, unknown
from unseen.core.nesting import parsed

if TYPE_CHECKING:
    from unseen.core.random import Stream

Composition = Hashable


class Part(NamedTuple):
    """A share of the example space: keys whose top three bits are in low .. high-1."""

    low: int
    high: int

    def holds(self, key: int) -> bool:
        """Tell whether a content key belongs to this part."""
        return self.low <= key >> 61 < self.high


PARTS = {
    "train": Part(0, 6),
    "val": Part(6, 7),
    "test": Part(7, 8),
    "val_ood": Part(0, 4),
    "test_ood": Part(4, 8),
}


def part_of(split: str) -> Part:
    """Return the part of the example space a split draws from; further test sets share the part of `test`.

    >>> part_of("train"), part_of("test_occlusion")
    (Part(low=0, high=6), Part(low=7, high=8))
    """
    if split in PARTS:
        return PARTS[split]
    if split.startswith("test_"):
        return PARTS["test"]
    raise SpecError(f"a split is named train, val, test, val_ood, test_ood or test_<what>, not {split!r}")


class Compositions(ABC):
    """A finite, ordered set of compositions."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, rank: int) -> Any:
        """The composition at a place of the order."""

    @abstractmethod
    def contains(self, composition: Composition) -> bool:
        """Tell whether a composition is in the set."""

    def sample(self, rng: Stream) -> Any:
        """Draw one of the compositions, each with the same probability."""
        return self[rng.below(len(self))]

    def __iter__(self) -> Iterator[Any]:
        return (self[rank] for rank in range(len(self)))

    def __or__(self, other: Compositions) -> Compositions:
        return Joined((self, other - self))

    def __and__(self, other: Compositions) -> Compositions:
        return Filtered(self, other.contains)

    def __sub__(self, other: Compositions) -> Compositions:
        return Filtered(self, lambda item: not other.contains(item))


@dataclass(frozen=True, eq=False)
class Listed(Compositions):
    """Compositions written out one by one.

    >>> all_pairs = Sequences(("a", "b"), depth=2)
    >>> list(all_pairs - Listed([("a", "b")]))
    [('a', 'a'), ('b', 'a'), ('b', 'b')]
    """

    items: Iterable[Composition]

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(dict.fromkeys(self.items)))

    @cached_property
    def _members(self) -> frozenset[Composition]:
        return frozenset(self.items)

    def __len__(self) -> int:
        return len(self.items)  # type: ignore[arg-type]

    def __getitem__(self, rank: int) -> Any:
        return self.items[rank]  # type: ignore[index]

    def contains(self, composition: Composition) -> bool:
        """Tell whether a composition is in the list."""
        return composition in self._members


@dataclass(frozen=True, eq=False)
class Sequences(Compositions):
    """All sequences of some atoms at one depth, with repetition; never listed, so the depth may be large."""

    atoms: tuple[str, ...]
    depth: int

    def __len__(self) -> int:
        return len(self.atoms) ** self.depth  # type: ignore[no-any-return]

    def __getitem__(self, rank: int) -> tuple[str, ...]:
        if not 0 <= rank < len(self):
            raise IndexError(rank)
        digits = []
        for _ in range(self.depth):
            rank, digit = divmod(rank, len(self.atoms))
            digits.append(self.atoms[digit])
        return tuple(reversed(digits))

    def contains(self, composition: Composition) -> bool:
        """Tell whether a composition is a sequence of these atoms at this depth."""
        return isinstance(composition, tuple) and len(composition) == self.depth and set(composition) <= {*self.atoms}


@dataclass(frozen=True, eq=False)
class Joined(Compositions):
    """The union of sets that share nothing, in their order and without listing their compositions.

    >>> depths = Joined((Sequences(("a", "b"), depth=1), Sequences(("a", "b"), depth=20)))
    >>> len(depths), depths[1], depths.contains(("a",) * 20)
    (1048578, ('b',), True)
    """

    parts: tuple[Compositions, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __getitem__(self, rank: int) -> Any:
        for part in self.parts:
            if rank < len(part):
                return part[rank]
            rank -= len(part)
        raise IndexError(rank)

    def contains(self, composition: Composition) -> bool:
        """Tell whether a composition is in one of the sets."""
        return any(part.contains(composition) for part in self.parts)


@dataclass(frozen=True, eq=False)
class Filtered(Compositions):
    """The compositions of a set that a predicate admits: intersections and hold-outs."""

    whole: Compositions
    admits: Callable[[Any], bool]

    @cached_property
    def _items(self) -> tuple[Any, ...]:
        return tuple(item for item in self.whole if self.admits(item))

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, rank: int) -> Any:
        return self._items[rank]

    def contains(self, composition: Composition) -> bool:
        """Tell whether a composition is in the set and admitted."""
        return self.whole.contains(composition) and self.admits(composition)


# ---------------------------------------------------------------------------- expressions over properties

Predicate = Callable[[Any], bool]
TOKEN = re.compile(r"\s*(\w+(?:[-.:]\w+)*|[^\w\s])")  # a name, whose hyphens stand between words; or a sign
MOST = 500  # names and signs of an expression
GRAMMAR = "properties joined by & (both), | (either) and - (the first without the second), with `not` and parentheses"


def where(expression: str, properties: Mapping[str, Predicate]) -> Predicate:
    """Return the predicate that an expression over named properties means; `not` binds tightest, then & and -, then |.

    >>> letters = having("abc", frozenset)
    >>> odd = where("a & not (b | c)", letters)
    >>> odd("a"), odd("ab"), where("a | b - c", letters)("bc")
    (True, False, False)
    """
    try:
        return parsed(lambda text: _Reader(text, properties).whole(), expression)
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{expression!r} cannot be read: {error}") from None


def having(names: Iterable[str], parts: Callable[[Any], Collection[str]]) -> dict[str, Predicate]:
    """Properties of what is made of named parts: each is a part's name, and holds of everything that has the part."""
    return {name: lambda whole, name=name: name in parts(whole) for name in names}  # type: ignore[misc]


class _Reader:
    """Reads an expression from left to right, a method for each strength of binding."""

    def __init__(self, expression: str, properties: Mapping[str, Predicate]) -> None:
        self.expression = expression
        self.properties = properties
        self.tokens: list[str] = [*TOKEN.findall(expression), ""]  # the empty one is the end
        self.at = 0
        if len(self.tokens) > MOST:  # what they mean calls itself once for each
            raise SpecError(f"{expression!r} is too long: an expression has fewer than {MOST} names and signs")

    def whole(self) -> Predicate:
        found = self._either()
        if self.tokens[self.at]:
            raise self._error("&, | or -")
        return found

    def _take(self, *wanted: str) -> str:
        token = self.tokens[self.at]
        if token not in wanted:
            return ""
        self.at += 1
        return token

    def _either(self) -> Predicate:
        found = self._both()
        while self._take("|"):
            found = _any(found, self._both())
        return found

    def _both(self) -> Predicate:
        found = self._single()
        while sign := self._take("&", "-"):
            other = self._single()
            found = _all(found, other if sign == "&" else _not(other))
        return found

    def _single(self) -> Predicate:
        if self._take("not"):
            return _not(self._single())
        if self._take("("):
            found = self._either()
            if not self._take(")"):
                raise self._error("a closing parenthesis")
            return found
        name = self.tokens[self.at]
        if not re.match(r"\w", name):
            raise self._error("a property")
        if name not in self.properties:
            raise unknown("property", name, self.properties)
        self.at += 1
        return self.properties[name]

    def _error(self, expected: str) -> SpecError:
        found = repr(self.tokens[self.at]) if self.tokens[self.at] else "its end"
        return SpecError(f"{self.expression!r} has {found} where {expected} was expected; write {GRAMMAR}")


def _all(one: Predicate, other: Predicate) -> Predicate:
    return lambda item: one(item) and other(item)


def _any(one: Predicate, other: Predicate) -> Predicate:
    return lambda item: one(item) or other(item)


def _not(one: Predicate) -> Predicate:
    return lambda item: not one(item)
