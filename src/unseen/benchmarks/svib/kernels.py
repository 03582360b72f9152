"""Hot code: one call draws an episode, one call paints an image of sprites and its masks.

A scene is an int32 array (objects, FIELDS): the index of each factor's value, in the world's order, then the place in
GRAINs of the world's unit. Rules come as rows of numbers, so that nothing here knows one.
"""

from __future__ import annotations

import math

import numpy as np

from unseen.core.kernel import kernel
from unseen.core.key import xxh64
from unseen.core.random import STATE, below, start, uniform

FACTORS = 4  # at most; unused ones are 0
FIELDS = FACTORS + 2
X, Y = FACTORS, FACTORS + 1
GRAIN = 1 << 16  # parts of a unit that places are counted in
VISIBLE = 100  # pixels of 128 x 128 that must be seen of every object, in both images

LIMITS = 9  # what of a spec the kernels need
WORLD, OBJECTS, SIZE_FACTOR, COLOR_FACTOR, SHAPE_FACTOR, CENTER, STEP, JITTERS, GROUNDS = range(LIMITS)
RANGES = 4
LOW, HIGH, MARGIN, APART = range(RANGES)

WRITES, CONSTANT, COUNT, PARENTS = range(4)  # of an effect; then two numbers for each parent
POSITION, QUADRANT = FACTORS, FACTORS + 1  # where a factor is meant
SELF, OTHER = range(2)

DRAWS = 4_000  # of whole episodes until one can be placed, is seen, and is in its part
PLACES = 100  # tries for the places of given objects

# ---------------------------------------------------------------------------- episodes


@kernel
def draw_episode(limits, ranges, pool, barred, effects, counts, sizes, flat, key, index, first, low, high, episode):
    """Draw from `first` on until an episode fits and its key is in the part low .. high-1: (content key, draw).

    `episode` is (source, target, frame): frame has the jitter of camera and lights, and the ground last.
    """
    source, target, frame = episode
    state = np.empty(STATE, np.uint32)
    for draw in range(first, first + DRAWS):
        start(state, key, index, draw)
        for i in range(limits[OBJECTS]):
            source[i, :FACTORS] = pool[below(state, len(pool))]
        if not _place(state, limits, ranges, barred, effects, counts, sizes, flat, source, target):
            continue
        for k in range(limits[JITTERS]):
            frame[k] = below(state, 2 * GRAIN + 1) - GRAIN
        frame[-1] = below(state, limits[GROUNDS]) if limits[GROUNDS] else 0
        content = content_key(limits[WORLD], source, target, frame)
        if low <= np.int64(content >> np.uint64(61)) < high:
            return content, draw
    return np.uint64(0), -1


@kernel
def content_key(world, source, target, frame):
    """The key of what decides both images."""
    seed = xxh64(frame.view(np.uint8), 4 * len(frame), np.uint64(world))
    seed = xxh64(source.reshape(-1).view(np.uint8), 4 * source.size, seed)
    return xxh64(target.reshape(-1).view(np.uint8), 4 * target.size, seed)


@kernel
def _place(state, limits, ranges, barred, effects, counts, sizes, flat, source, target):
    """Place objects so that they are apart, and where sprites are painted seen, before and after the rule."""
    for _ in range(PLACES):
        for i in range(len(source)):
            margin = ranges[MARGIN] * sizes[source[i, limits[SIZE_FACTOR]]]
            for axis in (X, Y):
                span = ranges[HIGH] - ranges[LOW] - 2.0 * margin
                source[i, axis] = np.int32(np.rint((ranges[LOW] + margin + uniform(state) * span) * GRAIN))
        apply_rule(limits, effects, counts, source, target)
        if (
            _apart(limits, ranges, sizes, source)
            and _apart(limits, ranges, sizes, target)
            and not _any_barred(barred, counts, target)
            and (len(flat) == 0 or (_seen(limits, sizes, flat, source) and _seen(limits, sizes, flat, target)))
        ):
            return True
    return False


