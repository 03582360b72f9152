"""The generalization score, from accuracies and from records."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr import paper
from unseen.core.errors import SpecError
from unseen.metrics.question import answer_accuracy, generalization_score
from unseen.report.generalization import generalization_lines, generalization_section
from unseen.results import generalization
from unseen.results.generalization import generalizations

# the scores that follow from the accuracies of Tables 7 and 8, as fractions of 100
PUBLISHED = {
    "has-quant-m250": 18.3,
    "has-quant-all-m250": 75.5,
    "has-logic-and-m250": 111.4,
    "has-num-3-ans-3-m250": -1.0,
    "has-quant-compscope-and-has-quant-all-zero": 26.0,
    "has-count-and-rm-v-c-zero": 80.6,
    "program-zero": 32.2,
    "lexical-zero": 97.3,
}
COVR = SimpleNamespace(name="covr", file=lambda name: paper, package="")


@pytest.fixture
def run(monkeypatch):
    """Accuracies of ours in place of records: those of the paper, less five points where the setup was trained on."""

    def accuracy_of(records, benchmark, name, model, *, split):
        assert split == "test_ood"
        places = {paper.place(row, way): row.accuracies[way] for row in paper.HELD_OUT for way in row.accuracies}
        return places[name, model] - 5 * ("training" not in name) if (name, model) in records else None

    monkeypatch.setattr(generalization, "accuracy_of", accuracy_of)
    monkeypatch.setattr(generalization, "is_comparable", lambda record, benchmark: True)


def test_published_scores_follow_from_the_published_accuracies(run):
    by_table = {
        row.setup: one.paper
        for row, one in zip(paper.HELD_OUT, generalizations([], COVR), strict=True)
        if row.table in ("7", "8")
    }
    for setup, score in PUBLISHED.items():
        assert by_table[setup] == pytest.approx(score, abs=0.06)


def test_ours_is_there_where_all_three_models_were_run(run):
    row = paper.HELD_OUT[0]
    three = [paper.place(row, way) for way in (paper.BLIND, paper.SPLIT, paper.SIZE)]
    for missing in three:
        assert generalizations([place for place in three if place != missing], COVR)[0].ours is None
    found = generalizations(three, COVR)
    lower = replace(row, accuracies={**row.accuracies, paper.SPLIT: row.accuracies[paper.SPLIT] - 5}).accuracies
    expected = 100 * (lower[paper.SPLIT] - lower[paper.BLIND]) / (lower[paper.SIZE] - lower[paper.BLIND])
    assert found[0].ours == pytest.approx(expected)
    assert len(generalization_lines(found)) == 1
    assert "has-quant-m250" in generalization_section(found)
    assert generalization_section(generalizations([], COVR)) == ""


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.1, 100))
def test_the_score_is_zero_without_and_one_with_all_that_can_be_learned(accuracy, blind, gap):
    most = blind + gap
    score = generalization_score(accuracy, text_only=blind, iid_size=most)
    assert generalization_score(blind, text_only=blind, iid_size=most) == 0
    assert generalization_score(most, text_only=blind, iid_size=most) == pytest.approx(1)
    assert blind + score * gap == pytest.approx(accuracy, abs=1e-6)


def test_without_a_gap_there_is_no_score():
    with pytest.raises(SpecError, match="there is no gap to close"):
        generalization_score(50, text_only=60, iid_size=60)


def test_an_answer_is_right_word_for_word():
    assert answer_accuracy(["true", "light blue", "2"], [" True", "Light Blue", "two"]) == pytest.approx(2 / 3)
    with pytest.raises(SpecError, match="a prediction is the text of an answer, not 2"):
        answer_accuracy(["2"], [2])
