"""The manifest of a folder: which shards make up which splits, derived from the shards and written last.

The shards of a split with more than `listing.PART` of them are listed in parts, files of their own whose SHA-256 the
manifest has: who needs a shard reads one part.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter

from unseen.core.catalogue import task
from unseen.core.errors import DataError
from unseen.core.nesting import parsed
from unseen.core.seals import sealed_json, without_seal
from unseen.core.task import Task
from unseen.core.validation import CHECKED, Whole
from unseen.data.listing import Listing, Part, part_count
from unseen.data.places import Place, place_of
from unseen.data.shards import Entry, Footer, check_format

NAME = "manifest.json"
AGAIN = "write it again with `unseen generate`"


@dataclass(frozen=True)
class Listed:
    """A split whose shards the manifest lists itself."""

    count: Whole
    moved: dict[int, int]  # indices that take a later draw than their first, so that no example occurs twice
    shards: tuple[Entry, ...]

    @property
    def bytes(self) -> int:
        """The bytes of all shards."""
        return sum(entry.bytes for entry in self.shards)


@dataclass(frozen=True)
class Parted:
    """A split whose shards are listed in parts."""

    count: Whole
    rows: Whole  # of a shard
    bytes: Whole  # of all shards
    parts: tuple[str, ...]  # SHA-256 of each


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
    splits: dict[str, Listed | Parted]
    contents: dict[str, str] = field(default_factory=dict)  # digests of files and folders that the task's options name


def write_manifest(
    place: Place, data_set: dict[str, Any], listings: Iterable[Listing], made_with: Iterable[dict[str, str]]
) -> Manifest:
    """Write the manifest of some splits of a data set; parts first, so that there is none without them."""
    manifest = Manifest(
        **data_set,
        benchmark=data_set["task"].partition("/")[0],
        made_with=tuple(made_with),
        splits={listing.split: _written(place, listing) for listing in listings},
    )
    place.write(NAME, sealed_json(asdict(manifest)))
    return manifest


def _written(place: Place, listing: Listing) -> Listed | Parted:
    """A split as the manifest has it, whose parts are written if there are any."""
    if part_count(len(listing)) == 1:
        (part,) = listing.parts()
        return Listed(listing.count, part.moved, part.shards)
    digests = []
    for number, part in enumerate(listing.parts()):
        content = sealed_json(asdict(part))
        place.write(_part_name(listing, number), content)
        digests.append(hashlib.sha256(content).hexdigest())
    return Parted(listing.count, listing.rows, listing.bytes, tuple(digests))


def _part_name(listing: Listing, number: int) -> str:
    return f"manifest-{listing.split}-{number:05}-of-{part_count(len(listing)):05}.json"


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
        raise DataError(f"{path} cannot be read; {AGAIN}") from error
    for split in manifest.splits:
        listing_of(place, manifest, split)
    return manifest


def listing_of(place: Place, manifest: Manifest, split: str) -> Listing:
    """Return the shards of a split; those that are listed in parts are read when one of their part is asked for."""
    told = manifest.splits[split]
    try:
        if isinstance(told, Parted):
            return _of_parts(place, split, told)
        rows = told.shards[0].rows if told.shards else 0
        if rows < 1 or -(-told.count // rows) != len(told.shards):  # before there is a table of as many
            raise ValueError("their number is another")
        listing = Listing(split, told.count, rows)
        listing.put_part(0, Part(told.moved, told.shards))
    except ValueError as error:
        raise DataError(
            f"{place.file(NAME)} cannot be read: the shards listed for {split} do not make up {told.count:,} examples;"
            f" {AGAIN}"
        ) from error
    return listing


def _of_parts(place: Place, split: str, told: Parted) -> Listing:
    if told.rows < 1 or len(told.parts) < 2 or len(told.parts) != part_count(-(-told.count // told.rows)):
        raise ValueError("the number of parts is another")

    def read(listing: Listing, number: int) -> None:
        path = place.file(_part_name(listing, number))
        try:
            content = place.read(_part_name(listing, number))
            if hashlib.sha256(content).hexdigest() != told.parts[number]:
                raise ValueError("its SHA-256 is not the manifest's")
            listing.put_part(number, TypeAdapter(Part).validate_json(without_seal(content, path), strict=True))
        except (OSError, ValueError) as error:
            raise DataError(f"{path} is gone, or is not the one that {NAME} tells of; {AGAIN}") from error

    return Listing(split, told.count, told.rows, read)


def check_listing(place: Place, manifest: Manifest, listing: Listing, number: int, footer: Footer | None) -> None:
    """Compare what the manifest tells of a shard with what the shard's footer does; the footer is to be believed."""
    entry, start = listing[number], number * listing.rows
    told = {name: getattr(manifest, name) for name in ("task", "seed", "version", "format", "contents")}
    told |= {"split": listing.split, "count": listing.count, "start": start, "stop": start + entry.rows}
    for name, value in told.items():
        found = getattr(footer, name, None)
        if found != value:
            raise DataError(
                f"{place.file(NAME)} was changed: it tells of {name} {value}, and the shard {entry.file} of {found};"
                f" {AGAIN}"
            )


def task_of(place: Place, manifest: Manifest) -> Task:
    """Return the task a folder holds examples of; a folder of another version is refused."""
    found = task(manifest.task)
    if manifest.version != found.benchmark.version:
        raise DataError(
            f"{place} was made by version {manifest.version} of {manifest.benchmark}, and this is version"
            f" {found.benchmark.version}, whose examples differ; generate it again"
        )
    found.check_contents(manifest.contents, place)
    return found
