"""The verb makes, checks, seals and reveals an exam."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_an_exam_is_made_checked_and_sat(run, tmp_path):
    done = run("exam", "cvr/shape", "test_ood", "--seed", "today", "--count", 5)
    assert done.code == 0
    seed = json.loads((tmp_path / "exam.json").read_text())["seed"]
    assert f"unseen predict cvr/shape test_ood --seed {seed} --count 5" in done.out
    assert run("exam", "exam.json").code == 0


def test_a_sealed_exam_is_revealed_later(run, tmp_path):
    done = run("exam", "cogitao/c1-1", "--seed", "secret", "--sealed", "--count", 5, "--json")
    told = json.loads(done.out)
    assert json.loads((tmp_path / "exam.json").read_text())["seed"] is None
    waiting = run("exam", "exam.json")
    assert (waiting.code, "is not told yet" in waiting.err) == (2, True)
    assert run("exam", "exam.json", "--reveal", told["secret"] + 1).code == 2
    assert run("exam", "exam.json", "--reveal", told["secret"]).code == 0
    assert json.loads((tmp_path / "exam.json").read_text())["seed"] == told["secret"]
    assert run("exam", "exam.json").code == 0


def test_a_mistake_is_a_sentence(run):
    assert run("exam", "cvr/shape", "--seed", "tomorrow").code == 2
    assert run("exam", "cvr/none").code == 2
