"""Where long work runs. An engine is `run(function, jobs, workers) -> results`, in whatever order they are finished.

Functions are importable by name, and what all jobs share travels with the function, as in `partial(make, source)`: a
worker is sent it once. Jobs may be endless: they are taken as they are needed, with no more than two for each worker
under way. Jobs and results can be pickled, and a function's exception is raised as itself. Jobs can be done again,
because a worker may be lost in the middle of one; a job that cannot be done is named in a `DataError`. Closing the
results, or an interrupt, ends the work.

What else an engine can be told are its keyword-only parameters (`engine`). A further engine is one `ENGINES.add`, or an
entry point of the group `unseen.engines`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from inspect import Parameter, signature
from typing import Any, NamedTuple, Protocol, TypeVar

from unseen.core.errors import SpecError
from unseen.core.progress import Progress
from unseen.core.registry import Registry

Job = TypeVar("Job")
Result = TypeVar("Result")


class Engine(Protocol):
    """An engine: it runs a function over jobs, in processes of this machine or elsewhere."""

    def __call__(
        self, function: Callable[[Any], Any], jobs: Iterable[Any], workers: int | None = None
    ) -> Generator[Any, None, None]:
        """Yield results as they are finished; the default is as many workers as there is room for."""


ENGINES: Registry[Engine] = Registry("engine", group="unseen.engines")
ENGINES.add_lazy("local", "unseen.engines.local:run")
ENGINES.add_lazy("ray", "unseen.engines.on_ray:run")
ENGINES.add_lazy("slurm", "unseen.engines.on_slurm:run")


def engine(chosen: str | Engine, **options: Any) -> Engine:
    """Find an engine by its name, and tell it options of its own.

    >>> list(engine("local")(abs, [-1, 2], 1))
    [1, 2]
    >>> engine("local", address="auto")
    Traceback (most recent call last):
    unseen.core.errors.SpecError: the engine local has no option 'address': it has none but the number of workers
    """
    found = ENGINES[chosen] if isinstance(chosen, str) else chosen
    known = [name for name, one in signature(found).parameters.items() if one.kind is Parameter.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise SpecError(
                f"the engine {chosen} has no option {name!r}: it has"
                f" {', '.join(known) or 'none but the number of workers'}"
            )
    return partial(found, **options)


def in_order(
    chosen: str | Engine,
    function: Callable[[Job], Result],
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    text: str = "jobs",
) -> list[Result]:
    """Give the results of a few jobs in the order of the jobs.

    >>> in_order("local", abs, [-3, 1, -2], workers=2)
    [3, 1, 2]
    """
    found: dict[int, Result] = {}
    numbered = (_Numbered(place, job) for place, job in enumerate(jobs))
    with closing(engine(chosen)(partial(_do, function), numbered, workers)) as results:
        for place, result in results:
            found[place] = result
            if progress:
                progress(len(found), len(jobs), text)
    return [found[place] for place in range(len(jobs))]


class _Numbered(NamedTuple):
    """A job and its place in the order."""

    place: int
    job: Any

    @property
    def name(self) -> Any:
        return getattr(self.job, "name", self.job)


def _do(function: Callable[[Any], Any], numbered: _Numbered) -> tuple[int, Any]:
    return numbered.place, function(numbered.job)
