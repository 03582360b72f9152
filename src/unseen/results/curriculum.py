"""What it helps to have learned a rule's components first: runs that began with the weights of another, beside others.

The score is published for single rules: of each the largest gain over the regimes, then the mean over rules. Ours is of
the rules and regimes that were run both ways, and says how many rules these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean

from unseen.core.catalogue import task as task_named
from unseen.core.task import Benchmark
from unseen.metrics.odd import Accuracies, curriculum_score
from unseen.results.compare import IN, paper_of, value_of
from unseen.results.record import Record


@dataclass(frozen=True)
class Gain:
    """The curriculum score of a model, ours beside the published one."""

    model: str
    ours: float | None  # none where no rule was run both ways
    rules: int  # that were
    paper: float


def gains(records: Iterable[Record], benchmark: Benchmark) -> list[Gain]:
    """Every published curriculum score with ours beside it; none where the paper reports none."""
    published: Mapping[str, float] = getattr(paper_of(benchmark), "CURRICULUM_SCORES", {})
    ours = [
        record
        for record in records
        if task_named(record.task).benchmark == benchmark and record.benchmark_version == benchmark.version
    ]
    return [
        _gain(model, paper, [record for record in ours if record.model == model]) for model, paper in published.items()
    ]


def _gain(model: str, paper: float, records: list[Record]) -> Gain:
    transfer = accuracies(record for record in records if record.init_from)
    scratch = accuracies(record for record in records if not record.init_from)
    both = {rule: transfer[rule].keys() & scratch[rule].keys() for rule in transfer.keys() & scratch.keys()}
    rules = [rule for rule, regimes in both.items() if regimes]
    if not rules:
        return Gain(model, None, 0, paper)
    sides = ({rule: {n: found[rule][n] for n in both[rule]} for rule in rules} for found in (transfer, scratch))
    return Gain(model, curriculum_score(*sides), len(rules), paper)


def accuracies(records: Iterable[Record]) -> dict[str, Accuracies]:
    """The accuracy of each task in percent by training samples, mean over seeds."""
    values: dict[str, dict[int, list[float]]] = {}
    for record in records:
        task, value = task_named(record.task), value_of(record, IN)
        if value is not None:
            values.setdefault(task.row.name, {}).setdefault(task.split("train").size, []).append(value)
    return {name: {samples: mean(each) for samples, each in found.items()} for name, found in values.items()}
