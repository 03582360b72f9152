"""Contours: closed random outlines, drawn from their keys, told apart, and posed as the outlines of objects.

Drawn as published: an anchor in each quadrant, recursive midpoint displacement, all thrown away when a vertex falls in
the hole; turned at random, then stretched to a box of exactly 1 x 1. As published, a contour may cross itself.

Contours are kept in a `Contours` cache and drawn from their keys when they are not there; posed outlines are written to
an `Outlines` room. Both are passed whole. Vertices are columns (2, n), for the compiler to make vector code of.
Lengths are fractions of the image's side, angles degrees, boxes (left, top, right, bottom) relative to the center of
what they enclose.

No sine, cosine or arctangent of a library is used: they differ in the last bit between machines, records must not.

The functions named `..._at_once` are what runs where nothing is compiled: the same operations on whole arrays, for
which machine code would have to make room. Arrays are copied in loops, because numba brings code for the text of an
error along with every assignment of an array to a part of another, and takes seconds to compile it.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import floor, inf, sqrt
from threading import get_ident
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError, unknown
from unseen.core.kernel import inlined, kernel
from unseen.core.random import HALF, LOW, philox, rounds, word

KEYS = 2**52  # contours are numbered from 0 to one less: whole numbers that a float64 holds exactly
VERTICES = 1024  # room for a contour: the longest of 200,000 has 626
SLOTS = 512  # contours kept; a power of two
RADIUS = 0.5  # of the disc in which contours are drawn
DISCS = 256  # random words made at once
ROUNDS = (0.1, 0.03)  # gaps to which a contour is refined before its own
RESAMPLED = 504  # vertices of a fuzzy contour: about 500, and random words come in blocks of eight halves
BINS = 64  # of a radial profile
FINE = 1 << 16  # units of a radial profile: sums of integers are the same in any order, and fast
NEAR_TURN = 4  # bins: the least number that makes a turn of 20 degrees
SHAPE, SIZE, X, Y, ANGLE, FLIP, HUE, SATURATION, VALUE = range(9)  # columns of `scene.Object`


class Family(NamedTuple):
    """What contours of one kind have in common; lengths before they are stretched, except for the fuzz."""

    hole: float  # radius of the empty disc in the middle
    gap: float  # most of a step between vertices, on either axis
    fuzz: float = 0.0  # most of the offset of a vertex along the normal


FAMILIES = {
    "plain": Family(hole=0.05, gap=0.007),
    "wide": Family(hole=0.2, gap=0.007),  # with room for contents
    # of the generalization set, as its paper describes them; finer detail would drown in the fuzz
    "plain-fuzzy": Family(hole=0.05, gap=0.02, fuzz=0.035),
    "wide-fuzzy": Family(hole=0.2, gap=0.02, fuzz=0.035),
}


class Contours(NamedTuple):
    """Contours by key, each in the slot that its key chooses until another takes the place."""

    hole: float  # radius of the disc that no vertex may enter, before scaling to the unit box
    gap: float  # most of a step between vertices on either axis, before scaling
    fuzz: float  # most of the offset of a vertex along the normal, after scaling; 0 for none
    keys: npt.NDArray[np.int64]  # (SLOTS,), -1 where a slot is empty
    lengths: npt.NDArray[np.int64]  # (SLOTS,), numbers of vertices
    points: npt.NDArray[np.float64]  # (SLOTS, 2, VERTICES)
    profiles: npt.NDArray[np.int32]  # (SLOTS, BINS), the first -1 until asked for
    spare: npt.NDArray[np.float64]  # (2, 2, VERTICES), room to draw in


class Outlines(NamedTuple):
    """Outlines of the objects of an image, each around its own center."""

    points: npt.NDArray[np.float64]  # (n, 2, VERTICES)
    lengths: npt.NDArray[np.int64]  # (n,), numbers of vertices
    boxes: npt.NDArray[np.float64]  # (n, 4)
    edges: npt.NDArray[np.float64]  # (n,), the longest edge of each


@kernel
def unit(state):
    """A float64 in [0, 1) of one random word."""
    return np.float64(word(state)) * 2.0**-32


@kernel
def copy(row, into):
    """Copy numbers to the beginning of another array."""
    for i in range(len(row)):
        into[i] = row[i]


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


def words_at_once(words, key, draw, block):
    """Fill words as `fill_words` does."""
    counters = block + np.arange(len(words) // 4, dtype=np.uint64)
    words[:] = np.concatenate(rounds((counters, draw, 0, 0), np.uint64(key) & LOW, np.uint64(key) >> HALF))


@partial(kernel, plain=words_at_once)
def fill_words(words, key, draw, block):
    """Random words of consecutive blocks of a stream, many at once: the compiler makes vector code of it."""
    count = len(words) // 4
    for i in range(count):
        for k, value in enumerate(philox((block + i, draw, 0, 0), np.uint64(key) & LOW, np.uint64(key) >> HALF)):
            words[i + k * count] = value


def discs_at_once(discs, key, block):
    """Fill discs as `fill_discs` does."""
    words = np.empty(DISCS, np.uint32)
    words_at_once(words, key, 0, block)
    points = (np.stack([words & np.uint32(0xFFFF), words >> np.uint32(16)], axis=1) + 0.5) * 2.0**-15 - 1
    inside = points[(points * points).sum(axis=1) <= 1]
    discs[: len(inside)] = inside
    return len(inside)


@partial(kernel, plain=discs_at_once)
def fill_discs(discs, key, block):
    """Points uniform in the unit disc, one word for both coordinates; returns how many there are."""
    words = np.empty(DISCS, np.uint32)
    fill_words(words, key, 0, block)
    count = 0
    for both in words:
        x = (np.float64(both & np.uint32(0xFFFF)) + 0.5) * 2.0**-15 - 1
        y = (np.float64(both >> np.uint32(16)) + 0.5) * 2.0**-15 - 1
        discs[count, 0], discs[count, 1] = x, y
        count += 1 if x * x + y * y <= 1 else 0  # no branch: it could not be foretold
    return count


@inlined
def next_disc(key, discs, cursor):
    """The row of the next disc point. `cursor` holds the row, the number of rows and the next block of the stream."""
    if cursor[0] == cursor[1]:
        cursor[0], cursor[1], cursor[2] = 0, fill_discs(discs, key, cursor[2]), cursor[2] + DISCS // 4
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
        points[0, quadrant] = -x if quadrant == 1 or quadrant == 2 else x
        points[1, quadrant] = -y if quadrant >= 2 else y


@kernel
def refine(key, discs, cursor, hole, gap, length, coarse, fine):
    """Midpoint displacement of a closed line until no edge is longer than the gap on an axis.

    A middle moves within a disc of a fifth of the edge's length: as complex numbers, a disc point times the edge. One
    outside the outer circle is drawn again. Returns the number of vertices, 0 when one falls in the hole. All in one
    function, because a call for each vertex doubles the time.
    """
    stack = np.empty((64, 2))  # ends of edges whose beginnings are not yet refined
    at, filled, count = cursor[0], cursor[1], 0
    x, y = coarse[0, 0], coarse[1, 0]
    for i in range(length):
        following = i + 1 if i + 1 < length else 0
        to_x, to_y, depth = coarse[0, following], coarse[1, following], 0
        while depth >= 0:
            dx, dy = to_x - x, to_y - y
            if (abs(dx) <= gap) & (abs(dy) <= gap):
                fine[0, count], fine[1, count] = x, y
                count += 1
                x, y, depth = to_x, to_y, depth - 1
                to_x, to_y = stack[depth, 0], stack[depth, 1]
                continue
            if at == filled:
                at, filled, cursor[2] = 0, fill_discs(discs, key, cursor[2]), cursor[2] + DISCS // 4
            u, v = discs[at, 0] * 0.2 + 0.5, discs[at, 1] * 0.2
            at += 1
            mx, my = x + u * dx - v * dy, y + u * dy + v * dx
            square = mx * mx + my * my
            if square < hole * hole or count + depth + 2 > VERTICES:
                cursor[0], cursor[1] = at, filled
                return 0
            if square < RADIUS * RADIUS:
                stack[depth, 0], stack[depth, 1], depth = to_x, to_y, depth + 1
                to_x, to_y = mx, my
    cursor[0], cursor[1] = at, filled
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


def fit_at_once(raw, length, c, s, points):
    """Fit as `fit` does."""
    x, y = raw[:, :length]
    turned = np.stack([x * c - y * s, x * s + y * c])
    low, high = turned.min(axis=1, keepdims=True), turned.max(axis=1, keepdims=True)
    points[:, :length] = (turned - low) / (high - low) - 0.5


@partial(kernel, plain=fit_at_once)
def fit(raw, length, c, s, points):
    """Turn, then move and scale each axis so that the box is exactly 1 x 1 around the origin."""
    left, right, top, bottom = inf, -inf, inf, -inf
    for i in range(length):
        x, y = raw[0, i] * c - raw[1, i] * s, raw[0, i] * s + raw[1, i] * c
        points[0, i], points[1, i] = x, y
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
    for i in range(length):
        points[0, i] = (points[0, i] - left) / (right - left) - 0.5
    for i in range(length):
        points[1, i] = (points[1, i] - top) / (bottom - top) - 0.5


@kernel
def resample(points, length, out):
    """`RESAMPLED` points at equal distances along a closed line, from column 1 on; the line is closed at both ends.

    Whatever a loop can do for many edges at once is in a loop of its own, for the compiler to make vector code of.
    """
    edges, passed, ends = np.empty(VERTICES), np.empty(VERTICES), np.empty(VERTICES, np.int32)
    passed[0] = 0.0
    points[0, length], points[1, length] = points[0, 0], points[1, 0]  # `refine` leaves room for it
    for i in range(length):
        edges[i] = sqrt((points[0, i + 1] - points[0, i]) ** 2 + (points[1, i + 1] - points[1, i]) ** 2)
    for i in range(length):
        passed[i + 1] = passed[i] + edges[i]
    step, count = passed[length] / RESAMPLED, 0
    for i in range(length):
        ends[i] = np.int32(passed[i + 1] / step) + 1
    ends[length - 1] = RESAMPLED
    for i in range(length):
        x, y, before = points[0, i], points[1, i], passed[i]
        dx, dy = points[0, i + 1] - x, points[1, i + 1] - y
        share = 1 / edges[i] if edges[i] > 0 else 0.0
        for k in range(count, min(ends[i], RESAMPLED)):
            along = (k * step - before) * share
            out[0, k + 1], out[1, k + 1] = x + along * dx, y + along * dy
        count = max(count, ends[i])
    for axis in range(2):
        out[axis, 0], out[axis, RESAMPLED + 1] = out[axis, RESAMPLED], out[axis, 1]


@kernel
def roughen(key, fuzz, points, out):
    """Each point at the mean of its neighbors, and up to `fuzz` from there along the normal, on either side."""
    words = np.empty(RESAMPLED // 2, np.uint32)
    fill_words(words, key, 1, 0)
    shares = words.view(np.int16)
    for i in range(RESAMPLED):  # between points i and i + 2, as the first is there before it too
        x, y, after_x, after_y = points[0, i], points[1, i], points[0, i + 2], points[1, i + 2]
        dx, dy = after_x - x, after_y - y
        offset = fuzz * (shares[i] + 0.5) * 2.0**-15 / sqrt(dx * dx + dy * dy + 1e-300)
        out[0, i] = (x + after_x) / 2 - offset * dy
        out[1, i] = (y + after_y) / 2 + offset * dx


@kernel
def draw_contour(key, hole, gap, fuzz, points, spare):
    """The contour of a key, in its unit box; returns its number of vertices."""
    cursor, discs = np.zeros(3, np.int64), np.empty((DISCS, 2))
    length = draw_raw(key, discs, cursor, hole, gap, spare[0], spare[1])
    row = next_disc(key, discs, cursor)
    long = sqrt(discs[row, 0] ** 2 + discs[row, 1] ** 2)
    fit(spare[1], length, discs[row, 0] / long, discs[row, 1] / long, points)
    if fuzz > 0:
        resample(points, length, spare[0])
        roughen(key, fuzz, spare[0], spare[1])
        length = RESAMPLED
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
    near, far = (ax, ay) if ax < ay else (ay, ax)
    t = near / (far + 1e-300)
    square = t * t  # arctangent in turns (Abramowitz and Stegun 4.4.49)
    turns = t * (0.9998660 + square * (-0.3302995 + square * (0.1801410 + square * (-0.0851330 + square * 0.0208351))))
    turns *= 0.15915494309189535
    turns = 0.25 - turns if ay > ax else turns
    turns = 0.5 - turns if x < 0 else turns
    turns = 1 - turns if y < 0 else turns
    return np.int32(turns * BINS) & np.int32(BINS - 1)


@kernel
def fill_profile(points, length, profile):
    """How far a contour reaches from its center in each of `BINS` directions, in units of 1 / FINE."""
    reach, squares, bins = np.zeros(BINS), np.empty(VERTICES), np.empty(VERTICES, np.int32)
    for i in range(length):
        squares[i] = points[0, i] ** 2 + points[1, i] ** 2
        bins[i] = angular_bin(points[0, i], points[1, i])
    last, before = bins[length - 1], squares[length - 1]
    for i in range(length):
        # the short way round, over every bin that the edge meets
        span, most = (bins[i] - last + BINS // 2) % BINS - BINS // 2, max(squares[i], before)
        for k in range(abs(span) + 1):
            at = (last + (k if span >= 0 else -k)) % BINS
            reach[at] = max(reach[at], most)
        last, before = bins[i], squares[i]
    for k in range(BINS):
        profile[k] = floor(sqrt(reach[k]) * FINE)


@kernel
def profiled(contours, key):
    """The slot of a contour whose profile is there."""
    slot = located(contours, key)
    if contours.profiles[slot, 0] < 0:
        fill_profile(contours.points[slot], contours.lengths[slot], contours.profiles[slot])
    return slot


def least_difference_at_once(one, other, low, high):
    """Compare profiles as `least_difference` does."""
    places = np.arange(low, high)[:, None] + np.arange(BINS)
    return int(np.abs(one - other[places % BINS]).sum(axis=1).min()) / (BINS * FINE)


@partial(kernel, plain=least_difference_at_once)
def least_difference(one, other, low, high):
    """The least sum of differences between a profile and another shifted by low .. high-1 bins."""
    mine, twice = np.empty(BINS, np.int32), np.empty(2 * BINS, np.int32)
    copy(one, mine)  # which may be turned round, and would be no vector then
    copy(other, twice)
    copy(other, twice[BINS:])
    least = np.int32(BINS * FINE)
    for by in range(low, high):
        shifted, total = twice[by : by + BINS], np.int32(0)
        for k in range(BINS):  # all in 32 bits: numba makes 64 of a sum, and vectors half as long
            total = np.int32(total + abs(np.int32(mine[k] - shifted[k])))
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
    """The key of a contour unlike all known ones, and where `lopsided` is above 0 unlike itself; 0 for none."""
    for _ in range(tries):
        key = np.int64((word(state) << np.uint64(20)) | (word(state) >> np.uint64(12)))  # 52 bits, exact in a float64
        found = key > 0
        for other in known:
            found = found and likeness(contours, key, other) >= unlike
        if found and lopsided > 0:
            found = min(own_likeness(contours, key)) >= lopsided
        if found:
            return key
    return 0


# ---------------------------------------------------------------------------- posing


def flip_and_turn_at_once(contour, length, mirror, c, s, points):
    """Flip, turn and scale as `flip_and_turn` does."""
    x, y = mirror * contour[0, :length], contour[1, :length]
    points[0, :length], points[1, :length] = x * c - y * s, x * s + y * c


@partial(kernel, plain=flip_and_turn_at_once)
def flip_and_turn(contour, length, mirror, c, s, points):
    """A contour times -1 across where it is mirrored, and times (c, s) as a complex number."""
    for k in range(length):
        x, y = mirror * contour[0, k], contour[1, k]
        points[0, k], points[1, k] = x * c - y * s, x * s + y * c


@kernel
def pose(contour, length, size, angle, flip, points):
    """An object's outline around its own center: its contour flipped, turned and scaled."""
    c, s = turn(angle)
    flip_and_turn(contour, length, 1.0 - 2.0 * flip, c * size, s * size, points)


