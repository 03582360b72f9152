"""The manifest of a folder: which shards make up which splits, derived from the shards and written last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter

from unseen.core.catalogue import task
from unseen.core.errors import DataError
from unseen.core.nesting import parsed
from unseen.core.seals import sealed_json, without_seal
from unseen.core.task import Task
from unseen.core.validation import CHECKED, Whole
from unseen.data.places import Place, place_of
from unseen.data.shards import Entry, Footer, check_format, shards_of

NAME = "manifest.json"


@dataclass(frozen=True)
class StoredSplit:
    """A split that a folder holds, as its manifest lists it."""

    count: Whole
    moved: dict[int, int]  # indices that take a later draw than their first, so that no example occurs twice
    shards: tuple[Entry, ...]

    @property
    def digest(self) -> str:
        """SHA-256 over the keys of all examples, shard by shard: the same wherever the data is."""
        return hashlib.sha256("".join(shard.keys for shard in self.shards).encode()).hexdigest()


@dataclass(frozen=True)
class Manifest:
    """What a folder holds. No times and no paths: the same data gives the same manifest."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    task: str
    benchmark: str
    version: Whole
    format: Whole
    seed: Whole
    made_with: tuple[dict[str, str], ...]  # versions; several where a folder was finished after an upgrade
    splits: dict[str, StoredSplit]
    contents: dict[str, str] = field(default_factory=dict)  # digests of files and folders that the task's options name


Examined = tuple[Footer, Entry]


def manifest_of(shards: Iterable[Examined]) -> Manifest:
    """The manifest of some shards of one data set."""
    ordered = sorted(shards, key=lambda shard: (shard[0].split, shard[0].start))
    first = ordered[0][0]
    made_with = sorted({json.dumps(footer.made_with, sort_keys=True) for footer, _ in ordered})
    names = dict.fromkeys(footer.split for footer, _ in ordered)
    return Manifest(
        **first.data_set,
        benchmark=first.task.partition("/")[0],
        made_with=tuple(map(json.loads, made_with)),
        splits={name: _split([shard for shard in ordered if shard[0].split == name]) for name in names},
    )


def _split(shards: list[Examined]) -> StoredSplit:
    moved = {int(index): draw for footer, _ in shards for index, draw in footer.moved.items()}
    return StoredSplit(shards[0][0].count, dict(sorted(moved.items())), tuple(entry for _, entry in shards))


def write_manifest(place: Place, manifest: Manifest) -> None:
    """Write the manifest of a data set."""
    place.write(NAME, sealed_json(asdict(manifest)))


def read_manifest(folder: str | Path | Place) -> Manifest:
    """Read the manifest of a data set, in a folder or wherever it lies."""
    place = place_of(folder)
    path = place.file(NAME)
    try:
        content = without_seal(place.read(NAME), path)
        told = parsed(json.loads, content)
        if isinstance(told, dict):
            check_format(path, told.get("format"))
        manifest = TypeAdapter(Manifest).validate_json(content, strict=True)
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(
            f"{place} has no {NAME}: it is not a data set, or its generation was interrupted;"
            " finish it with `unseen generate`"
        ) from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read; write it again with `unseen generate`") from error
    for name, split in manifest.splits.items():
        if not _adds_up(name, split):
            raise DataError(
                f"{path} cannot be read: the shards listed for {name} do not make up {split.count:,} examples; write it"
                " again with `unseen generate`"
            )
    return manifest


def _adds_up(name: str, split: StoredSplit) -> bool:
    """Whether the shards that are listed have the names and sizes of those that a split of its count has."""
    rows = split.shards[0].rows if split.shards else 0
    if rows < 1 or -(-split.count // rows) != len(split.shards):
        return False
    expected = [(shard.name, shard.stop - shard.start) for shard in shards_of(name, split.count, rows)]
    return expected == [(entry.file, entry.rows) for entry in split.shards]


def check_listing(place: Place, manifest: Manifest, split: str, number: int, footer: Footer | None) -> None:
    """Compare what the manifest tells of a shard with what the shard's footer does; the footer is to be believed."""
    listed = manifest.splits[split]
    entry, start = listed.shards[number], number * listed.shards[0].rows
    told = {name: getattr(manifest, name) for name in ("task", "seed", "version", "format", "contents")}
    told |= {"split": split, "count": listed.count, "start": start, "stop": start + entry.rows}
    for name, value in told.items():
        found = getattr(footer, name, None)
        if found != value:
            raise DataError(
                f"{place.file(NAME)} was changed: it tells of {name} {value}, and the shard {entry.file} of {found};"
                " write it again with `unseen generate`"
            )


def task_of(place: Place, manifest: Manifest) -> Task:
    """The task a folder holds examples of; a folder of another version is refused."""
    found = task(manifest.task)
    if manifest.version != found.benchmark.version:
        raise DataError(
            f"{place} was made by version {manifest.version} of {manifest.benchmark}, and this is version"
            f" {found.benchmark.version}, whose examples differ; generate it again"
        )
    found.check_contents(manifest.contents, place)
    return found
