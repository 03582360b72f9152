"""The index in memory, for bulk generation."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np

from unseen.benchmarks.covr.english.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.store import index, kernels
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import Attested, Query, place
from unseen.benchmarks.covr.world.scene import Scene

Span = tuple[int, int]  # where a list begins and ends


class Memory(Store):
    """Scenes found in microseconds, by an index in memory or mapped into it; scenes themselves may be anywhere."""

    def __init__(
        self,
        scenes: Iterable[Scene] | Mapping[str, Scene],
        exclusive: Exclusive = tabled,
        complete: Complete | None = None,
        most: int = MOST,  # images of one answer
        known: index.Index | None = None,  # the index, where there is one already
    ) -> None:
        super().__init__(exclusive, complete, most)
        self.scenes = scenes if isinstance(scenes, Mapping) else {scene.id: scene for scene in scenes}
        self._ids = np.array(sorted(self.scenes), dtype=object)
        self.index = known or self._built()
        self._codes = index.Codes({word: number for number, word in enumerate(self.index.words)})
        self._columns = [memoryview(column) for column in self.index.facts]
        self._everywhere = 0, len(self)
        long = (self._everywhere, *map(tuple, self.index.spans[self.index.long].tolist()))
        self._rows = {span: row for row, span in enumerate(long)}
        self._spans: dict[index.Fact, list[Span]] = {}  # of facts that were asked for

    def _built(self) -> index.Index:
        tables = index.Tables(index.Numbering())
        for scene_id in self.ids:
            tables.add(self.scenes[scene_id])
        return index.built(tables, index.alphabetical(self.ids))

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def ids(self) -> list[str]:
        """The ids of all scenes, in alphabetical order."""
        ids: list[str] = self._ids.tolist()
        return ids

    def scene(self, scene_id: str) -> Scene:
        """Return a scene by its id."""
        return self.scenes[scene_id]

    def attested(self) -> Attested:
        """Return what occurs in the scenes."""
        return index.attested(self.index.facts, self.index.words)

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query."""
        pattern, without = self._codes.of(query.pattern), self._codes.of(query.without)
        if not index.is_possible(pattern):
            return []
        spans = {self._everywhere, *chain.from_iterable(map(self._listed, index.facts(pattern)))}
        shortest = sorted(spans, key=lambda span: (span[1] - span[0], span))
        rows = [self._rows.get(span, -1) for span in shortest]
        out = np.empty(self.most, np.int32)
        blocks, graph, lists, maps = self.index.blocks, self.index.graph, self.index.lists, self.index.maps
        found = kernels.find(
            *(lists, np.array(shortest, np.int64), np.array(rows, np.int64), maps),
            *(place(query.pattern) % len(self), pattern, query.several, without, query.without_several),
            *(blocks, graph, self._codes.sets, out),
        )
        ids: list[str] = self._ids[np.sort(out[:found])].tolist()
        return ids

    def _listed(self, fact: index.Fact) -> list[Span]:
        """Where the list of a fact begins and ends, if there is one."""
        if fact not in self._spans:
            low, high = 0, len(self.index.spans)
            for column, number in zip(self._columns, index.row(fact), strict=True):
                low, high = bisect_left(column, number, low, high), bisect_right(column, number, low, high)
            self._spans[fact] = [(begin, end) for begin, end in self.index.spans[low:high].tolist()]
        return self._spans[fact]
