"""Properties of questions, on programs as templates write them and on deeper ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr.questions.program import parse
from unseen.benchmarks.covr.questions.properties import (
    HELD_OUT,
    HELD_OUT_PAIRS,
    NAMED,
    PROPERTIES,
    TEMPLATES,
    answer_type,
    holds,
    in_lexical_split,
    in_program_split,
    opposite,
    terms,
)
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.world.subgraph import Edge, Node
from unseen.core.errors import UnknownName

MEN_WITH_HATS = 'find("hat"); find("man"); with_relation(#1, #0, "wearing")'
TALL = '[scene(); filter(#0, "tall")]'
WEARING = '[find("hat"); scene(); with_relation(#1, #0, "wearing")]'


def question(program, answer=True, template="quantifier", graphs=()):
    return Question("?", "?", parse(program), ("1",), answer, template, graphs, "1")


# a question for each template, and which of the named properties it has besides its tpl-
TEMPLATE_QUESTIONS = {
    "verifyattr": (f'{MEN_WITH_HATS}; unique(#2); verify_attr(#3, "tall")', True, {"ans-bool"}),
    "chooseattr": (f'{MEN_WITH_HATS}; unique(#2); choose_attr(#3, "tall", "short")', "tall", {"ans-attr"}),
    "queryattr": (f'{MEN_WITH_HATS}; unique(#2); query_attr(#3, "color")', "red", {"ans-attr"}),
    "comparecount": (
        f'{MEN_WITH_HATS}; count(#2); find("dog"); filter(#4, "red"); count(#5); gt(#3, #6)',
        False,
        {"has-compar", "has-compar-more", "has-count", "has-attr", "ans-bool"},
    ),
    "count": (f"{MEN_WITH_HATS}; count(#2)", 3, {"has-count", "ans-num"}),
    "verifycount": (f"{MEN_WITH_HATS}; count(#2); geq(#3, 3)", True, {"has-count", "has-num", "ans-bool"}),
    "countgroupby": (
        'find("dog"); group_by_images(#0); keep_if_values_count_eq(#1, 2); keys(#2); count(#3)',
        0,
        {"has-groupby", "has-count", "has-num", "ans-num"},
    ),
    "verifycountgroupby": (
        'find("dog"); group_by_images(#0); keep_if_values_count_eq(#1, 2); keys(#2); count(#3); eq(#4, 1)',
        True,
        {"has-groupby", "has-count", "has-num", "ans-bool"},
    ),
    "verifylogic": (
        'find("dog"); exists(#0); find("cat"); exists(#2); logic_and(#1, #3)',
        True,
        {"has-logic", "has-logic-and", "ans-bool"},
    ),
    "verifyquant": (
        f"{MEN_WITH_HATS}; none(#2, {TALL})",
        True,
        {"has-quant", "has-quant-none", "has-quant-compscope", "has-compscope", "has-attr", "ans-bool"},
    ),
    "verifyquantattr": (
        'find("dog"); all_same(#0, "color")',
        False,
        {"has-quant", "has-quant-all", "has-sameattr", "ans-bool"},
    ),
    "chooseobject": (
        'find("man"); assert_unique(#0); scene(); with_relation_object(#1, #2, "wearing"); unique(#3);'
        ' choose_name(#4, "hat", "shirt")',
        "hat",
        {"ans-noun"},
    ),
    "queryobject": (
        'find("man"); assert_unique(#0); scene(); with_relation_object(#1, #2, "wearing"); unique(#3); query_name(#4)',
        "hat",
        {"ans-noun"},
    ),
    "verifysameattr": (
        'find("dog"); unique(#0); query_attr(#1, "color"); find("cat"); unique(#3); query_attr(#4, "color");'
        " eq(#2, #5)",
        True,
        {"has-sameattr", "ans-bool"},
    ),
    "chooserel": (
        'find("man"); unique(#0); find("hat"); relation_between_nouns(#1, #2); unique(#3); query_name(#4);'
        ' choose_relation(#5, "holding", "wearing")',
        "holding",
        {"ans-relation"},
    ),
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_question_of_each_template_has_its_properties_and_no_others(template):
    program, answer, expected = TEMPLATE_QUESTIONS[template]
    asked = question(program, answer, TEMPLATES[template])
    assert {name for name in NAMED if PROPERTIES[name](asked)} == {*expected, f"tpl-{template}"}


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_operators_are_found_however_deep_they_are_nested(depth):
    program = f'find("dog"); all(#0, {TALL})'
    for _ in range(depth):
        program = f'find("cat"); some(#0, [scene(); {program.replace("#0", "#1")}])'
    assert holds("has-quant-all & has-attr")(question(program))
    assert holds("has-quant-some")(question(program)) == (depth > 0)


def test_a_scope_is_judged_among_the_rows_of_its_own_program():
    # row 0 of the outer program is a filter; the nested quantifier ranges over row 0 of its own
    nested = f'find("dog"); find("cat"); filter(#1, "red"); exists(#2); some(#0, [find("hat"); all(#0, {TALL})])'
    assert not holds("has-quant-compscope")(question(nested))
    deep = f'find("dog"); some(#0, [find("hat"); filter(#0, "red"); all(#1, {TALL})])'
    assert holds("has-quant-compscope")(question(deep))


def test_scope_and_condition_with_a_relation_each_are_not_complex():
    assert not holds("rm-v-c")(question(f"{MEN_WITH_HATS}; all(#2, {WEARING})"))


@pytest.mark.parametrize(
    "program",
    [
        f'{MEN_WITH_HATS}; find("dog"); with_relation(#2, #3, "near")',  # two relations of the man
        f'{MEN_WITH_HATS}; find("dog"); with_relation(#3, #2, "near")',  # a dog near a man with a hat
        f'{MEN_WITH_HATS}; filter(#2, "tall"); find("dog"); with_relation(#4, #3, "near")',
        f'{MEN_WITH_HATS}; find("pin"); with_relation(#2, #3, "wearing:_with")',  # a modifier
        'find("man"); all(#0, [find("hat"); find("dog"); scene(); with_relation(#2, #0, "wearing");'
        ' with_relation(#3, #1, "near")])',  # two relations in the condition
    ],
)
def test_modifiers_pairs_and_chains_are_complex_in_nested_programs_too(program):
    assert holds("rm-v-c")(question(program))


def test_numbers_are_whole_and_truth_values_are_none_of_them():
    assert holds("has-num-3 | ans-3")(question('find("dog"); count(#0)', 3))
    assert not holds("has-num")(question('find("dog"); exists(#0); eq(#0, true)'))
    assert not holds("ans-num")(question('find("dog"); exists(#0)', True))
    assert answer_type(question('find("dog"); count(#0)', "3")) == "num"


def test_the_color_of_one_and_the_material_of_the_other_are_not_the_same_attribute():
    program = 'find("dog"); query_attr(#0, "color"); find("cat"); query_attr(#2, "material"); eq(#1, #3)'
    assert not holds("has-sameattr-color")(question(program))
    assert holds("has-sameattr-color")(question('find("dog"); all_same(#0, "color")'))
    assert not holds("has-sameattr-color")(question('find("dog"); all_same(#0, "material")'))


def test_words_of_a_subgraph_are_objects_attributes_relations_and_modifiers():
    edge = Edge("uncorking", Node("bottle", "light blue"), (("uncorking:_with", Node("corkscrew")),))
    asked = question('find("man")', graphs=(Node("man", edges=(edge,)),))
    for word in ("man", "uncorking", "bottle", "light_blue", "with", "corkscrew"):
        assert holds(f"lexical-{word}")(asked)
    assert not holds("lexical-dog")(asked)


def test_terms_are_names_in_the_program_and_the_answer_that_is_asked_for():
    program = (
        f'{MEN_WITH_HATS}; find("pin"); with_relation(#2, #3, "wearing:_with"); unique(#4); query_attr(#5, "color")'
    )
    assert terms(question(program, "red")) == ("hat", "man", "pin", "red", "wearing", "with")
    assert terms(question(f"{MEN_WITH_HATS}; all(#2, {TALL})", True)) == ("hat", "man", "tall", "wearing")


def test_a_name_that_is_no_property_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match=r"no property named 'has-quant-al'. Did you mean 'has-quant-all'"):
        holds("has-quant-al & has-count")


# ---------------------------------------------------------------------------- random splits

WORDS = ("dog", "cat", "man", "hat", "table")
programs = st.builds(
    lambda words, tail: "; ".join(f'find("{word}")' for word in words) + tail,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    st.sampled_from(["; count(#0)", "; exists(#0)", '; filter(#0, "red")']),
)


@given(program=programs, seed=st.sampled_from("123"), words=st.permutations(WORDS))
def test_a_program_split_does_not_look_at_words(program, seed, words):
    other = program
    for old, new in zip(WORDS, words, strict=True):
        other = other.replace(f'"{old}"', f'"_{new}"')
    assert in_program_split(question(program), seed) == in_program_split(question(other), seed)


@given(program=programs, seed=st.sampled_from("123"))
def test_a_lexical_split_is_that_of_the_pairs_in_a_question(program, seed):
    asked = question(program)
    pairs = [(one, two) for one in terms(asked) for two in terms(asked) if one < two]
    alone = [question("; ".join(f'find("{word}")' for word in pair)) for pair in pairs]
    assert in_lexical_split(asked, seed) == any(in_lexical_split(one, seed) for one in alone)


@pytest.mark.parametrize("seed", "123")
def test_a_fifth_of_programs_and_a_small_share_of_pairs_are_held_out(seed):
    chains = [question("; ".join(["scene()"] * n + [f"filter(#{i})"])) for n in range(1, 60) for i in range(n)]
    held_out = sum(in_program_split(one, seed) for one in chains) / len(chains)
    assert abs(held_out - HELD_OUT) < 0.04
    pairs = [question(f'find("a{i}"); find("b{j}")') for i in range(60) for j in range(60)]
    held_out = sum(in_lexical_split(one, seed) for one in pairs) / len(pairs)
    assert abs(held_out - HELD_OUT_PAIRS) < 0.01


def test_three_seeds_hold_out_different_programs():
    chains = [question("; ".join(["scene()"] * n)) for n in range(1, 60)]
    assert len({tuple(in_program_split(one, seed) for one in chains) for seed in "123"}) == 3


@given(program=programs, name=st.sampled_from([*NAMED, "program-split-1", "lexical-split-2"]))
def test_the_opposite_holds_of_what_a_property_does_not_hold_of(program, name):
    asked = question(program, answer=3)
    assert holds(opposite(name))(asked) != holds(name)(asked)
