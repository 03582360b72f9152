"""Outlines put together: kept apart, inside each other, touching, and bodies strewn over an image.

Lengths are fractions of the image's side, boxes (left, top, right, bottom) relative to the center of what they enclose.
Offsets of objects are relative to the center of another.
"""

from __future__ import annotations

from functools import partial
from math import inf, isnan, sqrt

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import VERTICES, copy, turn, unit
from unseen.core.kernel import inlined, kernel
from unseen.core.random import word

PIXEL = 1 / 128  # of the published images
TOUCHING = PIXEL * 0.9  # outlines with vertices nearer than this touch
STRIP = PIXEL / 2  # width of the strips in which sliding objects are compared
STRIPS = 512  # most of them: two image sides
CELLS = 48  # most cells of a grid of vertices, on either axis
RUN = 32  # vertices that are compared with a box at once
SPARSE = 8  # vertices of which one is looked at before the others
SWEEPS = 60  # moves per body when a crowded image is shaken
MOST_SWEEPS = 2_000  # until an image is given up
NUDGE = 0.1  # most of a small move, on either axis


# ---------------------------------------------------------------------------- keeping apart
#
# Vertices stand for edges. The nearest points of two lines that do not cross are a vertex and a point of an edge, half
# an edge at most from a vertex; and edges that cross have ends at most edge / sqrt(2) apart. Vertices that are farther
# apart than `reach_of` says therefore keep the lines `gap` apart. To compare many places of one outline with others,
# its vertices are sorted once into cells as wide as that reach.


@kernel
def reach_of(out, i, j, gap):
    """How far apart the vertices of two outlines must be for the outlines to be `gap` apart."""
    edge = max(out.edges[i], out.edges[j])
    return sqrt(max(gap * gap + edge * edge / 4, edge * edge / 2))


@kernel
def sort_vertices(points, length, box, reach, heads, following):
    """An outline's vertices in a list for each cell, ended by a negative number; -2: no neighbor cell has any."""
    cell = max(reach, (box[2] - box[0]) / (CELLS - 6), (box[3] - box[1]) / (CELLS - 6))
    heads[:] = -2
    left, top, columns, rows = box[0], box[1], np.empty(VERTICES, np.uint32), np.empty(VERTICES, np.uint32)
    for k in range(length):  # by itself, so that it becomes vector code
        columns[k], rows[k] = 2 + np.int32((points[0, k] - left) / cell), 2 + np.int32((points[1, k] - top) / cell)
    for k in range(length):
        column, row = columns[k], rows[k]
        if heads[row, column] < 0:
            for r in range(row - 1, row + 2):
                for c in range(column - 1, column + 2):
                    heads[r, c] = max(heads[r, c], -1)
        following[k] = heads[row, column]
        heads[row, column] = k
    return cell


@kernel
def meets(points, box, heads, following, cell, reach, other, length, dx, dy):
    """Whether a vertex of another outline, moved by (dx, dy), is nearer than `reach` to one of the sorted vertices.

    Outlines that meet do so with many vertices, so a few are looked at before all are.
    """
    low_x, high_x, low_y, high_y = box[0] - reach - dx, box[2] + reach - dx, box[1] - reach - dy, box[3] + reach - dy
    for i in range(0, length, SPARSE):
        x, y = other[0, i], other[1, i]
        if (x > low_x) & (x < high_x) & (y > low_y) & (y < high_y):
            if in_cells(points, box, heads, following, cell, reach, x + dx, y + dy):
                return True
    for begin in range(0, length, RUN):
        end, near = min(begin + RUN, length), 0
        for i in range(begin, end):  # no branch, so that it becomes vector code
            x, y = other[0, i], other[1, i]
            near += (x > low_x) & (x < high_x) & (y > low_y) & (y < high_y)
        for i in range(begin, end if near > 0 else begin):
            x, y = other[0, i], other[1, i]
            if (x > low_x) & (x < high_x) & (y > low_y) & (y < high_y):
                if in_cells(points, box, heads, following, cell, reach, x + dx, y + dy):
                    return True
    return False


