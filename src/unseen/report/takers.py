"""Test takers side by side: models, language models and people on the same question, above the floor of shortcuts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from unseen.audit import audit
from unseen.audit.solvers import EXACT
from unseen.core.analysis import DASH, Finding
from unseen.core.asking import Form, form_of, forms_of
from unseen.core.catalogue import task as task_named
from unseen.core.files import cache_root, read_sealed, write_sealed
from unseen.core.paper import Result
from unseen.core.task import Benchmark, Task
from unseen.data.dataset import Dataset, Generated
from unseen.metrics import METRICS, Metric
from unseen.metrics.metric import Counts
from unseen.metrics.statistics import Interval, interval, wilson
from unseen.metrics.statistics import spelled as spelled_interval
from unseen.report.comparison import spelled
from unseen.results.compare import experiments_of, is_present, label, paper_of
from unseen.results.record import Record

COLUMNS = ("split", "test taker", "score", "95 %", "items")
PUBLISHED_PEOPLE = "humans"  # among the models of a published table
AUDITED = 500  # items at most that shortcuts are tried on
LEFT_OUT = ("text", "truth")  # solvers that know the answers to these very items, or answer some of them only


@dataclass(frozen=True)
class Score:
    """How someone did on a split: a value as people see it, where it lies, and on how many items."""

    who: str
    value: float
    interval: Interval | None = None
    items: int | None = None


def findings(records: Sequence[Record], benchmark: Benchmark) -> list[Finding]:
    """Return a table for each task and question that a language model or people answered, of all who did."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if is_present(record, benchmark):
            groups.setdefault((record.task, record.form), []).append(record)
    asked = {place: found for place, found in groups.items() if any(one.taker for one in found)}
    return [_finding(task_named(task), form, found) for (task, form), found in asked.items()]


def _finding(task: Task, view: str, records: Sequence[Record]) -> Finding:
    form = form_of(task.benchmark, view) if view else own_form(task.benchmark)
    metric = METRICS[form.metrics[0] if view else task.metrics[0]]
    splits = [split for split in task.splits if any(split in record.scores for record in records)]
    rows = [
        (split, one.who, spelled(one.value, metric.name), _interval(one.interval, metric), _items(one))
        for split in splits
        for one in side_by_side(task, split, form, records)
    ]
    unit = "in percent" if metric.percent else f"{'higher' if metric.higher_is_better else 'lower'} is better"
    about = f"{form.about if view else task.row.sentence} {metric.name.replace('_', ' ')}, {unit}."
    if view:
        about += " This is another question than the task's own, and its scores belong in no other table."
    title = f"Test takers on {task.id}{f', {view}' if view else ''}"
    return Finding(title, about, COLUMNS, rows=tuple(rows), words=2)


def own_form(benchmark: Benchmark) -> Form:
    """Return a form of the benchmark's own question; another where it has none in words."""
    forms = forms_of(benchmark).values()
    return next((form for form in forms if form.own), next(iter(forms)))


def _interval(found: Interval | None, metric: Metric) -> str:
    return spelled_interval(found, form=".1f" if metric.percent else ".3g") or DASH


def _items(one: Score) -> str:
    return DASH if one.items is None else f"{one.items:,}"


def side_by_side(task: Task, split: str, form: Form, records: Iterable[Record]) -> list[Score]:
    """Everyone's score on a split, the best first, then published people, then the highest shortcut."""
    metric = METRICS[form.metrics[0] if form.metrics else task.metrics[0]]
    found = []
    for record in records:
        scores = record.scores.get(split)
        if scores and metric.name in scores.metrics:
            value = scores.metrics[metric.name]
            who = label(record) + (f", seed {record.seed}" if record.seed else "")
            found.append(Score(who, metric.shown * value.value, _scaled(value.interval, metric.shown), scores.count))
    found.sort(key=lambda one: one.value, reverse=metric.higher_is_better)
    seeds = {record.scores[split].seed for record in records if split in record.scores}
    floor = lowest(task, split, form, count=max((one.items or 0 for one in found), default=0), seed=min(seeds))
    people = published_people(task, split) if form.own else None
    return [*found, *([people] if people else []), *([floor] if floor else [])]


