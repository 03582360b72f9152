"""Which words exclude each other, learned from pairs that people judged and from how a corpus uses the words.

The paper asks a large language model that was taught by 6,336 judged pairs. This model knows no language but the
graphs: how often two words are said of the same thing, how often they would be if they had nothing to do with each
other, and how alike the things are that they are said of. What judgements teach it is how much each of these counts.
As published, there is a model for each kind of word, and a judgement overrules it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations_with_replacement, permutations
from math import log, log1p, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.english.exclusivity import DIRECTED, KINDS_OF_WORDS
from unseen.benchmarks.covr.world.scene import Scene
from unseen.core.errors import DataError
from unseen.core.files import write_whole

Judged = Mapping[tuple[str, str, str], float]  # kind, word, other -> probability that they exclude each other
Numbers = npt.NDArray[np.float64]

UNSURE = 0.5  # added to counts, so that what was never seen is not impossible
RIDGE = 1.0  # how strongly weights are held near 0
ROUNDS = 25  # of Newton's method at most


class Uses:
    """How a corpus uses the words of one kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.said: Counter[str] = Counter()  # occasions on which a word is said
        self.together: Counter[tuple[str, str]] = Counter()  # on which two are
        self._occasions: Counter[Hashable] = Counter()  # by sort
        self._by_sort: defaultdict[str, Counter[Hashable]] = defaultdict(Counter)
        self._beside: defaultdict[str, Counter[Hashable]] = defaultdict(Counter)  # what a word is said with
        self._vectors: dict[str, tuple[dict[Hashable, float], float]] = {}

    def add(self, sort: Hashable, words: Iterable[str]) -> None:
        """Count an occasion, such as one object, whose sort is its name, and the words that are said on it."""
        said = sorted(set(words))
        self._occasions[sort] += 1
        self.said.update(said)
        self.together.update(permutations(said, 2))
        for word in said:
            self._by_sort[word][sort] += 1

    def add_beside(self, word: str, other: Hashable) -> None:
        """Count what a word is said with."""
        self._beside[word][other] += 1

    def candidates(self) -> list[tuple[str, str]]:
        """Pairs worth judging, as published: words of one kind that are said with the same words."""
        by_other: defaultdict[Hashable, set[str]] = defaultdict(set)
        for word, others in self._beside.items():
            for other in others:
                by_other[other].add(word)
        return sorted({pair for words in by_other.values() for pair in permutations(words, 2)})

    def features(self, word: str, other: str) -> list[float]:
        """Return what is known of a pair, as numbers."""
        both, apart = self.together[word, other], self._expected(word, other)
        said, said_other = self.said[word], self.said[other]
        return [
            log((both + UNSURE) / (apart + UNSURE)),
            log1p(apart),
            both / (said + 1),
            both / (said_other + 1),
            self._likeness(word, other),
            self._covered(word, other),
            self._covered(other, word),
            _spelled_alike(word, other),
            float(word.split()[-1] == other.split()[-1]),
            log1p(said),
            log1p(said_other),
        ]

    def _expected(self, word: str, other: str) -> float:
        """On how many occasions both would be said if they had nothing to do with each other."""
        ones, others = self._by_sort[word], self._by_sort[other]
        return sum(ones[sort] * others[sort] / self._occasions[sort] for sort in ones.keys() & others.keys())

    def _likeness(self, word: str, other: str) -> float:
        (one, length), (two, length_other) = self._vector(word), self._vector(other)
        return sum(one[key] * two[key] for key in one.keys() & two.keys()) / (length * length_other)

    def _vector(self, word: str) -> tuple[dict[Hashable, float], float]:
        """What a word is said with, common things counting less, and the vector's length."""
        if word not in self._vectors:
            vector = {other: log1p(count) for other, count in self._beside[word].items()}
            self._vectors[word] = vector, sqrt(sum(value**2 for value in vector.values())) or 1.0
        return self._vectors[word]

    def _covered(self, word: str, other: str) -> float:
        """The share of what a word is said with that another is said with, too."""
        beside, others = self._beside[word], self._beside[other]
        return sum(count for key, count in beside.items() if key in others) / (beside.total() or 1)


