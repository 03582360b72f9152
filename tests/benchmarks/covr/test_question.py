"""Questions in their published form, both ways."""

from __future__ import annotations

import json

import pytest

from unseen.benchmarks.covr.question import PATTERNS, Question, answer_text, pattern, published, read_jsonl, write_jsonl
from unseen.core.errors import DataError


def test_questions_survive_their_published_form(questions, tmp_path):
    write_jsonl(questions, tmp_path / "train.jsonl")
    assert list(read_jsonl(tmp_path / "train.jsonl")) == list(questions)
    assert [Question.from_json(question.to_json()) for question in questions] == list(questions)


def test_every_published_field_is_there(questions):
    record = published(questions[0], "train_0")
    expected = "qid utterance scenes program answer pattern_name pattern_index properties sub_graphs ref_text"
    assert set(expected.split()) | {"starting_scene_id", "sub_graph_info", "paraphrased"} <= set(record)
    assert json.loads(json.dumps(record)) == record


def test_there_are_nineteen_published_patterns(questions):
    assert len(PATTERNS) == 19
    assert all(PATTERNS[pattern(question)][0] == question.template for question in questions)
    for question in questions:
        if question.template == "count_ref":
            assert PATTERNS[pattern(question)][1] == ("images" in question.text)


def test_the_names_of_the_generators_own_files_are_read_too(questions):
    record = published(questions[0])
    record["question"], record["rephrase"] = record.pop("utterance"), record.pop("paraphrased")
    assert Question.from_json(json.dumps(record)) == questions[0]


def test_a_broken_line_is_named(tmp_path):
    file = tmp_path / "broken.jsonl"
    file.write_text('{"utterance": "Is it?"}\n')
    with pytest.raises(DataError, match=r"line 1: a question lacks 'program'"):
        list(read_jsonl(file))
    file.write_text("{")
    with pytest.raises(DataError, match="line 1"):
        list(read_jsonl(file))


def test_answers_are_text_for_models():
    assert [answer_text(answer) for answer in (True, False, 3, "red")] == ["true", "false", "3", "red"]
