"""Published file formats: written so that the papers' own loaders run on our data, and read back.

What the formats are is the benchmark's business (its `published.py`); here they are found, and files are made whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from unseen.core.catalogue import BENCHMARKS
from unseen.core.catalogue import task as find
from unseen.core.errors import FAULTS, DataError, SpecError, fault, unknown
from unseen.core.formats import Format, PublishedRow
from unseen.core.progress import Progress
from unseen.core.task import Benchmark, Example, Task
from unseen.data.dataset import Dataset
from unseen.data.places import Place, place_of


def formats(benchmark: Benchmark) -> dict[str, Format]:
    """Return the formats a benchmark was published in, by name.

    >>> list(formats(BENCHMARKS["cogitao"]))
    ['json', 'hdf5', 'parquet']
    """
    published = benchmark.optional_file("published")
    if published is None:
        raise SpecError(f"{benchmark.name} has no published file format to export to")
    found: dict[str, Format] = published.FORMATS
    return found


def export(
    datasets: Dataset | Iterable[Dataset],
    where: str | Path | Place,
    format: str | None = None,
    *,
    progress: Progress | None = None,
) -> list[Path | str]:
    """Write data sets in a published format, each to the file where the published data set has it; returns which.

    The format is the first that the benchmark was published in, unless another is named. What holds the examples of
    several tasks in turn is written task by task.

    >>> import tempfile, unseen
    >>> folder = Path(tempfile.mkdtemp())
    >>> (path,) = export(unseen.load("cogitao/c1-1", "val")[:5], folder, "json")
    >>> str(path.relative_to(folder))
    'CompGen/exp_setting_1/experiment_1/val.json'
    >>> sorted(read_published(path, "cogitao")[4])
    ['input', 'output', 'task_key', 'transformation_suite']
    """
    place = place_of(where)
    written: list[Path | str] = []
    for dataset in [datasets] if isinstance(datasets, Dataset) else datasets:
        chosen = _named(format, dataset.task.benchmark)
        published = dataset.task.benchmark.file("published")
        for task, part in by_task(dataset):
            named = getattr(published, "SPLITS", {}).get(part.split, part.split)
            split = named.format_map(vars(task.split(part.split).spec)) if "{" in named else named
            name = str(Path(published.place(task), f"{split}{chosen.suffix}"))
            with place.making(name) as made:
                chosen.write(made, _Watched(part, progress) if progress else part)
            written.append(Path(place.file(name)) if place.near else place.file(name))
    return written


def by_task(dataset: Dataset) -> Iterator[tuple[Task, Dataset]]:
    """A data set as it is, or in parts where it holds the examples of several tasks in turn; each with its task."""
    task, indices = dataset.task, dataset.indices
    if not task.split(dataset.split).turns:
        yield task, dataset
        return
    if indices.step != 1:
        raise SpecError(f"examples of {task.id} are exported in steps of 1, not of {indices.step}")
    names = task.sampler(dataset.split, dataset.source.seed).names
    for turn, name in enumerate(names):
        first = indices.start + (turn - indices.start) % len(names)
        if part := range(first, indices.stop, len(names)):
            yield find(f"{task.benchmark.name}/{name}"), Dataset(dataset.source, part)


class _Watched(Dataset):
    """A data set that tells how many of its examples have been read."""

    def __init__(self, dataset: Dataset, progress: Progress) -> None:
        super().__init__(dataset.source, dataset.indices)
        self.progress = progress

    def __iter__(self) -> Iterator[Example]:
        for done, example in enumerate(super().__iter__(), 1):
            yield example
            self.progress(done, len(self), self.split)


def read_published(path: str | Path, benchmark: str) -> list[PublishedRow]:
    """Return the rows of a published file of a benchmark, whether its authors or `export` wrote it."""
    path = Path(path)
    known = formats(BENCHMARKS[benchmark])
    longest_first = sorted(known.values(), key=lambda one: -len(one.suffix))  # .coco.json is not .json
    chosen = next((one for one in longest_first if path.name.endswith(one.suffix)), None)
    if chosen is None:
        suffixes = ", ".join(one.suffix or "no suffix" for one in known.values())
        raise DataError(f"{path} is not a file of {benchmark}: those end in {suffixes}")
    try:
        return list(chosen.read(path))
    except FileNotFoundError:
        raise DataError(f"there is no file {path}") from None
    except FAULTS as error:
        raise DataError(
            f"{path} is not a {chosen.name} file of {benchmark}, or a damaged one: {fault(error)}"
        ) from error


def _named(format: str | None, benchmark: Benchmark) -> Format:
    known = formats(benchmark)
    if format is None:
        return next(iter(known.values()))
    if format not in known:
        raise unknown("format", format, known, where=benchmark.name)
    return known[format]
