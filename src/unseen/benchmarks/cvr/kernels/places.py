"""Where bodies go: the places of the vocabulary, made of random numbers and true extents.

An arrangement writes the centers (r, 2) of bodies whose boxes (r, 4) are given, and says whether they found room.
`turns` holds what posing drew: the line of a mirror, the turn of a motion, or those of couples about the middle.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import SIZE, copy, turn, unit
from unseen.benchmarks.cvr.kernels.geometry import ring, scatter, separate, strew
from unseen.benchmarks.cvr.kernels.words import (
    CELLS,
    COLUMNS,
    CONFIG,
    COPIED,
    COUPLES,
    EITHER,
    FIRST,
    FIXED,
    FREE,
    JOINING,
    LAST,
    LINE,
    MARKER,
    MIDDLE,
    MIRROR,
    MOST,
    OBLIQUE,
    ORBIT,
    RANKED,
    SHUFFLED,
    SIDES,
    UNTURNED,
)
from unseen.core.kernel import kernel
from unseen.core.random import below

GAP = 3 / 128  # between outlines that are apart
EDGE = 1 / 128 + 1 / 65536  # to the frame: a pixel, and what centers may lose when they are rounded
STRIP = 0.1  # between two sides
TOLD = 0.05  # least difference of coordinates whose order carries a rule
SPAN = 1 - 2 * EDGE  # from edge to edge
TRIES = 60
DIFFERENT = 0.085  # how far some object of another layout is from every object of the first
WIDE = (0.31, 0.36)  # root mean square distance of a layout's objects from their middle, so that it says little
OFF_LINE, OFF_ROW = 0.08, 0.025  # how far other objects are from the line, and from any row of three
NEIGHBORS = 1.2 * GAP  # between the boxes of two neighbors
MISPLACED = 0.08  # how far from its place an object is that is not where it belongs
MISTURNED = 20.0  # degrees by which it is turned out of its place about a marker, at least


@kernel
def between(low, high, state):
    """A real number within a span."""
    return low + (high - low) * unit(state)


@kernel
def shuffle(items, count, state):
    """The first items in any order (Fisher-Yates)."""
    for i in range(count - 1, 0, -1):
        k = below(state, i + 1)
        items[i], items[k] = items[k], items[i]


@kernel
def shuffled(count, state):
    """The numbers below `count` in any order."""
    order = np.arange(count)
    shuffle(order, count, state)
    return order


@kernel
def arrange(image, kept, extent, turns, objects, roots, boxes, state, centers):
    """The centers of all bodies of an image, each of which begins with one of the objects `roots`."""
    if image.place == RANKED:
        return arrange_ranked(image, boxes, state, centers)
    if image.place == FIXED:
        return arrange_fixed(image, kept, state, centers)
    if image.place == LINE:
        return arrange_line(image, boxes, state, centers)
    if image.place == SIDES:
        return arrange_sides(image, roots, boxes, state, centers)
    if image.place == COLUMNS:
        return arrange_columns(image, boxes, state, centers)
    if image.place == CELLS:
        copy_rows(image.centers[: len(centers)], centers)
        return True
    if image.place == CONFIG:
        return arrange_config(image, kept, extent, objects, boxes, state, centers)
    if image.place == COPIED:
        return arrange_copied(image, extent, turns[0], objects, boxes, state, centers)
    if image.place == OBLIQUE:
        return arrange_oblique(image.k, boxes, state, centers)
    if image.place == COUPLES:
        if image.rows:
            return arrange_rows(image, boxes, state, centers)
        return arrange_couples(image, kept, objects, state, centers)
    if image.place == MIRROR:
        return arrange_mirror(image, turns[0], objects, roots, boxes, state, centers)
    if image.place == ORBIT:
        return arrange_orbit(image, turns, objects, boxes, state, centers)
    return scattered(boxes, state, centers)


@kernel
def scattered(boxes, state, centers):
    """Bodies anywhere in the frame, boxes apart."""
    return scatter(boxes, frame(), GAP, TRIES, state, centers)


@kernel
def frame():
    """The region that no outline leaves."""
    return np.array([EDGE, EDGE, 1 - EDGE, 1 - EDGE])


@kernel
def arrange_ranked(image, boxes, state, centers):
    """Anywhere, until the object that is first, in the middle or last across the axis has rank k along it.

    Whether the whole rises or falls from left to right is drawn first, so that it does not tell the rank.
    """
    falls = below(state, 2)
    for _ in range(4 * TRIES):
        if not scattered(boxes, state, centers):
            return False
        if has_rank(image, centers) and (slope_of(centers) > 0) == falls:
            return True
    return False


@kernel
def slope_of(centers):
    """The covariance of the coordinates of centers: positive where they fall from left to right."""
    (x, y), total = middle_of(centers), 0.0
    for i in range(len(centers)):
        total += (centers[i, 0] - x) * (centers[i, 1] - y)
    return total


@kernel
def has_rank(image, centers):
    """Whether the chosen object has its rank, and is told apart from the others in both orders."""
    place = 0 if image.which == FIRST else len(centers) - 1 if image.which == LAST else len(centers) // 2
    for chosen in range(len(centers)):
        if rank_of(centers, chosen, 1 - image.axis) == place and rank_of(centers, chosen, image.axis) == image.k:
            return told_apart(centers, chosen)
    return False


@kernel
def rank_of(centers, chosen, axis):
    """How many objects come before one along an axis."""
    rank = 0
    for i in range(len(centers)):
        rank += centers[i, axis] < centers[chosen, axis]
    return rank


@kernel
def told_apart(centers, chosen):
    """Whether an object's coordinates are those of no other."""
    for i in range(len(centers)):
        across, down = abs(centers[i, 0] - centers[chosen, 0]), abs(centers[i, 1] - centers[chosen, 1])
        if i != chosen and min(across, down) < TOLD:
            return False
    return True


