"""How far a test set is from its training set: in what examples are made of, and in how that is combined.

Keysers et al. (2020, "Measuring Compositional Generalization") compare the frequencies of *atoms*, the primitive parts,
and of *compounds*, their combinations. A compositional test has the atoms of training (a small atom divergence) in
other compounds (a large compound divergence). Both are 1 less a Chernoff coefficient; that of compounds has the
exponent 0.1, by which it matters more whether a compound occurs in training at all than how often.

`diverging` splits a collection so that the compounds diverge as much as they can while the atoms do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError

Counts = Mapping[Hashable, int]
Array = npt.NDArray[Any]

ATOMS, COMPOUNDS = 0.5, 0.1  # exponents of the training frequencies, as published
MOST_ATOMS = 0.02  # divergence of atoms that a split may have, as published
PENALTIES = (1.0, 2.0, 4.0, 10.0)  # in turn, what atoms cost that diverge more, in compound divergence


class Parts(NamedTuple):
    """The atoms and the compounds of one example, or of many, with how often each occurs."""

    atoms: Counter[Hashable]
    compounds: Counter[Hashable]


class Divergence(NamedTuple):
    """The divergence of two sets: 0 if frequencies are equal, 1 if nothing is shared, nan if a set has no parts."""

    atom: float
    compound: float


def divergence(train: Parts, test: Parts) -> Divergence:
    """Measure how far a test set is from a training set.

    >>> seen = Parts(Counter("aabb"), Counter(["aa", "bb"]))
    >>> divergence(seen, Parts(Counter("ab"), Counter(["ab"])))
    Divergence(atom=0.0, compound=1.0)
    """
    return Divergence(
        1 - chernoff(train.atoms, test.atoms, ATOMS), 1 - chernoff(train.compounds, test.compounds, COMPOUNDS)
    )


def chernoff(one: Counts, other: Counts, alpha: float) -> float:
    """Return the Chernoff coefficient of two frequency distributions: the sum of p ** alpha * q ** (1 - alpha).

    >>> round(chernoff({"a": 1, "b": 1}, {"a": 2, "b": 6}, 0.5), 4)
    0.9659
    """
    ones, others = sum(one.values()), sum(other.values())
    if not ones or not others:
        return nan
    common = sum(count**alpha * other[name] ** (1 - alpha) for name, count in one.items() if name in other)
    return float(min(1.0, common / (ones**alpha * others ** (1 - alpha))))  # rounding may exceed it


# ---------------------------------------------------------------------------- maximum compound divergence


def diverging(items: Sequence[Parts], *, share: float = 0.2, most_atoms: float = MOST_ATOMS) -> list[int]:
    """Choose the items to test on: a share whose compounds diverge most from those of the remaining items.

    A greedy search: the item that helps most is moved until the share is reached, then items are exchanged while that
    helps, at a growing price of atoms. It is deterministic, and finds a good split, not the best one.

    >>> pairs = [Parts(Counter(pair), Counter([pair])) for pair in ("ab", "ba", "ab", "ba", "ab")]
    >>> diverging(pairs, share=0.4)
    [1, 3]
    """
    wanted = round(share * len(items))
    if not 0 < wanted < len(items):
        raise SpecError(f"a share of {share} of {len(items)} items leaves nothing to train on, or nothing to test on")
    search = _Search(items, most_atoms)
    for _ in range(wanted):
        search.move(search.best(held_out=False))
    for search.penalty in PENALTIES:
        for _ in items:
            if not search.exchange():
                break
    return [int(item) for item in np.flatnonzero(search.held_out)]


class _Search:
    """A split that items are moved within, and what every move would give."""

    def __init__(self, items: Sequence[Parts], most_atoms: float) -> None:
        self.held_out = np.zeros(len(items), bool)
        self.atoms = _Frequencies([item.atoms for item in items], ATOMS)
        self.compounds = _Frequencies([item.compounds for item in items], COMPOUNDS)
        self.most_atoms = most_atoms
        self.penalty = PENALTIES[0]

    def score(self) -> float:
        return float(self._scores(self.compounds.now(), self.atoms.now()))

    def best(self, *, held_out: bool) -> int:
        """Find the item whose move to the other side of the split gains most; the first of several."""
        signs = np.where(self.held_out, -1.0, 1.0)
        scores = self._scores(self.compounds.moved(signs), self.atoms.moved(signs))
        return int(np.where(self.held_out == held_out, scores, -np.inf).round(12).argmax())

    def move(self, item: int) -> None:
        sign = -1 if self.held_out[item] else 1
        self.held_out[item] ^= True
        self.atoms.move(item, sign)
        self.compounds.move(item, sign)

    def exchange(self) -> bool:
        """Exchange two items between the sides of the split, and undo the exchange if it does not help."""
        before = self.score()
        back = self.best(held_out=True)
        self.move(back)
        instead = self.best(held_out=False)
        self.move(instead)
        if self.score() > before + 1e-12:
            return True
        self.move(instead)
        self.move(back)
        return False

    def _scores(self, compounds: Array, atoms: Array) -> Array:
        return compounds - self.penalty * np.maximum(0, atoms - self.most_atoms)


class _Frequencies:
    """How often each name occurs on both sides of a split.

    An item changes the sum behind a Chernoff coefficient in its own names alone, so that all moves are weighed in one
    pass over the names of all items.
    """

    def __init__(self, items: Sequence[Counts], alpha: float) -> None:
        places: dict[Hashable, int] = {}
        cells = [
            (row, places.setdefault(name, len(places)), n) for row, item in enumerate(items) for name, n in item.items()
        ]
        rows, names, counts = np.array(cells, np.int64).reshape(-1, 3).T
        self.rows, self.names, self.counts = rows, names, counts.astype(np.float64)
        self.total = len(items)
        self.sizes = np.bincount(rows, self.counts, self.total)
        self.train = np.bincount(names, self.counts, len(places))
        self.test = np.zeros(len(places))
        self.alpha = alpha

    def now(self) -> Array:
        """Return the divergence of the two sides of the split as they stand."""
        return self._divergence(*map(np.asarray, (self._common().sum(), self.train.sum(), self.test.sum())))

    def moved(self, signs: Array) -> Array:
        """The divergence after the move of each item: to the test side where its sign is 1, back where it is -1."""
        change = signs[self.rows] * self.counts
        after = self._power(self.train[self.names] - change, self.test[self.names] + change)
        common = self._common()
        sums = common.sum() + np.bincount(self.rows, after - common[self.names], self.total)
        return self._divergence(sums, self.train.sum() - signs * self.sizes, self.test.sum() + signs * self.sizes)

    def move(self, item: int, sign: int) -> None:
        own = self.rows == item
        np.subtract.at(self.train, self.names[own], sign * self.counts[own])
        np.add.at(self.test, self.names[own], sign * self.counts[own])

    def _common(self) -> Array:
        return self._power(self.train, self.test)

    def _power(self, train: Array, test: Array) -> Array:
        return train**self.alpha * test ** (1 - self.alpha)

    def _divergence(self, common: Array, train: Array, test: Array) -> Array:
        whole = self._power(train, test)
        return 1 - np.divide(common, whole, out=np.zeros_like(whole), where=whole > 0)
