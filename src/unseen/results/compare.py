"""Records next to the published tables: aggregated as those are, with the difference and the budget spent.

A number of ours is a mean over seeds, with its standard error; a published number of a whole setting, "c1", is a mean
over its experiments, and so is ours. A table is of the benchmark's first metric, or of the one that `paper.MEASURED`
says; shares are in percent. Models that a table does not have, but that were run on its tasks, stand below it, and so
do models with options of their own. A paper whose numbers were made with other options than its text says
(`paper.MADE_WITH`) is held against runs with these too, under the task's full name. What is in no table is compared
with nothing, and shown all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import ceil, sqrt
from statistics import mean, stdev
from types import ModuleType
from typing import Any

from unseen.core.analysis import IN, OUT, settled
from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError, unknown
from unseen.core.recipe import Recipe
from unseen.core.task import Benchmark
from unseen.metrics import METRICS
from unseen.results.record import Record
from unseen.runs import model_name

DROP = "drop"  # what is lost from in to out of distribution

Place = tuple[str, str]  # a task or setting, and a model
Sources = dict[bool, list[Record]]  # records of one's own, and those that came with the library


@dataclass(frozen=True)
class Number:
    """Our number next to the published one; none of them where it is missing."""

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
    shipped: bool = False  # whether its runs came with the library

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
    """A published table with our numbers, or those of our numbers that belong to none."""

    benchmark: str
    table: str  # its published number; empty where it is not published
    title: str
    metric: str
    splits: tuple[str, ...]  # the columns: splits, and the drop where there are both
    rows: tuple[Row, ...]
    reported: int = 0  # of how many tasks and models the paper has numbers; one may have several rows


def paper_of(benchmark: Benchmark) -> ModuleType | None:
    """Return the published numbers of a benchmark; none where it has none."""
    return benchmark.optional_file("paper")


def tables_of(benchmark: Benchmark) -> list[str]:
    """Return the numbers of the published tables of a benchmark."""
    return list(getattr(paper_of(benchmark), "TABLES", ()))


def compare(
    records: Sequence[Record], benchmark: Benchmark, table: str, *, shipped: Sequence[Record] = ()
) -> Comparison:
    """Set the records that belong to a published table next to it; those that came with the library in rows apart.

    >>> from unseen.core.catalogue import BENCHMARKS
    >>> row = compare([], BENCHMARKS["cogitao"], "4").rows[0]
    >>> row.task, row.model, row.numbers["test"].paper, row.missing
    ('c1-1', 'resnet', 0.1, True)
    """
    paper = paper_of(benchmark)
    if paper is None:
        raise SpecError(f"{benchmark.name} has no published tables; leave the table out to see its runs")
    if table not in paper.TABLES:
        raise unknown("table", table, paper.TABLES, where=benchmark.name)
    published: dict[Place, dict[str, Number]] = {}
    for result in paper.TABLES[table]:
        number = Number(paper=result.mean, paper_sem=result.sem)
        published.setdefault((result.task, result.model), {})[result.split] = number
    sources = _comparable(benchmark, records, shipped)
    found = [*sources[False], *sources[True]]
    ran = {(record.task, label(record)) for record in found}
    reported = len(published)
    published = {
        (name, model): numbers
        for (task, model), numbers in published.items()
        for name in [form for form in _forms(task, paper) if (f"{benchmark.name}/{form}", model) in ran] or [task]
    }
    places = {**published, **_further(benchmark, published, found)}
    metric = getattr(paper, "MEASURED", {}).get(table, benchmark.metrics[0])
    rows = _rows(benchmark, places, sources, metric=metric, tasks_of=lambda name: experiments_of(benchmark, name))
    return Comparison(benchmark.name, table, paper.TITLES[table], metric, _splits(rows), rows, reported)


def other_runs(records: Sequence[Record], benchmark: Benchmark, *, shipped: Sequence[Record] = ()) -> Comparison:
    """Return the records that no published table has a place for: tasks, options and splits of one's own."""
    tabled, metric = _tabled(benchmark), benchmark.metrics[0]
    sources = {
        source: [record for record in found if not record.scores.keys() & tabled.get(record.task, set())]
        for source, found in _comparable(benchmark, records, shipped).items()
    }
    places: dict[Place, dict[str, Number]] = {}
    for record in (*sources[False], *sources[True]):
        numbers = places.setdefault((record.task.partition("/")[2], label(record)), {})
        numbers.update(dict.fromkeys(record.scores, Number()))
    rows = _rows(benchmark, places, sources, metric=metric, tasks_of=lambda name: [name])
    return Comparison(benchmark.name, "", "Runs outside the published tables", metric, _splits(rows), rows)


def _comparable(benchmark: Benchmark, records: Sequence[Record], shipped: Sequence[Record]) -> Sources:
    return {
        source: [record for record in found if is_comparable(record, benchmark)]
        for source, found in ((False, records), (True, shipped))
    }