@inlined
def in_cells(points, box, heads, following, cell, reach, x, y):
    """Whether one of the vertices in the cell of a point and those around it is nearer to the point than `reach`."""
    column, row = int((x - (box[0] - 2 * cell)) / cell), int((y - (box[1] - 2 * cell)) / cell)
    if heads[row, column] == -2:
        return False
    for r in range(row - 1, row + 2):
        for c in range(column - 1, column + 2):
            k = heads[r, c]
            while k >= 0:
                if (points[0, k] - x) ** 2 + (points[1, k] - y) ** 2 < reach * reach:
                    return True
                k = following[k]
    return False


@kernel
def boxes_apart(boxes, i, j, dx, dy, gap):
    """Whether box j, its center at (dx, dy) from that of box i, is at least `gap` from it on an axis."""
    across = max(boxes[j, 0] + dx - boxes[i, 2], boxes[i, 0] - boxes[j, 2] - dx)
    down = max(boxes[j, 1] + dy - boxes[i, 3], boxes[i, 1] - boxes[j, 3] - dy)
    return max(across, down) >= gap


@kernel
def apart(out, i, j, dx, dy, gap):
    """Whether outline j, its center at (dx, dy) from that of outline i, keeps the gap to it and does not cross it."""
    return not within_reach(out, i, j, dx, dy, reach_of(out, i, j, gap))


@kernel
def within_reach(out, i, j, dx, dy, reach):
    """Whether a vertex of outline j, its center at (dx, dy) from that of outline i, is so near to one of outline i."""
    if boxes_apart(out.boxes, i, j, dx, dy, reach):
        return False
    heads, following = np.empty((CELLS, CELLS), np.int32), np.empty(VERTICES, np.int32)
    cell = sort_vertices(out.points[i], out.lengths[i], out.boxes[i], reach, heads, following)
    return meets(out.points[i], out.boxes[i], heads, following, cell, reach, out.points[j], out.lengths[j], dx, dy)


# ---------------------------------------------------------------------------- containing


def contains_at_once(points, length, x, y):
    """Tell inside from outside as `contains` does."""
    this_x, this_y = points[:, :length]
    before_x, before_y = np.roll(this_x, 1), np.roll(this_y, 1)
    with np.errstate(all="ignore"):  # a level edge crosses nothing
        at = this_x + (y - this_y) * (before_x - this_x) / (before_y - this_y)
    return bool((((this_y > y) != (before_y > y)) & (x < at)).sum() % 2 == 1)


@partial(kernel, plain=contains_at_once)
def contains(points, length, x, y):
    """Whether a point is inside a closed line, by the even-odd rule."""
    last_x, last_y, crossed = points[0, length - 1], points[1, length - 1], 0
    at = points[0, 0] + (y - points[1, 0]) * (last_x - points[0, 0]) / (last_y - points[1, 0])
    crossed += ((points[1, 0] > y) != (last_y > y)) & (x < at)
    for i in range(1, length):  # no branch, so that it becomes vector code
        this_x, this_y, before_y = points[0, i], points[1, i], points[1, i - 1]
        at = this_x + (y - this_y) * (points[0, i - 1] - this_x) / (before_y - this_y)
        crossed += ((this_y > y) != (before_y > y)) & (x < at)
    return crossed % 2 == 1


@kernel
def insert(out, parents, first, windows, gap, tries, state, offsets):
    """Put each object from the `first` on that has a parent inside it; returns one that finds no place, or -1.

    parents: of each object, -1 for none; a parent may itself be inside another. windows (n, 4): between which fractions
    of the parent's box the center may lie (from and to across, from and to down). offsets (n, 2) from the parents'
    centers are written. Places are uniform in the window and the first that serves is taken: the outline inside the
    parent's, at least the gap from it, and its box the gap from those of brothers, which come in order.
    """
    heads, following = np.empty((CELLS, CELLS), np.int32), np.empty(VERTICES, np.int32)
    for i in range(first, len(parents)):
        if parents[i] >= 0 and not put_inside(
            out, parents, i, windows[i], gap, tries, state, offsets, heads, following
        ):
            return i
    return -1


