"""Comparisons as findings: a published table with our numbers in it, as lines of text."""

from __future__ import annotations

from unseen.core.analysis import DASH, IN, OUT, Cells, Finding
from unseen.metrics import METRICS
from unseen.report.tables import MINUS
from unseen.results.compare import DROP, Comparison, Number, Row

HEADINGS = {IN: "ID", OUT: "OOD", DROP: f"ID {MINUS} OOD"}


def finding(comparison: Comparison) -> Finding:
    """Return a comparison as a table for people: rows that have runs, then those of the paper that have none."""
    title = f"Table {comparison.table}: {comparison.title}" if comparison.table else comparison.title
    return Finding(
        title,
        caption(comparison),
        columns(comparison),
        rows=tuple(_line(row, comparison) for row in comparison.rows if not row.missing),
        published=tuple(_line(row, comparison) for row in comparison.rows if row.missing),
        words=2,
    )


def columns(comparison: Comparison) -> Cells:
    """The headings: our numbers, in a published table each with the paper's and the difference, then what they took."""
    paper = ("paper", "diff.") if comparison.table else ()
    numbers = [heading for split in comparison.splits for heading in (HEADINGS.get(split, split), *paper)]
    return ("task", "model", *numbers, "runs", *(("budget",) if comparison.table else ()))


def caption(comparison: Comparison) -> str:
    """Tell how much of a table was run, and how to read it."""
    metric = METRICS[comparison.metric]
    unit = "in percent" if metric.percent else f"{'higher' if metric.higher_is_better else 'lower'} is better"
    measured = f"{metric.name.replace('_', ' ')}, {unit}"
    if not comparison.table:
        return f"Tasks, options and splits that the paper does not report: {measured}."
    done = comparison.reported - sum(row.missing for row in comparison.rows)
    return (
        f"Our results next to the paper's: {measured}; {done} of {comparison.reported} published results have a run."
        " The budget is the share of the paper's training that a run was given."
    )


def _line(row: Row, comparison: Comparison) -> Cells:
    numbers = [row.numbers.get(split, Number()) for split in comparison.splits]
    cells = [cell for number in numbers for cell in _cells(number, comparison)]
    budget = (spelled_budget(row.budget),) if comparison.table else ()
    return (row.task, row.model, *cells, _runs(row), *budget)


def _cells(number: Number, comparison: Comparison) -> Cells:
    metric = comparison.metric
    ours = DASH if number.ours is None else _with_error(number.ours, number.sem, metric)
    if not comparison.table:
        return (ours,)
    paper = DASH if number.paper is None else _with_error(number.paper, number.paper_sem, metric)
    return ours, paper, DASH if number.difference is None else signed(number.difference, metric)


def _runs(row: Row) -> str:
    """How many runs there are, and what is to be said of them: experiments or answers that they lack, their source."""
    said = f"{row.runs} of {row.runs_published}" if row.published else str(row.runs)
    remarks = []
    if 0 < row.experiments < row.experiments_published:
        remarks.append(f"{row.experiments} of {row.experiments_published} experiments")
    if row.answered is not None and row.answered < 1:
        remarks.append(f"{100 * row.answered:.3g} % answered")
    if row.shipped:
        remarks.append("shipped")
    return said + (f" ({', '.join(remarks)})" if remarks else "")


def _with_error(value: float, error: float | None, metric: str) -> str:
    return spelled(value, metric) + ("" if error is None else f" ± {spelled(error, metric)}")


def spelled(value: float, metric: str) -> str:
    """Return a number of a table: percent with one decimal, what is no share with two, or four where it is below 1.

    >>> spelled(99.51, "grid_accuracy"), spelled(0.06431, "lpips"), spelled(2493.24, "mse")
    ('99.5', '0.0643', '2493.24')
    """
    if METRICS[metric].percent:
        return f"{value:.1f}"
    return f"{value:.4f}" if abs(value) < 1 else f"{value:.2f}"


def signed(value: float, metric: str) -> str:
    """Return a difference with its sign.

    >>> signed(1.25, "grid_accuracy"), signed(-0.31, "grid_accuracy"), signed(-0.01, "grid_accuracy")
    ('+1.2', '−0.3', '0.0')
    """
    rounded = float(spelled(value, metric))
    sign = "+" if rounded > 0 else MINUS if rounded < 0 else ""
    return sign + spelled(abs(rounded), metric)


def spelled_budget(budget: tuple[float, float] | None) -> str:
    """Return a share of the paper's training, or the least and most of several.

    >>> spelled_budget((0.01, 0.01)), spelled_budget((0.005, 1.0)), spelled_budget(None)
    ('1 %', '0.5 to 100 %', '–')
    """
    if budget is None:
        return DASH
    least, most = (f"{100 * share:.3g}" for share in budget)
    return f"{least} %" if least == most else f"{least} to {most} %"
