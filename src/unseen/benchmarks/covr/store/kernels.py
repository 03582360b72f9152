"""The search of the index in memory.

A corpus is four arrays of numbers that stand for words, things and rows: `starts` of the scenes' things, and one row
per thing, attribute and link. Links are relations, and after a row that ends them modifiers. What belongs to a row
begins where its START says and ends where the next row's begins.

For the search each scene is packed into a block of its own, because most of the time goes into fetching it: the number
of its things, their rows, the rows of its links, its attributes; rows are numbered from the block's first. `blocks` are
the places of the blocks in `graph`.

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
ONE = np.uint64(1)
FETCHED, BLOCK, LINE = 16, 96, 32  # blocks at once; numbers of a block, and between two that are touched
ROW = 3  # numbers of a row in a block: of a thing its name, first attribute and first relation; of a link its columns


@kernel
def pack(starts, things, attributes, links, blocks, graph):
    """Write every scene into its block, or only its place where `graph` is empty; returns the size of all."""
    at = 0
    for scene in range(len(starts) - 1):
        first, end = starts[scene], starts[scene + 1]
        relation, relations_end = things[first, RELATION_START], things[end, RELATION_START]
        modifier, modifiers_end = links[relation, MODIFIER_START], links[relations_end, MODIFIER_START]
        attribute, attributes_end = things[first, ATTRIBUTE_START], things[end, ATTRIBUTE_START]
        after_relations = relations_end + 1 - relation
        after_links = 1 + ROW * (end + 1 - first + after_relations + modifiers_end - modifier)
        blocks[scene] = at
        if len(graph):
            graph[at] = end - first
            row = at + 1
            for i in range(first, end + 1):
                graph[row] = things[i, NAME]
                graph[row + 1] = after_links + things[i, ATTRIBUTE_START] - attribute
                graph[row + 2] = things[i, RELATION_START] - relation
                row += ROW
            for i in range(relation, relations_end + 1):
                graph[row], graph[row + 1] = links[i, NAME], links[i, TARGET] - first
                graph[row + 2] = after_relations + links[i, MODIFIER_START] - modifier
                row += ROW
            for i in range(modifier, modifiers_end):
                graph[row], graph[row + 1] = links[i, NAME], links[i, TARGET] - first
                row += ROW
            graph[row : row + attributes_end - attribute] = attributes[attribute:attributes_end]
        at += after_links + attributes_end - attribute
    return at


@kernel
def allowed(words, word, sets):
    """Whether a word is one of those that an element allows."""
    if words >= 0:
        return words == word
    return words == ANY or sets[-2 - words, word]


@kernel
def fits(names, wanted, thing, base, graph, sets):
    """Whether a thing has one of some names and one of the wanted attributes."""
    at = base + 1 + ROW * thing
    if not allowed(names, graph[at], sets):
        return False
    if wanted == ANY:
        return True
    for k in range(base + graph[at + 1], base + graph[at + ROW + 1]):
        if allowed(wanted, graph[k], sets):
            return True
    return False


@kernel
def next_root(thing, base, pattern, graph, sets, places):
    """The first thing of a block, from one on, that is a root of the pattern; the number of things where there is none.

    A root that has links is looked for by its first: few things of a scene have one of that name.
    """
    count = graph[base]
    if len(pattern) == 1:
        while thing < count and not fits(pattern[0, WORDS], pattern[0, ATTRIBUTES], thing, base, graph, sets):
            thing += 1
        return thing
    rows = base + 1 + 2  # where the relations of the first thing begin
    links = base + 1 + ROW * (count + 1)
    words, names, wanted = pattern[1, WORDS], pattern[2, WORDS], pattern[2, ATTRIBUTES]
    row, last = graph[rows + ROW * thing], graph[rows + ROW * count]
    while row < last:
        at = links + ROW * row
        if not allowed(words, graph[at], sets) or not fits(names, wanted, graph[at + 1], base, graph, sets):
            row += 1
            continue
        while graph[rows + ROW * (thing + 1)] <= row:
            thing += 1
        if is_root(thing, base, pattern, graph, sets, places):
            return thing
        row = graph[rows + ROW * (thing + 1)]
    return count


@kernel
def is_root(thing, base, pattern, graph, sets, places):
    """Whether a thing is a root of a pattern with links.

    Every link of the pattern takes the first row that fits; where none does, the link before takes its next one.
    places: what each element of the pattern is, a thing or a row of links.
    """
    if not fits(pattern[0, WORDS], pattern[0, ATTRIBUTES], thing, base, graph, sets):
        return False
    things = base + 1
    links = things + ROW * (graph[base] + 1)
    places[0] = thing
    link, row = 1, -1
    while 0 < link < len(pattern):
        parent = places[pattern[link, PARENT]]
        rows = (things if pattern[link, KIND] == RELATION else links) + ROW * parent + 2
        row, last = max(row, graph[rows]), graph[rows + ROW]
        words, names, wanted = pattern[link, WORDS], pattern[link + 1, WORDS], pattern[link + 1, ATTRIBUTES]
        while row < last and not (
            allowed(words, graph[links + ROW * row], sets)
            and fits(names, wanted, graph[links + ROW * row + 1], base, graph, sets)
        ):
            row += 1
        if row < last:
            places[link], places[link + 1] = row, graph[links + ROW * row + 1]
            link, row = link + 2, -1
        else:
            link -= 2
            row = places[link] + 1
    return link > 0


@kernel
def at_least(times, base, pattern, graph, sets, places):
    """Whether so many things of a block are roots of the pattern."""
    thing = 0
    for _ in range(times):
        thing = next_root(thing, base, pattern, graph, sets, places) + 1
    return thing <= graph[base]


@kernel
def mark(lists, span, marks):
    """Set the bits of the scenes of one list, and clear all others."""
    marks[:] = 0
    for k in range(span[0], span[1]):
        marks[lists[k] >> 6] |= ONE << np.uint64(lists[k] & 63)


@kernel
def in_all(lists, spans, rows, maps):
    """The scenes that are in all of some lists, ascending; of those that have a row of bits in `maps`, it is read."""
    shared = np.empty(maps.shape[1], np.uint64)
    shared[:] = ~np.uint64(0)
    marks = np.empty_like(shared)
    for k in range(len(spans)):
        if rows[k] < 0:
            mark(lists, spans[k], marks)
        shared &= maps[rows[k]] if rows[k] >= 0 else marks
    scenes = np.empty(spans[0, 1] - spans[0, 0], np.int32)
    found = 0
    for word in range(len(shared)):
        bits, scene = shared[word], 64 * word
        while bits:
            if bits & ONE:
                scenes[found] = scene
                found += 1
            bits >>= ONE
            scene += 1
    return scenes[:found]


@kernel
def find(lists, spans, rows, maps, pattern, several, without, without_several, blocks, graph, sets, out):
    """Scenes that hold a pattern, for several roots, and not another; returns how many.

    Only scenes in all of some ascending lists are tried, the first list the shortest: from a place on that its own
    place decides, and around, until `out` is full. Blocks are touched some at a time before they are searched: memory
    fetches many at once, and a search would wait for each.
    """
    scenes = in_all(lists, spans, rows, maps)
    length = spans[0, 1] - spans[0, 0]
    first = np.searchsorted(scenes, lists[spans[0, 0] + spans[0, 0] * PRIME % length]) if length > len(out) else 0
    places = np.empty(len(pattern) + len(without), np.int64)
    found, touched = 0, 0
    for turn in range(len(scenes)):
        if turn % FETCHED == 0:
            for ahead in range(turn, min(turn + FETCHED, len(scenes))):
                block = blocks[scenes[(first + ahead) % len(scenes)]]
                for line in range(block, min(block + BLOCK, len(graph)), LINE):
                    touched ^= graph[line]
        scene = scenes[(first + turn) % len(scenes)]
        if not at_least(several, blocks[scene], pattern, graph, sets, places):
            continue
        if len(without) and at_least(without_several, blocks[scene], without, graph, sets, places):
            continue
        out[found] = scene
        found += 1
        if found == len(out):
            break
    places[0] = touched  # or it would not be touched at all
    return found
