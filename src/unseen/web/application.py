"""Which function answers which address."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from unseen.core.errors import UnknownName
from unseen.web import admin, board, experiment, findings, look, taking
from unseen.web.respond import Handler, Threads, endpoint, failure, report_style
from unseen.web.safety import Guard
from unseen.web.site import Site

HEAD_START = 1.0  # seconds that whoever waits for the first page has the machine to themselves
LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")


# who waits for something to be drawn or scored must not keep a trial of a study from being shown or stored
PUBLIC, SHOWN, STORED = Threads(20), Threads(20), Threads(20)


def get(path: str, handler: Handler, threads: Threads = PUBLIC) -> Route:
    """Return a page."""
    return Route(path, endpoint(handler, threads), methods=["GET"])


def post(path: str, handler: Handler, threads: Threads = PUBLIC) -> Route:
    """Return what a form or a script sends."""
    return Route(path, endpoint(handler, threads), methods=["POST"])


EXAMPLE = "/{benchmark}/{task}/{split}/{seed}/{index}"
LOOK = [
    get("/", look.home),
    get("/search", look.search),
    get("/results", findings.results),
    get("/results/run/{run:path}", findings.run),
    get("/results/{benchmark}", findings.of_benchmark),
    get(f"/picture/{{what}}{EXAMPLE}", look.picture),
    get("/options/{benchmark}/{task}", look.choose_options),
]
TEST = [
    get("/test", taking.choose),
    post("/test", taking.begin),
    get("/test/{session}", taking.show),
    post("/test/{session}", taking.answer),
    get("/test/{session}/image/{position}/{number}", taking.picture),
    get("/test/{session}/end", taking.end),
    get("/test/{session}/predictions.parquet", taking.predictions),
]
BOARD = [
    get("/board", board.board),
    get("/board/new", board.new),
    post("/board/new", board.upload),
    post("/board/me", board.join),
    get("/board/{entry}", board.entry),
    post("/board/{entry}/again", board.rescore),
    post("/board/{entry}/remove", board.remove),
    get("/board/{entry}/{split}.parquet", board.predictions),
]
SESSION = "/study/{study}/{session}"
STUDY = [
    get("/study", experiment.studies, STORED),
    get("/study/{study}", experiment.arrive, STORED),
    post("/study/{study}", experiment.begin, SHOWN),
    get(SESSION, experiment.run, STORED),
    get(f"{SESSION}/state", experiment.state, STORED),
    get(f"{SESSION}/item/{{position}}", experiment.item, SHOWN),
    get(f"{SESSION}/image/{{position}}/{{number}}", experiment.picture, SHOWN),
    post(f"{SESSION}/step/{{position}}", experiment.respond, STORED),
]
ADMIN = [
    get("/admin", admin.overview),
    post("/admin/forget", admin.forget),
    get("/admin/{study}.zip", admin.download),
]
LAST = [  # after all others, since a benchmark may have any name
    get("/{benchmark}", look.benchmark),
    get("/{benchmark}/{task}", look.task),
    get("/{benchmark}/{task}/{split}/{seed}", look.examples),
    get(EXAMPLE, look.example),
]


def routes() -> list[BaseRoute]:
    """Return every address of the site."""
    return [
        Route("/static/report.css", report_style),
        Mount("/static", StaticFiles(directory=str(files("unseen.web") / "static"))),
        *LOOK,
        *TEST,
        *BOARD,
        *STUDY,
        *ADMIN,
        *LAST,
    ]


def application(site: Site, *, hosts: tuple[str, ...] = LOOPBACK, warm: bool = False) -> Starlette:
    """The site as an application; it answers under the names `hosts` alone, so that no other page can reach into it."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if warm:
            soon = threading.Timer(HEAD_START, site.warm)
            soon.daemon = True
            soon.start()
        yield
        site.close()

    made = Starlette(
        routes=routes(),
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)],
        exception_handlers={404: _not_found, 405: _not_found},
        lifespan=lifespan,
    )
    made.state.site = site
    return made


async def _not_found(request: Request, error: Exception) -> Response:
    path = request.url.path
    what = error.detail if isinstance(error, HTTPException) else "not found"
    return failure(request, UnknownName(f"there is no page {path} ({what.lower()})"))
