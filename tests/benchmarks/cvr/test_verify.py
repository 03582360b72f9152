"""The check of a problem: right ones pass, and each thing that can be wrong is named."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from unseen.benchmarks.cvr import verify
from unseen.benchmarks.cvr.meaning import Meaning
from unseen.benchmarks.cvr.meaning.margins import PX
from unseen.benchmarks.cvr.meaning.seen import edge_distance, edges_of, radial_profile, shape_difference, within
from unseen.benchmarks.cvr.rules import RULES
from unseen.benchmarks.cvr.scene import Record
from unseen.benchmarks.cvr.verify import check, check_problem


@pytest.fixture(scope="session")
def found(by_hand):
    """What is wrong with four images."""

    def check(images, rule, odd=3):
        return list(
            check_problem(Record("by hand", False, "blob", odd, tuple(images)), RULES[rule].meaning, by_hand.blob)
        )

    return check


@pytest.mark.parametrize("rule", range(103))
def test_a_problem_by_hand_is_right_and_its_regular_images_are_not_odd(rule, problems, found):
    assert found(problems[rule], rule) == []
    assert found(problems[rule], rule, odd=1) == ["image 3 is the odd one, not image 1"]


def test_four_equal_images_are_ambiguous(problems, found):
    (problem,) = found(problems[0][:1] * 4, 0)
    assert problem.startswith("the odd image is ambiguous: ")


def test_an_object_may_not_leave_the_frame(by_hand, problems, found):
    *images, last = problems[0]
    assert found([*images, by_hand.moved(last, 0.46)], 0) == ["image 3: object 0 leaves the frame"]


def test_outlines_may_touch_only_where_the_rule_speaks_of_contact(by_hand, problems, found):
    touching = problems[8][0]
    apart = problems[8][3]
    assert found([apart, apart, apart, touching], 40)[0] == "image 3: objects 0 and 1 are only 0.0 px apart"
    assert not any("apart" in problem.split(":")[0] for problem in found(problems[8], 8))


def test_outlines_may_not_overlap_even_where_the_rule_speaks_of_contact(by_hand, problems, found):
    first, second, third, last = problems[8]
    deep = by_hand.touch(*first, overlap=8 * PX)
    assert "image 0: objects 0 and 1 overlap" in found([deep, second, third, last], 8)


def test_a_problem_has_four_images(problems, found):
    assert found(problems[0][:3], 0) == ["there are 3 images instead of 4"]


def test_every_rule_whose_name_says_contact_may_touch_and_no_other():
    contact = {8, 20, 21, 44, 45, 46, 55, 60, 76, 79, 80, 81, 87, 88, 89, 101, 102}
    assert {rule.id for rule in RULES if rule.meaning.touching} == contact


def test_the_shifted_reading_is_used_where_the_record_is_shifted(by_hand, problems, shifted_problems):
    record = SimpleNamespace(rule="", shifted=True, contour="", odd=3, images=shifted_problems[98])
    assert list(check_problem(record, RULES[98].meaning, by_hand.blob)) == []
    only_regular = Meaning("", RULES[98].meaning.reading)
    assert list(check_problem(record, only_regular, by_hand.blob))


def test_a_record_is_read_by_the_meaning_of_the_rule_that_it_names(by_hand, problems, monkeypatch):
    monkeypatch.setattr(verify, "contour", lambda key, family: {"blob": by_hand.blob}[family](key))
    assert check(Record("count", False, "blob", 3, problems[6]), None) == []
    assert check(Record("count", False, "blob", 2, problems[6]), None) == ["image 3 is the odd one, not image 2"]
    assert check(Record("counts", False, "blob", 3, problems[6]), None) == ["no rule is named 'counts'"]


# Geometry, against a plain second way


def test_the_distance_of_outlines_is_that_of_their_densely_drawn_points(by_hand):
    one, other = by_hand.blob(by_hand.shapes[0]), by_hand.blob(by_hand.shapes[1]) + np.array([0.8, 0.7])

    def dense(points):
        shares = np.linspace(0, 1, 5, endpoint=False)[:, None, None]
        return (points + shares * (np.roll(points, -1, axis=0) - points)).reshape(-1, 2)

    apart = np.hypot(*(dense(one)[:, None] - dense(other)[None]).transpose(2, 0, 1)).min()
    assert edge_distance(edges_of(one), edges_of(other)) == pytest.approx(apart, abs=3e-3)
    assert edge_distance(edges_of(one), edges_of(one + 0.3)) == 0


def test_points_within_a_star_shaped_outline_are_those_nearer_than_its_radius(by_hand):
    outline = by_hand.blob(by_hand.shapes[0])
    assert within(outline, outline * 0.98).all()
    assert not within(outline, outline * 1.02).any()


def test_a_shape_is_like_its_turned_and_mirrored_copies_and_unlike_others(by_hand):
    profiles = [radial_profile(by_hand.blob(key)) for key in by_hand.shapes]
    turned = [np.roll(profile[::-1], 11) for profile in profiles]
    assert all(shape_difference(*both) == 0 for both in zip(profiles, turned, strict=True))
    assert all(shape_difference(one, other) >= 0.03 for one in profiles for other in profiles if one is not other)
