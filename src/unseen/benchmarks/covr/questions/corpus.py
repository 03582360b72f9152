"""Where a split's images come from: a world of our own, or a user's files of scene graphs; and which share is whose.

No image is in two of train, val and test. A world's scenes are told apart by what they show; those of files by the
file, where val and test have files of their own, and by their ids. Both come in *corpora* within which images are
related to each other: a world has as many as are asked for, each of some hundred scenes; files are one.

Files are read once: their scenes and the index of these are kept in the cache folder, from which every process maps
them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.english.exclusivity import ALLOWED, tabled
from unseen.benchmarks.covr.questions.execute import items
from unseen.benchmarks.covr.questions.operators import Table
from unseen.benchmarks.covr.readers import formats, judgements
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.store import index, mapped
from unseen.benchmarks.covr.store.interface import Store
from unseen.benchmarks.covr.store.memory import Memory
from unseen.benchmarks.covr.store.query import Attested
from unseen.benchmarks.covr.store.sql import PostgreSQL, SQLite
from unseen.benchmarks.covr.world import flat, identity, stream, tabletop
from unseen.benchmarks.covr.world.scene import Scene
from unseen.core import contents
from unseen.core.errors import DataError
from unseen.core.files import cache_root
from unseen.core.random import path_key
from unseen.core.splits import PARTS

SCENES = 300  # of one corpus of a world: enough to be related, and few enough to be made for one question
RELATED = 50  # images that are looked up at a time; a question has five
SHARES = ("train", "val", "test")
WORLDS: dict[str, stream.Make] = {"flat": partial(flat.scene, flat.World()), "3d": tabletop.scene}


class Corpus:
    """Scenes among which related images are looked up."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ids = store.ids
        self.tables = _Tables(store)

    @cached_property
    def attested(self) -> Attested:
        """What occurs in the scenes."""
        return self.store.substitutions.attested

    @cached_property
    def modified(self) -> set[str]:
        """The relations that have modifiers."""
        return {name.partition(":_")[0] for name in self.attested.all_relations if ":_" in name}

    def contraries(self, subject: str | None, relation: str, target: str | None) -> set[str]:
        """Other relations between things of two names, which exclude this one and can be told without a modifier."""
        between = self.attested.relations.get((subject or "", target or ""), set()) - self.modified
        return {other for other in between if self.store.exclusive("relation", relation, other) > ALLOWED}


