"""Scenes: what stands in an image, what it is like, and how it stands to the rest.

A scene graph as GQA has it. A relation may carry modifiers (imSitu: "uncorking a bottle *with a corkscrew*"), whose
names repeat the relation's: `uncorking:_with`.
"""

from __future__ import annotations

import json
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
            if relation.target not in things:
                raise _stray(scene, thing, relation, relation.target)
            for modifier in relation.modifiers:
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


def _thing(key: str, entry: Mapping[str, Any]) -> Thing:
    box = (entry["x"], entry["y"], entry["w"], entry["h"]) if "x" in entry else None
    relations = [
        Relation(relation["name"], relation["object"], _modifiers(relation) if "prepositions" in relation else ())
        for relation in entry.get("relations", ())
        if relation["name"] not in IGNORED_RELATIONS
    ]
    return Thing(key, entry["name"], tuple(dict.fromkeys(entry.get("attributes", ()))), tuple(relations), box)


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


# ---------------------------------------------------------------------------- as text


def to_text(scene: Scene) -> str:
    """Write a scene without its id as short JSON, which is faster to write and to read than its GQA form.

    >>> to_text(Scene("1", {"7": Thing("7", "cup", ("red",), (Relation("on", "8"),)), "8": Thing("8", "table")}))
    '[0,0,"",["7","cup",["red"],[["on","8",[]]],null],["8","table",[],[],null]]'
    """
    return _ENCODE((scene.width, scene.height, scene.location, *scene.things.values()))


_ENCODE = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


def from_text(scene_id: str, text: str | bytes) -> Scene:
    """Read a scene that `to_text` has written.

    >>> from_text("1", '[0,0,"",["7","cup",["red"],[],[1,2,3,4]]]').things["7"]
    Thing(id='7', name='cup', attributes=('red',), relations=(), box=(1, 2, 3, 4))
    """
    width, height, location, *rows = json.loads(text)
    things = {}
    for key, name, attributes, links, box in rows:
        relations = tuple(
            Relation(relation, target, tuple(Modifier(*modifier) for modifier in further))
            for relation, target, further in links
        )
        things[key] = Thing(key, name, tuple(attributes), relations, box and tuple(box))
    return Scene(scene_id, things, width, height, location)
