"""Contours and everything that is done to them: posing, containing, touching, scattering, comparing and drawing.

Contours are kept in a `Contours` cache and drawn from their keys when they are not there; posed outlines are written to
an `Outlines` room. Both are passed whole. Lengths are fractions of the image's side, angles degrees, boxes (left, top,
right, bottom) relative to the center of what they enclose. Offsets of objects are relative to the center of another.

No sine, cosine or arctangent of a library is used: they differ in the last bit between machines, records must not.
"""

from __future__ import annotations

from math import ceil, floor, inf, isnan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.kernel import kernel
from unseen.core.random import HALF, LOW, philox, word

VERTICES = 1024  # room for a contour: the longest of 200,000 has 626
SLOTS = 512  # contours kept; a power of two
RADIUS = 0.5  # of the disc in which contours are drawn
ROUNDS = (0.1, 0.03)  # gaps to which a contour is refined before its own
WORDS = 256  # random words made at once
RESAMPLED = 500  # vertices of a fuzzy contour
BINS = 64  # of a radial profile
FINE = 1 << 16  # units of a radial profile: sums of integers are the same in any order, and fast
NEAR_TURN = 4  # bins: the least number that makes a turn of 20 degrees
PIXEL = 1 / 128  # of the published images
TOUCHING = PIXEL * 0.9  # outlines with vertices nearer than this touch
STRIP = PIXEL / 2  # width of the strips in which sliding objects are compared
STRIPS = 512  # most of them: two image sides
CELLS = 48  # most cells of a grid of vertices, on either axis
SWEEPS = 60  # moves per body when a crowded image is shaken
MOST_SWEEPS = 2_000  # until an image is given up
NUDGE = 0.1  # most of a small move, on either axis
OUTLINE, SMOOTH, FILLED = range(3)  # styles


class Contours(NamedTuple):
    """Contours by key, each in the slot that its key chooses until another takes the place."""

    hole: float  # radius of the disc that no vertex may enter, before scaling to the unit box
    gap: float  # most of a step between vertices on either axis, before scaling
    fuzz: float  # most of the offset of a vertex along the normal, after scaling; 0 for none
    keys: npt.NDArray[np.int64]  # (SLOTS,), -1 where a slot is empty
    lengths: npt.NDArray[np.int64]  # (SLOTS,), numbers of vertices
    points: npt.NDArray[np.float64]  # (SLOTS, VERTICES, 2)
    profiles: npt.NDArray[np.int32]  # (SLOTS, BINS), the first -1 until asked for
    spare: npt.NDArray[np.float64]  # (3, VERTICES, 2), room to draw in


class Outlines(NamedTuple):
    """Outlines of the objects of an image, each around its own center."""

    points: npt.NDArray[np.float64]  # (n, VERTICES, 2)
    lengths: npt.NDArray[np.int64]  # (n,), numbers of vertices
    boxes: npt.NDArray[np.float64]  # (n, 4)
    edges: npt.NDArray[np.float64]  # (n,), the longest edge of each


@kernel
def unit(state):
    """A float64 in [0, 1) of one random word."""
    return np.float64(word(state)) * 2.0**-32


@kernel
def turn(angle):
    """Cosine and sine of an angle in degrees, exact for quarter turns."""
    quarter = floor(angle / 90 + 0.5)
    r = (angle - 90 * quarter) * 0.017453292519943295  # at most an eighth of a turn: the series needs few terms
    cosine, sine, term = 1.0, r, r
    for k in range(2, 18, 2):
        term *= -r / k
        cosine += term
        term *= r / (k + 1)
        sine += term
    quarter %= 4
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    if quarter == 3:
        return sine, -cosine
    return cosine, sine


# ---------------------------------------------------------------------------- contours


@kernel
def fill_words(words, key, draw, block):
    """Random words of consecutive blocks of a stream, many at once: the compiler makes vector code of it."""
    count = len(words) // 4
    for i in range(count):
        for k, value in enumerate(philox((block + i, draw, 0, 0), np.uint64(key) & LOW, np.uint64(key) >> HALF)):
            words[i + k * count] = value


