"""How a model is trained: the numbers of section 4.3 and appendix G of the COGITAO paper, and what may be changed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from math import cos, pi
from typing import Any

from unseen.core.errors import SpecError, unknown

PRECISIONS = ("32-true", "bf16-mixed", "16-mixed")


@dataclass(frozen=True)
class Recipe:
    """Everything about training that is not the model, the data or the machine."""

    batch_size: int = 64  # over all processes together
    eval_batch: int = 50  # of validation and testing
    epochs: int = 10
    learning_rate: float = 1e-3  # the highest of the schedule
    weight_decay: float = 1e-3
    warmup: int = 200  # steps in which the learning rate rises
    clip: float = 1.0  # longest gradient; the paper does not say whether it clips
    precision: str = "32-true"  # the paper: 16-mixed, which needs a GPU
    select: str = ""  # the split whose loss chooses the best checkpoint; else val_ood, or val where there is none
    patience: int = 0  # evaluations without a better loss before stopping early; 0: never
    max_steps: int = 0  # a budget; the schedule ends with it. 0: none
    # a budget of time only ends a run early, so that one may go on with a larger one
    max_seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        for name in ("batch_size", "eval_batch", "epochs"):
            if getattr(self, name) < 1:
                raise SpecError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("learning_rate", "clip"):
            if not getattr(self, name) > 0:
                raise SpecError(f"{name} must be above 0, got {getattr(self, name)}")
        for name in ("weight_decay", "warmup", "patience", "max_steps", "max_seconds"):
            if not getattr(self, name) >= 0:
                raise SpecError(f"{name} cannot be negative, got {getattr(self, name)}")
        if self.precision not in PRECISIONS:
            raise unknown("precision", self.precision, PRECISIONS)

    def steps(self, per_epoch: int) -> int:
        """How many steps the whole training has.

        >>> Recipe().steps(16), Recipe(max_steps=100).steps(16)
        (160, 100)
        """
        whole = self.epochs * per_epoch
        return min(whole, self.max_steps) if self.max_steps else whole

    def learning_rate_at(self, step: int, total: int) -> float:
        """The learning rate of a step: a straight rise, then half a cosine down to 0 at the end.

        Trainings shorter than the warm-up end on the rise: the paper's 1,000 samples in 10 epochs are 160 steps.

        >>> [round(Recipe(warmup=2).learning_rate_at(step, 6), 6) for step in range(6)]
        [0.0005, 0.001, 0.001, 0.000854, 0.0005, 0.000146]
        """
        if step < self.warmup:
            return self.learning_rate * (step + 1) / self.warmup
        share = (step - self.warmup) / (total - self.warmup)
        return self.learning_rate * (1 + cos(pi * share)) / 2


PAPER = {  # what the paper's models have instead of the defaults
    "pl-tf": Recipe(batch_size=32),
    "llada": Recipe(learning_rate=2e-4, weight_decay=0.01, epochs=20),  # half of its tokens are masked on average
}


def recipe_for(model: str, **changes: Any) -> Recipe:
    """The recipe of a model, with what is to be different.

    >>> recipe_for("llada", max_steps=50).epochs
    20
    """
    names = [one.name for one in fields(Recipe)]
    for name in changes:
        if name not in names:
            raise unknown("setting", name, names, where="a training recipe")
    return replace(PAPER.get(model, Recipe()), **changes)
