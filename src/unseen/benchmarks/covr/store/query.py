"""Queries: patterns that a scene must hold, and patterns that it must not.

A pattern is a subgraph with a set of allowed words for each element, as a flat tuple in the order of the subgraph's
elements: an object comes right after its relation, and everything names its parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from unseen.benchmarks.covr.english.exclusivity import Exclusive, excluding
from unseen.benchmarks.covr.world.identity import hashed
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing
from unseen.benchmarks.covr.world.subgraph import PAIRED, Edge, Node

OBJECT, RELATION, MODIFIER = range(3)

Words = frozenset[str] | None  # None: any


class Element(NamedTuple):
    """One element of a pattern."""

    kind: int
    words: Words
    attributes: Words = None  # of an object: it has one of these
    parent: int = -1  # of a relation its subject, of a modifier its relation, of an object what leads to it


Pattern = tuple[Element, ...]


class Query(NamedTuple):
    """A scene holds `pattern`, for so many objects as roots, and not `without` for so many."""

    pattern: Pattern
    several: int = 1
    without: Pattern = ()
    without_several: int = 1


def pattern_of(node: Node) -> Pattern:
    """Return a subgraph as the pattern that only it fits."""
    elements: list[Element] = []
    _append(elements, node, parent=-1)
    return tuple(elements)


@lru_cache(maxsize=4096)
def place(pattern: Pattern) -> int:
    """Give a number that the single words of a pattern decide: where a search begins, so that not all find the same."""
    words = (said for _, names, attributes, _ in pattern for said in (names or (), attributes or ()))
    single = (next(iter(said)) for said in words if len(said) == 1)
    return hashed(" ".join(single))


def _append(elements: list[Element], node: Node, *, parent: int) -> None:
    own = len(elements)
    elements.append(Element(OBJECT, _only(node.name), _only(node.attribute), parent))
    for edge in node.edges:
        relation = len(elements)
        elements.append(Element(RELATION, _only(edge.relation), None, own))
        _append(elements, edge.target, parent=relation)
        for name, target in edge.modifiers:
            elements.append(Element(MODIFIER, _only(name), None, relation))
            _append(elements, target, parent=len(elements) - 1)


def _only(word: str | None) -> Words:
    return None if word is None else frozenset((word,))


# ---------------------------------------------------------------------------- what a pattern means


def matches(pattern: Pattern, scene: Scene) -> Iterator[Node]:
    """The subgraphs of a scene that fit a pattern, one for each object that can be its root, in the scene's order.

    Of an object's attributes the one that the pattern asks for is told, and no other.
    """
    for thing in scene.things.values():
        node = _match(pattern, 0, thing, scene.things)
        if node is not None:
            yield node


def _match(pattern: Pattern, at: int, thing: Thing, things: Mapping[str, Thing]) -> Node | None:
    _, names, attributes, _ = pattern[at]
    if names is not None and thing.name not in names:
        return None
    told = None
    if attributes is not None:
        told = next((attribute for attribute in thing.attributes if attribute in attributes), None)
        if told is None:
            return None
    edges = []
    for i in following(pattern, at, RELATION):
        edge = next(filter(None, (_match_edge(pattern, i, relation, things) for relation in thing.relations)), None)
        if edge is None:
            return None
        edges.append(edge)
    return Node(thing.name, told, tuple(edges))


def _match_edge(pattern: Pattern, at: int, relation: Relation, things: Mapping[str, Thing]) -> Edge | None:
    words = pattern[at].words
    if words is not None and relation.name not in words:
        return None
    target = _match(pattern, at + 1, things[relation.target], things)
    if target is None:
        return None
    modifiers = []
    for i in following(pattern, at, MODIFIER):
        wanted = pattern[i].words
        found = (
            (modifier.name, _match(pattern, i + 1, things[modifier.target], things))
            for modifier in relation.modifiers
            if wanted is None or modifier.name in wanted
        )
        further = next(((name, node) for name, node in found if node is not None), None)
        if further is None:
            return None
        modifiers.append(further)
    return Edge(relation.name, target, tuple(modifiers))


def following(pattern: Pattern, parent: int, kind: int) -> Iterator[int]:
    """Return the relations of an object, or the modifiers of a relation."""
    return (i for i in range(parent + 1, len(pattern)) if pattern[i].parent == parent and pattern[i].kind == kind)


def holds(query: Query, scene: Scene) -> bool:
    """Tell whether a scene answers a query: the plain meaning that every store is held to."""
    if sum(1 for _ in matches(query.pattern, scene)) < query.several:
        return False
    return not query.without or sum(1 for _ in matches(query.without, scene)) < query.without_several


# ---------------------------------------------------------------------------- what the words of a corpus allow


class Attested:
    """What occurs in a corpus: triples of names, the attributes of a name, and every word."""

    def __init__(
        self,
        names: Iterable[str],
        triples: Iterable[tuple[str, str, str]],
        described: Iterable[tuple[str, str]],
    ) -> None:
        self.names = set(names)
        self.objects: dict[tuple[str, str], set[str]] = {}  # (subject, relation) -> objects
        self.relations: dict[tuple[str, str], set[str]] = {}  # (subject, object) -> relations
        self.attributes: dict[str, set[str]] = {}  # name -> attributes
        for subject, relation, target in triples:
            self.objects.setdefault((subject, relation), set()).add(target)
            self.relations.setdefault((subject, target), set()).add(relation)
        for name, attribute in described:
            self.attributes.setdefault(name, set()).add(attribute)
        self.all_relations = _joined(self.relations.values())
        self.all_attributes = _joined(self.attributes.values())


def _joined(sets: Iterable[set[str]]) -> set[str]:
    return set(chain.from_iterable(sets))


class Substitutions:
    """Which words of a corpus may stand for a word, and which mean too much the same; each found once."""

    def __init__(self, attested: Attested, exclusive: Exclusive) -> None:
        self.attested = attested
        self.exclusive = exclusive
        self.vocabulary = {
            "noun": attested.names,
            "attribute": attested.all_attributes,
            "relation": attested.all_relations,
        }
        self._instead: dict[tuple[str, str], frozenset[str]] = {}
        self._alike: dict[tuple[str, str], frozenset[str]] = {}

    def instead(self, kind: str, word: str) -> frozenset[str]:
        """Words that exclude a word."""
        if (kind, word) not in self._instead:
            self._instead[kind, word] = excluding(self.exclusive, kind, word, self.vocabulary[kind])
        return self._instead[kind, word]

    def alike(self, kind: str, word: str) -> frozenset[str]:
        """Return a word and those that may be said in its place."""
        if (kind, word) not in self._alike:
            others = self.vocabulary[kind] - self.instead(kind, word)
            if kind == "attribute":  # most speak of something else; those of one sort have a contrary in common
                others = {other for other in others if self.instead(kind, word) & self.instead(kind, other)}
            self._alike[kind, word] = frozenset(others | {word})
        return self._alike[kind, word]


# ---------------------------------------------------------------------------- families of distractors


def families(node: Node, words: Substitutions, *, multi_count: int = 1) -> dict[str, Query]:
    """Return the queries for distractors of a subgraph, by family: the key says which element is changed, and how.

    A marked subgraph (`multi_count` above 1) is about images with several of its roots; one more family then are images
    with only one.
    """
    plan = _Plan(pattern_of(node), words)
    several = min(multi_count, 2)
    queries: dict[str, Query] = {}
    for key, (pattern, without) in plan.changed().items():
        if len(pattern) == 1 and pattern[0].words is None and (pattern[0].attributes is not None or several > 1):
            continue  # "something red": nearly every image
        queries[key] = Query(pattern, several, without)
    if multi_count > 1:
        queries["0_no_mult"] = Query(plan.pattern, 1, plan.pattern, 2)
    return queries


Change = tuple[Pattern, Pattern]  # what an image holds, and what it does not


class _Plan:
    """The changes of one subgraph."""

    def __init__(self, pattern: Pattern, words: Substitutions) -> None:
        self.pattern = pattern
        self.words = words
        self.wide = tuple(map(self.widened, pattern))
        self.leaves = [  # objects that end a path, and are not the root
            i
            for i, element in enumerate(pattern)
            if i and element.kind == OBJECT and not any(following(pattern, i, RELATION))
        ]

    def widened(self, element: Element) -> Element:
        """Return an element with every word that may be said in its place."""
        kind, names, attributes, _ = element
        return element._replace(
            words=names and self.alike("noun" if kind == OBJECT else "relation", names),
            attributes=attributes and self.alike("attribute", attributes),
        )

    def alike(self, kind: str, words: frozenset[str]) -> frozenset[str]:
        return self.words.alike(kind, _word(words))

    def changed(self) -> dict[str, Change]:
        """Make all changes; families of distance 1 come first."""
        near = self.distance_one()
        far: dict[str, Change] = {}
        root = self.pattern[0]
        contrary = root.attributes and self.words.instead("attribute", _word(root.attributes))
        for key, (pattern, _) in near.items():
            if contrary and key != "0_attr":
                without = _replaced(self.wide, 0, attributes=None)
                far[f"{key}_neg_attr_main_object"] = _replaced(pattern, 0, attributes=contrary), without
        if self.has_plain_leaves():
            far |= self.other_objects(near) | self.other_relations(near)
        return near | far

    def distance_one(self) -> dict[str, Change]:
        """Change one element."""
        changes: dict[str, Change] = {}
        for i, (kind, names, attributes, _) in enumerate(self.pattern):
            if attributes is not None:
                seen = self.words.attested.attributes.get(_word(names), set()) if names else None
                others = self.words.instead("attribute", _word(attributes))
                if others := others if seen is None else others & seen:
                    changes[f"{i}_attr"] = _replaced(self.pattern, i, attributes=others), self.wide
            if kind == OBJECT:
                changes[f"{i}_name"] = _replaced(self.pattern, i, words=None), self.wide
            elif kind == RELATION and (relations := self.contrary_relations(i)):
                changes[f"{i}_relation"] = _replaced(self.pattern, i, words=relations), self.wide
        return changes

    def contrary_relations(self, at: int) -> frozenset[str]:
        """Relations between the same two names that exclude this one."""
        relation = self.pattern[at]
        subject, target = self.pattern[relation.parent].words, self.pattern[at + 1].words
        between = self.words.attested.relations.get((_word(subject), _word(target)), set())
        return self.words.instead("relation", _word(relation.words)) & between - PAIRED

    def has_plain_leaves(self) -> bool:
        """Tell whether the relations that end a path can be told apart, and say more than belonging."""
        names = [_word(self.pattern[i - 1].words) for i in self.leaves]
        relations = {_word(element.words) for element in self.pattern if element.kind == RELATION}
        return bool(names) and "of" not in relations and len(set(names)) == len(names)

    def other_objects(self, near: dict[str, Change]) -> dict[str, Change]:
        """Let one object have any name, and put another object at the end of a path."""
        if any(element.attributes for element in self.pattern[1:]):
            return {}
        far = {}
        for p in self.leaves:
            relation = self.pattern[p - 1]
            subject = relation.parent if relation.kind == RELATION else self.pattern[relation.parent].parent
            attested = self.words.attested.objects.get(
                (_word(self.pattern[subject].words), _word(relation.words)), set()
            )
            if others := frozenset(attested) - self.alike("noun", self.pattern[p].words or frozenset()):
                for key, (pattern, _) in near.items():
                    if key.endswith("_name") and key != f"{p}_name":
                        far[f"{key}_neg_object_{p}"] = _replaced(pattern, p, words=others), _cut(self.wide, p)
        return far

    def other_relations(self, near: dict[str, Change]) -> dict[str, Change]:
        """Change the root, and put another relation at the end of a path."""
        far = {}
        for p in (leaf - 1 for leaf in self.leaves):
            if self.pattern[p].kind == RELATION and (relations := self.contrary_relations(p)):
                for key in ("0_attr", "0_name"):
                    if key in near:
                        far[f"{key}_neg_relation_{p}"] = _replaced(near[key][0], p, words=relations), self.wide[:1]
        return far


def _word(words: Words) -> str:
    """The only word of a set; empty for an element without one."""
    return next(iter(words)) if words else ""


def _replaced(pattern: Pattern, at: int, **changes: Words) -> Pattern:
    return (*pattern[:at], pattern[at]._replace(**changes), *pattern[at + 1 :])  # type: ignore[arg-type]


def _cut(pattern: Pattern, leaf: int) -> Pattern:
    """A pattern without an object at the end of a path, the relation that leads to it, and the relation's modifiers."""
    places = {-1: -1}  # of the elements that stay
    kept: list[Element] = []
    for i, element in enumerate(pattern):
        if i != leaf - 1 and element.parent in places:
            places[i] = len(kept)
            kept.append(element._replace(parent=places[element.parent]))
    return tuple(kept)
