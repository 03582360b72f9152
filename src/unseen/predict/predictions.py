"""The predictions file: Parquet with an index and one prediction per row, and in its metadata what they are of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.asking import Form, form_of
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import DataError, SpecError, UnseenError, unknown
from unseen.core.files import file_digest, written_aside
from unseen.core.nesting import parsed
from unseen.core.parquet import open_parquet
from unseen.core.seals import BLANK, has_seal, is_file_sealed, seal_file
from unseen.core.seals import NAME as SEAL
from unseen.core.task import KINDS, Task
from unseen.core.validation import CHECKED, Whole
from unseen.data.columns import Column, Plain
from unseen.predict.prediction_column import TEXT, checked, prediction_column

FORMAT = 2  # of this file; raised by any change that a reader of earlier files would not understand
METADATA = b"unseen"
VIEW = "view"  # the kind of answers to another question than the task's own; each is a text of JSON
ANSWER = "answer"  # the column of such answers
WRITER = {"compression": "zstd", "use_dictionary": False, "write_statistics": False, "write_page_checksum": True}


@dataclass(frozen=True)
class About:
    """What a predictions file says about itself."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    format: Whole
    kind: str  # of task
    task: str
    split: str
    seed: Whole
    model: str
    versions: dict[str, Any]  # of unseen, and of the benchmark's content
    contents: dict[str, str]  # digests of files and folders that the task's options name
    form: str = ""  # of the question, where it is a view and not the task's own


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions and what they are of: `values[i]` answers the example at `indices[i]` of the split."""

    task: str
    split: str
    seed: int
    model: str
    indices: tuple[int, ...]
    values: list[Any] = field(repr=False)
    digest: str  # SHA-256 of the file
    contents: dict[str, str] = field(default_factory=dict)  # as above
    form: str = ""  # of the question, where it is a view and not the task's own
    beside: dict[str, Sequence[Any]] = field(default_factory=dict, repr=False)  # such as painted frames

    def __len__(self) -> int:
        return len(self.indices)


def write_predictions(
    path: str | Path,
    task: Task,
    split: str,
    predictions: Sequence[Any],
    *,
    seed: int = 0,
    model: str = "",
    indices: Iterable[int] | None = None,
    form: Form | None = None,
    beside: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Write predictions, one per example of the split in order, or of the examples at `indices`.

    Answers to a `form` that is a view are plain values, such as the number of a choice. `beside` is what some metrics
    score beside the answers, one each: of videos, the `frames` as a model paints them, uint8 (t, h, w, 3).

    >>> import tempfile, unseen
    >>> file = Path(tempfile.mkdtemp()) / "predictions.parquet"
    >>> write_predictions(file, unseen.task("cogitao/c1-1"), "test", [[[0, 1]], [[2, 0]]], model="mine", indices=[7, 3])
    >>> found = read_predictions(file)
    >>> found.task, found.split, found.model, found.indices, found.values[1].tolist()
    ('cogitao/c1-1', 'test', 'mine', (7, 3), [[2, 0]])
    """
    declared = task.split(split)
    places = tuple(range(declared.size) if indices is None else indices)
    if len(places) != len(predictions):
        raise SpecError(
            f"{task.id} {split} needs {len(places):,} predictions, one per example, and got {len(predictions):,};"
            " give the indices of the examples that were answered"
        )
    _check_indices(places, f"predictions of {task.id} {split}", size=declared.size)
    view = form.name if form and not form.own else ""
    name, column = _column(view or task.kind.name)
    values = [json.dumps(value) for value in predictions] if view else _values(task.kind.prediction[1], predictions)
    held = {"index": pa.array(places, pa.int64()), name: column.encode(values), **_beside(task, beside or {}, places)}
    about = _about(task, split, seed, model, view)
    schema = pa.schema([(name, values.type) for name, values in held.items()], {METADATA: about})
    table = pa.table(list(held.values()), schema)
    with written_aside(Path(path)) as aside:
        with pq.ParquetWriter(aside, schema, **WRITER) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata({SEAL: BLANK})
        seal_file(aside)


def _column(kind: str) -> tuple[str, Column]:
    """The name and the form of the column of predictions; what is no kind is a view."""
    if kind not in KINDS:
        return ANSWER, Plain(str)
    name, form = KINDS[kind].prediction
    return name, prediction_column(form)


def _beside(task: Task, beside: Mapping[str, Sequence[Any]], places: Sequence[int]) -> dict[str, pa.Array]:
    """The columns of what stands beside the answers."""
    for name, values in beside.items():
        if name not in task.kind.beside:
            raise unknown("column", name, task.kind.beside, where=f"predictions of {task.kind.name} tasks")
        if len(values) != len(places):
            raise SpecError(f"{len(values):,} {name} stand beside {len(places):,} predictions; one each is needed")
    forms = {name: task.kind.beside[name] for name in beside}
    return {name: prediction_column(form).encode(_values(form, beside[name])) for name, form in forms.items()}


