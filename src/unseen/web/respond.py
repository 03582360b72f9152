"""Answers of the site: pages from templates, files, and errors as pages that say what to do."""

from __future__ import annotations

import json
import logging
from asyncio import wait_for
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from unseen.core.errors import SpecError, UnknownName, UnseenError
from unseen.engines.bounded import TooBusy
from unseen.web.safety import FOR_GOOD, UPLOAD, Refused, TooLarge, whole
from unseen.web.site import Site


class Mistake(UnseenError):
    """What only a change of this library can mend."""


Form = Mapping[str, Any]
Handler = Callable[[Request, Form], Response]
Endpoint = Callable[[Request], Awaitable[Response]]

LOG = logging.getLogger(__name__)
_OURS = Mistake("this is a mistake in unseen and not yours; it was written to the log of the site")
_PASSED_ON = (TooLarge, HTTPException, ClientDisconnect)  # what others answer
STATUS = {Mistake: 500, UnknownName: 404, Refused: 403, TooBusy: 503}
TITLES = {404: "Not found", 403: "Not allowed", 503: "Busy", 400: "That cannot be", 500: "A mistake of ours"}
MOST_FIELDS = 200
SENDING_SECONDS = 120.0  # that a request may take to arrive


def site_of(request: Request) -> Site:
    """Return the site that a request is made to."""
    site: Site = request.app.state.site
    return site


def number_in(request: Request, name: str) -> int:
    """Return a number in an address."""
    found = whole(request.path_params[name])
    if found is None:
        raise UnknownName(f"{request.path_params[name][:40]!r} is no number from 0 on")
    return found


def check_open(request: Request, task: str, split: str, seed: int) -> None:
    """Refuse examples that a study asks here, to all but whoever runs the site: these pages would give answers away."""
    site = site_of(request)
    if site.is_asked(task, split, seed) and not site.tokens.is_admin(request):
        raise Refused("a study here asks these examples, so that they are not shown: take another split or seed")


class Threads:
    """A number of threads that some pages share, so that whoever waits for them does not hold up other pages."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._limiter: RunVar[CapacityLimiter] = RunVar("limiter")

    async def run(self, function: Callable[..., Response], *arguments: Any) -> Response:
        """Call a function in one of the threads."""
        try:
            limiter = self._limiter.get()
        except LookupError:  # the first call of this event loop
            limiter = CapacityLimiter(self.count)
            self._limiter.set(limiter)
        return await run_sync(function, *arguments, limiter=limiter)


def endpoint(handler: Handler, threads: Threads) -> Endpoint:
    """A function of (request, form) as what Starlette calls; it runs in a thread, and its errors become answers."""

    async def answer(request: Request) -> Response:
        as_json = request.headers.get("content-type", "").startswith("application/json")
        try:
            try:
                form = await wait_for(_form(request, as_json), SENDING_SECONDS)
            except TimeoutError:
                return PlainTextResponse("This took too long to arrive.\n", 408)
            if "\x00" in request.url.path:  # which no name has, and not every database can be asked for
                raise UnknownName("there is no such page")
            return await threads.run(handler, request, form)
        except UnseenError as error:
            return await threads.run(failure, request, error, as_json)
        except _PASSED_ON:
            raise
        except Exception:  # the last resort: others go on being served
            LOG.exception("%s %s", request.method, request.url.path)
            return await threads.run(failure, request, _OURS, as_json)

    return answer


async def _form(request: Request, as_json: bool) -> Form:
    """What was sent, checked to come from a page of ours: fields of a form, or a JSON object."""
    if request.method != "POST":
        return {}
    visitor, tokens = request.state.visitor, site_of(request).tokens
    if as_json:
        tokens.check_form(visitor, request.headers.get("x-form-token"))
        try:
            sent = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise SpecError("what was sent is no JSON") from None
        if not isinstance(sent, dict):
            raise SpecError("what was sent is no JSON object")
        return sent
    fields: dict[str, Any] = {}
    async with request.form(max_files=8, max_fields=MOST_FIELDS, max_part_size=UPLOAD) as found:
        for name, value in found.multi_items():
            if isinstance(value, UploadFile):
                fields.setdefault(name, []).append(await value.read())
            else:
                fields[name] = value
    tokens.check_form(visitor, fields.pop("form_token", None))
    return fields


def failure(request: Request, error: UnseenError, as_json: bool = False) -> Response:
    """Return the page of an error, or its sentence as JSON."""
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)
    if as_json:
        return JSONResponse({"error": str(error)}, status)
    return page(request, "error.html", status=status, title=TITLES[status], sentence=str(error))


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates, in which everything that is not marked as HTML is escaped."""
    found = Environment(
        loader=PackageLoader("unseen.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["thousands"] = lambda number: f"{number:,}"
    return found


def page(request: Request, template: str, /, *, status: int = 200, **values: Any) -> Response:
    """Return a page of the site."""
    site = site_of(request)
    html = (
        templates()
        .get_template(template)
        .render(
            form_token=site.tokens.form(request.state.visitor),
            here=request.url.path,
            is_admin=site.tokens.is_admin(request),
            **values,
        )
    )
    return HTMLResponse(html, status)


def file(content: bytes, media_type: str = "image/png", *, name: str = "", forever: bool = False) -> Response:
    """Return a file: to be shown, or to be kept under a name; what can never change is kept by the browser."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
    if forever:
        headers["Cache-Control"] = FOR_GOOD
    return Response(content, media_type=media_type, headers=headers)


def see(path: str) -> Response:
    """Send the browser to another page."""
    return RedirectResponse(path, 303)


def report_style(request: Request) -> Response:
    """Return the style sheet of the report, which the site shares."""
    content = files("unseen.report").joinpath("style.css").read_bytes()
    return Response(content, media_type="text/css", headers={"Cache-Control": "max-age=3600"})