@kernel
def fill_discs(discs, key, block):
    """Points uniform in the unit disc, one word for both coordinates; returns how many there are."""
    words = np.empty(WORDS, np.uint32)
    fill_words(words, key, 0, block)
    count = 0
    for both in words:
        x = (np.float64(both & np.uint32(0xFFFF)) + 0.5) * 2.0**-15 - 1
        y = (np.float64(both >> np.uint32(16)) + 0.5) * 2.0**-15 - 1
        discs[count, 0], discs[count, 1] = x, y
        count += 1 if x * x + y * y <= 1 else 0  # no branch: it could not be foretold
    return count


@kernel
def next_disc(key, discs, cursor):
    """The row of the next disc point. `cursor` holds the row, the number of rows and the next block of the stream."""
    if cursor[0] == cursor[1]:
        cursor[0], cursor[1], cursor[2] = 0, fill_discs(discs, key, cursor[2]), cursor[2] + WORDS // 4
    cursor[0] += 1
    return cursor[0] - 1


@kernel
def draw_anchors(key, discs, cursor, hole, points):
    """One point in each quadrant, uniform between the hole and the outer circle."""
    for quadrant in range(4):
        x, y = 0.0, 0.0
        while x * x + y * y < hole * hole:
            row = next_disc(key, discs, cursor)
            x, y = RADIUS * abs(discs[row, 0]), RADIUS * abs(discs[row, 1])
        points[quadrant, 0] = -x if quadrant == 1 or quadrant == 2 else x
        points[quadrant, 1] = -y if quadrant >= 2 else y


@kernel
def refine(key, discs, cursor, hole, gap, length, coarse, fine):
    """Midpoint displacement of a closed line until no edge is longer than the gap on an axis.

    A middle moves within a disc of a fifth of the edge's length: as complex numbers, a disc point times the edge. One
    outside the outer circle is drawn again. Returns the number of vertices, 0 when one falls in the hole. All in one
    function, because a call for each vertex doubles the time.
    """
    stack = np.empty((64, 2))
    count = 0
    x, y = coarse[0, 0], coarse[0, 1]
    for i in range(length):
        following = i + 1 if i + 1 < length else 0
        stack[0, 0], stack[0, 1] = coarse[following, 0], coarse[following, 1]
        depth = 0
        while depth >= 0:
            dx, dy = stack[depth, 0] - x, stack[depth, 1] - y
            if abs(dx) <= gap and abs(dy) <= gap:
                fine[count, 0], fine[count, 1] = x, y
                count += 1
                x, y = stack[depth, 0], stack[depth, 1]
                depth -= 1
                continue
            if cursor[0] == cursor[1]:
                cursor[0], cursor[1], cursor[2] = 0, fill_discs(discs, key, cursor[2]), cursor[2] + WORDS // 4
            u, v = discs[cursor[0], 0] * 0.2 + 0.5, discs[cursor[0], 1] * 0.2
            cursor[0] += 1
            mx, my = x + u * dx - v * dy, y + u * dy + v * dx
            square = mx * mx + my * my
            if square < hole * hole or count + depth + 2 > VERTICES:
                return 0
            if square < RADIUS * RADIUS:
                depth += 1
                stack[depth, 0], stack[depth, 1] = mx, my
    return count


@kernel
def draw_raw(key, discs, cursor, hole, gap, points, spare):
    """A contour that is not yet turned and scaled; returns its number of vertices.

    One with a vertex in the hole is thrown away. Contours are refined in rounds, each to a smaller gap, where the
    published program goes to the bottom of each edge at once: the same distribution, but most of those thrown away are
    thrown away after a few vertices.
    """
    while True:
        draw_anchors(key, discs, cursor, hole, points)
        length = refine(key, discs, cursor, hole, max(gap, ROUNDS[0]), 4, points, spare)
        if length > 0:
            length = refine(key, discs, cursor, hole, max(gap, ROUNDS[1]), length, spare, points)
        if length > 0:
            length = refine(key, discs, cursor, hole, gap, length, points, spare)
        if length > 0:
            return length


