"""Odd-one-out metrics by hand, and against the published weights and scores."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cvr.paper import REGIMES
from unseen.core.errors import SpecError
from unseen.metrics.metric import means_by_group
from unseen.metrics.odd import (
    area_under_curve,
    curriculum_score,
    odd_accuracy,
    rules_solved,
    sample_efficiency_score,
)

accuracies = st.lists(st.floats(0, 100), min_size=6, max_size=6).map(
    lambda values: dict(zip(REGIMES, values, strict=True))
)


def test_the_highest_score_is_the_answer():
    scores = np.array([0.1, -3.0, 0.2, 0.15], np.float32)
    assert [odd_accuracy([odd], [scores]) for odd in range(4)] == [0, 0, 1, 0]


def test_of_equal_scores_the_first_is_taken():
    assert odd_accuracy([0, 1], [np.zeros(4), np.array([0, 1, 1, 1])]) == 1.0
    assert odd_accuracy([3], [np.zeros(4)]) == 0.0


@pytest.mark.parametrize("wrong", [[0.1, nan, 0.2, 0.3], [], [[1, 2], [3, 4]]])
def test_a_prediction_without_an_answer_is_an_error(wrong):
    with pytest.raises(SpecError, match="a prediction is a score for each image, none of them nan"):
        odd_accuracy([0], [wrong])


def test_rules_are_averaged_apart_and_counted_above_eighty_percent():
    found = means_by_group(["a", "b", "a", "c"], [1, 0, 0.5, 1])
    assert found == {"a": 0.75, "b": 0.0, "c": 1.0}
    assert rules_solved({**found, "d": 0.8, "e": 0.81}) == 2


def test_the_weights_are_the_published_ones():
    alone = [sample_efficiency_score({n: float(n == one) for n in REGIMES}) for one in REGIMES]
    assert alone == pytest.approx([0.2370, 0.1928, 0.1689, 0.1503, 0.1312, 0.1197], abs=5e-5)


@given(accuracies)
def test_both_scores_lie_between_the_lowest_and_the_highest_accuracy(found):
    for score in (area_under_curve(found), sample_efficiency_score(found)):
        assert min(found.values()) - 1e-9 <= score <= max(found.values()) + 1e-9


@given(accuracies)
def test_what_learns_more_from_more_samples_has_the_lower_sample_efficiency_score(found):
    rising = dict(zip(REGIMES, sorted(found.values()), strict=True))
    assert sample_efficiency_score(rising) <= area_under_curve(rising) + 1e-9


@pytest.mark.parametrize("wrong", [{}, {20: nan}, {0: 50.0}])
def test_regimes_without_accuracies_are_an_error(wrong):
    for score in (area_under_curve, sample_efficiency_score):
        with pytest.raises(SpecError, match="accuracies are numbers by how many samples were trained on"):
            score(wrong)


def test_a_curriculum_is_scored_by_the_largest_gain_of_each_rule():
    transfer = {"a": {20: 50.0, 50: 60.0}, "b": {20: 20.0, 50: 30.0}}
    scratch = {"a": {20: 30.0, 50: 55.0}, "b": {20: 25.0, 50: 34.0}}
    assert curriculum_score(transfer, scratch) == pytest.approx((20 - 4) / 2)


def test_a_curriculum_is_compared_on_the_same_rules_and_regimes():
    with pytest.raises(SpecError, match="the same rules with and without transfer: b"):
        curriculum_score({"a": {20: 1.0}, "b": {20: 1.0}}, {"a": {20: 1.0}})
    with pytest.raises(SpecError, match="a was trained on 20 samples after transfer and 20, 50 without"):
        curriculum_score({"a": {20: 1.0}}, {"a": {20: 1.0, 50: 2.0}})
