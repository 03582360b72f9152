"""English back to programs: every way to read a question in the wording of `english/wording.py`.

A grammar of its own, not the templates run backwards. A rule's pattern is words and slots; `more|fewer` is one of some
words, `more|fewer=how` keeps which, `the:g` is a slot of a kind. Words are known by a vocabulary, and what can be read
in two ways is: `trees` as several of `tree` or as what is named `trees`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unseen.benchmarks.covr.english import inflection
from unseen.benchmarks.covr.english.lexicon import ASKED_GROUPS
from unseen.benchmarks.covr.english.wording import Outside
from unseen.benchmarks.covr.questions.program import Program, Rows
from unseen.benchmarks.covr.world.subgraph import Edge, Node

Words = tuple[str, ...]
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


def vocabulary(names: Iterable[str], attributes: Iterable[str], relations: Iterable[str]) -> Vocabulary:
    """A vocabulary from words; of relations, those with `:_` are modifiers."""
    names, relations = sorted(set(names)), sorted(set(relations))
    modifiers: dict[str, list[tuple[Words, str]]] = {}
    for name in relations:
        verb, mark, phrase = name.partition(":_")
        if mark:
            modifiers.setdefault(verb, []).append((tuple(phrase.lower().split()), name))
    tables = (
        _by_form(names, str),
        _by_form(names, inflection.plural),
        _by_form(sorted(set(attributes)), str),
        _by_form([name for name in relations if ":_" not in name], str),
    )
    longest = max((len(words) for one in tables for words in one), default=1)
    return Vocabulary(*tables, modifiers, longest)


def _by_form(words: Iterable[str], form: Callable[[str], str]) -> dict[Words, list[str]]:
    found: dict[Words, list[str]] = {}
    for word in words:
        found.setdefault(tuple(form(word).lower().split()), []).append(word)
    return found


def readings(text: str, words: Vocabulary) -> list[Program]:
    """The programs of all ways to read a question, each once."""
    tokens = tuple(re.findall(r"[^\s,?:]+|[,?:]", text.strip().removesuffix(".").lower()))
    reader = _Reader(tokens, words)
    found = [
        meaning(**slots)
        for pattern, meaning in GRAMMAR
        for at, slots in reader.match(pattern.split(), 0, {})
        if at == len(tokens)
    ]
    return list(dict.fromkeys(found))


def patterns() -> Iterator[str]:
    """The patterns of all sentences."""
    return (pattern for pattern, _ in GRAMMAR)


class Described(NamedTuple):
    """What a phrase describes."""

    node: Node
    outside: Outside | None = None

    def rows(self) -> Rows:
        """The program that finds what the phrase describes."""
        rows = Rows()
        rows.refer(*self)
        return rows


@dataclass
class _Reader:
    tokens: Words
    words: Vocabulary
    known: dict[tuple[str, int], list[tuple[int, Any]]] = field(default_factory=dict)  # what a slot at a place can be

    def match(self, pattern: list[str], at: int, slots: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every way in which a pattern goes on from a place: where it ends, and what is in its slots."""
        if not pattern:
            yield at, slots
            return
        first, *rest = pattern
        kind, mark, name = first.partition(":")
        if mark and name:
            for end, value in self.slot(kind, at):
                yield from self.match(rest, end, {**slots, name: value})
            return
        literals, mark, name = first.partition("=")
        if at < len(self.tokens) and self.tokens[at] in literals.split("|"):
            yield from self.match(rest, at + 1, {**slots, name: self.tokens[at]} if mark else slots)

    def slot(self, kind: str, at: int) -> list[tuple[int, Any]]:
        """Every way to fill a slot from a place on."""
        if (kind, at) not in self.known:
            self.known[kind, at] = list(SLOTS[kind](self, at))
        return self.known[kind, at]

    def of(self, table: Mapping[Words, list[str]], at: int) -> Iterator[tuple[int, str]]:
        """The words of a table that are written at a place."""
        for end in range(at + 1, min(at + self.words.longest, len(self.tokens)) + 1):
            for word in table.get(self.tokens[at:end], ()):
                yield end, word

    def says(self, at: int, *words: str) -> bool:
        """Whether some words are written at a place."""
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

    def described(self, at: int, form: str, that: tuple[str, ...] = ("that",)) -> Iterator[tuple[int, Described]]:
        """Read a description with its relative clause."""
        for end, node in self.named(at, form):
            verb = "are" if form == "plural" or inflection.is_plural(node.name or "") else "is"
            for after, outside in ((end, None), *self.outside(end, verb)):
                yield after, Described(node, outside)
                if self.says(after, *that, verb):
                    for last, edges in self.edges(after + len(that) + 1, again=("and", verb)):
                        yield last, Described(Node(node.name, node.attribute, edges), outside)

    def outside(self, at: int, verb: str) -> Iterator[tuple[int, Outside]]:
        """Read a reference back, as in `with a cup on it`."""
        if self.says(at, "with"):
            for middle, node in self.named(at + 1, "a"):
                for end, relation in self.of(self.words.relations, middle):
                    if end < len(self.tokens) and self.tokens[end] in BACK[verb]:
                        yield end + 1, Outside(node, relation)

    def edges(self, at: int, again: tuple[str, ...]) -> Iterator[tuple[int, tuple[Edge, ...]]]:
        """Read one or two relations."""
        for end, edge in self.edge(at):
            yield end, (edge,)
            if self.says(end, *again):
                for last, other in self.edge(end + len(again)):
                    yield last, (edge, other)

    def edge(self, at: int) -> Iterator[tuple[int, Edge]]:
        """Read a relation, the object it leads to, and its modifiers."""
        for begin, relation in self.of(self.words.relations, at):
            for end, target in self.inside(begin):
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

    def inside(self, at: int) -> Iterator[tuple[int, Node]]:
        """Read the object of a relation; two relations of its own are told as `both ... and ...`."""
        for end, node in self.named(at, "a"):
            yield end, node
            verb = "are" if inflection.is_plural(node.name or "") else "is"
            if self.says(end, "that", verb):
                both = self.says(end + 2, "both")
                for last, edges in self.edges(end + 2 + both, again=("and",)):
                    if (len(edges) == 2) == both:
                        yield last, Node(node.name, node.attribute, edges)

    def condition(self, at: int) -> Iterator[tuple[int, Node]]:
        """Read what is said of several objects: an attribute, or relations."""
        if self.says(at, "are"):
            for end, attribute in self.of(self.words.attributes, at + 1):
                yield end, Node(None, attribute)
            for end, edges in self.edges(at + 1, again=("and", "are")):
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

    def several(self, at: int) -> Iterator[tuple[int, Described]]:
        """Read what follows a number: a singular without an article, or a plural."""
        one = self.tokens[at - 1] == "1"
        return self.described(at, "bare" if one else "plural")

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
    "condition": _Reader.condition,
    "relation": _Reader.relation,
    "name": lambda reader, at: ((end, node.name) for end, node in reader.named(at, "a") if not node.attribute),
    "object": lambda reader, at: reader.named(at, "a"),
    "attribute": lambda reader, at: reader.of(reader.words.attributes, at),
    "type": _Reader.type,
    "limit": _Reader.limit,
    "each": lambda reader, at: reader.limit(at, unsaid=MOST),
    "number": _Reader.number,
}


