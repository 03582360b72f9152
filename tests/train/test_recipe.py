"""Recipes: the schedule by hand, the paper's numbers, and what cannot be."""

from __future__ import annotations

from collections import OrderedDict
from math import cos, pi
from types import SimpleNamespace

import pytest
import torch

from unseen.core.errors import SpecError, UnknownName
from unseen.train import Recipe, recipe_for
from unseen.train.recipe import clipper_of, learning_rate_at, optimizer_of, recipes_for


def test_the_learning_rate_rises_in_200_steps_and_falls_as_half_a_cosine() -> None:
    recipe, total = Recipe(), 1000
    assert learning_rate_at(recipe, 0, total) == pytest.approx(1e-3 / 200)
    assert learning_rate_at(recipe, 99, total) == pytest.approx(5e-4)
    assert learning_rate_at(recipe, 199, total) == learning_rate_at(recipe, 200, total) == pytest.approx(1e-3)
    assert learning_rate_at(recipe, 600, total) == pytest.approx(5e-4)
    assert learning_rate_at(recipe, 999, total) == pytest.approx(1e-3 * (1 + cos(pi * 799 / 800)) / 2)
    assert learning_rate_at(recipe, 999, total) < 1e-8


def test_a_training_shorter_than_the_warm_up_ends_on_the_rise() -> None:
    assert learning_rate_at(Recipe(), 159, 160) == pytest.approx(8e-4)


def test_a_budget_of_steps_shortens_the_schedule() -> None:
    recipe = Recipe(warmup=0, max_steps=10)
    assert recipe.steps(per_epoch=16) == 10
    assert learning_rate_at(recipe, 5, recipe.steps(16)) == pytest.approx(5e-4)


def test_models_have_the_numbers_of_the_authors_code() -> None:
    assert recipe_for("mine") == Recipe()
    whole, small = recipe_for("resnet", "cogitao/c1-1"), recipe_for("resnet", "cogitao/s2-mirror")
    assert (whole.batch_size, whole.clip, whole.select) == (64, 0.0, ":accuracy")
    assert (small.batch_size, small.clip, small.select) == (32, 1.0, "")
    assert whole.learning_rate == small.learning_rate == whole.weight_decay == 1e-3
    assert recipe_for("grid-tf-mended", "cogitao/s2-mirror") == recipe_for("grid-tf", "cogitao/s2-mirror") == small
    assert recipe_for("pl-tf", "cogitao/c1-1").batch_size == 32
    llada = recipe_for("llada", "cogitao/s2-mirror", epochs=3)
    assert (llada.learning_rate, llada.weight_decay, llada.epochs, llada.lowest) == (2e-4, 0.01, 3, 1e-6)


