"""What all statistics together tell, of problems that were not learned from, without what is declared."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.audit.learned import FEWEST, Learned, relative
from unseen.audit.solvers import solvers_of


def tally(numbers, *, without=()):
    """The tally over problems of given numbers (n, 4, columns), in which the odd one has 1 in the first column."""
    solver = Learned("learned", "", lambda example: example.numbers, frozenset(without))
    tallied = solver.tally([])
    for one in numbers:
        tallied.see(SimpleNamespace(numbers=one), int(one[:, 0].argmax()))
    return tallied


def telling(count, seed=0):
    """Numbers of problems whose first column says which image is odd, and the second says nothing."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros((count, 4, 2))
    numbers[np.arange(count), rng.integers(0, 4, count), 0] = 1
    numbers[:, :, 1] = rng.normal(size=(count, 4))
    return numbers


def test_what_one_column_tells_is_found_unless_it_is_kept_back():
    numbers = telling(400)
    assert tally(numbers).values()["exact"] == 1.0
    assert tally(numbers, without=[0]).values()["exact"] == pytest.approx(0.25, abs=0.12)


def test_too_few_problems_teach_nothing():
    assert tally(telling(FEWEST - 1)).values() == {}


def test_features_do_not_depend_on_the_order_of_images_or_on_where_zero_is():
    numbers = np.random.default_rng(1).normal(size=(4, 6))
    order = [2, 0, 3, 1]
    assert relative(numbers[order]) == pytest.approx(relative(numbers)[order])
    assert relative(numbers + 5) == pytest.approx(relative(numbers))


def test_rounding_tells_nothing():
    numbers = np.full((4, 1), 0.3)
    numbers[2] += 1e-13
    assert not relative(numbers).any()


def test_declared_statistics_are_kept_from_what_learns():
    task = unseen.task("cvr/color")
    (learned,) = (one for one in solvers_of(task, "train") if isinstance(one, Learned))
    assert learned.without
    (free,) = (one for one in solvers_of(unseen.task("cvr/pos-col-2"), "train") if isinstance(one, Learned))
    assert not free.without