@kernel
def put_inside(out, parents, i, window, gap, tries, state, offsets, heads, following):
    """Find a place for one object inside its parent, clear of the brothers before it."""
    parent = parents[i]
    box, outer = out.boxes[i], out.boxes[parent]
    width, height = outer[2] - outer[0], outer[3] - outer[1]
    left, right = (
        max(outer[0] + window[0] * width, outer[0] - box[0]),
        min(outer[0] + window[1] * width, outer[2] - box[2]),
    )
    top, bottom = (
        max(outer[1] + window[2] * height, outer[1] - box[1]),
        min(outer[1] + window[3] * height, outer[3] - box[3]),
    )
    if left >= right or top >= bottom:
        return False
    reach = reach_of(out, i, parent, gap)
    points, container, length = out.points[i], out.points[parent], out.lengths[parent]
    cell = sort_vertices(points, out.lengths[i], box, reach, heads, following)
    for _ in range(tries):
        x, y = left + (right - left) * unit(state), top + (bottom - top) * unit(state)
        if (
            clear_of_brothers(out, parents, i, x, y, gap, offsets)
            and contains(container, length, x, y)
            and not meets(points, box, heads, following, cell, reach, container, length, -x, -y)
            and contains(container, length, x + points[0, 0], y + points[1, 0])  # the center may lie outside a crescent
        ):
            offsets[i, 0], offsets[i, 1] = x, y
            return True
    return False


@kernel
def clear_of_brothers(out, parents, i, x, y, gap, offsets):
    """Whether an object at (x, y) keeps the gap to what is in the same container and came before it."""
    for k in range(i):
        if parents[k] == parents[i] and not boxes_apart(out.boxes, k, i, x - offsets[k, 0], y - offsets[k, 1], gap):
            return False
    return True


# ---------------------------------------------------------------------------- touching


@kernel
def touch(out, clumps, against, angles, gap, tries, state, offsets):
    """Slide the members of clumps together; returns the first object that finds no place, or -1.

    clumps: the first member of each object's clump, its own number for a first member or an object alone; further
    members come in order. against: the member that an object must touch while it keeps the gap to all others, or -1 for
    whichever it meets first. angles: where it comes from, as seen from that member or from the middle of the clump; nan
    for any. tries: of directions, where any will do. offsets (n, 2) from the clumps' first members are written.
    """
    ahead, behind = np.empty(STRIPS), np.empty(STRIPS)
    for i in range(len(clumps)):
        placed = clumps[i] == i
        for _ in range(tries if isnan(angles[i]) else 1):
            if placed:
                break
            c, s = turn(360 * unit(state) if isnan(angles[i]) else angles[i])
            slide(out, clumps, against[i], i, c, s, offsets, ahead, behind)
            placed = touches_or_not(out, clumps, against[i], i, gap, offsets)
        if not placed:
            return i
    return -1


@kernel
def slide(out, clumps, partner, i, c, s, offsets, ahead, behind):
    """Bring an object along a direction to first contact with its partner or clump, and one pixel further."""
    x, y = middle(out, clumps, partner, i, offsets)
    points = out.points[i]
    low, high = inf, -inf
    for k in range(out.lengths[i]):
        v = points[1, k] * c - points[0, k] * s
        low, high = min(low, v), max(high, v)
    strips = min(STRIPS, int((high - low) / STRIP) + 1)
    ahead, behind = ahead[:strips], behind[:strips]
    ahead[:], behind[:] = -inf, -inf
    reaches(points, out.lengths[i], 0.0, 0.0, c, s, low, -1.0, behind)
    for k in range(i):
        if k == partner or (partner < 0 and clumps[k] == clumps[i]):
            dx, dy = place(offsets, clumps, k)
            reaches(out.points[k], out.lengths[k], dx - x, dy - y, c, s, low, 1.0, ahead)
    distance = -inf
    for k in range(strips):
        distance = max(distance, ahead[k] + behind[k])
    offsets[i, 0], offsets[i, 1] = x + (distance - PIXEL) * c, y + (distance - PIXEL) * s


