"""Generate a data set into a folder: only the shards that are not there yet, then the manifest and the card.

Started again after any interruption, it ends with the same bytes. A folder holds one data set: what belongs to another
task, seed or version is refused before anything is touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from unseen.core.errors import DataError, SpecError
from unseen.core.files import write_whole
from unseen.core.kernel import expect
from unseen.core.progress import Progress
from unseen.core.task import Task
from unseen.data import card
from unseen.data.dataset import SEED, Generated
from unseen.data.lock import one_writer, remove_leftovers
from unseen.data.manifest import Examined, manifest_of, read_manifest, write_manifest
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


@dataclass(frozen=True)
class Plan:
    """What a folder is to hold: how many examples of which splits."""

    task: Task
    seed: int
    folder: Path
    counts: dict[str, int]

    def shards(self) -> Iterator[Shard]:
        """Every shard, split by split."""
        for split, count in self.counts.items():
            yield from shards_of(split, count, self.task.kind.shard_rows)


def generate(
    task: Task,
    folder: str | Path,
    *,
    splits: Iterable[str] | None = None,
    count: int | None = None,
    seed: int = SEED,
    workers: int | None = None,
    regenerate: bool = False,
    engine: str | Engine = "local",
    progress: Progress | None = None,
) -> Path:
    """Write a task's splits (all of them, unless some are named) to a folder, and return the folder.

    `count` asks for the first examples of each split; splits that are smaller are written whole. With `regenerate`,
    damaged shards are made again; without, they are an error. `progress` is told of examples done and in all.
    """
    plan = Plan(task, seed, Path(folder), _counts(task, splits, count))
    present(plan)  # before the lock, so that a folder of something else is left as it was
    with one_writer(plan.folder):
        remove_leftovers(plan.folder)
        done = whole(present(plan), plan, regenerate=regenerate)
        try:
            done |= _make_missing(plan, done, engine, workers, progress)
        finally:
            remove_leftovers(plan.folder)
        manifest = manifest_of(_complete(done, task.kind.shard_rows))
        write_manifest(plan.folder, manifest)
        write_whole(plan.folder / card.NAME, card.card(task, manifest).encode())
    return plan.folder


def make(plan: Plan, sources: dict[str, Generated], shard: Shard) -> Examined:
    """Make one shard; this is the work of a worker."""
    count = plan.counts[shard.split]
    expect(count)
    footer, content = encode_shard(sources[shard.split], shard, count)
    write_whole(plan.folder / shard.name, content)
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
            _refuse_unseen(plan.folder / entry.file)
            made[entry.file] = footer, entry
            finished += entry.rows
            if progress:
                progress(finished, total)
    return made


def _refuse_unseen(path: Path) -> None:
    """Raise an error for a shard that a worker wrote where this process does not see it."""
    if not path.exists():
        raise DataError(
            f"a worker wrote {path}, which is not to be seen here; for several machines, choose a folder that all of"
            " them share"
        )


def _ready(plan: Plan, split: str, engine: str | Engine, workers: int | None) -> Generated:
    """A source with what workers should not each do again: compiled kernels and the table of moved indices."""
    source = Generated(plan.task, split, plan.seed)
    source.example(0).arrays  # noqa: B018
    source.find_moved(engine, workers)
    return source


# ---------------------------------------------------------------------------- what a folder holds already


def present(plan: Plan) -> list[Path]:
    """The shards in a folder, by their footers; a folder that holds anything else is refused."""
    if not plan.folder.is_dir():
        return []
    if (plan.folder / card.NAME).exists() and card.MARK not in (plan.folder / card.NAME).read_text(errors="replace"):
        raise DataError(f"{plan.folder} has a {card.NAME} that unseen did not write; choose another folder")
    paths = sorted(plan.folder.glob("*.parquet"))
    planned = {shard.name for shard in plan.shards()}
    for path in paths:
        try:
            footer = read_footer(path)
        except DamagedShard:
            if path.name not in planned:
                raise
        else:
            _refuse_other(path, footer, plan)
    return paths


def _refuse_other(path: Path, footer: Footer | None, plan: Plan) -> None:
    """Raise an error unless a shard may stay in the folder of a plan."""
    if footer is None:
        raise DataError(f"{plan.folder} holds {path.name}, which unseen did not write; choose another folder")
    asked = data_set(plan.task, plan.seed)
    if footer.data_set != asked:
        plan.task.check_contents(footer.contents if footer.task == plan.task.id else {}, plan.folder)
        raise DataError(f"{plan.folder} holds {_words(footer.data_set)}, not {_words(asked)}; choose another folder")
    count = plan.counts.get(footer.split, footer.count)
    if footer.count != count:
        raise DataError(
            f"{plan.folder} holds a {footer.split} split of {footer.count:,} examples, and {count:,} are asked for;"
            " ask for as many, or choose another folder"
        )
    rows = plan.task.kind.shard_rows
    if footer.start % rows or path.name != shard_at(footer.split, footer.start // rows, count, rows).name:
        raise DataError(f"{path} does not have the name it was written under; remove it, or choose another folder")


def _words(identity: dict[str, Any]) -> str:
    return "{task} (seed {seed}, version {version}, format {format})".format(**identity)


def whole(paths: list[Path], plan: Plan, *, regenerate: bool) -> dict[str, Examined]:
    """The undamaged shards among some files, by name; a damaged one is an error, or left out to be made again."""
    listed = _listed(plan.folder)
    mendable = {shard.name for shard in plan.shards()} if regenerate else set()
    found: dict[str, Examined] = {}
    for path in paths:
        try:
            footer, entry = examine(path)
            if listed.get(path.name, entry.sha256) != entry.sha256:
                raise damaged(path, "its SHA-256 is not the manifest's")
        except DamagedShard:
            if path.name not in mendable:
                raise
        else:
            found[path.name] = footer, entry
    return found


def _listed(folder: Path) -> dict[str, str]:
    """The SHA-256 of every shard that a manifest lists; none where there is no manifest."""
    try:
        manifest = read_manifest(folder)
    except DataError:  # it is written again at the end
        return {}
    return {entry.file: entry.sha256 for split in manifest.splits.values() for entry in split.shards}


def _complete(shards: dict[str, Examined], rows: int) -> list[Examined]:
    """The shards of the splits that are complete: one of an earlier, interrupted run may not be."""
    counts = {footer.split: footer.count for footer, _ in shards.values()}
    plans = [[shard.name for shard in shards_of(split, count, rows)] for split, count in counts.items()]
    return [shards[name] for names in plans if shards.keys() >= set(names) for name in names]
