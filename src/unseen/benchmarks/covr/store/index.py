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
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.store import kernels
from unseen.benchmarks.covr.store.query import OBJECT, RELATION, Attested, Pattern, Words
from unseen.benchmarks.covr.world.scene import Modifier, Relation, Scene, Thing

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


class Numbering(dict[str, int]):
    """Words and their numbers; a word that has none yet gets the next one when it is looked up."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class Tables:
    """Tables of scenes in the making, column by column."""

    def __init__(self, numbers: Numbering) -> None:
        self.numbers = numbers
        self.things = array("i")  # of each scene, how many
        self.names, self.attribute_counts, self.relation_counts = array("i"), array("i"), array("i")  # of each thing
        self.attributes = array("i")
        self.relations, self.targets, self.modifier_counts = array("i"), array("i"), array("i")  # of each relation
        self.modifiers, self.modifier_targets = array("i"), array("i")

    def add(self, scene: Scene) -> None:
        """Add a scene."""
        first = len(self.names)
        self.things.append(len(scene.things))
        if not scene.things:
            return
        _, names, attributes, relations, _ = zip(*scene.things.values(), strict=True)
        self.names.extend(self._numbered(names))
        self.attribute_counts.extend(map(len, attributes))
        self.attributes.extend(self._numbered(chain.from_iterable(attributes)))
        self.relation_counts.extend(map(len, relations))
        if links := [*chain.from_iterable(relations)]:
            row = dict(zip(scene.things, range(first, len(self.names)), strict=True))
            names, targets, modifiers = zip(*links, strict=True)
            self.relations.extend(self._numbered(names))
            self.targets.extend(map(row.__getitem__, targets))
            self.modifier_counts.extend(map(len, modifiers))
            for modifier, target in chain.from_iterable(modifiers):
                self.modifiers.extend(self._numbered([modifier]))
                self.modifier_targets.append(row[target])

    def _numbered(self, words: Iterable[str]) -> Iterator[int]:
        return map(self.numbers.__getitem__, words)

    def done(self) -> Corpus:
        """Close the tables."""
        count, modifiers = len(self.relations), len(self.modifiers)
        scenes = np.repeat(np.arange(len(self.things)), self.things)
        firsts = _begins(self.attribute_counts), _begins(self.relation_counts)
        things = np.column_stack([_closed(self.names), _closed(scenes), *firsts])
        relations = (_closed(self.relations), _closed(self.targets), count + 1 + _begins(self.modifier_counts))
        further = self.modifiers, self.modifier_targets, np.zeros(modifiers, np.int32)
        links = np.concatenate([np.column_stack(relations), np.column_stack(further)])
        attributes = np.array(self.attributes, np.int32)
        return Corpus(_begins(self.things), things.astype(np.int32), attributes, links.astype(np.int32), count)


def _begins(counts: array[int]) -> Numbers:
    """Where the members of each of some groups begin, and where those of the last end."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _closed(column: array[int] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.append(column, -1)


def read(scenes: Iterable[Scene], numbers: Numbering) -> Corpus:
    """Read scenes into arrays."""
    tables = Tables(numbers)
    for scene in scenes:
        tables.add(scene)
    return tables.done()


def packed(corpus: Corpus) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Tell where the block of each scene begins, with the end of the last; and all blocks."""
    starts, things, attributes, links, _ = corpus
    relations, traits = things[starts, RELATION_START], things[starts, ATTRIBUTE_START]  # the first of each scene
    modifiers = links[relations, MODIFIER_START]
    own, bound = np.diff(starts) + 1, np.diff(relations) + 1  # rows of things and relations, each with a closing one
    further, told = np.diff(modifiers), np.diff(traits)
    after_links = 1 + kernels.ROW * (own + bound + further)
    blocks = np.concatenate([[0], np.cumsum(after_links + told, dtype=np.int64)])
    graph = np.zeros(blocks[-1], np.int32)
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

LARGEST = 2**62  # number of a row
LONG = 32  # a list with more than a scene in so many has a row of bits, which is shorter


class Index(NamedTuple):
    """All that a search looks at, as arrays that can be kept in a file; scenes have the order of their ids."""

    words: list[str]
    blocks: npt.NDArray[np.int64]  # (scenes,) where the block of each begins
    graph: npt.NDArray[Any]  # all blocks
    facts: Numbers  # (4, facts) kinds and words, in ascending order
    spans: npt.NDArray[np.int64]  # (facts, 2) where the list of each begins and ends
    lists: Numbers  # first comes that of all scenes
    long: Numbers  # the facts whose lists have a row of bits
    maps: npt.NDArray[np.uint64]  # (1 + long, words of 64 bits), of all scenes first

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The index as arrays by name."""
        words = np.frombuffer(json.dumps(self.words).encode(), np.uint8)
        return {**self._asdict(), "words": words}

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Index:
        """Return the index of the arrays that `arrays` gives; others are passed over."""
        chosen = {name: arrays[name] for name in cls._fields}
        return cls(**{**chosen, "words": json.loads(chosen["words"].tobytes())})

    def things(self, scene: int, ids: list[str], boxes: list[Any]) -> Iterator[Thing]:
        """Return the things of a scene, of which the index knows all but their ids and boxes."""
        begin, count, words = self.blocks[scene], len(ids), self.words
        closing = begin + 1 + kernels.ROW * count  # row whose attributes would begin where the block ends
        block = self.graph[begin : begin + self.graph[closing + 1]].tolist()
        links = 1 + kernels.ROW * (count + 1)

        def belonging(at: int) -> range:
            """Places of the rows of links that belong to a row."""
            first, end = block[at + 2], block[at + kernels.ROW + 2]
            return range(links + kernels.ROW * first, links + kernels.ROW * end, kernels.ROW)

        def ends(at: int) -> tuple[str, str]:
            return words[block[at]], ids[block[at + 1]]

        for k, (key, box) in enumerate(zip(ids, boxes, strict=True)):
            at = 1 + kernels.ROW * k
            traits = tuple(words[word] for word in block[block[at + 1] : block[at + kernels.ROW + 1]])
            relations = (
                Relation(*ends(link), tuple(Modifier(*ends(m)) for m in belonging(link))) for link in belonging(at)
            )
            yield Thing(key, words[block[at]], traits, tuple(relations), box and tuple(box))


