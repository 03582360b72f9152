"""Every form of every benchmark: a right answer is worth 1, a wrong one less, and an unusable one says why."""

from __future__ import annotations

import json
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import unseen
from unseen.core.asking import Manner, Pictures, Unusable, forms_of
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import SpecError, UnknownName
from unseen.metrics import METRICS
from unseen.predict.item import headline, item_of, items, value_of

TASKS = {
    "cogitao": "cogitao/c1-1",
    "cvr": "cvr/shape",
    "svib": "svib/dsprites-mna",
    "video": "video/vmds",
    "covr": "covr/iid",
}
FORMS = [(name, form) for name in TASKS for form in forms_of(BENCHMARKS[name])]
NONSENSE = ("", "   ", "I cannot see any image.", "[[[", "9999999999999999999999", "null", "{}", "[1, 2", "-3", "\x00")


def first(name, form, count=4, **manner):
    task = unseen.task(TASKS[name])
    found = items(task, "test", Manner(form=form, **manner))
    return [next(found) for _ in range(count)]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_a_right_answer_is_worth_one_and_nothing_is_worth_more(name, form):
    for item in first(name, form):
        prediction, unusable = item.read(item.form.say(item.form.truth(item.example)))
        assert unusable is None
        assert value_of(item, prediction) == 1.0


@pytest.mark.parametrize(("name", "form"), FORMS)
@pytest.mark.parametrize("lenient", [False, True])
def test_what_is_no_answer_is_unusable_in_a_sentence_and_worth_nothing(name, form, lenient):
    (item,) = first(name, form, 1, lenient=lenient)
    for text in NONSENSE:
        prediction, unusable = item.read(text)
        if unusable is not None:
            assert unusable.startswith(("the answer", "an object of the answer", "a box of the answer"))
            assert value_of(item, prediction) == 0.0
    assert item.read("")[1] == "the answer is empty"


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_a_lenient_reading_finds_the_answer_in_prose(name, form):
    (item,) = first(name, form, 1, lenient=True)
    right = item.form.say(item.form.truth(item.example))
    for text in (f"Let me think.\n\nThe answer is {right}", f"Well:\n```\n{right}\n```"):
        prediction, unusable = item.read(text)
        assert unusable is None, text
        assert value_of(item, prediction) == 1.0


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_the_same_example_gives_the_same_parts(name, form):
    one, other = (first(name, form, 1)[0] for _ in range(2))
    for a, b in zip(one.parts, other.parts, strict=True):
        if isinstance(a, Pictures):
            assert a.names == b.names
            assert all(np.array_equal(x, y) for x, y in zip(a.images, b.images, strict=True))
        else:
            assert a == b


@pytest.mark.parametrize(("name", "form"), [("cogitao", "images"), ("svib", "factors"), ("video", "boxes")])
def test_an_answer_of_many_words_is_nowhere_in_the_item(name, form):
    for item in first(name, form):
        said = item.form.say(item.form.truth(item.example))
        assert not any(said in part for part in item.parts if isinstance(part, str))


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_views_have_metrics_of_their_own(name, form):
    declared = forms_of(BENCHMARKS[name])[form]
    assert declared.own == (not declared.metrics)
    for metric in declared.metrics:
        assert METRICS[metric].kind == "view"
    task = unseen.task(TASKS[name])
    assert METRICS[headline(task, declared)].kind == (task.kind.name if declared.own else "view")


@pytest.mark.parametrize("shots", [0, 1, 5])
def test_solved_problems_share_the_rule_and_leave_the_item_out(shots):
    task = unseen.task("cvr/custom", rules="shape,inside,size", samples=40)
    found = items(task, "train", Manner(shots=shots))
    for item in (next(found) for _ in range(6)):
        assert len(item.shown) == shots
        assert {one.record.rule for one in item.shown} <= {item.example.record.rule}
        assert item.example.index not in {one.index for one in item.shown}
        assert len({one.index for one in item.shown}) == shots
        assert sum(isinstance(part, Pictures) for part in item.parts) == shots + 1


def test_too_few_examples_to_show_are_a_sentence():
    task = unseen.task("cvr/custom", rules="shape,inside", samples=2)
    with pytest.raises(SpecError, match="too few training examples like the item to show 5"):
        next(items(task, "test", Manner(shots=5)))


def test_a_rule_is_said_only_where_it_is_asked_for():
    problem = unseen.load("cvr/shape", "test")[0]
    assert "the same shape" in item_of(problem, Manner(rule=True)).parts[0]
    assert "the same shape" not in item_of(problem, Manner()).parts[0]


def test_an_unknown_form_and_an_option_without_meaning_are_refused():
    problem = unseen.load("cvr/shape", "test")[0]
    with pytest.raises(UnknownName, match="no form named 'even' in cvr"):
        item_of(problem, Manner(form="even"))
    with pytest.raises(SpecError, match="names means nothing to the form odd of cvr; it takes shots, rule"):
        item_of(problem, Manner(names="coded"))


def test_without_rule_and_examples_nobody_can_imagine_the_next_image():
    with pytest.raises(SpecError, match="nobody can know the rule"):
        _ = item_of(unseen.load("svib/dsprites-sa", "test")[0], Manner(shots=0)).parts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "the answer names 0 of 2 objects"),
        ("{}", "the answer is not a list of objects"),
        ('[{"color": "pink"}, {}]', "the answer has no color that is in the list"),
        ('[{"color": ["green"]}, {}]', "the answer has no color that is in the list"),
    ],
)
def test_factors_that_do_not_exist_are_unusable(text, reason):
    (item,) = first("svib", "factors", 1)
    assert item.read(text)[1] == reason


@pytest.mark.parametrize(
    "box",
    [
        [0, 0, 0, 5],
        [5, 0, 1, 5],
        [0, 0, 1, 1001],
        [0, 0, 1],
        "box",
        [0, 0, True, 1],
        [0, 0, 1e999, 1],
        {},
        [0, 0, 10**400, 1],
    ],
)
def test_a_box_that_is_none_is_unusable(box):
    (item,) = first("video", "boxes", 1)
    assert item.read(json.dumps([[box] * item.example.record.frames]))[1].startswith(
        "a box of the answer is not four numbers"
    )


def test_unusable_is_a_text_that_answers_cannot_be():
    assert isinstance(Unusable("why"), str)
    assert not isinstance("true", Unusable)


PIECES = st.sampled_from(
    (
        *("[", "]", "{", "}", "[[", "]]", ",", ":", '"', "null", "NaN", "1e999", "-", "0", "7", "9" * 12, "true", "\n"),
        *('"color"', '"green"', "yes", "the answer is", "```", "```json\n", "image 3", "\u00b2", "\u0663", "\x00", " "),
    )
)


@pytest.mark.parametrize(("name", "form"), FORMS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.one_of(st.lists(PIECES, max_size=25).map("".join), st.text(max_size=60)), lenient=st.booleans())
def test_no_text_breaks_a_parser(name, form, text, lenient):
    (item,) = cached(name, form, lenient)
    prediction, unusable = item.read(text)
    value = value_of(item, prediction)
    assert value <= 1
    assert unusable is None or value == 0


@cache
def cached(name, form, lenient):
    return tuple(first(name, form, 1, lenient=lenient))


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_long_answers_are_read_in_no_time(name, form):
    (item,) = cached(name, form, True)
    for text in ("[" * 100_000, "[[0, " * 20_000, "1 " * 50_000, "a" * 200_000, '{"a":' * 50_000, "```" * 30_000):
        began = time.process_time()
        item.read(text)
        assert time.process_time() - began < 2
