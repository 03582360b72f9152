"""The ends of subgraphs, and their elements by number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from unseen.benchmarks.covr.english.wording import Outside
from unseen.benchmarks.covr.world.subgraph import Edge, Node, length


class Leaf(NamedTuple):
    """A relation (or modifier) at the end of a subgraph, the object it leads to, and the subgraph without it."""

    at: int  # the number of the object; the relation's is one less
    relation: str
    object: Node
    subject: Node
    outside: Outside | None  # where the subject is in the middle of a chain
    edge: Edge | None  # the whole edge, where it is a relation and no modifier


def leaves(graph: Node) -> Iterator[Leaf]:
    """Yield the ends of a subgraph; of an object in the middle of a chain, only one that has no other relation."""
    at = 1
    for edge in graph.edges:
        rest = replace(graph, edges=tuple(other for other in graph.edges if other is not edge))
        target = edge.target
        if not target.edges:
            yield Leaf(at + 1, edge.relation, target, rest, None, edge)
        elif len(target.edges) == 1 and len(graph.edges) == 1 and not target.edges[0].modifiers and not edge.modifiers:
            inner = target.edges[0]
            outside = Outside(replace(graph, edges=()), edge.relation)
            yield Leaf(at + 3, inner.relation, inner.target, replace(target, edges=()), outside, inner)
        at += 1 + length(target)
        for i, (name, node) in enumerate(edge.modifiers):
            kept = edge._replace(modifiers=edge.modifiers[:i] + edge.modifiers[i + 1 :])
            subject = replace(graph, edges=tuple(kept if other is edge else other for other in graph.edges))
            yield Leaf(at + 1, name, node, subject, None, None)
            at += 2


def elements(graph: Node) -> Iterator[str | None]:
    """Yield the names of all elements in the order of their numbers."""
    yield graph.name
    for edge in graph.edges:
        yield edge.relation
        yield from elements(edge.target)
        for name, node in edge.modifiers:
            yield name
            yield from elements(node)


def element(graph: Node, at: int) -> str | None:
    """Return the name of one element; nothing where there is none."""
    return next(islice(elements(graph), at, None), None)
