"""Assignments are optimal, and ties are resolved as SciPy does."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.metrics.tracking import kernels

shapes = st.tuples(st.integers(1, 5), st.integers(1, 5))
floats = hnp.arrays(np.float64, shapes, elements=st.floats(-2, 2, width=32))
few_values = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.sampled_from([0.0, 1, 2, 3])
)


def total(costs, column_of):
    return sum(costs[row, column] for row, column in enumerate(column_of) if column >= 0)


@given(floats)
def test_no_assignment_costs_less(costs):
    found = kernels.solve(costs)
    rows, columns = costs.shape
    assert np.count_nonzero(found >= 0) == len({*found[found >= 0]}) == min(rows, columns)
    wide = costs if rows <= columns else costs.T
    best = min(
        sum(wide[i, j] for i, j in enumerate(chosen)) for chosen in permutations(range(max(rows, columns)), len(wide))
    )
    assert total(costs, found) == pytest.approx(best, abs=1e-9)


@given(few_values)
def test_ties_are_resolved_as_scipy_does(costs):
    scipy = pytest.importorskip("scipy.optimize", reason="scipy comes with trackeval; see CONTRIBUTING.md")
    rows, columns = scipy.linear_sum_assignment(costs)
    found = kernels.solve(costs)
    assert [(row, column) for row, column in enumerate(found) if column >= 0] == [*zip(rows, columns, strict=True)]


def test_equal_costs_give_the_identity():
    assert kernels.solve(np.ones((3, 3))).tolist() == [0, 1, 2]
    assert kernels.solve(np.ones((3, 2))).tolist() == [0, 1, -1]


def test_only_what_is_marked_is_assigned():
    scores = np.array([[[9.0, 1.0, 0.0], [8.0, 2.0, 0.0]]])
    everything = np.ones((1, 2), bool), np.ones((1, 3), bool)
    assert kernels.assign(scores, *everything).tolist() == [[0, 1]]
    assert kernels.assign(scores, np.array([[False, True]]), everything[1]).tolist() == [[-1, 0]]
    assert kernels.assign(scores, everything[0], np.array([[False, True, False]])).tolist() == [[-1, 1]]
    assert kernels.assign(scores, everything[0], np.zeros((1, 3), bool)).tolist() == [[-1, -1]]
