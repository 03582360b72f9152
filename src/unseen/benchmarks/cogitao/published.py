"""The files COGITAO was published in: JSON and Parquet of the paper, HDF5 of the newer version.

All keep a split at study/exp_setting_S/experiment_E. Rows are dicts in the words of those files: `input`, `output`,
`transformation_suite`, and where the file has them `task_key`, `demo_input`, `demo_output` (JSON and Parquet) or
`full_grid_sequence`, `n_shapes` (HDF5). Grids are read as int8 arrays without padding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao.objects import library_named
from unseen.benchmarks.cogitao.properties import PROPERTIES, PUBLISHED_PREFIX
from unseen.benchmarks.cogitao.render import paint
from unseen.benchmarks.cogitao.sample import content_key
from unseen.benchmarks.cogitao.spec import Spec
from unseen.benchmarks.cogitao.splits import FAMILIES
from unseen.core.errors import SpecError, missing_extra
from unseen.core.formats import Format, PublishedRow, json_elements
from unseen.core.nesting import parsed
from unseen.core.padding import PADDING
from unseen.core.parquet import open_parquet
from unseen.core.task import Example, Task

STUDIES = {"c": "CompGen", "g": "EnvGen", "s": "SampleEfficiency"}  # the last one's published name is not known to us
GRIDS = ("input", "output", "demo_input", "demo_output")
BATCH = 256  # rows in memory at a time, and in a chunk of HDF5
KEY_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
KEY_LENGTH = 9


def place(task: Task) -> PurePosixPath:
    """Return the folder of a task in the published data set.

    >>> import unseen
    >>> str(place(unseen.task("cogitao/g5-2"))), str(place(unseen.task("cogitao/s3-mirror")))
    ('EnvGen/exp_setting_5/experiment_2', 'SampleEfficiency/exp_setting_3/experiment_3')
    """
    named = re.fullmatch(r"([cgs])(\d)-(.+)", task.row.name)
    if not named:
        return PurePosixPath(task.row.name)
    study, setting, experiment = named.groups()
    number = 1 + list(FAMILIES).index(experiment) if experiment in FAMILIES else experiment
    return PurePosixPath(STUDIES[study], f"exp_setting_{setting}", f"experiment_{number}")


def task_key(example: Example) -> str:
    """Nine characters that name an example; the published ones are random, these follow from its content.

    >>> import unseen
    >>> len(task_key(unseen.load("cogitao/c1-1", "val")[0]))
    9
    """
    spec = example.task.split(example.split).spec
    left = content_key(example.record.sequence, example.record.query, library_named(spec.library))
    characters = ""
    for _ in range(KEY_LENGTH):
        left, digit = divmod(left, len(KEY_CHARACTERS))
        characters += KEY_CHARACTERS[digit]
    return characters


def row_of(example: Example) -> PublishedRow:
    """An example as the paper's files have it, grids as nested lists; of several demonstrations they keep the first."""
    row = {
        "input": example.inputs["grid"].tolist(),
        "output": example.target["grid"].tolist(),
        "transformation_suite": list(example.record.sequence),
        "task_key": task_key(example),
    }
    if example.record.demonstrations:
        row["demo_input"] = example.inputs["demonstration_inputs"][0].tolist()
        row["demo_output"] = example.inputs["demonstration_targets"][0].tolist()
    return row


def checked(row: Any) -> PublishedRow:
    """Return a row that was read, with its grids as int8 arrays."""
    if not isinstance(row, dict) or not {"input", "output", "transformation_suite"} <= row.keys():
        raise ValueError("a row has no input, output and transformation_suite")
    grids = {name: np.array(row[name], np.int8) for name in GRIDS if name in row}
    if any(grid.ndim != 2 for grid in grids.values()):
        raise ValueError("a grid is not a list of rows")
    return {**row, "transformation_suite": list(row["transformation_suite"]), **grids}


def _batches(examples: Iterable[Example]) -> Iterator[list[Example]]:
    remaining = iter(examples)
    while batch := list(islice(remaining, BATCH)):
        yield batch


