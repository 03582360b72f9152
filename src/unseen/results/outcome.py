"""Records as a benchmark's own analysis sees them, and what it finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unseen.core.analysis import Finding, Outcome, no_answers
from unseen.core.catalogue import task as task_named
from unseen.core.task import Benchmark, Example
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS
from unseen.predict import read_predictions
from unseen.results.compare import is_comparable, learner
from unseen.results.record import Record
from unseen.results.scoring import target_of
from unseen.runs import Run, model_name


def findings(records: Iterable[Record], benchmark: Benchmark, runs: Iterable[Run] = ()) -> list[Finding]:
    """Ask a benchmark what records say beyond its tables; nothing where it has no analysis.

    With the `runs` that are at hand, it may show their answers.
    """
    analysis = benchmark.optional_file("analysis")
    if analysis is None:
        return []
    at_hand = {(run.task.id, model_name(run.config.model, run.config.options), run.config.seed): run for run in runs}
    known = [outcome_of(record, at_hand.get(_place(record))) for record in records if is_comparable(record, benchmark)]
    return list(analysis.findings(known))


def _place(record: Record) -> tuple[str, str, int]:
    return record.task, model_name(record.model, record.model_options), record.seed


def outcome_of(record: Record, run: Run | None = None) -> Outcome:
    """Return a record with its scores as people see them, and the answers of its run where that is at hand."""
    scores = {
        split: {name: METRICS[name].shown * metric.value for name, metric in found.metrics.items()}
        for split, found in record.scores.items()
    }

    def answers(split: str, count: int) -> Sequence[tuple[Example, Any]]:
        return first_answers(run, split, count) if run else no_answers(split, count)

    return Outcome(
        task=task_named(record.task),
        model=learner(record),
        seed=record.seed,
        scores=scores,
        began_with=record.init_from,
        steps=record.budget.steps,
        answers=answers,
        measure=measured,
    )


def measured(metric: str, answered: Sequence[tuple[Example, Any]]) -> float:
    """Return a metric over some examples with their answers; a share in percent."""
    pairs = [(target_of(example.task)(example), answer) for example, answer in answered]
    targets, answers = (list(each) for each in zip(*pairs, strict=True))
    return METRICS[metric].shown * METRICS[metric](targets, answers)


def first_answers(run: Run, split: str, count: int) -> list[tuple[Example, Any]]:
    """The first examples of a split that a run answered, each with its answer; none where it did not predict it."""
    if split not in run.predictions:
        return []
    found = read_predictions(run.predictions[split])
    examples = Dataset(Generated(run.task, split, found.seed))
    answered = sorted(zip(found.indices, found.values, strict=True), key=lambda one: one[0])[:count]
    return [(examples[index], answer) for index, answer in answered]
