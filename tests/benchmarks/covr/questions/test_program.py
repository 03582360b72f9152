"""Programs: written, read, typed, and run over scenes small enough to check by eye."""

from __future__ import annotations

from inspect import signature

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr import execute
from unseen.benchmarks.covr.questions import operators
from unseen.benchmarks.covr.questions.execute import items, referents, table
from unseen.benchmarks.covr.questions.operators import OPERATORS
from unseen.benchmarks.covr.questions.program import (
    BadProgram,
    Row,
    anonymous,
    from_rows,
    nested,
    parse,
    problems,
    to_rows,
    written,
)
from unseen.benchmarks.covr.world.scene import from_gqa


def relation(name, object, *prepositions):
    modifiers = [{"name": name, "object": object} for name, object in prepositions]
    return {"name": name, "object": object} | ({"prepositions": modifiers} if modifiers else {})


def thing(name, attributes=(), relations=()):
    return {"name": name, "attributes": list(attributes), "relations": list(relations)}


SCENES = {
    "1": {
        "objects": {
            "hat": thing("hat", ["red"]),
            "man": thing("man", ["tall"], [relation("wearing", "hat"), relation("near", "dog")]),
            "dog": thing("dog", ["black", "wet"]),
            "boy": thing("man", ["short"], [relation("holding", "hat")]),
        }
    },
    "2": {
        "objects": {
            "cap": thing("hat", ["red", "striped"]),
            "woman": thing("woman", [], [relation("wearing", "cap"), relation("with", "cap")]),
            "cook": thing(
                "woman", [], [relation("uncorking", "bottle", ("uncorking:_with", "screw")), relation("near", "cap")]
            ),
            "bottle": thing("bottle", ["green", "white"]),
            "screw": thing("corkscrew"),
        }
    },
}

