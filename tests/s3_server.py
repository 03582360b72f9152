"""A real S3 server, moto's, in a process of its own, behind a proxy that fails in the ways that a test asks for."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SERVE = """
import time
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
time.sleep(3600)
"""
KEPT_TO_ITSELF = {"connection", "content-length", "date", "server", "transfer-encoding"}  # headers


@dataclass
class Fault:
    """What is to happen to the next requests of a method to a path: refuse, drop, cut, drip, hold, stale."""

    what: str
    method: str = "."
    path: str = "."
    times: int = 10**9
    status: int = 503
    code: str = "SlowDown"
    happened: int = 0
    waiting: threading.Event = field(default_factory=threading.Event)  # set when a request is held
    answer: bytes | None = None  # of the first time, which is given again and again where listings are stale


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    range: str
    sent: int


class Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.to = port
        self.faults: list[Fault] = []
        self.requests: list[Request] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fail(self, what: str, **how: Any) -> Fault:
        self.faults.append(Fault(what, **how))
        return self.faults[-1]

    def seen(self, method: str = ".", path: str = ".") -> list[Request]:
        """The requests so far."""
        return [one for one in self.requests if re.search(method, one.method) and re.search(path, one.path)]

    def clear(self) -> None:
        self.faults.clear()
        self.requests.clear()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that were killed."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def log_message(self, *_: Any) -> None:
        pass

    def _pass_on(self) -> None:
        fault = self._fault()
        if fault and fault.what == "hold":  # with the body half sent, as far as the client can tell
            fault.waiting.set()
            self.rfile.read()  # until the client is gone
            self.close_connection = True
            return
        body = self._body()
        self.server.requests.append(Request(self.command, self.path, self.headers.get("Range", ""), len(body)))
        if fault and fault.what == "refuse":
            error = f"<Error><Code>{fault.code}</Code><Message>as the test wants it</Message></Error>"
            self._answer(fault.status, {}, b"" if self.command == "HEAD" else error.encode())
            return
        if fault and fault.what == "drop":
            self._hang_up()
            return
        status, headers, content = self._asked(body)
        if fault and fault.what == "stale":
            fault.answer = content = fault.answer or content
        self._answer(status, headers, content, cut=bool(fault and fault.what == "cut"), drip=fault is not None)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass_on  # noqa: N815

    def _fault(self) -> Fault | None:
        for fault in self.server.faults:
            if fault.times and re.search(fault.method, self.command) and re.search(fault.path, self.path):
                fault.times -= 1
                fault.happened += 1
                return fault
        return None

    def _body(self) -> bytes:
        if length := self.headers.get("Content-Length"):
            return self.rfile.read(int(length))
        body = b""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        return body

    def _asked(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """What the server answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.to)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "transfer-encoding"}
        connection.request(self.command, self.path, body, {**headers, "Content-Length": str(len(body))})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if self.command == "HEAD":
            return answer.status, dict(answer.getheaders()), b""
        kept = {name: value for name, value in answer.getheaders() if name.lower() not in KEPT_TO_ITSELF}
        return answer.status, kept, content

    def _answer(
        self, status: int, headers: dict[str, str], content: bytes, *, cut: bool = False, drip: bool = False
    ) -> None:
        self.send_response(status)
        lengths = {} if self.command == "HEAD" and "Content-Length" in headers else {"Content-Length": len(content)}
        for name, value in {**headers, **lengths}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if cut:
            self.wfile.write(content[: len(content) // 2])
            self._hang_up()
            return
        step = max(1, len(content) // 4) if drip else max(1, len(content))
        for start in range(0, len(content), step):
            self.wfile.write(content[start : start + step])
            if drip:
                time.sleep(0.1)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def running() -> Iterator[Proxy]:
    """Start the server and the proxy; both end with the block."""
    with subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            assert server.stdout
            proxy = Proxy(int(server.stdout.readline()))
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            yield proxy
            proxy.shutdown()
            proxy.server_close()
        finally:
            server.kill()
