"""Nobody keeps others out: by many connections, by sending slowly, by heads without end, or by never reading."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from unseen.web import connections
from unseen.web.serving import listen, server_of
from unseen.web.site import Site

PAGE = b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PATIENCE = 30.0  # seconds: other tests may keep the machine busy


@pytest.fixture
def port(site: Site) -> Iterator[int]:
    """The port of a site that others can connect to."""
    site.close = lambda: None  # other tests go on drawing
    listening = listen("127.0.0.1", 0)
    server = server_of(site, ("127.0.0.1",), warm=False)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


def connected(port: int, sent: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port), PATIENCE)
    found.sendall(sent)
    return found


def answer(connection: socket.socket) -> bytes:
    """The first line of an answer, which is read to its end; nothing where the connection was closed."""
    read = b""
    try:
        while more := connection.recv(100_000):
            read += more
            head, _, body = read.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            if length and len(body) >= int(length[1]):
                break
    except ConnectionError:
        pass
    return read.partition(b"\r\n")[0]


def was_closed(go_on: Callable[[], int]) -> bool:
    """Whether a connection is closed sooner or later by the other side while one sends or reads on."""
    until = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            if not go_on():
                return True
    except ConnectionError:
        return True
    return False


def test_the_one_that_is_silent_the_longest_makes_room(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_OPEN", 10)
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(port, PAGE[:20] if k % 2 else b"")) for k in range(30)]
        asking = stack.enter_context(connected(port, PAGE))
        assert answer(asking).endswith(b"200 OK")
        assert answer(silent[0]) == b""
        asking.sendall(PAGE)  # who asked last is still there
        assert answer(asking) != b""


def test_a_head_that_does_not_come_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with connected(port) as nothing, connected(port, PAGE[:20]) as part:
        assert answer(nothing) == answer(part) == b""


def test_a_head_that_comes_byte_by_byte_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with connected(port) as slow:

        def send() -> int:
            time.sleep(0.05)
            return slow.send(b"G")

        assert was_closed(send)


def test_a_head_without_end_is_refused(port: int) -> None:
    with connected(port, b"GET / HTTP/1.1\r\nX: " + b"x" * (connections.MOST_HEAD + 1)) as endless:
        assert answer(endless).endswith(b"400 Bad Request")


def test_an_answer_that_nobody_reads_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
    script = b"GET /static/jspsych/jspsych.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        lazy.settimeout(PATIENCE)
        lazy.connect(("127.0.0.1", port))
        lazy.sendall(script * 200)  # more than the buffers of the system hold
        time.sleep(2)
        total = 0

        def read() -> int:
            nonlocal total
            total += (more := len(lazy.recv(1 << 20)))
            return more

        assert was_closed(read)
    assert total < 200 * 79_000  # not all of it was sent


def test_a_body_that_is_too_large_is_answered_and_the_next_request_too(port: int) -> None:
    body = b"x" * 300_000
    head = b"POST /test HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body)
    with connected(port, head + body) as large:
        assert b" 413 " in answer(large)
        large.sendall(PAGE)
        assert answer(large).endswith(b"200 OK")


def test_a_browser_may_be_silent_between_two_requests(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with connected(port, PAGE) as browser:
        assert answer(browser).endswith(b"200 OK")
        time.sleep(0.6)
        browser.sendall(PAGE)
        assert answer(browser).endswith(b"200 OK")
