"""What people did in a study, set beside the published people: read from the trials that `unseen serve` exports.

A file of trials is Parquet with a row per trial: who, which task and example, what they chose, whether it was right,
how sure they were and how long it took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from unseen.core.analysis import Finding
from unseen.core.errors import DataError, SpecError
from unseen.core.parquet import open_parquet
from unseen.core.task import Benchmark

TRIALS = "trials.parquet"  # in the folder of an exported study
COLUMNS = (
    ("study", pa.string()),
    ("participant", pa.int64()),
    ("block", pa.int64()),  # from 0; -1 is practice
    ("trial", pa.int64()),  # of the block, from 0
    ("analysed", pa.bool_()),  # not practice, and not among the first trials that the study leaves out
    ("task", pa.string()),
    ("split", pa.string()),
    ("seed", pa.int64()),
    ("index", pa.int64()),
    ("response", pa.string()),
    ("truth", pa.string()),
    ("right", pa.bool_()),
    ("confidence", pa.int64()),  # 0 to 100; none where it was not asked for
    ("rt", pa.float64()),  # milliseconds from the images to the choice
    ("fixation", pa.float64()),
    ("stored", pa.float64()),  # seconds since 1970
)
SCHEMA = pa.schema(COLUMNS)


def write_trials(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write trials as Parquet."""
    pq.write_table(pa.Table.from_pylist(list(rows), SCHEMA), path)


def read_trials(path: Path) -> list[dict[str, Any]]:
    """Read a file of trials, or that of an exported study's folder."""
    path = path / TRIALS if path.is_dir() else path
    try:
        with open_parquet(path, path) as file:
            table = file.read()
    except FileNotFoundError:
        raise DataError(f"there are no trials {path}; `unseen serve --export STUDY --out FOLDER` writes them") from None
    except DataError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path} is not a Parquet file, or a damaged one") from error
    lacking = [name for name in SCHEMA.names if name not in table.schema.names]
    if lacking:
        raise DataError(f"{path} is no file of trials: it has no column {lacking[0]!r}")
    rows: list[dict[str, Any]] = table.select(SCHEMA.names).to_pylist()
    return rows


def people_finding(benchmark: Benchmark, places: Iterable[Path]) -> Finding:
    """Return what people of some studies did on a benchmark, next to the people of its paper."""
    compare = getattr(benchmark.optional_file("analysis"), "people", None)
    if compare is None:
        raise SpecError(f"the paper of {benchmark.name} has no people by task to compare with; leave --humans out")
    found: Finding = compare(list(_of(benchmark, places)))
    return found


def _of(benchmark: Benchmark, places: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for place in places:
        for row in read_trials(place):
            if row["analysed"] and row["task"].startswith(f"{benchmark.name}/"):
                yield row