# ---------------------------------------------------------------------------- JSON: a list of rows


def write_json(path: Path, examples: Sequence[Example]) -> None:
    """Write a JSON list, a line per row."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, example in enumerate(examples):
            file.write(",\n" if number else "\n")
            file.write(json.dumps(row_of(example), separators=(",", ":")))  # `dump` would encode in Python, not in C
        file.write("\n]\n")


def read_json(path: Path) -> Iterator[PublishedRow]:
    """Read a JSON list, row by row."""
    with path.open(encoding="utf-8") as file:
        yield from map(checked, json_elements(file))


# ---------------------------------------------------------------------------- Parquet: the same columns


def write_parquet(path: Path, examples: Sequence[Example]) -> None:
    """Write the rows as columns; numbers as int64, which is what lists of Python integers become."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _parquet_schema(demonstrations=bool(len(examples)) and bool(examples[0].record.demonstrations))
    with pq.ParquetWriter(path, schema) as writer:
        for batch in _batches(examples):
            writer.write_table(pa.Table.from_pylist([row_of(example) for example in batch], schema))


def _parquet_schema(*, demonstrations: bool) -> Any:
    import pyarrow as pa

    grid = pa.list_(pa.list_(pa.int64()))
    columns = [("input", grid), ("output", grid), ("transformation_suite", pa.list_(pa.string()))]
    columns.append(("task_key", pa.string()))
    if demonstrations:
        columns += [("demo_input", grid), ("demo_output", grid)]
    return pa.schema(columns)


def read_parquet(path: Path) -> Iterator[PublishedRow]:
    """Read rows from columns."""
    with open_parquet(path, path) as file:
        for batch in file.iter_batches(BATCH):
            yield from map(checked, batch.to_pylist())


# ---------------------------------------------------------------------------- HDF5: padded arrays and every frame

VERSION = 2
DATASETS = {  # per name the axes of a row, m the largest side and f the most frames, and the type
    "inputs": ("mm", np.int8),
    "outputs": ("mm", np.int8),
    "full_grid_sequence": ("fmm", np.int8),
    "grid_sizes": ("2", np.int32),
    "n_shapes": ("1", np.int32),
    "seq_len": ("", np.int32),
}
SUITES = "transformation_suites"


def write_hdf5(path: Path, examples: Sequence[Example]) -> None:
    """Write padded arrays, chunk by chunk."""
    h5py = _h5py()
    spec = _spec_of(examples)
    with h5py.File(path, "w") as file:
        file.attrs["version"] = VERSION
        file.attrs["config"] = json.dumps(config(spec))
        for name, (axes, dtype) in DATASETS.items():
            _create(file, name, len(examples), _shape(axes, spec), dtype=dtype, compression="lzf")
        _create(file, SUITES, len(examples), (), dtype=h5py.string_dtype())
        start = 0
        for batch in _batches(examples):
            for name, values in _stacked(batch, spec).items():
                file[name][start : start + len(batch)] = values
            start += len(batch)


def _create(file: Any, name: str, count: int, shape: tuple[int, ...], **options: Any) -> None:
    file.create_dataset(name, (count, *shape), maxshape=(None, *shape), chunks=(BATCH, *shape), **options)


def _spec_of(examples: Sequence[Example]) -> Spec:
    if not len(examples):
        raise SpecError("an HDF5 file says how its examples were made, so it needs at least one")
    spec: Spec = examples[0].task.split(examples[0].split).spec
    if spec.in_context:
        raise SpecError("the published HDF5 form holds no demonstrations; export to json or parquet")
    return spec


def _shape(axes: str, spec: Spec) -> tuple[int, ...]:
    sizes = {"m": spec.grid[1], "f": spec.deepest + 1, "1": 1, "2": 2}
    return tuple(sizes[axis] for axis in axes)


