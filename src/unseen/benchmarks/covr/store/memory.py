"""The index in memory: words as numbers, graphs as arrays, and for every simple fact the scenes in which it is so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.exclusivity import Exclusive, tabled
from unseen.benchmarks.covr.scene import Scene
from unseen.benchmarks.covr.store import kernels
from unseen.benchmarks.covr.store.interface import MOST, Complete, Store
from unseen.benchmarks.covr.store.query import OBJECT, RELATION, Attested, Pattern, Query, Words

SHORTEST = 3  # lists that are compared before a scene is looked at
REMEMBERED = 4096  # patterns in the form of the kernels

Numbers = npt.NDArray[np.int32]
Fact = tuple[Any, ...]  # a kind of fact and the numbers of its words


class Corpus(NamedTuple):
    """Graphs as tables of numbers, as the kernels read them; rows that begin at the end of a table close it."""

    starts: Numbers  # (scenes + 1,) the first thing of each scene
    things: Numbers  # (things + 1, 4) name, scene, first attribute, first relation
    attributes: Numbers  # (attributes,)
    links: Numbers  # (relations + 1 + modifiers, 3) name, target, first modifier
    relations: int  # how many of the links are relations

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
        self._ids = np.array(list(self.scenes), dtype=object)
        self.numbers: dict[str, int] = {}  # of words, whatever they are used for
        self.corpus = self._read()
        self.words = list(self.numbers)
        self._lists = _Lists(self.corpus)
        self._blocks = _blocks(self.corpus, len(self.words))
        self._sets = np.zeros((1, len(self.words)), np.bool_)
        self._codes: dict[Words, int] = {None: kernels.ANY}
        self._patterns: dict[Pattern, Numbers] = {}

    def __len__(self) -> int:
        return len(self.scenes)

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
        modifiers: list[tuple[int, int, int]] = []
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
                        modifiers.append((number.setdefault(modifier, len(number)), place[other], 0))
        starts.append(len(things))
        things.append((-1, -1, len(attributes), len(relations)))
        relations.append((-1, -1, len(modifiers)))
        links = np.array(relations + modifiers, np.int32)
        links[: len(relations), kernels.MODIFIER_START] += len(relations)  # where modifiers begin
        return Corpus(
            *(np.array(starts, np.int32), np.array(things, np.int32), np.array(attributes, np.int32)),
            *(links, len(relations) - 1),
        )

    def attested(self) -> Attested:
        """What occurs in the scenes."""
        _, things, attributes, links, count = self.corpus
        names, subjects = things[:, kernels.NAME], self.corpus.subjects
        agents = np.repeat(subjects, np.diff(links[: count + 1, kernels.MODIFIER_START]))
        described = np.repeat(names[:-1], np.diff(things[:, kernels.ATTRIBUTE_START]))
        triples = [
            np.stack([names[subject], some[:, kernels.NAME], names[some[:, kernels.TARGET]]], axis=1)
            for subject, some in ((subjects, links[:count]), (agents, links[count + 1 :]))
        ]
        words = self.words
        return Attested(
            ((words[s], words[r], words[o]) for s, r, o in np.unique(np.concatenate(triples), axis=0).tolist()),
            ((words[n], words[a]) for n, a in np.unique(np.stack([described, attributes], axis=1), axis=0).tolist()),
        )

    # ------------------------------------------------------------------------ search

    def find(self, query: Query) -> list[str]:
        """Ids of the scenes that answer a query; of very many those after a place that the query decides."""
        pattern, without = self._coded(query.pattern), self._coded(query.without)
        if (pattern[:, kernels.WORDS : kernels.PARENT] == kernels.NONE).any():
            return []
        spans = self._lists.of(_facts(pattern.tolist()))
        out = np.empty(self.most, np.int32)
        found = kernels.find(
            *(self._lists.scenes, np.array(spans[:SHORTEST], np.int64)),
            *(pattern, query.several, without, query.without_several, *self._blocks, self._sets, out),
        )
        ids: list[str] = self._ids[np.sort(out[:found])].tolist()
        return ids

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
            if len(known) > 1:
                row = np.zeros((1, len(self.words)), np.bool_)
                row[0, known] = True
                self._sets = np.concatenate([self._sets, row])
                self._codes[words] = -1 - len(self._sets)
            else:
                self._codes[words] = known[0] if known else kernels.NONE
        return self._codes[words]


def _blocks(corpus: Corpus, words: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.signedinteger[Any]]]:
    """The scenes packed for the search, as the kernels say; in short numbers, where the words are few enough."""
    blocks = np.zeros(len(corpus.starts) - 1, np.int64)
    kind = np.int16 if words < 2**15 else np.int32
    size = kernels.pack(*corpus[:4], blocks, np.empty(0, kind))
    graph = np.zeros(size, kind)
    kernels.pack(*corpus[:4], blocks, graph)
    return blocks, graph


def _facts(pattern: list[list[int]]) -> Iterator[Fact]:
    """What is so in every scene that holds a pattern, as far as its elements of a single word say it."""
    words = [(max(word, kernels.ANY), max(attribute, kernels.ANY)) for _, word, attribute, _ in pattern]
    for i, (kind, _, _, parent) in enumerate(pattern):
        if kind == OBJECT:
            yield "thing", *words[i]
        elif kind == RELATION:
            (subject, trait), (relation, _), (target, other) = words[parent], words[i], words[i + 1]
            yield "relation", subject, relation, target
            yield "from", trait, relation, target
            yield "to", other, relation, target


class _Lists:
    """The index: for each fact the scenes in which it is so, in ascending order, all in one array."""

    def __init__(self, corpus: Corpus) -> None:
        everywhere = np.arange(len(corpus.starts) - 1, dtype=np.int32)
        pieces = [everywhere]
        start = len(everywhere)
        self.everywhere = (0, start)
        self.spans: dict[Fact, tuple[int, int]] = {}
        for kind, *columns in _columns(corpus):
            rows = _distinct(columns)
            begins = np.flatnonzero(np.any(np.diff(rows[:, :-1], axis=0, prepend=kernels.NONE), axis=1)).tolist()
            for key, begin, end in zip(rows[begins, :-1].tolist(), begins, [*begins[1:], len(rows)], strict=False):
                self.spans[kind, *key] = start + begin, start + end
            pieces.append(rows[:, -1])
            start += len(rows)
        self.scenes = np.concatenate(pieces)

    def of(self, facts: Iterable[Fact]) -> list[tuple[int, int]]:
        """Where the lists of those facts that have one begin and end, the shortest first."""
        spans = {self.everywhere, *(self.spans[fact] for fact in facts if fact in self.spans)}
        return sorted(spans, key=lambda span: (span[1] - span[0], span))


def _columns(corpus: Corpus) -> Iterator[tuple[Any, ...]]:
    """The kinds of facts that are listed, each with columns of words, or of ANY for those left open, and of scenes."""
    things, relations, subjects = corpus.things[:-1], corpus.links[: corpus.relations], corpus.subjects
    names, scenes = things[:, kernels.NAME], things[:, kernels.SCENE]
    owners = np.repeat(np.arange(len(things)), np.diff(corpus.things[:, kernels.ATTRIBUTE_START]))
    kinds, targets = relations[:, kernels.NAME], relations[:, kernels.TARGET]
    yield "thing", names, np.full_like(names, kernels.ANY), scenes
    yield "thing", names[owners], corpus.attributes, scenes[owners]
    yield "thing", np.full_like(corpus.attributes, kernels.ANY), corpus.attributes, scenes[owners]
    triple = (names[subjects], kinds, names[targets])
    for given in ((1, 1, 1), (0, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 0)):
        columns = (np.where(one, words, kernels.ANY) for one, words in zip(given, triple, strict=True))
        yield "relation", *columns, scenes[subjects]
    for kind, ends in (("from", subjects), ("to", targets)):
        rows, traits = _spread(ends, corpus)
        for others in (names[targets[rows]], np.full_like(traits, kernels.ANY)):
            yield kind, traits, kinds[rows], others, scenes[subjects[rows]]


def _spread(things: Numbers, corpus: Corpus) -> tuple[npt.NDArray[np.intp], Numbers]:
    """One row per attribute of each of some things: which of them it is, and the attribute."""
    starts = corpus.things[:, kernels.ATTRIBUTE_START]
    counts = starts[things + 1] - starts[things]
    rows = np.repeat(np.arange(len(things)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, corpus.attributes[starts[things[rows]] + within]


def _distinct(columns: list[Numbers]) -> Numbers:
    """The rows of a table in ascending order, each once."""
    order = np.lexsort(columns[::-1])
    rows = np.stack([column[order] for column in columns], axis=1)
    return rows[np.any(np.diff(rows, axis=0, prepend=kernels.NONE), axis=1)]
