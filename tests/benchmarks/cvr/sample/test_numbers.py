"""The numbers of a problem: within their bounds, shared as they should be, and never the others' in the odd image."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unseen.benchmarks.cvr.rules import FLIPS_99, PAIRINGS_60, PAIRINGS_76, RANKS_57, RULES
from unseen.benchmarks.cvr.sample import numbers, plan
from unseen.benchmarks.cvr.sample.numbers import changes_of, draw_numbers, in_order
from unseen.benchmarks.cvr.vocabulary import I, P, S, Scene, instead, redraw, singles
from unseen.core.random import Stream

SEEDS = st.integers(0, 2**32)
STREAMS = st.integers(0, 2**32).map(Stream)
SMALL = st.integers(1, 6)
COUNTS = st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple)


def kinds(labels):
    """Labels in the order they come."""
    return [list(dict.fromkeys(labels)).index(label) for label in labels]


# Numbers


@given(rng=STREAMS, low=SMALL, more=SMALL, most=SMALL)
def test_a_number_is_within_its_bounds(rng, low, more, most):
    assert low <= numbers.between(rng, low, low + more) <= low + more
    assert low <= numbers.between(rng, low, low + more, low + most) <= low + min(more, most)


def test_both_ends_are_drawn_and_every_number_is_as_likely():
    rng = Stream(0)
    found = Counter(numbers.between(rng, 1, 4) for _ in range(4000))
    assert found.keys() == {1, 2, 3, 4}
    assert all(850 < times < 1150 for times in found.values())  # about five standard errors


@given(rng=STREAMS, known=st.integers(3, 6), most=st.integers(4, 9))
def test_another_number_is_not_the_known_one(rng, known, most):
    found = numbers.other(rng, known, 3, 6, most)
    assert found != known
    assert 3 <= found <= min(6, most)


@given(rng=STREAMS, number=st.integers(0, 9))
def test_one_more_or_less_stays_within_bounds(rng, number):
    assert abs(numbers.plus_minus(rng, number, 0, 9) - number) == 1
    assert numbers.plus_minus(rng, 9, 0, 9) == 8


@given(rng=STREAMS, even=st.sampled_from((6, 8, 10, 12)), parity=st.integers(0, 1))
def test_the_odd_count_has_the_parity_that_the_others_have_not(rng, even, parity):
    regular = numbers.plus(rng, even, parity)
    assert numbers.odd_parity(rng, even, parity) % 2 != regular % 2


@given(rng=STREAMS, n=st.integers(3, 6))
def test_only_an_odd_number_of_objects_has_a_middle(rng, n):
    assert numbers.first_middle_or_last(rng, n) in (("first", "middle", "last") if n % 2 else ("first", "last"))


def test_ends_sides_and_signs_change_over():
    rng = Stream(0)
    assert [numbers.far_end(rng, end) for end in (0, 2)] == [2, 0]
    assert [numbers.opposite(rng, bit) for bit in (0, 1)] == [1, 0]
    assert numbers.negative(rng, -1) == 1


# Angles


@given(rng=STREAMS, turn=st.floats(30, 180))
def test_another_turn_is_clearly_another(rng, turn):
    found = numbers.other_turn(rng, turn, 30, 180, 60)
    assert 30 <= found <= 180
    assert abs(found - turn) >= 60


@given(rng=STREAMS, axis=st.floats(0, 179.9))
def test_another_axis_is_far_from_the_first_on_the_half_circle(rng, axis):
    apart = abs(numbers.other_axis(rng, axis, 45) - axis) % 180
    assert min(apart, 180 - apart) >= 45 - 1e-9


@given(rng=STREAMS, direction=st.floats(0, 359.9))
def test_sideways_is_a_quarter_turn_off(rng, direction):
    apart = abs(numbers.sideways(rng, direction) - direction) % 180
    assert apart == pytest.approx(90)


# Counts of groups


@given(rng=STREAMS, count=SMALL, low=SMALL, more=SMALL)
def test_parts_are_within_their_bounds(rng, count, low, more):
    found = numbers.parts(rng, count, low, low + more)
    assert len(found) == count
    assert all(low <= one <= low + more for one in found)


@given(rng=STREAMS, count=SMALL, more=st.integers(0, 5))
def test_a_composition_has_its_total_and_no_empty_part(rng, count, more):
    found = numbers.composition(rng, count + more, count)
    assert (sum(found), len(found)) == (count + more, count)
    assert min(found) >= 1


@given(total=st.integers(1, 8), count=st.integers(1, 5))
def test_compositions_are_all_of_them_once(total, count):
    every = [way for way in product(range(1, total + 1), repeat=count) if sum(way) == total]
    assert list(numbers.compositions(total, count)) == every


@given(rng=STREAMS, counts=COUNTS)
def test_regrouped_counts_are_another_multiset_of_the_same_total(rng, counts):
    assume(sum(counts) > len(counts) + 1)  # fewer cannot be grouped otherwise
    found = numbers.regrouped(rng, counts)
    assert (sum(found), len(found)) == (sum(counts), len(counts))
    assert sorted(found) != sorted(counts)


@given(total=st.integers(1, 9), count=st.integers(1, 4), most=st.integers(1, 9))
def test_partitions_are_compositions_without_their_order(total, count, most):
    ways = {tuple(sorted(way)) for way in numbers.compositions(total, count) if max(way) <= most}
    assert set(numbers.partitions(total, count, most)) == ways
    assert len(numbers.partitions(total, count, most)) == len(ways)


def test_every_partition_is_as_likely_in_a_regular_and_in_an_odd_image():
    rng = Stream(7)
    regular = [numbers.partition(rng, 6, 3, 5) for _ in range(3000)]
    odd = [numbers.regrouped(rng, counts, 5) for counts in regular]
    for way in numbers.partitions(6, 3, 5):
        assert regular.count(way) == pytest.approx(1000, abs=130)
        assert odd.count(way) == pytest.approx(1000, abs=130)


@given(rng=STREAMS, counts=COUNTS)
def test_recounted_counts_differ_at_least_in_their_order(rng, counts):
    assume(sum(counts) > len(counts))
    found = numbers.recounted(rng, counts)
    assert (sum(found), len(found)) == (sum(counts), len(counts))
    assert found != counts


@given(rng=STREAMS, n=st.integers(2, 8))
def test_pieces_are_two_or_more(rng, n):
    assert len(numbers.in_pieces(rng, n)) >= 2
    assert sum(numbers.in_pieces(rng, n)) == n
    assert numbers.whole(rng, n) == (n,)


@given(rng=STREAMS, k=st.integers(2, 5))
def test_just_one_stands_alone(rng, k):
    found = numbers.with_single(rng, k)
    assert len(found) == k
    assert found.count(1) == 1


@given(rng=STREAMS, low=SMALL, more=st.integers(1, 5))
def test_the_smaller_of_two_different_counts_comes_first(rng, low, more):
    first, second = numbers.fewer_first(rng, low, low + more)
    assert low <= first < second <= low + more


@given(rng=STREAMS)
def test_both_sides_have_something(rng):
    found = numbers.both_sides(rng, 2, 5)
    assert len(found) == 2
    assert min(found) >= 1
    assert 2 <= sum(found) <= 5


@given(rng=STREAMS, low=SMALL, more=SMALL)
def test_a_sum_is_right_and_a_wrong_one_has_an_object_moved(rng, low, more):
    first, second, total = numbers.summed(rng, low, low + more)
    assert first + second == total
    first, second, total = numbers.missummed(rng, low, low + more)
    assert abs(first + second - total) == 2
    assert (first + second + total) % 2 == 0  # an object was moved and none lost, so that parity tells nothing
    assert min(first, second, total) >= 1


# Patterns


@given(rng=STREAMS, groups=st.integers(2, 4), more=st.integers(1, 3))
def test_groups_are_never_empty_and_repartitioned_ones_hold_other_objects(rng, groups, more):
    labels = numbers.grouping(rng, groups + more, groups)
    assert set(labels) == set(range(groups))
    found = numbers.repartitioned(rng, labels)
    assert Counter(found) == Counter(labels)
    assert kinds(found) != kinds(labels)


@given(rng=STREAMS, n=st.integers(1, 6))
def test_a_permutation_has_every_number_once(rng, n):
    order = numbers.permutation(rng, n)
    assert sorted(order) == list(range(n))
    assert numbers.mapped(rng, order, order)[n:] == tuple(order[rank] for rank in order)


def pairing(labels, *, ranked):
    """Which labels touch which, whichever pair is first; unless they are ranks, any names of labels."""
    names = [tuple(labels)] if ranked else [tuple(order[label] for label in labels) for order in RENAMED]
    return {frozenset(Counter((tuple(sorted(one[:2])), tuple(sorted(one[2:])))).items()) for one in names}


RENAMED = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


@pytest.mark.parametrize(("patterns", "ranked"), [(PAIRINGS_60, True), (PAIRINGS_76, False)])
def test_repaired_patterns_have_the_same_labels_in_other_pairs(patterns, ranked):
    for pattern, seed in product(patterns, range(30)):
        found = numbers.repaired(Stream(seed), pattern, ranked)
        assert Counter(found) == Counter(pattern)
        assert not pairing(found, ranked=ranked) & pairing(pattern, ranked=ranked)


@given(rng=STREAMS, pattern=st.sampled_from(((0, 0, 1, 1), (0, 1, 0, 1), (0, 1))))
def test_contrary_patterns_have_as_many_of_each_and_another_order(rng, pattern):
    found = numbers.contrary(rng, pattern)
    assert Counter(found) == Counter(pattern)
    assert found != pattern


@given(rng=STREAMS)
def test_one_couple_is_reversed_or_both_or_none(rng):
    reversed_couples = [a < c for a, c in couples(numbers.half_turned(rng, RANKS_57))]
    assert sum(reversed_couples) == 1
    assert sum(a < c for a, c in couples(numbers.both_or_neither(rng, RANKS_57))) in (0, 2)


def couples(ranks):
    return (ranks[0], ranks[2]), (ranks[1], ranks[3])


@given(rng=STREAMS, n=st.integers(3, 8))
def test_some_are_unlike_and_not_all(rng, n):
    found = numbers.some_unlike(rng, n)
    assert len(found) == n
    assert 1 <= n - found.count(0) <= 5
    assert numbers.all_alike(rng, n) == (0,) * n


def test_the_flips_of_three_in_a_line_always_show():
    assert (0, 0, 0) not in FLIPS_99
    assert len(set(FLIPS_99)) == len(FLIPS_99)


# Names


@given(n=st.integers(0, 20), times=st.integers(2, 5), step=st.integers(-3, 3))
def test_a_name_may_be_multiplied_and_stepped_from(n, times, step):
    assert numbers.settled("n", {"n": n}) == n
    assert numbers.settled(f"n{step:+d}", {"n": n}) == n + step
    assert numbers.settled(f"n*{times}{step:+d}", {"n": n}) == n * times + step


def test_what_is_no_name_stays_as_it_is():
    assert numbers.settled("a(b)", {"a": 1}) == "a(b)"
    assert numbers.settled((0, 1), {}) == (0, 1)


# Who shares them


def drawn(scene, change, seed=0):
    regular, odd = in_order(scene).draws, in_order(scene.but(**change.scene)).draws
    return draw_numbers(regular, changes_of(regular, odd), Stream(seed))


def scene(**draws):
    return Scene(singles("n"), draws=draws)


@given(seed=SEEDS)
def test_a_number_of_the_problem_is_shared_and_one_of_an_image_is_not(seed):
    images = drawn(scene(n=P.between(1, 1000), m=I.between(1, 10**6)), instead(shape="all"), seed)
    assert len({image["n"] for image in images}) == 1
    assert len({image["m"] for image in images}) == 4


@given(seed=SEEDS)
def test_spread_numbers_do_not_repeat_within_a_problem(seed):
    images = drawn(scene(n=S.one_of(2, 4, 6, 8)), instead(shape="all"), seed)
    assert sorted(image["n"] for image in images) == [2, 4, 6, 8]


@given(seed=SEEDS)
def test_what_is_drawn_again_comes_out_otherwise(seed):
    *others, odd = drawn(scene(n=P.between(3, 4)), redraw("n"), seed)
    assert {image["n"] for image in others} == {7 - odd["n"]}


@given(seed=SEEDS)
def test_what_depends_on_a_changed_number_is_drawn_anew_and_the_rest_is_kept(seed):
    recipe = scene(k=P.between(2, 3), n=P.between(5, 9), counts=P.composition("n", "k"))
    *others, odd = drawn(recipe, redraw("k"), seed)
    assert len({image["counts"] for image in others}) == 1
    assert odd["n"] == others[0]["n"]
    assert len(odd["counts"]) == odd["k"] != others[0]["k"]
    assert sum(odd["counts"]) == odd["n"]


@given(seed=SEEDS)
def test_a_change_may_refer_to_what_it_replaces(seed):
    *others, odd = drawn(scene(side=P.one_of(0, 1)), instead(side=I.draw("opposite", "side")), seed)
    assert {image["side"] for image in others} == {1 - odd["side"]}


def test_draws_are_put_in_the_order_they_need():
    recipe = scene(counts=I.composition("n", "k"), k=P.between(2, 4, "n"), n=P.between(3, 7))
    assert list(in_order(recipe).draws) == ["n", "k", "counts"]


@pytest.mark.parametrize("shifted", [False, True], ids=["regular", "shifted"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_regular_images_share_what_belongs_to_the_problem(rule, shifted):
    ready = plan(rule.name, shifted)
    for seed in range(20):
        for odd in ready.odd:
            *others, _ = draw_numbers(ready.regular.scene.draws, odd.changes, Stream(seed))
            for name, draw in ready.regular.scene.draws.items():
                if draw.level == "problem":
                    assert len({repr(image[name]) for image in others}) == 1
