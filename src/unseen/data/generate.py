"""Generate a data set into a place: only the shards that are not there yet, then the manifest and the card.

Started again after any interruption, it ends with the same bytes. A place holds one data set: what belongs to another
task, seed or version is refused before anything is touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
from unseen.data.dataset import SEED, Generated
from unseen.data.manifest import Examined, manifest_of, read_manifest, write_manifest
from unseen.data.places import Place, Unreachable, place_of
from unseen.data.shards import (
    DamagedShard,
    Footer,
    Shard,
    damaged,
    data_set,
    encode_shard,
    entry_of,
    examine,
    read_footer,
    shard_at,
    shards_of,
)
from unseen.engines import Engine
from unseen.engines import engine as engine_of

AT_ONCE = 16  # footers that are read at the same time: a store takes its time to answer, and answers many at once


@dataclass(frozen=True)
class Plan:
    """What a place is to hold: how many examples of which splits."""

    task: Task
    seed: int
    place: Place
    counts: dict[str, int]

    def shards(self) -> Iterator[Shard]:
        """Every shard, split by split."""
        for split, count in self.counts.items():
            yield from shards_of(split, count, self.task.kind.shard_rows)


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
        done = whole(plan, engine=engine, workers=workers, regenerate=regenerate)
        done |= _make_missing(plan, done, engine, workers, progress)
        refuse_others(plan, done)
        manifest = manifest_of(_complete(done, task.kind.shard_rows))
        write_manifest(plan.place, manifest)
        plan.place.write(card.NAME, card.card(task, manifest).encode())
    return plan.place.where


def make(plan: Plan, sources: dict[str, Generated], shard: Shard) -> Examined:
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
    plan: Plan, done: dict[str, Examined], engine: str | Engine, workers: int | None, progress: Progress | None
) -> dict[str, Examined]:
    total = sum(plan.counts.values())
    missing = [shard for shard in plan.shards() if shard.name not in done]
    finished = total - sum(shard.stop - shard.start for shard in missing)
    expect(total - finished)
    splits = dict.fromkeys(shard.split for shard in missing)
    sources = {split: _ready(plan, split, engine, workers) for split in splits}
    made: dict[str, Examined] = {}
    with closing(engine_of(engine)(partial(make, plan, sources), missing, workers)) as results:
        for footer, entry in results:
            _refuse_elsewhere(plan.place, entry.file)
            made[entry.file] = footer, entry
            finished += entry.rows
            if progress:
                progress(finished, total)
    return made


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
    source.example(0).arrays  # noqa: B018
    source.find_moved(engine, workers)
    return source


# ---------------------------------------------------------------------------- what a place holds already


@dataclass(frozen=True)
class Look:
    """A shard that is there already, to be looked at."""

    place: Place
    name: str
    sha256: str  # that a manifest lists; none where there is no manifest
    mendable: bool  # whether it is made again where it is damaged


def present(plan: Plan) -> None:
    """Refuse a place that holds anything else than shards of a plan, by their footers."""
    sizes = plan.place.sizes()
    if card.NAME in sizes and card.MARK not in plan.place.read(card.NAME).decode(errors="replace"):
        raise DataError(f"{plan.place} has a {card.NAME} that unseen did not write; choose another folder")
    planned = {shard.name for shard in plan.shards()}

    def look(name: str) -> None:
        try:
            _refuse_other(name, read_footer(plan.place, name), plan)
        except DamagedShard:
            if name not in planned:
                raise

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(look, _shards_among(sizes)))


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


def whole(plan: Plan, *, engine: str | Engine, workers: int | None, regenerate: bool) -> dict[str, Examined]:
    """The undamaged shards of a place, by name; a damaged one is an error, or left out to be made again."""
    listed = _listed(plan.place)
    mendable = {shard.name for shard in plan.shards()} if regenerate else set()
    names = _shards_among(plan.place.sizes())
    looks = [Look(plan.place, name, listed.get(name, ""), name in mendable) for name in names]
    found: dict[str, Examined] = {}
    with closing(engine_of(engine)(look_at, looks, workers)) as results:
        for footer, entry in filter(None, results):
            _refuse_other(entry.file, footer, plan)
            found[entry.file] = footer, entry
    return found


def look_at(look: Look) -> Examined | None:
    """Read a shard that is there to its end; this is the work of a worker."""
    try:
        footer, entry = examine(look.place, look.name)
        if look.sha256 and look.sha256 != entry.sha256:
            raise damaged(look.place.file(look.name), "its SHA-256 is not the manifest's")
    except DamagedShard as error:
        if look.mendable or isinstance(error.__cause__, FileNotFoundError):  # or gone since it was listed
            return None
        raise
    return footer, entry


def refuse_others(plan: Plan, done: dict[str, Examined]) -> None:
    """Look once more whether all shards that are there are those that were made or found: no lock is perfect."""
    sizes = plan.place.sizes()
    for name in _shards_among(sizes):
        if name not in done or sizes[name] != done[name][1].bytes:
            raise DataError(
                f"{plan.place.file(name)} was written by another process meanwhile; see what it was, and run again"
            )


def _listed(place: Place) -> dict[str, str]:
    """The SHA-256 of every shard that a manifest lists; none where there is no manifest."""
    try:
        manifest = read_manifest(place)
    except Unreachable:
        raise
    except DataError:  # it is written again at the end
        return {}
    return {entry.file: entry.sha256 for split in manifest.splits.values() for entry in split.shards}


def _complete(shards: dict[str, Examined], rows: int) -> list[Examined]:
    """The shards of the splits that are complete: one of an earlier, interrupted run may not be."""
    counts = {footer.split: footer.count for footer, _ in shards.values()}
    plans = [[shard.name for shard in shards_of(split, count, rows)] for split, count in counts.items()]
    return [shards[name] for names in plans if shards.keys() >= set(names) for name in names]
