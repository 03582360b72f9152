"""A published table beside our numbers, as lines of text: for the terminal, Markdown, LaTeX and the report page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from unseen.metrics import METRICS
from unseen.report.tables import DASH, MINUS, latex_table, markdown_table
from unseen.results.compare import DROP, IN, OUT, Comparison, Number, Row

HEADINGS = {IN: "ID", OUT: "OOD", DROP: f"ID {MINUS} OOD"}
MISSING = "missing"


def columns(comparison: Comparison) -> tuple[str, ...]:
    """The headings: of each number ours, the paper's and the difference; then what ours took."""
    numbers = [HEADINGS.get(split, split) for split in comparison.splits]
    triples = [heading for name in numbers for heading in (f"{name} ours", "paper", "diff.")]
    return ("task", "model", *triples, "runs", "budget")


def lines(comparison: Comparison) -> list[tuple[str, ...]]:
    """A line per task and model; those of a setting that nobody ran share a line that says so."""
    return [line for group in _neighbors(comparison) for line in _folded(group, comparison)]


def caption(comparison: Comparison) -> str:
    """What the table is, how much of it is ours, and how to read it."""
    published = [row for row in comparison.rows if row.published]
    done = sum(not row.missing for row in published)
    metric = METRICS[comparison.metric]
    unit = "in percent" if metric.percent else f"{'higher' if metric.higher_is_better else 'lower'} is better"
    return (
        f"{comparison.benchmark}, Table {comparison.table}: {comparison.title}."
        f" Ours beside the paper's, {unit}; {done} of {len(published)} results have runs of ours."
        " The budget is the share of the paper's training examples that ours saw."
    )


def markdown(comparison: Comparison) -> str:
    """A comparison as a Markdown table under its caption."""
    return f"{caption(comparison)}\n\n{markdown_table(columns(comparison), lines(comparison), words=2)}"


def latex(comparison: Comparison) -> str:
    """A comparison as a LaTeX table."""
    return latex_table(columns(comparison), lines(comparison), caption=caption(comparison), words=2)


def _neighbors(comparison: Comparison) -> Iterator[list[Row]]:
    """Rows that may share a line: those of a setting and a model that are missing or not together."""

    def place(row: Row) -> tuple[str, str, bool]:
        return row.task.partition("-")[0], row.model, row.missing

    settings = {row.task.partition("-")[0]: i for i, row in reversed(list(enumerate(comparison.rows)))}
    models = {row.model: i for i, row in reversed(list(enumerate(comparison.rows)))}
    ordered = sorted(
        comparison.rows, key=lambda row: (settings[row.task.partition("-")[0]], models[row.model], row.missing)
    )
    for _, group in groupby(ordered, place):
        yield list(group)


def _folded(group: list[Row], comparison: Comparison) -> list[tuple[str, ...]]:
    if not group[0].missing or len(group) == 1:
        return [_line(row, comparison) for row in group]
    setting = group[0].task.partition("-")[0]
    blank = (MISSING, DASH, DASH) * len(comparison.splits)
    return [(f"{setting}: {len(group)} tasks", group[0].model, *blank, _runs(group), DASH)]


def _runs(rows: list[Row]) -> str:
    """How many runs there are, and what they lack: experiments of a setting, answers to test examples."""
    row = rows[0]
    said = str(sum(one.runs for one in rows))
    if row.published:
        said += f" of {sum(one.runs_published for one in rows)}"
    lacks = []
    if 0 < row.experiments < row.experiments_published:
        lacks.append(f"{row.experiments} of {row.experiments_published} experiments")
    if row.answered is not None and row.answered < 1:
        lacks.append(f"{100 * row.answered:.3g} % answered")
    return said + (f" ({', '.join(lacks)})" if lacks else "")


def _line(row: Row, comparison: Comparison) -> tuple[str, ...]:
    numbers = [row.numbers.get(split, Number()) for split in comparison.splits]
    cells = [cell for number in numbers for cell in _cells(number, comparison.metric)]
    return (row.task, row.model, *cells, _runs([row]), spelled_budget(row.budget))


def _cells(number: Number, metric: str) -> tuple[str, str, str]:
    ours = MISSING if number.ours is None else _with_error(number.ours, number.sem, metric)
    paper = DASH if number.paper is None else _with_error(number.paper, number.paper_sem, metric)
    return ours, paper, DASH if number.difference is None else signed(number.difference, metric)


def _with_error(value: float, error: float | None, metric: str) -> str:
    return spelled(value, metric) + ("" if error is None else f" ± {spelled(error, metric)}")


def spelled(value: float, metric: str) -> str:
    """A number of a table: percent with one decimal, what is no share with two, or four where it is below 1.

    >>> spelled(99.51, "grid_accuracy"), spelled(0.06431, "lpips"), spelled(2493.24, "mse")
    ('99.5', '0.0643', '2493.24')
    """
    if METRICS[metric].percent:
        return f"{value:.1f}"
    return f"{value:.4f}" if abs(value) < 1 else f"{value:.2f}"


def signed(value: float, metric: str) -> str:
    """A difference with its sign.

    >>> signed(1.25, "grid_accuracy"), signed(-0.31, "grid_accuracy"), signed(-0.01, "grid_accuracy")
    ('+1.2', '−0.3', '0.0')
    """
    rounded = float(spelled(value, metric))
    sign = "+" if rounded > 0 else MINUS if rounded < 0 else ""
    return sign + spelled(abs(rounded), metric)


def spelled_budget(budget: tuple[float, float] | None) -> str:
    """A share of the paper's training, or the least and most of several.

    >>> spelled_budget((0.01, 0.01)), spelled_budget((0.005, 1.0)), spelled_budget(None)
    ('1 %', '0.5 to 100 %', '–')
    """
    if budget is None:
        return DASH
    least, most = (f"{100 * share:.3g}" for share in budget)
    return f"{least} %" if least == most else f"{least} to {most} %"
