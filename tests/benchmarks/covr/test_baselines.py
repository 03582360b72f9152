"""Baselines without training: what little they know of a question."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

import unseen
from unseen.benchmarks.covr.baselines import UNTRAINED
from unseen.core.task import Example
from unseen.predict import read_predictions
from unseen.predict.untrained import predict_untrained


def answers(name, task, folder):
    """Every example of the test split with a baseline's answer."""
    dataset = unseen.load(task, "test")
    predict_untrained(name, dataset, folder / "answers.parquet")
    return list(zip(dataset, read_predictions(folder / "answers.parquet").values, strict=True))


@pytest.mark.parametrize("name", UNTRAINED)
def test_every_baseline_answers_every_question_with_text(question_task, tmp_path, name):
    found = answers(name, question_task, tmp_path)
    assert len(found) == 40
    assert all(isinstance(answer, str) for _, answer in found)


def test_the_program_of_a_question_gives_its_answer(question_task, tmp_path):
    assert all(answer == example.target["answer"] for example, answer in answers("executor", question_task, tmp_path))


def test_maj_is_the_commonest_training_answer(question_task, tmp_path):
    counts = Counter(example.target["answer"] for example in unseen.load(question_task, "train"))
    assert {answer for _, answer in answers("maj", question_task, tmp_path)} == {counts.most_common(1)[0][0]}


def test_majtempl_is_the_commonest_answer_of_a_template_and_any_of_two_alternatives(question_task, tmp_path):
    counts = defaultdict(Counter)
    for example in unseen.load(question_task, "train"):
        counts[example.record.template][example.target["answer"]] += 1
    given = defaultdict(set)
    for example, answer in answers("majtempl", question_task, tmp_path):
        given[example.record.template].add(answer)
    assert given.pop("choose_attr") == {"red", "blue"}
    for template, found in given.items():
        assert [counts[template][answer] for answer in found] == [max(counts[template].values())]


def test_the_prior_knows_the_commonest_answer_to_a_text_it_has_seen(question_task, tmp_path):
    counts = defaultdict(Counter)
    for example in unseen.load(question_task, "train"):
        counts[example.record.text][example.target["answer"]] += 1
    for example, answer in answers("prior", question_task, tmp_path):
        assert counts[example.record.text][answer] == max(counts[example.record.text].values())


def test_the_prior_names_an_alternative_even_of_words_it_has_never_seen(question_task):
    training = unseen.load(question_task, "train")
    example = unseen.load(question_task, "test")[2]
    last = example.record.program[-1]._replace(arguments=("green", "gray"))
    program = (*example.record.program[:-1], last)
    unheard = replace(example.record, text="Is the wall green or gray?", program=program)
    answer = UNTRAINED["prior"](training)(Example(example.task, "test", 2, unheard))
    assert answer in ("green", "gray")
