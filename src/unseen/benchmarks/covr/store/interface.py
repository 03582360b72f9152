"""What every store answers, and the part of the answer that does not depend on where the scenes are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple, overload

from unseen.benchmarks.covr.english.exclusivity import Exclusive
from unseen.benchmarks.covr.store.query import Attested, Query, Substitutions, families, matches, pattern_of
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Node

MOST = 500  # images of one answer

# Whether a subgraph that a scene's graph does not hold is really not in its image. Graphs drawn by hand leave things
# out, and a learned model may know; those of generated worlds are complete.
Complete = Callable[[Scene, Node], bool]


class Match(NamedTuple):
    """An image, and the subgraph that was looked for as it is found there."""

    scene: str
    graph: Node


class Matches(Sequence[Match]):
    """Images by their ids, in order; what was found in one is looked up when it is asked for."""

    def __init__(self, scenes: Sequence[str], query: Query, scene: Callable[[str], Scene]) -> None:
        self.scenes = scenes
        self._query = query
        self._scene = scene

    def __len__(self) -> int:
        return len(self.scenes)

    @overload
    def __getitem__(self, at: int) -> Match: ...

    @overload
    def __getitem__(self, at: slice) -> Matches: ...

    def __getitem__(self, at: int | slice) -> Match | Matches:
        if isinstance(at, slice):
            return Matches(self.scenes[at], self._query, self._scene)
        scene = self.scenes[at]
        return Match(scene, next(matches(self._query.pattern, self._scene(scene))))


class Store(ABC):
    """Scenes, and which of them hold what."""

    def __init__(self, exclusive: Exclusive, complete: Complete | None, most: int) -> None:
        self.exclusive = exclusive
        self.complete = complete
        self.most = most
        self._substitutions: Substitutions | None = None

    @abstractmethod
    def __len__(self) -> int:
        """How many scenes there are."""

    @property
    @abstractmethod
    def ids(self) -> list[str]:
        """The ids of all scenes, in alphabetical order."""

    @abstractmethod
    def scene(self, scene_id: str) -> Scene:
        """Return a scene by its id."""

    @abstractmethod
    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query, in alphabetical order.

        Where there are more than `most`, these are the first from one on that the words of the query decide.
        """

    @abstractmethod
    def attested(self) -> Attested:
        """Return what occurs in the scenes."""

    def containing(self, node: Node, multi_count: int = 1) -> Matches:
        """Images that hold a subgraph; several times, where it is marked."""
        query = Query(pattern_of(node), min(multi_count, 2))
        return Matches(self.find(query), query, self.scene)

    def distractors(self, node: Node, multi_count: int = 1) -> dict[str, Matches]:
        """Images that come close to a subgraph and do not hold it, by family; families without any are left out."""
        found = {key: self.answer(node, query) for key, query in self.queries(node, multi_count).items()}
        return {key: matches for key, matches in found.items() if len(matches)}

    @property
    def substitutions(self) -> Substitutions:
        """Which words that occur in the scenes may stand for which."""
        if self._substitutions is None:
            self._substitutions = Substitutions(self.attested(), self.exclusive)
        return self._substitutions

    def queries(self, node: Node, multi_count: int = 1) -> dict[str, Query]:
        """Return what is looked for, by family."""
        return families(node, self.substitutions, multi_count=multi_count)

    def answer(self, node: Node, query: Query) -> Matches:
        """Return the images of one family of a subgraph."""
        ids = self.find(query)
        if self.complete is not None:
            ids = [scene_id for scene_id in ids if self.complete(self.scene(scene_id), node)]
        return Matches(ids, query, self.scene)
