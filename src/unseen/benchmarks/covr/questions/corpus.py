"""Where a split's images come from: a world of our own, or a user's file of scene graphs; and which share is whose.

No image is in two of train, val and test. A world's scenes are told apart by what they show, a file's by their ids.
Both come in *corpora* within which images are related to each other: a world has as many as are asked for, each of some
thousand scenes; a file is one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property, lru_cache, partial
from pathlib import Path

from unseen.benchmarks.covr.english.exclusivity import ALLOWED, tabled
from unseen.benchmarks.covr.questions.execute import items
from unseen.benchmarks.covr.readers import gqa
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.store.memory import Memory
from unseen.benchmarks.covr.store.query import Attested
from unseen.benchmarks.covr.world import flat, identity, tabletop
from unseen.benchmarks.covr.world.scene import Scene
from unseen.core.errors import DataError
from unseen.core.key import hash_bytes
from unseen.core.random import path_key
from unseen.core.splits import PARTS

SCENES = 1_000  # of one corpus of a world
RELATED = 50  # images that are looked up at a time; a question has five
WORLDS: dict[str, identity.Make] = {"flat": partial(flat.scene, flat.World()), "3d": tabletop.scene}


class Corpus:
    """Scenes among which related images are looked up."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self.store = Memory(scenes, most=RELATED)
        self.scenes = self.store.scenes
        self.tables = {id: items(scene) for id, scene in self.scenes.items()}  # as programs see them

    @cached_property
    def attested(self) -> Attested:
        """What occurs in the scenes."""
        return self.store.attested()

    @cached_property
    def modified(self) -> set[str]:
        """The relations that have modifiers."""
        return {name.partition(":_")[0] for name in self.attested.all_relations if ":_" in name}

    def contraries(self, subject: str | None, relation: str, target: str | None) -> set[str]:
        """Other relations between things of two names, which exclude this one and can be told without a modifier."""
        between = self.attested.relations.get((subject or "", target or ""), set()) - self.modified
        return {other for other in between if tabled("relation", relation, other) > ALLOWED}


@lru_cache(maxsize=4)
def corpus(images: str, source: str, file: str, number: int) -> Corpus:
    """One corpus of a share of the images of a world, by its name, or of a file, which has only number 0."""
    if file:
        return Corpus(scene for scene in scenes_of(file).values() if share(scene, file) == images)
    indices = range(number * SCENES, (number + 1) * SCENES)
    return Corpus(identity.scenes(WORLDS[source], path_key(0, "covr", images), PARTS[images], indices))


def find_scene(spec: Spec, image: str) -> Scene:
    """A scene by its id."""
    if not spec.corpus:
        return recalled(spec.world, image)
    if image not in scenes_of(spec.corpus):
        raise DataError(f"{spec.corpus} has no scene {image!r}; is it the file that the questions were made from?")
    return scenes_of(spec.corpus)[image]


def share(scene: Scene, file: str) -> str:
    """The share of the images that a scene belongs to: train, val or test."""
    key = hash_bytes(scene.id.encode()) if file else identity.content_key(scene)
    return next(name for name in ("train", "val", "test") if PARTS[name].holds(key))


@lru_cache(maxsize=4096)
def recalled(source: str, image: str) -> Scene:
    """A scene of a world, made again from its id."""
    return WORLDS[source](*identity.stream_of(image))


@lru_cache(maxsize=1)
def scenes_of(file: str) -> dict[str, Scene]:
    """The scenes of a file of GQA scene graphs."""
    return {scene.id: scene for scene in gqa.read(file)}


@lru_cache(maxsize=8)
def digest(file: str) -> str:
    """What a file's contents are known by; nothing for a world."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""
    except OSError as error:
        raise DataError(f"cannot read the scene graphs of corpus={file}: {(error.strerror or '').lower()}") from error
