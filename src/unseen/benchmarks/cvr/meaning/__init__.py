"""What each of the 103 rules means: how to find the odd image of four, in words that the verifier reads.

A reading looks at four images. `across` reads one value off each: three are equal, the odd one's is different. `table`
does so with a row of properties per object, in any order of the objects; each is a plain value, the same in all images
(`hue`), a rank within the image (`size#`), or says only who equals whom (`hue'`). `holds` is a statement, true of three
images and false of the odd one. Where a problem draws an axis or a direction, the reading is `either` of the
possible ones, and all that explain the problem must point at the same image. Values between equal and different
explain nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, Protocol

import numpy as np

from unseen.benchmarks.cvr.meaning.margins import EXACT, TURN, Margin, Truth, Undecided, circular
from unseen.benchmarks.cvr.meaning.odd import agreed, exception, stranger
from unseen.benchmarks.cvr.meaning.properties import PROPERTIES, unequal
from unseen.benchmarks.cvr.meaning.seen import Seen


class Reading(Protocol):
    """A way to find the odd image."""

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the odd one; raises Undecided, with the reason, where no image or not just one is odd."""
        ...


@dataclass(frozen=True)
class Across:
    """A value that is equal in three images and different in one."""

    read: Callable[[Seen], Any]
    margin: Margin = EXACT
    distance: Callable[[Any, Any], Any] = unequal

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the image whose value differs."""
        values = [self.read(seen) for seen in images]
        return stranger(values, lambda one, other: self.margin.same(float(self.distance(one, other))))


@dataclass(frozen=True)
class Table:
    """A row of properties per object; the rows, in any order, are the same in three images and others in one."""

    properties: tuple[str, ...]  # a name, with # for the rank in the image and ' for who equals whom
    top: bool = False  # only of the objects that nothing contains

    def __post_init__(self) -> None:
        for name in self.properties:
            PROPERTIES[name.rstrip("#'")]  # refuses what is none

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the image whose table differs."""
        plain = [PROPERTIES[name].classes(images) for name in self.properties if name[-1] not in "#'"]
        tables = []
        for k, seen in enumerate(images):
            ranks = [PROPERTIES[name[:-1]].ranks(seen) for name in self.properties if name.endswith("#")]
            labels = [PROPERTIES[name[:-1]].classes([seen])[0] for name in self.properties if name.endswith("'")]
            members = seen.top if self.top else range(seen.count)
            fixed = [tuple(int(column[i]) for column in [*(classes[k] for classes in plain), *ranks]) for i in members]
            tables.append(canonical(fixed, [tuple(int(column[i]) for i in members) for column in labels]))
        return stranger(tables, operator.eq)


Row = tuple[int, ...]


def canonical(rows: list[Row], labels: Sequence[Row]) -> tuple[tuple[Row, ...], ...]:
    """Rows as a multiset, with columns of labels up to renaming: one form for all tables that say the same.

    >>> canonical([(0,), (0,), (1,)], [(5, 6, 6)]) == canonical([(0,), (1,), (0,)], [(2, 2, 9)])
    True
    """
    if not labels:
        return (tuple(sorted(rows)),)
    *renamed, grouping = labels
    if not renamed:
        groups = (
            tuple(sorted(row for row, label in zip(rows, grouping, strict=True) if label == g)) for g in set(grouping)
        )
        return tuple(sorted(groups))
    names = sorted(set(renamed[0]))
    return min(
        canonical([(*row, order[names.index(label)]) for row, label in zip(rows, renamed[0], strict=True)], labels[1:])
        for order in permutations(range(len(names)))
    )


@dataclass(frozen=True)
class Holds:
    """A statement that is true of three images and false of one."""

    statement: Callable[[Seen], Truth]

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the image of which the statement is false."""
        return exception([self.statement(seen) for seen in images])


@dataclass(frozen=True)
class Either:
    """One of several readings, drawn for the problem."""

    readings: tuple[Reading, ...]

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the image at which every reading points that points at any."""
        return agreed(partial(reading.odd, images) for reading in self.readings)


@dataclass(frozen=True)
class Bearer:
    """One object of each image has a value of `marked` that all images share; its rank in `ranked` is read across."""

    marked: str
    ranked: str

    def odd(self, images: Sequence[Seen]) -> int:
        """Return the image in which the bearer has another rank."""
        return agreed(partial(self._odd_by, value, images) for value in range(images[0].count))

    def _odd_by(self, value: int, images: Sequence[Seen]) -> int:
        """Return the image in which the bearer has another rank, if this object of the first image bears the value."""
        mark = PROPERTIES[self.marked]
        distances = np.split(mark.distances(images)[value], np.cumsum([seen.count for seen in images])[:-1])
        ranks = []
        for seen, row in zip(images, distances, strict=True):
            alike = [mark.margin.same(distance) for distance in row]
            if None in alike or alike.count(True) != 1:
                raise Undecided(f"not just one object of every image has a {self.marked} of all images")
            ranks.append(int(PROPERTIES[self.ranked].ranks(seen)[alike.index(True)]))
        return stranger(ranks, operator.eq)


# Words for the table below


def table(*properties: str, top: bool = False) -> Table:
    """Make a reading of rows of these properties, the same in three images."""
    return Table(properties, top)


def across(
    read: Callable[..., Any], *given: Any, margin: Margin = EXACT, distance: Callable[..., Any] = unequal
) -> Across:
    """Make a reading of a value that three images share."""
    return Across(partial(read, *given), margin, distance)


def angles(read: Callable[[Seen], float], *, period: float, margin: Margin = TURN) -> Across:
    """Make a reading of an angle in degrees that three images share."""
    return Across(read, margin, partial(circular, period=period))


def holds(statement: Callable[..., Truth], *given: Any) -> Holds:
    """Make a reading of a statement that is true of three images."""
    return Holds(partial(statement, *given))


def either(*readings: Reading) -> Either:
    """Make a reading of several, one of which was drawn."""
    return Either(readings)


def on_an_axis(word: Callable[[str], Reading]) -> Either:
    """Make a reading on the x axis, or the same on the y axis."""
    return either(word("x"), word("y"))


@dataclass(frozen=True)
class Meaning:
    """A rule: what it says to a person, and how it is read; the shifted version only where it is read differently."""

    sentence: str
    reading: Reading
    shifted: Reading | None = None
    touching: bool = False  # the rule speaks of contact, so outlines may touch

    def read(self, *, shifted: bool) -> Reading:
        """Return the reading of one of the two versions."""
        return self.shifted if shifted and self.shifted else self.reading


def contact(sentence: str, reading: Reading) -> Meaning:
    """Make the meaning of a rule that speaks of contact."""
    return Meaning(sentence, reading, touching=True)
