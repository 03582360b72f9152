"""What every index is made of: words as numbers, graphs as arrays, and the scenes in which each simple fact is so.

A fact is a kind and the numbers of its words, ANY for those left open:

    thing, name, attribute                  there is a thing of this name with this attribute
    relation, name, relation, target        a thing of this name stands in this relation to one of that name
    from, attribute, relation, target       something like this does
    to, attribute, relation, target         something stands in this relation to a thing of that name that is like this
    modifier, name, modifier, target        a thing of this name does something by means of one of that name

A pattern follows from no scene that lacks one of its facts, so a search looks at the scenes that their lists share.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.store import kernels
from unseen.benchmarks.covr.store.query import OBJECT, RELATION, Attested, Pattern, Words
from unseen.benchmarks.covr.world.scene import Scene

REMEMBERED = 4096  # patterns in the form of the kernels
NAME = 0  # column of things and links
SCENE, ATTRIBUTE_START, RELATION_START = 1, 2, 3  # columns of things
TARGET, MODIFIER_START = 1, 2  # columns of links

Numbers = npt.NDArray[np.int32]
Fact = tuple[Any, ...]  # a kind of fact and the numbers of its words


class Corpus(NamedTuple):
    """Graphs as tables of numbers that stand for words and rows.

    What belongs to a row begins where it says and ends where that of the next row begins; so a row closes each table.
    """

    starts: Numbers  # (scenes + 1,) the first thing of each scene
    things: Numbers  # (things + 1, 4) name, scene, first attribute, first relation
    attributes: Numbers  # (attributes,)
    links: Numbers  # (relations + 1 + modifiers, 3) name, target, first modifier
    relations: int  # how many of the links are relations


class Tables:
    """Tables of scenes in the making; words that have no number yet get the next one."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers
        self.starts = array("i")
        self.things, self.attributes = array("i"), array("i")  # flat, since rows of their own take ten times the memory
        self.relations, self.modifiers = array("i"), array("i")

    def add(self, scene: Scene) -> None:
        """Add a scene."""
        number, things, attributes = self.numbers, self.things, self.attributes
        relations, modifiers = self.relations, self.modifiers
        first, row = len(things) // 4, len(self.starts)
        self.starts.append(first)
        place = {key: k for k, key in enumerate(scene.things, first)}
        for thing in scene.things.values():
            things.extend((_number(number, thing.name), row, len(attributes), len(relations) // 3))
            attributes.extend([_number(number, attribute) for attribute in thing.attributes])
            for name, target, further in thing.relations:
                relations.extend((_number(number, name), place[target], len(modifiers) // 3))
                for modifier, other in further:
                    modifiers.extend((_number(number, modifier), place[other], 0))

    def done(self) -> Corpus:
        """Close the tables."""
        count = len(self.relations) // 3
        starts = np.array([*self.starts, len(self.things) // 4], np.int32)
        things = np.array([*self.things, -1, -1, len(self.attributes), count], np.int32).reshape(-1, 4)
        closing = (-1, -1, len(self.modifiers) // 3)
        links = np.array([*self.relations, *closing, *self.modifiers], np.int32).reshape(-1, 3)
        links[: count + 1, MODIFIER_START] += count + 1  # where modifiers begin
        return Corpus(starts, things, np.array(self.attributes, np.int32), links, count)


def _number(numbers: dict[str, int], word: str) -> int:
    return numbers.setdefault(word, len(numbers))


def read(scenes: Iterable[Scene], numbers: dict[str, int]) -> Corpus:
    """Read scenes into arrays; words that have no number yet get the next one."""
    tables = Tables(numbers)
    for scene in scenes:
        tables.add(scene)
    return tables.done()


def packed(corpus: Corpus, kind: type[np.signedinteger[Any]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Where the block of each scene begins, with the end of the last; and all blocks, in numbers of some kind."""
    starts, things, attributes, links, _ = corpus
    relations, traits = things[starts, RELATION_START], things[starts, ATTRIBUTE_START]  # the first of each scene
    modifiers = links[relations, MODIFIER_START]
    own, bound = np.diff(starts) + 1, np.diff(relations) + 1  # rows of things and relations, each with a closing one
    further, told = np.diff(modifiers), np.diff(traits)
    after_links = 1 + kernels.ROW * (own + bound + further)
    blocks = np.concatenate([[0], np.cumsum(after_links + told, dtype=np.int64)])
    graph = np.zeros(blocks[-1], kind)
    graph[blocks[:-1]] = own - 1
    scene, k = _spread(own)
    at, rows = blocks[scene] + 1 + kernels.ROW * k, things[starts[scene] + k]
    graph[at] = rows[:, NAME]
    graph[at + 1] = after_links[scene] + rows[:, ATTRIBUTE_START] - traits[scene]
    graph[at + 2] = rows[:, RELATION_START] - relations[scene]
    for first, counts, before in ((relations, bound, own), (modifiers, further, own + bound)):
        scene, k = _spread(counts)
        at, rows = blocks[scene] + 1 + kernels.ROW * (before[scene] + k), links[first[scene] + k]
        graph[at], graph[at + 1] = rows[:, NAME], rows[:, TARGET] - starts[scene]
        if first is relations:
            graph[at + 2] = bound[scene] + rows[:, MODIFIER_START] - modifiers[scene]
    scene, k = _spread(told)
    graph[blocks[scene] + after_links[scene] + k] = attributes
    return blocks, graph


def _spread(counts: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The group of each member, and its place there, of groups with these numbers of members."""
    groups = np.repeat(np.arange(len(counts)), counts)
    return groups, np.arange(len(groups)) - np.repeat(np.cumsum(counts) - counts, counts)


def bits(scenes: Numbers, count: int) -> npt.NDArray[np.uint64]:
    """Write some of `count` scenes as bits of 64-bit words."""
    marks = np.zeros((count // 64 + 1) * 64, np.bool_)
    marks[scenes] = True
    return np.packbits(marks, bitorder="little").view("<u8").astype(np.uint64)


# ---------------------------------------------------------------------------- the index as a whole

LONG = 32  # a list with more than a scene in so many has a row of bits, which is shorter


class Index(NamedTuple):
    """All that a search looks at, as arrays that can be kept in a file; scenes have the order of their ids."""

    words: list[str]
    blocks: npt.NDArray[np.int64]  # (scenes,) where the block of each begins
    graph: npt.NDArray[Any]  # all blocks
    facts: Numbers  # (facts, 4) kinds and words
    ends: npt.NDArray[
        np.int64
    ]  # (facts + 2,) where lists begin and end: first that of all scenes, then one of each fact
    lists: Numbers
    long: Numbers  # the facts whose lists have a row of bits
    maps: npt.NDArray[np.uint64]  # (1 + long, words of 64 bits), of all scenes first

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The index as arrays by name."""
        words = np.frombuffer(json.dumps(self.words).encode(), np.uint8)
        return {**self._asdict(), "words": words}

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Index:
        """The index of the arrays that `arrays` gives; others are passed over."""
        chosen = {name: arrays[name] for name in cls._fields}
        return cls(**{**chosen, "words": json.loads(chosen["words"].tobytes())})


def built(tables: Tables, ids: Sequence[str]) -> Index:
    """The index of some scenes, which may have been read in any order."""
    corpus, words = tables.done(), list(tables.numbers)
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
    blocks, graph = packed(corpus, np.int16 if len(words) < 2**15 else np.int32)
    ranks = np.empty(len(ids), np.int32)
    ranks[order] = np.arange(len(ids), dtype=np.int32)
    corpus.things[:-1, SCENE] = ranks[corpus.things[:-1, SCENE]]
    facts: list[tuple[int, ...]] = []
    pieces = [np.arange(len(ids), dtype=np.int32)]
    for (kind, *numbers), scenes in lists(corpus):
        facts.append((KINDS.index(kind), *numbers, *(kernels.ANY,) * (3 - len(numbers))))
        pieces.append(scenes)
    long = [k for k, scenes in enumerate(pieces[1:]) if LONG * len(scenes) >= len(ids)]
    maps = np.array([bits(pieces[k], len(ids)) for k in (0, *(k + 1 for k in long))])
    return Index(
        *(words, blocks[:-1][order], graph, np.array(facts, np.int32).reshape(-1, 4)),
        *(np.cumsum([0, *map(len, pieces)]), np.concatenate(pieces), np.array(long, np.int32), maps),
    )


# ---------------------------------------------------------------------------- facts


def lists(corpus: Corpus) -> Iterator[tuple[Fact, Numbers]]:
    """Every fact of a corpus, and the scenes in which it is so in ascending order."""
    for kind, *columns in _fact_columns(corpus):
        order = np.lexsort(columns[::-1])
        rows = np.stack([column[order] for column in columns], axis=1)
        rows = rows[np.any(np.diff(rows, axis=0, prepend=kernels.NONE), axis=1)]  # each once
        begins = np.flatnonzero(np.any(np.diff(rows[:, :-1], axis=0, prepend=kernels.NONE), axis=1)).tolist()
        for key, begin, end in zip(rows[begins, :-1].tolist(), begins, [*begins[1:], len(rows)], strict=False):
            yield (kind, *key), rows[begin:end, -1]


def _fact_columns(corpus: Corpus) -> Iterator[tuple[Any, ...]]:
    """The kinds of facts that are listed, each with columns of words, or of ANY for those left open, and of scenes."""
    things, links = corpus.things[:-1], corpus.links
    names, scenes = things[:, NAME], things[:, SCENE]
    owners = np.repeat(np.arange(len(things)), np.diff(corpus.things[:, ATTRIBUTE_START]))
    yield "thing", names, np.full_like(names, kernels.ANY), scenes
    yield "thing", names[owners], corpus.attributes, scenes[owners]
    yield "thing", np.full_like(corpus.attributes, kernels.ANY), corpus.attributes, scenes[owners]
    subjects = np.repeat(np.arange(len(things)), np.diff(corpus.things[:, RELATION_START]))
    relations, targets = links[: corpus.relations, NAME], links[: corpus.relations, TARGET]
    triple = (names[subjects], relations, names[targets])
    for given in ((1, 1, 1), (0, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 0)):
        columns = (np.where(one, words, kernels.ANY) for one, words in zip(given, triple, strict=True))
        yield "relation", *columns, scenes[subjects]
    for kind, ends in (("from", subjects), ("to", targets)):
        rows, traits = _attributes(ends, corpus)
        for others in (names[targets[rows]], np.full_like(traits, kernels.ANY)):
            yield kind, traits, relations[rows], others, scenes[subjects[rows]]
    agents = np.repeat(subjects, np.diff(links[: corpus.relations + 1, MODIFIER_START]))
    modifiers = links[corpus.relations + 1 :]
    yield "modifier", names[agents], modifiers[:, NAME], names[modifiers[:, TARGET]], scenes[agents]


def _attributes(things: npt.NDArray[Any], corpus: Corpus) -> tuple[npt.NDArray[np.intp], Numbers]:
    """One row per attribute of each of some things: which of them it is, and the attribute."""
    starts = corpus.things[:, ATTRIBUTE_START]
    rows, within = _spread(starts[things + 1] - starts[things])
    return rows, corpus.attributes[starts[things[rows]] + within]


KINDS = ("thing", "relation", "from", "to", "modifier")
WORDS = {"thing": 2}  # of a fact, where they are not three


def fact(row: list[int]) -> Fact:
    """A fact from its row of numbers."""
    kind = KINDS[row[0]]
    return kind, *row[1 : 1 + WORDS.get(kind, 3)]


def attested(facts: Iterable[Fact], words: list[str]) -> Attested:
    """What the facts of a corpus attest."""
    names: list[str] = []
    triples: list[tuple[str, str, str]] = []
    described: list[tuple[str, str]] = []
    for kind, *numbers in facts:
        if kind == "thing" and numbers[1] == kernels.ANY:
            names.append(words[numbers[0]])
        elif kind == "thing" and numbers[0] != kernels.ANY:
            described.append((words[numbers[0]], words[numbers[1]]))
        elif kind in ("relation", "modifier") and kernels.ANY not in numbers:
            triples.append((words[numbers[0]], words[numbers[1]], words[numbers[2]]))
    return Attested(names, triples, described)


class Codes:
    """Patterns in the form of the kernels, for words that have numbers."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers
        self.sets = np.zeros((1, len(numbers)), np.bool_)
        self._codes: dict[Words, int] = {None: kernels.ANY}
        self._patterns: dict[Pattern, Numbers] = {}

    def of(self, pattern: Pattern) -> Numbers:
        """A pattern, int32 (elements, FIELDS)."""
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
                row = np.zeros((1, len(self.numbers)), np.bool_)
                row[0, known] = True
                self.sets = np.concatenate([self.sets, row])
                self._codes[words] = -1 - len(self.sets)
            else:
                self._codes[words] = known[0] if known else kernels.NONE
        return self._codes[words]


def is_possible(pattern: Numbers) -> bool:
    """Whether every element of a pattern allows a word that occurs."""
    return not (pattern[:, kernels.WORDS : kernels.PARENT] == kernels.NONE).any()


def facts(pattern: Numbers) -> Iterator[Fact]:
    """What is so in every scene that holds a pattern, as far as its elements of a single word say it."""
    rows = pattern.tolist()
    words = [(max(word, kernels.ANY), max(attribute, kernels.ANY)) for _, word, attribute, _ in rows]
    for i, (kind, _, _, parent) in enumerate(rows):
        if kind == OBJECT:
            yield "thing", *words[i]
        elif kind == RELATION:
            (subject, trait), (relation, _), (target, other) = words[parent], words[i], words[i + 1]
            yield "relation", subject, relation, target
            yield "from", trait, relation, target
            yield "to", other, relation, target
