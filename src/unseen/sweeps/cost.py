"""What runs cost: steps and examples by their recipes, and time by a few steps of each kind of run, on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from tempfile import TemporaryDirectory
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.recipe import Recipe, Recipes
from unseen.sweeps.job import recipes_of
from unseen.sweeps.plan import Planned

STEPS = 4  # of each stage; the time of the first, which prepares much, is not counted
LONGEST = 30.0  # seconds of training that are enough to tell, where steps are so slow that there will be fewer
SPENT = ("data", "forward", "backward", "optimizer")  # what a step consists of


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
        return f"{said}; about {_duration(self.seconds)} of training on this machine, one run after the other"


def cost_of(runs: Sequence[Planned], *, measure: Callable[[Planned, Recipes], float] | None = None) -> Cost:
    """What some runs cost; with a way to measure the seconds of a run, which is used once for those that are alike."""
    steps = examples = 0
    seconds = 0.0
    rates: dict[Any, float] = {}
    for run in runs:
        recipes = recipes_of(run)
        size = task_named(run.task).split("train").size
        counts = [recipe.steps(ceil(size / recipe.batch_size)) for recipe in recipes.values()]
        steps += sum(counts)
        examples += sum(count * recipe.batch_size for count, recipe in zip(counts, recipes.values(), strict=True))
        if measure and any(counts):
            alike = _alike(run, recipes)
            if alike not in rates:
                rates[alike] = measure(run, recipes)
            seconds += rates[alike] * sum(counts)
    return Cost(len(runs), steps, examples, seconds if measure else None)


def seconds_per_step(run: Planned, recipes: Recipes) -> float:
    """The mean time of a step, from a training of a few steps of every stage, which leaves nothing behind."""
    from unseen.train import train

    with TemporaryDirectory() as out:
        few = {stage: _short(recipe) for stage, recipe in recipes.items()}
        done = train(run.task, run.model, seed=run.seed, recipe=few, options=run.options, out=out, freeze=run.freeze)
        lines = done.log  # one for every step
    spent = [sum(line.time.get(what, 0.0) for what in SPENT) for line in lines]
    counted = [
        now - before
        for (before, now), (last, line) in zip(pairwise(spent), pairwise(lines), strict=True)
        if last.stage == line.stage
    ]
    return sum(counted) / len(counted) if counted else spent[-1] / len(lines)


def _short(recipe: Recipe) -> Recipe:
    few = replace(recipe, max_steps=STEPS, max_seconds=LONGEST, eval_steps=1, eval_examples=1)
    return replace(few, metrics=(), select="", stop_at=0.0)


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
