"""Subgraphs: an object with at most one attribute and what it is related to; what a phrase of a question describes.

    Node("man", edges=(Edge("wearing", Node("hat", "red")),))        a man that is wearing a red hat

Elements are numbered in the order of the phrase: the root is 0, then for each relation the relation, its object with
all that follows it, and each modifier with its object. Attributes are not numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from unseen.benchmarks.covr.world.identity import hashed
from unseen.benchmarks.covr.world.scene import IGNORED_RELATIONS, Relation, Scene, Thing

UNASKED_NAMES = frozenset(
    {
        *("head", "snow", "ground", "sky", "road", "roadway", "grass", "field", "wall", "sidewalk", "street"),
        *("agent", "agentpart", "item"),
    }
)
UNASKED_RELATIONS = IGNORED_RELATIONS | {"of", "with", "complaining to"}
PAIRED = frozenset({"between"})  # relations to two objects at once: with one of them they say nothing
SMALLEST = 400  # square pixels of a box; nothing is asked about what is not larger
LEVELS = 2  # relations on a path from the root
DULL = frozenset({"shoes", "sock", "socks", "shoe", "shirt", "pants", "clothes"})  # to wear, if nothing more is said


@dataclass(frozen=True, slots=True)
class Node:
    """An object as it is described; a nameless one may be anything."""

    name: str | None
    attribute: str | None = None
    edges: tuple[Edge, ...] = ()  # at most two


class Edge(NamedTuple):
    """A relation, the object it leads to, and its modifiers, each with its own object."""

    relation: str
    target: Node
    modifiers: tuple[tuple[str, Node], ...] = ()  # ("<relation>:_<phrase>", object)


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A subgraph of a scene, and the objects that it describes there."""

    node: Node
    roots: tuple[str, ...]  # object ids, in the scene's order

    @property
    def count(self) -> int:
        """How many objects of the scene it describes."""
        return len(self.roots)


def length(node: Node) -> int:
    """Tell how many elements a subgraph has.

    >>> length(Node("man", "tall")), length(Node("man", edges=(Edge("wearing", Node("hat")),)))
    (1, 3)
    """
    return 1 + sum(1 + length(edge.target) + 2 * len(edge.modifiers) for edge in node.edges)


def depth(node: Node) -> int:
    """Elements on the longest path: 1 for a lone object, two more per relation, at least 4 where there are modifiers.

    >>> depth(Node("man", edges=(Edge("cutting", Node("cake"), (("cutting:_with", Node("knife")),)),)))
    4
    """
    return 1 + max((max(1 + depth(edge.target), 3 * bool(edge.modifiers)) for edge in node.edges), default=0)


def canonical(node: Node) -> Node:
    """Return the one form of all subgraphs that say the same: edges in alphabetical order."""
    edges = (Edge(edge.relation, canonical(edge.target), edge.modifiers) for edge in node.edges)
    return Node(node.name, node.attribute, tuple(sorted(edges, key=_order)))


def _order(edge: Edge) -> tuple[str, str, str, str]:
    target = edge.target
    return edge.relation, target.name or "", target.attribute or "", repr(target.edges) if target.edges else ""


def subgraphs(scene: Scene) -> list[Subgraph]:
    """Return all subgraphs of a scene, each once, in the order of their roots; each in canonical form.

    From an object with every one of its attributes, and with none: the object alone, with one relation to any subgraph
    of the target, and with two relations to objects of different names. A path has at most two relations and no name
    twice. Of relations of one name to objects of one name the first is followed.
    """
    extraction = _Extraction(scene)
    found: dict[Node, list[str]] = {}
    for thing in scene.things.values():
        if not askable(thing):
            continue
        for node in extraction.described(thing, LEVELS):
            roots = found.setdefault(node, [])
            if not roots or roots[-1] != thing.id:
                roots.append(thing.id)
    return [Subgraph(node, tuple(roots)) for node, roots in found.items()]


def askable(thing: Thing) -> bool:
    """Tell whether an object is worth a question: not background, not tiny."""
    return thing.name not in UNASKED_NAMES and (thing.box is None or thing.box[2] * thing.box[3] > SMALLEST)


class _Extraction:
    """The subgraphs of one scene's objects, each made once and shared by all that contain it."""

    def __init__(self, scene: Scene) -> None:
        self.things = scene.things
        self.made: dict[tuple[str, int], list[Node]] = {}

    def described(self, thing: Thing, levels: int) -> list[Node]:
        """Return all subgraphs with this root and at most so many relations on a path."""
        if (thing.id, levels) not in self.made:
            branches = [()] if levels == 0 else [(), *self.one_edge(thing, levels), *self.two_edges(thing)]
            self.made[thing.id, levels] = [
                Node(thing.name, attribute, edges) for edges in branches for attribute in (None, *thing.attributes)
            ]
        return self.made[thing.id, levels]

    def one_edge(self, thing: Thing, levels: int) -> Iterator[tuple[Edge]]:
        """Yield every way to go on with one relation."""
        for relation, target, modifiers in self.followed(thing):
            for node in self.described(target, levels - 1):
                if not is_dull(relation, node) and all(thing.name not in _named(edge) for edge in node.edges):
                    yield (Edge(relation, node, modifiers),)

    def two_edges(self, thing: Thing) -> Iterator[tuple[Edge, Edge]]:
        """Every pair of relations to objects of different names; of the attributes of each object one is drawn."""
        arms = [
            (relation, [node for node in self.described(target, 0) if not is_dull(relation, node)], modifiers)
            for relation, target, modifiers in self.followed(thing)
        ]
        arms = [arm for arm in arms if arm[1] and not arm[2]]
        if len(arms) < 2:
            return
        for (one, ones, _), (other, others, _) in combinations(arms, 2):
            if ones[0].name != others[0].name:
                drawn = hashed(f"{thing.id} {one} {ones[0].name} {other} {others[0].name}")
                first, second = ones[drawn % len(ones)], others[drawn // len(ones) % len(others)]
                pair = sorted((Edge(one, first), Edge(other, second)), key=_order)
                yield pair[0], pair[1]

    def followed(self, thing: Thing) -> list[tuple[str, Thing, tuple[tuple[str, Node], ...]]]:
        """Return the relations that lead on from an object."""
        seen = set()
        ways = []
        for relation in thing.relations:
            target = self.things[relation.target]
            if relation.name in UNASKED_RELATIONS or target.name == thing.name or not askable(target):
                continue
            if relation.name in PAIRED and not relation.modifiers:
                continue
            if (relation.name, target.name) not in seen:
                seen.add((relation.name, target.name))
                ways.append((relation.name, target, self.modifiers(relation)))
        return ways

    def modifiers(self, relation: Relation) -> tuple[tuple[str, Node], ...]:
        """Return all modifiers of a relation; a part of them would leave something unsaid."""
        return tuple((modifier.name, Node(self.things[modifier.target].name)) for modifier in relation.modifiers)


def _named(edge: Edge) -> tuple[str | None, ...]:
    """The names right after a relation."""
    return edge.target.name, *(node.name for _, node in edge.modifiers)


def is_dull(relation: str, node: Node) -> bool:
    """Tell whether it says next to nothing that someone wears this, as of any shirt."""
    return relation == "wearing" and node.name in DULL and node.attribute is None