@kernel
def place(offsets, clumps, k):
    """Where a member is, from the first one."""
    if clumps[k] == k:
        return 0.0, 0.0
    return offsets[k, 0], offsets[k, 1]


@kernel
def middle(out, clumps, partner, i, offsets):
    """What an object is slid towards: its partner's center, or the middle of the box of its clump so far."""
    if partner >= 0:
        return place(offsets, clumps, partner)
    left, top, right, bottom = inf, inf, -inf, -inf
    for k in range(i):
        if clumps[k] == clumps[i]:
            x, y = place(offsets, clumps, k)
            left, top = min(left, x + out.boxes[k, 0]), min(top, y + out.boxes[k, 1])
            right, bottom = max(right, x + out.boxes[k, 2]), max(bottom, y + out.boxes[k, 3])
    return (left + right) / 2, (top + bottom) / 2


@kernel
def reaches(points, length, x, y, c, s, low, sign, out):
    """How far an outline at (x, y) reaches along a direction (against it: sign -1), in each strip from `low` across it.

    The most over each strip, edges included: outlines that come together in a strip are at most its width apart.
    """
    last_u, last_v = 0.0, 0.0
    for step in range(length + 1):
        i = step - 1 if step > 0 else length - 1
        px, py = points[0, i] + x, points[1, i] + y
        u, v = sign * (px * c + py * s), (py * c - px * s - low) * (1 / STRIP)
        near, far = min(v, last_v), max(v, last_v)
        if step > 0 and far >= 0 and near < len(out):
            first, end = int(max(near, 0.0)), int(min(far, len(out) - 1.0))
            if end - first <= 1:  # a short edge: its higher end stands for all of it
                out[first], out[end] = max(out[first], u, last_u), max(out[end], u, last_u)
            else:
                slope = (u - last_u) / (v - last_v)
                for k in range(first, end + 1):
                    out[k] = max(out[k], u + slope * (max(near, k) - v), u + slope * (min(far, k + 1) - v))
        last_u, last_v = u, v


@kernel
def touches_or_not(out, clumps, partner, i, gap, offsets):
    """Whether an object keeps the gap to every member of its clump that it does not touch: to all but its partner.

    Where any member will do, it may touch several, but must not come near without touching.
    """
    for k in range(i):
        if clumps[k] == clumps[i] and k != partner:
            x, y = place(offsets, clumps, k)
            dx, dy = offsets[i, 0] - x, offsets[i, 1] - y
            if not apart(out, k, i, dx, dy, gap) and (partner >= 0 or not within_reach(out, k, i, dx, dy, TOUCHING)):
                return False
    return True


# ---------------------------------------------------------------------------- bodies


@kernel
def extents(boxes, holders, offsets, out):
    """Boxes of bodies: of each object that nothing holds, with all that is inside it or touches it.

    holders: the object that an offset counts from, -1 for none. out (n, 4) is written for objects that nothing holds.
    """
    for i in range(len(holders)):
        if holders[i] < 0:
            copy(boxes[i], out[i])
    for i in range(len(holders)):
        x, y, root = 0.0, 0.0, i
        while holders[root] >= 0:
            x, y, root = x + offsets[root, 0], y + offsets[root, 1], holders[root]
        out[root, 0], out[root, 1] = min(out[root, 0], x + boxes[i, 0]), min(out[root, 1], y + boxes[i, 1])
        out[root, 2], out[root, 3] = max(out[root, 2], x + boxes[i, 2]), max(out[root, 3], y + boxes[i, 3])


@kernel
def settle(holders, offsets, centers):
    """Centers of all objects, given those of the objects that nothing holds."""
    for i in range(len(holders)):
        if holders[i] >= 0:
            x, y, root = 0.0, 0.0, i
            while holders[root] >= 0:
                x, y, root = x + offsets[root, 0], y + offsets[root, 1], holders[root]
            centers[i, 0], centers[i, 1] = centers[root, 0] + x, centers[root, 1] + y


