"""Scene graphs as people draw them: some of what an image shows is left out, and some of it has another name.

Made from complete graphs of our own worlds, so that it is known what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from unseen.benchmarks.covr.english.exclusivity import DIRECTED, ROOT, branches, tabled
from unseen.benchmarks.covr.english.synonyms import SYNONYMS
from unseen.benchmarks.covr.world.nouns import NOUNS
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing
from unseen.core.errors import SpecError
from unseen.core.random import Stream, path_key

KINDS = {"noun": "name", "attribute": "attribute", "relation": "relation"}  # of words, as the synonyms call them


@dataclass(frozen=True)
class Gaps:
    """What share of the annotations is left out, or has another word."""

    objects: float = 0.0
    attributes: float = 0.0
    relations: float = 0.0
    renamed: float = 0.0  # of words that have another: a synonym, or of nouns the name of their kind

    def __post_init__(self) -> None:
        for name, share in vars(self).items():
            if not 0 <= share <= 1:
                raise SpecError(f"{name} is a share of the annotations, from 0 to 1, not {share}")


def with_gaps(scene: Scene, gaps: Gaps, seed: int = 0) -> Scene:
    """Return a scene graph without a share of its annotations; the seed and the scene's id decide which.

    What is left out of objects takes their relations along, and those that lead to them.
    """
    rng = Stream(path_key(seed, "covr", "gaps", scene.id))
    kept = {id for id in scene.things if rng.uniform() >= gaps.objects}
    return replace(scene, things={id: _thing(scene.things[id], kept, gaps, rng) for id in scene.things if id in kept})


def _thing(thing: Thing, kept: set[str], gaps: Gaps, rng: Stream) -> Thing:
    attributes = tuple(
        _renamed("attribute", word, gaps, rng) for word in thing.attributes if rng.uniform() >= gaps.attributes
    )
    relations = tuple(
        Relation(
            _renamed("relation", relation.name, gaps, rng),
            relation.target,
            tuple(one for one in relation.modifiers if one.target in kept),
        )
        for relation in thing.relations
        if relation.target in kept and rng.uniform() >= gaps.relations
    )
    return thing._replace(name=_renamed("noun", thing.name, gaps, rng), attributes=attributes, relations=relations)


def _renamed(kind: str, word: str, gaps: Gaps, rng: Stream) -> str:
    others = other_words(kind, word)
    return rng.choice(others) if others and rng.uniform() < gaps.renamed else word


@cache
def other_words(kind: str, word: str) -> tuple[str, ...]:
    """Give what else a word of the flat world may be called: a synonym, and of a noun the kind of things it belongs to.

    >>> other_words("noun", "sofa"), other_words("attribute", "red")
    (('couch', 'seat'), ())
    """
    synonym = SYNONYMS[KINDS[kind]].get(word)
    above = [way[-2] for way in branches(word) if len(way) > 1 and way[-2] != ROOT] if kind == "noun" else []
    return tuple(dict.fromkeys([*([synonym] if synonym else []), *above]))


# ---------------------------------------------------------------------------- the truth


def truly_exclusive(kind: str, word: str, other: str) -> bool:
    """Tell whether two words of graphs with gaps exclude each other: whatever the one can stand for, the other cannot.

    >>> truly_exclusive("noun", "sofa", "couch"), truly_exclusive("noun", "couch", "table")
    (False, True)
    """
    if kind == "noun":
        return not _meant(kind)[word] & _meant(kind)[other]
    return all(
        one != two and bool(tabled(kind, one, two)) and (kind in DIRECTED or bool(tabled(kind, two, one)))
        for one in _meant(kind).get(word, {word})
        for two in _meant(kind).get(other, {other})
    )


@cache
def _meant(kind: str) -> dict[str, set[str]]:
    """The words of the flat world that each word may stand for."""
    own = [noun.name for noun in NOUNS] if kind == "noun" else list(SYNONYMS[KINDS[kind]])
    found: dict[str, set[str]] = {}
    for word in own:
        for said in (word, *other_words(kind, word)):
            found.setdefault(said, set()).add(word)
    return found
