"""Our records beside the published tables: aggregated as those are, with the difference and the budget spent.

A number of ours is a mean over seeds, with its standard error; a published number of a whole setting, "c1", is a mean
over its experiments, and so is ours. Numbers are in percent, of the benchmark's first metric. Models that a table does
not have, but that we ran on its tasks, stand below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev
from types import ModuleType
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError, unknown
from unseen.core.task import Benchmark
from unseen.results.record import Record

IN, OUT, DROP = "test", "test_ood", "drop"  # in distribution, out of it, and what is lost between them


@dataclass(frozen=True)
class Number:
    """Ours beside the published one; none of them where it is missing."""

    ours: float | None = None
    sem: float | None = None  # standard error; none of a single run
    paper: float | None = None
    paper_sem: float | None = None
    difference: float | None = None  # ours less the paper's; none where ours is not of all experiments


@dataclass(frozen=True)
class Row:
    """A model on a task, or on all experiments of a setting."""

    task: str  # as the table names it: "c1-1", or a setting, "c1"
    model: str
    numbers: dict[str, Number]  # by split, and the drop from in to out of distribution
    runs: int
    runs_published: int  # by which the paper has such a number
    experiments: int  # with at least one run
    experiments_published: int
    answered: float | None  # the least share of a test split that a run answered
    budget: tuple[float, float] | None  # examples seen over those of the paper: least and most of the runs

    @property
    def missing(self) -> bool:
        """Whether nothing of it was run."""
        return self.runs == 0

    @property
    def published(self) -> bool:
        """Whether the paper has it."""
        return any(number.paper is not None for number in self.numbers.values())


@dataclass(frozen=True)
class Comparison:
    """A published table with our numbers."""

    benchmark: str
    table: str
    title: str
    splits: tuple[str, ...]  # the columns: splits, and the drop where there are both
    rows: tuple[Row, ...]


def paper_of(benchmark: Benchmark) -> ModuleType:
    """The published numbers of a benchmark."""
    try:
        return benchmark.file("paper")
    except ModuleNotFoundError as error:
        if error.name != f"{benchmark.package}.paper":
            raise
        raise SpecError(f"{benchmark.name} has no published tables to compare with") from None


def compare(records: Iterable[Record], benchmark: Benchmark, table: str) -> Comparison:
    """One published table beside the records that belong to it.

    >>> from unseen.core.catalogue import BENCHMARKS
    >>> row = compare([], BENCHMARKS["cogitao"], "4").rows[0]
    >>> row.task, row.model, row.numbers["test"].paper, row.missing
    ('c1-1', 'resnet', 0.1, True)
    """
    paper = paper_of(benchmark)
    if table not in paper.TABLES:
        raise unknown("table", table, paper.TABLES, where=benchmark.name)
    published: dict[tuple[str, str], dict[str, Number]] = {}
    for result in paper.TABLES[table]:
        number = Number(paper=result.mean, paper_sem=result.sem)
        published.setdefault((result.task, result.model), {})[result.split] = number
    ours = [record for record in records if is_comparable(record, benchmark)]
    places = {**published, **_further(benchmark, published, ours)}
    rows = tuple(_row(benchmark, place, numbers, ours) for place, numbers in places.items())
    splits = tuple(dict.fromkeys(name for row in rows for name in row.numbers))
    return Comparison(benchmark.name, table, paper.TITLES[table], splits, rows)


def _further(
    benchmark: Benchmark, published: Mapping[tuple[str, str], Mapping[str, Number]], records: Sequence[Record]
) -> dict[tuple[str, str], dict[str, Number]]:
    """The places of models that a table does not have on tasks that it has, with the splits it reports of them."""
    splits: dict[str, dict[str, Number]] = {}
    for (name, _), numbers in published.items():
        splits.setdefault(name, {}).update(dict.fromkeys(numbers, Number()))
    known = {model for _, model in published}
    found = {}
    for name, numbers in splits.items():
        ran = {f"{benchmark.name}/{experiment}" for experiment in experiments_of(benchmark, name)}
        for record in records:
            if record.task in ran and record.model not in known and numbers.keys() & record.scores.keys():
                found[name, record.model] = numbers
    return found


def is_comparable(record: Record, benchmark: Benchmark) -> bool:
    """Whether a record is of a benchmark's present content and of a model as it is, so that tables may show it."""
    ours = record.task.partition("/")[0] == benchmark.name
    changed = record.model_options or record.init_from or record.freeze
    return ours and record.benchmark_version == benchmark.version and not changed


def published(record: Record) -> dict[str, float]:
    """What the paper reports for the task and model of a record, by split; empty where it reports nothing."""
    benchmark = task_named(record.task).benchmark
    if not is_comparable(record, benchmark):
        return {}
    place = (record.task.partition("/")[2], record.model)
    results = (result for table in paper_of(benchmark).TABLES.values() for result in table)
    return {result.split: result.mean for result in results if (result.task, result.model) == place}


