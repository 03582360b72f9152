"""Questions come with the options of their template, and answers are read as words."""

from __future__ import annotations

import pytest

import unseen
from unseen.benchmarks.covr import prompt
from unseen.benchmarks.covr.questions.templates import TEMPLATES
from unseen.core.asking import Manner, Unusable


@pytest.mark.parametrize("options", [{}, {"images": "3d", "renderer": "none"}])
def test_the_answer_is_among_the_options_of_every_template(options):
    seen = set()
    for question in unseen.load("covr/iid", "test", **options)[:300]:
        offered = prompt.options(question)
        assert prompt.truth(question) in offered
        assert len(set(offered)) == len(offered) > 1
        seen.add(question.record.template)
    assert len(seen) >= len(TEMPLATES) - 1


def test_options_do_not_depend_on_the_answer():
    offered = {}
    for question in unseen.load("covr/iid", "test")[:400]:
        if question.record.template in ("verify_attr", "count_ref"):
            offered.setdefault(question.record.template, set()).add(prompt.options(question))
    assert all(len(found) == 1 for found in offered.values())


@pytest.mark.parametrize(
    ("text", "strict", "lenient"),
    [
        ("true", "true", "true"),
        ("True.", "true", "true"),
        ("Yes", "yes", "true"),
        ("Yes, both of them do.", None, "true"),
        ("The answer is: two", "the answer is: two", "2"),
        ("**red**", "**red**", "red"),
        ("I looked at all images.\n\nIt is a trash can.", None, "trash can"),
        ("", None, None),
        ("I cannot tell from the images that you show me", None, None),
    ],
)
def test_an_answer_is_a_word_or_a_few(text, strict, lenient):
    question = unseen.load("covr/iid", "test")[0]
    for expected, manner in ((strict, Manner()), (lenient, Manner(lenient=True))):
        found = prompt.parse(text, question, manner)
        assert isinstance(found, Unusable) if expected is None else found == expected


def test_an_answer_that_is_no_option_is_unusable():
    question = unseen.load("covr/iid", "test")[0]
    manner = Manner(form="options")
    assert prompt.parse_option("chocolate", question, manner) == "the answer is not one of the options"
    found = prompt.parse_option("It looks like plastic to me, really", question, Manner(form="options", lenient=True))
    assert found == "plastic" or isinstance(found, Unusable)


def test_statements_are_called_so():
    questions = unseen.load("covr/iid", "test")[:60]
    for question in questions:
        text = prompt.write(question, (), Manner())[-1]
        asks = question.inputs["text"].endswith("?")
        assert text.startswith("Question: " if asks else "Statement: ")