def _values(form: str, predictions: Sequence[Any]) -> list[Any]:
    return list(predictions) if form == TEXT else [checked(prediction, form) for prediction in predictions]


def read_predictions(path: str | Path) -> Predictions:
    """Read a predictions file, and check that it is one, undamaged and of the benchmark's present content."""
    path = Path(path)
    try:
        sealed = is_file_sealed(path)
        if not sealed and has_seal(path):
            raise DataError(f"{path} is damaged: it does not fit its seal; predict again")
        with open_parquet(path, path) as file:
            table = file.read()
    except FileNotFoundError:
        raise DataError(f"there is no predictions file {path}") from None
    except DataError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path} is not a Parquet file, or a damaged one: {_first_line(error)}") from error
    about = _read_about(path, table.schema)
    name, column = _column(about.kind)
    possible = {} if about.kind == VIEW else KINDS[about.kind].beside
    further = {other: prediction_column(form) for other, form in possible.items() if other in table.schema.names}
    types = {other: each.arrow for other, each in further.items()}
    _check_schema(path, table.schema, {"index": pa.int64(), name: column.arrow, **types})
    indices = tuple(table["index"].to_pylist())
    _check_indices(indices, str(path))
    if any(table[each].null_count for each in (name, *further)):
        raise DataError(f"{path} has rows without a prediction; leave their indices out")
    try:
        values = list(column.decode(table[name].combine_chunks()))
        values = [parsed(json.loads, value) for value in values] if about.kind == VIEW else values
    except (ValueError, OSError) as error:  # rows of one array that differ in length, or an image that is no PNG
        raise DataError(f"one of the predictions in {path} cannot be read: {_first_line(error)}") from error
    if not sealed:  # last, since there is more to say of the files of others
        raise DataError(f"{path} has no seal, or a damaged one; write it with unseen.predict")
    said = about.task, about.split, about.seed, about.model
    beside = {other: each.decode(table[other].combine_chunks()) for other, each in further.items()}
    return Predictions(*said, indices, values, file_digest(path), about.contents, about.form, beside)


def _about(task: Task, split: str, seed: int, model: str, view: str) -> bytes:
    versions = {"unseen": version("unseen"), task.benchmark.name: task.benchmark.version}
    kind = VIEW if view else task.kind.name
    about = About(FORMAT, kind, task.id, split, seed, model, versions, task.contents(), view)
    return json.dumps(asdict(about)).encode()


def _read_about(path: Path, schema: pa.Schema) -> About:
    content = (schema.metadata or {}).get(METADATA)
    if content is None:
        raise DataError(f"{path} does not say which task it is of; write it with unseen.predict")
    try:
        about = TypeAdapter(About).validate_json(content, strict=True)
    except ValidationError:
        told = ", ".join(one.name for one in fields(About) if one.name not in ("format", "form"))
        raise DataError(f"{path} does not say in full what it is of ({told}); write it with unseen.predict") from None
    if about.format != FORMAT or about.kind not in (*KINDS, VIEW):
        raise DataError(f"{path} has format {about.format!r} and kind {about.kind!r}, unknown here")
    _check_version(path, about)
    _check_form(path, about)
    return about


def _check_form(path: Path, about: About) -> None:
    """Refuse answers to a question that the benchmark does not ask."""
    try:
        known = bool(about.form) == (about.kind == VIEW)
        known = known and not (about.form and form_of(BENCHMARKS[about.task.partition("/")[0]], about.form).own)
    except UnseenError as error:
        raise DataError(f"{path} answers a question unknown here: {error}") from None
    if not known:
        raise DataError(f"{path} does not say which question it answers; write it with unseen.predict")


def _check_version(path: Path, about: About) -> None:
    """Refuse answers to examples that the benchmark no longer gives."""
    benchmark = BENCHMARKS[about.task.partition("/")[0]]
    version = about.versions.get(benchmark.name)
    if version != benchmark.version:
        raise DataError(
            f"{path} answers examples of version {version} of {benchmark.name}, and this is version"
            f" {benchmark.version}, whose examples differ; predict them again"
        )


def _check_schema(path: Path, schema: pa.Schema, expected: dict[str, pa.DataType]) -> None:
    for name, type_ in expected.items():
        if name not in schema.names:
            raise DataError(f"{path} has no column {name!r}; it has {', '.join(schema.names)}")
        # the names inside nested types differ between writers, and mean nothing
        if not _same_type(schema.field(name).type, type_):
            raise DataError(f"the column {name!r} of {path} is {schema.field(name).type}, not {type_}")


def _same_type(one: pa.DataType, other: pa.DataType) -> bool:
    while pa.types.is_list(one) and pa.types.is_list(other):
        one, other = one.value_type, other.value_type
    return bool(one == other)


def _check_indices(indices: Sequence[int | None], what: str, *, size: int | None = None) -> None:
    seen: set[int] = set()
    for index in indices:
        if index is None or index < 0 or (size is not None and index >= size):
            raise DataError(f"{what}: {index} is not the index of an example")
        if index in seen:
            raise DataError(f"{what}: the example {index} is answered twice")
        seen.add(index)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
