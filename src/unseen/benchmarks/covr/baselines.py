"""Answers to questions without training: from the answers of training questions, or by running the question's program.

All but the last look at no image. What they know of a question is its template, as from an oracle, and its text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from unseen.benchmarks.covr.questions.execute import execute
from unseen.benchmarks.covr.questions.question import answer_text
from unseen.core.random import Stream, path_key
from unseen.core.task import Example

LOOKED_AT = 5_000  # training questions; answers are balanced, so that more would change little

Training = Sequence[Example]
Answer = Callable[[Example], str]
Counts = Counter[str]


def majority(training: Training) -> Answer:
    """MAJ: the commonest answer of all training questions, whatever is asked."""
    answer = commonest(Counter(answer_text(example.record.answer) for example in training[:LOOKED_AT]))
    return lambda example: answer


def template_majority(training: Training) -> Answer:
    """MAJTEMPL: the commonest answer of the question's template; of two alternatives one at random, as published."""
    seen = by_clue(training, lambda record: [record.template])

    def answer(example: Example) -> str:
        record = example.record
        if named := alternatives(record):
            key = path_key(example.index, "majtempl", example.task.name, example.split)
            return Stream(key).choice(named)
        return commonest(seen.get(record.template) or sum(seen.values(), Counter()))

    return answer


def prior(training: Training) -> Answer:
    """The commonest answer to the same text, else to the same last step of the same template, else of the template."""
    seen = by_clue(training, clues)

    def answer(example: Example) -> str:
        named = alternatives(example.record)
        for clue in clues(example.record):
            found = Counter({one: count for one, count in seen[clue].items() if not named or one in named})
            if found:
                return commonest(found)
        return named[0] if named else commonest(sum(seen.values(), Counter()))

    return answer


def execution(training: Training) -> Answer:
    """Return the question's own program, run on the true scenes: right by construction."""

    def answer(example: Example) -> str:
        scene = example.scene
        return answer_text(execute(scene["program"], scene["scenes"]))

    return answer


UNTRAINED = {"maj": majority, "majtempl": template_majority, "prior": prior, "executor": execution}


def clues(record: Any) -> Iterator[Hashable]:
    """Return what a question may be recognized by, the most telling first."""
    yield record.text
    yield record.template, record.program[-1]
    yield record.template


def by_clue(training: Training, clues: Callable[[Any], Any]) -> defaultdict[Hashable, Counts]:
    """Tell how often training questions with a clue have which answer."""
    seen: defaultdict[Hashable, Counts] = defaultdict(Counter)
    for example in training[:LOOKED_AT]:
        for clue in clues(example.record):
            seen[clue][answer_text(example.record.answer)] += 1
    return seen


def alternatives(record: Any) -> tuple[str, ...]:
    """Return the two answers that a question names, if it does."""
    last = record.program[-1]
    return tuple(last.arguments) if last.operation.startswith("choose_") else ()


def commonest(counts: Counts) -> str:
    """Return the most frequent answer, of several the first in the alphabet."""
    return min(counts, key=lambda answer: (-counts[answer], answer))
