"""Recipes interpreted: a model's own, the optimizer, the learning rate of every step, and clipping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import cos, inf, pi
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_
from torch.optim import Adam, AdamW, Optimizer

from unseen.core.catalogue import BENCHMARKS
from unseen.core.catalogue import task as task_named
from unseen.core.errors import unknown
from unseen.core.options import read_options
from unseen.core.recipe import VECTORS, Recipe, Recipes
from unseen.core.task import Benchmark, Task
from unseen.train.lars import LARS
from unseen.train.modules import belongs, parts_of

# ---------------------------------------------------------------------------- which recipe


def recipe_for(model: str, task: Task | str | None = None, **changes: Any) -> Recipe:
    """Return the recipe of a model's paper for a task, else the defaults, with what is to be different.

    >>> recipe_for("llada", max_steps=50).epochs
    20
    """
    return next(reversed(recipes_for(model, task, ("",), **changes).values()))


def recipes_for(model: str, task: Task | str | None, stages: Sequence[str], **changes: Any) -> Recipes:
    """Return the recipe of each stage of a model, as its paper has them for a task, with what is to be different.

    A change is of all stages, or, written `stage.setting`, of one; its value may be text, as on the command line.
    """
    found = _published(model, task_named(task) if isinstance(task, str) else task)
    for name in changes:
        stage = name.rpartition(".")[0]
        if stage and stage not in stages:
            raise unknown("stage", stage, filter(None, stages), where=f"the model {model}")
    general = {name: value for name, value in changes.items() if "." not in name}
    recipes = {}
    for stage in stages:
        row = found.get(stage, Recipe()) if isinstance(found, Mapping) else found
        own = {name.rpartition(".")[2]: value for name, value in changes.items() if name.startswith(f"{stage}.")}
        (recipes[stage],) = read_options((Recipe,), {**asdict(row), **general, **own}, of="a training recipe")
    return recipes


def _published(model: str, task: Task | None) -> Recipe | Mapping[str, Recipe]:
    """The row of `paper.RECIPES` for a model on a task, for a model anywhere, or the defaults."""
    benchmarks = [task.benchmark] if task else [BENCHMARKS[name] for name in BENCHMARKS]
    for benchmark in benchmarks:
        rows = _rows(benchmark)
        for key in ((model, task.row.name if task else ""), model):
            if key in rows:
                return rows[key]
    return Recipe()


def _rows(benchmark: Benchmark) -> Mapping[Any, Recipe | Mapping[str, Recipe]]:
    # a benchmark from outside need not have a paper
    return getattr(benchmark.optional_file("paper"), "RECIPES", {})


# ---------------------------------------------------------------------------- the optimizer


def optimizer_of(model: nn.Module, recipe: Recipe, *, fused: bool) -> Optimizer:
    """Return the optimizer of what learns in a model: a group for each learning rate and weight decay."""
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter in _learning(model, recipe):
        rate = _of_part(name, recipe.learning_rates, recipe.learning_rate)
        bare = belongs(name, recipe.exempt) or (VECTORS in recipe.exempt and parameter.ndim < 2)
        groups.setdefault((rate, 0.0 if bare else recipe.weight_decay), []).append(parameter)
    made = [{"params": some, "lr": rate, "weight_decay": decay} for (rate, decay), some in groups.items()]
    if recipe.optimizer == "lars":
        return LARS(made, lr=recipe.learning_rate, momentum=recipe.betas[0])
    kind = AdamW if recipe.optimizer == "adamw" else Adam
    return kind(made, lr=recipe.learning_rate, betas=recipe.betas, fused=fused)


def _learning(model: nn.Module, recipe: Recipe) -> Iterator[tuple[str, Tensor]]:
    """What learns, by name; parts that the recipe names must be there."""
    for part in (*recipe.learning_rates, *recipe.clips, *(part for part in recipe.exempt if part != VECTORS)):
        if not any(belongs(name, (part,)) for name, _ in model.named_parameters()):
            raise unknown("part", part, parts_of(model), where="the model")
    return ((name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad)


def _of_part(name: str, numbers: Mapping[str, float], otherwise: float) -> float:
    """The number of the longest part that a name belongs to."""
    parts = [part for part in numbers if belongs(name, (part,))]
    return numbers[max(parts, key=len)] if parts else otherwise


def clipper_of(model: nn.Module, recipe: Recipe) -> Callable[[], None]:
    """Return what clips gradients: those of parts with a bound of their own by themselves, all others together."""
    sets: dict[str, list[Tensor]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            part = max((part for part in recipe.clips if belongs(name, (part,))), key=len, default="")
            sets.setdefault(part, []).append(parameter)
    ways: dict[str, Callable[[list[Tensor], float], Any]] = {
        "norm": clip_grad_norm_,
        "largest": partial(clip_grad_norm_, norm_type=inf),
        "value": clip_grad_value_,
    }
    clip = ways[recipe.clip_by]

    def clipped() -> None:
        for part, parameters in sets.items():
            if bound := recipe.clips.get(part, recipe.clip):
                clip(parameters, bound)

    return clipped


# ---------------------------------------------------------------------------- the learning rate


def learning_rate_at(
    recipe: Recipe, step: int, total: int, *, highest: float | None = None, cuts: int = 0, scale: float = 1.0
) -> float:
    """Return the learning rate of a step: a straight rise, then as the schedule says.

    Trainings shorter than the warm-up end on the rise. `cuts` is how often a plateau was met, `scale` the batch's share
    of a full one where that counts.

    >>> [round(learning_rate_at(Recipe(warmup=2), step, 6), 6) for step in range(6)]
    [0.0005, 0.001, 0.001, 0.000854, 0.0005, 0.000146]
    >>> [learning_rate_at(Recipe(schedule="linear", warmup=0, learning_rate=1.0), step, 4) for step in range(4)]
    [1.0, 0.75, 0.5, 0.25]
    """
    rate: float = scale * (recipe.learning_rate if highest is None else highest)
    if recipe.schedule == "exponential":  # from the first step on, the rise included
        rate *= float(0.5 ** (step / recipe.half_life))
    if step < recipe.warmup:
        return rate * (step + 1) / recipe.warmup
    after, left = step - recipe.warmup, total - recipe.warmup
    if recipe.schedule == "cosine":
        return recipe.lowest + (rate - recipe.lowest) * (1 + cos(pi * (after / left))) / 2
    if recipe.schedule == "cosine-epochs":
        return recipe.lowest + (rate - recipe.lowest) * _share_by_epochs(recipe, step, total)
    if recipe.schedule == "linear":
        return recipe.lowest + (rate - recipe.lowest) * (1 - after / left)
    return rate * float(recipe.cut**cuts) if recipe.schedule == "plateau" else rate


def _share_by_epochs(recipe: Recipe, step: int, total: int) -> float:
    """The share of the highest rate that PyTorch's `CosineAnnealingLR` has when it is stepped after every epoch.

    It multiplies the rate that is there by the ratio of two neighbours on the cosine. A warm-up overwrites the rate of
    its steps, so that the cosine goes on from the highest rate, which is reached in the epoch where the warm-up ends. A
    shortened training has as many epochs, which are shorter.
    """
    here, reached = (at * recipe.epochs // total for at in (step, max(recipe.warmup - 1, 0)))
    cosine, start = (1 + cos(pi * epoch / recipe.epochs) for epoch in (here, reached))
    return cosine / start


def scale_of(recipe: Recipe, examples: int) -> float:
    """Give what the learning rate is multiplied with: less than 1 only where a whole training set is less than a batch.

    >>> scale_of(Recipe(scaled=True), 16), scale_of(Recipe(), 16)
    (0.25, 1.0)
    """
    return min(1.0, examples / recipe.batch_size) if recipe.scaled else 1.0


def set_rates(optimizer: Any, rate: Callable[[float], float]) -> None:
    """Give every group of an optimizer the rate of this step; what it began with is the group's highest."""
    for group in optimizer.param_groups:
        group["lr"] = rate(group.setdefault("highest", group["lr"]))


def all_finite(model: nn.Module) -> bool:
    """Tell whether every weight is a finite number."""
    return all(bool(torch.isfinite(weight).all()) for weight in model.parameters())
