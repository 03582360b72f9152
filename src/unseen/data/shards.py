"""A shard: a range of one split's examples in a Parquet file whose bytes depend on nothing but what is in it.

    index       int64     place in the split
    key         uint64    content key
    input_*               what a model is shown
    target_*              what a model is to answer
    scene                 the symbolic record, as a struct

Rows per shard are fixed per kind of task and row groups have 256 rows, whatever the engine and the number of workers.
The footer says which shard of which data set this is, so that a folder of shards explains itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from itertools import chain
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.nesting import parsed
from unseen.core.parquet import open_parquet
from unseen.core.seals import BLANK, is_sealed, seal
from unseen.core.seals import NAME as SEAL
from unseen.core.task import Example, Task
from unseen.core.validation import CHECKED, Whole
from unseen.data.columns import Column, column_of, hugging_face_feature
from unseen.data.dataset import Generated
from unseen.data.places import Place
from unseen.data.records import scene_column

FORMAT = 2  # of the shards: raised by any change of their schema, metadata included
ROW_GROUP = 256
METADATA = b"unseen"  # of the schema: the footer; of a field: its column type
PACKAGES = ("numba", "numpy", "pyarrow", "unseen")  # whose versions a shard notes
RENDERER = "renderer"  # that it notes beside them, where images were drawn by one
WRITER = {
    "compression": "zstd",
    "compression_level": 1,  # higher levels make nested lists of small numbers no smaller
    "use_dictionary": False,
    "write_statistics": False,
    "write_page_checksum": True,
}


@dataclass(frozen=True)
class Shard:
    """Which examples a shard holds, and under which name."""

    split: str
    number: int
    total: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        """The file's name.

        >>> Shard("train", 3, 25, 12288, 16384).name
        'train-00003-of-00025.parquet'
        """
        return f"{self.split}-{self.number:05}-of-{self.total:05}.parquet"


def shards_of(split: str, count: int, rows: int) -> Iterator[Shard]:
    """Return the shards of the first `count` examples of a split, in their order.

    >>> [(shard.start, shard.stop) for shard in shards_of("val", 1000, 400)]
    [(0, 400), (400, 800), (800, 1000)]
    """
    return (shard_at(split, number, count, rows) for number in range(-(-count // rows)))


def shard_at(split: str, number: int, count: int, rows: int) -> Shard:
    """Return one of the shards of the first `count` examples of a split."""
    return Shard(split, number, -(-count // rows), number * rows, min(count, (number + 1) * rows))


def number_of(name: str, split: str, count: int, rows: int) -> int | None:
    """Tell which of the shards of the first `count` examples of a split has a name; None for that of anything else.

    >>> [number_of(name, "val", 1000, 400) for name in ("val-00002-of-00003.parquet", "val-00002-of-00004.parquet")]
    [2, None]
    """
    digits = name.removeprefix(f"{split}-").partition("-")[0]
    number = int(digits) if digits.isdecimal() else 0
    return number if number * rows < count and shard_at(split, number, count, rows).name == name else None


@dataclass(frozen=True)
class Footer:
    """What a shard says about itself: its data set, its place in it, and the digest of its content."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    task: str
    version: Whole  # of the benchmark's content
    format: Whole
    seed: Whole
    split: str
    count: Whole  # examples of the split, over all its shards
    start: Whole
    stop: Whole
    keys: str  # SHA-256 of the content keys: the same across package versions if the data is
    moved: dict[str, Whole] = field(default_factory=dict)  # draws of the indices whose first one repeated another
    made_with: dict[str, str] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)  # digests of files and folders that the task's options name

    @property
    def data_set(self) -> dict[str, Any]:
        """What all shards of a folder must share."""
        return {
            "task": self.task,
            "seed": self.seed,
            "version": self.version,
            "format": self.format,
            "contents": self.contents,
        }


Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]  # it also names copies, which it must not lead away


