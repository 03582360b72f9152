"""Subgraphs: an object with at most one attribute and what it is related to; what a phrase of a question describes.

Node("man", edges=(Edge("wearing", Node("hat", "red")),))        a man that is wearing a red hat
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


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
