"""Options of every command that does long work: on which engine, by how many workers, with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from unseen.engines import Engine


@dataclass(frozen=True)
class Where:
    """Where long work is done; what is not said is the engine's to choose."""

    engine: Annotated[str, typer.Option(help="Where the work is done: local, ray or slurm.")] = "local"
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of jobs at once; as many as there is room for by default.")
    ] = None
    address: Annotated[
        str | None, typer.Option(help="The Ray cluster, such as auto; for slurm, local tries it on this machine.")
    ] = None
    cpus_per_run: Annotated[float | None, typer.Option(min=0, help="Number of cores of each job.")] = None
    gpus_per_run: Annotated[
        float | None, typer.Option(min=0, help="Number of GPUs of each job; on ray also a part of one, such as 0.5.")
    ] = None
    memory_per_run: Annotated[float | None, typer.Option(min=0, help="Gigabytes of each job, on slurm.")] = None
    minutes: Annotated[int | None, typer.Option(min=1, help="The longest that a job may take, on slurm.")] = None
    partition: Annotated[str | None, typer.Option(help="The partition of the cluster, on slurm.")] = None

    @property
    def at_once(self) -> int | None:
        """How many models work at once: they share the cores and the GPU of one machine badly."""
        return self.workers or (1 if self.engine == "local" else None)

    def chosen(self) -> Engine:
        """Return the engine, told what was said."""
        from unseen.engines import engine

        told = {
            "address": self.address,
            "cpus": self.cpus_per_run,
            "gpus": self.gpus_per_run,
            "memory": self.memory_per_run,
            "minutes": self.minutes,
            "partition": self.partition,
        }
        return engine(self.engine, **{name: value for name, value in told.items() if value is not None})


HERE = Where()