@kernel
def scatter(boxes, region, gap, tries, state, centers):
    """Places of bodies whose boxes are in the region and the gap apart, uniform over all such; whether there are any.

    First by rejection, which is exact: all places are drawn, `tries` times at most, until none conflict. If the image
    is too crowded for that, bodies are moved one after the other, each when it is in no more conflict than before; once
    nothing conflicts this is the Metropolis chain of the same distribution, and it goes on for `SWEEPS` moves a body.
    """
    count = len(boxes)
    room = np.empty((count, 4))  # where each center may be: left, top, width, height
    placed = np.empty((4, count))  # boxes with the gap around them, as columns
    for i in range(count):
        room[i, 0], room[i, 1] = region[0] - boxes[i, 0], region[1] - boxes[i, 1]
        room[i, 2], room[i, 3] = region[2] - boxes[i, 2] - room[i, 0], region[3] - boxes[i, 3] - room[i, 1]
        if room[i, 2] < 0 or room[i, 3] < 0:
            return False
    for _ in range(tries):
        i, free = 0, True
        while i < count and free:
            x, y = somewhere(room, i, state)
            free = conflicts(boxes, placed, i, i, x, y) == 0
            put(boxes, placed, centers, i, x, y, gap)
            i += 1
        if free:
            return True
    return shake(boxes, room, placed, gap, state, centers)


@kernel
def shake(boxes, room, placed, gap, state, centers):
    """Move bodies until none conflict, and then for `SWEEPS` more sweeps; whether that was possible."""
    count = len(boxes)
    for i in range(count):
        x, y = somewhere(room, i, state)
        put(boxes, placed, centers, i, x, y, gap)
    quiet = 0
    for sweep in range(MOST_SWEEPS):
        worst = 0
        for i in range(count):
            x, y = somewhere(room, i, state) if sweep % 2 else nudged(room, centers, i, state)
            placed[0, i] = inf  # not in conflict with itself
            now = conflicts(boxes, placed, count, i, centers[i, 0], centers[i, 1]) if quiet == 0 else 0
            if conflicts(boxes, placed, count, i, x, y) > now:
                x, y = centers[i, 0], centers[i, 1]
            put(boxes, placed, centers, i, x, y, gap)
            worst = max(worst, now)
        if worst == 0:
            quiet += 1  # and it stays quiet
        if quiet == SWEEPS:
            return True
    return False


@inlined
def conflicts(boxes, placed, count, i, x, y):
    """How many of the first `count` placed bodies are too near to body i at (x, y)."""
    left, top, right, bottom = x + boxes[i, 0], y + boxes[i, 1], x + boxes[i, 2], y + boxes[i, 3]
    total = 0
    for k in range(count):  # no early end, so that it becomes vector code
        total += (placed[0, k] < right) & (placed[1, k] < bottom) & (placed[2, k] > left) & (placed[3, k] > top)
    return total


@inlined
def put(boxes, placed, centers, i, x, y, gap):
    """Put body i at (x, y): its center, and its box with the gap around it."""
    centers[i, 0], centers[i, 1] = x, y
    placed[0, i], placed[1, i] = x + boxes[i, 0] - gap, y + boxes[i, 1] - gap
    placed[2, i], placed[3, i] = x + boxes[i, 2] + gap, y + boxes[i, 3] + gap


@inlined
def somewhere(room, i, state):
    """A place for body i; one random word gives both coordinates."""
    both = word(state)
    return (
        room[i, 0] + room[i, 2] * 2.0**-16 * np.float64(both & np.uint64(0xFFFF)),
        room[i, 1] + room[i, 3] * 2.0**-16 * np.float64(both >> np.uint64(16)),
    )