# ---------------------------------------------------------------------------- sentences


def _one(g: Described, operation: str, *arguments: Any) -> Program:
    """Ask an operator about the only object that a phrase describes."""
    rows = g.rows()
    rows.then("unique")
    rows.then(operation, *arguments)
    return rows.program


def _compared(how: str, g: Described, g2: Described, *, images: bool) -> Program:
    rows = Rows()
    counts = rows.counted(g.node, images), rows.counted(g2.node, images)
    rows.add({"more": "gt", "fewer": "lt", "many": "eq"}[how], of=counts)
    return rows.program


def _counted(g: Described, *, images: bool, limit: str = "", n: int = 0) -> Program:
    rows = Rows()
    rows.counted(g.node, images)
    if limit:
        rows.then(limit, n)
    return rows.program


def _grouped(g: Described, each: str, k: int, *, limit: str = "", n: int = 0) -> Program:
    rows = g.rows()
    rows.then("group_by_images")
    rows.then(f"keep_if_values_count_{each}", k)
    rows.then("keys")
    rows.then("count")
    if limit:
        rows.then(limit, n)
    return rows.program


def _joined(g: Described, g2: Described, operation: str) -> Program:
    rows = Rows()
    exist = [rows.add("exists", of=(rows.refer(*one),)) for one in (g, g2)]
    rows.add(operation, of=(exist[0], exist[1]))
    return rows.program