def _forms(name: str, paper: ModuleType | None) -> list[str]:
    """A task as a table names it, and with options that come nearer to what the paper's numbers were made with."""
    return [name, *(f"{name}+{options}" for options in getattr(paper, "MADE_WITH", ()))]


def _tabled(benchmark: Benchmark) -> dict[str, set[str]]:
    """The splits that published tables report of each task."""
    found: dict[str, set[str]] = {}
    paper = paper_of(benchmark)
    for table in getattr(paper, "TABLES", {}).values():
        reported: dict[str, set[str]] = {}
        for result in table:
            reported.setdefault(result.task, set()).add(result.split)
        for name, splits in reported.items():
            for task in (one for form in _forms(name, paper) for one in experiments_of(benchmark, form)):
                found.setdefault(f"{benchmark.name}/{task}", set()).update(splits)
    return found


def _further(
    benchmark: Benchmark, published: Mapping[Place, Mapping[str, Number]], records: Sequence[Record]
) -> dict[Place, dict[str, Number]]:
    """The places of models that a table does not have on tasks that it has, with the splits it reports of them."""
    splits: dict[str, dict[str, Number]] = {}
    for (name, _), numbers in published.items():
        splits.setdefault(name, {}).update(dict.fromkeys(numbers, Number()))
    found = {}
    for name, numbers in splits.items():
        ran = {f"{benchmark.name}/{experiment}" for experiment in experiments_of(benchmark, name)}
        for record in records:
            place = name, label(record)
            if record.task in ran and place not in published and numbers.keys() & record.scores.keys():
                found[place] = numbers
    return found


def _splits(rows: Sequence[Row]) -> tuple[str, ...]:
    """The columns of some rows; the drop last."""
    found = dict.fromkeys(name for row in rows for name in row.numbers)
    return tuple(sorted(found, key=lambda name: name == DROP))


def label(record: Record) -> str:
    """Return what was run, as a model: its name with its options, what did not learn, and the weights it began with."""
    return learner(record) + (f", from {record.init_from}" if record.init_from else "")


def learner(record: Record) -> str:
    """Return the model of a record: its name with its options, and what did not learn."""
    frozen = f", {' and '.join(record.freeze)} frozen" if record.freeze else ""
    return model_name(record.model, record.model_options) + frozen


def is_comparable(record: Record, benchmark: Benchmark) -> bool:
    """Whether a record is of a benchmark's present content and own question, so that it can stand next to others."""
    return is_present(record, benchmark) and not record.form


def is_present(record: Record, benchmark: Benchmark) -> bool:
    """Tell whether a record is of a benchmark's present content."""
    return record.task.partition("/")[0] == benchmark.name and record.benchmark_version == benchmark.version


def published(record: Record) -> dict[str, float]:
    """Return what the paper reports for the task and model of a record, by split, of the benchmark's first metric.

    Empty where it reports nothing.
    """
    benchmark = task_named(record.task).benchmark
    paper = paper_of(benchmark)
    if paper is None or not is_comparable(record, benchmark):
        return {}
    measured: Mapping[str, str] = getattr(paper, "MEASURED", {})
    headline = benchmark.metrics[0]
    results = (one for name, table in paper.TABLES.items() if measured.get(name, headline) == headline for one in table)
    own = [record.task.partition("/")[2]]
    return {
        one.split: one.mean
        for one in results
        if one.model == label(record) and own in [experiments_of(benchmark, form) for form in _forms(one.task, paper)]
    }


def _rows(
    benchmark: Benchmark,
    places: Mapping[Place, Mapping[str, Number]],
    sources: Sources,
    *,
    metric: str,
    tasks_of: Callable[[str], list[str]],
) -> tuple[Row, ...]:
    """A row for each place and source that has runs, and one for a place that has none."""
    rows = []
    for place, numbers in places.items():
        tasks = [f"{benchmark.name}/{task}" for task in tasks_of(place[0])]
        runs = {
            source: [record for record in records if record.task in tasks and label(record) == place[1]]
            for source, records in sources.items()
        }
        for source in [source for source, found in runs.items() if found] or [False]:
            rows.append(_row(benchmark, place, numbers, tasks, runs[source], metric=metric, shipped=source))
    return tuple(rows)


def _row(
    benchmark: Benchmark,
    place: Place,
    published: Mapping[str, Number],
    tasks: Sequence[str],
    runs: Sequence[Record],
    *,
    metric: str,
    shipped: bool,
) -> Row:
    name, model = place
    found = [own for task in tasks if (own := [record for record in runs if record.task == task])]
    paper = paper_of(benchmark)
    whole = len(found) == len(tasks)
    known = [share for record in runs if (share := share_of_budget(record, paper)) is not None]
    return Row(
        name,
        model,
        {
            split: _number(split, number, found, whole, metric)
            for split, number in _with_drop(published, place, paper).items()
        },
        runs=len(runs),
        runs_published=max(len(tasks), 1) * int(getattr(paper, "SEEDS", 0)),  # a task that is not here was run there
        experiments=len(found),
        experiments_published=len(tasks),
        answered=min((share_answered(record) for record in runs), default=None),
        budget=(min(known), max(known)) if known else None,
        shipped=shipped,
    )


