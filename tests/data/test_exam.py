"""An exam is the same for everyone who has its seed, and nobody can change it afterwards."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import unseen
from unseen.core.errors import DataError, SpecError
from unseen.data.exam import Exam, make_exam, read_exam, read_seed, revealed, sealed, write_exam

TASK = unseen.task("cvr/shape")


@pytest.fixture(scope="module")
def exam():
    return make_exam(TASK, "test_ood", seed=41, count=30)


def test_the_seed_fixes_the_items_and_the_digest_tells_them_apart(exam):
    assert make_exam(TASK, "test_ood", seed=41, count=30) == exam
    for other in ({"seed": 42, "count": 30}, {"seed": 41, "count": 29}):
        assert make_exam(TASK, "test_ood", **other).digest != exam.digest
    assert make_exam(TASK, "test", seed=41, count=30).digest != exam.digest


def test_another_look_at_the_same_items_has_the_same_digest(exam):
    assert make_exam(unseen.task("cvr/shape", size=224), "test_ood", seed=41, count=30).digest == exam.digest


def test_a_sealed_sheet_holds_no_seed_and_opens_with_the_right_one(exam, tmp_path):
    path = tmp_path / "exam.json"
    write_exam(path, sealed(exam))
    assert "41" not in json.dumps(json.loads(path.read_text()) | {"digest": ""})
    assert revealed(read_exam(path), 41) == exam
    with pytest.raises(DataError, match="the seed 42 gives other items than this exam was fixed to"):
        revealed(read_exam(path), 42)


def test_a_sheet_of_another_content_version_is_refused(exam):
    with pytest.raises(DataError, match=r"version 99 of cvr's content.*whose items differ"):
        revealed(replace(exam, benchmark_version=99), 41)


def test_a_sheet_that_was_changed_is_found_out(exam):
    with pytest.raises(DataError, match="gives other items"):
        revealed(replace(exam, count=29), 41)
    with pytest.raises(SpecError, match="this exam has the seed 41, and not 7"):
        revealed(exam, 7)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', '{"format": "1"}'])
def test_what_is_no_sheet_is_a_sentence(content, tmp_path):
    (tmp_path / "exam.json").write_text(content)
    with pytest.raises(DataError, match=r"exam\.json is not the sheet of an exam"):
        read_exam(tmp_path / "exam.json")


def test_a_sheet_of_a_later_format_is_named(exam, tmp_path):
    write_exam(tmp_path / "exam.json", replace(exam, format=2))
    with pytest.raises(DataError, match="sheet of format 2, and this version reads 1"):
        read_exam(tmp_path / "exam.json")


def test_seeds_are_numbers_the_date_or_secret():
    assert read_seed("12") == 12
    assert 20_260_000 < read_seed("today") < 100_000_000
    assert read_seed("secret") != read_seed("secret")
    for text in ("-1", "x", "", "1.5", str(2**62)):
        with pytest.raises(SpecError, match="a seed is a number"):
            read_seed(text)


def test_an_exam_has_no_more_items_than_its_split():
    with pytest.raises(SpecError, match="has 1,000 examples, so that an exam cannot have 1,001"):
        make_exam(TASK, "test", seed=1, count=1_001)


def test_it_is_sat_like_any_test(exam):
    assert isinstance(exam, Exam)
    first = unseen.load(exam.task, exam.split, seed=exam.seed)[:5]
    answers = [str(example.record.odd + 1) for example in first]
    assert [unseen.reward(example, text) for example, text in zip(first, answers, strict=True)] == [1.0] * 5
