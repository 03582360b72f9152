"""Choosing from many questions, so that no answer and no structure is frequent (appendix C of the paper).

Every template gets the same number of questions. Of its questions, those whose text occurs with several answers come
first; then, one at a time, a question whose answer is the least frequent so far, and among these one whose subgraph has
the least frequent size and depth. Where there are more questions with several answers than are wanted (the paper had
fewer), they are chosen by the same rule, all questions of a text together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.world.subgraph import depth, length
from unseen.core.random import Stream


def balanced(questions: Mapping[str, Sequence[Question]], size: int, rng: Stream) -> list[Question]:
    """Choose `size` questions, as many of each template as of any other as far as there are, in random order."""
    chosen = [
        question for name, share in shares(questions, size).items() for question in ordered(questions[name], share, rng)
    ]
    rng.shuffle(chosen)
    return chosen


def shares(questions: Mapping[str, Sequence[Question]], size: int) -> dict[str, int]:
    """Tell how many questions each template gives: what one lacks is shared among the others.

    >>> shares({"a": [0] * 9, "b": [0], "c": [0] * 9}, 10)
    {'a': 5, 'b': 1, 'c': 4}
    """
    given = dict.fromkeys(questions, 0)
    left = min(size, sum(map(len, questions.values())))
    while left:
        for name in [name for name in questions if given[name] < len(questions[name])][:left]:
            given[name] += 1
            left -= 1
    return given


def ordered(questions: Sequence[Question], size: int, rng: Stream) -> list[Question]:
    """Choose `size` questions of one template."""
    by_text: dict[str, list[Question]] = {}
    for question in questions:
        by_text.setdefault(question.text, []).append(question)
    groups = list(by_text.values())
    rng.shuffle(groups)  # the order decides among equals
    pairs = [group for group in groups if len({question.answer for question in group}) > 1]
    singles = [[question] for group in groups for question in group if group not in pairs]
    chosen: list[Question] = []
    answers: Counter[object] = Counter()
    structures: Counter[tuple[int, int]] = Counter()

    def frequency(group: list[Question]) -> tuple[float, float]:
        return (
            sum(answers[question.answer] for question in group) / len(group),
            sum(structures[structure(question)] for question in group) / len(group),
        )

    for pool in (pairs, singles, [[question] for group in pairs for question in group]):
        while fitting := [group for group in pool if len(group) <= size - len(chosen)]:
            group = min(fitting, key=frequency)
            pool.remove(group)
            new = [question for question in group if question not in chosen]
            chosen += new
            answers.update(question.answer for question in new)
            structures.update(map(structure, new))
    return chosen


def structure(question: Question) -> tuple[int, int]:
    """Size and depth of the source subgraph."""
    return length(question.graphs[0]), depth(question.graphs[0])
