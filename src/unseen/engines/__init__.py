"""Where long work runs. An engine is `run(function, jobs, workers) -> results`, in whatever order they are finished.

Functions are importable by name, jobs and results can be pickled, and a function's exception is raised as itself. A
further engine is one `ENGINES.add`, or an entry point of the group `unseen.engines`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Protocol

from unseen.core.registry import Registry


class Engine(Protocol):
    """An engine: it runs a function over jobs, in processes of this machine or elsewhere."""

    def __call__(
        self, function: Callable[[Any], Any], jobs: Sequence[Any], workers: int | None = None
    ) -> Generator[Any, None, None]:
        """Yield results as they are finished; closing the iterator ends the work. The default is a worker per core."""


ENGINES: Registry[Engine] = Registry("engine", group="unseen.engines")
ENGINES.add_lazy("local", "unseen.engines.local:run")