@kernel
def arrange_fixed(image, kept, state, centers):
    """The problem's one center, or one far from it. It is drawn so that any turned or replaced shape has room."""
    room = image.size_span[1] / 2 + EDGE
    if kept.center[0] == 0:
        kept.center[0], kept.center[1] = between(room, 1 - room, state), between(room, 1 - room, state)
    centers[0, 0], centers[0, 1] = kept.center[0], kept.center[1]
    tries = 0
    while (centers[0, 0] - kept.center[0]) ** 2 + (centers[0, 1] - kept.center[1]) ** 2 < image.apart**2:
        centers[0, 0], centers[0, 1] = between(room, 1 - room, state), between(room, 1 - room, state)
        tries += 1
        if tries > TRIES:
            return False
    return True


@kernel
def put_in_order(lows, highs, gap, span, state, places):
    """Places in order on an axis: extents from the places down and up, the gap between, slack of the span at random."""
    count = len(lows)
    slack = span - gap * (count - 1)
    for i in range(count):
        slack -= highs[i] - lows[i]
    if slack < 0:
        return False
    for i in range(count):  # in order: uniform over all ways to share out the slack, at both ends too
        places[i] = slack * unit(state)
        k = i
        while k > 0 and places[k - 1] > places[k]:
            places[k - 1], places[k], k = places[k], places[k - 1], k - 1
    at = (1 - span) / 2
    for i in range(count):
        places[i] += at - lows[i]
        at += highs[i] - lows[i] + gap
    return True


@kernel
def members_of(image, which):
    """The objects of a group or set."""
    found, count = np.empty(MOST, np.int64), 0
    for i in range(image.count):
        if image.group[i] == which:
            found[count] = i
            count += 1
    return found[:count]


@kernel
def copy_rows(rows, into):
    """Copy rows to the beginning of another array."""
    for i in range(len(rows)):
        copy(rows[i], into[i])


@kernel
def rows_at(table, places):
    """Some rows of a table."""
    rows = np.empty((len(places), table.shape[1]))
    for i in range(len(places)):
        for c in range(table.shape[1]):
            rows[i, c] = table[places[i], c]
    return rows


@kernel
def arrange_line(image, boxes, state, centers):
    """In order along an axis, free across it."""
    count, axis = len(boxes), image.axis
    order = np.arange(count)
    if image.first >= 0:  # all but the first in any order, and the first at its place
        for i in range(count - 1):
            order[i] = i + 1
        shuffle(order, count - 1, state)
        for i in range(count - 1, image.first, -1):
            order[i] = order[i - 1]
        order[image.first] = 0
    sorted_boxes, places = rows_at(boxes, order), np.empty(count)
    if not put_in_order(sorted_boxes[:, axis], sorted_boxes[:, 2 + axis], max(GAP, TOLD), SPAN, state, places):
        return False
    for i in range(count):
        one = order[i]
        low, high = EDGE - boxes[one, 1 - axis], 1 - EDGE - boxes[one, 3 - axis]
        if low > high:
            return False
        centers[one, axis], centers[one, 1 - axis] = places[i], between(low, high, state)
    return True


