"""Bodies with their numbers: letters, groups, clumps, nests, pairs and sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cvr.kernels.words import ANY, NONE
from unseen.benchmarks.cvr.sample.bodies import cast, cast_of
from unseen.benchmarks.cvr.vocabulary import bodies, filled

COUNTS = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


def written(text, small=""):
    return cast("written", text, small)


def roots_of(found):
    """The first object of each body."""
    return [i for i, holder in enumerate(found.holders) if holder == NONE]


@pytest.mark.parametrize(
    ("text", "parent", "touches", "roots"),
    [
        ("a", [NONE], [NONE], [0]),
        ("a b", [NONE, NONE], [NONE, NONE], [0, 1]),
        ("a(b)", [NONE, 0], [NONE, NONE], [0]),
        ("a(b(c))", [NONE, 0, 1], [NONE] * 3, [0]),
        ("a(bc)", [NONE, 0, 0], [NONE] * 3, [0]),
        ("b(c) a", [NONE, NONE, 1], [NONE] * 3, [0, 1]),
        ("a-b c", [NONE] * 3, [NONE, 0, NONE], [0, 2]),
        ("a(e)-b(f) c-d", [NONE, NONE, NONE, NONE, 0, 1], [NONE, 0, NONE, 2, NONE, NONE], [0, 2]),
        ("a(e)-c b(f)-d", [NONE, NONE, NONE, NONE, 0, 1], [NONE, NONE, 0, 1, NONE, NONE], [0, 1]),
    ],
)
def test_letters_say_what_contains_and_what_touches(text, parent, touches, roots):
    found = written(text)
    assert (list(found.parent), list(found.touches), roots_of(found)) == (parent, touches, roots)


def test_an_object_can_be_as_small_as_if_it_were_inside():
    assert written("a b", "b of a").measure == (NONE, 0)
    assert written("a b", "b of a").parent == (NONE, NONE)
    assert written("a(b)").measure == (NONE, 0)


@given(counts=COUNTS)
def test_groups_have_the_drawn_sizes_and_nothing_touches(counts):
    found = cast("groups", counts)
    assert tuple(found.labels["group"].count(k) for k in range(len(counts))) == counts
    assert all(len({found.labels["within"][i] for i in members(found, k)}) == n for k, n in enumerate(counts))
    assert set(found.touches) == {NONE}


def members(found, group):
    return [i for i, one in enumerate(found.labels["group"]) if one == group]


@given(counts=COUNTS)
def test_clumps_are_groups_that_touch_from_their_second_member_on(counts):
    found = cast("clumps", counts)
    assert tuple(found.labels["group"].count(k) for k in range(len(counts))) == counts
    assert [found.labels["group"][i] for i in roots_of(found)] == list(range(len(counts)))
    assert found.touches.count(ANY) == sum(counts) - len(counts)


@given(count=st.integers(0, 4), others=st.integers(0, 4))
def test_the_first_few_are_filled(count, others):
    found = cast("filled", count, count + others)
    assert found.parent == (NONE,) * (count + others) + tuple(range(count))
    assert len(roots_of(found)) == count + others


@given(counts=st.tuples(st.integers(1, 4), st.integers(1, 4)), group=st.integers(0, 1))
def test_just_one_side_is_filled(counts, group):
    found = cast("sided", counts, group)
    filled = [found.labels["group"][parent] for parent in found.parent if parent != NONE]
    assert filled == [group] * counts[group]


@given(inside=st.integers(1, 5), outside=st.integers(0, 4))
def test_all_of_a_nest_are_measured_by_the_one_that_contains(inside, outside):
    found = cast("nest", inside, outside)
    assert found.measure == (NONE,) + (0,) * (inside + outside)
    assert found.parent.count(0) == inside


@given(count=st.integers(1, 4), marker=st.booleans(), filled=st.integers(0, 4))
def test_pairs_come_two_by_two_after_the_marker(count, marker, filled):
    filled = min(filled, count)
    found = cast("pairs", count, marker, filled)
    pair = found.labels["pair"][marker:]
    assert all(pair[i] == pair[i + 1] for i in range(0, len(pair), 2))
    assert len(found) == marker + 2 * count + 2 * filled
    assert len(set(found.parent) - {NONE}) == 2 * filled


def test_sets_have_equal_numbers():
    assert cast("sets", 2, 3).labels["set"] == (0, 0, 0, 1, 1, 1)


def test_bodies_take_their_numbers_and_letters_from_the_draws():
    assert len(cast_of(filled("f", of="n"), {"f": 1, "n": 3})) == 4
    assert cast_of(bodies("$s"), {"s": "a(b)"}).parent == (-1, 0)
