"""`unseen serve`: the benchmarks in a browser, for looking, answering, experiments and the leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from unseen.web.site import Site
    from unseen.web.study import Study


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; with any but the default, other machines can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes a free one.", min=0, max=65535)] = 8000,
    name: Annotated[
        list[str] | None, typer.Option(help="A name that the site is reached under, if not on this machine alone.")
    ] = None,
    database: Annotated[
        str, typer.Option(help="A file, or the address of a database: postgresql+psycopg://user@host/name.")
    ] = "unseen.db",
    study: Annotated[
        list[Path] | None,
        typer.Option(help="The file of a study, beside those that come with unseen; may be repeated."),
    ] = None,
    records: Annotated[
        list[str] | None, typer.Option(help="A folder of records to show; may be repeated. As in unseen results.")
    ] = None,
    runs: Annotated[Path, typer.Option(help="A folder of runs to show.")] = Path("runs"),
    forget: Annotated[
        str | None, typer.Option(help="Remove a person and end: by the id that they came with, or study/number.")
    ] = None,
    export: Annotated[str | None, typer.Option(help="Write all data of this study to --out, and end.")] = None,
    export_board: Annotated[
        bool,
        typer.Option("--export-board", help="Write the board to --out, as records that unseen results reads, and end."),
    ] = False,
    import_board: Annotated[Path | None, typer.Option(help="Read a board that was exported, and end.")] = None,
    bundle: Annotated[
        str | None, typer.Option(help="Write this study to --out as files that need no server of ours, and end.")
    ] = None,
    people: Annotated[int, typer.Option(help="How many people a bundle is for.")] = 30,
    submit: Annotated[
        str, typer.Option(help="Where a bundle sends answers: jatos, or datapipe: and the id of an experiment.")
    ] = "jatos",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("export"),
    check: Annotated[bool, typer.Option("--check", help="Start, ask the site for a page, say so, and end.")] = False,
) -> None:
    """Serve the benchmarks to a browser.

    Look at examples, take a test, run a study, keep a leaderboard.

    unseen serve

    unseen serve --database postgresql+psycopg://unseen@localhost/unseen --host 0.0.0.0 --name study.example.org
    """
    from unseen.core.errors import missing_extra

    try:
        from unseen.web.serving import check_site, serve_site
    except ModuleNotFoundError as error:
        raise missing_extra(
            "unseen serve", "web", "anyio, starlette, uvicorn, jinja2, sqlalchemy and python-multipart"
        ) from error
    site = open_site(database, study or [], records, runs)
    try:
        if forget is not None:
            print(f"{site.database.forget(forget)} sessions of {forget} were removed")
        elif export is not None:
            print_export(site, export, out)
        elif bundle is not None:
            from unseen.web.bundle import bundle_study

            print(bundle_study(site, study_named(site, bundle), out, people=people, submit=submit))
        elif export_board:
            from unseen.web import board

            print(f"{board.export_board(site, out)} entries were written to {out}")
        elif import_board is not None:
            print_import(site, import_board)
        elif check:
            print(check_site(site))
        else:
            serve_site(site, host, port, names=tuple(name or ()))
    finally:
        site.close()


def print_export(site: Site, name: str, out: Path) -> None:
    """Write all data of a study, and list the files."""
    from unseen.web.study_data import export_study

    for path in export_study(site, study_named(site, name), out):
        print(path)


def study_named(site: Site, name: str) -> Study:
    """Return a study of the site by its name."""
    from unseen.core.errors import unknown

    if name not in site.studies:
        raise unknown("study", name, site.studies)
    return site.studies[name]


def print_import(site: Site, folder: Path) -> None:
    """Read a board, and say what was added and what could not be."""
    from unseen.web import board

    added, problems = board.import_board(site, folder)
    print(f"{added} entries were added")
    for problem in problems:
        print(f"left out: {problem}")


def open_site(database: str, studies: list[Path], records: list[str] | None, runs: Path) -> Site:
    """Return the site over a database, with the studies that ship and those given."""
    from unseen.web.database import Database
    from unseen.web.site import Site
    from unseen.web.study import read_study, shipped_studies

    found = {**shipped_studies(), **{one.name: one for one in map(read_study, studies)}}
    return Site(Database(database), found, records=tuple(records or ("results", "shipped")), runs=runs)
