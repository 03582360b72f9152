"""How a model is trained, as data: everything that is not the model, the data or the machine.

Papers' recipes are rows of these in `paper.py` of their benchmark; `unseen.train` interprets them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import BeforeValidator

from unseen.core.errors import SpecError, unknown
from unseen.core.options import Names

PRECISIONS = ("32-true", "bf16-mixed", "16-mixed")
OPTIMIZERS = ("adamw", "adam", "lars")
SCHEDULES = ("cosine", "cosine-epochs", "constant", "linear", "exponential", "plateau")
CLIPPING = ("norm", "largest", "value")
VECTORS = "vectors"  # among the exempt: whatever has one dimension, biases and scales of normalisations


def read_parts(value: Any) -> Any:
    """`"encoder:1e-4,head:1e-3"` or a mapping -> numbers by part."""
    if isinstance(value, str):
        pairs: Iterable[tuple[str, ...]] = (tuple(part.rsplit(":", 1)) for part in value.split(",") if part)
        return dict(pairs)  # type: ignore[arg-type]  # what is no pair is refused, by its name
    return value


Parts = Annotated[dict[str, float], BeforeValidator(read_parts)]


@dataclass(frozen=True)
class Recipe:
    """Everything about training that is not the model, the data or the machine."""

    batch_size: int = 64  # over all processes together
    scaled: bool = False  # for sets smaller than a batch, the learning rate shrinks as the batch does
    accumulate: int = 1  # pieces that a batch is gone through in, to save memory
    eval_batch: int = 50  # of validation and testing
    eval_examples: int = 0  # of each validation split, the first so many; 0: all
    eval_steps: int = 0  # between evaluations; 0: an epoch
    eval_least: int = 0  # steps between evaluations where an epoch is shorter than this
    metrics: Names = ()  # that evaluations also measure, beside loss and right answers
    epochs: int = 10  # 0: no training, the initial weights answer
    least_steps: int = 0  # of the whole training, where so many epochs are fewer
    optimizer: str = "adamw"  # adamw, adam or lars
    learning_rate: float = 1e-3  # the highest of the schedule
    learning_rates: Parts = field(default_factory=dict)  # of parts of the model that have others
    betas: tuple[float, float] = (0.9, 0.999)  # of Adam's averages; the first is the momentum of LARS
    weight_decay: float = 1e-3
    exempt: Names = ()  # parts without weight decay; `vectors` are whatever has one dimension
    schedule: str = "cosine"  # cosine or linear to `lowest`, constant, exponential, or cut on a plateau
    lowest: float = 0.0  # learning rate that cosines and lines end at
    warmup: int = 200  # steps in which the learning rate rises
    half_life: int = 0  # steps, of the exponential schedule
    plateau: int = 5  # evaluations without a better value before the rate is cut
    cut: float = 0.5  # what it is multiplied with
    clip: float = 1.0  # longest gradient, or largest of its values; 0: any
    clip_by: str = "norm"  # scaled by length, or by the largest value; or each value by itself: value
    clips: Parts = field(default_factory=dict)  # parts whose gradients are clipped by themselves
    precision: str = "32-true"
    select: str = ""  # what chooses the best weights, SPLIT or SPLIT:VALUE; else the loss of val_ood, or of val
    patience: int = 0  # evaluations without a better value before stopping early; 0: never
    stop_at: float = 0.0  # share of right answers on the chosen split that is enough; 0: none is
    max_steps: int = 0  # a budget; the schedule ends with it. 0: none
    # a budget of time only ends a run early, so that one may go on with a larger one
    max_seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        for name in ("batch_size", "accumulate", "eval_batch", "plateau"):
            if getattr(self, name) < 1:
                raise SpecError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("learning_rate", "cut"):
            if not getattr(self, name) > 0:
                raise SpecError(f"{name} must be above 0, got {getattr(self, name)}")
        for name in (
            *("epochs", "eval_examples", "eval_steps", "eval_least", "least_steps", "weight_decay", "warmup"),
            *("half_life", "lowest", "clip", "patience", "stop_at", "max_steps", "max_seconds"),
        ):
            if not getattr(self, name) >= 0:
                raise SpecError(f"{name} cannot be negative, got {getattr(self, name)}")
        for name, known in {
            "precision": PRECISIONS,
            "optimizer": OPTIMIZERS,
            "schedule": SCHEDULES,
            "clip_by": CLIPPING,
        }.items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known)
        if self.schedule == "exponential" and not self.half_life:
            raise SpecError("the exponential schedule needs half_life, the steps in which the learning rate halves")

    def steps(self, per_epoch: int) -> int:
        """Tell how many steps the whole training has.

        >>> Recipe().steps(16), Recipe(max_steps=100).steps(16), Recipe(least_steps=800).steps(16)
        (160, 100, 800)
        >>> Recipe(epochs=0, least_steps=800).steps(16)
        0
        """
        whole = max(self.epochs * per_epoch, self.least_steps) if self.epochs else 0
        return min(whole, self.max_steps) if self.max_steps else whole

    def shortened(self, share: float, per_epoch: int) -> Recipe:
        """Return the same training with a share of its steps, and its schedule shortened alike.

        >>> tenth = Recipe().shortened(0.1, 16)
        >>> tenth.max_steps, tenth.warmup, Recipe().shortened(1, 16) == Recipe()
        (16, 20, True)
        """
        if share == 1:
            return self
        lengths = {name: getattr(self, name) for name in ("warmup", "half_life")}
        shorter = {name: max(1, round(share * length)) for name, length in lengths.items() if length}
        return replace(self, max_steps=max(1, round(share * self.steps(per_epoch))), **shorter)

    def interval(self, per_epoch: int) -> int:
        """Tell how many steps there are between evaluations.

        >>> Recipe().interval(16), Recipe(eval_steps=5).interval(16), Recipe(eval_least=8).interval(2)
        (16, 5, 8)
        """
        return self.eval_steps or max(per_epoch, self.eval_least)


Recipes = dict[str, Recipe]  # by stage; "" where a model learns in one