@inlined
def nudged(room, centers, i, state):
    """A place near that of body i, there and back equally likely; its own where it would leave the region."""
    both = word(state)
    x = centers[i, 0] + NUDGE * ((np.float64(both & np.uint64(0xFFFF)) + 0.5) * 2.0**-15 - 1)
    y = centers[i, 1] + NUDGE * ((np.float64(both >> np.uint64(16)) + 0.5) * 2.0**-15 - 1)
    if room[i, 0] <= x <= room[i, 0] + room[i, 2] and room[i, 1] <= y <= room[i, 1] + room[i, 3]:
        return x, y
    return centers[i, 0], centers[i, 1]


@kernel
def strew(boxes, first, c, s, off, apart, gap, edge, tries, state, centers):
    """Places for the bodies from `first` on: the gap from all others, off the line of the first ones, in no new row.

    The line goes through the first body in direction (c, s). Returns whether all found a place; `apart` is the least
    height of a triangle of three bodies over its longest side.
    """
    for i in range(first, len(boxes)):
        placed = False
        for _ in range(tries):
            x = edge - boxes[i, 0] + (1 - 2 * edge - boxes[i, 2] + boxes[i, 0]) * unit(state)
            y = edge - boxes[i, 1] + (1 - 2 * edge - boxes[i, 3] + boxes[i, 1]) * unit(state)
            centers[i, 0], centers[i, 1] = x, y
            if abs((x - centers[0, 0]) * s - (y - centers[0, 1]) * c) < off:
                continue
            placed = True
            for k in range(i):
                if not boxes_apart(boxes, k, i, x - centers[k, 0], y - centers[k, 1], gap):
                    placed = False
                    break
            if placed and not makes_row(centers, i, apart):
                break
            placed = False
        if not placed:
            return False
    return True


@kernel
def makes_row(centers, i, apart):
    """Whether body i stands in a straight row with two bodies before it."""
    for j in range(i):
        ax, ay = centers[j, 0] - centers[i, 0], centers[j, 1] - centers[i, 1]
        for k in range(j):
            bx, by = centers[k, 0] - centers[i, 0], centers[k, 1] - centers[i, 1]
            longest = max(ax * ax + ay * ay, bx * bx + by * by, (ax - bx) ** 2 + (ay - by) ** 2)
            if (ax * by - ay * bx) ** 2 < apart * apart * longest:
                return True
    return False


@kernel
def in_place(boxes, centers, edge, gap):
    """Whether bodies keep within the frame and the gap apart."""
    for i in range(len(boxes)):
        x, y = centers[i, 0], centers[i, 1]
        if x + boxes[i, 0] < edge or y + boxes[i, 1] < edge or x + boxes[i, 2] > 1 - edge or y + boxes[i, 3] > 1 - edge:
            return False
    return separate(boxes, centers, len(boxes), gap)


@kernel
def separate(boxes, centers, count, gap):
    """Whether the boxes of the first bodies are all the gap apart."""
    for i in range(count):
        if not clear(boxes, centers, i, gap):
            return False
    return True


@kernel
def clear(boxes, centers, i, gap):
    """Whether the box of a body is the gap apart from those of all bodies before it."""
    for k in range(i):
        if not boxes_apart(boxes, k, i, centers[i, 0] - centers[k, 0], centers[i, 1] - centers[k, 1], gap):
            return False
    return True


@kernel
def ring(boxes, radii, turns, gap, tries, state, centers):
    """Pairs about a body in the middle of the image, each at its radius and its turn apart; whether they find room.

    The directions of all are drawn until no boxes conflict.
    """
    centers[:] = 0.5
    begin = 0.0
    for _ in range(tries):
        free = True
        for i in range(1, 1 + 2 * len(radii)):
            begin = 360 * unit(state) if i % 2 else begin + turns[i // 2 - 1]
            c, s = turn(begin)
            radius = radii[(i - 1) // 2]
            centers[i, 0], centers[i, 1] = 0.5 + radius * c, 0.5 + radius * s
            free = clear(boxes, centers, i, gap)
            if not free:
                break
        if free:
            return True
    return False
