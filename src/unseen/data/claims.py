"""One writer at a time in an object store, which has no locks: claims, which writers see of each other.

A writer puts a claim, a small file of a name that nobody else has, and then lists what claims there are. Stores show
what was written before a listing began, so of two writers at least one sees the other; whoever sees another gives way.
A claim is renewed while its owner lives and is void when it has not been for `LEASE` seconds by the clock of the store,
or when its owner was a process of this machine and is gone. A conditional write would do with less, but Arrow's file
systems have none.

Where all this fails (a store that lists late, an owner that was held up for longer than its lease), two writers write
the same bytes to the same names, for shards depend on nothing but what is in them; and whoever would write another data
set finds it out by a last look at the listing before the manifest is written.
"""

from __future__ import annotations

import json
import os
import platform
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from unseen.core.errors import DataError

if TYPE_CHECKING:
    from unseen.data.places import Store

PREFIX = ".writer-"
LEASE = 60.0  # seconds
SAME_TIME = 2.0  # seconds within which two claims count as put at once: stores tell times in whole seconds
TRIES = 4


@contextmanager
def claimed(store: Store) -> Iterator[None]:
    """Hold a claim on a place, or raise an error that tells who does."""
    name = f"{PREFIX}{uuid4().hex}"
    _claim(store, name)
    done = threading.Event()
    renewing = threading.Thread(target=_renew, args=(store, name, done), daemon=True)
    renewing.start()
    try:
        yield
    finally:
        done.set()
        renewing.join()
        with suppress(DataError):  # it is void soon anyway
            store.remove(name)


def _claim(store: Store, name: str) -> None:
    """Put a claim and look at those of others, again where several came at the same time and all gave way."""
    for again in range(TRIES):
        _put(store, name)
        others, just_now = _others(store, name)
        if not others:
            return
        store.remove(name)
        if not just_now:
            break
        time.sleep(random.uniform(0.2, 1) * (again + 1))
    who = " and ".join(f"process {owner.get('process')} of {owner.get('host')}" for owner in others)
    raise DataError(
        f"another process is writing to {store} ({who}); wait for it, or choose another place. A writer that was killed"
        f" on another machine counts for {LEASE:.0f} seconds"
    )


def _put(store: Store, name: str) -> None:
    owner = {"host": platform.node(), "process": os.getpid(), "machine": _machine()}
    store.write(name, json.dumps(owner).encode())


def _renew(store: Store, name: str, done: threading.Event) -> None:
    while not done.wait(LEASE / 4):
        with suppress(DataError):  # the store may be out of reach for a moment
            _put(store, name)


def _others(store: Store, name: str) -> tuple[list[dict[str, Any]], bool]:
    """Who else holds a claim, and whether all of them came at the same time as this one; void claims are removed."""
    claims = {info.base_name: info.mtime_ns / 1e9 for info in store.listing() if info.base_name.startswith(PREFIX)}
    now = claims.pop(name, max(claims.values(), default=0.0))
    living, just_now = [], True
    for other, put in claims.items():
        owner = _owner(store, other)
        if owner is None:
            continue
        if now - put > LEASE or _gone(owner):
            store.remove(other)
        else:
            living.append(owner)
            just_now &= now - put <= SAME_TIME
    return living, just_now


def _owner(store: Store, name: str) -> dict[str, Any] | None:
    """Who holds a claim; nobody where it was given back since it was listed."""
    try:
        told = json.loads(store.read(name))
    except FileNotFoundError:
        return None
    except ValueError:
        told = None
    return told if isinstance(told, dict) else {}


def _gone(owner: dict[str, Any]) -> bool:
    """Tell whether the owner of a claim was a process that this one would see, and does not."""
    if not owner.get("machine") or owner["machine"] != _machine() or not isinstance(owner.get("process"), int):
        return False
    return not Path(f"/proc/{owner['process']}").exists()


def _machine() -> str:
    """What names the processes that this one sees: the machine since it was started, and the container in it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