@kernel
def fit(raw, length, c, s, points):
    """Turn, then move and scale each axis so that the box is exactly 1 x 1 around the origin."""
    left, right, top, bottom = inf, -inf, inf, -inf
    for i in range(length):
        x, y = raw[i, 0] * c - raw[i, 1] * s, raw[i, 0] * s + raw[i, 1] * c
        points[i, 0], points[i, 1] = x, y
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
    for i in range(length):
        points[i, 0] = (points[i, 0] - left) / (right - left) - 0.5
        points[i, 1] = (points[i, 1] - top) / (bottom - top) - 0.5


@kernel
def resample(points, length, out):
    """`RESAMPLED` points at equal distances along a closed line."""
    total = 0.0
    for i in range(length):
        following = i + 1 if i + 1 < length else 0
        total += sqrt((points[following, 0] - points[i, 0]) ** 2 + (points[following, 1] - points[i, 1]) ** 2)
    passed, wanted, count = 0.0, 0.0, 0
    for i in range(length):
        following = i + 1 if i + 1 < length else 0
        dx, dy = points[following, 0] - points[i, 0], points[following, 1] - points[i, 1]
        edge = sqrt(dx * dx + dy * dy)
        while count < RESAMPLED and wanted <= passed + edge:
            share = (wanted - passed) / edge if edge > 0 else 0.0
            out[count, 0], out[count, 1] = points[i, 0] + share * dx, points[i, 1] + share * dy
            count += 1
            wanted = total * count / RESAMPLED
        passed += edge
    return count


@kernel
def roughen(key, fuzz, points, length, out):
    """Each point at the mean of its neighbors, and up to `fuzz` from there along the normal, on either side."""
    words = np.empty(RESAMPLED, np.uint32)
    fill_words(words, key, 1, 0)
    for i in range(length):
        before, after = (i - 1) % length, (i + 1) % length
        dx, dy = points[after, 0] - points[before, 0], points[after, 1] - points[before, 1]
        long = sqrt(dx * dx + dy * dy)
        offset = fuzz * (words[i] * 2.0**-31 - 1) / long if long > 0 else 0.0
        out[i, 0] = (points[before, 0] + points[after, 0]) / 2 - offset * dy
        out[i, 1] = (points[before, 1] + points[after, 1]) / 2 + offset * dx


@kernel
def draw_contour(key, hole, gap, fuzz, points, spare):
    """The contour of a key, in its unit box; returns its number of vertices."""
    cursor = np.zeros(3, np.int64)
    discs = spare[2]
    length = draw_raw(key, discs, cursor, hole, gap, spare[0], spare[1])
    row = next_disc(key, discs, cursor)
    long = sqrt(discs[row, 0] ** 2 + discs[row, 1] ** 2)
    fit(spare[1], length, discs[row, 0] / long, discs[row, 1] / long, points)
    if fuzz > 0:
        length = resample(points, length, spare[0])
        roughen(key, fuzz, spare[0], length, spare[1])
        fit(spare[1], length, 1.0, 0.0, points)
    return length


@kernel
def located(contours, key):
    """The slot of a contour, which is drawn if it is not there."""
    slot = key & (SLOTS - 1)
    if contours.keys[slot] != key:
        contours.lengths[slot] = draw_contour(
            key, contours.hole, contours.gap, contours.fuzz, contours.points[slot], contours.spare
        )
        contours.profiles[slot, 0] = -1
        contours.keys[slot] = key
    return slot


# ---------------------------------------------------------------------------- likeness


