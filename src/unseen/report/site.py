"""A report for the browser: what was run and what came out, then the published tables, and a page for every run.

out/
    index.html
    cogitao/s2-translate/resnet-seed-0.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from unseen.core.analysis import IN, OUT, Finding
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import DataError
from unseen.core.files import write_whole
from unseen.render.charts import bar_chart
from unseen.render.html import Html, folded, paragraph, picture, row, section, table
from unseen.render.picture import read_picture
from unseen.report.page import (
    answer_pictures,
    headline,
    learned_and_held_out,
    run_page,
    score_bars,
    score_of,
    spelled_name,
    tally,
    verdict,
    whole_page,
)
from unseen.report.summary import Results, finding_section, left_out_section
from unseen.results.compare import label
from unseen.results.record import Record, record_of, score_run
from unseen.results.scoring import Scores
from unseen.runs import Run, find_runs, open_run, record_place

TITLE = "Results"
PICTURED = 3  # runs whose answers are on the first page
KINDS = {IN: "Tested on what it was trained on", OUT: "Tested on what it has never seen"}


@dataclass(frozen=True)
class Scored:
    """A run with its scores and its record."""

    run: Run
    scores: Mapping[str, Scores]
    record: Record

    @property
    def place(self) -> Path:
        """Where its page is, in the folder of the report."""
        config = self.run.config
        return record_place(config.task, config.model, config.seed, options=config.options, ending=".html")


def score_runs(folder: Path) -> list[Scored]:
    """Score every run in a folder that has predictions."""
    found = []
    for run in map(open_run, find_runs(folder)):
        if run.predictions:
            scores = score_run(run)
            found.append(Scored(run, scores, record_of(run, scores)))
    return found


def write_report(folder: Path, results: Results, runs: Sequence[Scored], pictures: Path | None = None) -> Path:
    """Write a page for every run and the one that leads to them, and return its path.

    `pictures` is a folder of PNG files that the first page shows, each under its name: one for each benchmark, say.
    """
    for scored in runs:
        write_whole(folder / scored.place, run_page(scored.run, scored.scores).encode())
    index = folder / "index.html"
    write_whole(index, index_page(results, runs, gallery(pictures) if pictures else "").encode())
    return index


def index_page(results: Results, runs: Sequence[Scored], gallery: str = "") -> str:
    """Return what was run and what came out, then every table that has a run, then what else there is."""
    run = [finding for finding in results.findings if finding.rows or finding.figures]
    others = [finding for finding in results.findings if finding not in run and finding.published]
    about = paragraph(
        "What models learn from some compositions, and what they make of compositions they have never seen. ID is in"
        " distribution, OOD out of distribution; what is lost between the two is what these benchmarks measure.",
        "lead",
    )
    pieces = [
        f"<h1>{TITLE}</h1>",
        about,
        runs_section(runs),
        *map(finding_section, run),
        gallery,
        section("Published tables without a run", *map(folded_finding, others)),
        left_out_section(results.left_out),
    ]
    return whole_page(TITLE, "\n".join(piece for piece in pieces if piece))


def runs_section(runs: Sequence[Scored]) -> str:
    """Return every run with its score in and out of distribution, and the answers of the first few."""
    if not runs:
        return ""
    lines = [
        (Html(_link(one)), spelled_name(headline(one.record)), score_of(one.record, IN), score_of(one.record, OUT))
        for one in runs
    ]
    columns = ("run", "score", "trained on", "never seen")
    listing = table(columns, lines, words=2) if len(runs) > 1 else ""
    return section("What was run", listing, *map(card, runs[:PICTURED]))


def card(one: Scored) -> str:
    """Return a run at a glance: what came out, in words and as bars, with right and wrong answers."""
    pieces = [f"<h3>{_link(one)}</h3>", learned_and_held_out(one.run.task), paragraph(verdict(one.record))]
    if bars := score_bars(one.record):
        pieces.append(bar_chart(bars))
    for split, title in KINDS.items():
        if split in one.scores and (pictures := answer_pictures(one.run, one.scores[split], count=1)):
            pieces += [paragraph(f"{title}: {tally(one.scores[split])}"), pictures]
    return "\n".join(pieces)


def _link(one: Scored) -> str:
    words = f"{label(one.record)} on {one.record.task}, seed {one.record.seed}"
    return f'<a href="{escape(one.place.as_posix())}">{escape(words)}</a>'


def folded_finding(finding: Finding) -> str:
    """Return a table of the paper of which nothing was run, behind its title."""
    return folded(
        f"{finding.title} ({len(finding.published):,} rows)",
        paragraph(finding.about, "quiet"),
        table(finding.columns, finding.published, words=finding.words),
    )


def gallery(folder: Path) -> str:
    """Return the PNG files of a folder as pictures; one that is named after a benchmark stands under its title."""
    files = sorted(folder.glob("*.png"))
    if not files:
        raise DataError(f"there are no .png files in {folder} to show as pictures")
    shown = []
    for file in files:
        title = BENCHMARKS[file.stem].title if file.stem in BENCHMARKS else file.stem
        shown.append(picture(read_picture(file), escape(title), said=title))
    return section("The benchmarks", row(shown))