@kernel
def outlines(contours, objects, out):
    """Pose objects, (n, 9) in the columns of `scene.Object`, and measure their true boxes and longest edges."""
    for i in range(len(objects)):
        outline(contours, objects, out, i)


@kernel
def outline(contours, objects, out, i):
    """Pose one object, and measure it."""
    slot = located(contours, np.int64(objects[i, SHAPE]))
    length = contours.lengths[slot]
    pose(contours.points[slot], length, objects[i, SIZE], objects[i, ANGLE], objects[i, FLIP], out.points[i])
    measure(out.points[i], length, out, i)


def measure_at_once(points, length, out, i):
    """Measure as `measure` does."""
    posed = points[:, :length]
    out.lengths[i] = length
    out.boxes[i, :2], out.boxes[i, 2:] = posed.min(axis=1), posed.max(axis=1)
    across, down = posed - np.roll(posed, 1, axis=1)
    out.edges[i] = sqrt((across**2 + down**2).max())


@partial(kernel, plain=measure_at_once)
def measure(points, length, out, i):
    """Note the number of vertices, the box and the longest edge of an outline."""
    left, right, top, bottom, longest = inf, -inf, inf, -inf, 0.0
    last_x, last_y = points[0, length - 1], points[1, length - 1]
    for k in range(length):
        x, y = points[0, k], points[1, k]
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        longest = max(longest, (x - last_x) ** 2 + (y - last_y) ** 2)
        last_x, last_y = x, y
    out.lengths[i] = length
    out.boxes[i, 0], out.boxes[i, 1], out.boxes[i, 2], out.boxes[i, 3] = left, top, right, bottom
    out.edges[i] = sqrt(longest)