@kernel
def angular_bin(x, y):
    """Which of the `BINS` angles a point lies at; edges of the bins are right to a hundredth of a degree."""
    ax, ay = abs(x), abs(y)
    t = min(ax, ay) / max(ax, ay, 1e-300)
    square = t * t  # arctangent in turns (Abramowitz and Stegun 4.4.49)
    turns = t * (0.9998660 + square * (-0.3302995 + square * (0.1801410 + square * (-0.0851330 + square * 0.0208351))))
    turns *= 0.15915494309189535
    if ay > ax:
        turns = 0.25 - turns
    if x < 0:
        turns = 0.5 - turns
    if y < 0:
        turns = 1 - turns
    return floor(turns * BINS) % BINS


@kernel
def fill_profile(points, length, profile):
    """How far a contour reaches from its center in each of `BINS` directions, in units of 1 / FINE."""
    reach = np.zeros(BINS)
    last = angular_bin(points[length - 1, 0], points[length - 1, 1])
    before = points[length - 1, 0] ** 2 + points[length - 1, 1] ** 2
    for i in range(length):
        this = angular_bin(points[i, 0], points[i, 1])
        square = points[i, 0] ** 2 + points[i, 1] ** 2
        span = (this - last + BINS // 2) % BINS - BINS // 2  # the short way round, over every bin that the edge meets
        for k in range(abs(span) + 1):
            at = (last + (k if span >= 0 else -k)) % BINS
            reach[at] = max(reach[at], square, before)
        last, before = this, square
    for k in range(BINS):
        profile[k] = floor(sqrt(reach[k]) * FINE)


@kernel
def profiled(contours, key):
    """The slot of a contour whose profile is there."""
    slot = located(contours, key)
    if contours.profiles[slot, 0] < 0:
        fill_profile(contours.points[slot], contours.lengths[slot], contours.profiles[slot])
    return slot


@kernel
def least_difference(one, other, low, high):
    """The least sum of differences between a profile and another shifted by low .. high-1 bins."""
    twice = np.empty(2 * BINS, np.int32)
    twice[:BINS] = other
    twice[BINS:] = other
    least = np.int32(BINS * FINE)
    for by in range(low, high):
        total = np.int32(0)
        for k in range(BINS):
            total += np.int32(abs(one[k] - twice[k + by]))
        least = min(least, total)
    return least / (BINS * FINE)


@kernel
def likeness(contours, key, other):
    """How unlike two contours are: the least mean difference of their radial profiles over turns and flips."""
    one = contours.profiles[profiled(contours, key)].copy()  # the other may take its slot
    second = contours.profiles[profiled(contours, other)]
    return min(least_difference(one, second, 0, BINS), least_difference(one[::-1], second, 0, BINS))


@kernel
def own_likeness(contours, key):
    """How unlike a contour is to itself turned (by 20 degrees or more), and to itself flipped and turned at will."""
    one = contours.profiles[profiled(contours, key)]
    turned = least_difference(one, one, NEAR_TURN, BINS - NEAR_TURN + 1)
    return turned, least_difference(one[::-1], one, 0, BINS)


@kernel
def find_key(contours, known, unlike, lopsided, tries, state):
    """The key of a contour unlike all known ones, and where `lopsided` is above 0 unlike itself; -1 for none."""
    for _ in range(tries):
        key = np.int64((word(state) << np.uint64(20)) | (word(state) >> np.uint64(12)))  # 52 bits, exact in a float64
        found = True
        for other in known:
            found = found and likeness(contours, key, other) >= unlike
        if found and lopsided > 0:
            found = min(own_likeness(contours, key)) >= lopsided
        if found:
            return key
    return -1


# ---------------------------------------------------------------------------- posing


@kernel
def pose(contour, length, size, angle, flip, points):
    """An object's outline around its own center: its contour flipped, turned and scaled."""
    c, s = turn(angle)
    c, s = c * size, s * size
    mirror = -1.0 if flip else 1.0
    for k in range(length):
        x, y = mirror * contour[k, 0], contour[k, 1]
        points[k, 0], points[k, 1] = x * c - y * s, x * s + y * c


@kernel
def outlines(contours, keys, sizes, angles, flips, out):
    """Pose objects, and measure their true boxes and longest edges."""
    for i in range(len(keys)):
        slot = located(contours, keys[i])
        length = contours.lengths[slot]
        points = out.points[i]
        pose(contours.points[slot], length, sizes[i], angles[i], flips[i], points)
        left, right, top, bottom, longest = inf, -inf, inf, -inf, 0.0
        last_x, last_y = points[length - 1, 0], points[length - 1, 1]
        for k in range(length):
            x, y = points[k, 0], points[k, 1]
            left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
            longest = max(longest, (x - last_x) ** 2 + (y - last_y) ** 2)
            last_x, last_y = x, y
        out.lengths[i] = length
        out.boxes[i, 0], out.boxes[i, 1], out.boxes[i, 2], out.boxes[i, 3] = left, top, right, bottom
        out.edges[i] = sqrt(longest)


@kernel
def contains(points, length, x, y):
    """Whether a point is inside a closed line, by the even-odd rule."""
    inside = False
    last_x, last_y = points[length - 1, 0], points[length - 1, 1]
    for i in range(length):
        this_x, this_y = points[i, 0], points[i, 1]
        if (this_y > y) != (last_y > y) and x < this_x + (y - this_y) * (last_x - this_x) / (last_y - this_y):
            inside = not inside
        last_x, last_y = this_x, this_y
    return inside


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
    for k in range(length):
        column, row = 2 + int((points[k, 0] - box[0]) / cell), 2 + int((points[k, 1] - box[1]) / cell)
        if heads[row, column] < 0:
            for r in range(row - 1, row + 2):
                for c in range(column - 1, column + 2):
                    heads[r, c] = max(heads[r, c], -1)
        following[k] = heads[row, column]
        heads[row, column] = k
    return cell


@kernel
def meets(points, box, heads, following, cell, reach, other, length, dx, dy):
    """Whether a vertex of another outline, moved by (dx, dy), is nearer than `reach` to one of the sorted vertices."""
    left, top = box[0] - 2 * cell, box[1] - 2 * cell
    low_x, high_x, low_y, high_y = box[0] - reach, box[2] + reach, box[1] - reach, box[3] + reach
    for i in range(length):
        x, y = other[i, 0] + dx, other[i, 1] + dy
        if x <= low_x or x >= high_x or y <= low_y or y >= high_y:
            continue
        column, row = int((x - left) / cell), int((y - top) / cell)
        if heads[row, column] == -2:
            continue
        for r in range(row - 1, row + 2):
            for c in range(column - 1, column + 2):
                k = heads[r, c]
                while k >= 0:
                    if (points[k, 0] - x) ** 2 + (points[k, 1] - y) ** 2 < reach * reach:
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


@kernel
def insert(out, parents, windows, gap, tries, state, offsets):
    """Put each object that has a parent inside it; returns the first that finds no place, or -1.

    parents: of each object, -1 for none; a parent may itself be inside another. windows (n, 4): between which fractions
    of the parent's box the center may lie (from and to across, from and to down). offsets (n, 2) from the parents'
    centers are written. Places are uniform in the window and the first that serves is taken: the outline inside the
    parent's, at least the gap from it, and its box the gap from those of brothers, which come in order.
    """
    heads, following = np.empty((CELLS, CELLS), np.int32), np.empty(VERTICES, np.int32)
    for i in range(len(parents)):
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
            and contains(container, length, x + points[0, 0], y + points[0, 1])  # the center may lie outside a crescent
        ):
            offsets[i, 0], offsets[i, 1] = x, y
            return True
    return False


