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
BLACK, FULL = np.int32(0), np.int32(255)  # as wide as sums of weights are, so that eight fit into a machine's vector
NEARBY = 8  # pixels from a border on that are reduced at once: six may have columns on both sides, vectors hold eight
AT_ONCE = 4  # rows that are added at once, as `_add` has them
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
    of weights up to a border (`weights`, see `render.py`) do for it, and rows that are alike, a run, are reduced once.
    Every channel is reduced by itself, as most sprites are black in some; one that equals another is copied.
    """
    count, side = len(scene), len(image)
    order = back_to_front(limits, scene)
    left, right = np.empty((count, side * FINE), np.int32), np.empty((count, side * FINE), np.int32)
    levels = np.zeros((3, 1 + count), np.int32)  # of black, and of every sprite
    for i in range(count):
        trace(limits, sizes, flat, scene[order[i]], side * FINE, 0, 1, left[i], right[i])
        levels[:, 1 + i] = colors[scene[order[i], limits[COLOR_FACTOR]]]
    firsts = _runs(left, right)
    cuts, borders, fronts = _pieces(left, right, firsts)
    lines, spans = np.empty((len(firsts) + AT_ONCE, side + NEARBY), np.uint8), np.zeros((len(firsts), 2), np.int32)
    image[:] = 0
    for channel in range(3):
        like = _first_like(levels, channel)
        if like < channel:
            image[:, :, channel] = image[:, :, like]
        elif levels[channel].any():
            _reduce_rows(weights, levels[channel], cuts, borders, fronts, lines, spans)
            _reduce_columns(weights, firsts, lines, spans, image[:, :, channel])


@kernel
def _first_like(levels, channel):
    for other in range(channel):
        if (levels[other] == levels[channel]).all():
            return other
    return channel


@kernel
def _runs(left, right):
    """The first row of every run of rows that are alike, and the one behind the last run."""
    count, rows = left.shape
    firsts, found = np.empty(rows + 1, np.int32), 1
    firsts[0] = 0
    for row in range(1, rows):
        for i in range(count):
            if left[i, row] != left[i, row - 1] or right[i, row] != right[i, row - 1]:
                firsts[found] = row
                found += 1
                break
    firsts[found] = rows
    return firsts[: found + 1]


@kernel
def _pieces(left, right, firsts):
    """How many borders each run has, where they are in order, and which sprite, from 1, is in front behind each."""
    count, columns = left.shape
    runs = len(firsts) - 1
    cuts = np.zeros(runs, np.int64)
    borders, fronts = np.empty((runs, 2 * count), np.int64), np.zeros((runs, 2 * count), np.int64)
    for run in range(runs):
        row, found = firsts[run], 0
        for i in range(count):
            if left[i, row] > right[i, row] or right[i, row] < 0 or left[i, row] >= columns:
                continue
            for border in (max(left[i, row], 0), min(right[i, row] + 1, columns)):
                at = found
                while at > 0 and borders[run, at - 1] > border:
                    borders[run, at] = borders[run, at - 1]
                    at -= 1
                borders[run, at] = border
                found += 1
        for k in range(found - 1):
            for i in range(count):  # the last that covers the piece is in front
                if left[i, row] <= borders[run, k] and borders[run, k + 1] - 1 <= right[i, row]:
                    fronts[run, k] = 1 + i
        cuts[run] = found
    return cuts, borders, fronts


@kernel
def _reduce_rows(weights, levels, cuts, borders, fronts, lines, spans):
    """Reduce a channel of one row of every run, from left to right; `spans` are where it is not black.

    Around a border NEARBY pixels are written, and those that are too many are written again by what follows. Rows are
    not taken out of their arrays: a view would cost as much as the sums of its row.
    """
    starts, _, _, near, far, shares = weights
    lines[:] = 0
    for run in range(len(cuts)):
        done, level, k = 0, BLACK, 0
        spans[run, 0], spans[run, 1] = len(starts), 0
        while k < cuts[run]:
            last = k  # of the borders that share pixels with this one
            while last + 1 < cuts[run] and near[borders[run, last + 1]] <= far[borders[run, last]]:
                last += 1
            border, behind = borders[run, k], levels[fronts[run, last]]
            first = near[border]
            if level:
                for x in range(done, first):
                    lines[run, x] = level
            if k == last:
                for x in range(NEARBY):
                    total = HALF + shares[border, 0, x] * level + shares[border, 1, x] * behind
                    lines[run, first + x] = _clipped(np.int32(total))
            else:
                _reduce_borders(weights, levels, level, run, k, last, borders, fronts, lines)
            done = far[borders[run, last]] + 1
            if level or behind or k < last:
                spans[run, 0], spans[run, 1] = min(spans[run, 0], first), done
            level, k = behind, last + 1


@kernel
def _reduce_borders(weights, levels, before, run, k, last, borders, fronts, lines):
    """Reduce the pixels around the borders k to `last`, which share some."""
    starts, lengths, sums, near, far, _ = weights
    first, behind = near[borders[run, k]], far[borders[run, last]] + 1
    for pixel in range(first, min(max(behind, first + NEARBY), len(starts))):  # as far as an earlier border has written
        total, passed, level = HALF, 0, before
        for border in range(k, last + 1):
            upto = sums[pixel, min(max(borders[run, border] - starts[pixel], 0), lengths[pixel])]
            total += (upto - passed) * level
            passed, level = upto, levels[fronts[run, border]]
        lines[run, pixel] = _clipped(total + (sums[pixel, lengths[pixel]] - passed) * level)


@kernel
def _clipped(total):
    return np.uint8(min(max(np.int32(total >> BITS), BLACK), FULL))


@kernel
def _reduce_columns(weights, firsts, lines, spans, plane):
    """Reduce the columns of a channel; a run counts by the sum of the weights of its rows."""
    starts, lengths, sums, _, _, _ = weights
    side = len(starts)
    total, portions = np.empty(side, np.int32), np.empty(sums.shape[1] + AT_ONCE, np.int32)
    begun = 0
    for pixel in range(side):
        first, behind = starts[pixel], starts[pixel] + lengths[pixel]
        while firsts[begun + 1] <= first:
            begun += 1
        run, begin, end, passed = begun, side, 0, 0
        while run < len(firsts) - 1 and firsts[run] < behind:
            begin, end = min(begin, spans[run, 0]), max(end, spans[run, 1])
            upto = sums[pixel, min(firsts[run + 1], behind) - first]
            portions[run - begun] = upto - passed
            passed, run = upto, run + 1
        if begin >= end:
            continue
        portions[run - begun : run - begun + AT_ONCE] = 0
        total[begin:end] = HALF
        for some in range(begun, run, AT_ONCE):
            _add(total[begin:end], portions[some - begun :], lines[some : some + AT_ONCE, begin:end])
        for x in range(begin, end):
            plane[side - 1 - pixel, x] = _clipped(total[x])


@kernel
def _add(total, portions, lines):
    a, b, c, d = portions[0], portions[1], portions[2], portions[3]
    for x in range(len(total)):
        total[x] += a * lines[0, x] + b * lines[1, x] + c * lines[2, x] + d * lines[3, x]
