"""Jobs on a Slurm cluster, through submitit: short jobs share one of Slurm's, so that it has few of them, in arrays.

The first jobs are done alone and tell how long one takes; later ones come in batches of about ten minutes. Nodes see
the caller's working directory, as they do on such clusters: what is sent there and back, and what Slurm printed, is in
a folder of it, which stays where a job was lost.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from unseen.core.errors import DataError, SpecError, missing_extra
from unseen.engines.answer import TRIES, answer, checked, name_of, opened

Job = TypeVar("Job")
Result = TypeVar("Result")

WORKERS = 16  # batches at once, unless told otherwise
WORTH = 600.0  # seconds that a batch should take: Slurm needs some to start one
MOST = 1_000  # jobs in a batch
PATIENCE = 10.0  # seconds that a cancelled batch is waited for
LOOK = 0.2  # seconds between looks at what has ended


@dataclass
class Batch:
    """Some jobs that one of Slurm's does, one after the other."""

    jobs: list[Any]
    number: int = 1  # the how manieth try it is
    task: Any = None  # submitit's


def run(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    workers: int | None = None,
    *,
    address: str | None = None,
    partition: str | None = None,
    minutes: int = 240,
    memory: float = 4.0,
    cpus: float = 1.0,
    gpus: float = 0.0,
) -> Generator[Result, None, None]:
    """Yield the results of a function over jobs, done by so many of Slurm's at once, each with `memory` gigabytes.

    The address `local` stands for processes of this machine, to try things out.
    """
    workers = checked(workers) or WORKERS
    with _workshop() as folder:
        executor = _executor(folder, address, partition, minutes=minutes, memory=memory, cpus=cpus, gpus=gpus)
        waiting = iter(jobs)
        flying: list[Batch] = []
        size = 1  # of the first batches, which tell how long a job takes
        try:
            while True:
                new: list[Batch] = []
                while len(flying) + len(new) < 2 * workers and (taken := list(islice(waiting, size))):
                    new.append(Batch(taken))
                flying += _submitted(executor, function, new)
                if not flying:
                    return
                for batch in _ended(flying):
                    flying.remove(batch)
                    found = _received(batch, folder)
                    if found is None:
                        flying += _submitted(executor, function, [Batch(batch.jobs, batch.number + 1)])
                        continue
                    seconds, sent = found
                    size = max(1, min(MOST, int(WORTH * len(sent) / max(seconds, 1e-3))))
                    yield from map(opened, sent)
        finally:
            for batch in flying:
                batch.task.cancel()
            for batch in flying:
                _wait_for_end(batch)


@contextmanager
def _workshop() -> Iterator[Path]:
    """Give a folder that nodes see too; it stays where a job was lost, since it has what Slurm printed."""
    folder = Path(tempfile.mkdtemp(prefix=".unseen-slurm-", dir=Path.cwd()))
    try:
        yield folder
    except LostJob:
        raise
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _executor(folder: Path, address: str | None, partition: str | None, **resources: float) -> Any:
    try:
        import submitit
    except ImportError:
        raise missing_extra("the engine slurm", "slurm", "submitit") from None
    if address not in (None, "local"):
        raise SpecError(
            f"the engine slurm submits to the cluster of this machine, or with --address local to none; not {address}"
        )
    if address is None and not shutil.which("sbatch"):
        raise DataError("there is no Slurm here: sbatch is not found; --address local runs on this machine instead")
    executor = submitit.AutoExecutor(folder, cluster=address or "slurm")
    executor.update_parameters(
        name="unseen",
        timeout_min=int(resources["minutes"]),
        mem_gb=resources["memory"],
        cpus_per_task=int(resources["cpus"]),
        **({"gpus_per_node": int(resources["gpus"])} if resources["gpus"] else {}),
        **({"slurm_partition": partition} if partition else {}),
    )
    return executor


def _submitted(executor: Any, function: Callable[[Any], Any], batches: list[Batch]) -> list[Batch]:
    """Submit batches, as one array of Slurm's."""
    if batches:
        with executor.batch():
            for batch in batches:
                batch.task = executor.submit(_answers, function, batch.jobs)
    return batches


def _ended(flying: list[Batch]) -> list[Batch]:
    """Wait until batches have ended."""
    while not (ended := [batch for batch in flying if batch.task.done()]):
        sleep(LOOK)
    return ended


def _wait_for_end(batch: Batch) -> None:
    """Wait a moment for a batch that was cancelled, so that nothing writes where we tidy up."""
    end = monotonic() + PATIENCE
    while not batch.task.done() and monotonic() < end:
        sleep(LOOK)


def _received(batch: Batch, folder: Path) -> tuple[float, list[bytes]] | None:
    """Give how long a batch took and what it sent back; None for one that was lost and may be tried again."""
    from submitit.core.utils import FailedJobError, UncompletedJobError

    try:
        found: tuple[float, list[bytes]] = batch.task.result()
        return found
    except (FailedJobError, UncompletedJobError) as error:
        if batch.number < TRIES:
            return None
        rest = f", or one of the {len(batch.jobs) - 1} after it" if len(batch.jobs) > 1 else ""
        raise LostJob(
            f"{TRIES} of Slurm's jobs ended without an answer (what they printed is in {folder}); the job was"
            f" {name_of(batch.jobs[0])}{rest}"
        ) from error


class LostJob(DataError):
    """A job that Slurm lost again and again."""


# ---------------------------------------------------------------------------- in the worker


def _answers(function: Callable[[Any], Any], jobs: list[Any]) -> tuple[float, list[bytes]]:
    """Do the jobs of a batch; how long that took, and what to send back."""
    began = monotonic()
    sent = [answer(function, job) for job in jobs]
    return monotonic() - began, sent
