"""What a set of questions is like: the numbers of the paper's Table 3, and the distributions of its Figures 4 to 6."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean
from typing import Any

from unseen.benchmarks.covr.questions.program import anonymous
from unseen.benchmarks.covr.questions.properties import CODE_NAMES, NAMED, SORTS, holds, placed_rows, sort_of
from unseen.benchmarks.covr.questions.question import Question, answer_text
from unseen.benchmarks.covr.splits import HELD_OUT

ANSWERS = 30  # most frequent ones that are shown
OPERATORS = ("find", "filter", "with_relation")

Numbers = dict[Any, float]


def describe(records: Iterable[Question]) -> dict[str, Numbers]:
    """Tables by title, each a number by what it is of."""
    questions = list(records)
    if not questions:
        return {}
    properties = {name: mean(map(has, questions)) for name, has in NAMED.items() if not name.startswith("tpl-")}
    return {
        "questions (Table 3)": numbers(questions),
        "templates": in_order(CODE_NAMES[question.template] for question in questions),
        f"most frequent answers but true and false (Figure 4), {ANSWERS} at most": frequent_answers(questions),
        "images of a question (Figure 5)": in_order(len(question.scenes) for question in questions),
        **{f"{name} in a question (Figure 6)": occurrences(questions, name) for name in OPERATORS},
        "share of questions with a property": properties,
        "share of questions that a setup holds out": {
            task: mean(map(holds(expression), questions)) for task, expression in HELD_OUT.items()
        },
    }


def numbers(questions: Sequence[Question]) -> Numbers:
    """The rows of Table 3, the share of questions whose text occurs with several answers, and that of one answer."""
    answers = defaultdict(set)
    for question in questions:
        answers[question.text].add(question.answer)
    given = Counter(answer_text(question.answer) for question in questions)
    sorts = Counter(map(sort_of, questions))
    return {
        "questions": len(questions),
        "unique questions": len(answers),
        "unique answers": len(given),
        "unique images": len({image for question in questions for image in question.scenes}),
        "unique anonymized programs": len({anonymous(question.program) for question in questions}),
        **{sort: sorts[sort] for sort in SORTS},
        "words of a question": mean(len(question.text.split()) for question in questions),
        "words of a paraphrase": mean(len(question.paraphrase.split()) for question in questions),
        "images of a question": mean(len(question.scenes) for question in questions),
        "share with several answers": mean(len(answers[question.text]) > 1 for question in questions),
        "share of the most frequent answer": max(given.values()) / len(questions),
    }


def frequent_answers(questions: Iterable[Question]) -> Numbers:
    """Return the most frequent answers that are no truth values, and how often each occurs."""
    counts = Counter(answer_text(one.answer) for one in questions if not isinstance(one.answer, bool))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:ANSWERS])


def occurrences(questions: Iterable[Question], operation: str) -> Numbers:
    """Count the questions in which an operator occurs once, twice and so on, nested programs included."""
    return in_order(sum(row.operation == operation for row, _ in placed_rows(question)) for question in questions)


def in_order(values: Iterable[Any]) -> Numbers:
    """Count how often each value occurs, in the order of the values."""
    return dict(sorted(Counter(values).items()))
