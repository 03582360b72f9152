"""Jobs as tasks of Ray: over the cores of this machine, or over the nodes of a cluster that was started before.

Every node needs this library in the same versions, and users' own modules, where Python finds them (`PYTHONPATH`); jobs
that write into a folder need one that all nodes share, under the same path. Jobs start in the caller's working
directory where a node has it. Kernels are compiled once for each node, because its workers share a cache.
"""

from __future__ import annotations

import logging
import os
import platform
import socket
import sys
from collections.abc import Callable, Generator, Iterable
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from unseen.core.errors import DataError, SpecError, missing_extra, quoted
from unseen.core.machine import cores
from unseen.engines.answer import TRIES, answer, checked, lost, opened
from unseen.engines.interrupts import interrupts_wait

Job = TypeVar("Job")
Result = TypeVar("Result")

LOOK = 10.0  # seconds without a result, after which to look whether there are nodes left
PACKAGES = ("unseen", "numpy", "numba", "pyarrow")  # that must agree, or nodes would write different bytes


class Shared(NamedTuple):
    """What all jobs share: it is sent to a worker once."""

    function: Callable[[Any], Any]
    folder: str  # in which the caller works
    versions: dict[str, str]


class Try(NamedTuple):
    """A job under way, and the how manieth try it is."""

    job: Any
    number: int


def run(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    workers: int | None = None,
    *,
    address: str | None = None,
    cpus: float = 1.0,
    gpus: float = 0.0,
) -> Generator[Result, None, None]:
    """Yield the results of a function over jobs, so many of which run at once; each has `cpus` cores and `gpus` GPUs.

    The cluster is the one that this process has a connection to, or that of the address, or of `RAY_ADDRESS`; without
    any, Ray is started on this machine. `workers` may be more than a cluster has room for: one that can grow does then.
    """
    ray = _connected(address, checked(workers))
    slots = _slots(ray, cpus, gpus)
    if not slots:
        raise SpecError(f"no node of the Ray cluster has {cpus:g} cores and {gpus:g} GPUs, which every job is to have")
    workers = workers or slots
    ahead = 2 * workers if workers >= slots else workers  # where there is room, what is sent is at work
    call = ray.remote(_call).options(num_cpus=cpus, num_gpus=gpus, max_retries=0)
    shared = [ray.put(Shared(function, os.getcwd(), _versions()))]  # in a list Ray leaves it to the worker to fetch
    waiting = iter(jobs)
    flying: dict[Any, Try] = {}
    try:
        while True:
            for job in islice(waiting, ahead - len(flying)):
                flying[call.remote(shared, job)] = Try(job, 1)
            if not flying:
                return
            for task in _finished(ray, flying, cpus, gpus):
                tried = flying.pop(task)
                sent = _received(ray, task, tried)
                if sent is None:
                    flying[call.remote(shared, tried.job)] = Try(tried.job, tried.number + 1)
                else:
                    yield opened(sent)
    finally:
        for task in flying:
            ray.cancel(task, force=True)
        if flying:
            ray.wait([*flying], num_returns=len(flying), timeout=LOOK)


def _finished(ray: Any, flying: dict[Any, Try], cpus: float, gpus: float) -> list[Any]:
    """Wait for tasks to end; all that have are given, since a look at many costs as much as one at a few."""
    tasks = list(flying)
    while not ray.wait(tasks, timeout=LOOK, fetch_local=False)[0]:
        if not _slots(ray, cpus, gpus):
            raise lost(flying[tasks[0]].job, "the Ray cluster has no nodes left that could do this")
    return ray.wait(tasks, num_returns=len(tasks), timeout=0, fetch_local=False)[0]  # type: ignore[no-any-return]


