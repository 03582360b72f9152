"""English back to programs: every way to read a question in the wording of `english/wording.py`.

A grammar of its own, not the templates run backwards; `sentences.py` has its patterns. Words are known by a vocabulary,
and what can be read in two ways is: `trees` as several of `tree` or as what is named `trees`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unseen.benchmarks.covr.english import inflection
from unseen.benchmarks.covr.english.lexicon import ASKED_GROUPS
from unseen.benchmarks.covr.english.wording import Outside
from unseen.benchmarks.covr.questions.program import Program
from unseen.benchmarks.covr.questions.sentences import AGREEING, MEANT, SENTENCES, Described, Sentence
from unseen.benchmarks.covr.world.subgraph import Edge, Node

Words = tuple[str, ...]
Slots = dict[str, Any]
EACH, MOST = "1 to", "at most"  # of each of some images, of which those without any are not counted; of all
LIMITS = {"exactly": "eq", MOST: "leq", EACH: "leq", "at least": "geq"}  # how a number is meant
BACK = {"is": {"it", "him", "her"}, "are": {"them"}}  # by the verb of what is referred to


class Vocabulary(NamedTuple):
    """The words that a question may be made of, each by how it is written."""

    names: Mapping[Words, list[str]]
    plurals: Mapping[Words, list[str]]
    attributes: Mapping[Words, list[str]]
    relations: Mapping[Words, list[str]]
    modifiers: Mapping[str, list[tuple[Words, str]]]  # relation -> its phrases and the modifiers' names
    longest: int  # words of a word


def vocabulary(
    names: Iterable[str],
    attributes: Iterable[str],
    relations: Iterable[str],
    synonyms: Mapping[str, Mapping[str, str]] | None = None,
) -> Vocabulary:
    """Return a vocabulary from words, and other words for some; of relations, those with `:_` are modifiers."""
    names, relations = sorted(set(names)), sorted(set(relations))
    same = {"name": {}, "attribute": {}, "relation": {}, **(synonyms or {})}
    modifiers: dict[str, list[tuple[Words, str]]] = {}
    for name in relations:
        verb, mark, phrase = name.partition(":_")
        if mark:
            modifiers.setdefault(verb, []).append((tuple(phrase.lower().split()), name))
    tables = (
        _by_form(names, str, same["name"]),
        _by_form(names, inflection.plural, same["name"]),
        _by_form(sorted(set(attributes)), str, same["attribute"]),
        _by_form([name for name in relations if ":_" not in name], str, same["relation"]),
    )
    longest = max((len(words) for one in tables for words in one), default=1)
    return Vocabulary(*tables, modifiers, longest)


def _by_form(words: Iterable[str], form: Callable[[str], str], same: Mapping[str, str]) -> dict[Words, list[str]]:
    found: dict[Words, list[str]] = {}
    for word in words:
        for written in (word, *((same[word],) if word in same else ())):
            found.setdefault(tuple(form(written).lower().split()), []).append(word)
    return found


def readings(text: str, words: Vocabulary, *, paraphrased: bool = False) -> list[Program]:
    """Give the programs of all ways to read a question, each once; and a paraphrase of one, where that is asked for."""
    return list(dict.fromkeys(program for _, _, program in parses(text, words, paraphrased=paraphrased)))


def parses(text: str, words: Vocabulary, *, paraphrased: bool = False) -> Iterator[tuple[Sentence, Slots, Program]]:
    """Yield all ways to read a question: as which sentence, with what in its slots, and which program that is."""
    tokens = tuple(re.findall(r"[^\s,?:]+|[,?:]", text.strip().removesuffix(".").lower()))
    reader = _Reader(tokens, words)
    for sentence in SENTENCES:
        for pattern in (sentence.pattern, *(sentence.others if paraphrased else ())):
            for at, slots in reader.match(pattern.split(), 0, {}):
                if at == len(tokens):
                    yield sentence, slots, sentence.meaning(**slots)


def patterns() -> Iterator[str]:
    """Return the patterns of all sentences."""
    return (pattern for sentence in SENTENCES for pattern in (sentence.pattern, *sentence.others))


@dataclass
class _Reader:
    tokens: Words
    words: Vocabulary
    known: dict[tuple[str, int], list[tuple[int, Any]]] = field(default_factory=dict)  # what a slot at a place can be

    def match(self, pattern: list[str], at: int, slots: Slots) -> Iterator[tuple[int, Slots]]:
        """Yield every way in which a pattern goes on from a place: where it ends, and what is in its slots."""
        if not pattern:
            yield at, slots
            return
        first, *rest = pattern
        kind, mark, name = first.partition(":")
        if mark and name:
            for end, value in self.slot(kind, at):
                yield from self.match(rest, end, {**slots, name: value})
            return
        if at == len(self.tokens):
            return
        literals, mark, name = first.partition("=")
        word, agrees, _ = literals.partition("@")
        said = self.tokens[at]
        if said in (AGREEING[word] if agrees else literals.split("|")):
            yield from self.match(rest, at + 1, {**slots, name: MEANT.get(said, said)} if mark else slots)

    def slot(self, kind: str, at: int) -> list[tuple[int, Any]]:
        """Return every way to fill a slot from a place on."""
        if (kind, at) not in self.known:
            self.known[kind, at] = list(SLOTS[kind](self, at))
        return self.known[kind, at]

    def of(self, table: Mapping[Words, list[str]], at: int) -> Iterator[tuple[int, str]]:
        """Yield the words of a table that are written at a place."""
        for end in range(at + 1, min(at + self.words.longest, len(self.tokens)) + 1):
            for word in table.get(self.tokens[at:end], ()):
                yield end, word

    def says(self, at: int, *words: str) -> bool:
        """Tell whether some words are written at a place."""
        return self.tokens[at : at + len(words)] == words

    # ------------------------------------------------------------------------ descriptions

    def named(self, at: int, form: str) -> Iterator[tuple[int, Node]]:
        """Read an article, an attribute and a noun."""
        article = self.tokens[at] if at < len(self.tokens) and self.tokens[at] in ("a", "an", "the") else ""
        if (form == "the") != (article == "the") or (form not in ("a", "the") and article):
            return
        start = at + bool(article)
        for begin, attribute in ((start, None), *self.of(self.words.attributes, start)):
            for end, name in self.of(self.words.plurals if form == "plural" else self.words.names, begin):
                one = not inflection.is_plural(name) and inflection.is_countable(name)
                if form != "a" or bool(article) == one:
                    yield end, Node(name, attribute)

    def described(
        self, at: int, form: str, that: tuple[str, ...] = ("that",), *, short: bool = False
    ) -> Iterator[tuple[int, Described]]:
        """Read a description with its relative clause, or with one that is reduced: the man wearing an orange hat."""
        for end, node in self.named(at, form):
            verb = "are" if form == "plural" or inflection.is_plural(node.name or "") else "is"
            for after, outside in ((end, None), *self.outside(end, verb)):
                yield after, Described(node, outside)
                lead, again = ((), ("and",)) if short else ((*that, verb), ("and", verb))
                if self.says(after, *lead):
                    for last, edges in self.edges(after + len(lead), again, short=short):
                        yield last, Described(Node(node.name, node.attribute, edges), outside)

    def outside(self, at: int, verb: str) -> Iterator[tuple[int, Outside]]:
        """Read a reference back, as in `with a cup on it`."""
        if self.says(at, "with"):
            for middle, node in self.named(at + 1, "a"):
                for end, relation in self.of(self.words.relations, middle):
                    if end < len(self.tokens) and self.tokens[end] in BACK[verb]:
                        yield end + 1, Outside(node, relation)

    def edges(self, at: int, again: tuple[str, ...], *, short: bool = False) -> Iterator[tuple[int, tuple[Edge, ...]]]:
        """Read one or two relations."""
        for end, edge in self.edge(at, short=short):
            yield end, (edge,)
            if self.says(end, *again):
                for last, other in self.edge(end + len(again), short=short):
                    yield last, (edge, other)

    def edge(self, at: int, *, short: bool = False) -> Iterator[tuple[int, Edge]]:
        """Read a relation, the object it leads to, and its modifiers."""
        for begin, relation in self.of(self.words.relations, at):
            for end, target in self.inside(begin, short=short):
                yield end, Edge(relation, target)
                start = end + self.says(end, ",")
                for last, further in self.modifiers(start, relation):
                    yield last, Edge(relation, target, further)

    def modifiers(self, at: int, relation: str) -> Iterator[tuple[int, tuple[tuple[str, Node], ...]]]:
        """Read one or more modifiers of a relation."""
        for phrase, name in self.words.modifiers.get(relation, ()):
            if self.says(at, *phrase):
                for end, node in self.inside(at + len(phrase)):
                    yield end, ((name, node),)
                    for last, further in self.modifiers(end, relation):
                        yield last, ((name, node), *further)

    def inside(self, at: int, *, short: bool = False) -> Iterator[tuple[int, Node]]:
        """Read the object of a relation; two relations of its own are told as `both ... and ...`."""
        for end, node in self.named(at, "a"):
            yield end, node
            for last, edge in self.edge(end, short=True) if short else ():
                yield last, Node(node.name, node.attribute, (edge,))
            verb = "are" if inflection.is_plural(node.name or "") else "is"
            if self.says(end, "that", verb):
                both = self.says(end + 2, "both")
                for last, edges in self.edges(end + 2 + both, again=("and",)):
                    if (len(edges) == 2) == both:
                        yield last, Node(node.name, node.attribute, edges)

    def condition(self, at: int, verb: str = "are") -> Iterator[tuple[int, Node]]:
        """Read what is said of several objects, or of each: an attribute, or relations."""
        if self.says(at, verb):
            for end, attribute in self.of(self.words.attributes, at + 1):
                yield end, Node(None, attribute)
            for end, edges in self.edges(at + 1, again=("and", verb)):
                yield end, Node(None, None, edges)

    def relation(self, at: int) -> Iterator[tuple[int, str]]:
        """Read a relation, or a modifier as in `uncorking it with`."""
        for end, relation in self.of(self.words.relations, at):
            yield end, relation
            for phrase, name in self.words.modifiers.get(relation, ()):
                if self.says(end + 1, *phrase) and self.tokens[end] in BACK["is"] | BACK["are"]:
                    yield end + 1 + len(phrase), name

    def number(self, at: int) -> Iterator[tuple[int, int]]:
        """Read a number in digits."""
        if at < len(self.tokens) and self.tokens[at].isdecimal():
            yield at + 1, int(self.tokens[at])

    def limit(self, at: int, unsaid: str = EACH) -> Iterator[tuple[int, str]]:
        """Read how a number is meant: exactly, at most or at least."""
        for words, operator in LIMITS.items():
            if words != unsaid and self.says(at, *words.split()):
                yield at + len(words.split()), operator

    def several(self, at: int, *, short: bool = False) -> Iterator[tuple[int, Described]]:
        """Read what follows a number: a singular without an article, or a plural."""
        one = self.tokens[at - 1] == "1"
        return self.described(at, "bare" if one else "plural", short=short)

    def type(self, at: int) -> Iterator[tuple[int, str]]:
        """Read a type of attributes, such as `color`."""
        if at < len(self.tokens) and self.tokens[at] in ASKED_GROUPS:
            yield at + 1, self.tokens[at]


SLOTS: dict[str, Callable[[_Reader, int], Iterable[tuple[int, Any]]]] = {
    "a": lambda reader, at: reader.described(at, "a"),
    "the": lambda reader, at: reader.described(at, "the"),
    "plural": lambda reader, at: reader.described(at, "plural"),
    "asked": lambda reader, at: reader.described(at, "plural", that=()),
    "several": _Reader.several,
    "a-short": lambda reader, at: reader.described(at, "a", short=True),
    "the-short": lambda reader, at: reader.described(at, "the", short=True),
    "plural-short": lambda reader, at: reader.described(at, "plural", short=True),
    "several-short": lambda reader, at: reader.several(at, short=True),
    "condition": _Reader.condition,
    "predicate": lambda reader, at: reader.condition(at, "is"),
    "relation": _Reader.relation,
    "name": lambda reader, at: ((end, node.name) for end, node in reader.named(at, "a") if not node.attribute),
    "object": lambda reader, at: reader.named(at, "a"),
    "attribute": lambda reader, at: reader.of(reader.words.attributes, at),
    "type": _Reader.type,
    "limit": _Reader.limit,
    "each": lambda reader, at: reader.limit(at, unsaid=MOST),
    "number": _Reader.number,
}