@dataclass(frozen=True)
class Entry:
    """A shard as the manifest lists it."""

    file: str
    rows: Whole
    bytes: Annotated[Whole, Field(gt=0)]
    sha256: Digest
    keys: Digest


def data_set(task: Task, seed: int) -> dict[str, Any]:
    """Return what the shards of a task and seed say about their data set."""
    about = {"task": task.id, "seed": seed, "version": task.benchmark.version, "format": FORMAT}
    return {**about, "contents": task.contents()}


def key_digest(keys: npt.ArrayLike) -> str:
    """SHA-256 of content keys in the order of their examples."""
    return hashlib.sha256(np.asarray(keys, "<u8").tobytes()).hexdigest()


# ---------------------------------------------------------------------------- writing


def encode_shard(source: Generated, shard: Shard, count: int) -> tuple[Footer, bytes]:
    """The file of a shard, and its footer: its examples drawn, rendered and encoded; `count` is that of the split."""
    columns = _columns(source, shard)
    scene = scene_column(source.task.benchmark)
    keys, chunks = _encode_examples(source, shard, {**columns, "scene": scene})
    footer = _footer(source, shard, count, keys)
    fields = [("index", pa.int64()), ("key", pa.uint64()), *map(_field, columns, columns.values())]
    schema = pa.schema([*fields, ("scene", scene.arrow)], metadata=_metadata(columns, footer))
    values = [pa.array(np.arange(shard.start, shard.stop)), pa.array(keys), *map(pa.chunked_array, chunks)]
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, schema, **WRITER) as writer:
        writer.write_table(pa.table(values, schema=schema), row_group_size=ROW_GROUP)
        writer.add_key_value_metadata({SEAL: BLANK})
    return footer, seal(sink.getvalue().to_pybytes())


def _encode_examples(
    source: Generated, shard: Shard, columns: dict[str, Column]
) -> tuple[npt.NDArray[np.uint64], list[list[pa.Array]]]:
    """Content keys, and the columns of inputs, targets and records in chunks.

    An example is packed as soon as it is drawn: its arrays, far larger than what is stored of them, are then still in
    the processor's cache.
    """
    keys: list[int] = []
    chunks: list[list[pa.Array]] = [[] for _ in columns]
    for start in range(shard.start, shard.stop, ROW_GROUP):
        rows = []
        for index in range(start, min(start + ROW_GROUP, shard.stop)):
            record, key = source.draw(index)
            keys.append(key)
            values = arrays_of(Example(source.task, source.split, index, record)) | {"scene": record}
            rows.append([column.pack(values[name]) for name, column in columns.items()])
        for chunk, column, packed in zip(chunks, columns.values(), zip(*rows, strict=True), strict=True):
            chunk.append(column.join(packed))
    return np.array(keys, np.uint64), chunks


def _columns(source: Generated, shard: Shard) -> dict[str, Column]:
    """The column types, from the first example that tells: a list may be empty."""
    first = arrays_of(source.example(shard.start))
    later = range(shard.start + 1, shard.stop)
    return {
        name: column_of(name, chain([value], (arrays_of(source.example(index))[name] for index in later)))
        for name, value in first.items()
    }


def arrays_of(example: Example) -> dict[str, Any]:
    """Return every input and target by the name of its column."""
    inputs = {f"input_{name}": value for name, value in example.inputs.items()}
    return inputs | {f"target_{name}": value for name, value in example.target.items()}


def _field(name: str, column: Column) -> pa.Field:
    return pa.field(name, column.arrow, metadata={METADATA: str(column)})


def _metadata(columns: dict[str, Column], footer: Footer) -> dict[bytes, str]:
    metadata = {METADATA: json.dumps(asdict(footer), sort_keys=True)}
    features = {name: hugging_face_feature(column) for name, column in columns.items()}
    if pictures := {name: feature for name, feature in features.items() if feature}:
        metadata[b"huggingface"] = json.dumps({"info": {"features": pictures}}, sort_keys=True)
    return metadata


