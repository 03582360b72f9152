"""`unseen results`: every run there is, next to the published tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson

if TYPE_CHECKING:
    from unseen.core.analysis import Finding
    from unseen.report.summary import Results


def results(
    benchmark: Annotated[str, typer.Argument(help="The benchmark.")] = "cogitao",
    table: Annotated[list[str] | None, typer.Option(help="Only this published table; may be repeated.")] = None,
    records: Annotated[
        list[str] | None,
        typer.Option(
            help="A folder of records that `unseen score` wrote; may be repeated. `shipped` stands for the records that"
            " come with unseen. Without this option: results and shipped."
        ),
    ] = None,
    runs: Annotated[Path, typer.Option(help="A run, or a folder of runs, that the report shows.")] = Path("runs"),
    html: Annotated[Path | None, typer.Option(help="A folder to write a report for the browser to.")] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="A folder of PNG files that the report's first page shows.")
    ] = None,
    humans: Annotated[
        list[Path] | None,
        typer.Option(
            help="Trials of people that `unseen serve --export` wrote, to set beside the paper's; may be repeated."
        ),
    ] = None,
    all_rows: Annotated[
        bool, typer.Option("--all", help="Also print the published rows without a run, as `--table` does.")
    ] = False,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX, for the package booktabs.")] = False,
) -> None:
    """Show our results next to the paper's.

    unseen results cogitao --table 2
    """
    from unseen.core.catalogue import BENCHMARKS
    from unseen.core.errors import SpecError
    from unseen.report import tables
    from unseen.report.site import score_runs, write_report
    from unseen.report.summary import summary
    from unseen.results.gather import FOLDERS, gather
    from unseen.results.people import people_finding

    if json + markdown + latex > 1:
        raise SpecError("choose one of --json, --markdown and --latex")
    if pictures and not html:
        raise SpecError("--pictures are for the report; write one with --html FOLDER")
    whole = all_rows or bool(table)
    named = BENCHMARKS[benchmark]
    gathered = gather(named, records or FOLDERS)
    scored = score_runs(runs) if html else []
    found = summary(named, gathered, tables=table, runs=[one.run for one in scored])
    if humans:
        found = replace(found, findings=(people_finding(named, humans), *found.findings))
    if json:
        print_results_json(found)
    elif markdown or latex:
        write = tables.markdown if markdown else tables.latex
        shown = [one for one in found.findings if one.rows or whole]
        print("\n\n".join(write(one, whole=whole) for one in shown))
    else:
        for one in found.findings:
            print_finding(one, whole=whole)
        for sentence in found.left_out:
            print(f"left out: {sentence}")
    if html:
        typer.echo(f"report: {write_report(html, found, scored, pictures)}", err=True)


def print_finding(finding: Finding, *, whole: bool) -> None:
    """Print the rows that have a run, and how many others there are; the `whole`, these too."""
    from unseen.cli.output import print_table
    from unseen.report.tables import folding

    rows, folded = folding(finding, whole=whole)
    if rows:
        print_table(finding.columns, rows, title=f"{finding.title}. {finding.about}")
    if folded:
        print(f"{folded if rows else f'{finding.title}: {folded}'}; --all shows them", end="\n\n" if rows else "\n")


def print_results_json(found: Results) -> None:
    """Print the tables with all their rows, and what else was found, as one JSON object."""
    from unseen.cli.output import print_json
    from unseen.report.comparison import finding
    from unseen.results.compare import plain

    further = [one for one in found.findings if one.title not in {finding(table).title for table in found.tables}]
    print_json(
        {
            "benchmark": found.benchmark.name,
            "tables": [plain(one) for one in found.tables],
            "findings": [
                {"title": one.title, "columns": one.columns, "rows": one.rows, "published": one.published}
                for one in further
            ],
            "left_out": found.left_out,
        }
    )
