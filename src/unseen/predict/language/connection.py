"""HTTP within bounds: a response of so many bytes, and so many seconds for all of it.

`timeout` of the standard library bounds the silence between two bytes, so that an endpoint which sends one now and then
would never end; and nothing there bounds the size of a body.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.request
from functools import partial
from typing import Any

LARGEST = 32 * 2**20  # bytes of a body; the longest answers have some hundred thousand


def opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses within bounds: the `timeout` of a request is for all of it."""
    return urllib.request.build_opener(_NoRedirect, _Plain, _Secure)


def read_body(response: Any) -> bytes:
    """Return the body of a response; ValueError where it is larger than any answer."""
    content: bytes = response.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"its answer is larger than {LARGEST // 2**20} MiB")
    return content


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is a refusal: following it would send the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect."""


class _Until(io.RawIOBase):
    """The bytes of a socket until a point in time."""

    def __init__(self, source: io.RawIOBase, connection: socket.socket, until: float) -> None:
        self._source, self._connection, self._until = source, connection, until

    def readable(self) -> bool:
        """Tell that there may always be bytes to read."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read what has arrived, or wait for as long as is left."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the response is over")
        self._connection.settimeout(left)
        return self._source.readinto(buffer)

    def close(self) -> None:
        """Close the socket, too."""
        self._source.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, until: float, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self.fp = io.BufferedReader(_Until(self.fp.detach(), sock, until))


class _Bounded(http.client.HTTPConnection):
    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.response_class = partial(_Response, until=time.monotonic() + float(self.timeout or 0.0))  # type: ignore[assignment]


class _BoundedSecure(_Bounded, http.client.HTTPSConnection):
    pass


class _Plain(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Bounded, req)


class _Secure(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_BoundedSecure, req)