def rates_of_pytorch(recipe: Recipe, per_epoch: int) -> list[float]:
    """The rates that PyTorch's own schedule has, stepped after every epoch and overwritten by the warm-up."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=recipe.learning_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=recipe.epochs, eta_min=recipe.lowest)
    rates = []
    for step in range(recipe.epochs * per_epoch):
        if step < recipe.warmup:
            optimizer.param_groups[0]["lr"] = recipe.learning_rate * (step + 1) / recipe.warmup
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if (step + 1) % per_epoch == 0:
            schedule.step()
    return rates


@pytest.mark.parametrize(("task", "per_epoch"), [("s1-pad", 4), ("s2-pad", 32), ("s3-pad", 313)])
@pytest.mark.parametrize("model", ["resnet", "llada"])
def test_a_cosine_by_epochs_is_pytorchs_stepped_after_every_epoch(model: str, task: str, per_epoch: int) -> None:
    recipe = recipe_for(model, f"cogitao/{task}")
    total = recipe.steps(per_epoch)
    found = [learning_rate_at(recipe, step, total) for step in range(0, total, 7)]
    assert found == pytest.approx(rates_of_pytorch(recipe, per_epoch)[::7], rel=1e-9)


def test_s2_rises_through_six_epochs_and_anneals_in_three() -> None:
    recipe = recipe_for("resnet", "cogitao/s2-pad")
    last = [round(1e3 * learning_rate_at(recipe, 32 * epoch + 31, 320), 3) for epoch in range(10)]
    assert last == [0.16, 0.32, 0.48, 0.64, 0.8, 0.96, 1.0, 0.597, 0.276, 0.071]


def test_a_budget_of_time_does_not_make_another_recipe() -> None:
    assert Recipe(max_seconds=60) == Recipe()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0, got 0.0"),
        ({"clip": float("nan")}, "clip cannot be negative, got nan"),
        ({"patience": -1}, "patience cannot be negative, got -1"),
    ],
)
def test_a_number_that_cannot_be_is_refused(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        Recipe(**settings)  # type: ignore[arg-type]


def test_names_that_nothing_goes_by_are_refused() -> None:
    with pytest.raises(UnknownName, match="no option named 'epoch' in a training recipe"):
        recipe_for("resnet", epoch=3)
    with pytest.raises(UnknownName, match="no precision named 'fp16'"):
        Recipe(precision="fp16")


# ---------------------------------------------------------------------------- schedules, groups, clipping


@pytest.mark.parametrize(
    ("settings", "rates"),
    [
        ({"schedule": "constant"}, [0.5, 1, 1, 1, 1, 1]),
        ({"schedule": "linear"}, [0.5, 1, 1, 0.75, 0.5, 0.25]),
        ({"schedule": "linear", "lowest": 0.2}, [0.5, 1, 1, 0.8, 0.6, 0.4]),
        ({"schedule": "cosine-epochs", "epochs": 3}, [0.5, 1, 0.75, 0.75, 0.25, 0.25]),
        ({"schedule": "exponential", "half_life": 2}, [0.5, 0.5**0.5, 0.5, 0.5**1.5, 0.25, 0.5**2.5]),
        ({"schedule": "plateau", "cut": 0.1}, [0.5, 1, 0.1, 0.1, 0.1, 0.1]),
    ],
)
def test_every_schedule_rises_first_and_then_goes_its_way(settings, rates) -> None:
    recipe = Recipe(learning_rate=1.0, warmup=2, **settings)
    cuts = 1 if settings["schedule"] == "plateau" else 0
    assert [learning_rate_at(recipe, step, 6, cuts=cuts) for step in range(6)] == pytest.approx(rates)
    assert learning_rate_at(recipe, 0, 6, highest=4.0, scale=0.5) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("steps", "rates"),  # of an epoch; the first rate of each of ten epochs and the last of all, in thousandths
    [
        (4, [0.005, 0.025, 0.045, 0.065, 0.085, 0.105, 0.125, 0.145, 0.165, 0.185, 0.2]),  # S1: never anneals
        (32, [0.005, 0.165, 0.325, 0.485, 0.645, 0.805, 0.965, 0.597, 0.276, 0.071, 0.071]),  # S2
        (313, [0.005, 0.976, 0.905, 0.794, 0.655, 0.5, 0.346, 0.206, 0.096, 0.025, 0.025]),  # S3
        (157, [0.005, 0.79, 0.927, 0.814, 0.671, 0.513, 0.354, 0.211, 0.098, 0.025, 0.025]),  # S3 in batches of 64
    ],
)
def test_the_rates_of_cogitao_are_those_of_its_authors_code(steps: int, rates: list[float]) -> None:
    recipe = recipe_for("resnet", "cogitao/s2-mirror")
    at = [*range(0, 10 * steps, steps), 10 * steps - 1]
    assert [1e3 * learning_rate_at(recipe, step, 10 * steps) for step in at] == pytest.approx(rates, abs=6e-4)


def test_the_rates_of_cogitao_are_those_of_a_scheduler_stepped_per_epoch_under_a_warmup() -> None:
    recipe, steps = recipe_for("llada", "cogitao/s2-mirror"), 32
    optimizer = torch.optim.SGD(model().parameters(), lr=recipe.learning_rate)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, recipe.epochs, eta_min=recipe.lowest)
    for step in range(recipe.epochs * steps):
        if step < recipe.warmup:
            optimizer.param_groups[0]["lr"] = recipe.learning_rate * (step + 1) / recipe.warmup
        optimizer.step()
        used = optimizer.param_groups[0]["lr"]
        assert learning_rate_at(recipe, step, recipe.epochs * steps) == pytest.approx(used, rel=1e-4)
        if (step + 1) % steps == 0:
            scheduler.step()


def model() -> torch.nn.Module:
    parts = {"eye": torch.nn.Linear(3, 4), "norm": torch.nn.LayerNorm(4), "head": torch.nn.Linear(4, 2)}
    return torch.nn.Sequential(OrderedDict(parts))


def test_parts_have_learning_rates_and_weight_decay_of_their_own() -> None:
    recipe = Recipe(learning_rate=1.0, learning_rates={"eye": 0.1, "eye.bias": 0.01}, exempt=("vectors", "head"))
    made = model()
    optimizer = optimizer_of(made, recipe, fused=False)
    names = {id(parameter): name for name, parameter in made.named_parameters()}
    groups = {
        names[id(one)]: (group["lr"], group["weight_decay"])
        for group in optimizer.param_groups
        for one in group["params"]
    }
    assert groups == {
        "eye.weight": (0.1, 1e-3),
        "eye.bias": (0.01, 0.0),
        "norm.weight": (1.0, 0.0),
        "norm.bias": (1.0, 0.0),
        "head.weight": (1.0, 0.0),
        "head.bias": (1.0, 0.0),
    }
    with pytest.raises(UnknownName, match="no part named 'eyes' in the model"):
        optimizer_of(made, Recipe(learning_rates={"eyes": 0.1}), fused=False)


@pytest.mark.parametrize(("optimizer", "kind"), [("adam", "Adam"), ("adamw", "AdamW"), ("lars", "LARS")])
def test_the_optimizer_is_the_one_that_was_asked_for(optimizer: str, kind: str) -> None:
    assert type(optimizer_of(model(), Recipe(optimizer=optimizer), fused=False)).__name__ == kind


def test_lars_takes_steps_in_proportion_to_a_layers_size() -> None:
    made = torch.nn.Linear(2, 2)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
        made.bias.zero_()
    made.weight.grad, made.bias.grad = torch.full((2, 2), 100.0), torch.ones(2)
    optimizer_of(made, Recipe(optimizer="lars", learning_rate=1.0, weight_decay=0), fused=False).step()
    moved = made.weight - torch.tensor([[3.0, 0.0], [0.0, 4.0]])
    assert moved.norm().item() == pytest.approx(5e-3, rel=1e-4)  # a thousandth of its length
    assert made.bias.tolist() == [-1.0, -1.0]


def test_gradients_are_clipped_by_length_or_by_value_and_part_by_part() -> None:
    made = model()

    def clipped(**settings) -> dict[str, float]:
        for parameter in made.parameters():
            parameter.grad = torch.full_like(parameter, 2.0)
        clipper_of(made, Recipe(**settings))()
        return {part: largest(getattr(made, part)) for part in ("eye", "norm", "head")}

    def largest(part: torch.nn.Module) -> float:
        return max(one.grad.abs().max().item() for one in part.parameters())

    assert clipped(clip=0.5, clip_by="value") == {"eye": 0.5, "norm": 0.5, "head": 0.5}
    assert clipped(clip=0) == {"eye": 2.0, "norm": 2.0, "head": 2.0}
    numbers = sum(one.numel() for one in made.eye.parameters())
    assert clipped(clip=0, clips={"eye": 1.0})["eye"] == pytest.approx(numbers**-0.5, rel=1e-4)
    together = sum(one.numel() for part in (made.norm, made.head) for one in part.parameters())
    found = clipped(clip=3.0, clips={"eye": 1.0})
    assert found["norm"] == found["head"] == pytest.approx(3.0 * together**-0.5, rel=1e-4)


# ---------------------------------------------------------------------------- rows of papers


def test_a_row_is_found_by_model_by_task_and_by_stage(add_benchmark) -> None:
    from unseen.core.task import Row, Split

    def splits(options):
        return (Split("train", 10, None),)

    rows = tuple(Row(name, "", splits) for name in ("one", "two"))
    papers = {"m": Recipe(epochs=3), ("m", "two"): Recipe(epochs=4), "s": {"see": Recipe(epochs=5)}}
    add_benchmark("told", splits=SimpleNamespace(TASKS=rows), paper=SimpleNamespace(RECIPES=papers))
    assert recipe_for("m", "told/one").epochs == 3
    assert recipe_for("m", "told/two").epochs == 4
    assert recipe_for("m").epochs == 3
    assert recipe_for("llada", "told/one") == Recipe()  # another benchmark's paper has nothing to say here
    found = recipes_for("s", "told/one", ["see", "think"], batch_size="8", **{"think.epochs": 7})
    assert [(one.epochs, one.batch_size) for one in found.values()] == [(5, 8), (7, 8)]
    with pytest.raises(UnknownName, match="no stage named 'sea' in the model s"):
        recipes_for("s", "told/one", ["see", "think"], **{"sea.epochs": 7})


def test_settings_of_parts_are_read_from_text() -> None:
    read = recipe_for("mine", learning_rates="eye:1e-4,head.out:0.01", exempt="vectors,eye", betas=(0.5, 0.9))
    assert read.learning_rates == {"eye": 1e-4, "head.out": 0.01}
    assert read.exempt == ("vectors", "eye")
    with pytest.raises(SpecError, match="learning_rates of a training recipe cannot be 'eye'"):
        recipe_for("mine", learning_rates="eye")
    with pytest.raises(SpecError, match="the exponential schedule needs half_life"):
        recipe_for("mine", schedule="exponential")
