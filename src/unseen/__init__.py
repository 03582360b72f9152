"""Does a vision model understand compositions it has never seen? Five benchmarks, one library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unseen import benchmarks
from unseen.core.catalogue import task, tasks
from unseen.data.dataset import load

if TYPE_CHECKING:
    from PIL.Image import Image

    from unseen.core.task import Benchmark, Row, Task
    from unseen.metrics import Metric

__version__ = "0.1.0"
__all__ = ["benchmarks", "load", "register", "score", "show", "task", "tasks"]


def show(what: Any, split: str = "train", **how: Any) -> Image:
    """A picture of a task's first examples, of a data set, or of one example: `unseen.report.gallery.show`.

    >>> show("cogitao/c1-1", count=3).mode
    'RGB'
    """
    from unseen.report.gallery import show

    return show(what, split, **how)


def score(what: str | Task, split: str, predictions: Any) -> Any:
    """Score predictions (a file, or one per example in order): `{metric: value}` with a row per example."""
    from unseen.results.scoring import score

    return score(task(what) if isinstance(what, str) else what, split, predictions)


def register(thing: Benchmark | Row | Metric, *, benchmark: str | None = None) -> None:
    """Make a benchmark, a metric, or a task row of a benchmark known under its name, in every command."""
    from unseen.core import catalogue
    from unseen.core.errors import SpecError
    from unseen.core.task import Benchmark, Row

    if isinstance(thing, Row):
        if benchmark is None:
            raise SpecError(f"say whose task {thing.name!r} is: register(row, benchmark='cogitao')")
        catalogue.register_task(benchmark, thing)
        return
    if benchmark is not None:
        raise SpecError(f"only a task row belongs to a benchmark, and {thing!r} is none; leave benchmark= out")
    if isinstance(thing, Benchmark):
        catalogue.BENCHMARKS.add(thing.name, thing)
        return
    from unseen.metrics import METRICS, Metric

    if not isinstance(thing, Metric):
        raise SpecError(f"a Benchmark, a task Row or a Metric can be registered, not a {type(thing).__name__}")
    METRICS.add(thing.name, thing)