# ---------------------------------------------------------------------------- for Python


def contour(key: int, family: str) -> npt.NDArray[np.float64]:
    """The vertices of a contour, (n, 2), in a box from -0.5 to 0.5 on both axes; the last is joined to the first.

    >>> vertices = contour(5, "plain")
    >>> vertices.min(axis=0).tolist(), vertices.max(axis=0).tolist()
    ([-0.5, -0.5], [0.5, 0.5])
    """
    if not 0 <= key < KEYS:
        raise SpecError(f"contours have keys from 0 to 2**52 - 1, got {key}")
    kept = cache_of(family)
    slot = located(kept, key)
    vertices: npt.NDArray[np.float64] = kept.points[slot, :, : kept.lengths[slot]].T.copy()
    return vertices


def cache_of(family: str) -> Contours:
    """The contours of a family that this thread drew last; every kernel that needs contours takes them from here."""
    if family not in FAMILIES:
        raise unknown("contour family", family, FAMILIES)
    return _cache(family, get_ident())


@lru_cache(maxsize=16)
def _cache(family: str, thread: int) -> Contours:
    # one for each thread, because kernels of several threads run at the same time
    hole, gap, fuzz = FAMILIES[family]
    return Contours(
        hole=hole,
        gap=gap,
        fuzz=fuzz,
        keys=np.full(SLOTS, -1),
        lengths=np.zeros(SLOTS, np.int64),
        points=np.empty((SLOTS, 2, VERTICES)),
        profiles=np.empty((SLOTS, BINS), np.int32),
        spare=np.empty((2, 2, VERTICES)),
    )


def room(count: int) -> Outlines:
    """Room for the outlines of so many objects, for `outlines` to fill; this thread's until it asks again."""
    return _room(count, get_ident())


@lru_cache(maxsize=64)
def _room(count: int, thread: int) -> Outlines:
    return Outlines(
        points=np.empty((count, 2, VERTICES)),
        lengths=np.zeros(count, np.int64),
        boxes=np.empty((count, 4)),
        edges=np.empty(count),
    )
