"""Rules of SVIB: what each does, held against the paper's formulas written out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.svib import kernels
from unseen.benchmarks.svib.rules import (
    ANALYSIS,
    BENCHMARK,
    RULES,
    apply,
    category,
    describe,
    effect_of,
    effects_of,
    quadrant_of,
)
from unseen.benchmarks.svib.sample import plan
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.worlds import WORLDS
from unseen.core.errors import SpecError, UnknownName

SPRITES = WORLDS["dsprites"]
index = st.integers(0, 3)
place = st.tuples(st.integers(0, 65536), st.integers(0, 65536)).map(lambda at: (at[0] / 65536, at[1] / 65536))
thing = st.tuples(st.tuples(index, index, index), place)  # color, shape, size


def after(rule, one, other, quadrant="self"):
    """The first of two objects after a named rule."""
    return apply(effects_of(((rule,),), quadrant), (one, other), SPRITES, (4, 4, 4))[0]


@given(thing, thing)
def test_the_four_rules_are_the_papers_formulas(one, other):
    (color, shape, size), at = one
    (other_color, other_shape, _), other_at = other
    own, others = quadrant_of(at, 0.5), quadrant_of(other_at, 0.5)
    assert after("sa", one, other) == ((color, other_shape, size), at)
    assert after("sna", one, other) == ((color, (shape + other_shape) % 4, size), at)
    assert after("ma", one, other) == ((shape, shape, other_color), at)
    assert after("mna", one, other) == (((shape + own) % 4, shape, (other_color + own) % 4), at)
    assert after("mna", one, other, "other") == (((shape + own) % 4, shape, (other_color + others) % 4), at)


@given(thing, thing)
def test_steps_go_where_the_published_code_sends_objects(one, other):
    look, (x, y) = one
    assert after("cp", one, other) == (look, (x + 0.3, y))
    down, up, left, right = (x, y - 0.3), (x, y + 0.3), (x - 0.3, y), (x + 0.3, y)
    assert after("ncp", one, other)[1] == pytest.approx((down, up, left, right)[other[0][2]])


@given(st.lists(thing, min_size=1, max_size=5), st.sampled_from(sorted(RULES)), st.sampled_from(["self", "other"]))
def test_the_kernel_does_what_rules_mean(things, rule, quadrant):
    spec = Spec(rule=((rule,),), quadrant=quadrant, objects=len(things), combinations="all")
    source, target = np.zeros((2, len(things), kernels.FIELDS), np.int32)
    for row, (look, (x, y)) in zip(source, things, strict=True):
        row[:3], row[kernels.X :] = look, (round(x * kernels.GRAIN), round(y * kernels.GRAIN))
    kernels.apply_rule(plan(spec).limits, plan(spec).effects, plan(spec).counts, source, target)
    meant = apply(spec.effects, tuple(things), SPRITES, (4, 4, 4))
    assert [tuple(row) for row in target[:, :3].tolist()] == [look for look, _ in meant]
    places = target[:, kernels.X :] / kernels.GRAIN
    np.testing.assert_allclose(places, [at for _, at in meant], atol=1 / kernels.GRAIN)


def test_with_more_than_two_objects_the_other_is_the_next():
    scene = tuple(((0, shape, 0), (0.5, 0.5)) for shape in range(3))
    assert [look[1] for look, _ in apply(effects_of((("sa",),)), scene, SPRITES, (4, 4, 4))] == [1, 2, 0]


def test_the_16_analysis_rules_are_in_four_groups_of_four():
    groups = [category(effects_of(((rule.name,),))) for rule in ANALYSIS]
    order = ("single atomic", "multiple atomic", "single non-atomic", "multiple non-atomic")
    assert groups == [name for name in order for _ in range(4)]
    assert [category(effects_of(((rule.name,),))) for rule in BENCHMARK] == [order[k] for k in (0, 2, 1, 3)]


def test_compound_rules_are_their_parts():
    parts = {"mintra": "cp shac", "mmix1": "cp shaash", "mninter": "nshaash ncaasi", "mna": "nshac ncaasi"}
    for rule, names in parts.items():
        assert effects_of(((rule,),)) == tuple(e for name in names.split() for e in effects_of(((name,),)))


def test_texture_is_the_color_of_clevrtex():
    spec = Spec(world="clevrtex", rule=(("ma",),))
    scene = (((5, 0, 3), (1.0, 1.0)), ((2, 0, 7), (-1.0, 1.0)))  # shape, size, material
    assert [look for look, _ in apply(spec.effects, scene, spec.place, (8, 3, 8))] == [(5, 7 % 3, 5), (2, 3 % 3, 2)]


def test_a_rule_can_be_written_out():
    written = (("shape", "self.shape", "other.size", "3"), ("color", "0"))
    found = apply(effects_of(written), (((1, 2, 3), (0, 0)), ((0, 0, 1), (0, 0))), SPRITES, (4, 4, 4))
    assert found[0][0] == (0, (2 + 1 + 3) % 4, 3)
    assert category(effects_of(written)) == "multiple non-atomic"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ((("sb",),), "no rule named 'sb'"),
        ((("form", "self.shape"),), "no factor named 'form'"),
        ((("shape", "mine.shape"),), "self or other"),
        ((("shape", "self.hue"),), "no factor named 'hue'"),
        ((("sa",), ("shape", "0")), "sets shape twice"),
        ((("shape", *["self.size"] * 5),), "sums up to 4"),
    ],
)
def test_a_rule_that_cannot_be_says_why(written, sentence):
    with pytest.raises((SpecError, UnknownName), match=sentence):
        effects_of(written)


def test_every_rule_is_described():
    assert [row["rule"] for row in describe()] == list(RULES)
    assert all(row["what it does"] for row in describe())


def test_quadrants_of_solids_meet_at_the_origin():
    assert [quadrant_of((x, y), WORLDS["clevr"].center) for x, y in ((0, 0), (-1, 0), (-1, -1), (1, -1))] == [
        1,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize("constant", ["10000", "9" * 5000])
def test_a_constant_that_no_vocabulary_needs_is_refused(constant: str) -> None:
    with pytest.raises(SpecError, match="the constants of an effect are 9,999 at most"):
        effect_of(("shape", "other.shape", constant))
    assert effect_of(("shape", "other.shape", "9999")).constant == 9999
