"""Compiling in the background: a process of low priority, one per cache, that makes what others have asked for.

A request is a file in the cache folder, named like the machine code that it asks for. The process outlives those that
asked, so that the next command finds what it has made. Whoever starts it hands it the lock that makes it the only one,
so that nobody starts another while it is still loading.
"""

from __future__ import annotations

import fcntl
import importlib
import os
import pickle
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from unseen.core.files import read_sealed, write_sealed
from unseen.core.machine_code import Signature, cache_folder

if TYPE_CHECKING:
    from unseen.core.kernel import Kernel

ASKED = ".asked"
TURN = "compiling"  # a file that the process locks; its number is in it
PROGRAM = "import os; os.nice(10); from unseen.core.compiling import serve; serve()"
LINGER = 2.0  # seconds without a request after which the process ends
PAUSE = 0.05  # seconds between looks
INPUT, OUTPUT, ERRORS = range(3)  # standard streams; the process has its turn as input


def ask(kernel: Kernel, signature: Signature) -> bool:
    """Have a kernel compiled for arguments of these types; False where only this process can do it."""
    folder = cache_folder()
    module, name = kernel.py_func.__module__, kernel.py_func.__qualname__
    if folder is None or not sys.executable or module == "__main__" or "." in name:
        return False
    request = folder / (kernel.machine_code.name(signature) + ASKED)
    write_sealed(request, pickle.dumps((module, name, signature)))
    _start(folder)
    return True


def is_busy(folder: Path) -> bool:
    """Tell whether machine code is being made for a folder, or has been asked for."""
    with _turn(folder) as lock:
        return lock is None or bool(_requests(folder))


@contextmanager
def _turn(folder: Path) -> Iterator[int | None]:
    """Give the lock of the one process that compiles for a folder, or None while another has it."""
    lock = os.open(folder / TURN, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield lock
    except BlockingIOError:
        yield None
    finally:
        os.close(lock)


def _start(folder: Path) -> None:
    """Start the process that compiles, unless there is one."""
    with suppress(OSError), _turn(folder) as lock:
        if lock is None:
            return
        streams = [
            (os.POSIX_SPAWN_DUP2, lock, INPUT),
            *((os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (OUTPUT, ERRORS)),
        ]
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": path, "UNSEEN_KERNELS": "compiled"}
        command = [sys.executable, "-c", PROGRAM]
        made = os.posix_spawn(sys.executable, command, environment, file_actions=streams, setsid=True)
        os.ftruncate(lock, 0)
        os.write(lock, str(made).encode())  # for those who want to end it


def serve() -> None:
    """Compile what is asked for until nothing is; this process has its turn from the one that started it."""
    folder = cache_folder()
    if folder is None:
        return
    _serve_alone(folder)
    os.close(INPUT)
    if _requests(folder):  # which came between the last look and the end of the turn
        _start(folder)


def _serve_alone(folder: Path) -> None:
    last = time.monotonic()
    while time.monotonic() - last < LINGER:
        for request in _requests(folder):
            _make(request)
            last = time.monotonic()
        time.sleep(PAUSE)


def _requests(folder: Path) -> list[Path]:
    """List what is asked for, in the order in which it was."""
    found = []
    for path in folder.glob(f"[!.]*{ASKED}"):
        with suppress(OSError):  # another process has made it by now
            found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found)]


def _make(request: Path) -> None:
    content = read_sealed(request)
    request.unlink(missing_ok=True)  # first, so that what cannot be compiled is not tried for ever
    if content is None:
        return
    module, name, signature = pickle.loads(content)
    with suppress(Exception):  # whoever asked will try by itself, and say what is wrong
        getattr(importlib.import_module(module), name).compile(signature)
