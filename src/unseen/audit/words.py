"""What words tell: naive Bayes over the words of questions, tested on texts that it has not learned from.

Texts are halved by a hash, so that questions of one text are on one side; each half is answered by what the words of
the other half tell. Where every text comes with both answers, words tell nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple
from zlib import crc32

from unseen.core.task import Example
from unseen.metrics.metric import Metric, share

FEWEST = 40  # examples of a group in which a score means something
PRIOR = 5  # questions
TRUTH = ("true", "false")


class Asked(NamedTuple):
    """A question as the solvers see it."""

    text: str
    answer: str
    groups: Mapping[str, str]  # that it is scored in

    @property
    def words(self) -> frozenset[str]:
        """The different words of the text."""
        return frozenset(re.findall(r"\w+", self.text.lower()))

    @property
    def half(self) -> int:
        """The half of the texts that it belongs to."""
        return crc32(self.text.encode()) & 1


@dataclass(frozen=True)
class Words:
    """A solver that answers by the words of a text."""

    name: str
    about: str
    value: Callable[[Sequence[tuple[Asked, str]]], float]  # of questions, each with the solver's answer
    counts: Callable[[str], bool] = lambda answer: True  # which answers it is about

    def tally(self, metrics: Sequence[Metric]) -> Answered:
        """Make an empty tally of questions."""
        return Answered(self)


class Answered:
    """Questions, to be answered when all are known."""

    def __init__(self, solver: Words) -> None:
        self.solver = solver
        self.asked: list[Asked] = []

    def see(self, example: Example, target: Any) -> None:
        """Take one more question."""
        if self.solver.counts(target):
            groups = getattr(example.task.benchmark.file("splits"), "groups", None)
            self.asked.append(Asked(example.inputs["text"], target, groups(example.record) if groups else {}))

    def values(self) -> dict[str, float]:
        """Return the share of right answers, as the solver counts it."""
        halves = [[one for one in self.asked if one.half == half] for half in (0, 1)]
        if not all(halves):
            return {}
        bayes = [Bayes(half) for half in reversed(halves)]
        found = [(one, bayes[one.half].answer(one.words)) for one in self.asked]
        return {"exact": self.solver.value(found)}


class Bayes:
    """Naive Bayes: how likely answers and, given an answer, words are.

    What an answer says of a word counts against what all answers say of it, as much as `PRIOR` questions do; or answers
    that are rare would seem to go with every word.
    """

    def __init__(self, asked: Iterable[Asked]) -> None:
        self.answers: Counter[str] = Counter()
        self.words: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for one in asked:
            self.answers[one.answer] += 1
            self.words[one.answer].update(one.words)
        self.all_words = sum(self.words.values(), Counter[str]())

    def answer(self, words: Iterable[str]) -> str:
        """Return the likeliest answer to a text with these words."""
        usual = {word: self.all_words[word] / self.answers.total() for word in words if word in self.all_words}

        def likelihood(answer: str) -> float:
            count, seen = self.answers[answer], self.words[answer]
            return log(count) + sum(
                log((seen[word] + PRIOR * often) / (count + PRIOR)) for word, often in usual.items()
            )

        return max(sorted(self.answers), key=likelihood)


def accuracy(found: Sequence[tuple[Asked, str]]) -> float:
    """Return the share of questions that are answered rightly."""
    return share(sum(one.answer == answer for one, answer in found), len(found))


def best_group(found: Sequence[tuple[Asked, str]]) -> float:
    """Return the share of questions that are answered rightly, in the group where it is highest."""
    groups: defaultdict[tuple[str, str], list[tuple[Asked, str]]] = defaultdict(list)
    for one, answer in found:
        for group in one.groups.items():
            groups[group].append((one, answer))
    return max((accuracy(some) for some in groups.values() if len(some) >= FEWEST), default=accuracy(found))


WORDS = (
    Words("words", "the likeliest answer by the words of the text", accuracy),
    Words(
        "truth",
        "true or false by the words of the text, in the group of questions where that goes best",
        best_group,
        TRUTH.__contains__,
    ),
)
