"""Statistics of questions, counted by hand and on what is generated."""

from __future__ import annotations

from collections import Counter

import pytest

import unseen
from unseen.audit.divergence import divergences
from unseen.audit.run import audit
from unseen.benchmarks.covr import paper
from unseen.benchmarks.covr.questions.program import parse
from unseen.benchmarks.covr.questions.properties import NAMED, PROPERTIES, SORTS, TEMPLATES, holds
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.splits import TASKS, contains, groups
from unseen.benchmarks.covr.statistics import describe, frequent_answers, numbers, occurrences
from unseen.benchmarks.covr.world.subgraph import Node
from unseen.core.task import KINDS

COUNT = 600  # questions: four batches


def question(text, program, answer, template, scenes=("1", "2")):
    return Question(text, text + " now", parse(program), scenes, answer, template, (Node("dog"),), "1")


FOUR = [
    question("Are all dogs red?", 'find("dog"); all(#0, [scene(); filter(#0, "red")])', True, "quantifier"),
    question("Are all dogs red?", 'find("dog"); all(#0, [scene(); filter(#0, "red")])', False, "quantifier", ("3",)),
    question("How many dogs?", 'find("dog"); count(#0)', 2, "count_ref"),
    question("Is it red or blue?", 'find("dog"); unique(#0); choose_attr(#1, "red", "blue")', "red", "choose_attr"),
]


def test_numbers_are_those_of_table_3():
    found = numbers(FOUR)
    assert found == {
        "questions": 4,
        "unique questions": 3,
        "unique answers": 4,
        "unique images": 3,
        "unique anonymized programs": 3,
        "true or false": 2,
        "X or Y": 1,
        "how many": 1,
        "open": 0,
        "words of a question": 4.0,
        "words of a paraphrase": 5.0,
        "images of a question": 1.75,
        "share with several answers": 0.5,
        "share of the most frequent answer": 0.25,
    }
    ours = {"share with several answers", "share of the most frequent answer"}
    assert found.keys() - paper.STATISTICS.keys() == ours


def test_figures_count_answers_images_and_operators():
    assert frequent_answers(FOUR) == {"2": 1, "red": 1}
    assert describe(FOUR)["images of a question (Figure 5)"] == {1: 1, 2: 3}
    assert occurrences(FOUR, "filter") == {0: 2, 1: 2}  # nested in quantifiers
    assert describe(FOUR)["share of questions that a setup holds out"]["has-quant-all-m250"] == 0.5
    assert describe([]) == {}


def test_a_question_is_scored_with_its_template_and_its_sort():
    assert groups(FOUR[3]) == {"template": "chooseattr", "sort": "X or Y"}


# ---------------------------------------------------------------------------- what is generated


@pytest.fixture(scope="module")
def generated():
    return [example.record for example in unseen.load("covr/iid", "train")[:COUNT]]


def test_generated_sets_are_balanced_over_templates_and_sorts_as_the_published_one(generated):
    counts = Counter(one.template for one in generated)
    assert set(counts) == set(TEMPLATES.values())
    assert max(counts.values()) - min(counts.values()) <= 4
    found, published = numbers(generated), paper.STATISTICS
    for sort in SORTS:
        assert found[sort] / COUNT == pytest.approx(published[sort][0] / published["questions"][0], abs=0.02)
    assert found["share with several answers"] > 0.5


def test_structural_properties_are_those_of_the_published_predicates(generated):
    by_template = {
        "has-compar": ("compare_count",),
        "has-logic": ("multiple_ref",),
        "has-groupby": ("count_ref_group_by", "verify_count_ref_group_by"),
        "has-quant": ("quantifier", "quantifier_same_attr"),
        "has-sameattr": ("quantifier_same_attr", "specific_same_attr"),
        "ans-num": ("count_ref", "count_ref_group_by"),
    }
    for name, templates in by_template.items():
        assert all(NAMED[name](one) == (one.template in templates) for one in generated)


@pytest.mark.parametrize("name", ["program-split-1", "program-split-2", "program-split-3"])
def test_program_splits_hold_out_about_a_fifth_of_the_questions(generated, name):
    assert 0.1 < sum(map(PROPERTIES[name], generated)) / COUNT < 0.3


@pytest.mark.parametrize("name", ["lexical-split-1", "lexical-split-2", "lexical-split-3"])
def test_lexical_splits_hold_out_about_a_fifth_of_the_questions(generated, name):
    assert 0.1 < sum(map(PROPERTIES[name], generated)) / COUNT < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("row", TASKS, ids=lambda row: row.name)
def test_no_held_out_question_is_trained_on_but_the_few_shots(row):
    task = unseen.task(f"covr/{row.name}")
    for name, split in task.splits.items():
        dataset, spec = unseen.load(task.id, name), split.spec
        for index in range(20):
            record = dataset[index].record
            assert holds(spec.keep)(record) != spec.place(index)[0]
            assert contains(spec, record)
        if spec.shots:
            first = next(index for index in range(split.size) if spec.place(index)[0])
            assert not holds(spec.keep)(dataset[first].record)


@pytest.mark.slow
def test_held_out_compounds_diverge_and_atoms_do_not():
    found = divergences(unseen.task("covr/has-count-and-has-attr-zero"), count=300)
    assert found["test_ood"].compound > found["test"].compound + 0.05
    assert found["test_ood"].atom < 0.5


@pytest.mark.slow
def test_nothing_that_looks_at_no_image_is_right_in_half_of_the_questions():
    found = audit(unseen.task("covr/iid"), "train", count=COUNT)
    assert found.clean
    assert {one.solver for one in found.findings} == {"majority", "template", "text"}
    assert KINDS["question"].prediction == ("answer", "str")
