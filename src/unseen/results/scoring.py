"""Score predictions: the truth is drawn again from the task, so that no stored data is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unseen.core.asking import form_of
from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, SpecError, unknown
from unseen.core.padding import grid_side, padded
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated, load
from unseen.data.places import place_of
from unseen.metrics import METRICS, Metric
from unseen.metrics.metric import Counts, available
from unseen.metrics.statistics import Interval, interval, spelled
from unseen.predict import Predictions, read_predictions

NOTHING: Counts = (0, 0)  # of an example that a metric is not of
TOGETHER = 64  # examples that are held at a time, for metrics that count several at once


class Scores(dict[str, float]):
    """The value of each metric over a split, and one row per example.

    `rows` are dicts of the example's index and its value of each metric, nan where it has none; `directions` says
    "higher" or "lower" of each metric; `digest` is that of the predictions file, empty where there was none.
    `intervals` are those in which each value lies with a confidence of 95 %, had other examples been drawn. `form`
    names the question that was answered, where it is a view and not the task's own.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        *,
        task: str,
        split: str,
        seed: int,
        rows: list[dict[str, float]],
        directions: dict[str, str],
        digest: str = "",
        form: str = "",
        intervals: Mapping[str, Interval] | None = None,
    ) -> None:
        super().__init__(values)
        self.task = task
        self.split = split
        self.seed = seed
        self.rows = rows
        self.directions = directions
        self.digest = digest
        self.form = form
        self.intervals = dict(intervals or {})

    @property
    def count(self) -> int:
        """How many examples were scored."""
        return len(self.rows)

    def _repr_html_(self) -> str:
        """The scores as a table, for a notebook."""
        from unseen.render.html import paragraph, table

        lines = [
            (name, f"{value:.4g}", spelled(self.intervals.get(name)), self.directions[name])
            for name, value in self.items()
        ]
        about = f"{self.count:,} answers to {self.task} {self.split}{f', {self.form}' if self.form else ''}"
        return paragraph(about) + table(("metric", "value", "95 %", "better"), lines)

    def to_json(self, **further: Any) -> str:
        """Return the scores and what they are of, without the rows, and what else is given, as one JSON object."""
        metrics = {
            name: {"value": value, "better": self.directions[name], "interval": self.intervals.get(name)}
            for name, value in self.items()
        }
        about = {"task": self.task, "split": self.split, "seed": self.seed, "count": self.count, "digest": self.digest}
        about |= {"form": self.form} if self.form else {}
        return json.dumps({**about, "metrics": metrics, **further}, allow_nan=False)


def score(
    task: Task | str,
    split: str,
    predictions: str | Path | Predictions | Sequence[Any],
    *,
    seed: int = 0,
    metrics: Iterable[str] | None = None,
    data: str | Path | None = None,
    form: str = "",
) -> Scores:
    """Score a predictions file, or one prediction per example in order, by the task's metrics or those named.

    Answers to a `form` that is a view, which a file says itself, are scored by the metrics of that form.

    A metric of the task that needs what cannot be had here is left out with a warning; one that is named is an error. A
    file may hold fewer examples than the split; `count` of the result says how many. With `data`, the truth is read
    from a folder that `unseen generate` wrote instead of being drawn.

    >>> import unseen
    >>> truth = [example.target["grid"] for example in unseen.load("cogitao/s2-rotate", "test")]
    >>> score("cogitao/s2-rotate", "test", truth, metrics=["grid_accuracy", "missed_objects"])
    {'grid_accuracy': 1.0, 'missed_objects': 0.0}
    """
    task = task_named(task) if isinstance(task, str) else task
    truth = _truth(task, split, seed, data)
    answers = _matched(predictions, truth, form)
    chosen = _chosen(task, metrics, answers.form)
    first = truth[answers.indices[0]]
    if metrics is None:
        chosen = applicable(chosen, first, answers.beside)
    for metric in chosen:
        if metric.against and metric.against not in first.target:
            raise SpecError(f"{metric.name} needs {metric.against} beside the target, which {task.id} {split} lacks")
        if metric.beside and metric.beside not in answers.beside:
            raise SpecError(f"{metric.name} needs {metric.beside} beside the answers, which these predictions lack")
    counts = _counts(chosen, truth, answers)
    rows = [
        {"index": index, **{metric.name: metric.value(*counts[metric.name][row]) for metric in chosen}}
        for row, index in enumerate(answers.indices)
    ]
    return Scores(
        {metric.name: metric.pooled(counts[metric.name]) for metric in chosen},
        task=task.id,
        split=split,
        seed=truth.source.seed,
        rows=rows,
        directions={metric.name: "higher" if metric.higher_is_better else "lower" for metric in chosen},
        digest=answers.digest,
        form=answers.form,
        intervals={metric.name: found for metric in chosen if (found := interval(metric, counts[metric.name]))},
    )


def _counts(chosen: Sequence[Metric], truth: Dataset, answers: Predictions) -> dict[str, list[Counts]]:
    """What every metric counts of every answer; those that take examples together get some at a time."""
    truth_of = form_of(truth.task.benchmark, answers.form).truth if answers.form else target_of(truth.task)
    counts: dict[str, list[Counts]] = {metric.name: [] for metric in chosen}
    for start in range(0, len(answers.indices), TOGETHER):
        examples = [truth[index] for index in answers.indices[start : start + TOGETHER]]
        targets, predictions = list(map(truth_of, examples)), answers.values[start : start + TOGETHER]
        # example by example, for metrics of one kind share what they count
        for place, (example, target, prediction) in enumerate(zip(examples, targets, predictions, strict=True), start):
            objects = _objects(example, prediction) if any(metric.objects for metric in chosen) else None
            for metric in chosen:
                if metric.beside:
                    pair = example.inputs[metric.beside], answers.beside[metric.beside][place]
                else:
                    pair = objects if metric.objects and objects else (_held(metric, example, target), prediction)
                if not metric.together:
                    counts[metric.name].append(metric.counts(*pair) if _counts_in(metric, example) else NOTHING)
        for metric in chosen:
            if metric.together:
                counts[metric.name] += _counted_together(metric, examples, targets, predictions)
    return counts


