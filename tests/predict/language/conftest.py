"""A real HTTP server on loopback that plays a language model."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from unseen.predict.language import LanguageModel


class Model:
    """What the server says: `answer` is called with the prompt and the number of earlier requests.

    It returns the text of an answer, a (status, headers, body) triple, or None to drop the connection.
    """

    def __init__(self) -> None:
        self.answer: Callable[[str, int], Any] = lambda prompt, n: "[[0]]"
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.usage: dict[str, int] | None = {"prompt_tokens": 1_000, "completion_tokens": 100}
        self.finish = "stop"
        self.delay = 0.0
        self.dribble = 0.0  # seconds between two bytes of a response, its headers included
        self.phrase: str | None = None  # in the place of a status's own
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self.url = ""

    def completion(self, text: str | None) -> bytes:
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": self.finish}
        return json.dumps({"choices": [choice], "usage": self.usage}).encode()


def handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with model.lock:
                number = len(model.requests)
                model.requests.append(body)
                model.headers.append(dict(self.headers))
                model.paths.append(self.path)
                model.at_once += 1
                model.most_at_once = max(model.most_at_once, model.at_once)
            time.sleep(model.delay)
            said = model.answer(body["messages"][0]["content"], number)
            with model.lock:
                model.at_once -= 1
            self.reply(said)

        def reply(self, said):
            if said is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            status, headers, content = (200, {}, model.completion(said)) if isinstance(said, str) else said
            try:
                self.send_response(status, model.phrase)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                if model.dribble:
                    content, self._headers_buffer = b"".join(self._headers_buffer) + b"\r\n" + content, []
                    for byte in content:
                        self.wfile.write(bytes([byte]))
                        time.sleep(model.dribble)
                    return
                self.end_headers()
                self.wfile.write(content)
            except OSError:  # the client gave up
                pass

        def log_message(self, *_):
            """Say nothing."""

    return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """A model that answers on loopback; the key is in the environment."""
    monkeypatch.setenv("UNSEEN_API_KEY", "secret-key")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = Model()
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(model)) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        model.url = f"http://127.0.0.1:{http.server_port}/v1"
        yield model
        http.shutdown()
        thread.join()


@pytest.fixture
def model(server: Model) -> LanguageModel:
    """The server's model, asked impatiently."""
    return LanguageModel("tiny", server.url, retries=3, first_wait=0.01, timeout=5.0, max_tokens=200)
