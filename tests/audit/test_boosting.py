"""Boosted trees: they learn what can be learned, and nothing where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.audit import boosting


def problems(count, seed, tell):
    """Candidates of three random features, of which `tell` says which one is right."""
    rows = np.random.default_rng(seed).normal(size=(count, 4, 3))
    return rows, tell(rows)


def accuracy(forest, rows, right):
    return (boosting.scores(forest, rows).argmax(axis=1) == right).mean()


@pytest.mark.parametrize(
    ("tell", "least"),
    [
        (lambda rows: rows[:, :, 1].argmax(axis=1), 0.85),
        (lambda rows: abs(rows[:, :, 2]).argmax(axis=1), 0.8),
        (lambda rows: (rows[:, :, 0] * rows[:, :, 1]).argmax(axis=1), 0.5),  # neither feature tells anything alone
    ],
    ids=["greatest", "farthest", "product"],
)
def test_what_features_tell_is_learned(tell, least):
    forest = boosting.fit(*problems(500, 0, tell), trees=40)
    assert accuracy(forest, *problems(300, 1, tell)) > least


def test_where_nothing_tells_answers_are_a_guess():
    rows, right = problems(1500, 0, lambda rows: np.random.default_rng(5).integers(0, 4, len(rows)))
    forest = boosting.fit(rows[:500], right[:500], trees=40)
    assert accuracy(forest, rows[500:], right[500:]) == pytest.approx(0.25, abs=0.06)


def test_the_same_problems_grow_the_same_trees():
    rows, right = problems(60, 3, lambda rows: rows[:, :, 1].argmax(axis=1))
    one, other = (boosting.fit(rows, right, trees=5) for _ in range(2))
    assert all(np.array_equal(first, second) for first, second in zip(one, other, strict=True))


def test_a_feature_that_never_varies_is_not_cut():
    rows, right = problems(80, 3, lambda rows: rows[:, :, 1].argmax(axis=1))
    rows[:, :, 0] = 7
    forest = boosting.fit(rows, right, trees=5)
    assert 0 not in forest.features[forest.cuts < boosting.BINS]


def test_trees_work_out_derivatives_of_the_cross_entropy():
    from unseen.audit.kernels.trees import descend

    total, right = np.array([0.3, -1.0, 2.0, 0.0, 0.5, 0.1, -0.2, 1.0]), np.array([2, 0])
    slope, curve = np.empty(8), np.empty(8)
    descend(total, right, 4, slope, curve)
    shares = np.exp(total.reshape(2, 4)) / np.exp(total.reshape(2, 4)).sum(axis=1, keepdims=True)
    assert slope.reshape(2, 4) == pytest.approx(shares - np.eye(4)[right])
    assert curve.reshape(2, 4) == pytest.approx(shares * (1 - shares))
