"""Prompts have the published form, contexts the published mixture, and answers are read strictly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import unseen
from unseen.benchmarks.cogitao import prompt
from unseen.benchmarks.cogitao.prompt import FORMS, NOTICES, OUTPUT_RULE, Mixture
from unseen.benchmarks.cogitao.rules import PUBLISHED, TRANSFORMATIONS
from unseen.core.asking import Manner, Pictures
from unseen.core.errors import SpecError
from unseen.core.random import Stream

SMALL = {"grid": 3, "max_size": 1, "sequences": "rot90,translate_up", "held_out": "translate_up:rot90"}

GOLDEN = """\
You are an expert in rules that transform grids.

1. Study the examples: each names the transformations that are applied in order to every object of its input.
2. Find out what every transformation does.
3. Apply the transformations named at the end, in their order, to every object of the test input.
A grid is a list of rows; 0 is background, 1 to 9 are colors.

Notice: the test input asks for a combination of transformations that no example shows.

Answer with the output grid alone, as a Python list of lists of integers: no explanation, no code fences.

Transformations: t2
Input 1: [[0, 0, 0], [2, 0, 6], [0, 0, 0]]
Output 1: [[2, 0, 6], [0, 0, 0], [0, 0, 0]]

Transformations to apply: t2, t1
Test Input: [[0, 0, 0], [3, 0, 3], [0, 0, 0]]"""


@pytest.fixture(scope="module")
def c1():
    return unseen.load("cogitao/c1-1", "test"), unseen.load("cogitao/c1-1", "test_ood")


@pytest.fixture(scope="module")
def mixture(c1):
    return Mixture(c1[0])


def write(example, context=(), **manner):
    (text,) = FORMS["grids"].write(example, context, Manner(**manner))
    return text


def parse(text, example, **manner):
    return prompt.parse(text, example, Manner(**manner))


def stream(index=0):
    return Stream(1, index=index)


def test_a_prompt_is_word_for_word_this():
    shown = next(one for one in unseen.load("cogitao/custom", "test", **SMALL) if one.record.sequence[0] != "rot90")
    asked = unseen.load("cogitao/custom", "test_ood", **SMALL)[0]
    assert write(asked, [shown], names="coded") == GOLDEN


def test_demonstrations_share_the_sequence_and_need_no_notice():
    example = unseen.load("cogitao/c1-1", "test_ood", in_context=2)[0]
    text = write(example)
    assert text.count("Transformations: translate_up, rot90\n") == 2
    assert text.endswith(f"to apply: translate_up, rot90\nTest Input: {example.inputs['grid'].tolist()}")
    assert f"Output 2: {example.inputs['demonstration_targets'][1].tolist()}" in text
    assert "Notice" not in text


def test_coded_names_are_the_same_in_all_prompts_of_an_experiment(c1, mixture):
    for example in c1[1][:5]:
        text = write(example, mixture.context(example, 5, stream()), names="coded")
        assert "to apply: t1, t2\n" in text
        assert not any(name in text for name in ("translate_up", "rot90", "mirror_horizontal"))


def test_coded_names_without_examples_are_refused(c1):
    with pytest.raises(SpecError, match="coded names mean nothing without examples"):
        write(c1[0][0], names="coded")


@pytest.mark.parametrize(
    ("task", "fields"), [("c1-1", ["sequences"]), ("g1-1", ["objects"]), ("g2-1", ["grid"]), ("g4-1", [])]
)
def test_a_notice_announces_what_shifts(task, fields):
    shown, asked = unseen.load(f"cogitao/{task}", "test")[0], unseen.load(f"cogitao/{task}", "test_ood")[0]
    text = write(asked, [shown])
    assert [field for field, notice in NOTICES.items() if notice in text] == fields
    assert "Notice" not in write(asked, [shown], notice=False)
    assert "Notice" not in write(shown, [shown])


def test_a_context_of_c1_is_three_single_and_two_double_sequences(c1, mixture):
    for dataset in c1:
        for example in filter(mixture.asks, dataset[:20]):
            context = mixture.context(example, 5, stream(example.index))
            assert [len(one.record.sequence) for one in context] == [1, 1, 1, 2, 2]
            assert len({one.index for one in context}) == 5
            assert {one.split for one in context} == {"test"}


def test_a_query_in_distribution_has_its_sequence_but_not_itself_in_the_context(c1, mixture):
    places = Counter()
    for example in filter(mixture.asks, c1[0][:60]):
        context = mixture.context(example, 5, stream(example.index))
        assert example.index not in [one.index for one in context]
        sequences = [one.record.sequence for one in context]
        assert example.record.sequence in sequences
        places[sequences.index(example.record.sequence)] += 1
    assert len(places) > 1


def test_a_held_out_query_has_its_sequence_in_no_context(c1, mixture):
    for example in c1[1][:20]:
        context = mixture.context(example, 5, stream(example.index))
        assert example.record.sequence not in [one.record.sequence for one in context]


@pytest.mark.parametrize("task", ["c1-1", "c2-1", "c3-4"])
def test_every_transformation_of_a_query_is_shown(task):
    mixture = Mixture(unseen.load(f"cogitao/{task}", "test"))
    for example in unseen.load(f"cogitao/{task}", "test_ood")[:20]:
        context = mixture.context(example, 5, stream(example.index))
        assert set(example.record.sequence) <= {name for one in context for name in one.record.sequence}


def test_queries_are_the_deepest_sequences(c1, mixture):
    assert {len(one.record.sequence) for one in filter(mixture.asks, c1[0][:100])} == {2}


def test_the_same_stream_chooses_the_same_context(c1, mixture):
    first, second = ([one.index for one in mixture.context(c1[0][0], 5, stream())] for _ in range(2))
    assert first == second
    assert first != [one.index for one in mixture.context(c1[0][0], 5, stream(1))]


def test_a_context_larger_than_the_split_is_refused(c1):
    few = Mixture(c1[0][:3])
    assert len(few.context(c1[1][0], 2, stream())) == 2
    with pytest.raises(SpecError, match="3 examples cannot be shown with a query: there are 3 in all"):
        few.context(c1[1][0], 3, stream())


@pytest.fixture(scope="module")
def example():
    return unseen.load("cogitao/custom", "test", grid=2, max_size=1, transformations="rot90", depth=1, objects=1)[0]


@pytest.mark.parametrize("text", ["[[0, 1], [2, 9]]", "  [[0,1],\n [2,9],\n]\n", "[ [ 0 , 1 , ] , [ 2 , 9 ] ]"])
def test_a_list_of_lists_is_a_grid(text, example):
    grid = parse(text, example)
    assert grid.dtype == np.int8
    assert grid.tolist() == [[0, 1], [2, 9]]


NO_LISTS = "the answer is not a list of lists of colors"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("I cannot say.", NO_LISTS),
        ("```python\n[[0, 1], [2, 9]]\n```", NO_LISTS),
        ("Output: [[0, 1], [2, 9]]", NO_LISTS),
        ("[[0, 1], [2, 9]", NO_LISTS),
        ("[0, 1]", NO_LISTS),
        ("[[]]", NO_LISTS),
        ("[[0, 10], [0, 0]]", NO_LISTS),
        ("[[0, -1], [0, 0]]", NO_LISTS),
        ("[[0.0, 1], [0, 0]]", NO_LISTS),
        ("[[True, 1], [0, 0]]", NO_LISTS),
        ("[[0, 1], [2]]", "the answer has rows of different lengths"),
        ("[[0, 1, 2], [2, 9, 0]]", "the answer has another size than the input"),
    ],
)
def test_anything_else_is_unusable_for_a_reason(text, reason, example):
    assert parse(text, example) == reason


@pytest.mark.parametrize(
    "text", ["```python\n[[0, 1], [2, 9]]\n```", "First [[1, 1], [1, 1]], so [[0, 1],\n[2, 9]].", "[[0,1],[2,9]]"]
)
def test_a_lenient_reading_takes_the_last_list_of_lists(text, example):
    assert parse(text, example, lenient=True).tolist() == [[0, 1], [2, 9]]


def test_a_lenient_reading_still_wants_a_grid(example):
    assert parse("no grid", example, lenient=True) == NO_LISTS
    assert parse("It is [[1]].", example, lenient=True) == "the answer has another size than the input"


def test_the_output_rule_is_always_there(c1):
    assert OUTPUT_RULE in write(c1[0][0])


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_prompt_without_examples_defines_every_transformation(name):
    example = unseen.load("cogitao/custom", "test", sequences=name, max_size=5, objects=1)[0]
    text = write(example)
    assert f"\n{name}: {TRANSFORMATIONS[name].description}\n" in text
    assert ("The box of an object is" in text) == ("box" in TRANSFORMATIONS[name].description)
    assert "Find out" not in text


def test_the_sense_of_a_turn_and_its_anchor_are_said():
    text = write(unseen.load("cogitao/custom", "test", sequences="rot90:pad_top")[0])
    assert "a quarter counter-clockwise; the top-left of its box stays" in text
    assert "pad_top: Lay a full line of color 8 along the top side of the box" in text


def test_examples_take_the_place_of_definitions(c1, mixture):
    assert "What the transformations do" not in write(c1[1][0], mixture.context(c1[1][0], 5, stream()))


def test_grids_may_be_images(c1):
    parts = FORMS["images"].write(c1[0][0], (), Manner())
    (drawn,) = [part for part in parts if isinstance(part, Pictures)]
    height, width = c1[0][0].inputs["grid"].shape
    assert parts[0].endswith(f"Test Input, {height} rows and {width} columns:")
    assert "1 for blue" in parts[0]
    assert drawn.images[0].shape[0] == 24 * height + 2
    assert "[[" not in parts[0]
