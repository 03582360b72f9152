"""Krippendorff's alpha against the worked examples of the literature."""

from __future__ import annotations

from math import isnan

import pytest

from unseen.metrics.agreement import krippendorff_alpha

OBSERVERS = (  # a worked example that is often printed: fifteen units, three observers, some missing
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
)
BINARY = ("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")  # ten units, two observers: alpha is 0.095


def units(observers: tuple[str, ...]) -> list[list[str]]:
    return [[one for one in unit if one != "*"] for unit in zip(*(line.split() for line in observers), strict=True)]


def test_it_gives_the_printed_values() -> None:
    assert krippendorff_alpha(units(OBSERVERS)) == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha(units(BINARY)) == pytest.approx(0.095, abs=5e-4)


def test_the_order_of_judges_does_not_matter() -> None:
    assert krippendorff_alpha(units(OBSERVERS[::-1])) == pytest.approx(krippendorff_alpha(units(OBSERVERS)))


def test_it_is_one_for_agreement_and_nothing_where_nothing_can_be_said() -> None:
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]) == 1
    assert isnan(krippendorff_alpha([]))
    assert isnan(krippendorff_alpha([["a"], ["b"]]))
    assert isnan(krippendorff_alpha([["a", "a"], ["a", "a"]]))