def experiments_of(benchmark: Benchmark, name: str) -> list[str]:
    """The tasks behind a name in a table: itself, all experiments of a setting, or what the paper's `experiments` says.

    >>> from unseen.core.catalogue import BENCHMARKS
    >>> experiments_of(BENCHMARKS["cogitao"], "g2")
    ['g2-1', 'g2-2', 'g2-3', 'g2-4', 'g2-5']
    >>> experiments_of(BENCHMARKS["cogitao"], "g2-1+settings=published")
    ['g2-1+settings=published']
    """
    said = getattr(paper_of(benchmark), "experiments", None)
    if said:
        return [settled(f"{benchmark.name}/{experiment}").partition("/")[2] for experiment in said(name)]
    name, plus, options = name.partition("+")
    names = [row.name for row in benchmark.rows]
    tasks = [name] if name in names else [task for task in names if task.startswith(f"{name}-")]
    return [task + plus + options for task in tasks]


def share_of_budget(record: Record, paper: ModuleType | None) -> float | None:
    """Training that a run was given over that of the paper; none where the paper has no such model.

    Where the paper's trainings have a fixed length, examples seen are compared; where they end early when validation
    stalls, the steps that they could have had.
    """
    if paper is None:
        return None
    task = task_named(record.task)
    if said := getattr(paper, "examples_seen", None):
        seen = said(record.model, task.row.name)
        return record.budget.examples / seen if seen else None
    size = task.split("train").size
    if epochs := getattr(paper, "EPOCHS", {}).get(record.model):
        return float(record.budget.examples / (epochs * size))
    rows, given = getattr(paper, "RECIPES", {}), record.budget.recipe
    published = rows.get((record.model, task.row.name), rows.get(record.model))
    if not isinstance(published, Recipe) or not given or "stages" in given:
        return None
    own = Recipe(**{one.name: given[one.name] for one in fields(Recipe) if one.name in given})
    steps = record.budget.steps if own.max_seconds else own.steps(ceil(size / own.batch_size))
    return steps / published.steps(ceil(size / published.batch_size))


def share_answered(record: Record) -> float:
    """Return the least share of a scored split that was answered."""
    splits = task_named(record.task).splits
    return min(scores.count / splits[split].size for split, scores in record.scores.items())


def _with_drop(published: Mapping[str, Number], place: Place, paper: ModuleType | None) -> dict[str, Number]:
    """The published numbers, and the drop between them where there are both: as printed, or worked out."""
    if not {IN, OUT} <= published.keys():
        return dict(published)
    printed: dict[Place, float] = getattr(paper, "DROPS", {})
    inside, outside = published[IN].paper, published[OUT].paper
    worked_out = None if inside is None or outside is None else round(inside - outside, 1)
    return {**published, DROP: Number(paper=printed.get(place, worked_out))}


def _number(split: str, published: Number, experiments: Sequence[Sequence[Record]], whole: bool, metric: str) -> Number:
    """Our number of a split next to the published one: the mean over experiments of the means over seeds."""
    values = [
        [value for record in runs if (value := value_of(record, split, metric)) is not None] for runs in experiments
    ]
    values = [each for each in values if each]
    if not values:
        return published
    ours = mean(mean(each) for each in values)
    # one experiment varies with its seeds; a setting with its experiments
    sem = standard_error(values[0] if len(values) == 1 else [mean(each) for each in values])
    complete = whole and len(values) == len(experiments)
    difference = ours - published.paper if complete and published.paper is not None else None
    return Number(ours, sem, published.paper, published.paper_sem, difference)


def value_of(record: Record, split: str, metric: str = "") -> float | None:
    """A metric on a split, the benchmark's first if none is named, or what it loses from in to out of distribution.

    Shares are in percent.
    """
    if split == DROP:
        inside, outside = value_of(record, IN, metric), value_of(record, OUT, metric)
        return None if inside is None or outside is None else inside - outside
    scores = record.scores.get(split)
    name = metric or task_named(record.task).metrics[0]
    return METRICS[name].shown * scores.metrics[name].value if scores and name in scores.metrics else None


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of a mean; none of fewer than two values.

    >>> standard_error([1.0, 3.0]), standard_error([1.0])
    (1.0, None)
    """
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else None


def plain(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain values, a row per task and model."""
    rows = [{**asdict(row), "missing": row.missing} for row in comparison.rows]
    return {**asdict(comparison), "rows": rows}
