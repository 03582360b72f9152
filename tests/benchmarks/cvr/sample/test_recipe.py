"""Recipes: what rows say reaches the kernels under its name, with its numbers settled."""

from __future__ import annotations

from dataclasses import fields
from math import isnan

import numpy as np
import pytest

from unseen.benchmarks.cvr.kernels import words
from unseen.benchmarks.cvr.sample.recipe import Recipes
from unseen.benchmarks.cvr.vocabulary import (
    Change,
    Columns,
    Correction,
    I,
    Line,
    Mirror,
    P,
    Place,
    Scene,
    bodies,
    exchange,
    groups,
    pairs,
    redraw,
    singles,
)
from unseen.core.errors import SpecError

REGULAR = Change()


def read(scene, values=None, *, change=REGULAR, crowd=0, telling=False):
    """The recipe of an image."""
    written = Recipes(scene, change, of=scene, telling=telling).recipe(values or {}, crowd)
    return np.frombuffer(written, words.RECIPE)[0]


def test_every_word_has_a_number_and_every_number_a_word():
    numbers = {name: value for name, value in vars(words).items() if name.isupper() and isinstance(value, int)}
    for name in ("MOST", "NONE", "ANY"):
        del numbers[name]
    assert sorted(numbers.values()) == list(range(len(words.WORDS)))
    assert len(set(words.WORDS)) == len(words.WORDS)


@pytest.mark.parametrize("place", Place.__subclasses__(), ids=lambda place: place.__name__)
def test_a_place_has_a_number_and_all_its_settings_a_field(place):
    assert words.WORDS[getattr(words, place.__name__.upper())] == place.__name__
    assert {one.name for one in fields(place)} <= set(words.RECIPE.names)


def test_letters_parents_and_partners_are_those_of_the_bodies():
    row = read(Scene(bodies("a(c)-b"), shape=P("aab"), size=I("each", 0.2, 0.4, inner=(0.3, 0.5))))
    assert row["count"] == 3
    assert row["parent"][:3].tolist() == [-1, -1, 0]
    assert row["partner"][:3].tolist() == [-1, 0, -1]
    assert row["shape_letters"][:3].tolist() == [0, 0, 1]
    assert row["inner"].tolist() == [0.3, 0.5]
    assert row["filled"]
    assert row["touching"]
    assert isnan(row["direction"])


def test_numbers_of_a_place_are_settled_and_its_words_numbered():
    row = read(Scene(bodies("a b"), Line("axis", first="k-1")), {"axis": 1, "k": 3})
    assert (row["place"], row["axis"], row["first"]) == (words.LINE, 1, 2)
    row = read(Scene(pairs(1), Mirror("drawn", "n", distance="linear")), {"n": 12.5})
    assert (row["axis"], row["normal"], row["distance"]) == (words.DRAWN, 12.5, words.LINEAR)


def test_columns_come_in_their_own_order_unless_another_is_drawn():
    scene = Scene(groups("counts"), Columns(0))
    assert read(scene, {"counts": (2, 1)})["order"][:3].tolist() == [0, 1, 2]
    assert read(scene.but(order="o"), {"counts": (2, 1), "o": (1, 0)})["order"][:2].tolist() == [1, 0]


def test_sizes_of_a_problem_follow_its_most_crowded_image_and_those_of_an_image_its_own():
    of_problem, of_image = (Scene(singles(4), size=level("all", 0.2, 0.4, over=True)) for level in (P, I))
    assert Recipes(of_problem, of=of_problem, telling=False).crowded
    assert not Recipes(of_image, of=of_image, telling=False).crowded
    assert read(of_problem, crowd=5)["law"] == 1 / 5
    assert read(of_image, crowd=5)["law"] == 1 / 4


def test_changes_and_corrections_are_told():
    scene = Scene(bodies("a b"), after=Correction("scale", 1, (0.3, 0.6)))
    row = read(scene, change=redraw("size"), telling=True)
    assert row["size_anew"]
    assert not row["shape_anew"]
    assert (row["after"], row["after_which"], row["after_span"].tolist()) == (words.SCALE, 1, [0.3, 0.6])
    assert row["telling"]
    assert read(scene, change=exchange("color"))["exchange"] == words.COLOR_FACTOR


def test_more_objects_than_there_is_room_for_are_refused():
    with pytest.raises(SpecError, match="room for 32 objects, not for 33"):
        read(Scene(singles(33)))


def test_recipes_of_the_same_numbers_are_made_once():
    scene = Scene(singles("n"))
    recipes = Recipes(scene, of=scene, telling=False)
    assert recipes.recipe({"n": 3}, 0) is recipes.recipe({"n": 3}, 0)
    assert recipes.recipe({"n": 3}, 0) != recipes.recipe({"n": 4}, 0)