def alphabetical(ids: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return which of some ids comes first, which second, and so on."""
    return np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)


def built(tables: Tables, order: npt.NDArray[np.int64]) -> Index:
    """Return the index of scenes that were read in any order, by the alphabetical order of their ids."""
    corpus, words, count = tables.done(), list(tables.numbers), len(order)
    blocks, graph = packed(corpus)
    if max(len(words), int(np.diff(blocks).max(initial=0))) < 2**15:
        graph = graph.astype(np.int16)
    ranks = np.empty(count, np.int32)
    ranks[order] = np.arange(count, dtype=np.int32)
    corpus.things[:-1, SCENE] = ranks[corpus.things[:-1, SCENE]]
    facts, ends, scenes = listed(corpus)
    ascending = np.argsort(lexicographic([*facts.T]))
    everywhere = np.arange(count, dtype=np.int32)
    lists = np.concatenate([everywhere, scenes])
    spans = count + np.column_stack([ends[:-1], ends[1:]])[ascending]
    long = np.flatnonzero(LONG * np.diff(spans)[:, 0] >= count).astype(np.int32)
    maps = np.array([bits(lists[begin:end], count) for begin, end in ((0, count), *spans[long])])
    return Index(words, blocks[:-1][order], graph, facts[ascending].T.copy(), spans, lists, long, maps)


# ---------------------------------------------------------------------------- facts


class Lists(NamedTuple):
    """Facts, and the scenes in which each is so."""

    facts: Numbers  # (facts, 4) kinds and words
    ends: npt.NDArray[np.int64]  # (facts + 1,) where the list of each begins, and where the last ends
    scenes: Numbers  # all lists, each in ascending order


def listed(corpus: Corpus) -> Lists:
    """Return every fact of a corpus, and the scenes in which it is so."""
    facts, lengths, lists = [], [], []
    for kind, *columns, scenes in _fact_columns(corpus):
        said = lexicographic(columns)
        key = lexicographic([said, scenes])
        order = np.argsort(key)
        order = order[np.diff(key[order], prepend=-1) > 0]  # each once
        begins = np.flatnonzero(np.diff(said[order], prepend=-1))
        rows = np.full((len(begins), 4), kernels.ANY, np.int32)
        rows[:, 0] = KINDS.index(kind)
        for k, column in enumerate(columns, 1):
            rows[:, k] = column[order[begins]]
        facts.append(rows)
        lengths.append(np.diff(begins, append=len(order)))
        lists.append(scenes[order])
    return Lists(np.concatenate(facts), np.cumsum(np.concatenate([[0], *lengths])), np.concatenate(lists))


def lexicographic(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.int64]:
    """Return a number for each row of some columns of numbers, ANY or above, in the order of rows.

    >>> lexicographic([np.array([1, 0, 1]), np.array([kernels.ANY, 7, 2])]).argsort().tolist()
    [1, 0, 2]
    """
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        width = int(column.max(initial=kernels.ANY)) + 2
        if int(key.max(initial=0)) >= LARGEST // width:
            key = np.unique(key, return_inverse=True)[1]
        key = key * width + (column - kernels.ANY)
    return key


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
    """Return a fact from its row of numbers."""
    kind = KINDS[row[0]]
    return kind, *row[1 : 1 + WORDS.get(kind, 3)]


def row(fact: Fact) -> tuple[int, ...]:
    """Return the row of numbers of a fact."""
    kind, *words = fact
    return KINDS.index(kind), *words, *(kernels.ANY,) * (3 - len(words))


def attested(facts: Numbers, words: list[str]) -> Attested:
    """Return what the facts of a corpus, (4, facts), attest."""
    kinds, *columns = facts
    told = [column != kernels.ANY for column in columns]
    things, known = kinds == KINDS.index("thing"), np.array(words, object)
    between = np.isin(kinds, [KINDS.index("relation"), KINDS.index("modifier")])

    def said(chosen: npt.NDArray[np.bool_], count: int) -> Iterator[Any]:
        return zip(*(known[column[chosen]].tolist() for column in columns[:count]), strict=True)

    names = (name for (name,) in said(things & ~told[1], 1))
    return Attested(names, said(between & told[0] & told[1] & told[2], 3), said(things & told[0] & told[1], 2))


class Codes:
    """Patterns in the form of the kernels, for words that have numbers."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers
        self.sets = np.zeros((1, len(numbers)), np.bool_)
        self._codes: dict[Words, int] = {None: kernels.ANY}
        self._patterns: dict[Pattern, Numbers] = {}

    def of(self, pattern: Pattern) -> Numbers:
        """Return a pattern, int32 (elements, FIELDS)."""
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
    """Tell whether every element of a pattern allows a word that occurs."""
    return not (pattern[:, kernels.WORDS : kernels.PARENT] == kernels.NONE).any()


def facts(pattern: Numbers) -> Iterator[Fact]:
    """Return what is so in every scene that holds a pattern, as far as its elements of a single word say it."""
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
