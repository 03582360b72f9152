"""`unseen results`: our runs beside the published tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson

if TYPE_CHECKING:
    from unseen.results.compare import Comparison


def results(
    benchmark: Annotated[str, typer.Argument(help="The benchmark.")] = "cogitao",
    table: Annotated[list[str] | None, typer.Option(help="Only this published table; may be repeated.")] = None,
    records: Annotated[Path, typer.Option(help="The folder of records that `unseen score` wrote.")] = Path("results"),
    runs: Annotated[Path, typer.Option(help="A run, or a folder of runs, that the report shows.")] = Path("runs"),
    html: Annotated[Path | None, typer.Option(help="A folder to write a report for the browser to.")] = None,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX, for the package booktabs.")] = False,
) -> None:
    """Set our results beside the published tables.

    unseen results cogitao --table 2
    """
    from unseen.cli.output import print_json, print_table
    from unseen.core.catalogue import BENCHMARKS
    from unseen.core.errors import SpecError
    from unseen.report import comparison
    from unseen.report import generalization as generalized
    from unseen.report.alpha import alpha_section
    from unseen.report.efficiency import COLUMNS, curriculum_section, efficiency_section, score_lines
    from unseen.report.site import write_report
    from unseen.results.alpha import alpha_curves, alpha_efficiencies
    from unseen.results.compare import compare, paper_of, plain
    from unseen.results.curriculum import gains
    from unseen.results.efficiency import learners
    from unseen.results.generalization import generalizations
    from unseen.results.record import read_records
    from unseen.results.run import find_runs, read_run

    if json + markdown + latex > 1:
        raise SpecError("choose one of --json, --markdown and --latex")
    found, named = read_records(records), BENCHMARKS[benchmark]
    comparisons = [compare(found, named, name) for name in table or paper_of(named).TABLES]
    curves, held_out = learners(found, named), generalizations(found, named)
    if json:
        print_json([plain(one) for one in comparisons])
    elif markdown or latex:
        print("\n\n".join(map(comparison.markdown if markdown else comparison.latex, comparisons)))
    else:
        for one in comparisons:
            print_comparison(one, whole=table is not None)
        if scores := score_lines(curves):
            print_table(COLUMNS, scores, title=f"{benchmark}: sample efficiency")
        if scores := generalized.generalization_lines(held_out):
            print_table(generalized.COLUMNS, scores, title=f"{benchmark}: generalization score")
    if html:
        by_alpha = alpha_curves(found, named)
        alpha_runs = map(read_run, find_runs(runs)) if by_alpha else ()
        sections = (
            efficiency_section(curves),
            curriculum_section(gains(found, named)),
            alpha_section(by_alpha, alpha_efficiencies(by_alpha, named), alpha_runs),
            generalized.generalization_section(held_out),
        )
        page = write_report(html, comparisons, runs, sections)
        typer.echo(f"report: {page}", err=True)


def print_comparison(found: Comparison, *, whole: bool) -> None:
    """Print a published table beside ours; only a line where nothing of it was run, unless it was asked for."""
    from unseen.cli.output import print_table
    from unseen.report.comparison import caption, columns, lines

    if whole or any(not row.missing for row in found.rows):
        print_table(columns(found), lines(found), title=caption(found))
    else:
        print(f"{found.benchmark}, Table {found.table}: {found.title}. None of its {len(found.rows)} results was run.")
