"""How far splits are from training, as benchmarks tell what their examples are made of."""

from __future__ import annotations

from collections import Counter
from math import isnan

import pytest

import unseen
from unseen.audit.divergence import WIDEST, divergences, joined, parts_of
from unseen.core.errors import SpecError


def test_an_unseen_pair_of_transformations_is_an_unseen_compound_of_seen_atoms():
    found = divergences(unseen.task("cogitao/c1-1"), count=300)
    assert found["test"].compound < 0.05
    assert found["test_ood"].compound > 0.9
    assert found["test_ood"].atom < 0.5
    assert [*found] == ["val", "test", "val_ood", "test_ood", WIDEST]


def test_deeper_sequences_share_the_compounds_they_are_made_of():
    found = divergences(unseen.task("cogitao/c3-1"), count=300)
    assert 0.1 < found["test_ood"].compound < 0.9


def test_compounds_are_all_that_follow_each_other():
    (parts,) = parts_of(unseen.task("cogitao/custom+sequences=rot90:pad_top:rot90"), "train", count=1, seed=0)
    assert parts.atoms == Counter({"rot90": 2, "pad_top": 1})
    assert set(parts.compounds) == {("rot90", "pad_top"), ("pad_top", "rot90"), ("rot90", "pad_top", "rot90")}


def test_the_shifted_problems_of_a_rule_combine_the_same_relations():
    found = divergences(unseen.task("cvr/shape-color"), count=10)
    assert found["test_ood"] == (0.0, 0.0)
    assert isnan(divergences(unseen.task("cvr/shape"), count=10)["test_ood"].compound)


def test_examples_are_joined_by_counting():
    task = unseen.task("cogitao/c1-1")
    each = parts_of(task, "train", count=20, seed=0)
    assert joined(each).atoms.total() == sum(one.atoms.total() for one in each)


def test_a_benchmark_that_does_not_say_what_it_is_made_of_is_refused():
    with pytest.raises(SpecError, match="video does not say what its examples are made of"):
        divergences(unseen.task("video/vmds"), count=1)