@kernel
def apply_rule(limits, effects, counts, source, target):
    """Write every object's new factors and place; all effects read the source."""
    target[:] = source
    for i in range(len(source)):
        for e in range(len(effects)):
            total = np.int64(effects[e, CONSTANT])
            for p in range(effects[e, COUNT]):
                of, factor = effects[e, PARENTS + 2 * p], effects[e, PARENTS + 2 * p + 1]
                one = source[(i + 1) % len(source)] if of == OTHER else source[i]
                total += quadrant(one, limits[CENTER]) if factor == QUADRANT else one[factor]
            written = effects[e, WRITES]
            if written != POSITION:
                target[i, written] = total % counts[written]
            elif total % 4 < 2:  # down, up, left, right
                target[i, Y] += limits[STEP] if total % 4 == 1 else -limits[STEP]
            else:
                target[i, X] += limits[STEP] if total % 4 == 3 else -limits[STEP]


@kernel
def quadrant(one, center):
    """1 to 4, counted as in mathematics."""
    if one[Y] >= center:
        return 1 if one[X] >= center else 2
    return 4 if one[X] >= center else 3


@kernel
def _apart(limits, ranges, sizes, scene):
    for i in range(len(scene)):
        for j in range(i):
            x, y = np.float64(scene[i, X] - scene[j, X]), np.float64(scene[i, Y] - scene[j, Y])
            both = sizes[scene[i, limits[SIZE_FACTOR]]] + sizes[scene[j, limits[SIZE_FACTOR]]]
            least = ranges[APART] * both * GRAIN
            if x * x + y * y < least * least:
                return False
    return True


@kernel
def _any_barred(barred, counts, scene):
    """Whether an object has a combination that it must not have; `barred` is indexed by all combinations in order."""
    if len(barred) == 0:
        return False
    for i in range(len(scene)):
        rank = 0
        for k in range(FACTORS):
            rank = rank * counts[k] + scene[i, k]
        if barred[rank]:
            return True
    return False


@kernel
def _seen(limits, sizes, flat, scene):
    """Whether enough pixels are seen of every sprite."""
    ids = np.zeros((128, 128), np.uint8)
    paint_ids(limits, sizes, flat, scene, ids)
    pixels = ids.reshape(-1)
    for i in range(len(scene)):
        counted = 0
        for k in range(len(pixels)):
            counted += pixels[k] == i + 1
        if counted < VISIBLE:
            return False
    return True


# ---------------------------------------------------------------------------- sprites

FINE = 10  # rows and columns of the canvas to a pixel
BITS = 22  # of the fraction of Pillow's weights
HALF = 1 << (BITS - 1)
RUN = 5  # of equal rows: the first, the one behind the last, the pixels and channels that are not black
FIRST, BEHIND, BEGIN, END, INK = range(RUN)
FAR = np.int32(1 << 30)


