"""Generate a data set into a place: only the shards that are not there yet, then the manifest and the card.

Started again after any interruption, it ends with the same bytes. A place holds one data set: what belongs to another
task, seed or version is refused before anything is touched.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unseen.core.errors import DataError, SpecError
from unseen.core.kernel import expect
from unseen.core.progress import Progress
from unseen.core.task import Task
from unseen.data import card
from unseen.data.dataset import SEED, Dataset, Generated
from unseen.data.listing import Listing, entry_named
from unseen.data.manifest import Manifest, listing_of, read_manifest, write_manifest
from unseen.data.places import Place, Unreachable, place_of
from unseen.data.shards import (
    DamagedShard,
    Entry,
    Footer,
    Shard,
    damaged,
    data_set,
    encode_shard,
    entry_of,
    examine,
    number_of,
    read_footer,
    shard_at,
    shards_of,
)
from unseen.engines import Engine
from unseen.engines import engine as engine_of

NUMBER = re.compile(r"-\d+-of-")  # in the name of a shard


@dataclass(frozen=True)
class Plan:
    """What a place is to hold: how many examples of which splits."""

    task: Task
    seed: int
    place: Place
    counts: dict[str, int]

    def shards(self) -> Iterator[Shard]:
        """Yield every shard, split by split."""
        for split, count in self.counts.items():
            yield from shards_of(split, count, self.task.kind.shard_rows)

    def has(self, name: str) -> bool:
        """Tell whether a file's name is that of one of the shards."""
        rows = self.task.kind.shard_rows
        return any(number_of(name, split, count, rows) is not None for split, count in self.counts.items())