CASES = {  # program -> value
    "scene()": ["hat", "man", "dog", "boy", "cap", "woman", "cook", "bottle", "screw"],
    'find("man")': ["man", "boy"],
    'find(["hat", "dog"])': ["hat", "dog", "cap"],
    'find("unicorn")': [],
    'find("man"); with_relation(#0)': ["man", "boy"],
    'find("man"); with_relation_object(#0)': ["hat", "dog"],
    "find(null); count(#0)": 9,
    "find([]); count(#0)": 9,
    'scene(); filter(#0, "red")': ["hat", "cap"],
    'scene(); filter(#0, ["black", "striped"])': ["dog", "cap"],
    'find("hat"); scene(); with_relation(#1, #0, "wearing")': ["man", "woman"],
    'find("hat"); scene(); with_relation(#1, #0)': ["man", "boy", "woman", "cook"],
    'scene(); with_relation(#0, null, "near")': ["man", "cook"],
    'find("unicorn"); scene(); with_relation(#1, #0, "near")': [],
    'find("corkscrew"); find("woman"); with_relation(#1, #0, "uncorking:_with")': ["cook"],
    'find("man"); scene(); with_relation_object(#0, #1, "wearing")': ["hat"],
    'scene(); with_relation_object(#0, null, "near")': ["dog", "cap"],
    'scene(); with_relation_object(#0, #0, ["near", "wearing"])': ["hat", "dog", "cap"],
    'find("dog"); unique(#0)': "dog",
    'find("dog"); assert_unique(#0)': ["dog"],
    'find("dog"); unique(#0); query_name(#1)': "dog",
    'find("hat"); filter(#0, "striped"); unique(#1); query_attr(#2, "color")': "red",
    'find("dog"); unique(#0); query_attr(#1, "shape")': None,
    'find("dog"); unique(#0); query_attr(#1, "flavor")': None,
    'find("dog"); unique(#0); verify_attr(#1, "black")': True,
    'find("dog"); unique(#0); choose_attr(#1, "white", "wet")': "wet",
    'find("bottle"); unique(#0); choose_attr(#1, "white", "green")': "white",
    'find("dog"); unique(#0); choose_name(#1, "cat", "dog")': "dog",
    'find("dog"); unique(#0); choose_name(#1, "cat", "dog"); eq(#2, "dog")': True,
    'find("man"); filter(#0, "tall"); unique(#1); find("hat"); relation_between_nouns(#2, #3); unique(#4);'
    ' query_name(#5); choose_relation(#6, "holding", "wearing")': "wearing",
    'find("woman"); with_relation(#0, null, "wearing"); unique(#1); find("hat"); relation_between_nouns(#2, #3)': [
        "wearing"
    ],
    'find("hat"); filter(#0, "striped"); unique(#1); query_common_attribute(#2, #2)': "color",
    'find("man"); unique_images(#0)': ["1"],
    'find("hat"); unique_images(#0); count(#1)': 2,
    'find("hat"); exists(#0)': True,
    'find("man"); group_by_images(#0)': {"1": ["man", "boy"]},
    'find("woman"); group_by_images(#0); keep_if_values_count_eq(#1, 2); keys(#2)': ["2"],
    'find("hat"); group_by_images(#0); keep_if_values_count_geq(#1, 2); count(#2)': 0,
    'find("man"); group_by_images(#0); keep_if_values_count_leq(#1, 5); keys(#2); count(#3)': 1,
    'find("man"); count(#0); find("dog"); count(#2); gt(#1, #3)': True,
    'find("man"); count(#0); lt(#1, 2)': False,
    'find("man"); count(#0); geq(#1, 2)': True,
    'find("man"); count(#0); leq(#1, 1)': False,
    'find("man"); count(#0); gt_half(#1, 4)': False,
    'find("man"); count(#0); gt_half(#1, 3)': True,
    'find("dog"); exists(#0); find("cat"); exists(#2); logic_or(#1, #3)': True,
    'find("dog"); exists(#0); find("cat"); exists(#2); logic_and(#1, #3)': False,
    'find("man"); all(#0, [find("hat"); scene(); with_relation(#1, #0)])': True,
    'find("man"); all(#0, [find("hat"); scene(); with_relation(#1, #0, "wearing")])': False,
    'find("man"); some(#0, [scene(); filter(#0, "short")])': True,
    'find("man"); none(#0, [scene(); filter(#0, "red")])': True,
    'find("cat"); all(#0, [scene(); filter(#0, "red")])': True,
    'find("cat"); some(#0, [scene(); filter(#0, "red")])': False,
    'find("cat"); none(#0, [scene(); filter(#0, "red")])': True,
    'find("hat"); all_same(#0, "color")': True,
    'find("hat"); all_same(#0, "pattern")': False,
    'find("cat"); all_same(#0, "color")': True,
    # a quantifier is a value like any other: rows after it still see the rows before it
    'find("man"); all(#0, [scene(); scene(); filter(#1, "red")]); count(#0); eq(#2, 2); logic_or(#1, #3)': True,
    # ... and nests: the inner program's rows are its own
    'find("man"); some(#0, [find("dog"); scene(); with_relation(#1, #0, "near")])': True,
    "": None,
}

ERRORS = {
    'find("man"); unique(#0)': operators.NonUnique,
    'find("cat"); unique(#0)': operators.NonExistent,
    'find("man"); assert_unique(#0)': operators.NonUnique,
    'find("bottle"); unique(#0); query_attr(#1, "color")': operators.MultipleAttributes,
    'find("dog"); unique(#0); choose_attr(#1, "red", "green")': operators.Neither,
    'find("dog"); unique(#0); choose_name(#1, "cat", "cow")': operators.Neither,
    'find("dog"); unique(#0); find("bottle"); unique(#2); query_common_attribute(#1, #3)': operators.NothingInCommon,
}

WRONG = {
    "fnd()": "no such operator",
    'find("man"); count(#1)': "takes row 1, which is not before it",
    'find("man"); count(#0); unique(#1)': "takes objects or relations, got number",
    'filter("man", "red")': "takes objects, got 'man'",
    'find("man"); filter(#0)': "takes 2 values, got 1",
    "find(3)": "takes words, got 3",
    'find("man"); all(#0, [find("man"); count(#0)])': "does not end in objects",
    'find("man"); all(#0, [find("man"); count(#7)])': "its row 1 (count): takes row 7",
    'find("man"); gt(#0, 2)': "takes number, got objects",
}


