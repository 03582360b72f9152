"""The generalization score: by hand, against the published accuracies, and from outcomes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.covr import paper
from unseen.benchmarks.covr.analysis import findings, generalization_score, generalizations, shots
from unseen.core.analysis import Outcome
from unseen.core.errors import SpecError

# the scores that follow from the accuracies of Tables 7 and 8, in percent
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
WAYS = (paper.BLIND, paper.SPLIT, paper.SIZE)


def outcomes(row, way, value, **changes):
    """A run of every task behind a line of a table and a way of training."""
    name, model = paper.place(row, way)
    scores = {"test_ood": {"answer_accuracy": value}}
    return [Outcome(unseen.task(f"covr/{task}"), model, 0, scores, **changes) for task in paper.experiments(name)]


def test_published_scores_follow_from_the_published_accuracies():
    by_setup = {
        row.setup: one.paper
        for row, one in zip(paper.HELD_OUT, generalizations([]), strict=True)
        if row.table in ("7", "8")
    }
    for setup, score in PUBLISHED.items():
        assert by_setup[setup] == pytest.approx(score, abs=0.06)


@pytest.mark.parametrize("setup", ["has-quant-m250", "program-zero"])
def test_ours_is_there_where_all_three_models_were_run(setup):
    place = next(number for number, row in enumerate(paper.HELD_OUT) if row.setup == setup)
    runs = {
        way: outcomes(paper.HELD_OUT[place], way, value) for way, value in zip(WAYS, (50.0, 60.0, 75.0), strict=True)
    }
    every = [one for found in runs.values() for one in found]
    assert generalizations(every)[place].here == pytest.approx(40.0)
    for missing in runs:
        some = [one for way, found in runs.items() if way != missing for one in found]
        assert generalizations(some)[place].here is None
    (finding,) = findings(every)
    assert [line[:4] for line in finding.rows] == [(setup, "generated", "visualbert", "40.0")]
    assert len(finding.rows) + len(finding.published) == len(paper.HELD_OUT)


def test_runs_that_began_with_other_weights_do_not_count():
    every = [one for way in WAYS for one in outcomes(paper.HELD_OUT[0], way, 50.0, began_with="runs/elsewhere")]
    assert generalizations(every)[0].here is None


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


def few_shot(m, value, **options):
    task = unseen.task("covr/has-quant-all-m250", m=m, **options)
    return Outcome(task, "visualbert", 0, {"test_ood": {"answer_accuracy": value}})


def test_runs_that_differ_in_m_alone_are_a_curve():
    runs = [few_shot(0, 20.0), few_shot(250, 60.0), few_shot(250, 70.0), few_shot(50, 50.0, size=96)]
    (line,) = shots([*runs, few_shot(100, 90.0, training="iid")])
    assert line.property == "has-quant-all"
    assert line.curve == ((0, 20.0), (250, 65.0))


def test_the_curve_over_m_is_shown_where_there_is_one():
    titles = [finding.title for finding in findings([few_shot(0, 20.0), few_shot(250, 60.0)])]
    assert "Questions with the held-out property in training" in titles
    assert len(list(findings([few_shot(0, 20.0)]))) == 1
