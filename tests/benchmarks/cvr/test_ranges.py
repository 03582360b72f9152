"""Published ranges beside ours: every row is about something, and those that are sound can be drawn."""

from __future__ import annotations

import pytest

import unseen
from unseen.benchmarks.cvr.ranges import RANGES, as_published, describe, in_words, ours
from unseen.benchmarks.cvr.rules import RULES
from unseen.benchmarks.cvr.vocabulary import FACTORS, I, P

SOUND = sorted({(row.rule, row.shifted) for row in RANGES if row.sound})


@pytest.mark.parametrize("row", RANGES, ids=lambda row: f"{row.rule}-{row.what}-{row.shifted}")
def test_every_row_says_what_is_ours_and_why(row):
    said = ours(row, RULES[row.rule])
    assert said
    assert said != row.drawn
    assert row.reason


def test_a_range_is_listed_once():
    rows = [(row.rule, row.what, row.shifted) for row in RANGES]
    assert len(rows) == len(set(rows))
    assert len(describe(RULES)) == len(RANGES)


@pytest.mark.parametrize(("rule", "shifted"), SOUND)
def test_a_sound_published_range_is_drawn_and_its_answers_are_right(rule, shifted):
    split = "test_ood" if shifted else "train"
    data = unseen.load(f"cvr/{rule}", split, variant="published")
    for example in data[:3]:
        assert data.task.check(example.record, split) == []
    assert [one.record for one in data[:3]] != [one.record for one in unseen.load(f"cvr/{rule}", split)[:3]]


def test_a_rule_without_other_ranges_is_the_same_in_both_variants():
    for rule in ("shape", "shape-shape"):
        ours, published = (
            unseen.load(f"cvr/{rule}", variant=variant)[0].record for variant in ("balanced", "published")
        )
        assert ours == published


def test_a_version_has_its_own_published_ranges():
    rule = RULES[7]
    assert as_published(rule, shifted=False).scene.size.span == (0.25, 0.5)
    assert as_published(rule, shifted=False).shifted == rule.shifted
    assert as_published(rule, shifted=True).version(True).size.span == (0.25, 0.6)


def test_the_variant_holds_in_joint_tasks():
    joint = unseen.load("cvr/elementary", variant="published", samples=1)
    for example in joint:
        assert example.record == unseen.load(f"cvr/{example.record.rule}", variant="published")[0].record


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (I("each", 0.2, 0.4), "of each image, each its own, .2 to .4"),
        (P("all", 0.3, 0.3, root=True), "one for the problem, all alike, .3, root"),
        (I("ab", inner=(0.25, 0.4)), "of each image, pattern ab, inner .25 to .4"),
    ],
)
def test_a_factor_is_told_in_words(given, said):
    assert in_words(given.to(FACTORS["size"])) == said