def _received(ray: Any, task: Any, tried: Try) -> bytes | None:
    """Give what a task sent back; None for one whose worker or node was lost, and that may be tried again."""
    try:
        sent: bytes = ray.get(task)
        return sent
    except ray.exceptions.RayTaskError as error:  # our own function raises nothing, so it could not be loaded
        raise DataError(
            "a node of the Ray cluster cannot load the work: every node needs unseen and what the work imports, where"
            f" its Python finds them ({quoted(str(error).strip().splitlines()[-1])})"
        ) from error
    except ray.exceptions.RayError as error:
        if tried.number == TRIES:
            why = quoted(str(error).strip().partition("\n")[0].rstrip("."))
            raise lost(tried.job, f"{TRIES} workers were lost on Ray, one after the other ({why})") from error
        return None


def _slots(ray: Any, cpus: float, gpus: float) -> int:
    """Count the jobs that the nodes which are alive have room for."""
    needs = {name: need for name, need in (("CPU", cpus), ("GPU", gpus)) if need}
    alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return sum(min((int(node.get(name, 0) / need) for name, need in needs.items()), default=0) for node in alive)


def _connected(address: str | None, workers: int | None) -> Any:
    """Import Ray and have a connection, which stays for what else this process does; Ray ends it with the process."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report home, and say so
    os.environ.setdefault("RAY_worker_niceness", "0")  # a Ray that is started here works no less than `local` does
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # and takes its time to start on a busy machine
    try:
        import ray
    except ImportError:
        raise missing_extra("the engine ray", "ray", "ray") from None
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    address = address or os.environ.get("RAY_ADDRESS")
    try:
        _knock(address or "")
        with interrupts_wait():  # Ray leaves processes behind where its start is cut short
            if address:
                ray.init(address, **quiet)
            else:
                ray.init("local", num_cpus=workers or cores(), include_dashboard=False, **quiet)
    except Exception as error:  # Ray raises that itself where it is too slow to start
        why = quoted(str(error).strip().splitlines()[0])
        token = "; it may ask for a token, see RAY_AUTH_MODE" if "Failed to connect" in why else ""
        raise DataError(f"no Ray cluster answers at {address or 'this machine'}: {why}{token}") from error
    # what it has to say of every lost worker goes to stdout, whatever is set; we try again, or raise an error ourselves
    ray._private.worker.print_to_stdstream = lambda *told, **how: None
    return ray


def _knock(address: str) -> None:
    """Raise an error where nobody listens at HOST:PORT: Ray would try for minutes, and say so line by line."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "//" not in host:
        socket.create_connection((host, int(port)), timeout=LOOK).close()


def _versions() -> dict[str, str]:
    return {"Python": platform.python_version(), **{package: version(package) for package in PACKAGES}}


# ---------------------------------------------------------------------------- in the worker


_LOADED: dict[Any, Callable[[Any], Any]] = {}  # the function that this worker was last given


def _call(shared: list[Any], job: Any) -> bytes:
    """Do one job; what it shares with others is kept for them."""
    [reference] = shared
    if reference not in _LOADED:
        import ray

        _LOADED.clear()
        _LOADED[reference] = _settled(ray.get(reference))
    return answer(_LOADED[reference], job)


def _settled(shared: Shared) -> Callable[[Any], Any]:
    """Prepare a worker for a function: in the caller's folder, with the caller's versions."""
    here = _versions()
    if here != shared.versions:
        differ = [
            f"{name} {here[name]} and not {other}" for name, other in shared.versions.items() if here[name] != other
        ]
        return _Refusal(
            f"the node {socket.gethostname()} has {', '.join(differ)}, so it might write other bytes;"
            " install the same versions on every node"
        )
    if os.path.isdir(shared.folder):
        os.chdir(shared.folder)
    if shared.folder not in sys.path:
        sys.path.insert(0, shared.folder)  # as for the caller, where a model may be a file of the folder
    return shared.function


class _Refusal:
    """What a node does that must not do the work: it says why."""

    def __init__(self, why: str) -> None:
        self.why = why

    def __call__(self, job: Any) -> None:
        raise DataError(self.why)