def uses_of(scenes: Iterable[Scene]) -> dict[str, Uses]:
    """Tell how scene graphs use words, by kind.

    Attributes are said of objects, relations of two objects, and nouns of images: a thing has one name, so that two
    nouns never meet on one thing, but people who call it by one of two names seldom use both in an image.
    """
    found = {kind: Uses(kind) for kind in KINDS_OF_WORDS}
    nouns, attributes, relations = (found[kind] for kind in KINDS_OF_WORDS)
    for scene in scenes:
        nouns.add(scene.location, (thing.name for thing in scene.things.values()))
        for thing in scene.things.values():
            attributes.add(thing.name, thing.attributes)
            for attribute in thing.attributes:
                attributes.add_beside(attribute, thing.name)
                nouns.add_beside(thing.name, attribute)
            to: defaultdict[str, list[str]] = defaultdict(list)
            for relation in thing.relations:
                to[relation.target].append(relation.name)
            for target, names in to.items():
                other = scene.things[target].name
                relations.add((thing.name, other), names)
                for name in names:
                    relations.add_beside(name, (thing.name, other))
                    nouns.add_beside(thing.name, (name, "subject"))
                    nouns.add_beside(other, (name, "object"))
    return found


# ---------------------------------------------------------------------------- the model


class Pairs:
    """The probability that two words exclude each other, an `Exclusive` like the lexicon's."""

    def __init__(self, uses: Mapping[str, Uses], judged: Judged) -> None:
        self.uses, self.judged = uses, dict(judged)
        kinds = {kind for kind, _, _ in judged}
        self.weights = {kind: _fitted(*self._judged_features(kind)) for kind in kinds}

    def _judged_features(self, kind: str) -> tuple[list[list[float]], list[float]]:
        of_kind = [(word, other, value) for (one, word, other), value in self.judged.items() if one == kind]
        return [self.uses[kind].features(word, other) for word, other, _ in of_kind], [value for *_, value in of_kind]

    def __call__(self, kind: str, word: str, other: str) -> float:
        """The judgement of a pair, or else what the model makes of it."""
        if (kind, word, other) in self.judged:
            return self.judged[kind, word, other]
        if word == other or kind not in self.weights:
            return 0.0
        ways = [(word, other)] if kind in DIRECTED else [(word, other), (other, word)]
        return float(np.mean([self.weights[kind](self.uses[kind].features(*way)) for way in ways]))

    def write(self, path: str | Path) -> None:
        """Write a table for `exclusive=`: every pair that is said with the same words."""
        write_whole(Path(path), "".join(self._lines()).encode())

    def _lines(self) -> Iterator[str]:
        yield "# kind, word, other, probability that they exclude each other\n"
        for kind in self.weights:
            for word, other in self.uses[kind].candidates():
                if kind in DIRECTED or word < other:
                    yield f"{kind}\t{word}\t{other}\t{self(kind, word, other):.3f}\n"


class _Logistic:
    """Logistic regression on features and their products."""

    def __init__(self, mean: Numbers, scale: Numbers, weights: Numbers) -> None:
        self.mean, self.scale, self.weights = mean, scale, weights

    def __call__(self, features: list[float]) -> float:
        return float(_chance(_spread((np.array([features]) - self.mean) / self.scale) @ self.weights)[0])


def _fitted(features: list[list[float]], targets: list[float]) -> _Logistic:
    """Fit by Newton's method, which takes no steps to choose and no chance."""
    if len({target > UNSURE for target in targets}) < 2:
        raise DataError("of each kind of words, judge some pairs that exclude each other and some that do not")
    x, y = np.array(features), np.array(targets)
    mean, scale = x.mean(0), x.std(0) + 1e-9
    x = _spread((x - mean) / scale)
    weights = np.zeros(x.shape[1])
    held = np.full(x.shape[1], RIDGE)
    held[0] = 1e-6  # not the constant
    for _ in range(ROUNDS):
        p = _chance(x @ weights)
        slope = x.T @ (p - y) + held * weights
        step = np.linalg.solve((x.T * (p * (1 - p))) @ x + np.diag(held), slope)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return _Logistic(mean, scale, weights)


def _spread(x: Numbers) -> Numbers:
    """A constant, every feature, and every product of two."""
    products = [x[:, i] * x[:, j] for i, j in combinations_with_replacement(range(x.shape[1]), 2)]
    return np.column_stack([np.ones(len(x)), x, *products])


def _chance(value: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-np.clip(value, -30, 30)))


def _spelled_alike(word: str, other: str) -> float:
    """The share of the three-letter pieces of two words that both have."""
    one, two = ({f" {text} "[i : i + 3] for i in range(len(text))} for text in (word, other))
    return len(one & two) / len(one | two)
