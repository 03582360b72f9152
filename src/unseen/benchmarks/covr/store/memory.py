"""The index in memory: words as numbers, graphs as arrays, and the things of every pair of words in a relation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.scene import Scene
from unseen.benchmarks.covr.store import kernels
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import RELATION, Attested, Pattern, Query, Words

PRIME = 7919
REMEMBERED = 4096  # patterns in the form of the kernels

Numbers = npt.NDArray[np.int32]


class Corpus(NamedTuple):
    """Graphs as tables of numbers, as the kernels read them; a last row of things and relations says where all ends."""

    starts: Numbers  # (scenes + 1,) the first thing of each scene
    things: Numbers  # (things + 1, 4) name, scene, first attribute, first relation
    attributes: Numbers  # (attributes,)
    relations: Numbers  # (relations + 1, 3) name, target, first modifier
    modifiers: Numbers  # (modifiers, 2) name, target

    @property
    def subjects(self) -> Numbers:
        """The thing that each relation belongs to."""
        return np.repeat(
            np.arange(len(self.things) - 1, dtype=np.int32), np.diff(self.things[:, kernels.RELATION_START])
        )


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
        self.ids = list(self.scenes)
        self.numbers: dict[str, int] = {}  # of words, whatever they are used for
        self.corpus = self._read()
        self.words = list(self.numbers)
        things, relations, subjects = self.corpus.things[:-1], self.corpus.relations[:-1], self.corpus.subjects
        names, targets = things[:, kernels.NAME], things[relations[:, kernels.TARGET], kernels.NAME]
        self._everything = np.arange(len(things), dtype=np.int32)
        self._named = _Postings(self._everything, names)
        self._between = _Postings(subjects, names[subjects], targets)
        self._into = _Postings(subjects, relations[:, kernels.NAME], targets)
        self._outof = _Postings(subjects, names[subjects], relations[:, kernels.NAME])
        self._sets = np.zeros((0, len(self.words)), np.bool_)
        self._codes: dict[Words, int] = {None: kernels.ANY}
        self._patterns: dict[Pattern, Numbers] = {}
        self._seen = np.full(len(self.ids), -1, np.int32)
        self._searches = 0

    def __len__(self) -> int:
        return len(self.ids)

    def scene(self, scene_id: str) -> Scene:
        """A scene by its id."""
        return self.scenes[scene_id]

    def _read(self) -> Corpus:
        """Write the scenes' graphs into arrays."""
        number = self.numbers
        starts: list[int] = []
        things: list[tuple[int, int, int, int]] = []
        attributes: list[int] = []
        relations: list[tuple[int, int, int]] = []
        modifiers: list[tuple[int, int]] = []
        for row, scene in enumerate(self.scenes.values()):
            starts.append(len(things))
            place = {key: k for k, key in enumerate(scene.things, len(things))}
            for thing in scene.things.values():
                things.append((number.setdefault(thing.name, len(number)), row, len(attributes), len(relations)))
                for attribute in thing.attributes:
                    attributes.append(number.setdefault(attribute, len(number)))
                for name, target, further in thing.relations:
                    relations.append((number.setdefault(name, len(number)), place[target], len(modifiers)))
                    for modifier, other in further:
                        modifiers.append((number.setdefault(modifier, len(number)), place[other]))
        starts.append(len(things))
        things.append((-1, -1, len(attributes), len(relations)))
        relations.append((-1, -1, len(modifiers)))
        return Corpus(
            np.array(starts, np.int32),
            np.array(things, np.int32),
            np.array(attributes, np.int32),
            np.array(relations, np.int32),
            np.array(modifiers, np.int32).reshape(-1, 2),
        )

    def attested(self) -> Attested:
        """What occurs in the scenes."""
        _, things, attributes, relations, modifiers = self.corpus
        names, subjects = things[:, kernels.NAME], self.corpus.subjects
        agents = np.repeat(subjects, np.diff(relations[:, kernels.MODIFIER_START]))
        described = np.repeat(names[:-1], np.diff(things[:, kernels.ATTRIBUTE_START]))
        triples = [
            np.stack([names[subject], what[:, kernels.NAME], names[what[:, kernels.TARGET]]], axis=1)
            for subject, what in ((subjects, relations[:-1]), (agents, modifiers))
        ]
        words = self.words
        return Attested(
            ((words[s], words[r], words[o]) for s, r, o in np.unique(np.concatenate(triples), axis=0).tolist()),
            ((words[n], words[a]) for n, a in np.unique(np.stack([described, attributes], axis=1), axis=0).tolist()),
        )

    # ------------------------------------------------------------------------ search

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query; of very many those after a place that the query decides."""
        candidates = self._candidates(query.pattern)
        if not len(candidates):
            return []
        pattern, without = self._coded(query.pattern), self._coded(query.without)
        # another stretch of the corpus for another pattern; numbers of sets depend on what was asked before
        first = int(pattern[pattern[:, kernels.WORDS] >= 0, kernels.WORDS].sum()) * PRIME % len(candidates)
        out = np.empty(self.most, np.int32)
        self._searches += 1
        found = kernels.find(
            candidates,
            *(pattern, query.several, without, query.without_several),
            *(*self.corpus, self._sets, first, self._seen, self._searches, out),
        )
        return [self.ids[row] for row in out[:found].tolist()]

    def _coded(self, pattern: Pattern) -> Numbers:
        """A pattern in the form of the kernels."""
        if pattern not in self._patterns:
            if len(self._patterns) > REMEMBERED:
                self._patterns.clear()
            rows = [(kind, self._code(words), self._code(attributes), up) for kind, words, attributes, up in pattern]
            self._patterns[pattern] = np.array(rows, np.int32).reshape(-1, kernels.FIELDS)
        return self._patterns[pattern]

    def _code(self, words: Words) -> int:
        """The number of a word, or of a set of them."""
        if words not in self._codes:
            known = [self.numbers[word] for word in words or () if word in self.numbers]
            if len(known) == 1:
                self._codes[words] = known[0]
            else:
                row = np.zeros((1, len(self.words)), np.bool_)
                row[0, known] = True
                self._sets = np.concatenate([self._sets, row])
                self._codes[words] = -1 - len(self._sets)
        return self._codes[words]

    def _candidates(self, pattern: Pattern) -> Numbers:
        """Things that might be the pattern's root: the shortest list that the index has."""
        root = pattern[0].words
        ways = [i for i, element in enumerate(pattern) if element.kind == RELATION and element.parent == 0]
        if not ways:
            return self._everything if root is None else _joined(self._named.lists((n,) for n in self._known(root)))
        lists = [self._lists(root, pattern[i].words, pattern[i + 1].words) for i in ways]
        return _joined(min(lists, key=lambda parts: sum(map(len, parts))))

    def _lists(self, subjects: Words, relations: Words, objects: Words) -> list[Numbers]:
        """The subjects of relations between such words, looked up by the pair of words that says most."""
        if subjects and objects and len(subjects) == len(objects) == 1:
            return self._between.lists(product(self._known(subjects), self._known(objects)))
        if objects is not None:
            return self._into.lists(product(self._known(relations), self._known(objects)))
        if subjects is not None:
            return self._outof.lists(product(self._known(subjects), self._known(relations)))
        return [self._everything]

    def _known(self, words: Words) -> list[int]:
        """The numbers of words, of those that occur."""
        return sorted(self.numbers[word] for word in words or () if word in self.numbers)


class _Postings:
    """Lists of things by a key of one or two words."""

    def __init__(self, things: Numbers, *keys: Numbers) -> None:
        order = np.lexsort((things, *reversed(keys)))
        self.things = things[order]
        table = np.stack([key[order] for key in keys], axis=1)
        starts = np.flatnonzero(np.any(np.diff(table, axis=0, prepend=-1), axis=1)).tolist()
        stops = [*starts[1:], len(things)]
        self.spans = dict(zip(map(tuple, table[starts].tolist()), map(slice, starts, stops), strict=True))

    def lists(self, keys: Iterable[tuple[int, ...]]) -> list[Numbers]:
        """The lists of some keys, of those that have one."""
        return [self.things[self.spans[key]] for key in keys if key in self.spans]


def _joined(lists: list[Numbers]) -> Numbers:
    return lists[0] if len(lists) == 1 else np.concatenate([np.empty(0, np.int32), *lists])
