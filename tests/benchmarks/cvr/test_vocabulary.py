"""The words of rules: scenes with differences, and words that nobody knows."""

from __future__ import annotations

from dataclasses import fields

import pytest

from unseen.benchmarks.cvr.vocabulary import (
    FACTORS,
    Config,
    Factor,
    I,
    P,
    Scene,
    bodies,
    exchange,
    instead,
    redraw,
    singles,
)
from unseen.core.errors import UnknownName
from unseen.report.catalogue import option_rows

SCENE = Scene(singles("n"), Config(), draws={"n": P.between(3, 6)})


def test_a_difference_is_a_field_a_pattern_a_draw_or_a_setting_of_the_place():
    other = SCENE.but(bodies=bodies("a b"), shape="aab", k=I.between(1, 2), other=True)
    assert other.bodies == bodies("a b")
    assert other.shape == SCENE.shape.but("aab")
    assert other.draws == {"n": P.between(3, 6), "k": I.between(1, 2)}
    assert other.place == Config(other=True)
    assert SCENE.place == Config()


def test_a_setting_that_no_place_has_is_refused():
    with pytest.raises(UnknownName, match="no word named 'othr' in a scene with Config"):
        SCENE.but(othr=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"color": I("each", gpa=0.15)}, "no option named 'gpa' in the factor color. Did you mean 'gap'?"),
        ({"size": I("each", iner=(0.2, 0.3))}, "no option named 'iner' in the factor size. Did you mean 'inner'?"),
        (
            {"shape": I("each", gap=0.15)},
            "no option named 'gap' in the factor shape. There are: lopsided, fresh, unlike.",
        ),
        ({"flip": I("each", gap=0.15)}, "no option named 'gap' in the factor flip."),
    ],
)
def test_an_option_that_a_factor_does_not_have_is_refused(words, sentence):
    for refused in (lambda: Scene(singles(3), **words), lambda: SCENE.but(**words)):
        with pytest.raises(UnknownName) as caught:
            refused()
        assert str(caught.value) == sentence


def test_an_option_that_the_odd_image_misspells_is_refused():
    with pytest.raises(UnknownName, match="no option named 'unlik' in the factor color"):
        SCENE.but(color={"unlik": 0.15})


def test_only_factors_are_exchanged():
    with pytest.raises(UnknownName, match="no factor named 'colr' in cvr"):
        exchange("colr")


def test_every_factor_of_a_scene_has_a_class_and_every_option_a_default():
    for name, factor in FACTORS.items():
        assert isinstance(getattr(SCENE, name), factor)
        assert factor("image", "all") == getattr(Scene(singles(1), **{name: I("all")}), name)


@pytest.mark.parametrize("factor", FACTORS.values(), ids=FACTORS)
def test_every_option_of_a_factor_is_explained_beside_it(factor):
    own = {one.name for one in fields(factor)} - {one.name for one in fields(Factor)}
    assert {row["option"] for row in option_rows(factor) if row["comment"]} == own


def test_what_is_drawn_again_is_a_factor_or_a_draw():
    change = redraw("shape", "n")
    assert change.anew == ("shape",)
    assert change.scene["n"].kind == "again"
    assert set(FACTORS) >= set(change.anew)


def test_the_odd_image_has_something_instead_or_exchanges_values():
    assert instead(shape="ab").scene == {"shape": "ab"}
    assert exchange("color").exchange == "color"
