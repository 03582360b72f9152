"""Atom and compound divergence, and the split that makes the second large."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.divergence import COMPOUNDS, MOST_ATOMS, Parts, _Search, chernoff, divergence, diverging
from unseen.core.errors import SpecError
from unseen.core.random import Stream, path_key

counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 20), min_size=1)
words = st.lists(st.text("abc", min_size=2, max_size=3), min_size=4, max_size=25)


def parts(word):
    return Parts(Counter(word), Counter(word[i : i + 2] for i in range(len(word) - 1)))


def joined(items):
    return Parts(sum((item.atoms for item in items), Counter()), sum((item.compounds for item in items), Counter()))


def reached(items, held_out):
    test = set(held_out)
    return divergence(
        joined([item for i, item in enumerate(items) if i not in test]), joined([items[i] for i in sorted(test)])
    )


def test_half_is_the_bhattacharyya_coefficient_worked_out_by_hand():
    assert chernoff({"a": 1, "b": 3}, {"b": 1, "c": 1}, 0.5) == pytest.approx(sqrt(0.75 * 0.5))
    assert chernoff({"a": 1, "b": 3}, {"b": 1, "c": 1}, 0.1) == pytest.approx(0.75**0.1 * 0.5**0.9)


@given(one=counts, other=counts, alpha=st.sampled_from([0.1, 0.5]), times=st.integers(2, 9))
def test_a_coefficient_is_of_frequencies_and_1_for_equal_ones(one, other, alpha, times):
    value = chernoff(one, other, alpha)
    assert 0 <= value <= 1
    assert chernoff({name: times * count for name, count in one.items()}, other, alpha) == pytest.approx(value)
    assert chernoff(one, one, alpha) == pytest.approx(1)
    assert chernoff(other, one, 1 - alpha) == pytest.approx(value)
    if not one.keys() & other.keys():
        assert value == 0


def test_a_compound_that_training_has_at_all_counts_more_than_how_often():
    test = {"seen": 50, "unseen": 50}
    rare, frequent = {"seen": 1, "other": 99}, {"seen": 50, "other": 50}
    assert chernoff(frequent, test, COMPOUNDS) / chernoff(rare, test, COMPOUNDS) < 1.5
    assert chernoff(frequent, test, 0.5) / chernoff(rare, test, 0.5) > 5


def test_what_has_no_compounds_does_not_diverge():
    assert isnan(divergence(parts("a"), parts("ab")).compound)


@given(words, st.sampled_from([0.2, 0.3, 0.5]))
def test_a_diverging_split_has_the_share_that_was_asked_for(found, share):
    items = [parts(word) for word in found]
    wanted = round(share * len(items))
    if not 0 < wanted < len(items):
        return
    held_out = diverging(items, share=share)
    assert len(held_out) == len(set(held_out)) == wanted
    assert held_out == diverging(items, share=share)


@given(words, st.sets(st.integers(0, 24)), st.integers(0, 24))
def test_the_search_knows_what_every_move_would_give(found, first, then):
    items = [parts(word) for word in found]
    search, held_out = _Search(items, MOST_ATOMS), {item for item in first if item < len(items)}
    for item in held_out:
        search.move(item)
    then %= len(items)
    after = held_out ^ {then}
    if not 0 < len(after) < len(items):
        return
    signs = np.where(search.held_out, -1.0, 1.0)
    expected = reached(items, after)
    assert search.compounds.moved(signs)[then] == pytest.approx(expected.compound, abs=1e-9)
    assert search.atoms.moved(signs)[then] == pytest.approx(expected.atom, abs=1e-9)
    search.move(then)
    assert search.compounds.now() == pytest.approx(expected.compound, abs=1e-9)


def test_pairs_of_letters_are_split_into_unseen_pairs_of_seen_letters():
    items = [parts(one + other) for one, other in product("abcdef", repeat=2)] * 3
    held_out = diverging(items, share=0.25)
    found = reached(items, held_out)
    assert found.compound > 0.8
    assert found.atom < 2 * MOST_ATOMS
    rng = Stream(path_key(0, "divergence"))
    for _ in range(5):
        order = list(range(len(items)))
        rng.shuffle(order)
        assert reached(items, order[: len(held_out)]).compound < found.compound / 2


def test_a_share_that_leaves_nothing_is_refused():
    with pytest.raises(SpecError, match=r"a share of 0.01 of 4 items leaves nothing"):
        diverging([parts("ab")] * 4, share=0.01)