@kernel
def arrange_sides(image, roots, boxes, state, centers):
    """Two groups in two half images."""
    for half in range(2):
        members, count = np.empty(len(roots), np.int64), 0
        for i in range(len(roots)):
            if image.group[roots[i]] ^ image.side == half:
                members[count] = i
                count += 1
        region, found = frame(), np.empty((count, 2))
        region[image.axis + 2 * (1 - half)] = 0.5 + (STRIP / 2 if half else -STRIP / 2)
        if not scatter(rows_at(boxes, members[:count]), region, GAP, TRIES, state, found):
            return False
        for i in range(count):
            centers[members[i], 0], centers[members[i], 1] = found[i, 0], found[i, 1]
    return True


@kernel
def arrange_columns(image, boxes, state, centers):
    """A column for each group, in order; members in order along it."""
    axis, columns = image.axis, image.group[image.count - 1] + 1
    lows, highs, places = np.full(columns, inf), np.full(columns, -inf), np.empty(columns)
    for c in range(columns):
        for i in members_of(image, image.order[c]):
            lows[c], highs[c] = min(lows[c], boxes[i, axis]), max(highs[c], boxes[i, 2 + axis])
    if not put_in_order(lows, highs, max(GAP, min(0.06, 0.3 / columns)), SPAN, state, places):
        return False
    for c in range(columns):
        members = members_of(image, image.order[c])
        column, along = rows_at(boxes, members), np.empty(len(members))
        if not put_in_order(column[:, 1 - axis], column[:, 3 - axis], GAP, SPAN, state, along):
            return False
        for k in range(len(members)):
            centers[members[k], axis], centers[members[k], 1 - axis] = places[c], along[k]
    return True


# ---------------------------------------------------------------------------- layouts kept as one thing


@kernel
def new_layout(image, members, extent, objects, state, layout):
    """Positions of members around the middle of a unit box, apart even where they are turned, about equally wide."""
    turned = image.angle_kind != UNTURNED or image.turned
    boxes, region = np.empty((len(members), 4)), np.array([-0.5, -0.5, 0.5, 0.5])
    for i in range(len(members)):
        # sizes that follow the extent may be other ones in the next image
        size = image.size_span[1] * image.law if image.by_extent else objects[members[i], SIZE] / extent
        half = size * (1.45 if turned else 1.02) / 2
        boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3] = -half, -half, half, half
    for _ in range(TRIES):
        if not scatter(boxes, region, GAP / extent, TRIES, state, layout):
            return False
        if image.place == COPIED or WIDE[0] <= breadth(layout) <= WIDE[1]:
            break
    if image.sets:  # how wide a set is spread is its extent, and nothing else
        around = surround(np.zeros((len(members), 4)), layout)
        widest = max(around[0, 2] - around[0, 0], around[0, 3] - around[0, 1])
        for i in range(len(members)):
            layout[i, 0] *= (1 - 2 * boxes[0, 2]) / widest
            layout[i, 1] *= (1 - 2 * boxes[0, 2]) / widest
    return True


@kernel
def middle_of(layout):
    """The mean of positions."""
    x, y = 0.0, 0.0
    for i in range(len(layout)):
        x, y = x + layout[i, 0], y + layout[i, 1]
    return x / len(layout), y / len(layout)


@kernel
def breadth(layout):
    """The root mean square distance of positions from their middle."""
    (x, y), total = middle_of(layout), 0.0
    for i in range(len(layout)):
        total += (layout[i, 0] - x) ** 2 + (layout[i, 1] - y) ** 2
    return sqrt(total / len(layout))


@kernel
def layouts_differ(one, other, least):
    """Whether some object of a layout has none of the other near it, both centered and brought to one size."""
    scale = sqrt(breadth(other) / breadth(one))
    (x, y), (other_x, other_y) = middle_of(one), middle_of(other)
    for k in range(len(other)):
        nearest = inf
        for i in range(len(one)):
            dx = (one[i, 0] - x) * scale - (other[k, 0] - other_x) / scale
            dy = (one[i, 1] - y) * scale - (other[k, 1] - other_y) / scale
            nearest = min(nearest, dx * dx + dy * dy)
        if nearest >= least * least:
            return True
    return False