def _stacked(batch: list[Example], spec: Spec) -> dict[str, Any]:
    """The arrays of a batch, grids at the top left and padded with -1."""
    made: dict[str, Any] = {
        name: np.full((len(batch), *_shape(axes, spec)), PADDING, dtype) for name, (axes, dtype) in DATASETS.items()
    }
    for row, record in enumerate(example.record for example in batch):
        frames, _ = paint(record.sequence, record.query, spec)
        depth, height, width = frames.shape
        made["inputs"][row, :height, :width] = frames[0]
        made["outputs"][row, :height, :width] = frames[-1]
        made["full_grid_sequence"][row, :depth, :height, :width] = frames
        made["grid_sizes"][row] = height, width
        made["n_shapes"][row] = len(record.query.objects)
        made["seq_len"][row] = depth
    made[SUITES] = [json.dumps(example.record.sequence) for example in batch]
    return made


def config(spec: Spec) -> dict[str, Any]:
    """Return a spec in the keys of the published generator.

    Sizes for which it has no conditional, and unwanted properties, which it cannot express, are left out.

    >>> config(Spec(sequences=(("rot90",),), max_size=5))["shape_compulsory_conditionals"]
    ['is_shape_fully_connected', 'is_shape_less_than_6_rows', 'is_shape_less_than_6_cols']
    """
    bounds = [f"less_than_{spec.max_size + 1}_{side}" for side in ("rows", "cols")]
    bounds += [f"more_than_{spec.min_size - 1}_{side}" for side in ("rows", "cols")]
    wanted = [*spec.properties, *(name for name in bounds if name in PROPERTIES)]
    pool = {
        "allowed_transformations": list(spec.pool),
        "min_transformation_depth": spec.depth[0],
        "max_transformation_depth": spec.depth[1],
    }
    sequences = {"allowed_combinations": [list(sequence) for sequence in spec.sequences]}
    return {
        "min_n_shapes_per_grid": spec.objects[0],
        "max_n_shapes_per_grid": spec.objects[1],
        "min_grid_size": spec.grid[0],
        "max_grid_size": spec.grid[1],
        "n_examples": 1,
        **(sequences if spec.sequences else pool),
        "shape_compulsory_conditionals": [PUBLISHED_PREFIX + name.removeprefix(PUBLISHED_PREFIX) for name in wanted],
        "batch_size": BATCH,
        "env_format": "grid",
    }


def read_hdf5(path: Path) -> Iterator[PublishedRow]:
    """Read rows from padded arrays, chunk by chunk."""
    with _h5py().File(path, "r") as file:
        _check_hdf5(file)
        for start in range(0, len(file["inputs"]), BATCH):
            arrays = {name: file[name][start : start + BATCH] for name in DATASETS}
            suites = file[SUITES].asstr()[start : start + BATCH]
            yield from (_cropped(arrays, row, parsed(json.loads, suite)) for row, suite in enumerate(suites))


def _cropped(arrays: dict[str, npt.NDArray[Any]], row: int, suite: list[str]) -> PublishedRow:
    height, width = arrays["grid_sizes"][row]
    return {
        "input": arrays["inputs"][row, :height, :width].copy(),
        "output": arrays["outputs"][row, :height, :width].copy(),
        "transformation_suite": suite,
        "n_shapes": int(arrays["n_shapes"][row, 0]),
        "full_grid_sequence": arrays["full_grid_sequence"][row, : arrays["seq_len"][row], :height, :width].copy(),
    }


def _check_hdf5(file: Any) -> None:
    if file.attrs.get("version") != VERSION:
        raise ValueError(f"its version is {file.attrs.get('version')}, not {VERSION}")
    missing = {*DATASETS, SUITES} - file.keys()
    if missing:
        raise ValueError(f"it has no {min(missing)}")
    if file["inputs"].ndim != 3:
        raise ValueError("it holds images, and only grids can be read")


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise missing_extra("the published HDF5 format", "hdf5", "h5py") from None
    return h5py


FORMATS = {
    row.name: row
    for row in (
        Format("json", ".json", "the paper's data set: a list of rows", write_json, read_json),
        Format("hdf5", ".h5", "the newer version's: padded arrays and every frame", write_hdf5, read_hdf5),
        Format("parquet", ".parquet", "the paper's data set as released for download", write_parquet, read_parquet),
    )
}
