"""Do two words exclude each other? A substitution is a distractor only where they do.

`m(kind, word, other)` is the probability that what `other` says of a thing, or of two, cannot be said by `word`; the
kinds are "noun", "attribute" and "relation", and a substitution is allowed above one half. Relations are directed:
someone near a horse is not riding it, but someone riding it is near it. Any such function will do, a learned model too;
`tabled` reads the lexicon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from unseen.benchmarks.covr.english.lexicon import (
    ATTRIBUTES_ALIKE,
    COMPATIBLE,
    DEED_RELATIONS,
    GROUPS,
    IMPLIED_BY,
    KINDS,
    LOOSE,
    PEOPLE,
    PLACE_RELATIONS,
    PLURALS,
)

Exclusive = Callable[[str, str, str], float]  # (kind of word, word, other) -> probability

ALLOWED = 0.5  # a substitution is, above this
KINDS_OF_WORDS = ("noun", "attribute", "relation")
DIRECTED = ("relation",)  # kinds of which m(word, other) and m(other, word) may differ


def tabled(kind: str, word: str, other: str) -> float:
    """Mutual exclusion by the lexicon: 0 or 1.

    >>> tabled("noun", "man", "person"), tabled("noun", "man", "woman"), tabled("attribute", "red", "striped")
    (0.0, 1.0, 0.0)
    >>> tabled("relation", "riding on", "near"), tabled("relation", "near", "riding on")
    (1.0, 0.0)
    """
    return float(word != other and _TESTS[kind](word, other))


def excluding(exclusive: Exclusive, kind: str, word: str, words: Iterable[str]) -> frozenset[str]:
    """Those of some words that may be substituted for a word."""
    return frozenset(other for other in words if exclusive(kind, word, other) > ALLOWED)


# ---------------------------------------------------------------------------- nouns


def _nouns(word: str, other: str) -> bool:
    """Nouns exclude each other where the tree of nouns says so: on branches that part at a kind of different things.

    A noun of several kinds may be any of them, so that all of them have to exclude the other; one that the tree does
    not know excludes none, since graphs drawn by hand have many names for a thing.
    """
    one, two = singular(word), singular(other)
    if (features := _features(one)) and (others := _features(two)):
        return any(a != b and a and b for a, b in zip(features, others, strict=True))
    ones, twos = branches(one), branches(two)
    return bool(ones and twos) and all(_part(a, b) for a in ones for b in twos)


def _features(noun: str) -> tuple[str, str] | None:
    """Sex and age of a person, as far as a noun tells; none where the tree has a compound elsewhere (`dvd player`)."""
    return PEOPLE.get(noun if noun in PEOPLE or noun in _ABOVE else noun.rpartition(" ")[2])


def _part(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two branches, each from the root to a noun, part at a kind of different things."""
    same = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return same is not None and one[same - 1] not in _LOOSE and not {one[-1], other[-1]} <= {*one} & {*other}


def singular(noun: str) -> str:
    """The singular of a noun, roughly: good enough to find `tree` behind `trees`.

    >>> [singular(noun) for noun in ("trees", "boxes", "men", "berries", "glass", "bus")]
    ['tree', 'box', 'man', 'berry', 'glass', 'bus']
    """
    if noun in _SINGULARS:
        return _SINGULARS[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("xes", "ches", "shes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


@cache
def branches(noun: str) -> tuple[tuple[str, ...], ...]:
    """Every way from the root of the tree to a noun; a compound belongs to its last word (`beer bottle` to `bottle`).

    >>> branches("beer bottle")
    (('thing', 'container', 'bottle', 'beer bottle'),)
    """
    above = _ABOVE.get(noun, ()) or (("person",) if _features(noun) and noun != "person" else ())
    if not above and " " in noun:
        above = (noun.rsplit(" ", 1)[1],)
    if noun == ROOT:
        return ((ROOT,),)
    return tuple((*way, noun) for kind in above for way in branches(kind) if noun not in way)


_SINGULARS = {plural: noun for noun, plural in PLURALS.items()} | {"people": "person", "clothes": "clothes"}
ROOT = "thing"
_LOOSE = frozenset(map(singular, LOOSE))
_ABOVE: dict[str, tuple[str, ...]] = {}
for _kind, _members in KINDS.items():
    for _member in _members:
        _ABOVE[singular(_member)] = (*_ABOVE.get(singular(_member), ()), singular(_kind))

# ---------------------------------------------------------------------------- attributes and relations


def _attributes(word: str, other: str) -> bool:
    """Attributes exclude each other within a group, unless they may be said of the same thing."""
    groups = _GROUPS_OF.get(word, set()) & _GROUPS_OF.get(other, set())
    return bool(groups) and other not in ATTRIBUTES_ALIKE.get(word, ()) and word not in ATTRIBUTES_ALIKE.get(other, ())


def _relations(word: str, other: str) -> bool:
    """Relations of one sort exclude each other, unless the other implies the first or may hold beside it.

    Being somewhere is not yet a deed; but what one does to a thing says little about where one is.
    """
    known = (word in DEED_RELATIONS and other in _KNOWN) or (word in PLACE_RELATIONS and other in PLACE_RELATIONS)
    return known and other not in IMPLIED_BY.get(word, ()) and not {(word, other), (other, word)} & _COMPATIBLE


_GROUPS_OF: dict[str, set[str]] = {}
for _group, _values in GROUPS.items():
    for _value in _values:
        _GROUPS_OF.setdefault(_value, set()).add(_group)
_COMPATIBLE = frozenset(COMPATIBLE)
_KNOWN = frozenset((*PLACE_RELATIONS, *DEED_RELATIONS))
_TESTS = {"noun": _nouns, "attribute": _attributes, "relation": _relations}
