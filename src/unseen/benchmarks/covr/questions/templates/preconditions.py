"""What can be asked about a source, as far as that is told before or by the images related to it."""

from __future__ import annotations

import re

from unseen.benchmarks.covr.english.inflection import is_countable
from unseen.benchmarks.covr.english.lexicon import GROUP_OF
from unseen.benchmarks.covr.questions.related import Source
from unseen.benchmarks.covr.questions.templates.leaves import leaves
from unseen.benchmarks.covr.world.subgraph import Node

UNCOUNTED = re.compile(  # nouns, by how they begin, of which a scene graph seldom has all
    "letter|fence|cable|topping|leave|leaf|broccoli|window|mountain|cloud|tree|leg|sauce|wire|stick|word|curtain|bush"
    "|hair|graffiti|floor|water"
)
# of many colors, or of any
UNCOLORED = re.compile("building|tree|sign|clock|bush|bus|flag|leaf|leaves|sauce|water|ocean")
# relations of which the object is never asked for: "what is the ring between it and?"
UNASKABLE = frozenset({"of", "between:_and"})
# relations with too many right answers
UNASKED_OBJECTS = frozenset({"wearing", "behind", "in front of", "near", "above"})


def related(source: Source) -> bool:
    """Ask about a subgraph that has a relation."""
    return bool(source.graph.edges)


def related_with_attribute(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root has an attribute."""
    return bool(source.graph.edges and source.graph.attribute)


def with_asked_attribute(source: Source) -> bool:
    """Ask about a subgraph whose root has an attribute of a type that can be told of it, such as a color."""
    type = GROUP_OF.get(source.graph.attribute or "")
    return type is not None and not (type == "color" and UNCOLORED.match(source.graph.name or ""))


def related_with_asked_attribute(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root has an attribute of a type that can be told of it."""
    return bool(source.graph.edges) and with_asked_attribute(source)


def several_with_asked_attribute(source: Source) -> bool:
    """Ask about a countable root that has an attribute of a type that can be told of it."""
    return is_countable(source.graph.name or "") and with_asked_attribute(source)


def quantified(source: Source) -> bool:
    """Ask about a countable root that has a relation or an attribute, which may be true of all, some or none."""
    return is_countable(source.graph.name or "") and bool(source.graph.edges or source.graph.attribute)


def counted(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root can be counted."""
    return bool(source.graph.edges) and countable(source.graph)


def countable(graph: Node) -> bool:
    """Tell whether the objects of a subgraph can be counted."""
    return not UNCOUNTED.match(graph.name or "") and is_countable(graph.name or "")


def repeated(source: Source) -> bool:
    """Ask about a root that can be counted and occurs several times in the image."""
    return 2 <= source.count <= 4 and countable(source.graph)


def with_plain_objects(source: Source) -> bool:
    """Ask about a subgraph whose relations lead to objects without attributes; others have no decoys."""
    targets = [edge.target for edge in source.graph.edges]
    targets += [edge.target for target in targets for edge in target.edges]
    return bool(targets) and not any(target.attribute for target in targets)


def with_contrary_relation(source: Source) -> bool:
    """Ask about a subgraph that ends in a relation which things of the same names have another instead of."""
    return any(
        leaf.edge is not None
        and not leaf.edge.modifiers
        and source.corpus.contraries(leaf.subject.name, leaf.relation, leaf.object.name)
        for leaf in leaves(source.graph)
    )


def asks_attribute(source: Source) -> bool:
    """Tell whether there are images where the root has another attribute, and such where something else differs too."""
    return bool(source.families["0_attr"] and source.families.only(".*_neg_attr_main_object"))


def tells_another(second: Node, graph: Node) -> bool:
    """Tell whether a subgraph tells something else than another, and nothing twice."""
    nodes = (second, *(edge.target for edge in second.edges))
    return second != graph and all(len(set(node.edges)) == len(node.edges) for node in nodes)
