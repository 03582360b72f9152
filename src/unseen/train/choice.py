"""Which weights are the best: by the loss of a split, or by any value or metric that evaluations give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

from torch import Tensor

from unseen.core.errors import SpecError, unknown
from unseen.core.recipe import Recipe
from unseen.core.task import Kind
from unseen.data.torch import Batch
from unseen.metrics import METRICS, Metric
from unseen.metrics.metric import Counts
from unseen.runs import LogLine

PREFERRED = ("val_ood", "val")  # the first there is chooses, where a recipe does not say


@dataclass
class Measured:
    """Metrics of a split while it is gone through."""

    metrics: tuple[Metric, ...]
    asked: str  # entry of batches that holds the truth
    counts: dict[str, list[Counts]] = field(default_factory=dict)

    def add(self, batch: Batch, answers: Any) -> None:
        """Count the answers of a batch."""
        if not self.metrics:
            return
        targets, answered = _rows(batch[self.asked]), _rows(answers)
        for metric in self.metrics:
            found = [metric.counts(target, answer) for target, answer in zip(targets, answered, strict=True)]
            self.counts.setdefault(metric.name, []).extend(found)

    def values(self) -> dict[str, float]:
        """Return the metrics over all that was added."""
        return {metric.name: metric.pooled(self.counts.get(metric.name, [])) for metric in self.metrics}


def _rows(values: Any) -> Sequence[Any]:
    return list(values.cpu().numpy()) if isinstance(values, Tensor) else values


@dataclass(frozen=True)
class Choice:
    """The split and the value that choose the best weights, and what is measured for that."""

    split: str  # empty where none is evaluated: then the last weights are the best
    name: str
    metrics: tuple[Metric, ...]
    asked: str

    @classmethod
    def of(cls, recipe: Recipe, kind: Kind, splits: Sequence[str]) -> Choice:
        """Return the choice that a recipe makes among the splits that are evaluated."""
        split, _, name = recipe.select.partition(":")
        split = split or next((one for one in PREFERRED if one in splits), "")
        wanted = dict.fromkeys((*recipe.metrics, *([name] if name in METRICS else [])))
        metrics = tuple(METRICS[metric] for metric in wanted)
        for metric in metrics:
            if metric.kind != kind.name or metric.objects or metric.against or metric.beside:
                raise SpecError(f"{metric.name} cannot be measured in training on {kind.name} tasks; choose another")
        return cls(split, name or "loss", metrics, f"target_{next(iter(kind.target))}")

    def measured(self) -> Measured:
        """Return what measures the metrics of a split."""
        return Measured(self.metrics, self.asked)

    def value(self, line: LogLine) -> float | None:
        """Give the value that chooses, of one evaluation; none where nothing is evaluated, or where it is no number."""
        found = line.splits.get(self.split, {})
        if self.split and self.name not in found and self.name not in {metric.name for metric in self.metrics}:
            raise unknown("value", self.name, found, where=f"the evaluation of {self.split}")
        return found.get(self.name) if self.split else None

    def better(self, value: float | None, best: float | None) -> bool:
        """Whether a value is better than the best so far; metrics know which way is better, a loss is better lower."""
        if value is None or best is None:
            return not self.split or best is None
        higher = self.name == "accuracy" or (self.name in METRICS and METRICS[self.name].higher_is_better)
        return value > best if higher else value < best

    def accuracy(self, line: LogLine) -> float:
        """Return the share of right answers on the chosen split, nan where there is none."""
        return line.splits.get(self.split, {}).get("accuracy", nan)