@kernel
def back_to_front(limits, scene):
    """The order in which sprites are painted: by color, then from left to right."""
    order = np.empty(len(scene), np.int64)
    for i in range(len(scene)):
        at = i
        while at > 0 and _behind(limits, scene[i], scene[order[at - 1]]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    return order


@kernel
def _behind(limits, one, other):
    color = limits[COLOR_FACTOR]
    return one[color] < other[color] or (one[color] == other[color] and one[X] < other[X])


@kernel
def trace(limits, sizes, flat, one, side, first, step, left, right):
    """The first and last column of a sprite on every `step`-th row of a canvas from `first` on, as Pillow fills it.

    Corners are cut to whole columns and rows; a row ends at the columns nearest to where the outline crosses it.
    """
    corners = flat[one[limits[SHAPE_FACTOR]]]
    size = sizes[one[limits[SIZE_FACTOR]]]
    left[:], right[:] = FAR, -FAR
    count = int(corners[0, 0])  # then as many corners
    x, y = _corner(corners[count], one, size, side)
    for k in range(1, count + 1):
        ahead, up = _corner(corners[k], one, size, side)
        low, high = min(y, up), max(y, up)
        row = max(first, low + (first - low) % step)
        if low == high:
            if low == row and row < side:
                at = (row - first) // step
                left[at], right[at] = min(left[at], x, ahead), max(right[at], x, ahead)
        else:
            slope = (ahead - x) / (up - y)
            while row <= min(high, side - 1):
                at = (row - first) // step
                crossing = x + (row - y) * slope
                left[at] = min(left[at], math.floor(crossing + 0.5))
                right[at] = max(right[at], math.ceil(crossing - 0.5))
                row += step
        x, y = ahead, up


@kernel
def _corner(corner, one, size, side):
    x = (np.float64(one[X]) / GRAIN + size * corner[0]) * side
    y = (np.float64(one[Y]) / GRAIN + size * corner[1]) * side
    return int(x), int(y)  # towards zero, as Pillow does


@kernel
def paint_ids(limits, sizes, flat, scene, ids):
    """Give every pixel of `ids` the number, from 1, of the sprite in front at its middle."""
    side = len(ids)
    left, right = np.empty(side, np.int32), np.empty(side, np.int32)
    order = back_to_front(limits, scene)
    for i in order:
        trace(limits, sizes, flat, scene[i], side * FINE, FINE // 2, FINE, left, right)
        for row in range(side):
            begin = max(0, -((FINE // 2 - left[row]) // FINE))  # the first middle of a pixel from `left` on
            end = min(side, (right[row] - FINE // 2) // FINE + 1)
            if begin < end:
                ids[side - 1 - row, begin:end] = i + 1  # rows of the world go up


@kernel
def paint_sprites(limits, sizes, flat, colors, weights, scene, image):
    """Paint an image (s, s, 3): sprites filled on a canvas ten times as large, which Lanczos' filter then reduces.

    The filter goes along rows first and rounds, as Pillow's does. A row of the canvas is of a few pieces, so that sums
    of weights up to a border (`weights`, see `render.py`) do for it, and rows that are alike are reduced once.
    """
    starts, lengths, sums, near, far = weights
    count, rows = len(scene), len(image) * FINE
    order = back_to_front(limits, scene)
    left, right = np.empty((count, rows), np.int32), np.empty((count, rows), np.int32)
    top, behind = rows, 0
    for i in range(count):
        trace(limits, sizes, flat, scene[order[i]], rows, 0, 1, left[i], right[i])
        for row in range(rows):
            if left[i, row] <= right[i, row]:
                top, behind = min(top, row), max(behind, row + 1)
    several = 1
    for row in range(top + 1, behind):
        several += not _same_row(left, right, row)
    runs = np.empty((several, RUN), np.int32)
    reduced = np.empty((len(runs), 3, len(image)), np.uint8)
    borders, pieces = np.empty(2 * count + 1, np.int64), np.zeros((2 * count + 1, 3), np.int64)
    found, row = 0, top
    while row < behind:
        first, row = row, row + 1
        while row < behind and _same_row(left, right, row):
            row += 1
        cuts = _pieces(limits, colors, scene, order, left, right, first, rows, borders, pieces)
        if cuts:
            runs[found, FIRST], runs[found, BEHIND] = first, row
            runs[found, BEGIN], runs[found, END] = near[borders[0]], far[borders[cuts - 1]] + 1
            runs[found, INK] = _reduce_row(starts, lengths, sums, near, far, borders, pieces, cuts, reduced[found])
            found += 1
    _reduce_columns(starts, lengths, sums, runs[:found], reduced, image)


@kernel
def _same_row(left, right, row):
    for i in range(len(left)):
        if left[i, row] != left[i, row - 1] or right[i, row] != right[i, row - 1]:
            return False
    return True


@kernel
def _pieces(limits, colors, scene, order, left, right, row, columns, borders, pieces):
    """Sort the borders of a row's pieces, and find the color of each piece; pieces[k] lies before borders[k]."""
    found = 0
    for i in range(len(order)):
        if left[i, row] > right[i, row] or right[i, row] < 0 or left[i, row] >= columns:
            continue
        for border in (max(left[i, row], 0), min(right[i, row] + 1, columns)):
            at = found
            while at > 0 and borders[at - 1] > border:
                borders[at] = borders[at - 1]
                at -= 1
            borders[at] = border
            found += 1
    for k in range(found + 1):
        pieces[k] = 0
        if 0 < k < found:
            for i in range(len(order)):  # the last that covers the piece is in front
                if left[i, row] <= borders[k - 1] and borders[k] - 1 <= right[i, row]:
                    pieces[k] = colors[scene[order[i], limits[COLOR_FACTOR]]]
    return found


@kernel
def _reduce_row(starts, lengths, sums, near, far, borders, pieces, cuts, reduced):
    """Reduce a row of the canvas, and say which channels are not black, as bits."""
    k = done = 0
    while k < cuts:
        last = k  # of the borders that share pixels
        while last + 1 < cuts and near[borders[last + 1]] <= far[borders[last]]:
            last += 1
        first, behind = near[borders[k]], far[borders[last]] + 1
        for channel in range(3):
            reduced[channel, done:first] = pieces[k, channel]
        if k == last:
            _reduce_border(starts, lengths, sums, borders[k], pieces[k], pieces[k + 1], reduced[:, first:behind], first)
        else:
            for pixel in range(first, behind):
                _reduce_borders(starts, lengths, sums, borders[k : last + 1], pieces[k:], reduced, pixel)
        done, k = behind, last + 1
    inked = 0
    for k in range(1, cuts):
        for channel in range(3):
            inked |= (pieces[k, channel] > 0) << channel
    return inked


@kernel
def _reduce_border(starts, lengths, sums, border, before, behind, line, first):
    """Reduce the pixels from `first` on that have columns on both sides of a border: what nearly all are."""
    for x in range(line.shape[1]):
        upto = sums[first + x, border - starts[first + x]]
        rest = sums[first + x, lengths[first + x]] - upto
        line[0, x] = _clipped(HALF + upto * before[0] + rest * behind[0])
        line[1, x] = _clipped(HALF + upto * before[1] + rest * behind[1])
        line[2, x] = _clipped(HALF + upto * before[2] + rest * behind[2])


@kernel
def _reduce_borders(starts, lengths, sums, borders, pieces, reduced, pixel):
    """Reduce a pixel that may have columns of several pieces; pieces[k] lies before borders[k]."""
    for channel in range(3):
        total, before = HALF, 0
        for k in range(len(borders)):
            upto = sums[pixel, min(max(borders[k] - starts[pixel], 0), lengths[pixel])]
            total += (upto - before) * pieces[k, channel]
            before = upto
        rest = sums[pixel, lengths[pixel]] - before
        reduced[channel, pixel] = _clipped(total + rest * pieces[len(borders), channel])


@kernel
def _clipped(total):
    return np.uint8(min(max(total >> BITS, 0), 255))


@kernel
def _reduce_columns(starts, lengths, sums, runs, reduced, image):
    """Reduce the columns; rows that are alike count by the sum of their weights."""
    side = len(starts)
    total = np.empty((3, side), np.int32)
    image[:] = 0
    begun = 0
    for pixel in range(side):
        first, behind = starts[pixel], starts[pixel] + lengths[pixel]
        while begun < len(runs) and runs[begun, BEHIND] <= first:
            begun += 1
        run, begin, end = begun, side, 0
        total[:] = HALF
        while run < len(runs) and runs[run, FIRST] < behind:
            low, high = max(runs[run, FIRST], first) - first, min(runs[run, BEHIND], behind) - first
            weight = np.int32(sums[pixel, high] - sums[pixel, low])
            a, b = runs[run, BEGIN], runs[run, END]
            begin, end = min(begin, a), max(end, b)
            for channel in range(3):
                if runs[run, INK] >> channel & 1:
                    _add(total[channel, a:b], weight, reduced[run, channel, a:b])
            run += 1
        for x in range(begin, end):
            for channel in range(3):
                image[side - 1 - pixel, x, channel] = _clipped(total[channel, x])


@kernel
def _add(total, weight, line):
    for x in range(len(total)):
        total[x] += weight * np.int32(line[x])
