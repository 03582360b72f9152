"""Coincidences: found where another choice of axis, object or couple leaves out another image."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cvr.rules import BY_NAME, RULES
from unseen.benchmarks.cvr.sample import draw_problem, image_of, plan
from unseen.benchmarks.cvr.sample.coincidences import COINCIDENCES, left_out, sorted_along
from unseen.core.random import Stream


@given(value=st.integers(), other=st.integers(), place=st.integers(0, 3))
def test_one_of_four_is_left_out_by_three_that_agree(value, other, place):
    values = [value] * 4
    assert left_out(values) is None
    values[place] = other
    assert left_out(values) == (None if value == other else place)


def test_nobody_is_left_out_by_fewer_than_three():
    assert left_out("aabb") is None
    assert left_out("abca") is None


def two(by_hand, *, first, second, x, y):
    """Two objects by the ends of their axes: `x` and `y` say whether the first comes first."""
    return (
        by_hand.o(x=0.3 if x else 0.7, y=0.3 if y else 0.7, **first),
        by_hand.o(x=0.7 if x else 0.3, y=0.7 if y else 0.3, **second),
    )


FACTORS = {
    "another axis of sizes": ({"size": 0.2}, {"size": 0.1}),
    "another axis of shapes": ({"shape": 1}, {"shape": 2}),
    "another axis of hues": ({"hue": 0.1}, {"hue": 0.6}),
}


@pytest.mark.parametrize("name", FACTORS)
def test_an_order_on_the_other_axis_may_not_leave_out_another_image(by_hand, name):
    first, second = FACTORS[name]

    def problem(*ways):
        return [two(by_hand, first=first, second=second, x=x, y=y) for x, y in ways]

    odd_on_x = problem((1, 1), (1, 1), (1, 0), (0, 1))  # y leaves the third image out
    assert COINCIDENCES[name](odd_on_x, False)
    assert not COINCIDENCES[name](problem((1, 1), (1, 0), (1, 0), (0, 1)), False)
    assert not COINCIDENCES[name](problem((1, 1), (1, 1), (1, 1), (0, 0)), False)


def test_three_that_turn_one_way_on_the_other_axis_may_not_leave_out_another_image(by_hand):
    def image(*ranks_on_y):
        return by_hand.at([(0.2, ranks_on_y[0]), (0.5, ranks_on_y[1]), (0.8, ranks_on_y[2])], angle=[0.0, 60.0, 120.0])

    along, against = image(0.1, 0.5, 0.9), image(0.9, 0.5, 0.1)
    assert COINCIDENCES["another axis of angles"]([along, along, against, along], False)
    assert not COINCIDENCES["another axis of angles"]([along, along, against, against], False)


def test_flips_against_the_middle_on_the_other_axis_may_not_leave_out_another_image(by_hand):
    def image(*ranks_on_y):
        places = [(0.2, ranks_on_y[0]), (0.5, ranks_on_y[1]), (0.8, ranks_on_y[2])]
        return by_hand.at(places, flip=[True, False, False])

    along, against = image(0.1, 0.5, 0.9), image(0.9, 0.5, 0.1)
    assert COINCIDENCES["another axis of flips"]([along, along, against, along], False)
    assert not COINCIDENCES["another axis of flips"]([along, along, along, along], False)


def test_other_couples_may_not_leave_out_another_image(by_hand):
    def image(*sizes):
        return by_hand.at([(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)], size=[size / 10 for size in sizes])

    agree, reversed_third = image(1, 2, 3, 4), image(1, 2, 4, 3)
    assert COINCIDENCES["another couple"]([agree, agree, reversed_third, agree], False)
    assert not COINCIDENCES["another couple"]([agree, agree, agree, image(1, 4, 3, 2)], False)


def test_another_place_in_the_order_may_not_leave_out_another_image(by_hand):
    lowest_left = by_hand.at([(0.2, 0.9), (0.5, 0.5), (0.8, 0.1)])
    lowest_right = by_hand.at([(0.2, 0.1), (0.5, 0.5), (0.8, 0.9)])
    assert COINCIDENCES["another rank"]([lowest_left, lowest_left, lowest_right, lowest_left], False)
    assert not COINCIDENCES["another rank"]([lowest_left] * 3 + [lowest_right], False)
    highest_left = by_hand.at([(0.2, 0.9), (0.5, 0.1), (0.8, 0.5)])  # the lowest is where it was
    assert not COINCIDENCES["another rank"]([lowest_left, lowest_left, highest_left, lowest_right], False)
    assert COINCIDENCES["another rank"]([lowest_left, lowest_left, highest_left, lowest_right], True)


def test_the_side_of_what_lies_inside_may_not_leave_out_another_image_on_the_other_axis(by_hand):
    def image(x, y):
        return by_hand.o(size=0.5), by_hand.o(size=0.1, x=0.5 + x, y=0.5 + y)

    problem = [image(-0.1, 0.1), image(-0.1, 0.1), image(-0.1, -0.1), image(0.1, 0.1)]
    assert COINCIDENCES["another side"](problem, True)
    assert not COINCIDENCES["another side"](problem, False)
    assert not COINCIDENCES["another side"]([*problem[:3], image(0.1, -0.1)], True)


def test_the_closer_couple_on_the_other_axis_may_not_leave_out_another_image(by_hand):
    def image(left, upper):
        """The corners of a square, one of which is moved inwards: its column and its row are the closer ones."""
        places = {corner: list(corner) for corner in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8))}
        moved = places[0.2 if left else 0.8, 0.2 if upper else 0.8]
        moved[0] += 0.1 if left else -0.1
        moved[1] += 0.2 if upper else -0.2
        return by_hand.at([tuple(place) for place in places.values()])

    problem = [image(1, 1), image(1, 1), image(1, 0), image(0, 1)]  # by its rows, the third is odd
    assert COINCIDENCES["another row"](problem, True)
    assert not COINCIDENCES["another row"](problem, False)
    assert not COINCIDENCES["another row"]([image(1, 1), image(1, 0), image(1, 0), image(0, 1)], True)


def test_the_fuller_half_on_the_other_axis_may_not_leave_out_another_image(by_hand):
    def image(left, upper):
        """Three corners; the fuller halves are those of the one in the middle."""
        x, y = 0.2 if left else 0.8, 0.2 if upper else 0.8
        return by_hand.at([(x, y), (1 - x, y), (x, 1 - y)])

    problem = [image(1, 1), image(1, 1), image(1, 0), image(0, 1)]  # by its upper and lower half, the third is odd
    assert COINCIDENCES["another half with more"](problem, True)
    assert not COINCIDENCES["another half with more"](problem, False)
    assert not COINCIDENCES["another half with more"]([image(1, 1), image(1, 0), image(1, 0), image(0, 1)], True)
    between = (*image(1, 1), by_hand.o(x=0.2, y=0.5))  # no half of the other axis has it to itself
    assert not COINCIDENCES["another half with more"]([between, *problem[1:]], True)


def test_a_filled_half_on_the_other_axis_may_not_leave_out_another_image(by_hand):
    def image(left, upper):
        """An empty object in a corner, and across from it a filled one."""
        x, y = 0.25 if left else 0.75, 0.25 if upper else 0.75
        places, sizes = [(x, y), (1 - x, 1 - y), (x, y)], [0.3, 0.3, 0.1]
        return by_hand.at(places, size=sizes)

    problem = [image(1, 1), image(1, 1), image(1, 0), image(0, 1)]
    assert COINCIDENCES["another filled half"](problem, True)
    assert not COINCIDENCES["another filled half"](problem, False)
    both_filled = (*image(1, 1), by_hand.o(x=0.75, y=0.75, size=0.1))
    assert not COINCIDENCES["another filled half"]([both_filled, *problem[1:]], True)


def test_objects_are_sorted_along_an_axis(by_hand):
    image = by_hand.at([(0.8, 0.2), (0.2, 0.8)])
    assert sorted_along(image, "x") == image[::-1]
    assert sorted_along(image, "y") == image


def test_the_rules_that_avoid_coincidences_are_these():
    assert {rule.id for rule in RULES if rule.unless} == {14, 15, 24, 25, 31, 47, 49, 53, 57, 98, 99}


@pytest.mark.parametrize("rule", [rule.name for rule in RULES if rule.unless])
@pytest.mark.parametrize("shifted", [False, True], ids=["regular", "shifted"])
def test_no_problem_has_a_coincidence(rule, shifted):
    unlikely = COINCIDENCES[BY_NAME[rule].unless]
    for seed in range(20):
        assert not unlikely([*map(image_of, draw_problem(plan(rule, shifted), Stream(seed)))], shifted)