@kernel
def clear_of_brothers(out, parents, i, x, y, gap, offsets):
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
        v = points[k, 1] * c - points[k, 0] * s
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
        px, py = points[i, 0] + x, points[i, 1] + y
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
            out[i] = boxes[i]
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


@kernel
def conflicts(boxes, placed, count, i, x, y):
    """How many of the first `count` placed bodies are too near to body i at (x, y)."""
    left, top, right, bottom = x + boxes[i, 0], y + boxes[i, 1], x + boxes[i, 2], y + boxes[i, 3]
    total = 0
    for k in range(count):  # no early end, so that it becomes vector code
        total += (placed[0, k] < right) & (placed[1, k] < bottom) & (placed[2, k] > left) & (placed[3, k] > top)
    return total


@kernel
def put(boxes, placed, centers, i, x, y, gap):
    centers[i, 0], centers[i, 1] = x, y
    placed[0, i], placed[1, i] = x + boxes[i, 0] - gap, y + boxes[i, 1] - gap
    placed[2, i], placed[3, i] = x + boxes[i, 2] + gap, y + boxes[i, 3] + gap


@kernel
def somewhere(room, i, state):
    """A place for body i; one random word gives both coordinates."""
    both = word(state)
    return (
        room[i, 0] + room[i, 2] * 2.0**-16 * np.float64(both & np.uint64(0xFFFF)),
        room[i, 1] + room[i, 3] * 2.0**-16 * np.float64(both >> np.uint64(16)),
    )


