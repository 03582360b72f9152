"""`unseen serve`: the benchmarks in a browser, for looking, answering, experiments and the leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from unseen.web.site import Site


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at; others than this one are for all to reach.")] = (
        "127.0.0.1"
    ),
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
            "unseen serve", "web", "starlette, uvicorn, jinja2, sqlalchemy and python-multipart"
        ) from error
    site = open_site(database, study or [], records, runs)
    if check:
        print(check_site(site))
    else:
        serve_site(site, host, port, names=tuple(name or ()))


def open_site(database: str, studies: list[Path], records: list[str] | None, runs: Path) -> Site:
    """The site over a database, with the studies that ship and those given."""
    from unseen.web.database import Database
    from unseen.web.site import Site
    from unseen.web.study import read_study, shipped_studies

    found = {**shipped_studies(), **{one.name: one for one in map(read_study, studies)}}
    return Site(Database(database), found, records=tuple(records or ("results", "shipped")), runs=runs)
