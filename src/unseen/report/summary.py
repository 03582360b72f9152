"""All results of a benchmark as one object: the published tables with our numbers, and what else was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from unseen.core.analysis import Figure, Finding
from unseen.core.catalogue import BENCHMARKS
from unseen.core.task import Benchmark
from unseen.render import html
from unseen.report import comparison, takers
from unseen.report.tables import rest
from unseen.results.compare import Comparison, compare, other_runs, tables_of
from unseen.results.gather import FOLDERS, Gathered, gather
from unseen.results.outcome import findings
from unseen.results.record import Record
from unseen.runs import Run


@dataclass(frozen=True, repr=False)
class Results:
    """What is known of a benchmark: records, tables, findings, and what is left out."""

    benchmark: Benchmark
    records: tuple[Record, ...]
    tables: tuple[Comparison, ...]  # the published ones, then runs that belong to none of them
    findings: tuple[Finding, ...]  # the tables for people, then what the benchmark's own analysis says
    left_out: tuple[str, ...] = ()  # sentences on records that cannot be shown

    def __repr__(self) -> str:
        run = sum(bool(found.rows) for found in self.findings)
        return f"<{self.benchmark.name}: {len(self.records)} runs in {run} of {len(self.findings)} tables>"

    def _repr_html_(self) -> str:
        """The results for a notebook."""
        return "\n".join((*map(finding_section, self.findings), left_out_section(self.left_out)))


def results(
    benchmark: str = "cogitao",
    *,
    tables: Sequence[str] | None = None,
    records: Iterable[str | Path] = FOLDERS,
) -> Results:
    """Set every record of a benchmark next to its published tables, or next to some of them.

    Records are read from folders that `unseen score` wrote; `shipped` stands for those that come with the library.

    >>> found = results("cogitao", tables=["2"], records=["shipped"])
    >>> found.findings[0].rows[0][:4]
    ('s2-translate+settings=published', 'resnet', '100.0', '100.0')
    """
    named = BENCHMARKS[benchmark]
    return summary(named, gather(named, records), tables=tables)


def summary(
    benchmark: Benchmark, gathered: Gathered, *, tables: Sequence[str] | None = None, runs: Iterable[Run] = ()
) -> Results:
    """Return the results of records that were gathered; the `runs` at hand let an analysis show their answers."""
    own, shipped = gathered.own, gathered.shipped
    names = tables_of(benchmark) if tables is None else tables
    compared = [compare(own, benchmark, name, shipped=shipped) for name in names]
    further: list[Finding] = []
    if tables is None:
        compared.append(other_runs(own, benchmark, shipped=shipped))
        further = [*takers.findings(gathered.every, benchmark), *findings(gathered.every, benchmark, runs)]
    return Results(
        benchmark,
        gathered.every,
        tuple(compared),
        (*map(comparison.finding, compared), *further),
        gathered.left_out,
    )


def finding_section(finding: Finding) -> str:
    """Return a finding as HTML, the rows that were not run folded; nothing where it is empty."""
    rows = html.table(finding.columns, finding.rows, words=finding.words) if finding.rows else ""
    others = html.table(finding.columns, finding.published, words=finding.words) if finding.published else ""
    if not (rows or others or finding.figures):
        return ""
    pieces = [html.paragraph(finding.about, "quiet"), rows, html.folded(rest(finding), others) if others else ""]
    return html.section(finding.title, *pieces, *map(figure, finding.figures))


def figure(one: Figure) -> str:
    """Return a figure as HTML: SVG as it is, pixels as a picture."""
    if not isinstance(one.drawing, str):
        return html.picture(one.drawing, escape(one.caption), said=one.caption)
    return (f"<h3>{escape(one.caption)}</h3>" if one.caption else "") + one.drawing


def left_out_section(sentences: Sequence[str]) -> str:
    """Return what is not shown, and why."""
    return html.folded(f"Left out: {len(sentences)}", html.bullets(sentences)) if sentences else ""