def _footer(source: Generated, shard: Shard, count: int, keys: npt.NDArray[np.uint64]) -> Footer:
    return Footer(
        **data_set(source.task, source.seed),
        split=shard.split,
        count=count,
        start=shard.start,
        stop=shard.stop,
        keys=key_digest(keys),
        moved={str(index): draw for index, draw in source.moved.items() if shard.start <= index < shard.stop},
        made_with={package: version(package) for package in PACKAGES} | _renderer(source),
    )


def _renderer(source: Generated) -> dict[str, str]:
    name = source.task.drawn_by(source.split)
    return {RENDERER: name} if name else {}


# ---------------------------------------------------------------------------- reading


def read_footer(place: Place, name: str) -> Footer | None:
    """Return what a shard says about itself; None for a Parquet file that is not a shard."""
    path = place.file(name)
    try:
        with place.open(name) as file:
            schema = pq.read_schema(file)
    except DataError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, "its footer cannot be read") from error
    return footer_of(schema, path)


def footer_of(schema: pa.Schema, path: str) -> Footer | None:
    """Return the footer in the schema of a Parquet file; None where it is not that of a shard."""
    written = (schema.metadata or {}).get(METADATA, b"null")
    try:
        content = parsed(json.loads, written)
    except ValueError as error:
        raise damaged(path, "its footer cannot be read") from error
    if content is None:
        return None
    if isinstance(content, dict):
        check_format(path, content.get("format"))
    try:
        return TypeAdapter(Footer).validate_json(written, strict=True)
    except ValidationError as error:
        raise damaged(path, "its footer does not say what it holds") from error


def check_format(path: str, format: Any) -> None:
    """Refuse what was written by a version of unseen with other shards."""
    if format != FORMAT:
        raise DataError(
            f"{path} is of shard format {format}, and this version of unseen reads and writes format {FORMAT};"
            " generate the data again, into another folder"
        )


def examine(place: Place, name: str) -> tuple[Footer, Entry]:
    """Read a shard to the last page; what it says about itself, and how a manifest lists it."""
    path = place.file(name)
    try:
        content = place.read(name)
    except DataError:
        raise
    except OSError as error:
        raise damaged(path, "it cannot be opened") from error
    if not is_sealed(content):
        raise damaged(path, "it does not fit its seal")
    try:
        file = open_parquet(pa.BufferReader(content), path)
        footer = footer_of(file.schema_arrow, path)
        keys = np.concatenate([batch["key"].to_numpy() for batch in file.iter_batches(ROW_GROUP)])
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise damaged(path, "it cannot be read to its end") from error
    if footer is None:
        raise damaged(path, "its footer does not say what it holds")
    if key_digest(keys) != footer.keys or len(keys) != footer.stop - footer.start:
        raise damaged(path, "its keys are not those that its footer tells of")
    return footer, entry_of(name, footer, content)


def entry_of(name: str, footer: Footer, content: bytes) -> Entry:
    """Tell how a manifest lists a shard."""
    digest = hashlib.sha256(content).hexdigest()
    return Entry(name, rows=footer.stop - footer.start, bytes=len(content), sha256=digest, keys=footer.keys)


class DamagedShard(DataError):
    """A shard whose file is not what was written; `regenerate` makes it again."""


def check_bytes(path: str, entry: Entry, size: int, digest: str) -> None:
    """Compare the size and the SHA-256 of a shard with the manifest's."""
    if size != entry.bytes:
        raise damaged(path, f"it has {size:,} bytes, not {entry.bytes:,}")
    if digest != entry.sha256:
        raise damaged(path, "its SHA-256 is not the manifest's")


def damaged(path: str, reason: str) -> DamagedShard:
    """Return the error for a shard that is damaged or gone."""
    return DamagedShard(
        f"{path} is damaged: {reason}. `unseen generate ... --regenerate` mends it: damaged shards are made again"
    )
