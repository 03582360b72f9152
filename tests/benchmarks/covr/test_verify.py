"""The proof finds nothing wrong with questions, and something wrong with each kind of wrong question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr.questions import operators
from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.corpus import find_scene
from unseen.benchmarks.covr.questions.execute import items, run, table
from unseen.benchmarks.covr.questions.operators import OPERATORS, Item, Link
from unseen.benchmarks.covr.questions.program import Row, parse, problems
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.verify import MEANINGS, Facts, Unanswered, check, distance, passes, value
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing
from unseen.benchmarks.covr.world.subgraph import Edge, Node


def of(questions, template):
    return next(question for question in questions if question.template == template)


def test_nothing_is_wrong_with_questions(questions):
    assert [problem for question in questions for problem in check(question, Spec())] == []


@pytest.mark.parametrize("options", [{"distractors": "easy"}, {"style": "published"}, {"images": "test"}])
def test_nothing_is_wrong_with_other_questions(options):
    spec = Spec(**options)
    questions, _ = make(spec, 1, 0)
    assert [problem for question in questions[:60] for problem in check(question, spec)] == []


def test_a_wrong_answer_is_found(questions):
    for question in questions[:40]:
        wrong = (not question.answer) if isinstance(question.answer, bool) else "unicorn"
        assert any("the answer is" in problem for problem in check(replace(question, answer=wrong), Spec()))


def test_an_answer_of_another_type_is_found(questions):
    question = next(one for one in questions if one.answer is True)
    assert any("the answer is True, not 1" in problem for problem in check(replace(question, answer=1), Spec()))


def test_a_text_that_says_something_else_is_found(questions):
    one, other = of(questions, "verify_attr"), of(questions, "query_attr")
    assert any("the text does not say" in problem for problem in check(replace(one, text=other.text), Spec()))


def test_a_program_that_cannot_be_run_is_found(questions):
    one = of(questions, "count_ref")
    broken = replace(one, program=(*one.program, Row("unique", (), (len(one.program) - 1,))))
    assert any("takes objects or relations, got number" in problem for problem in problems(broken.program))


def test_an_image_that_has_nothing_to_do_with_it_is_found(questions):
    graph = Node("unicorn", "blue", (Edge("eating", Node("rainbow")),))
    found = check(replace(of(questions, "verify_attr"), graphs=(graph,)), Spec())
    assert any("substitutions away" in problem for problem in found)


def test_all_of_one_object_is_found(questions):
    question = of(questions, "quantifier_same_attr")
    (one,) = {image for image in question.scenes if image == question.source} or question.scenes[:1]
    found = [check(replace(question, scenes=(image,)), Spec()) for image in (one, *question.scenes)]
    assert any("all of fewer than two objects" in problem for problems in found for problem in problems)


@pytest.mark.parametrize(
    "edges",
    [
        (Edge("wearing", Node("hat")), Edge("wearing", Node("hat"))),
        (Edge("next to", Node("man", None, (Edge("between", Node("cup")),))),),
    ],
)
def test_a_subgraph_that_is_not_told_well_is_found(questions, edges):
    question = of(questions, "verify_attr")
    found = check(replace(question, graphs=(replace(question.graphs[0], edges=edges),)), Spec())
    assert any("tells something twice" in problem for problem in found)


def test_an_image_of_another_split_is_found(questions):
    assert any("is not one of test" in problem for problem in check(questions[0], Spec(images="test")))


def test_a_held_out_question_is_found(questions):
    found = check(of(questions, "count_ref"), Spec(keep="not (has-count)"))
    assert any("it is not one of" in problem for problem in found)


def test_a_question_for_another_template_is_found(questions):
    one = of(questions, "quantifier")
    lone = replace(one, template="query_attr", graphs=(Node("cat"),))
    assert any("the subgraph is not one for query_attr" in problem for problem in check(lone, Spec()))


MAN = Scene("1", {"m": Thing("m", "man", ("tall",), (Relation("wearing", "h"),)), "h": Thing("h", "hat", ("red",))})


@pytest.mark.parametrize(
    ("node", "away"),
    [
        (Node("man"), 0),
        (Node("man", "short"), 1),
        (Node("woman", "short"), 2),
        (Node("man", None, (Edge("wearing", Node("hat", "red")),)), 0),
        (Node("man", None, (Edge("holding", Node("hat", "blue")),)), 2),
        (Node("man", None, (Edge("wearing", Node("hat")), Edge("holding", Node("cup")))), 2),
    ],
)
def test_distance_counts_substitutions(node, away):
    assert distance(node, MAN) == away


def test_what_is_a_kind_of_it_passes_for_it():
    assert passes(Node("person", None, (Edge("wearing", Node("hat")),)), MAN)
    assert not passes(Node("woman", None, (Edge("wearing", Node("hat")),)), MAN)
    assert not passes(Node("man", None, (Edge("wearing", Node("hat", "blue")),)), MAN)


def test_both_evaluators_know_all_operators():
    assert set(MEANINGS) == set(OPERATORS)


SCENES = [find_scene(Spec(), f"{5:016x}-{index}-0") for index in range(3)]
TABLE, FACTS = table(map(items, SCENES)), Facts(SCENES)
NAMES = sorted({item.name for item in TABLE.values()})
ATTRIBUTES = sorted({attribute for item in TABLE.values() for attribute in item.attributes})
RELATIONS = sorted({name for item in TABLE.values() for name in item.targets})


@st.composite
def programs(draw):
    """Programs of objects, and of what can be asked about them."""
    rows = [Row("scene"), Row("find", (draw(st.sampled_from(NAMES)),))]
    for _ in range(draw(st.integers(0, 4))):
        one, other = (draw(st.integers(0, len(rows) - 1)) for _ in range(2))
        rows.append(
            draw(
                st.sampled_from(
                    [
                        Row("filter", (draw(st.sampled_from(ATTRIBUTES)),), (one,)),
                        Row("with_relation", (draw(st.sampled_from(RELATIONS)),), (one, other)),
                        Row("with_relation_object", (draw(st.sampled_from(RELATIONS)),), (one, other)),
                        Row("find", (tuple(draw(st.sets(st.sampled_from(NAMES), max_size=3))),)),
                    ]
                )
            )
        )
    last, condition = len(rows) - 1, tuple(rows)
    if draw(st.booleans()):
        quantifier = draw(st.sampled_from(["all", "some", "none"]))
        return (*rows, Row(quantifier, (condition,), (draw(st.integers(0, last)),)))
    ends = (
        "",
        "count(#0)",
        "unique_images(#0); count(#1)",
        "unique(#0); query_name(#1)",
        'unique(#0); query_attr(#1, "color")',
        'all_same(#0, "color")',
        "group_by_images(#0); keep_if_values_count_geq(#1, 2); keys(#2)",
        "assert_unique(#0); scene(); with_relation_object(#1, #2)",
    )
    for row in parse(draw(st.sampled_from(ends))):
        rows.append(row._replace(dependencies=tuple(d + last for d in row.dependencies)))
    return tuple(rows)


def as_sets(found):
    if isinstance(found, list):
        return {as_sets(one) for one in found}
    return found.id if isinstance(found, Item) else found.name if isinstance(found, Link) else found


@given(programs())
def test_two_evaluators_agree(program):
    assert problems(program) == []
    try:
        found = as_sets(run(program, TABLE))
    except operators.NoAnswer:
        with pytest.raises(Unanswered):
            value(program, FACTS)
    else:
        assert value(program, FACTS) == found
