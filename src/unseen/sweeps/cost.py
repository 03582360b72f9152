"""What runs cost: steps and examples by their recipes, and time by a few steps of each kind of run, on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.recipe import Recipe, Recipes
from unseen.sweeps.job import recipes_of
from unseen.sweeps.plan import Planned

STEPS = 4  # of each stage; the time of the first, which prepares much, is not counted
LONGEST = 30.0  # seconds that are enough to tell, where steps are so slow that there will be fewer; never less than two


@dataclass(frozen=True)
class Cost:
    """What some runs cost, evaluations left out."""

    runs: int
    steps: int
    examples: int
    seconds: float | None  # of this machine, one run after the other; none where it was not measured

    def __str__(self) -> str:
        runs = "1 run" if self.runs == 1 else f"{self.runs:,} runs"
        said = f"{runs}, {self.steps:,} steps, {self.examples:,} training examples"
        if self.seconds is None:
            return said
        return (
            f"{said}; about {_duration(self.seconds)} of training on this machine, one run after the other,"
            " and the time of evaluations and answers on top"
        )


def cost_of(
    runs: Sequence[Planned], *, measure: Callable[[Planned, Recipes], Mapping[str, float]] | None = None
) -> Cost:
    """What some runs cost; with a way to measure a step of each stage, which is used once for runs that are alike."""
    steps = examples = 0
    seconds = 0.0
    rates: dict[Any, Mapping[str, float]] = {}
    for run in runs:
        recipes = recipes_of(run)
        size = task_named(run.task).split("train").size
        counts = {stage: recipe.steps(ceil(size / recipe.batch_size)) for stage, recipe in recipes.items()}
        steps += sum(counts.values())
        examples += sum(count * recipes[stage].batch_size for stage, count in counts.items())
        if measure and any(counts.values()):
            alike = _alike(run, recipes)
            if alike not in rates:
                rates[alike] = measure(run, recipes)
            seconds += sum(rates[alike][stage] * count for stage, count in counts.items() if count)
    return Cost(len(runs), steps, examples, seconds if measure else None)


def seconds_per_step(run: Planned, recipes: Recipes) -> dict[str, float]:
    """The mean time of a step of each stage, from trainings of a few steps, which leave nothing behind."""
    return {stage: _seconds_per_step(run, recipes, stage) for stage, recipe in recipes.items() if recipe.epochs}


def _seconds_per_step(run: Planned, recipes: Recipes, measured: str) -> float:
    """The mean time of a step of one stage; the others are passed over."""
    from unseen.train import train

    few = {stage: _short(recipe, steps=stage == measured) for stage, recipe in recipes.items()}
    ends: list[float] = []  # of steps

    def watch(done: int, total: int, text: str = "") -> None:
        ends.append(monotonic())
        if ends[-1] - ends[0] > LONGEST:
            raise _Enough

    with TemporaryDirectory() as out, suppress(_Enough):
        train(
            run.task,
            run.model,
            seed=run.seed,
            recipe=few,
            options=run.options,
            out=out,
            freeze=run.freeze,
            progress=watch,
        )
    return (ends[-1] - ends[0]) / max(len(ends) - 1, 1)


class _Enough(Exception):
    """What was measured tells how long a step takes."""


def _short(recipe: Recipe, *, steps: bool) -> Recipe:
    """A few steps with no evaluation among them, or none."""
    few = replace(recipe, max_steps=STEPS, max_seconds=0.0, eval_steps=STEPS, eval_examples=1)
    return replace(few, epochs=recipe.epochs if steps else 0, metrics=(), select="", stop_at=0.0)


def _alike(run: Planned, recipes: Recipes) -> Any:
    """What decides the time of a step: the shape of the task, the model, and the size of batches."""
    from unseen.train.interface import interface_of

    batches = tuple(recipe.batch_size for recipe in recipes.values())
    return interface_of(task_named(run.task)), run.model, str(run.options), run.freeze, batches


def _duration(seconds: float) -> str:
    """A time in words.

    >>> _duration(42), _duration(5400), _duration(400_000)
    ('42 s', '90 min', '111 hours')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:,.0f} hours"