class Known:
    """What is known of the shards of a place, found there or just made."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.listings: dict[str, Listing] = {}
        self._made_with: dict[str, set[str]] = {}

    def add(self, footer: Footer, entry: Entry) -> None:
        """Note a shard."""
        split = footer.split
        listing = self.listings.setdefault(split, Listing(split, footer.count, self.rows))
        listing.put(footer.start // self.rows, entry, {int(index): draw for index, draw in footer.moved.items()})
        self._made_with.setdefault(split, set()).add(json.dumps(footer.made_with, sort_keys=True))

    def has(self, shard: Shard) -> bool:
        """Tell whether a shard is known."""
        return shard.split in self.listings and self.listings[shard.split].knows(shard.number)

    def write(self, plan: Plan) -> Manifest:
        """Write the manifest of the splits that are complete: one of an earlier, interrupted run may not be."""
        complete = [listing for _, listing in sorted(self.listings.items()) if listing.complete]
        made_with = sorted(set().union(*(self._made_with[listing.split] for listing in complete)))
        return write_manifest(plan.place, data_set(plan.task, plan.seed), complete, map(json.loads, made_with))


def generate(
    task: Task,
    where: str | Path | Place,
    *,
    splits: Iterable[str] | None = None,
    count: int | None = None,
    seed: int = SEED,
    workers: int | None = None,
    regenerate: bool = False,
    engine: str | Engine = "local",
    progress: Progress | None = None,
) -> Path | str:
    """Write a task's splits (all of them, unless some are named) to a folder or a URL, and return which.

    `count` asks for the first examples of each split; splits that are smaller are written whole. With `regenerate`,
    damaged shards are made again; without, they are an error. `progress` is told of examples done and in all.
    """
    plan = Plan(task, seed, place_of(where), _counts(task, splits, count))
    present(plan)  # before the lock, so that a place of something else is left as it was
    with plan.place.one_writer():
        known = whole(plan, engine=engine, workers=workers, regenerate=regenerate)
        _make_missing(plan, known, engine, workers, progress)
        refuse_others(plan, known)
        manifest = known.write(plan)
        plan.place.write(card.NAME, card.card(task, manifest).encode())
    return plan.place.where


def make(plan: Plan, sources: dict[str, Generated], shard: Shard) -> tuple[Footer, Entry]:
    """Make one shard; this is the work of a worker."""
    count = plan.counts[shard.split]
    expect(count)
    footer, content = encode_shard(sources[shard.split], shard, count)
    plan.place.write(shard.name, content)
    return footer, entry_of(shard.name, footer, content)


def _counts(task: Task, splits: Iterable[str] | None, count: int | None) -> dict[str, int]:
    chosen = [task.split(name) for name in (task.splits if splits is None else splits)]
    if not chosen:
        raise SpecError(f"name at least one split of {task.id}: {', '.join(task.splits)}")
    largest = max(chosen, key=lambda split: split.size)
    if count is not None and not 1 <= count <= largest.size:
        raise SpecError(
            f"count must be within 1 and {largest.size:,}, the size of {task.id} {largest.name}, got {count}"
        )
    return {split.name: min(count or split.size, split.size) for split in chosen}


def _make_missing(
    plan: Plan, known: Known, engine: str | Engine, workers: int | None, progress: Progress | None
) -> None:
    """Make the shards that are not known, and note them."""
    total = sum(plan.counts.values())
    missing: Counter[str] = Counter()
    for shard in plan.shards():
        if not known.has(shard):
            missing[shard.split] += shard.stop - shard.start
    finished = total - missing.total()
    expect(missing.total())
    sources = {split: _ready(plan, split, engine, workers) for split in missing}
    left = (shard for shard in plan.shards() if not known.has(shard))
    with closing(engine_of(engine)(partial(make, plan, sources), left, workers)) as results:
        for footer, entry in results:
            _refuse_elsewhere(plan.place, entry.file)
            known.add(footer, entry)
            finished += entry.rows
            if progress:
                progress(finished, total)


def _refuse_elsewhere(place: Place, name: str) -> None:
    """Raise an error for a shard that a worker wrote into a folder which this process does not share."""
    if place.near and not os.path.exists(place.file(name)):
        raise DataError(
            f"a worker wrote {place.file(name)}, which is not to be seen here; for several machines, choose a folder"
            " that all of them share, or an object store"
        )


def _ready(plan: Plan, split: str, engine: str | Engine, workers: int | None) -> Generated:
    """A source with what workers should not each do again: compiled kernels and the table of moved indices."""
    source = Generated(plan.task, split, plan.seed)
    Dataset(source).prepare(engine, workers)
    return source


# ---------------------------------------------------------------------------- what a place holds already


Found = tuple[Footer, Entry] | DamagedShard


def present(plan: Plan) -> None:
    """Refuse a place that holds anything else than shards of a plan, by a footer of every split that is there."""
    sizes = plan.place.sizes()
    if card.NAME in sizes and card.MARK not in plan.place.read(card.NAME).decode(errors="replace"):
        raise DataError(f"{plan.place} has a {card.NAME} that unseen did not write; choose another folder")
    for name in {NUMBER.sub("-of-", name): name for name in _shards_among(sizes)}.values():
        _refuse_unplanned(plan, name)


def _refuse_unplanned(plan: Plan, name: str) -> None:
    """Raise an error for what is no shard of a plan, by its name or, where that can be read, its footer."""
    try:
        _refuse_other(name, read_footer(plan.place, name), plan)
    except DamagedShard:
        if not plan.has(name):
            raise


def _shards_among(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.endswith(".parquet"))


def _refuse_other(name: str, footer: Footer | None, plan: Plan) -> None:
    """Raise an error unless a shard may stay in the place of a plan."""
    if footer is None:
        raise DataError(f"{plan.place} holds {name}, which unseen did not write; choose another folder")
    asked = data_set(plan.task, plan.seed)
    if footer.data_set != asked:
        plan.task.check_contents(footer.contents if footer.task == plan.task.id else {}, plan.place)
        raise DataError(f"{plan.place} holds {_words(footer.data_set)}, not {_words(asked)}; choose another folder")
    count = plan.counts.get(footer.split, footer.count)
    if footer.count != count:
        raise DataError(
            f"{plan.place} holds a {footer.split} split of {footer.count:,} examples, and {count:,} are asked for;"
            " ask for as many, or choose another folder"
        )
    rows = plan.task.kind.shard_rows
    if footer.start % rows or name != shard_at(footer.split, footer.start // rows, count, rows).name:
        raise DataError(
            f"{plan.place.file(name)} does not have the name it was written under; remove it, or choose another folder"
        )


def _words(identity: dict[str, Any]) -> str:
    return "{task} (seed {seed}, version {version}, format {format})".format(**identity)


def whole(plan: Plan, *, engine: str | Engine, workers: int | None, regenerate: bool) -> Known:
    """Return the undamaged shards of a place; a damaged one is an error, or left out to be made again."""
    known, listed = Known(plan.task.kind.shard_rows), _listed(plan.place)
    names = _shards_among(plan.place.sizes())
    with closing(engine_of(engine)(partial(look_at, plan.place), names, workers)) as results:
        for name, found in results:
            if found is None:  # gone since it was listed
                continue
            try:
                footer, entry = _believed(plan, name, found, listed)
            except DamagedShard:
                if not (regenerate and plan.has(name)):
                    raise
                _refuse_unplanned(plan, name)
            else:
                known.add(footer, entry)
    return known


def look_at(place: Place, name: str) -> tuple[str, Found | None]:
    """Read a shard that is there to its end; this is the work of a worker."""
    try:
        return name, examine(place, name)
    except DamagedShard as error:
        return name, None if isinstance(error.__cause__, FileNotFoundError) else error


def _believed(plan: Plan, name: str, found: Found, listed: list[Listing]) -> tuple[Footer, Entry]:
    """What was found of a shard; an error where it is of something else, or is not what the manifest lists."""
    if isinstance(found, DamagedShard):
        raise found
    _refuse_other(name, found[0], plan)
    told = entry_named(name, listed)
    if told and told.sha256 != found[1].sha256:
        raise damaged(plan.place.file(name), "its SHA-256 is not the manifest's")
    return found


def refuse_others(plan: Plan, known: Known) -> None:
    """Look once more whether all shards that are there are those that were made or found: no lock is perfect."""
    sizes = plan.place.sizes()
    for name in _shards_among(sizes):
        entry = entry_named(name, known.listings.values())
        if entry is None or entry.bytes != sizes[name]:
            raise DataError(
                f"{plan.place.file(name)} was written by another process meanwhile; see what it was, and run again"
            )


def _listed(place: Place) -> list[Listing]:
    """The shards that a manifest lists; none where there is no manifest."""
    try:
        manifest = read_manifest(place)
        return [listing_of(place, manifest, split).whole() for split in manifest.splits]
    except Unreachable:
        raise
    except DataError:  # it is written again at the end
        return []