def _row(
    benchmark: Benchmark, place: tuple[str, str], published: Mapping[str, Number], records: Sequence[Record]
) -> Row:
    name, model = place
    experiments = {f"{benchmark.name}/{experiment}": list[Record]() for experiment in experiments_of(benchmark, name)}
    for record in records:
        if record.model == model and record.task in experiments:
            experiments[record.task].append(record)
    found = [runs for runs in experiments.values() if runs]
    runs = [record for each in found for record in each]
    paper = paper_of(benchmark)
    whole = len(found) == len(experiments)
    shares = [share_of_budget(record, paper) for record in runs]
    known = [share for share in shares if share is not None]
    return Row(
        name,
        model,
        {split: _number(split, number, found, whole) for split, number in _with_drop(published, place, paper).items()},
        runs=len(runs),
        runs_published=max(len(experiments), 1) * int(paper.SEEDS),  # a task that is not here yet was run there
        experiments=len(found),
        experiments_published=len(experiments),
        answered=min((share_answered(record) for record in runs), default=None),
        budget=(min(known), max(known)) if known else None,
    )


def experiments_of(benchmark: Benchmark, name: str) -> list[str]:
    """The tasks behind a name in a table: itself, all experiments of a setting, or what the paper's `experiments` says.

    >>> from unseen.core.catalogue import BENCHMARKS
    >>> experiments_of(BENCHMARKS["cogitao"], "g2")
    ['g2-1', 'g2-2', 'g2-3', 'g2-4', 'g2-5']
    """
    said = getattr(paper_of(benchmark), "experiments", None)
    if said:
        return list(said(name))
    names = [row.name for row in benchmark.rows]
    return [name] if name in names else [task for task in names if task.startswith(f"{name}-")]


def accuracy_of(records: Sequence[Record], benchmark: Benchmark, name: str, model: str, *, split: str) -> float | None:
    """The mean, over the tasks behind a name in a table, of the means over seeds; none where a task was not run."""
    values: dict[str, list[float]] = {f"{benchmark.name}/{task}": [] for task in experiments_of(benchmark, name)}
    for record in records:
        value = value_of(record, split) if record.model == model and record.task in values else None
        if value is not None:
            values[record.task].append(value)
    return mean(map(mean, values.values())) if all(values.values()) else None


def share_of_budget(record: Record, paper: ModuleType) -> float | None:
    """Examples that training saw over those of the paper; none where the paper has no such model."""
    epochs = paper.EPOCHS.get(record.model)
    return record.budget.examples / (epochs * task_named(record.task).split("train").size) if epochs else None


def share_answered(record: Record) -> float:
    """The least share of a scored split that was answered."""
    splits = task_named(record.task).splits
    return min(scores.count / splits[split].size for split, scores in record.scores.items())


def _with_drop(published: Mapping[str, Number], place: tuple[str, str], paper: ModuleType) -> dict[str, Number]:
    """The published numbers, and the drop between them where there are both: as printed, or worked out."""
    if not {IN, OUT} <= published.keys():
        return dict(published)
    printed: dict[tuple[str, str], float] = getattr(paper, "DROPS", {})
    inside, outside = published[IN].paper, published[OUT].paper
    worked_out = None if inside is None or outside is None else round(inside - outside, 1)
    return {**published, DROP: Number(paper=printed.get(place, worked_out))}


def _number(split: str, published: Number, experiments: Sequence[Sequence[Record]], whole: bool) -> Number:
    """Our number of a split beside the published one: the mean over experiments of the means over seeds."""
    values = [[value for record in runs if (value := value_of(record, split)) is not None] for runs in experiments]
    values = [each for each in values if each]
    if not values:
        return published
    ours = mean(mean(each) for each in values)
    # one experiment varies with its seeds; a setting with its experiments
    sem = standard_error(values[0] if len(values) == 1 else [mean(each) for each in values])
    complete = whole and len(values) == len(experiments)
    difference = ours - published.paper if complete and published.paper is not None else None
    return Number(ours, sem, published.paper, published.paper_sem, difference)


def value_of(record: Record, split: str) -> float | None:
    """The benchmark's first metric on a split in percent, or what is lost from in to out of distribution."""
    if split == DROP:
        inside, outside = value_of(record, IN), value_of(record, OUT)
        return None if inside is None or outside is None else inside - outside
    scores = record.scores.get(split)
    headline = task_named(record.task).metrics[0]
    return 100 * scores.metrics[headline].value if scores and headline in scores.metrics else None


def standard_error(values: Sequence[float]) -> float | None:
    """The standard error of a mean; none of fewer than two values.

    >>> standard_error([1.0, 3.0]), standard_error([1.0])
    (1.0, None)
    """
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else None


def plain(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain values, a row per task and model."""
    from dataclasses import asdict

    rows = [{**asdict(row), "missing": row.missing} for row in comparison.rows]
    return {**asdict(comparison), "rows": rows}