@kernel
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
    for _ in range(tries):
        free = True
        for k in range(len(radii)):
            begin = 360 * unit(state)
            for i in range(2):
                c, s = turn(begin + i * turns[k])
                centers[1 + 2 * k + i, 0], centers[1 + 2 * k + i, 1] = 0.5 + radii[k] * c, 0.5 + radii[k] * s
            free = free and separate(boxes, centers, 3 + 2 * k, gap)
            if not free:
                break
        if free:
            return True
    return False


# ---------------------------------------------------------------------------- drawing


@kernel
def rgb(hue, saturation, value, color):
    """A color of hue, saturation and value, all from 0 to 1, in bytes."""
    for channel in range(3):
        at = (5 - 2 * channel + hue * 6) % 6
        level = value * (1 - saturation * max(0.0, min(at, 4 - at, 1.0)))
        color[channel] = floor(level * 255 + 0.5)


@kernel
def ink(contours, panels, keys, sizes, centers, angles, flips, colors, style, canvas):
    """Draw the objects of several panels, in order, on white.

    panels: which image of the canvas (panels, side, side, 3) each object is on. colors (n, 3): hue, saturation, value.
    style: OUTLINE for lines of one pixel through floor((outline + center) * side); SMOOTH for soft lines, as wide as
    those of the published images against the side; FILLED for lines as in OUTLINE, over pale insides of all objects.
    """
    canvas[:] = 255
    side = canvas.shape[1]
    points = contours.spare[0]
    color = np.empty(3, np.uint8)
    for fills in range(1 if style == FILLED else 0, -1, -1):
        for i in range(len(keys)):
            slot = located(contours, keys[i])
            length = contours.lengths[slot]
            pose(contours.points[slot], length, sizes[i], angles[i], flips[i], points)
            for k in range(length):
                points[k, 0], points[k, 1] = (
                    (points[k, 0] + centers[i, 0]) * side,
                    (points[k, 1] + centers[i, 1]) * side,
                )
            rgb(colors[i, 0], colors[i, 1], colors[i, 2], color)
            if fills == 1:
                draw_inside(points, length, color, canvas[panels[i]])
            elif style == SMOOTH:
                draw_smooth(points, length, color, canvas[panels[i]])
            else:
                draw_line(points, length, color, canvas[panels[i]])


