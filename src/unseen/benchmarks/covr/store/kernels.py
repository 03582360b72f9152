"""The search of the index in memory.

A corpus is four arrays of numbers that stand for words, things and rows: `starts` of the scenes' things, and one row
per thing, attribute and link. Links are relations, and after a row that ends them modifiers. What belongs to a row
begins where its START says and ends where the next row's begins.

A pattern is int32 (elements, FIELDS): objects at even places, each after the relation or modifier that leads to it. Its
words are a number, ANY, or a set: -2 - its row of `sets`, of which the first is empty.
"""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

FIELDS = 4
KIND, WORDS, ATTRIBUTES, PARENT = range(FIELDS)
OBJECT, RELATION, MODIFIER = range(3)  # as in the queries; a test compares
ANY, NONE = -1, -2
PRIME = 7919
NAME = 0  # column of things and links
SCENE, ATTRIBUTE_START, RELATION_START = 1, 2, 3  # columns of things
TARGET, MODIFIER_START = 1, 2  # columns of links


@kernel
def allowed(words, word, sets):
    """Whether a word is one of those that an element allows."""
    if words >= 0:
        return words == word
    return words == ANY or sets[-2 - words, word]


@kernel
def fits(names, wanted, thing, things, attributes, sets):
    """Whether a thing has one of some names and one of the wanted attributes."""
    if not allowed(names, things[thing, NAME], sets):
        return False
    if wanted == ANY:
        return True
    for k in range(things[thing, ATTRIBUTE_START], things[thing + 1, ATTRIBUTE_START]):
        if allowed(wanted, attributes[k], sets):
            return True
    return False


@kernel
def next_root(thing, end, pattern, things, attributes, links, sets, places):
    """The first of the things from one on that is a root of the pattern; `end` where there is none before.

    Every link of the pattern takes the first row that fits; where none does, the link before takes its next one.
    places: what each element of the pattern is, a thing or a row of links.
    """
    for root in range(thing, end):
        if not fits(pattern[0, WORDS], pattern[0, ATTRIBUTES], root, things, attributes, sets):
            continue
        places[0] = root
        link, row = 1, -1
        while 0 < link < len(pattern):
            parent = places[pattern[link, PARENT]]
            if pattern[link, KIND] == RELATION:
                first, last = things[parent, RELATION_START], things[parent + 1, RELATION_START]
            else:
                first, last = links[parent, MODIFIER_START], links[parent + 1, MODIFIER_START]
            words, names, wanted = pattern[link, WORDS], pattern[link + 1, WORDS], pattern[link + 1, ATTRIBUTES]
            row = max(row, first)
            while row < last and not (
                allowed(words, links[row, NAME], sets)
                and fits(names, wanted, links[row, TARGET], things, attributes, sets)
            ):
                row += 1
            if row < last:
                places[link], places[link + 1] = row, links[row, TARGET]
                link, row = link + 2, -1
            else:
                link -= 2
                row = places[link] + 1
        if link > 0:
            return root
    return end


@kernel
def at_least(count, scene, pattern, starts, things, attributes, links, sets, places):
    """Whether so many things of a scene are roots of the pattern."""
    thing, end = starts[scene], starts[scene + 1]
    for _ in range(count):
        thing = next_root(thing, end, pattern, things, attributes, links, sets, places) + 1
    return thing <= end


@kernel
def find(
    lists,
    spans,
    pattern,
    several,
    without,
    without_several,
    starts,
    things,
    attributes,
    links,
    sets,
    out,
):
    """Scenes that hold a pattern, for several roots, and not another; returns how many.

    Only scenes in all of some ascending lists are tried, the first list the shortest: from a place on that its own
    place decides, and around, until `out` is full.
    """
    places = np.empty(len(pattern) + len(without), np.int32)
    at = spans[:, 0].copy()
    length = spans[0, 1] - spans[0, 0]
    first = spans[0, 0] * PRIME % length if length > len(out) else 0
    found = 0
    for turn in range(length):
        if turn == length - first:
            at[:] = spans[:, 0]
        scene = lists[spans[0, 0] + (first + turn) % length]
        shared = True
        for k in range(1, len(spans)):
            while at[k] < spans[k, 1] and lists[at[k]] < scene:
                at[k] += 1
            shared = shared and at[k] < spans[k, 1] and lists[at[k]] == scene
        if not shared or not at_least(several, scene, pattern, starts, things, attributes, links, sets, places):
            continue
        if len(without) and at_least(without_several, scene, without, starts, things, attributes, links, sets, places):
            continue
        out[found] = scene
        found += 1
        if found == len(out):
            break
    return found
