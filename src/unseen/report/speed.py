"""How fast examples are made, as `ds[i]` in one process, next to what the published generators need.

Examples of kinds that are pictures are measured with their arrays.

CPU time, not wall-clock time, so that a busy machine measures the same. What is measured is what a benchmark's `paper`
lists, each of which may be left out:

    SPEED         examples, beside a published generator
    RATES         examples of which no generator was published
    SLOWEST       examples per second that the slowest task is held to, in the splits of SPEED
    EVALUATION    form of predictions -> the evaluation of examples, beside a published one

and, where there is more to measure,

    speed.measure(count)    -> (what, how much, unit), over so many examples, or some times as many of something smaller
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count as count_from
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.catalogue import BENCHMARKS, task, tasks
from unseen.core.errors import SpecError
from unseen.core.paper import Rate
from unseen.core.paper import Speed as Published
from unseen.data.dataset import SEED, Dataset, Generated, load

ROUNDS = 5  # the first of which loads compiled code and tables
STRETCH = 100  # examples: the fastest round of each counts, so that a slow spell of the machine spoils little
WARM_UP = 50  # examples before the clock starts, where there is but one round
KEPT = ("question",)  # kinds of which many are made at once, and kept in memory and in a cache
PAINTED = ("odd", "image", "video")  # kinds whose published times are those of pixels, so that ours include them


@dataclass(frozen=True)
class ExampleSpeed:
    """How fast the examples of one configuration are made, or evaluated."""

    name: str
    task: str
    split: str
    microseconds: float
    per_second: float  # examples per second of CPU time
    published_ms: float | None  # none where nothing was published
    ratio: float | None  # published time over ours
    target: float  # for the ratio; for examples per second where there is none

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return (self.per_second if self.ratio is None else self.ratio) >= self.target


@dataclass(frozen=True)
class Other:
    """A measurement of something other than examples, such as import time or memory."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Speed:
    """The measurements of a benchmark."""

    benchmark: str
    count: int
    examples: tuple[ExampleSpeed, ...]
    others: tuple[Other, ...]


def measure(benchmark: str, count: int) -> Speed:
    """Measure everything, on `count` examples each."""
    from unseen.core.kernel import expect

    expect(math.inf)  # speeds are those of machine code
    published, rates, slowest, evaluation = (
        listed(benchmark, name) for name in ("SPEED", "RATES", "SLOWEST", "EVALUATION")
    )
    if not (published or rates):
        raise SpecError(f"{benchmark} lists no speed to measure")
    examples = (
        *(example_speed(row, count) for row in published),
        *(example_rate(row, count) for row in rates),
        *(slowest_rate(benchmark, row, slowest, count) for row in published if slowest),
        *(evaluation_speed(form, row, count) for form, row in dict(evaluation).items()),
    )
    unique = _first_unique(benchmark)
    others = (
        *(further(benchmark, count)),
        *([uniqueness_pass(unique, "train")] if unique else ()),
        *shard_writing(examples[0].task, examples[0].split, count),
        import_time(),
        Other("largest memory so far", memory() / 1e6, "MB"),
    )
    return Speed(benchmark, count, examples, others)


def listed(benchmark: str, what: str) -> Any:
    """Return what the `paper` of a benchmark lists to measure; nothing where it does not."""
    return getattr(BENCHMARKS[benchmark].optional_file("paper"), what, ())


def further(benchmark: str, count: int) -> Iterator[Other]:
    """Measure what only one benchmark measures, by its `speed.measure`."""
    file = BENCHMARKS[benchmark].optional_file("speed")
    return (Other(*row) for row in file.measure(count)) if file else iter(())


def example_speed(row: Published, count: int) -> ExampleSpeed:
    """Measure the CPU time of an example of one configuration, next to the published time."""
    return beside_published(row, example_seconds(row.task, row.split, count))


def example_rate(row: Rate, count: int) -> ExampleSpeed:
    """Return the CPU time of an example of one configuration of which no generator was published."""
    seconds = example_seconds(row.task, row.split, count)
    return ExampleSpeed(row.name, row.task, row.split, seconds * 1e6, 1 / seconds, None, None, row.per_second)