def _scaled(found: Interval | None, times: float) -> Interval | None:
    return found and (times * found[0], times * found[1])


def published_people(task: Task, split: str) -> Score | None:
    """Tell how people did on a task in its paper; none where it does not say."""
    paper = paper_of(task.benchmark)
    name = task.id.partition("/")[2]
    asked = getattr(paper, "people", None)
    if asked and (found := asked(name)) is not None:
        share, answers = found
        return Score("people (paper)", share, _scaled(wilson(share / 100 * answers, answers), 100), answers)
    tables: dict[str, Sequence[Result]] = getattr(paper, "TABLES", {})
    theirs = (one for table in tables.values() for one in table if one.model == PUBLISHED_PEOPLE and one.split == split)
    same = (one for one in theirs if experiments_of(task.benchmark, one.task) == [name])
    return next((Score("people (paper)", one.mean) for one in same), None)


# ---------------------------------------------------------------------------- the floor


def lowest(task: Task, split: str, form: Form, *, count: int, seed: int) -> Score | None:
    """Give what the best of the shortcuts reaches on the same items, so far as these are few; none where there is none.

    It is kept in the cache, for it costs some seconds.
    """
    count = min(count, AUDITED)
    if not count or not METRICS[form.metrics[0] if form.metrics else task.metrics[0]].higher_is_better:
        return None
    what = f"{task.benchmark.version} {task.id} {split} {form.name if not form.own else ''} {count} {seed}"
    path = cache_root() / "floors-1" / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json"
    kept = read_sealed(path)
    if kept is not None:
        read = json.loads(kept)
        return Score(read["who"], read["value"], tuple(read["interval"]) if read["interval"] else None, read["items"])
    found = (_audited if form.own else _shortcut)(task, split, form, count, seed)
    if found:
        write_sealed(path, json.dumps(found.__dict__).encode())
    return found


def _audited(task: Task, split: str, form: Form, count: int, seed: int) -> Score | None:
    """The trivial solver of the audit that scores most; one that carries the rule, as declared, is no shortcut."""
    metric = METRICS[task.metrics[0]]
    found = [
        one
        for one in audit(task, split, count=count, seed=seed).findings
        if one.metric in (metric.name, EXACT) and not one.reason and one.solver not in LEFT_OUT
    ]
    if not found:
        return None
    best = max(found, key=lambda one: one.value)
    sure = wilson(best.value * count, count) if 0 <= best.value <= 1 else None
    return Score(f"floor: {best.solver}", metric.shown * best.value, _scaled(sure, metric.shown), count)


def _shortcut(task: Task, split: str, form: Form, count: int, seed: int) -> Score | None:
    """The shortcut of a view that scores most; the commonest answer is always one."""
    metric = METRICS[form.metrics[0]]
    examples = list(islice(filter(form.asks, Dataset(Generated(task, split, seed))), count))
    truths = [form.truth(example) for example in examples]
    answers = {name: [answer(example) for example in examples] for name, answer in form.shortcuts.items()}
    written = [json.dumps(truth) for truth in truths]
    common = json.loads(max(written, key=written.count)) if written else None
    answers["the commonest answer"] = [common] * len(examples)
    best: tuple[float, str, list[Counts]] | None = None
    for name, said in answers.items():
        counts = metric.all_counts(truths, said)
        value = metric.pooled(counts)
        if best is None or value > best[0]:
            best = value, name, counts
    if best is None or not examples:
        return None
    value, name, counts = best
    return Score(f"floor: {name}", metric.shown * value, _scaled(interval(metric, counts), metric.shown), len(examples))
