"""The site behind a port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from urllib.request import urlopen

import uvicorn

from unseen.core.errors import SpecError
from unseen.web.application import LOOPBACK, application
from unseen.web.connections import MOST_OPEN, Connection
from unseen.web.site import Site

PATIENCE = 20  # seconds for the first page of a check
LINGER = 5  # seconds that requests under way have when the site ends
ROOM = 100  # connections that may be open for the moment that it takes to close others
KEPT_OPEN = 75  # seconds that a browser's connection may be silent: longer than most people think about a trial


def serve_site(site: Site, host: str, port: int, *, names: tuple[str, ...] = ()) -> None:
    """Serve until interrupted; say where, and how to administer it."""
    listening = listen(host, port)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    print(f"unseen is at http://{shown}:{port}/", flush=True)
    print(f"to administer studies and the board: http://{shown}:{port}/admin?token={site.tokens.admin}", flush=True)
    server_of(site, (*LOOPBACK, host, *names)).run(sockets=[listening])


def check_site(site: Site) -> str:
    """Start the site on a free port, ask it for its first page, end it, and say what came back."""
    listening = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server = server_of(site, LOOPBACK, warm=False)
    began = time.monotonic()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            words = len(answer.read())
    finally:
        server.should_exit = True
        thread.join()
    return f"the site answers: its first page of {words:,} bytes came after {time.monotonic() - began:.1f} seconds"


def server_of(site: Site, hosts: tuple[str, ...], *, warm: bool = True) -> uvicorn.Server:
    """Return a server of the site that answers under some names, and has yet to be run."""
    app = application(site, hosts=hosts, warm=warm)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=LINGER,
            timeout_keep_alive=KEPT_OPEN,
            http=Connection,
            ws="none",
            limit_concurrency=MOST_OPEN + ROOM,
        )
    )


def listen(host: str, port: int) -> socket.socket:
    """Listen at a port, so that those who come before the server is ready wait for it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise SpecError(
            f"{host}:{port} cannot be listened at: {reason}; choose another --port, 0 for a free one"
        ) from None
    listening.listen(1024)
    return listening