@kernel
def draw_line(points, length, color, image):
    """A closed line of 8-connected pixels."""
    side = len(image)
    red, green, blue = color[0], color[1], color[2]
    x, y = floor(points[length - 1, 0]), floor(points[length - 1, 1])
    for k in range(length):
        to_x, to_y = floor(points[k, 0]), floor(points[k, 1])
        across, down = abs(to_x - x), abs(to_y - y)
        error = across - down  # Bresenham's
        while x != to_x or y != to_y:
            twice = 2 * error
            if twice > -down:
                error -= down
                x += 1 if to_x > x else -1
            if twice < across:
                error += across
                y += 1 if to_y > y else -1
            if 0 <= x < side and 0 <= y < side:
                image[y, x, 0], image[y, x, 1], image[y, x, 2] = red, green, blue


@kernel
def frame(points, length, margin, side):
    """The pixels that a line may color: first row, end of rows, first column, end of columns."""
    left, right, top, bottom = inf, -inf, inf, -inf
    for k in range(length):
        left, right = min(left, points[k, 0]), max(right, points[k, 0])
        top, bottom = min(top, points[k, 1]), max(bottom, points[k, 1])
    low_row, end_row = span(top - margin, bottom + margin, 0, side)
    low_column, end_column = span(left - margin, right + margin, 0, side)
    return low_row, end_row, low_column, end_column


@kernel
def span(low, high, first, end):
    """The pixels between two places, of those from `first` to `end`: their first and end."""
    start = min(end, max(first, floor(low)))
    return start, max(start, min(end, floor(high) + 1))


@kernel
def draw_smooth(points, length, color, image):
    """A closed soft line: a pixel is covered as far as the nearest point of the line is near to its center."""
    side = len(image)
    reach = max(1.0, side * PIXEL) / 2 + 0.5
    low_row, end_row, low_column, end_column = frame(points, length, reach, side)
    cover = np.zeros((end_row - low_row, end_column - low_column))
    last_x, last_y = points[length - 1, 0], points[length - 1, 1]
    for k in range(length):
        x, y = points[k, 0], points[k, 1]
        dx, dy = x - last_x, y - last_y
        square = max(dx * dx + dy * dy, 1e-300)
        rows = span(min(y, last_y) - reach, max(y, last_y) + reach, low_row, end_row)
        columns = span(min(x, last_x) - reach, max(x, last_x) + reach, low_column, end_column)
        for row in range(rows[0], rows[1]):
            for column in range(columns[0], columns[1]):
                px, py = column + 0.5 - last_x, row + 0.5 - last_y
                share = min(1.0, max(0.0, (px * dx + py * dy) / square))
                nearness = reach - sqrt((px - share * dx) ** 2 + (py - share * dy) ** 2)
                if nearness > cover[row - low_row, column - low_column]:
                    cover[row - low_row, column - low_column] = min(1.0, nearness)
        last_x, last_y = x, y
    for row in range(low_row, end_row):
        for column in range(low_column, end_column):
            for channel in range(3):
                under, share = image[row, column, channel], cover[row - low_row, column - low_column]
                image[row, column, channel] = int(under + (np.float64(color[channel]) - under) * share + 0.5)


@kernel
def draw_inside(points, length, color, image):
    """Pixels around whose center the line winds, in a pale color."""
    side = len(image)
    low_row, end_row, low_column, end_column = frame(points, length, 1.0, side)
    winds = np.zeros((end_row - low_row, end_column - low_column + 1), np.int32)
    last_x, last_y = points[length - 1, 0], points[length - 1, 1]
    for k in range(length):
        x, y = points[k, 0], points[k, 1]
        up = 1 if y > last_y else -1
        first, end = ceil(min(y, last_y) - 0.5), ceil(max(y, last_y) - 0.5)
        for row in range(max(low_row, first), min(end_row, end)):
            crossing = ceil(x + (row + 0.5 - y) * (last_x - x) / (last_y - y) - 0.5)
            winds[row - low_row, min(end_column, max(low_column, crossing)) - low_column] += up
        last_x, last_y = x, y
    for row in range(low_row, end_row):
        total = 0
        for column in range(low_column, end_column):
            total += winds[row - low_row, column - low_column]
            if total != 0:
                for channel in range(3):
                    image[row, column, channel] = (color[channel] + 255) // 2
