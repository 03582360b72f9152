"""Scenes: what stands in an image, what it is like, and how it stands to the rest.

A scene graph as GQA has it. A relation may carry modifiers (imSitu: "uncorking a bottle *with a corkscrew*"), whose
names repeat the relation's: `uncorking:_with`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from unseen.core.errors import DataError

IGNORED_RELATIONS = frozenset({"to the left of", "to the right of"})  # most of GQA's, and nothing is asked about them


class Modifier(NamedTuple):
    """A further object of a relation, such as the tool of an act."""

    name: str  # "<relation>:_<phrase>"
    target: str  # object id


class Relation(NamedTuple):
    """What an object does to, or how it stands to, another object of its scene."""

    name: str
    target: str  # object id
    modifiers: tuple[Modifier, ...] = ()


class Thing(NamedTuple):
    """One object of a scene."""

    id: str  # no other object of any scene has it
    name: str
    attributes: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    box: tuple[int, int, int, int] | None = None  # x, y, width, height in pixels; None where the source has none

    @property
    def words(self) -> str:
        """What it is and what it is like, in words.

        >>> Thing("7", "cup", ("large", "red")).words
        'large red cup'
        """
        return " ".join((*self.attributes, self.name))


@dataclass(frozen=True, slots=True)
class Scene:
    """One image's objects, in the order of their source."""

    id: str
    things: Mapping[str, Thing]  # object id -> object
    width: int = 0  # pixels; 0 where the source does not say
    height: int = 0
    location: str = ""  # "kitchen", "park", ...; empty where the source does not say


def check(scene: Scene) -> None:
    """Refuse relations that lead out of the scene."""
    things = scene.things
    for thing in things.values():
        for relation in thing.relations:
            _, target, modifiers = relation
            if target not in things:
                raise _stray(scene, thing, relation, target)
            for modifier in modifiers:
                if modifier.target not in things:
                    raise _stray(scene, thing, relation, modifier.target)


def _stray(scene: Scene, thing: Thing, relation: Relation, target: str) -> DataError:
    return DataError(
        f"object {thing.id!r} of scene {scene.id!r} is {relation.name!r} {target!r}, which is no object of that scene"
    )


# ---------------------------------------------------------------------------- as GQA has them


def from_gqa(scene_id: str, graph: Mapping[str, Any]) -> Scene:
    """Return a scene from its GQA form; sideways relations are left out, and so are repeated attributes.

    >>> from_gqa("1", {"objects": {"7": {"name": "cup", "attributes": ["red", "red"]}}}).things["7"].attributes
    ('red',)
    """
    try:
        things = {key: _thing(key, entry) for key, entry in graph["objects"].items()}
        scene = Scene(scene_id, things, graph.get("width", 0), graph.get("height", 0), graph.get("location", ""))
    except KeyError as error:
        raise DataError(f"scene {scene_id!r} lacks {error.args[0]!r}; a GQA scene graph has it") from None
    except (AttributeError, TypeError):
        raise DataError(f"scene {scene_id!r} is not a GQA scene graph: objects are mappings with a name") from None
    check(scene)
    return scene


_new = tuple.__new__  # a third of the time of a named tuple's own constructor, and there are millions


def _thing(key: str, entry: Mapping[str, Any]) -> Thing:
    box = (entry["x"], entry["y"], entry["w"], entry["h"]) if "x" in entry else None
    relations = [
        _new(Relation, (one["name"], one["object"], _modifiers(one) if "prepositions" in one else ()))
        for one in entry.get("relations", ())
        if one["name"] not in IGNORED_RELATIONS
    ]
    attributes = entry.get("attributes", ())
    words = tuple(dict.fromkeys(attributes)) if attributes else ()
    return _new(Thing, (key, entry["name"], words, tuple(relations), box))


def _modifiers(relation: Mapping[str, Any]) -> tuple[Modifier, ...]:
    return tuple(Modifier(further["name"], further["object"]) for further in relation["prepositions"])


def to_gqa(scene: Scene) -> dict[str, Any]:
    """Return a scene in its GQA form: plain values that JSON can hold."""
    sizes = {"width": scene.width, "height": scene.height} if scene.width else {}
    place = {"location": scene.location} if scene.location else {}
    return sizes | place | {"objects": {key: _entry(thing) for key, thing in scene.things.items()}}


def _entry(thing: Thing) -> dict[str, Any]:
    box = dict(zip("xywh", thing.box, strict=True)) if thing.box else {}
    relations: list[dict[str, Any]] = []
    for relation in thing.relations:
        further = [{"name": modifier.name, "object": modifier.target} for modifier in relation.modifiers]
        relations.append(
            {"name": relation.name, "object": relation.target} | ({"prepositions": further} if further else {})
        )
    return {"name": thing.name, "attributes": list(thing.attributes), "relations": relations} | box