class _Tables(dict[str, Table]):
    """Scenes as programs see them, each made when it is first asked for."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store

    def __missing__(self, scene_id: str) -> Table:
        self[scene_id] = made = items(self.store.scene(scene_id))
        return made


def corpus(spec: Spec, number: int) -> Corpus:
    """Return one corpus of a share of the images of a world, or of files, which have only number 0."""
    images = replace(spec, keep="", shots=0, among=0, distractors="hard", style="english")
    return _corpus(images, 0 if spec.corpus else number)


@lru_cache(maxsize=16)  # those of the batches that a loader shuffles with each other
def _corpus(spec: Spec, number: int) -> Corpus:
    if spec.corpus:
        return Corpus(_opened(spec))
    indices = range(number * SCENES, (number + 1) * SCENES)
    scenes = stream.scenes(WORLDS[spec.world], path_key(0, "covr", spec.images), PARTS[spec.images], indices)
    return Corpus(Memory(scenes, most=RELATED))


# ---------------------------------------------------------------------------- single scenes


def find_scene(spec: Spec, image: str) -> Scene:
    """Return a scene by its id."""
    if not spec.corpus:
        return recalled(spec.world, image)
    for images in (spec.images, *SHARES):
        if image in (shelf := shelves(spec.corpus, spec.corpus_val)[images]):
            return shelf[image]
    raise DataError(f"{spec.corpus[0]} has no scene {image!r}; is it the file that the questions were made from?")


@lru_cache(maxsize=4096)
def recalled(source: str, image: str) -> Scene:
    """Return a scene of a world, made again from its id."""
    return WORLDS[source](*identity.stream_of(image))


def share(spec: Spec, scene: Scene) -> str:
    """Return the share of the images that a scene belongs to: train, val or test."""
    if not spec.corpus:
        return _part(identity.content_key(scene), SHARES)
    if spec.corpus_val and scene.id in shelves(spec.corpus, spec.corpus_val)["train"]:
        return "train"
    return _file_share(scene.id, trained=not spec.corpus_val)


def _file_share(scene_id: str, *, trained: bool) -> str:
    """The share of a scene of a file that is trained on too, or of one that is only for val and test."""
    key = identity.hashed(scene_id)
    return _part(key, SHARES) if trained else _part(key, ("val_ood", "test_ood")).removesuffix("_ood")


def _part(key: int, names: Iterable[str]) -> str:
    return next(name for name in names if PARTS[name].holds(key))


# ---------------------------------------------------------------------------- files


class Shelf(Mapping[str, Scene]):
    """Scenes mapped from a file: their index, and as short texts what it does not know of them."""

    def __init__(self, arrays: mapped.Arrays) -> None:
        self.texts, self.spans = arrays["texts"], arrays["text_spans"]
        self.rows = {scene_id: row for row, scene_id in enumerate(json.loads(arrays["ids"].tobytes()))}
        self.index = index.Index.of(arrays)

    def __getitem__(self, scene_id: str) -> Scene:
        row = self.rows[scene_id]
        begin, end = self.spans[row]
        width, height, location, keys, boxes = json.loads(self.texts[begin:end].tobytes())
        things = dict(zip(keys, self.index.things(row, keys, boxes), strict=True))
        return Scene(scene_id, things, width, height, location)

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


_short = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


class _Stack:
    """A shelf in the making."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.things: set[str] = set()
        self.texts = bytearray()
        self.ends = [0]
        self.tables = index.Tables(index.Numbering())

    def add(self, scene: Scene) -> None:
        """Add a scene."""
        if not self.things.isdisjoint(scene.things):
            thing = next(thing for thing in scene.things if thing in self.things)
            raise DataError(f"object {thing!r} of image {scene.id!r} has the id of one in another image")
        self.things.update(scene.things)
        self.ids.append(scene.id)
        boxes = [thing.box for thing in scene.things.values()]
        self.texts += _short((scene.width, scene.height, scene.location, [*scene.things], boxes)).encode()
        self.ends.append(len(self.texts))
        self.tables.add(scene)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that is kept of it."""
        order = index.alphabetical(self.ids)
        return {
            **index.built(self.tables, order).arrays,
            "ids": np.frombuffer(json.dumps([self.ids[k] for k in order]).encode(), np.uint8),
            "texts": np.frombuffer(self.texts, np.uint8),
            "text_spans": np.column_stack([self.ends[:-1], self.ends[1:]])[order],
        }


@lru_cache(maxsize=2)
def shelves(files: tuple[str, ...], files_val: tuple[str, ...]) -> dict[str, Shelf]:
    """Return the scenes of files by their share: mapped from the cache, or read and kept there."""
    what = f"{code()} {digest(files)} {digest(files_val)}"
    folder = cache_root() / "covr" / "corpora" / hashlib.sha256(what.encode()).hexdigest()[:32]
    kept = {images: mapped.read(folder / images) for images in SHARES}
    if None in kept.values():
        kept = dict(_read(files, files_val))
        for images, arrays in kept.items():
            mapped.write(folder / images, arrays or {})
    return {images: Shelf(arrays or {}) for images, arrays in kept.items()}


def _read(files: tuple[str, ...], files_val: tuple[str, ...]) -> Iterator[tuple[str, dict[str, npt.NDArray[Any]]]]:
    """The arrays of every share of the scenes of files."""
    stacks: dict[str, _Stack] = {images: _Stack() for images in SHARES}
    seen: set[str] = set()
    for file in (*files, *files_val):
        for scene in formats.read(file):
            images = "train" if files_val and file in files else _file_share(scene.id, trained=not files_val)
            if scene.id in seen:
                raise DataError(f"{file}: image {scene.id!r} is there twice, or in two files")
            seen.add(scene.id)
            stacks[images].add(scene)
    return ((images, stack.arrays()) for images, stack in stacks.items())


def _opened(spec: Spec) -> Store:
    """The scenes of files in the store that is asked for."""
    shelf = shelves(spec.corpus, spec.corpus_val)[spec.images]
    exclusive = judgements.exclusive(spec.exclusive) if spec.exclusive else tabled
    complete = judgements.complete(spec.complete) if spec.complete else None
    if spec.store == "memory":
        return Memory(shelf, exclusive, complete, RELATED, shelf.index)
    name = hashlib.sha256(f"{digest(spec.corpus)} {digest(spec.corpus_val)} {spec.images}".encode()).hexdigest()[:32]
    if spec.store == "sqlite":
        path = cache_root() / "covr" / "stores" / f"{name}.sqlite"
        store: SQLite | PostgreSQL = SQLite(path, exclusive, complete, RELATED)
    else:
        store = PostgreSQL("", exclusive, complete, RELATED, schema=f"covr_{name}")
    store.fill(shelf.values)
    return store


@lru_cache(maxsize=16)
def digest(files: tuple[str, ...]) -> str:
    """What the contents of files are known by, with those of the files that belong to them; nothing for a world."""
    return " ".join(contents.digest(str(one)) for file in map(Path, files) for one in (file, *formats.companions(file)))


@cache
def code() -> str:
    """Hash all source files of this package, which decide what questions are made."""
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
