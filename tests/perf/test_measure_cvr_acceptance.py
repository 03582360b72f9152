"""Images are seldom drawn again, and the ones kept are no smaller than the ones drawn."""

from __future__ import annotations

import pytest

from unseen.benchmarks.cvr.rules import RULES

ENOUGH = 20  # images of a number of objects
MOST_DRAFTS = 150  # of an image, for the most crowded ones
SMALLEST, LARGEST = 0.9, 1.1  # mean size of kept images, as a share of that of all drafts


def test_every_image_is_counted_under_each_of_its_numbers(script, capsys):
    rows = {row.number: row for row in script.acceptances("count", False, 20)}
    by_objects = [row for number, row in rows.items() if number.startswith("objects=")]
    assert sum(row.images for row in by_objects) == 20 * 4
    assert sum(row.images for number, row in rows.items() if number.startswith("n=")) == 20 * 4
    assert all(row.drafts >= 1 for row in rows.values())
    script.main("2", "shape")
    assert "shifted: 2 problems of each rule" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("shifted", [False, True], ids=["regular", "shifted"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_number_of_objects_is_hard_to_place_and_rejection_does_not_prefer_small_ones(script, rule, shifted):
    for row in script.acceptances(rule.name, shifted, 30):
        if row.number.startswith("objects=") and row.images >= ENOUGH:
            assert row.drafts <= MOST_DRAFTS, row
            assert SMALLEST <= row.size <= LARGEST, row