@kernel
def unlike_layout(image, members, extent, known, least, objects, state, layout):
    """A layout that is not the known one."""
    for _ in range(TRIES):
        if not new_layout(image, members, extent, objects, state, layout):
            return False
        if layouts_differ(known, layout, least):
            return True
    return False


@kernel
def surround(boxes, positions):
    """The box of several bodies at positions, as the only row of an array."""
    around = np.array([[inf, inf, -inf, -inf]])
    for i in range(len(boxes)):
        for k in range(2):
            around[0, k] = min(around[0, k], boxes[i, k] + positions[i, k])
            around[0, 2 + k] = max(around[0, 2 + k], boxes[i, 2 + k] + positions[i, k])
    return around


@kernel
def move_together(boxes, state, centers):
    """Move centers together to anywhere within the frame."""
    by = np.empty((1, 2))
    if not scattered(surround(boxes, centers), state, by):
        return False
    for i in range(len(centers)):
        centers[i, 0], centers[i, 1] = centers[i, 0] + by[0, 0], centers[i, 1] + by[0, 1]
    return True


@kernel
def move_two_sets(image, boxes, state, centers):
    """Move the centers of each of two sets together, to anywhere within the frame and apart from the other."""
    around, by = np.empty((2, 4)), np.empty((2, 2))
    for k in range(2):
        members = members_of(image, k)
        copy(surround(rows_at(boxes, members), rows_at(centers, members))[0], around[k])
    if not scattered(around, state, by):
        return False
    for i in range(len(centers)):
        k = image.group[i]
        centers[i, 0], centers[i, 1] = centers[i, 0] + by[k, 0], centers[i, 1] + by[k, 1]
    return True


@kernel
def arrange_config(image, kept, extent, objects, boxes, state, centers):
    """Positions of the problem, scaled to the extent and moved as one; sets have one each."""
    for k in range(2 if image.sets else 1):
        members = members_of(image, k)
        count, layout, known = len(members), np.empty((len(members), 2)), np.empty((len(members), 2))
        # sizes follow the extent, unless there are two sets: then members must be apart at the least extent
        least = image.extent[0] * image.ratio[0] if image.sets else extent[k]
        unlike = DIFFERENT / image.extent[0]
        if image.sets or not kept.laid:
            if not new_layout(image, members, least, objects, state, known):
                return False
            if not image.sets and not layouts_differ(known, -known, unlike):  # half a turn must make a difference
                return False
            copy_rows(known, kept.layout)
            kept.laid = 1
        copy_rows(kept.layout[:count], known)
        copy_rows(known, layout)
        if image.reversed:
            copy_rows(-known, layout)
        if image.other and not unlike_layout(image, members, extent[k], known, unlike, objects, state, layout):
            return False
        for i in range(count):
            centers[members[i], 0], centers[members[i], 1] = layout[i, 0] * extent[k], layout[i, 1] * extent[k]
    return move_two_sets(image, boxes, state, centers) if image.sets else move_together(boxes, state, centers)


@kernel
def arrange_copied(image, extent, angle, objects, boxes, state, centers):
    """The second set as the first, moved and perhaps turned; or by itself in the odd image."""
    members, others = members_of(image, 0), members_of(image, 1)
    first = np.empty((len(members), 2))
    if not new_layout(image, members, extent[0], objects, state, first):
        return False
    second = first.copy()
    unlike = DIFFERENT / extent[0]
    if image.other and not unlike_layout(image, others, extent[0], first, unlike, objects, state, second):
        return False
    c, s = turn(angle) if image.turned else (1.0, 0.0)
    for i in range(len(members)):
        x, y = second[i, 0], second[i, 1]
        centers[members[i], 0], centers[members[i], 1] = first[i, 0] * extent[0], first[i, 1] * extent[0]
        centers[others[i], 0], centers[others[i], 1] = (c * x - s * y) * extent[0], (s * x + c * y) * extent[0]
    if not move_two_sets(image, boxes, state, centers):
        return False
    return not (image.other and not image.turned and (halves_agree(centers, 0) or halves_agree(centers, 1)))


@kernel
def halves_agree(centers, axis):
    """Whether the first and the last half of all objects along an axis are arranged much alike."""
    half = len(centers) // 2
    ordered = np.empty((2 * half, 2))
    for i in range(2 * half):
        rank = rank_of(centers, i, axis)
        ordered[rank, 0], ordered[rank, 1] = centers[i, 0], centers[i, 1]
    return not layouts_differ(ordered[:half], ordered[half:], DIFFERENT)


