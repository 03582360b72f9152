"""Recipes: the schedule by hand, the paper's numbers, and what cannot be."""

from __future__ import annotations

from math import cos, pi

import pytest

from unseen.core.errors import SpecError, UnknownName
from unseen.train import Recipe, recipe_for


def test_the_learning_rate_rises_in_200_steps_and_falls_as_half_a_cosine() -> None:
    recipe, total = Recipe(), 1000
    assert recipe.learning_rate_at(0, total) == pytest.approx(1e-3 / 200)
    assert recipe.learning_rate_at(99, total) == pytest.approx(5e-4)
    assert recipe.learning_rate_at(199, total) == recipe.learning_rate_at(200, total) == pytest.approx(1e-3)
    assert recipe.learning_rate_at(600, total) == pytest.approx(5e-4)
    assert recipe.learning_rate_at(999, total) == pytest.approx(1e-3 * (1 + cos(pi * 799 / 800)) / 2)
    assert recipe.learning_rate_at(999, total) < 1e-8


def test_a_training_shorter_than_the_warm_up_ends_on_the_rise() -> None:
    assert Recipe().learning_rate_at(159, 160) == pytest.approx(8e-4)


def test_a_budget_of_steps_shortens_the_schedule() -> None:
    recipe = Recipe(warmup=0, max_steps=10)
    assert recipe.steps(per_epoch=16) == 10
    assert recipe.learning_rate_at(5, recipe.steps(16)) == pytest.approx(5e-4)


def test_models_have_the_numbers_of_the_paper() -> None:
    assert recipe_for("resnet") == recipe_for("mine") == Recipe()
    assert recipe_for("pl-tf").batch_size == 32
    llada = recipe_for("llada", epochs=3)
    assert (llada.learning_rate, llada.weight_decay, llada.epochs) == (2e-4, 0.01, 3)


def test_a_budget_of_time_does_not_make_another_recipe() -> None:
    assert Recipe(max_seconds=60) == Recipe()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0, got 0.0"),
        ({"clip": float("nan")}, "clip must be above 0, got nan"),
        ({"patience": -1}, "patience cannot be negative, got -1"),
    ],
)
def test_a_number_that_cannot_be_is_refused(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        Recipe(**settings)  # type: ignore[arg-type]


def test_names_that_nothing_goes_by_are_refused() -> None:
    with pytest.raises(UnknownName, match="no setting named 'epoch' in a training recipe"):
        recipe_for("resnet", epoch=3)
    with pytest.raises(UnknownName, match="no precision named 'fp16'"):
        Recipe(precision="fp16")
