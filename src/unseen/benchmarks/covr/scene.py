"""Scenes: what stands in an image, what it is like, and how it stands to the rest.

A scene graph as GQA has it. A relation may carry modifiers (imSitu: "uncorking a bottle *with a corkscrew*"), whose
names repeat the relation's: `uncorking:_with`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Modifier(NamedTuple):
    """A further object of a relation."""

    name: str  # "<relation>:_<phrase>"
    target: str  # object id


class Relation(NamedTuple):
    """What an object does to, or how it stands to, another object of its scene."""

    name: str
    target: str  # object id
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """One object of a scene."""

    id: str  # no other object of any scene has it
    name: str
    attributes: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    box: tuple[int, int, int, int] | None = None  # x, y, width, height in pixels; None where the source has none


@dataclass(frozen=True, slots=True)
class Scene:
    """One image's objects, in the order of their source."""

    id: str
    things: Mapping[str, Thing]  # object id -> object
    width: int = 0  # pixels; 0 where the source does not say
    height: int = 0


def from_gqa(id: str, graph: Mapping[str, Any]) -> Scene:
    """A scene of GQA's."""
    things = {
        key: Thing(
            key,
            thing["name"],
            tuple(dict.fromkeys(thing.get("attributes", ()))),
            tuple(
                Relation(
                    r["name"],
                    r["object"],
                    tuple(Modifier(m["name"], m["object"]) for m in r.get("prepositions", ())),
                )
                for r in thing.get("relations", ())
                if r["name"] not in ("to the left of", "to the right of")
            ),
        )
        for key, thing in graph["objects"].items()
    }
    return Scene(id, things, graph.get("width", 0), graph.get("height", 0))
