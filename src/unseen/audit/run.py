"""Measure trivial solvers on a task, and hold them to the bound that its benchmark declares.

A benchmark may have a file `audit.py`: `BOUND`, which no solver may exceed in the headline metric, `BOUNDS` of solvers
that have one of their own, `tells(spec)`, the solvers that may exceed theirs, each with the reason why that is no
shortcut, and `shares(record, spec)`, what else is to be counted. Statistics that need a record and no pixels are the
benchmark's own: `STATISTICS`, and `measure(record)`. Without the file solvers are reported and not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import count as count_from
from itertools import islice
from typing import Any

from unseen.audit.solvers import EXACT, AnySolver, solvers_of
from unseen.core.errors import unknown
from unseen.core.kernel import expect
from unseen.core.progress import Progress
from unseen.core.task import Example, Task
from unseen.data.dataset import SEED, Dataset, Generated
from unseen.metrics.metric import Counts, available, share
from unseen.results.scoring import applicable, target_of

SHARE = "share"  # the metric of what is counted of records
COUNT = 2_000  # examples: an accuracy near one in four is then known to about 0.01


@dataclass(frozen=True)
class Finding:
    """What one solver scores by one metric."""

    solver: str
    about: str  # what it answers
    metric: str
    value: float
    bound: float | None  # none where the benchmark sets none for this metric
    reason: str  # why it may exceed the bound; empty where nobody declared that it may

    @property
    def held(self) -> bool:
        """Whether the solver must keep to a bound."""
        return self.bound is not None and not self.reason

    @property
    def too_high(self) -> bool:
        """Whether the solver found a shortcut that the benchmark does not declare."""
        return self.bound is not None and not self.reason and self.value > self.bound


@dataclass(frozen=True)
class Audit:
    """What the trivial solvers score on one split of a task."""

    task: str
    split: str
    seed: int
    count: int
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Whether no solver exceeds its bound without a declared reason."""
        return not any(finding.too_high for finding in self.findings)

    @property
    def worst(self) -> Finding | None:
        """The highest finding that must keep to a bound; none where nothing must."""
        return max((one for one in self.findings if one.held), key=lambda one: one.value, default=None)


def audit(task: Task, split: str, *, count: int = COUNT, seed: int = SEED, progress: Progress | None = None) -> Audit:
    """Measure the solvers of the task's kind on examples of a split, continued with the next seeds if it is short.

    >>> from unseen.core.catalogue import task
    >>> found = audit(task("cogitao/s2-translate"), "test", count=20)
    >>> found.findings[0].solver, found.findings[0].metric, found.findings[0].value
    ('copy', 'grid_accuracy', 0.0)
    """
    expect(count)
    solvers = solvers_of(task, split)
    metrics = applicable(available(task.metrics), next(examples(task, split, seed)))
    tallies = [solver.tally(metrics) for solver in solvers]
    target = target_of(task)
    shares: dict[str, list[Counts]] = {}
    for done, example in enumerate(islice(examples(task, split, seed), count), 1):
        answer = target(example)
        for what, counted in counted_shares(example).items():
            shares.setdefault(what, []).append(counted)
        for tally in tallies:
            tally.see(example, answer)
        if progress:
            progress(done, count, f"{task.id} {split}")
    bounds, reasons = declared(task, split, solvers)
    findings = (
        Finding(
            solver.name,
            solver.about,
            metric,
            value,
            bounds[solver.name] if metric in (EXACT, task.metrics[0]) else None,
            reasons.get(solver.name, ""),
        )
        for solver, tally in zip(solvers, tallies, strict=True)
        for metric, value in tally.values().items()
    )
    told = (
        Finding("records", what, SHARE, share(*map(sum, zip(*counted, strict=True))), None, "")
        for what, counted in shares.items()
    )
    return Audit(task.id, split, seed, count, (*findings, *told))


def examples(task: Task, split: str, seed: int) -> Iterator[Example]:
    """Examples without end: all of one seed, then all of the next."""
    for number in count_from(seed):
        yield from Dataset(Generated(task, split, number))


def declared(
    task: Task, split: str, solvers: tuple[AnySolver, ...]
) -> tuple[Mapping[str, float | None], Mapping[str, str]]:
    """Return the bounds of solvers by name, and the reasons for which those of a split may exceed them."""
    names = [solver.name for solver in solvers]
    file = task.benchmark.optional_file("audit")
    if file is None:
        return dict.fromkeys(names), {}
    reasons: Mapping[str, str] = file.tells(task.split(split).spec)
    bounds: Mapping[str, float] = getattr(file, "BOUNDS", {})
    for name in (*reasons, *bounds):
        if name not in names:
            raise unknown("solver", name, names, where=f"the audit of {task.id}")
    return {name: bounds.get(name, file.BOUND) for name in names}, reasons


def counted_shares(example: Example) -> Mapping[str, Counts]:
    """Return what a benchmark counts of a record: how many, of how many."""
    file = example.task.benchmark.optional_file("audit")
    shares = getattr(file, "shares", None)
    if shares is None:
        return {}
    found: Mapping[str, Counts] = shares(example.record, example.task.split(example.split).spec)
    return found


def plain(found: Audit) -> dict[str, Any]:
    """Return an audit as plain values, with its verdicts."""
    findings = [{**asdict(finding), "too_high": finding.too_high} for finding in found.findings]
    worst = asdict(found.worst) if found.worst else None
    return {**asdict(found), "findings": findings, "worst": worst, "clean": found.clean}
