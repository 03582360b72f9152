"""How well models learn from few samples, ours beside the published: accuracies by regime, and the scores over them.

A benchmark whose paper reports it has `paper.REGIMES`, `paper.EFFICIENCY` and `paper.experiments`. Ours is a mean over
the tasks of a regime, and a regime counts only where all of them were run: rules differ more than regimes do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unseen.core.task import Benchmark
from unseen.metrics.odd import area_under_curve, sample_efficiency_score
from unseen.results.compare import accuracy_of, is_comparable, paper_of
from unseen.results.record import Record


@dataclass(frozen=True)
class Curve:
    """Accuracies in percent by training samples, and the two scores over them where all regimes are there."""

    accuracies: dict[int, float]
    ses: float | None = None
    auc: float | None = None


@dataclass(frozen=True)
class Learner:
    """A model in one way of training, on one split."""

    training: str
    model: str
    split: str
    ours: Curve
    paper: Curve


def learners(records: Iterable[Record], benchmark: Benchmark) -> list[Learner]:
    """Every published curve from random weights with ours beside it; none where the paper reports none."""
    paper = paper_of(benchmark)
    comparable = [record for record in records if is_comparable(record, benchmark)]
    found = []
    for row in getattr(paper, "EFFICIENCY", ()):
        if row.start != paper.RANDOM:
            continue
        accuracies = {}
        for samples in paper.REGIMES:
            value = accuracy_of(comparable, benchmark, f"{row.training}-{samples}", row.model, split=row.split)
            if value is not None:
                accuracies[samples] = value
        published = Curve(row.accuracies, row.ses, row.auc)
        found.append(Learner(row.training, row.model, row.split, scored(accuracies, paper.REGIMES), published))
    return found


def scored(accuracies: dict[int, float], regimes: Sequence[int]) -> Curve:
    """Accuracies with their scores, which are of all regimes or not at all.

    >>> scored({20: 30.0, 50: 40.0}, (20, 50)).auc, scored({20: 30.0}, (20, 50)).auc
    (35.0, None)
    """
    if accuracies.keys() != set(regimes):
        return Curve(accuracies)
    return Curve(accuracies, sample_efficiency_score(accuracies), area_under_curve(accuracies))
