"""The `kernel` decorator: numba functions with a cache that cannot serve stale code.

numba's own `cache=True` looks only at the file of the cached function, so a kernel keeps serving an old callee
from another file, and it fails at import where the package folder is read-only. Here the cache folder is named by
the digest of *all* kernel sources, lives in the user's cache folder, and is left out where nothing is writable.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from unseen.core.files import cache_root

PACKAGE = Path(__file__).resolve().parents[1]
# divisions need no check for zero, threads may run beside kernels, and nothing here calls them from C
COMPILED: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}


@cache
def sources() -> tuple[Path, ...]:
    """The files that may hold kernels: every `kernels.py`, and the random numbers and content key of the core."""
    return (*sorted(PACKAGE.rglob("kernels.py")), PACKAGE / "core" / "random.py", PACKAGE / "core" / "key.py")


@cache
def digest() -> str:
    """Digest of all kernel sources; it names the cache folder."""
    total = hashlib.sha256()
    for path in sources():
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


@cache
def _cache_folder() -> Path | None:
    """The first writable place for compiled kernels, or None: compile in memory then."""
    temporary = Path(tempfile.gettempdir()) / f"unseen-{os.getuid() if hasattr(os, 'getuid') else 0}"
    for root in (cache_root(), temporary):
        folder = root / "kernels" / digest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def kernel(function: Callable[..., Any], *, inline: bool = False) -> Callable[..., Any]:
    """Compile a function on first use, and keep the machine code for the next process."""
    if Path(function.__code__.co_filename).resolve() not in sources():
        raise TypeError(
            f"{function.__module__} holds a kernel but is not named kernels.py: its changes would go unseen"
        )
    folder = _cache_folder()
    settings: Any = numba.config
    before = settings.CACHE_DIR
    try:
        # numba picks the cache folder at decoration, from a setting of the whole process: lend it ours, give it back
        settings.CACHE_DIR = str(folder or "")
        compiled: Callable[..., Any] = numba.njit(cache=folder is not None, forceinline=inline, **COMPILED)(function)
    finally:
        settings.CACHE_DIR = before
    _OURS.add(id(compiled))
    return compiled


# for what inner loops call: there a call costs, as it counts references to arrays, and loops with calls stay scalar
inlined = partial(kernel, inline=True)

_OURS: set[int] = set()


class _Announce(event.Listener):
    """Say once per process that kernels are being compiled, so that the first example is not a silent wait."""

    def __init__(self) -> None:
        self.said = False
        self.lock = threading.Lock()

    def on_start(self, event: Any) -> None:
        with self.lock:
            if self.said or id(event.data["dispatcher"]) not in _OURS:
                return
            self.said = True
        module = event.data["dispatcher"].py_func.__module__.removeprefix("unseen.")
        text = f"unseen: compiling kernels for this machine, {module} first (once, a minute or two)"
        print(text, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Announce())  # type: ignore[no-untyped-call]
