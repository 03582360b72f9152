"""Who may do what: tokens, headers, and bounds on what a stranger can send."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from http.cookies import SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unseen.core.catalogue import task as task_named
from unseen.core.contents import sources
from unseen.core.errors import UnseenError
from unseen.core.options import parse_id
from unseen.core.task import Task

HEADERS = {
    # scripts are files of ours and nothing else; jsPsych and the report set the style of single elements
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the address of a session is its key
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
VISITOR = "unseen_visitor"  # cookies
ADMIN = "unseen_admin"
MOST_BYTES = 256 * 1024  # of a request, unless it uploads
UPLOAD = 32 * 1024 * 1024
UPLOADS = ("/board/new",)  # addresses that take files
FOR_GOOD = "private, max-age=86400, immutable"


class Refused(UnseenError, PermissionError):
    """What this visitor may not do."""


def clean(text: str) -> str:
    """Give a text that any file and database can hold: no half of a character, no control characters but ends of lines.

    >>> clean("a\\x00b\\ud800\\nc")
    'ab?\\nc'
    """
    whole = text.encode("utf-8", "replace").decode()
    return "".join(one for one in whole if one in "\n\t" or ord(one) >= 32)


def whole(given: Any) -> int | None:
    """Return a number from 0 on as a form or a script sent it; None where it is none, or too long for a database.

    >>> whole("17"), whole(17), whole("-1"), whole("9" * 19), whole(True)
    (17, 17, None, None, None)
    """
    if isinstance(given, str) and re.fullmatch(r"[0-9]{1,18}", given.strip()):
        return int(given)
    return given if type(given) is int and 0 <= given < 10**18 else None


def open_task(id: str) -> Task:
    """A task that a stranger names; one that names files of this machine, too, is refused before they are looked at."""
    name, options = parse_id(id)
    plain = task_named(name)
    for option in sources(plain.options, plain.view):
        if option in options:
            raise Refused(
                f"{option} of {name} names files of the machine that serves this site, so it cannot be set here"
            )
    return task_named(id)


def new_token() -> str:
    """Make a token that nobody can guess."""
    return secrets.token_urlsafe(18)


def digest(token: str) -> str:
    """Return what is stored of a token, so that the database does not give it away."""
    return hashlib.sha256(token.encode()).hexdigest()


class Tokens:
    """Tokens that follow from a secret of the site, which the database keeps, so that they outlive a restart."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def derived(self, *about: str) -> str:
        """Return the token that belongs to something."""
        return hmac.new(self._secret, "\0".join(about).encode(), hashlib.sha256).hexdigest()[:32]

    @property
    def admin(self) -> str:
        """The token of whoever runs the site."""
        return self.derived("admin")

    def form(self, visitor: str) -> str:
        """Return the token that a form of this visitor carries, which no other site can know."""
        return self.derived("form", visitor)

    def check_form(self, visitor: str, given: Any) -> None:
        """Refuse a form that does not come from a page of ours."""
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), self.form(visitor).encode()):
            raise Refused("this form has expired or comes from elsewhere; load its page again and send it once more")

    def is_admin(self, request: Request) -> bool:
        """Tell whether a request comes from whoever runs the site."""
        given = request.cookies.get(ADMIN, "")
        return hmac.compare_digest(given.encode(), self.admin.encode())

    def check_admin(self, request: Request) -> None:
        """Refuse whoever has not opened the address with the token that `unseen serve` printed."""
        if not self.is_admin(request):
            raise Refused(
                "this is for whoever runs the site: open the address that `unseen serve` printed at its start"
            )


class Guard:
    """Around the application: headers on every answer, a cookie for every visitor, a bound on every request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        most = UPLOAD if scope["path"] in UPLOADS else MOST_BYTES
        known = _cookie(headers.get("cookie", ""), VISITOR)
        visitor = known or new_token()
        scope.setdefault("state", {})["visitor"] = visitor
        started = False
        secure = "; Secure" if scope["scheme"] == "https" else ""  # as a server in front of this one says

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                found = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    found.setdefault(name, value)
                found.setdefault("Cache-Control", "no-store")
                if not known:
                    found.append(
                        "Set-Cookie", f"{VISITOR}={visitor}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}"
                    )
            await send(message)

        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await _too_large(most)(scope, receive, answer)
            return
        try:
            await self.app(scope, _bounded(receive, most), answer)
        except TooLarge:
            if not started:
                await _too_large(most)(scope, receive, answer)


class TooLarge(Exception):
    """A body that went on beyond its bound."""


def _bounded(receive: Receive, most: int) -> Receive:
    """A body without a length is counted as it comes."""
    total = 0

    async def bounded() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise TooLarge
        return message

    return bounded


def _too_large(most: int) -> PlainTextResponse:
    return PlainTextResponse(f"This is more than the {most:,} bytes that can be sent here.\n", 413)


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except Exception:  # a malformed header is as good as none
        return ""
    value = found.value if found else ""
    return value if len(value) <= 64 and value.replace("-", "").replace("_", "").isalnum() else ""
