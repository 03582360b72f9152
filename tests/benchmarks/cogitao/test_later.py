"""The authors' later settings: what each trains on, and what it holds out."""

from __future__ import annotations

import pytest

import unseen
from unseen.benchmarks.cogitao.splits import LATER
from unseen.core.errors import SpecError

COUNTS = {  # sequences to train on: all of the atoms up to the depth, less what is held out
    "n11-1": 4 + 16 - 1,
    "n11-2": 7 + 49 - 1,
    "n12-1": 7 + 49 - 1,
    "n13-1": 4 + 16 - 2,
    "n13-2": 4 + 16 - 2,
    "n13-3": 7 + 49 - 2,
    "n14-1": 7 + 49 + 343 - 6,
    "n15-1": 6 + 36 - 2,
    "n15-2": 11 + 121 - 2,
    "n15-3": 15 + 225 - 2,
    "n21-1": 7 + 49,
    "n22-1": 7 + 49 + 343,
}


@pytest.mark.parametrize("name", LATER)
def test_a_setting_trains_on_all_sequences_but_those_that_it_holds_out(name):
    lists = LATER[name]
    assert len(lists.train) == len(set(lists.train)) == COUNTS[name]
    assert not set(lists.train) & set(lists.ood)
    assert len(lists.ood) == 1


@pytest.mark.parametrize(("name", "reverse_is_trained"), [("n11-1", True), ("n12-1", True), ("n13-2", False)])
def test_the_reverse_of_the_held_out_pair_is_trained_where_the_setting_says_so(name, reverse_is_trained):
    lists = LATER[name]
    assert (lists.ood[0][::-1] in lists.train) == reverse_is_trained


def test_sizes_are_those_of_the_published_sets_unless_fewer_are_wanted():
    task = unseen.task("cogitao/n21-1")
    assert task.splits["train"].size == 3_000_000
    assert unseen.task("cogitao/n21-1", samples=500).splits["train"].size == 500
    assert {"test_paired", "test_paired_ood"} <= task.splits.keys()
    with pytest.raises(SpecError, match="samples counts training examples, so it cannot be 0"):
        unseen.task("cogitao/n21-1", samples=0)


def test_objects_are_crosses_and_full_boxes_of_one_color():
    for example in unseen.load("cogitao/n11-2", "train")[:20]:
        for one in example.scene["objects"]:
            colors = {cell for row in one["cells"] for cell in row} - {0}
            assert len(colors) == 1
