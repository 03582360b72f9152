"""The index in memory, for bulk generation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unseen.benchmarks.covr.english.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.store import index, kernels
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import Attested, Query, place
from unseen.benchmarks.covr.world.scene import Scene

LONG = 32  # a list with more than a scene in so many has a row of bits, which is shorter


class Memory(Store):
    """Scenes in memory, found in microseconds."""

    def __init__(
        self,
        scenes: Iterable[Scene],
        exclusive: Exclusive = tabled,
        complete: Complete | None = None,
        most: int = MOST,  # images of one answer
    ) -> None:
        super().__init__(exclusive, complete)
        self.most = most
        self.scenes = {scene.id: scene for scene in sorted(scenes, key=lambda scene: scene.id)}
        self._ids = np.array(list(self.scenes), dtype=object)
        numbers: dict[str, int] = {}
        corpus = index.read(self.scenes.values(), numbers)
        self._codes = index.Codes(numbers)
        self._blocks, self._graph = index.packed(corpus, np.int16 if len(numbers) < 2**15 else np.int32)
        self._index(corpus)

    def _index(self, corpus: index.Corpus) -> None:
        """Put the lists of all facts into one array, after that of all scenes."""
        pieces = [np.arange(len(self), dtype=np.int32)]
        start = len(self)
        self._everywhere = (0, start)
        self._spans: dict[index.Fact, tuple[int, int]] = {}
        for fact, scenes in index.lists(corpus):
            pieces.append(scenes)
            self._spans[fact] = start, start + len(scenes)
            start += len(scenes)
        self._lists = np.concatenate(pieces)
        long = [span for span in (self._everywhere, *self._spans.values()) if LONG * (span[1] - span[0]) >= len(self)]
        self._rows = {span: row for row, span in enumerate(long)}
        self._maps = np.array([index.bits(self._lists[slice(*span)], len(self)) for span in long])

    def __len__(self) -> int:
        return len(self.scenes)

    def scene(self, scene_id: str) -> Scene:
        """A scene by its id."""
        return self.scenes[scene_id]

    def attested(self) -> Attested:
        """What occurs in the scenes."""
        return index.attested(self._spans, list(self._codes.numbers))

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query."""
        pattern, without = self._codes.of(query.pattern), self._codes.of(query.without)
        if not index.is_possible(pattern):
            return []
        known = self._spans
        spans = {self._everywhere, *(known[fact] for fact in index.facts(pattern) if fact in known)}
        shortest = sorted(spans, key=lambda span: (span[1] - span[0], span))
        rows = [self._rows.get(span, -1) for span in shortest]
        out = np.empty(self.most, np.int32)
        found = kernels.find(
            *(self._lists, np.array(shortest, np.int64), np.array(rows, np.int64), self._maps),
            *(place(query.pattern) % len(self), pattern, query.several, without, query.without_several),
            *(self._blocks, self._graph, self._codes.sets, out),
        )
        ids: list[str] = self._ids[np.sort(out[:found])].tolist()
        return ids
