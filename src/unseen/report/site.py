"""A report for the browser: the published tables beside ours on one page, and a page for every run.

out/
    index.html
    cogitao/s2-translate/resnet-seed-0.html
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from unseen.core.files import write_whole
from unseen.report.comparison import MISSING, caption, columns, lines
from unseen.report.html import paragraph, section, table, whole_page
from unseen.report.page import run_page
from unseen.results.compare import Comparison
from unseen.results.run import Run, find_runs, model_name, read_run

TITLE = "Results"


def write_report(folder: Path, comparisons: Sequence[Comparison], runs: Path, sections: Sequence[str] = ()) -> Path:
    """Write the page of every run that has predictions, and the one that leads to them; its path.

    `sections` are further HTML for the latter, above its tables.
    """
    found = [run for run in map(read_run, find_runs(runs)) if run.predictions]
    for run in found:
        write_whole(folder / place_of(run), run_page(run).encode())
    index = folder / "index.html"
    write_whole(index, index_page(comparisons, found, sections).encode())
    return index


def place_of(run: Run) -> Path:
    """Where the page of a run is, in the folder of the report."""
    return Path(run.task.id) / f"{model_name(run.config.model, run.config.options)}-seed-{run.config.seed}.html"


def index_page(comparisons: Sequence[Comparison], runs: Sequence[Run], sections: Sequence[str] = ()) -> str:
    """The runs, further sections, then the tables that have any run of ours."""
    shown = [found for found in comparisons if any(not row.missing for row in found.rows)]
    others = [found for found in comparisons if found not in shown]
    about = paragraph(
        "What models learn from some compositions, and what they make of compositions they have never seen."
        " ID is in distribution, OOD out of it; what is lost between the two is what these benchmarks are about.",
        "lead",
    )
    links = "".join(f"<li>{_link(run)}</li>" for run in runs)
    pieces = [
        f"<h1>{TITLE}</h1>",
        about,
        section("Runs", f"<ul>{links}</ul>" if runs else ""),
        *sections,
        *map(comparison_section, shown),
        section("Not run yet", _list([f"Table {found.table}: {found.title}" for found in others])),
    ]
    return whole_page(TITLE, "\n".join(piece for piece in pieces if piece))


def comparison_section(found: Comparison) -> str:
    """One published table beside ours."""
    body = table(columns(found), lines(found), words=2, faint=MISSING)
    return section(f"Table {found.table}: {found.title}", paragraph(caption(found), "quiet"), body)


def _link(run: Run) -> str:
    words = f"{model_name(run.config.model, run.config.options)} on {run.task.id}, seed {run.config.seed}"
    return f'<a href="{escape(place_of(run).as_posix())}">{escape(words)}</a>: {escape(run.task.row.summary)}'


def _list(sentences: Sequence[str]) -> str:
    return "".join(("<ul>", *(f"<li>{escape(one)}</li>" for one in sentences), "</ul>")) if sentences else ""
