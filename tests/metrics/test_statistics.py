"""Intervals hold what they promise, and tests find differences as often as they should."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from unseen.core.errors import SpecError
from unseen.metrics import METRICS
from unseen.metrics.metric import metric
from unseen.metrics.statistics import interval, items_needed, mcnemar, paired, permutation, wilson


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("rate", [0.02, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("count", [20, 200])
def test_wilson_holds_the_truth_in_about_95_of_100_samples(rate, count):
    covered = sum(
        comb(count, k) * rate**k * (1 - rate) ** (count - k)
        for k in range(count + 1)
        if wilson(k, count)[0] <= rate <= wilson(k, count)[1]
    )
    assert 0.92 < covered < 0.99


def test_wilson_is_the_textbook_one():
    assert wilson(8, 10) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert wilson(10, 10)[1] == 1.0
    with pytest.raises(SpecError, match="at least one item"):
        wilson(0, 0)


def test_right_or_wrong_has_wilsons_interval_and_other_metrics_a_bootstrap():
    accuracy, cells = METRICS["odd_accuracy"], METRICS["cell_accuracy"]
    assert interval(accuracy, [(1, 1), (0, 1)] * 10) == wilson(10, 20)
    low, high = interval(cells, [(1, 4), (4, 4)] * 50)
    assert low < 0.625 < high
    assert high - low == pytest.approx(2 * 1.96 * 0.375 / 10, rel=0.15)
    assert interval(accuracy, [(1, 1)]) is None


def test_a_bootstrap_holds_the_truth_in_about_95_of_100_samples(rng):
    @metric(kind="grid")
    def ratio(target, prediction):
        """A ratio of sums."""
        return 0, 1

    inside = 0
    for _ in range(200):
        possible = rng.integers(1, 10, 60)
        achieved = rng.binomial(possible, 0.3)
        low, high = interval(ratio, list(zip(achieved, possible, strict=True)))
        inside += low <= 0.3 <= high
    assert 180 <= inside <= 199


def test_counts_that_are_arrays_have_an_interval():
    hota = METRICS["hota"]
    counts = [(np.full(19, k % 3 + 1.0), np.full(19, 4)) for k in range(30)]
    low, high = interval(hota, counts)
    assert low < hota.pooled(counts) < high


def test_mcnemar_is_the_binomial_test_for_few_and_near_it_for_many():
    for better, worse in ((0, 6), (3, 9), (12, 12), (1, 24)):
        tail = sum(comb(better + worse, k) for k in range(min(better, worse) + 1)) / 2 ** (better + worse)
        assert mcnemar(better, worse)[0] == pytest.approx(min(1.0, 2 * tail))
    exact = 2 * sum(comb(60, k) for k in range(21)) / 2**60
    assert mcnemar(40, 20)[0] == pytest.approx(exact, rel=0.2)
    assert mcnemar(0, 0)[0] == 1.0


def test_equal_test_takers_differ_in_about_one_of_twenty_tests(rng):
    false = 0
    for _ in range(300):
        difficulty = rng.random(80)
        one, other = (rng.random(80) < difficulty for _ in range(2))
        false += paired(one.astype(float), other.astype(float)).p < 0.05
    assert false <= 24
    gaps = [permutation(rng.normal(size=40), 199)[0] < 0.05 for _ in range(200)]
    assert 2 <= sum(gaps) <= 20


def test_pairing_finds_what_two_intervals_hide():
    hard = np.array([0.0] * 100 + [1.0] * 100)
    one, other = hard.copy(), hard.copy()
    one[:12] = 1
    found = paired(one, other)
    assert (found.better, found.worse) == (12, 0)
    assert found.p < 0.001
    assert found.interval[0] > 0
    assert wilson(112, 200)[0] < wilson(100, 200)[1]
    assert "they differ" in found.said


def test_items_without_a_score_are_left_out():
    assert paired([1.0, float("nan"), 0.5], [0.5, 0.5, 0.5]).items == 2
    with pytest.raises(SpecError, match="no item on which both"):
        paired([float("nan")], [1.0])
    with pytest.raises(SpecError, match="on the same items"):
        paired([1.0], [1.0, 0.0])


@pytest.mark.parametrize(("first", "second", "differ"), [(0.6, 0.45, None), (0.7, 0.62, 0.16)])
def test_so_many_items_find_the_difference_four_times_of_five(rng, first, second, differ):
    count = items_needed(first, second, differ=differ)
    share = first * (1 - second) + second * (1 - first) if differ is None else differ
    up, down = (share + first - second) / 2, (share - first + second) / 2
    found = 0
    for _ in range(400):
        better, worse, _ = rng.multinomial(count, [up, down, 1 - up - down])
        found += mcnemar(int(better), int(worse))[0] < 0.05
    assert 0.70 <= found / 400 <= 0.88


@pytest.mark.parametrize(("first", "second", "how"), [(0.5, 0.5, {}), (1.2, 0.5, {}), (0.9, 0.5, {"differ": 0.2})])
def test_what_cannot_be_told_apart_is_refused(first, second, how):
    with pytest.raises(SpecError):
        items_needed(first, second, **how)