def _held(metric: Metric, example: Example, target: Any) -> Any:
    """What a metric holds an answer against: what was asked for, or what it names instead."""
    return padded(example.target[metric.against], *target.shape) if metric.against else target


def _counts_in(metric: Metric, example: Example) -> bool:
    """Whether an example is one of those that a metric is of."""
    return not metric.first or example.index < metric.first


def _counted_together(
    metric: Metric, examples: Sequence[Example], targets: Sequence[Any], predictions: Sequence[Any]
) -> list[Counts]:
    """What a metric counts of some examples, taken together; nothing of those that it is not of."""
    own = [place for place, example in enumerate(examples) if _counts_in(metric, example)]
    found = dict(zip(own, metric.all_counts([targets[at] for at in own], [predictions[at] for at in own]), strict=True))
    return [found.get(place, NOTHING) for place in range(len(examples))]


def _truth(task: Task, split: str, seed: int, data: str | Path | None) -> Dataset:
    if data is None:
        task.split(split)
        return Dataset(Generated(task, split, seed))
    if not place_of(data).exists():
        raise DataError(f"there is no folder {data} to read the truth from; leave data out to draw it")
    stored = load(str(data), split)
    if stored.task.id != task.id:
        raise DataError(f"the folder {data} holds {stored.task.id}, not {task.id}")
    return stored


def _chosen(task: Task, names: Iterable[str] | None, view: str) -> list[Metric]:
    if view:
        known = form_of(task.benchmark, view).metrics
        for name in names or ():
            if name not in known:
                raise unknown("metric", name, known, where=f"the form {view} of {task.benchmark.name}")
        return [METRICS[name] for name in names or known]
    chosen = available(task.metrics) if names is None else [METRICS[name] for name in names]
    if not chosen:
        raise SpecError(f"{task.id} has no metrics to score with; name some, or declare one for {task.kind.name} tasks")
    for metric in chosen:
        if metric.kind != task.kind.name:
            raise SpecError(
                f"{metric.name} is a metric of {metric.kind} tasks, and {task.id} is a {task.kind.name} task"
            )
    return chosen


def _matched(predictions: str | Path | Predictions | Sequence[Any], truth: Dataset, form: str = "") -> Predictions:
    """The predictions with their indices, checked to be of this task, split and seed."""
    view = form if form and not form_of(truth.task.benchmark, form).own else ""
    if isinstance(predictions, str | Path):
        predictions = read_predictions(predictions)
    task, split, seed = truth.task.id, truth.split, truth.source.seed
    if not isinstance(predictions, Predictions):
        if len(predictions) != len(truth):
            raise SpecError(
                f"{task} {split} has {len(truth):,} examples, and {len(predictions):,} predictions were given;"
                " a predictions file may answer fewer"
            )
        return Predictions(task, split, seed, "", tuple(range(len(truth))), list(predictions), "", form=view)
    if (predictions.task, predictions.split, predictions.seed) != (task, split, seed):
        raise DataError(
            f"the predictions are of {predictions.task} {predictions.split} with seed {predictions.seed},"
            f" and were to be scored as {task} {split} with seed {seed}"
        )
    truth.task.check_contents(predictions.contents, "the predictions file")
    if form and predictions.form != view:
        raise DataError(f"the predictions answer the form {predictions.form or 'of the task itself'}, not {form}")
    if not predictions.indices:
        raise DataError(f"the predictions answer no example of {task} {split}, so there is nothing to score")
    if max(predictions.indices) >= len(truth):
        raise DataError(f"the predictions answer example {max(predictions.indices)}; {task} {split} has {len(truth):,}")
    return predictions


def applicable(metrics: Iterable[Metric], example: Example, beside: Container[str] = ()) -> list[Metric]:
    """Return the metrics that examples like this one can be scored by: those that find what they hold answers against.

    Those of what stands `beside` answers are among them where it does.
    """
    return [
        metric
        for metric in metrics
        if (not metric.against or metric.against in example.target) and (not metric.beside or metric.beside in beside)
    ]


def counts_of(metric: Metric, example: Example, target: Any, prediction: Any) -> Counts:
    """Return what a metric counts of an answer, or of the objects that are read from it."""
    held = _objects(example, prediction) if metric.objects else (_held(metric, example, target), prediction)
    return metric.counts(*held)


def _objects(example: Example, prediction: Any) -> tuple[Any, Any]:
    """The objects that the target of an example shows, and those that are read from an answer."""
    benchmark, spec = example.task.benchmark, example.task.split(example.split).spec
    reader, names = benchmark.file("factors"), tuple(benchmark.file("render").factors(spec))
    shown, found = reader.truth(example.record, spec), reader.read(prediction, spec)
    named = [[(dict(zip(names, look, strict=True)), x, y) for look, x, y in some] for some in (shown, found)]
    return named[0], named[1]


def target_of(task: Task) -> Callable[[Example], Any]:
    """Return what a metric compares predictions with: the first thing the kind asks for, grids padded as in batches.

    Only cell accuracy can tell the padding's side, because padding counts as cells that are easily right.
    """
    asked = next(iter(task.kind.target))
    if task.kind.name != "grid":
        return lambda example: example.target[asked]
    side = grid_side(task)
    return lambda example: padded(example.target[asked], side, side)
