"""The search of the index in memory.

A corpus is five arrays of numbers that stand for words, things and rows: `starts` of the scenes' things, and one row
per thing, attribute, relation and modifier. What belongs to a row begins where its START says and ends where the next
row's begins. A pattern is int32 (elements, FIELDS); its words are a number, ANY, or a set: -2 - its row of `sets`.
"""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

FIELDS = 4
KIND, WORDS, ATTRIBUTES, PARENT = range(FIELDS)
OBJECT, RELATION, MODIFIER = range(3)  # as in the queries; a test compares
ANY = -1
NAME = 0  # column of things, relations and modifiers
SCENE, ATTRIBUTE_START, RELATION_START = 1, 2, 3  # columns of things
TARGET = 1  # column of relations and modifiers
MODIFIER_START = 2  # column of relations


@kernel
def allowed(words, word, sets):
    """Whether a word is one of those that an element allows."""
    if words >= 0:
        return words == word
    return words == ANY or sets[-2 - words, word]


@kernel
def fits(pattern, at, thing, things, attributes, sets):
    """Whether a thing has the name and attribute that an object of the pattern asks for."""
    if not allowed(pattern[at, WORDS], things[thing, NAME], sets):
        return False
    if pattern[at, ATTRIBUTES] == ANY:
        return True
    for k in range(things[thing, ATTRIBUTE_START], things[thing + 1, ATTRIBUTE_START]):
        if allowed(pattern[at, ATTRIBUTES], attributes[k], sets):
            return True
    return False


@kernel
def modified(pattern, at, relation, things, attributes, relations, modifiers, sets):
    """Whether a relation has all modifiers that the pattern's relation asks for."""
    for i in range(at + 2, len(pattern)):
        if pattern[i, KIND] != MODIFIER or pattern[i, PARENT] != at:
            continue
        found = False
        for k in range(relations[relation, MODIFIER_START], relations[relation + 1, MODIFIER_START]):
            if allowed(pattern[i, WORDS], modifiers[k, NAME], sets) and fits(
                pattern, i + 1, modifiers[k, TARGET], things, attributes, sets
            ):
                found = True
                break
        if not found:
            return False
    return True


@kernel
def leads(pattern, at, relation, things, attributes, relations, modifiers, sets):
    """Whether a relation, its target and its modifiers fit those of the pattern."""
    return (
        allowed(pattern[at, WORDS], relations[relation, NAME], sets)
        and fits(pattern, at + 1, relations[relation, TARGET], things, attributes, sets)
        and modified(pattern, at, relation, things, attributes, relations, modifiers, sets)
    )


@kernel
def ends(pattern, at, thing, things, attributes, relations, modifiers, sets):
    """Whether a thing has relations that fit those of an object of the pattern, and lead no further."""
    for i in range(at + 1, len(pattern)):
        if pattern[i, KIND] != RELATION or pattern[i, PARENT] != at:
            continue
        found = False
        for k in range(things[thing, RELATION_START], things[thing + 1, RELATION_START]):
            if leads(pattern, i, k, things, attributes, relations, modifiers, sets):
                found = True
                break
        if not found:
            return False
    return True


@kernel
def matches(pattern, thing, things, attributes, relations, modifiers, sets):
    """Whether a thing is a root of the pattern; written out for two relations on a path, as no kernel may recur."""
    if not fits(pattern, 0, thing, things, attributes, sets):
        return False
    for i in range(1, len(pattern)):
        if pattern[i, KIND] != RELATION or pattern[i, PARENT] != 0:
            continue
        found = False
        for k in range(things[thing, RELATION_START], things[thing + 1, RELATION_START]):
            if leads(pattern, i, k, things, attributes, relations, modifiers, sets) and ends(
                pattern, i + 1, relations[k, TARGET], things, attributes, relations, modifiers, sets
            ):
                found = True
                break
        if not found:
            return False
    return True


@kernel
def at_least(pattern, count, scene, starts, things, attributes, relations, modifiers, sets):
    """Whether so many things of a scene are roots of the pattern."""
    for thing in range(starts[scene], starts[scene + 1]):
        if not allowed(pattern[0, WORDS], things[thing, NAME], sets):
            continue  # most things: a call with so many arguments costs more than this
        if matches(pattern, thing, things, attributes, relations, modifiers, sets):
            count -= 1
            if count == 0:
                return True
    return False


@kernel
def find(
    candidates,
    pattern,
    several,
    without,
    without_several,
    starts,
    things,
    attributes,
    relations,
    modifiers,
    sets,
    first,
    seen,
    stamp,
    out,
):
    """Scenes among those of some candidate roots that hold a pattern and not another; returns how many.

    Candidates are tried in a circle from `first`, until `out` is full. seen: the stamp of the search that last tried
    each scene.
    """
    found = 0
    for turn in range(len(candidates)):
        thing = candidates[(first + turn) % len(candidates)]
        scene = things[thing, SCENE]
        if seen[scene] == stamp or not matches(pattern, thing, things, attributes, relations, modifiers, sets):
            continue
        seen[scene] = stamp
        if several > 1 and not at_least(
            pattern, several, scene, starts, things, attributes, relations, modifiers, sets
        ):
            continue
        if len(without) and at_least(
            without, without_several, scene, starts, things, attributes, relations, modifiers, sets
        ):
            continue
        out[found] = scene
        found += 1
        if found == len(out):
            break
    out[:found] = np.sort(out[:found])
    return found
