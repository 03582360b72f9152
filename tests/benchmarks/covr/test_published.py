"""Questions in their published form, both ways."""

from __future__ import annotations

import json

import pytest

import unseen
from unseen.benchmarks.covr.published import PATTERNS, from_published, pattern, published
from unseen.benchmarks.covr.questions.question import Question, answer_text
from unseen.core.errors import DataError
from unseen.data.export import export, read_published


def test_questions_survive_their_published_form(questions):
    assert [Question.from_json(question.to_json()) for question in questions] == list(questions)


def test_a_data_set_is_exported_and_read_again(tmp_path):
    examples = unseen.load("covr/iid", "train")[:20]
    (path,) = export(examples, tmp_path, "jsonl")
    assert path.relative_to(tmp_path).as_posix() == "iid/train.jsonl"
    rows = read_published(path, "covr")
    assert [from_published(row) for row in rows] == [example.record for example in examples]
    assert [row["qid"] for row in rows[:2]] == ["train_0", "train_1"]
    assert all("has-count" in row["properties"] for row in rows if row["pattern_name"] == "count_ref")


def test_the_default_format_is_the_one_that_the_benchmark_was_published_in(tmp_path):
    export(unseen.load("covr/iid", "train")[:3], tmp_path)
    assert len(read_published(tmp_path / "iid" / "train.jsonl", "covr")) == 3


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
    assert from_published(record) == questions[0]


@pytest.mark.parametrize(("line", "problem"), [('{"utterance": "Is it?"}', "lacks 'program'"), ("{", "line 1")])
def test_a_broken_line_is_named(tmp_path, line, problem):
    file = tmp_path / "broken.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(DataError, match=problem):
        read_published(file, "covr")


def test_answers_are_text_for_models():
    assert [answer_text(answer) for answer in (True, False, 3, "red")] == ["true", "false", "3", "red"]