@pytest.mark.parametrize("text", CASES)
def test_a_program_has_the_value_that_its_operators_mean(text):
    assert execute(to_rows(parse(text)), SCENES) == CASES[text]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ('find("man"); count(#0); find("dog"); count(#2); gt(#1, #3)', "man boy", "dog"),
        ('find("hat"); find("man"); with_relation(#1, #0, "wearing"); unique_images(#2); count(#3)', "man", "man"),
        ('find("dog"); unique(#0); verify_attr(#1, "black")', "dog", "dog"),
        ('find("dog"); unique(#0); verify_attr(#1, "white")', "dog", ""),
        ('find("hat"); group_by_images(#0); keep_if_values_count_eq(#1, 2); keys(#2); count(#3)', "hat cap", ""),
        ('find("man"); group_by_images(#0); keep_if_values_count_eq(#1, 2); keys(#2); count(#3)', "man boy", "man boy"),
        ('find("man"); some(#0, [find("hat"); scene(); with_relation(#1, #0, "wearing")])', "man boy", "man"),
        ('find("dog"); assert_unique(#0); scene(); with_relation_object(#1, #2, "near"); count(#3)', "dog", ""),
        ("", "", ""),
    ],
)
def test_an_answer_rests_on_the_objects_that_are_asked_about(text, first, last):
    found = referents(parse(text) if text else (), table(items(from_gqa(*scene)) for scene in SCENES.items()))
    assert found == (set(first.split()), set(last.split()))


def test_every_operator_is_run_here():
    rows = [row.operation for text in (*CASES, *ERRORS) for program in nested(parse(text)) for row in program]
    assert set(rows) == set(OPERATORS)


@pytest.mark.parametrize("text", ERRORS)
def test_what_has_no_answer_is_an_error(text):
    with pytest.raises(ERRORS[text]):
        execute(to_rows(parse(text)), SCENES)


@pytest.mark.parametrize("text", WRONG)
def test_a_program_that_cannot_be_run_says_why(text):
    assert any(WRONG[text] in problem for problem in problems(parse(text)))
    with pytest.raises(BadProgram, match="cannot be run"):
        execute(to_rows(parse(text)), SCENES)


@pytest.mark.parametrize("text", ["find(", 'find("man"))', "find; count", "find(man)", "eq(2, #0)", "scene() scene()"])
def test_a_text_that_is_no_program_says_so(text):
    with pytest.raises(BadProgram):
        parse(text)


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=lambda operator: operator.name)
def test_an_operator_can_be_given_as_few_values_as_it_takes(operator):
    optional = [parameter.optional for parameter in operator.takes]
    parameters = list(signature(operator.meaning).parameters.values())[1:]  # after the table
    assert [parameter.default is None for parameter in parameters] == optional


@pytest.mark.parametrize(
    "rows",
    [
        *(3, ["find"], [{"arguments": []}], [{"operation": "find", "arguments": 3}]),
        *([{"operation": "find", "arguments": "man"}], [{"operation": ["find"]}]),
        [{"operation": "scene"}, {"operation": "count", "dependencies": ["0"]}],
    ],
)
def test_rows_that_are_no_program_say_so(rows):
    with pytest.raises(BadProgram, match="a program is a list of rows"):
        from_rows(rows)


words = st.text(min_size=1)
literals = words | st.integers(0, 9) | st.none() | st.booleans() | st.lists(words).map(tuple)
rows = st.builds(
    Row, st.sampled_from(list(OPERATORS)), st.lists(literals).map(tuple), st.lists(st.integers(0, 9)).map(tuple)
)
programs = st.recursive(
    st.lists(rows, min_size=1).map(tuple),
    lambda inner: st.builds(lambda before, condition: (*before, Row("all", (condition,), (0,))), st.lists(rows), inner),
    max_leaves=3,
)


@given(programs)
def test_programs_survive_both_written_forms(program):
    assert parse(written(program)) == program
    assert from_rows(to_rows(program)) == program


@given(programs)
def test_an_anonymous_program_keeps_its_operators_and_nothing_that_is_said(program):
    bare = anonymous(program)
    assert [[row.operation for row in one] for one in nested(bare)] == [
        [row.operation for row in one] for one in nested(program)
    ]
    assert anonymous(bare) == bare
    assert '"' not in written(bare)
