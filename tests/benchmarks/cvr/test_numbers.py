"""The numbers of a problem: who shares them, and what follows from what the odd image changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cvr.numbers import cast_of, changes_of, draw_numbers, in_order
from unseen.benchmarks.cvr.rules import RULES
from unseen.benchmarks.cvr.sample import plan
from unseen.benchmarks.cvr.vocabulary import I, P, S, Scene, bodies, filled, instead, redraw, singles
from unseen.core.random import Stream

SEEDS = st.integers(0, 2**32)


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


def test_bodies_take_their_numbers_and_letters_from_the_draws():
    assert len(cast_of(filled("f", of="n"), {"f": 1, "n": 3})) == 4
    assert cast_of(bodies("$s"), {"s": "a(b)"}).parent == (-1, 0)


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