# ---------------------------------------------------------------------------- rows and couples


@kernel
def arrange_oblique(k, boxes, state, centers):
    """The first k on a slanted line, the others clear of it."""
    around = surround(boxes[:k], np.zeros((k, 2)))
    reach = max(around[0, 2], around[0, 3]) * 1.45
    along, lows, highs = np.empty(k), np.full(k, -reach), np.full(k, reach)
    for _ in range(TRIES):
        c, s = turn(between(20.0, 70.0, state) + 90.0 * below(state, 2))
        if not put_in_order(lows, highs, 0.01, between(0.75, 1.2, state), state, along):
            return False
        for i in range(k):
            centers[i, 0], centers[i, 1] = c * along[i], s * along[i]
        if move_together(boxes[:k], state, centers[:k]) and strew(
            boxes, k, c, s, OFF_LINE, OFF_ROW, GAP, EDGE, TRIES, state, centers
        ):
            return True
    return False


@kernel
def arrange_couples(image, kept, objects, state, centers):
    """Couples of neighbors at cells, each along its direction."""
    count = len(centers) // 2
    if not kept.celled:
        order = shuffled(4, state)
        for k in range(4):
            kept.cells[k] = order[k]
        kept.celled = 1
    if image.free or not kept.directed:
        for k in range(count):
            kept.directions[k] = below(state, 4)
        kept.directed = 1
    partners = shuffled(count, state)
    for k in range(count):
        cell = kept.cells[partners[k]]
        c, s = turn(45.0 * kept.directions[partners[k]])
        apart = ((objects[2 * k, SIZE] + objects[2 * k + 1, SIZE]) / 2 + NEIGHBORS) / max(abs(c), abs(s))
        half = apart / 2 if below(state, 2) else -apart / 2
        x, y = 0.25 + 0.5 * (cell % 2), 0.25 + 0.5 * (cell // 2)
        centers[2 * k, 0], centers[2 * k, 1] = x - c * half, y - s * half
        centers[2 * k + 1, 0], centers[2 * k + 1, 1] = x + c * half, y + s * half
    return True


@kernel
def rows_of(boxes, order, axis, gap, state):
    """Places in order across an axis of couples, and whether there is room for all."""
    lows, highs, rows = np.empty(len(order)), np.empty(len(order)), np.empty(len(order))
    for i in range(len(order)):
        one, other = 2 * order[i], 2 * order[i] + 1
        lows[i] = min(boxes[one, 1 - axis], boxes[other, 1 - axis])
        highs[i] = max(boxes[one, 3 - axis], boxes[other, 3 - axis])
    return put_in_order(lows, highs, gap, SPAN, state, rows), rows


@kernel
def arrange_rows(image, boxes, state, centers):
    """Two rows of two, those of one row nearer to each other."""
    axis = image.axis
    least = max(boxes[0, 2 + axis] - boxes[1, axis], boxes[2, 2 + axis] - boxes[3, axis]) + GAP
    close = between(least, max(least, 0.55), state)
    far = between(close + 0.08, 0.72, state)
    free, rows = rows_of(boxes, np.arange(2), axis, TOLD, state)
    if not free or far < close + 0.08:
        return False
    for k in range(2):
        length = close if k == image.near else far
        low, high = EDGE - boxes[2 * k, axis], 1 - EDGE - boxes[2 * k + 1, 2 + axis] - length
        if low > high:
            return False
        start = between(low, high, state)
        centers[2 * k, axis], centers[2 * k + 1, axis] = start, start + length
        centers[2 * k, 1 - axis], centers[2 * k + 1, 1 - axis] = rows[k], rows[k]
    return True


# ---------------------------------------------------------------------------- mirrored and turned


@kernel
def arrange_mirror(image, line, objects, roots, boxes, state, centers):
    """Pairs on both sides of a line."""
    if image.axis == MIDDLE or image.axis == EITHER:
        return arrange_mirrored_rows(image, line, objects, roots, boxes, state, centers)
    if image.broken:
        return unsymmetric(line, boxes, state, centers)
    c, s = turn(line + (0.0 if image.axis == JOINING else 90.0))
    around = surround(boxes, np.zeros((2, 2)))
    support = max(-around[0, 0], -around[0, 1], around[0, 2], around[0, 3])
    for _ in range(TRIES):
        half = between(support * 0.7, 0.45, state)
        centers[0, 0], centers[0, 1], centers[1, 0], centers[1, 1] = -c * half, -s * half, c * half, s * half
        if separate(boxes, centers, 2, GAP) and move_together(boxes, state, centers):
            return True
    return False


@kernel
def unsymmetric(line, boxes, state, centers):
    """Two objects, the line between which is not upright on the axis."""
    c, s = turn(line)
    for _ in range(TRIES):
        if not scattered(boxes, state, centers):
            return False
        if abs((centers[1, 0] - centers[0, 0]) * c + (centers[1, 1] - centers[0, 1]) * s) >= MISPLACED:
            return True
    return False


@kernel
def arrange_mirrored_rows(image, line, objects, roots, boxes, state, centers):
    """Pairs in rows across the middle line, in any order; their distance from it follows their size."""
    axis = 0 if line == 90 else 1  # the coordinate in which pairs are mirrored
    order = shuffled(len(roots) // 2, state)
    free, rows = rows_of(boxes, order, axis, GAP, state)
    if not free:
        return False
    distances = np.empty(len(order))
    if not line_distances(image, objects, roots, state, distances):
        return False
    for row in range(len(order)):
        for k in range(2):
            i, out = 2 * order[row] + k, distances[order[row]]
            centers[i, axis], centers[i, 1 - axis] = 0.5 + (out if k else -out), rows[row]
            towards, away = abs(boxes[i, axis if k else 2 + axis]), abs(boxes[i, 2 + axis if k else axis])
            if towards + GAP / 2 > out or away + EDGE > 0.5 - out:
                return False
    return True


@kernel
def line_distances(image, objects, firsts, state, distances):
    """Distances of pairs that are linear in size, shuffled among the pairs in the odd image; or free.

    firsts: the first object of every pair, at every other place.
    """
    smallest, largest = inf, 0.0
    for k in range(len(distances)):
        size = objects[firsts[2 * k], SIZE]
        smallest, largest = min(smallest, size), max(largest, size)
    reach = largest * (0.72 if image.place == ORBIT else 0.5)  # turned or not
    low, high = reach + GAP, 0.5 - reach - EDGE
    if high - low < 0.1:
        return False
    near, far = between(low, low + 0.3 * (high - low), state), between(high - 0.3 * (high - low), high, state)
    for k in range(len(distances)):
        share = (objects[firsts[2 * k], SIZE] - smallest) / (largest - smallest)
        distances[k] = between(low, high, state) if image.distance == FREE else near + (far - near) * share
    if image.distance == SHUFFLED:
        known, most = distances.copy(), 0.0
        while most < 0.06:
            shuffle(distances, len(distances), state)
            most = 0.0
            for k in range(len(distances)):
                most = max(most, abs(distances[k] - known[k]))
    return True


@kernel
def arrange_orbit(image, turns, objects, boxes, state, centers):
    """Pairs turned about a marker, or about the middle."""
    if image.broken:
        return unturned(turns[0], boxes, state, centers)
    if image.about == MARKER:
        return arrange_about_marker(turns[0], boxes, state, centers)
    count = len(boxes) // 2
    radii = np.empty(count)
    return line_distances(image, objects, np.arange(1, 2 * count + 1), state, radii) and ring(
        boxes, radii, turns[:count], GAP, 100 * TRIES, state, centers
    )


@kernel
def unturned(angle, boxes, state, centers):
    """A marker and two objects as far from it, the second not where the first goes when turned about it."""
    for _ in range(TRIES):
        other = angle + between(MISTURNED, 360 - MISTURNED, state)
        if not arrange_about_marker(other, boxes, state, centers):
            return False
        across, down = centers[1, 0] - centers[0, 0], centers[1, 1] - centers[0, 1]
        if 2 * sqrt(across**2 + down**2) * abs(turn((other - angle) / 2)[1]) >= MISPLACED:
            return True
    return False


@kernel
def arrange_about_marker(angle, boxes, state, centers):
    """Marker and two objects, the second where the first goes when turned."""
    for _ in range(TRIES):
        begin, radius = 360 * unit(state), between(0.12, 0.5, state)
        centers[:] = 0.0
        for i in range(2):
            c, s = turn(begin + i * angle)
            centers[1 + i, 0], centers[1 + i, 1] = radius * c, radius * s
        if separate(boxes, centers, 3, GAP) and move_together(boxes, state, centers):
            return True
    return False
