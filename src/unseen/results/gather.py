"""Every record there is of a benchmark: one's own, and those that ship with the library; and what is left out, and why.

The records that ship lie in the package, `src/unseen/results/records`, as `unseen score --results` writes them. A run
that began with another lies in a folder of its sweep's block, where the same run from random weights ships too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, UnseenError
from unseen.core.task import Benchmark
from unseen.metrics import METRICS
from unseen.results.record import FOLDER, Record, read_record, record_files

SHIPPED = "shipped"  # the name of the folder of records that come with the library
SHIPPED_FOLDER = Path(__file__).parent / "records"
FOLDERS = (str(FOLDER), SHIPPED)


@dataclass(frozen=True)
class Gathered:
    """The records of a benchmark's present content, and sentences on those that cannot be shown."""

    own: tuple[Record, ...]
    shipped: tuple[Record, ...]
    left_out: tuple[str, ...]

    @property
    def every(self) -> tuple[Record, ...]:
        """All records, one's own first."""
        return self.own + self.shipped


def gather(benchmark: Benchmark, folders: Iterable[str | Path] = FOLDERS) -> Gathered:
    """Read every record of a benchmark in some folders, `shipped` being those that come with the library."""
    own: list[Record] = []
    shipped: list[Record] = []
    left_out: list[str] = []
    elsewhere: Counter[str] = Counter()
    named = [str(folder) for folder in folders]
    for folder in named:
        for path in record_files(SHIPPED_FOLDER if folder == SHIPPED else Path(folder)):
            try:
                record = read_record(path)
            except DataError as error:
                left_out.append(str(error))
                continue
            name = record.task.partition("/")[0]
            if name != benchmark.name:
                elsewhere[name] += folder != SHIPPED
            elif why := objection(record, benchmark):
                left_out.append(f"{path}: {why}")
            else:
                (shipped if folder == SHIPPED else own).append(record)
    return Gathered(tuple(own), tuple(shipped), (*left_out, *_elsewhere(elsewhere, SHIPPED in named)))


def objection(record: Record, benchmark: Benchmark) -> str:
    """Say why a record cannot stand next to others; empty where it can."""
    if record.benchmark_version != benchmark.version:
        return (
            f"it is of version {record.benchmark_version} of {benchmark.name}'s content, and this is version"
            f" {benchmark.version}, whose examples differ"
        )
    try:
        splits = task_named(record.task).splits
    except UnseenError as error:
        return str(error)
    if unknown := record.scores.keys() - splits.keys():
        return f"{record.task} has no split {min(unknown)}"
    named = {name for scores in record.scores.values() for name in scores.metrics}
    if unknown := named - {*METRICS}:
        return f"there is no metric {min(unknown)}"
    return "" if named else "it has no scores"


def _elsewhere(counts: Counter[str], shipped: bool) -> Iterator[str]:
    for name, count in counts.items():
        if count:
            said = "1 record is" if count == 1 else f"{count} records are"
            yield f"{said} of {name}: unseen results {name}"
    if not shipped:
        yield f"the records that come with unseen: add --records {SHIPPED}"