def _quantified(how: str, scope: Described, condition: Node) -> Program:
    rows, inner = scope.rows(), Rows()
    inner.refer(condition)
    rows.then({"all": "all", "some": "some", "no": "none"}[how], inner.program)
    return rows.program


def _all_same(g: Described, type: str) -> Program:
    rows = g.rows()
    rows.then("all_same", type)
    return rows.program


def _same(g: Described, g2: Described, type: str) -> Program:
    rows = Rows()
    values = [rows.add("query_attr", type, of=(rows.add("unique", of=(rows.refer(*one),)),)) for one in (g, g2)]
    rows.add("eq", of=(values[0], values[1]))
    return rows.program


def _reached(g: Described, relation: str, operation: str, *names: str) -> Program:
    rows = g.rows()
    subject = rows.then("assert_unique")
    rows.add("with_relation_object", relation, of=(subject, rows.add("scene")))
    rows.then("unique")
    rows.then(operation, *names)
    return rows.program


def _between(g: Described, one: str, o: Node, other: str) -> Program:
    rows = g.rows()
    subject = rows.then("unique")
    rows.add("relation_between_nouns", of=(subject, rows.refer(o)))
    rows.then("unique")
    rows.then("query_name")
    rows.then("choose_relation", one, other)
    return rows.program


GRAMMAR: tuple[tuple[str, Callable[..., Program]], ...] = (
    ("is|are the:g attribute:a ?", lambda g, a: _one(g, "verify_attr", a)),
    ("is|are the:g attribute:a or attribute:b ?", lambda g, a, b: _one(g, "choose_attr", a, b)),
    ("what is the type:t of the:g ?", lambda g, t: _one(g, "query_attr", t)),
    ("there are more|fewer=how images with a:g than images with a:g2", lambda **s: _compared(**s, images=True)),
    ("there are as many=how images with a:g as images with a:g2", lambda **s: _compared(**s, images=True)),
    ("there are more|fewer=how plural:g than plural:g2", lambda **s: _compared(**s, images=False)),
    ("there are as many=how plural:g as plural:g2", lambda **s: _compared(**s, images=False)),
    ("how many images show a:g ?", lambda g: _counted(g, images=True)),
    ("how many asked:g ?", lambda g: _counted(g, images=False)),
    ("there is|are limit:limit number:n image|images with a:g", lambda **s: _counted(**s, images=True)),
    ("there is|are limit:limit number:n several:g", lambda **s: _counted(**s, images=False)),
    ("how many images contain each:each number:k several:g ?", _grouped),
    ("there is|are limit:limit number:n image|images that contain|contains each:each number:k several:g", _grouped),
    ("is|are there both a:g and a:g2 ?", lambda **s: _joined(**s, operation="logic_and")),
    ("is|are there either a:g or a:g2 ?", lambda **s: _joined(**s, operation="logic_or")),
    ("all|some|no=how plural:scope condition:condition", _quantified),
    ("do all plural:g have the same type:type ?", _all_same),
    ("is|are the:g relation:r name:a or name:b ?", lambda g, r, a, b: _reached(g, r, "choose_name", a, b)),
    ("what|who is|are the:g relation:r ?", lambda g, r: _reached(g, r, "query_name")),
    ("do the:g and the:g2 have the same type:type ?", _same),
    ("is|are the:g relation:one object:o or relation:other it|him|her|them ?", _between),
)
