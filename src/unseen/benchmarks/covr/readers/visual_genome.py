"""Visual Genome scene graphs: `scene_graphs.json`, or `relationships.json` and the like with objects embedded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unseen.benchmarks.covr.readers.stream import entries
from unseen.benchmarks.covr.world.scene import IGNORED_RELATIONS, Relation, Scene, Thing, check
from unseen.core.errors import DataError

Objects = dict[str, dict[str, Any]]  # object id -> its entry


def read(path: str | Path, attributes: str | Path | None = None) -> Iterator[Scene]:
    """Yield the scenes of a file, in its order; `attributes.json` beside it lists the images in the same order."""
    described = entries(Path(attributes)) if attributes else None
    for where, _, image in entries(Path(path)):
        more = next(described, None) if described else None
        try:
            yield _scene(image, more[2] if more else {})
        except KeyError as error:
            raise DataError(f"{where}: an image lacks {error.args[0]!r}; Visual Genome's have it") from None
        except (AttributeError, TypeError):
            raise DataError(f"{where}: this is no image of Visual Genome") from None
        except DataError as error:
            raise DataError(f"{where}: {error}") from None


def _scene(image: Mapping[str, Any], described: Mapping[str, Any]) -> Scene:
    scene_id = str(image["image_id"])
    if described and str(described["image_id"]) != scene_id:
        raise DataError(
            f"image {scene_id} stands beside image {described['image_id']} of the attributes; the files differ in order"
        )
    objects: Objects = {}
    for entry in (*image.get("objects", ()), *described.get("attributes", ())):
        _note(objects, entry)
    relations: dict[str, list[Relation]] = {}
    for entry in image.get("relationships", ()):
        subject, target = (_end(objects, entry, which) for which in ("subject", "object"))
        name = _word(entry["predicate"])
        if name and name not in IGNORED_RELATIONS:
            relations.setdefault(subject, []).append(Relation(name, target))
    scene = Scene(scene_id, {key: _thing(key, entry, relations.get(key, [])) for key, entry in objects.items()})
    check(scene)
    return scene


def _note(objects: Objects, entry: Mapping[str, Any]) -> str:
    """Add an object, or what an entry says more about it; returns its id."""
    key = str(entry["object_id"])
    known = objects.setdefault(key, {})
    known.update({name: value for name, value in entry.items() if name != "attributes"})
    known["attributes"] = [*known.get("attributes", ()), *(entry.get("attributes") or ())]
    return key


def _end(objects: Objects, entry: Mapping[str, Any], which: str) -> str:
    """The object at one end of a relationship: its id, or the object itself in older files."""
    if which in entry:
        return _note(objects, entry[which])
    return str(entry[f"{which}_id"])


def _thing(key: str, entry: Mapping[str, Any], relations: list[Relation]) -> Thing:
    name = _word(entry["names"][0] if entry.get("names") else entry["name"])
    box = (entry["x"], entry["y"], entry["w"], entry["h"]) if "x" in entry else None
    attributes = tuple(dict.fromkeys(filter(None, map(_word, entry["attributes"]))))
    return Thing(key, name, attributes, tuple(dict.fromkeys(relations)), box)


def _word(text: str) -> str:
    """A word as it is written elsewhere: predicates vary in case (`ON`)."""
    return " ".join(text.lower().split())