def slowest_rate(benchmark: str, row: Published, per_second: float, count: int) -> ExampleSpeed:
    """Return the CPU time of an example of the slowest task, found by measuring a few examples of each."""
    names = tasks(benchmark)
    each = {name: example_seconds(name, row.split, max(1, count // len(names))) for name in names}
    slowest = max(each, key=lambda name: each[name])
    seconds = each[slowest]
    name = f"{row.split}, the slowest task: {slowest}"
    return ExampleSpeed(name, slowest, row.split, seconds * 1e6, 1 / seconds, None, None, per_second)


def beside_published(row: Published, seconds: float) -> ExampleSpeed:
    """Set the CPU time of an example next to the published time."""
    ratio = row.milliseconds / 1e3 / seconds
    return ExampleSpeed(
        row.name, row.task, row.split, seconds * 1e6, 1 / seconds, row.milliseconds, ratio, row.target_ratio
    )


def example_seconds(name: str, split: str, count: int) -> float:
    """Return the CPU time of making an example; a split with fewer examples than `count` is gone through again."""
    dataset = load(name, split)
    if dataset.task.kind.name in KEPT:
        return fresh_seconds(dataset, count)
    indices = range(count)
    stretches = [indices[start : start + STRETCH] for start in indices[::STRETCH]]
    return sum(least_seconds(*[partial(draw_each, dataset, stretch) for stretch in stretches])) / count


def fresh_seconds(dataset: Dataset, count: int) -> float:
    """The CPU time of making an example of a kind that is kept: each is made once, and no earlier cache is read."""
    draw_each(dataset, range(WARM_UP))
    with tempfile.TemporaryDirectory() as folder, lent_cache(Path(folder)):
        draw_each(dataset, range(WARM_UP, 2 * WARM_UP))  # compiles, should the first have been in the cache
        return cpu_seconds(lambda: draw_each(dataset, range(2 * WARM_UP, 2 * WARM_UP + count))) / count


def least_seconds(*works: Callable[[], object]) -> list[float]:
    """Return the CPU time of each work: other work on the machine can only slow a round down, so the fastest says most.

    Works take turns, so that a slow spell falls on all of them.
    """
    rounds = [[cpu_seconds(work) for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def draw_each(dataset: Dataset, indices: range) -> None:
    """Make examples one by one, with their arrays where published times have them, and keep none."""
    size, painted = len(dataset), dataset.task.kind.name in PAINTED
    for i in indices:
        example = dataset[i % size]
        if painted:
            example.arrays  # noqa: B018  made on first use


# ---------------------------------------------------------------------------- evaluation of videos

Ids = npt.NDArray[np.uint8]  # (video, frame, height, width)


def evaluate_label_maps(truth: Ids, predictions: Ids) -> Callable[[], object]:
    """Return the evaluation of arrays of ids."""
    from unseen.metrics.tracking import evaluate

    return lambda: evaluate(truth, predictions)


def evaluate_files(truth: Ids, predictions: Ids) -> Callable[[], object]:
    """Return the evaluation of published files, parsing included."""
    from unseen.metrics.tracking import evaluate_published, to_published

    files = [json.dumps(to_published(ids, truth=ids is truth)) for ids in (truth, predictions)]
    return lambda: evaluate_published(*map(json.loads, files))


FORMS: dict[str, Callable[[Any, Any], Callable[[], object]]] = {  # that predictions of videos come in
    "label maps": evaluate_label_maps,
    "published files": evaluate_files,
}


def evaluation_speed(form: str, row: Published, count: int) -> ExampleSpeed:
    """Measure the CPU time of evaluating a video of a split, next to the published time.

    Predictions are the truth a pixel to the right, so that objects are found but not exactly, with a background slot.
    """
    truth = np.stack([example.target["ids"] for example in load(row.task, row.split)[:count]])
    work = FORMS[form](truth, np.roll(truth, 1, axis=3) + np.uint8(1))
    (seconds,) = least_seconds(work)
    return beside_published(row, seconds / len(truth))


# ---------------------------------------------------------------------------- beside that


def uniqueness_pass(name: str, split: str) -> Other:
    """Return the pass that finds repeated examples of a named setting, without its cache."""
    source = Generated(task(name), split, SEED)
    draw_each(load(name, split), range(WARM_UP))
    with tempfile.TemporaryDirectory() as folder, lent_cache(Path(folder)):
        seconds = cpu_seconds(lambda: source.moved)
    return Other(f"uniqueness pass of {name} {split} ({source.size:,} examples, once)", seconds, "CPU s")


def shard_writing(name: str, split: str, count: int) -> Iterator[Other]:
    """Examples written to shards by one worker, and what that takes beyond making them."""
    from unseen.data.generate import generate

    with tempfile.TemporaryDirectory() as folder:
        folders = map(str, count_from())

        def write() -> None:
            generate(task(name), Path(folder, next(folders)), splits=[split], count=count, workers=1)

        written, made = least_seconds(write, partial(draw_each, load(name, split), range(count)))
    yield Other(f"examples written to shards ({name})", count / written, "per CPU s")
    if task(name).kind.name not in KEPT:  # those were made before
        yield Other("writing an example, beyond making it", (written - made) / count * 1e6, "µs")


def import_time(tries: int = 3) -> Other:
    """Return the wall-clock time of `import unseen` in a fresh process, the best of a few."""
    program = "import time; start = time.perf_counter(); import unseen; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, check=True) for _ in range(tries)]
    return Other("import unseen", min(float(run.stdout) for run in runs), "s")


def memory() -> int:
    """Return the largest memory this process had, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work, that of processes it starts and waits for included."""
    before = _cpu_so_far()
    work()
    return _cpu_so_far() - before


def _cpu_so_far() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def lent_cache(folder: Path) -> Iterator[None]:
    """Use another cache folder within a block; kernels that are loaded stay loaded."""
    before = os.environ.get("UNSEEN_CACHE")
    os.environ["UNSEEN_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["UNSEEN_CACHE"]
        else:
            os.environ["UNSEEN_CACHE"] = before


def _first_unique(benchmark: str) -> str | None:
    """The first named setting that holds no example twice, if there is one."""
    return next((name for name in tasks(benchmark) if task(name).split("train").unique), None)
