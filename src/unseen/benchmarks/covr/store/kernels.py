"""The search of the index in memory.

Each scene is packed into a block of its own, because most of the time goes into fetching it: the number of its things,
their rows, the rows of its links, its attributes. The row of a thing is its name, where its attributes begin and where
its relations begin; the row of a link is its name, the thing it leads to and where its modifiers begin. What belongs to
a row ends where that of the next row begins. Things, links and attributes are counted from the block's first. `blocks`
are the places of the blocks in `graph`.

A pattern is int32 (elements, FIELDS): objects at even places, each after the relation or modifier that leads to it. Its
words are a number, ANY, or a set: -2 - its row of `sets`, of which the first is empty.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from unseen.core.kernel import kernel

FIELDS = 4
KIND, WORDS, ATTRIBUTES, PARENT = range(FIELDS)
OBJECT, RELATION, MODIFIER = range(3)  # as in the queries; a test compares
ANY, NONE = -1, -2
ONE = np.uint64(1)
FETCHED, BLOCK, LINE = 16, 96, 32  # blocks at once; numbers of a block, and between two that are touched
ROW = 3  # numbers of a row


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
        if not allowed(words, graph[at], sets) or not fits(names, wanted, int(graph[at + 1]), base, graph, sets):
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
            and fits(names, wanted, int(graph[links + ROW * row + 1]), base, graph, sets)
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


def _in_all(lists, spans, rows, maps):
    """Take from the shortest list, in NumPy, what the others have too."""
    scenes = lists[spans[0, 0] : spans[0, 1]]
    for (begin, end), row in zip(spans[1:].tolist(), rows[1:].tolist(), strict=True):
        if row >= 0:
            shared = maps[row, scenes >> 6] >> (scenes & 63).astype(np.uint64) & ONE == ONE
        else:
            shared = np.zeros(64 * maps.shape[1], np.bool_)
            shared[lists[begin:end]] = True
            shared = shared[scenes]
        scenes = scenes[shared]
    return scenes


@partial(kernel, plain=_in_all)
def in_all(lists, spans, rows, maps):
    """The scenes that are in all of some lists, ascending; of those that have a row of bits in `maps`, it is read."""
    words = maps.shape[1]
    marks = np.zeros((len(spans), words), np.uint64)
    for k in range(len(spans)):
        if rows[k] < 0:
            for i in range(spans[k, 0], spans[k, 1]):
                marks[k, lists[i] >> 6] |= ONE << np.uint64(lists[i] & 63)
    scenes = np.empty(spans[0, 1] - spans[0, 0], np.int32)
    found = 0
    for word in range(words):
        bits = ~np.uint64(0)
        for k in range(len(spans)):
            bits &= maps[rows[k], word] if rows[k] >= 0 else marks[k, word]
        scene = 64 * word
        while bits:
            if bits & ONE:
                scenes[found] = scene
                found += 1
            bits >>= ONE
            scene += 1
    return scenes[:found]


def _found(lists, spans, rows, maps, begin, pattern, several, without, without_several, blocks, graph, sets, out):
    """Search what shows arrays as Python's numbers, with which Python is several times faster than with NumPy's."""
    views = map(memoryview, (in_all(lists, spans, rows, maps), pattern, without, blocks, graph, sets, out))
    scenes, pattern, without, blocks, graph, sets, out = views
    return search(scenes, begin, pattern, several, without, without_several, blocks, graph, sets, out)


@partial(kernel, plain=_found)
def find(lists, spans, rows, maps, begin, pattern, several, without, without_several, blocks, graph, sets, out):
    """Scenes that hold a pattern, for several roots, and not another; returns how many.

    Only scenes in all of some ascending lists are tried, the first list the shortest.
    """
    scenes = in_all(lists, spans, rows, maps)
    return search(scenes, begin, pattern, several, without, without_several, blocks, graph, sets, out)


@kernel
def search(scenes, begin, pattern, several, without, without_several, blocks, graph, sets, out):
    """Try scenes, from scene `begin` on, and around, until `out` is full.

    Blocks are touched some at a time before they are searched: memory fetches many at once, and a search would wait for
    each.
    """
    first = 0
    while first < len(scenes) and scenes[first] < begin:
        first += 1
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
