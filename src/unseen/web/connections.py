"""Connections of browsers, bounded: nobody keeps others out by opening many, sending slowly, or never reading."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_OPEN = 800  # connections; most systems allow a process 1,024 files
MOST_HEAD = 64 * 1024  # bytes before the body of a request
HEAD_SECONDS = 20.0  # until the head of a request has arrived
REQUEST_SECONDS = 600.0  # from there until its answer is sent, uploads and scoring included


class Connection(HttpToolsProtocol):
    """A connection that waits for the head of a request, or for the end of its answer, no longer than it should.

    Where too many are open, the one that has been silent the longest makes room for a new one.
    """

    waiting: bool = True  # for a head, or for its rest
    since: float = 0.0  # when it began to wait
    _head = 0  # bytes of a head that is not complete
    _whole = False  # whether all of a request has arrived
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait_for_head()
        self._end_after(HEAD_SECONDS)
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self and one.waiting]
        if len(self.connections) > MOST_OPEN and others:
            min(others, key=lambda one: one.since).end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._end_after(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, and refuse a head that does not end."""
        super().data_received(data)
        if not self.waiting or self.transport.is_closing():
            return
        if not self._head:
            self._end_after(HEAD_SECONDS)
        self._head += len(data)
        if self._head > MOST_HEAD:
            self.send_400_response("The head of this request is too long.")

    def on_headers_complete(self) -> None:
        """Begin to answer a request, whose rest has to come in time."""
        self.waiting, self._whole, self._head = False, False, 0
        self._end_after(REQUEST_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that a request is whole; one that was too large was answered before, so that the next comes."""
        self._whole = True
        if self.cycle.response_complete:
            self._wait_for_head()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, as long as uvicorn keeps a silent connection, or answer one that is here."""
        if self.pipeline:
            self._end_after(REQUEST_SECONDS)
        elif self._whole:
            self._end_after(None)
            self._wait_for_head()
        super().on_response_complete()

    def _wait_for_head(self) -> None:
        self.waiting, self._head, self.since = True, 0, self.loop.time()

    def _end_after(self, seconds: float | None) -> None:
        """End this connection after so long, unless something else is said before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.end)

    def end(self) -> None:
        """Close this connection at once."""
        self.transport.abort()
