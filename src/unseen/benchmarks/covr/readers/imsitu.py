"""imSitu situations as scenes: someone doing something to a thing, with modifiers.

A verb's template, `AGENT staples ITEM onto SURFACE using TOOL at PLACE`, names its roles in order and the phrases
between them. The first role is the agent, the second what it acts on; the others are modifiers of that relation.
Places are not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unseen.benchmarks.covr.readers.stream import entries, whole
from unseen.benchmarks.covr.world.scene import Modifier, Relation, Scene, Thing
from unseen.core.errors import DataError

PLACE = "place"


class Template(NamedTuple):
    """The roles that a verb's template names, and the phrase that leads to each but the first."""

    roles: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]


def read(path: str | Path, space: str | Path, templates: str | Path) -> Iterator[Scene]:
    """The scenes of `train.json` or `dev.json`, with the nouns of `imsitu_space.json` and the templates of the table.

    Images whose verb names fewer than two roles are left out; where no frame has both filled the scene is empty.
    """
    described = whole(Path(space))
    nouns = described.get("nouns") if isinstance(described, dict) else None
    if not isinstance(nouns, dict):
        raise DataError(f"{space} is no description of imSitu's nouns; expected an object with an entry `nouns`")
    known = read_templates(Path(templates))
    for where, file, image in entries(Path(path)):
        try:
            template = known[image["verb"]]
            if len(template.roles) >= 2:
                yield _scene(file.rsplit(".", 1)[0], image, template, nouns)
        except KeyError as error:
            raise DataError(f"{where}: image {file!r}: {error.args[0]!r} is not in the files given") from None
        except (AttributeError, TypeError, IndexError):
            raise DataError(f"{where}: image {file!r} is no situation of imSitu") from None


def read_templates(path: Path) -> dict[str, Template]:
    """Return the table of templates: a verb, a tab, and its template on each line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file in UTF-8") from None
    except OSError as error:
        raise DataError(f"could not read {path}: {(error.strerror or str(error)).lower()}") from error
    templates = {}
    for number, line in enumerate(lines, 1):
        verb, tab, text = line.partition("\t")
        if line.strip() and not tab:
            raise DataError(f"{path}:{number}: expected a verb, a tab and a template, found {line!r}")
        if tab:
            templates[verb.strip()] = parse_template(text)
    return templates


def parse_template(text: str) -> Template:
    """Return the roles and phrases of a template; what stands before the first role leads to none.

    >>> parse_template("AGENT flaps its BODYPART at PLACE")
    Template(roles=('agent', 'bodypart', 'place'), phrases=(('flaps', 'its'), ('at',)))
    """
    roles: list[str] = []
    phrases: list[tuple[str, ...]] = []
    words: list[str] = []
    for token in text.replace(",", " ").replace(".", " ").split():
        if not token.isupper():
            words.append(token)
            continue
        if roles:
            phrases.append(tuple(words))
        roles.append(token.lower())
        words = []
    return Template(tuple(roles), tuple(phrases))


def _scene(scene_id: str, image: Mapping[str, Any], template: Template, nouns: Mapping[str, Any]) -> Scene:
    agent, first = template.roles[:2]
    frame = next((frame for frame in image["frames"] if frame.get(agent) and frame.get(first)), None)
    if frame is None:
        return Scene(scene_id, {})
    names = [nouns[frame[agent]]["gloss"][0]]
    relation = ""
    modifiers: list[Modifier] = []
    for role, phrase in zip(template.roles[1:], template.phrases, strict=True):
        if not relation and role == PLACE:
            break  # a deed that is done to a place only
        if not phrase or role == PLACE or not frame.get(role):
            continue
        target = f"{scene_id}_{len(names)}"
        names.append(nouns[frame[role]]["gloss"][0])
        if relation:
            modifiers.append(Modifier(f"{relation}:_{' '.join(phrase)}", target))
        else:
            relation = " ".join((image["verb"], *phrase[1:]))  # "flapping" and "flaps its": "flapping its"
    deeds = (Relation(relation, f"{scene_id}_1", tuple(modifiers)),) if relation else ()
    things = [Thing(f"{scene_id}_{k}", name, (), deeds if k == 0 else ()) for k, name in enumerate(names)]
    return Scene(scene_id, {thing.id: thing for thing in things})
