"""Batchs: every template, paired and balanced, of a split's own images, as the split keeps them."""

from __future__ import annotations

import gc
import re
from collections import Counter, defaultdict

import pytest

from unseen.benchmarks.covr.published import ORDER
from unseen.benchmarks.covr.questions.balance import balanced, ordered, shares
from unseen.benchmarks.covr.questions.batch import QUESTIONS, make, uncollected
from unseen.benchmarks.covr.questions.properties import holds
from unseen.benchmarks.covr.questions.templates import TEMPLATES
from unseen.benchmarks.covr.sample import Sampler
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.verify import check
from unseen.benchmarks.covr.world.nouns import ACTS
from unseen.benchmarks.covr.world.subgraph import DULL
from unseen.core.errors import DataError, TooFewExamples
from unseen.core.random import Stream
from unseen.core.splits import PARTS

UNPAIRED = {"query_attr", "choose_object", "query_object", "specific_same_attr"}


def test_templates_are_those_of_the_paper_in_its_order():
    assert tuple(TEMPLATES) == ORDER


def test_what_a_batch_makes_is_not_looked_through_for_garbage_as_soon_as_it_is_done():
    assert gc.isenabled()
    with uncollected():
        looked = sum(one["collections"] for one in gc.get_stats())
        kept = [[] for _ in range(10 * gc.get_threshold()[0])]
    kept.append([])
    assert sum(one["collections"] for one in gc.get_stats()) == looked
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_what_a_program_has_frozen_stays_frozen():
    gc.freeze()
    try:
        with uncollected():
            pass
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()


def test_a_batch_has_as_many_questions_of_each_template(questions):
    assert Counter(question.template for question in questions) == dict.fromkeys(TEMPLATES, QUESTIONS // len(TEMPLATES))


def test_questions_differ_in_text_answer_or_images(questions):
    assert len({(question.text, question.answer, frozenset(question.scenes)) for question in questions}) == QUESTIONS


def test_most_questions_occur_with_another_answer(questions):
    answers = defaultdict(set)
    for question in questions:
        answers[question.template, question.text].add(question.answer)
    paired = {template: [] for template in TEMPLATES}
    for (template, _), found in answers.items():
        paired[template].append(len(found) > 1)
    for template in TEMPLATES.keys() - UNPAIRED:
        assert sum(paired[template]) >= 0.8 * len(paired[template]), template


def test_true_and_false_are_equally_frequent(questions):
    for template in TEMPLATES:
        answers = [question.answer for question in questions if question.template == template]
        if isinstance(answers[0], bool):
            assert abs(sum(answers) - len(answers) / 2) <= 1, template


@pytest.fixture(scope="module")
def many():
    """Questions of eight batches, in both worlds."""
    return [question for world in ("flat", "3d") for n in range(4) for question in make(Spec(world=world), 11, n)[0]]


def test_no_operator_tells_whether_a_statement_is_true(many):
    answers = defaultdict(list)
    for question in many:
        if isinstance(question.answer, bool):
            answers[question.template, question.program[-1].operation].append(question.answer)
    assert {("compare_count", one) for one in ("gt", "lt", "eq")} < answers.keys()
    for asked, found in answers.items():
        assert abs(sum(found) - len(found) / 2) <= max(1, 0.2 * len(found)), asked


def test_of_two_relations_either_can_be_the_answer(many):
    for question in many:
        if question.template == "choose_rel":
            assert not {"between", *(act.name for act in ACTS)} & {*question.program[-1].arguments}, question.text


def test_of_two_things_to_wear_either_can_be_the_answer(many):
    for question in many:
        if question.template == "choose_object" and " wearing " in question.text:
            assert not DULL & {*question.program[-1].arguments}, question.text


def test_people_are_asked_for_with_who(many):
    for question in many:
        if question.template == "query_object":
            asked = "Who" if question.answer in ("man", "woman", "boy", "girl") else "What"
            assert question.text.startswith(f"{asked} "), question.text


def test_a_batch_is_a_pure_function(questions):
    assert make(Spec(), 7, 0)[0] == questions
    assert make(Spec(), 8, 0)[0] != questions


def test_batches_share_no_source_image(questions):
    other = make(Spec(), 7, 1)[0]
    assert not {question.source for question in questions} & {question.source for question in other}


@pytest.mark.parametrize("keep", ["has-quant-all", "not (has-count)", "tpl-chooserel | ans-num"])
def test_a_split_has_only_what_it_keeps(keep):
    questions, _ = make(Spec(keep=keep), 3, 0)
    assert len(questions) == QUESTIONS
    assert all(map(holds(keep), questions))


def test_few_shot_training_has_some_of_what_is_held_out():
    sampler = Sampler(Spec(keep="not (has-quant)", shots=4, among=8), PARTS["train"], 3)
    assert sum(holds("has-quant")(sampler.draw(index)[0]) for index in range(8)) == 4


def test_no_text_is_in_val_and_in_test():
    texts = [{question.text for question in make(Spec(images=images), 3, 0)[0]} for images in ("val", "test")]
    assert not texts[0] & texts[1]


def test_a_file_that_gives_too_little_says_what_it_gave(tmp_path):
    file = tmp_path / "scenes.json"
    file.write_text('{"1": {"objects": {"7": {"name": "cup"}, "8": {"name": "cat"}}}}')
    with pytest.raises(TooFewExamples, match="gives no question 0 of test"):
        Sampler(Spec(images="test", corpus=(str(file),)), PARTS["test"], 0).draw(0)
    with pytest.raises(DataError, match="could not read"):
        Sampler(Spec(corpus=(str(tmp_path / "none.json"),)), PARTS["train"], 0).draw(0)


def test_real_scene_graphs_go_the_same_way(shared_data):
    """Four images of GQA have next to nothing in common: one text is found, and the report says why not more."""
    file = str(shared_data / "covr_samples" / "gqa_sceneGraphs_4images.json")
    questions, report = make(Spec(corpus=(file,)), 1, 0)
    (text,) = {question.text for question in questions}
    assert re.search("bowls? that (is|are) (sitting on|near) a table", text)
    assert sorted(question.answer for question in questions) == [False, True]
    assert [check(question, Spec(corpus=(file,))) for question in questions] == [[], []]
    assert report.sources > 100
    assert report.dropped["no image comes close"] > 1_000


def test_what_one_template_lacks_the_others_give():
    assert shares({"a": [0] * 9, "b": [0], "c": [0] * 9}, 10) == {"a": 5, "b": 1, "c": 4}
    assert shares({"a": [0]}, 10) == {"a": 1}
    assert shares({}, 10) == {}


def test_rare_answers_are_chosen_first(questions):
    from dataclasses import replace

    one = next(question for question in questions if question.template == "query_attr")
    many = [replace(one, text=str(i), answer="red" if i % 10 else "blue") for i in range(100)]
    chosen = ordered(many, 20, Stream(1))
    assert Counter(question.answer for question in chosen) == {"red": 10, "blue": 10}


def test_pairs_come_before_the_rest(questions):
    from dataclasses import replace

    one = next(question for question in questions if question.template == "verify_attr")
    pair = [replace(one, text="pair", answer=answer) for answer in (True, False)]
    singles = [replace(one, text=str(i), answer=True) for i in range(9)]
    assert set(balanced({"verify_attr": [*singles, *pair]}, 2, Stream(1))) == set(pair)
