"""The compiled twin of `sample.py` and `rules.py`: transforming, placing and keying whole scenes.

Everything about one object is held per frame (before and after each transformation of the sequence):

    frames  uint8  (frames, SIDE, SIDE)   its cells, in the top-left corner
    bits    uint64 (frames, SIDE)         its rows as bit masks, column c at bit c: grids are at most 64 wide
    box     int64  (frames, 4)            height, width, and how far its top-left cell is from where it started

Placing works on bit masks: one shift and one `or` per object cell test a whole row of places at once.
"""

from __future__ import annotations

import numpy as np

from unseen.benchmarks.cogitao.objects import MAX_SIDE
from unseen.benchmarks.cogitao.spec import MAX_DEPTH
from unseen.core.kernel import kernel
from unseen.core.key import xxh64
from unseen.core.random import STATE, below, permuted, start

SIDE = MAX_SIDE  # widest grid and largest object: a row is one machine word
ROUNDS = 20  # grid sizes and numbers of objects tried for one draw
ATTEMPTS = 2_000  # scenes tried in a round
MISSES = 32  # objects of a scene that may find no place before it starts again
CANDIDATES = 50_000  # objects tried in a round
DRAWS = 10_000  # draws until one belongs to the part
ONE = np.uint64(1)
ZERO = np.uint64(0)

# Numbers of the transformations, in the order of rules.py
TRANSLATE, ROT90, FILL, MIRROR, CROP_SIDE, EMPTY, EXTEND = 0, 4, 5, 7, 9, 13, 14
CHANGE_COLOR, PAD, PAD_SHAPE, DOUBLE, QUADRUPLE, CROP_CONTOURS = 16, 17, 21, 22, 26, 27
BUILT_IN = 28

# Words of `limits`
GRID_LOW, GRID_HIGH, OBJECTS_LOW, OBJECTS_HIGH, DEPTH_LOW, DEPTH_HIGH, PART_LOW, PART_HIGH, BLIND = range(9)

# Words of a drawn scene
HEIGHT, WIDTH, COUNT, DEPTH, OPS = range(5)
OBJECTS = OPS + MAX_DEPTH  # then (id, row, column) of each object
NO_PLACE, NO_OBJECT, NO_KEY = -1, -2, -3  # instead of a draw: why there is none


@kernel
def full(width):
    return ~ZERO if width == 64 else (ONE << np.uint64(width)) - ONE


@kernel
def shifted(row, by):
    """A row of bits moved towards higher columns (lower for negative `by`)."""
    if by >= 0:
        return row << np.uint64(by) if by < 64 else ZERO
    return row >> np.uint64(-by) if by > -64 else ZERO


@kernel
def popcount(x):
    x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


# ---------------------------------------------------------------------------- what an object is like


@kernel
def find_holes(bits, height, width, hole):
    """Fill `hole` with the background that no 4-connected path joins to the outside; returns whether there is any."""
    everything = full(width)
    ends = ONE | (ONE << np.uint64(width - 1))
    for r in range(height):
        background = ~bits[r] & everything
        hole[r] = background if r == 0 or r == height - 1 else background & ends  # reached from outside so far
    changed = True
    while changed:
        changed = False
        for r in range(height):
            above = hole[r - 1] if r > 0 else ZERO
            below_it = hole[r + 1] if r + 1 < height else ZERO
            reached = hole[r] | ((above | below_it | (hole[r] << ONE) | (hole[r] >> ONE)) & ~bits[r] & everything)
            if reached != hole[r]:
                hole[r] = reached
                changed = True
    found = False
    for r in range(height):
        hole[r] = ~(hole[r] | bits[r]) & everything
        found = found or hole[r] != ZERO
    return found


@kernel
def connected(bits, height, part):
    """Whether all cells are one component under 8-connectivity; the first row of a tight box is never empty."""
    for r in range(height):
        part[r] = ZERO
    part[0] = bits[0] & (~bits[0] + ONE)
    changed = True
    while changed:
        changed = False
        for r in range(height):
            near = part[r]
            if r > 0:
                near |= part[r - 1]
            if r + 1 < height:
                near |= part[r + 1]
            reached = (near | (near << ONE) | (near >> ONE)) & bits[r]
            if reached != part[r]:
                part[r] = reached
                changed = True
    for r in range(height):
        if part[r] != bits[r]:
            return False
    return True


@kernel
def one_color(cells, height, width):
    color = 0
    for r in range(height):
        for c in range(width):
            if cells[r, c] != 0:
                if color == 0:
                    color = cells[r, c]
                elif cells[r, c] != color:
                    return False
    return True


@kernel
def main_color(cells, height, width):
    """The most frequent color; the smallest of several wins."""
    counts = np.zeros(10, np.int64)
    for r in range(height):
        for c in range(width):
            counts[cells[r, c]] += 1
    best = 1
    for color in range(2, 10):
        if counts[color] > counts[best]:
            best = color
    return np.uint8(best)


@kernel
def refuses(op, cells, bits, height, width, scratch):
    """Whether a transformation is not for this object."""
    if op == FILL or op == FILL + 1:
        return not (one_color(cells, height, width) and find_holes(bits, height, width, scratch))
    if CROP_SIDE <= op < CROP_SIDE + 4:
        return (height if op < CROP_SIDE + 2 else width) < 4
    if op == CROP_CONTOURS:
        return height < 4 or width < 4
    if op == EMPTY:
        if height < 3 or width < 3:
            return True
        count = 0
        for r in range(height):
            count += popcount(bits[r])
        return count < 6 or find_holes(bits, height, width, scratch) or not connected(bits, height, scratch)
    return False


# ---------------------------------------------------------------------------- transforming


@kernel
def copy(source, height, width, target, row, column):
    for r in range(height):
        for c in range(width):
            target[row + r, column + c] = source[r, c]


@kernel
def wipe(target, height, width):
    for r in range(height):
        for c in range(width):
            target[r, c] = 0


@kernel
def fill(op, source, bits, height, width, target, scratch):
    copy(source, height, width, target, 0, 0)
    if not find_holes(bits, height, width, scratch):
        return
    main = main_color(source, height, width)
    for r in range(height):
        for c in range(width):
            if (scratch[r] >> np.uint64(c)) & ONE:
                target[r, c] = main if op == FILL else main % 9 + 1
            elif op == FILL and source[r, c] != 0:
                target[r, c] = main


@kernel
def empty_inside(source, bits, height, width, target):
    for r in range(height):
        inside = ZERO
        if 0 < r < height - 1:
            inside = bits[r - 1] & bits[r + 1] & (bits[r] << ONE) & (bits[r] >> ONE)
        for c in range(width):
            target[r, c] = 0 if (inside >> np.uint64(c)) & ONE else source[r, c]


@kernel
def extend(op, source, height, width, target):
    wipe(target, height + 2, width + 2)
    copy(source, height, width, target, 1, 1)
    new = np.uint8(0) if op == EXTEND else np.uint8(main_color(source, height, width) % 9 + 1)
    for c in range(width):
        if source[0, c]:
            target[0, c + 1] = new or source[0, c]
        if source[height - 1, c]:
            target[height + 1, c + 1] = new or source[height - 1, c]
    for r in range(height):
        if source[r, 0]:
            target[r + 1, 0] = new or source[r, 0]
        if source[r, width - 1]:
            target[r + 1, width + 1] = new or source[r, width - 1]


@kernel
def pad(op, source, height, width, target):
    """One padded side, or the frame: top 8, bottom 9, then left 7 and right 6 over them."""
    frame = op == PAD_SHAPE
    top, bottom, left, right = (
        frame or op == PAD,
        frame or op == PAD + 1,
        frame or op == PAD + 2,
        frame or op == PAD + 3,
    )
    new_height, new_width = height + top + bottom, width + left + right
    copy(source, height, width, target, 1 if top else 0, 1 if left else 0)
    for c in range(new_width):
        if top:
            target[0, c] = 8
        if bottom:
            target[new_height - 1, c] = 9
    for r in range(new_height):
        if left:
            target[r, 0] = 7
        if right:
            target[r, new_width - 1] = 6
    return new_height, new_width, -1 if top else 0, -1 if left else 0


@kernel
def transform(op, source, bits, height, width, target, scratch):
    """Write one transformation's box into `target`: its height, width, and how far its top-left cell moves.

    Height 0 stands for a box that is empty or larger than any grid. The box need not be tight.
    """
    if op < ROT90:
        copy(source, height, width, target, 0, 0)
        down = -1 if op == 0 else 1 if op == 1 else 0
        right = 1 if op == 2 else -1 if op == 3 else 0
        return height, width, down, right
    if op == ROT90:
        for r in range(height):
            for c in range(width):
                target[width - 1 - c, r] = source[r, c]
        return width, height, 0, 0
    if op < MIRROR:
        fill(op, source, bits, height, width, target, scratch)
        return height, width, 0, 0
    if op < CROP_SIDE:
        for r in range(height):
            for c in range(width):
                target[r, c] = source[height - 1 - r, c] if op == MIRROR else source[r, width - 1 - c]
        return height, width, 0, 0
    if op < EMPTY:
        rows = height // 2 if op < CROP_SIDE + 2 else 0
        columns = width // 2 if op >= CROP_SIDE + 2 else 0
        row = rows if op == CROP_SIDE else 0
        column = columns if op == CROP_SIDE + 2 else 0
        copy(source[row:, column:], height - rows, width - columns, target, 0, 0)
        return height - rows, width - columns, row, column
    if op == EMPTY:
        empty_inside(source, bits, height, width, target)
        return height, width, 0, 0
    if op == CHANGE_COLOR:
        for r in range(height):
            for c in range(width):
                target[r, c] = source[r, c] % 9 + 1 if source[r, c] else 0
        return height, width, 0, 0
    if op == CROP_CONTOURS:
        if height < 3 or width < 3:
            return 0, 0, 0, 0
        copy(source[1:, 1:], height - 2, width - 2, target, 0, 0)
        return height - 2, width - 2, 1, 1
    if op <= PAD_SHAPE:  # extending and padding grow the box by at most one cell on each side
        if height + 2 > SIDE or width + 2 > SIDE:
            return 0, 0, 0, 0
        if op >= PAD:
            return pad(op, source, height, width, target)
        extend(op, source, height, width, target)
        return height + 2, width + 2, -1, -1
    down = 2 if op == QUADRUPLE or op == DOUBLE + 1 or op == DOUBLE + 2 else 1
    right = 2 if op == QUADRUPLE or op == DOUBLE or op == DOUBLE + 3 else 1
    if height * down > SIDE or width * right > SIDE:
        return 0, 0, 0, 0
    for i in range(down):
        for j in range(right):
            copy(source, height, width, target, i * height, j * width)
    up = op == QUADRUPLE or op == DOUBLE + 2
    left = op == QUADRUPLE or op == DOUBLE + 3
    return height * down, width * right, -height if up else 0, -width if left else 0


@kernel
def tighten(cells, height, width, bits):
    """Move the visible cells into the corner; returns height, width, and the rows and columns cut from the front."""
    top, bottom, left, right = height, -1, width, -1
    for r in range(height):
        for c in range(width):
            if cells[r, c]:
                top, bottom = min(top, r), r
                left, right = min(left, c), max(right, c)
    if bottom < 0:
        return 0, 0, 0, 0
    for r in range(bottom - top + 1):
        row = ZERO
        for c in range(right - left + 1):
            color = cells[top + r, left + c]
            cells[r, c] = color
            if color:
                row |= ONE << np.uint64(c)
        bits[r] = row
    return bottom - top + 1, right - left + 1, top, left


@kernel
def trace(cells, offset, height, width, barred, ops, depth, frames, bits, box, scratch):
    """Take an object through the sequence, frame by frame; False if it does not suit it.

    Bits of `barred` are the transformations that are not for the object at the start; these have to be for it when
    their turn comes.
    """
    for r in range(height):
        row = ZERO
        for c in range(width):
            color = cells[offset + r * width + c]
            frames[0, r, c] = color
            if color:
                row |= ONE << np.uint64(c)
        bits[0, r] = row
    box[0, 0], box[0, 1], box[0, 2], box[0, 3] = height, width, 0, 0
    for k in range(depth):
        h, w = box[k, 0], box[k, 1]
        if (barred >> ops[k]) & 1 and (k == 0 or refuses(ops[k], frames[k], bits[k], h, w, scratch)):
            return False
        h, w, down, right = transform(ops[k], frames[k], bits[k], h, w, frames[k + 1], scratch)
        if h == 0:
            return False
        h, w, top, left = tighten(frames[k + 1], h, w, bits[k + 1])
        if h == 0:
            return False
        box[k + 1, 0], box[k + 1, 1] = h, w
        box[k + 1, 2], box[k + 1, 3] = box[k, 2] + down + top, box[k, 3] + right + left
    return True


# ---------------------------------------------------------------------------- placing


@kernel
def span(box, depth, height, width, bounds):
    """Where the object may start so that every frame stays inside the grid: first and last row and column."""
    bounds[0], bounds[1], bounds[2], bounds[3] = 0, height, 0, width
    for k in range(depth + 1):
        bounds[0] = max(bounds[0], -box[k, 2])
        bounds[1] = min(bounds[1], height - box[k, 0] - box[k, 2])
        bounds[2] = max(bounds[2], -box[k, 3])
        bounds[3] = min(bounds[3], width - box[k, 1] - box[k, 3])
    return bounds[0] <= bounds[1] and bounds[2] <= bounds[3]


@kernel
def solid(bits, height, width, rows):
    """The object with its holes closed: nothing may start inside another object."""
    find_holes(bits, height, width, rows)
    for r in range(height):
        rows[r] |= bits[r]


@kernel
def find_places(bits, box, depth, closed, taken, bounds, free):
    """Fill `free` with the valid starting columns of each row, as bits; returns how many places there are.

    `taken[0]` holds what the closed input objects and their neighborhoods cover, `taken[k]` the cells of frame k.
    """
    total = 0
    columns = full(bounds[3] + 1) & ~(full(bounds[2]) if bounds[2] > 0 else ZERO)
    for row in range(bounds[0], bounds[1] + 1):
        bad = ZERO
        for k in range(depth + 1):
            for r in range(box[k, 0]):
                occupied = taken[k, row + box[k, 2] + r]
                if occupied:
                    cells = closed[r] if k == 0 else bits[k, r]
                    column = box[k, 3]
                    while cells:
                        if cells & ONE:
                            bad |= shifted(occupied, -column)
                        cells >>= ONE
                        column += 1
        free[row] = columns & ~bad
        total += popcount(free[row])
    return total


@kernel
def nth_place(free, first_row, n):
    """Row and column of the n-th free place, in reading order."""
    row = first_row
    count = popcount(free[row])
    while n >= count:
        n -= count
        row += 1
        count = popcount(free[row])
    left = free[row]
    for _ in range(n):
        left &= left - ONE
    return row, popcount((left & (~left + ONE)) - ONE)


@kernel
def occupy(bits, box, depth, closed, row, column, height, width, taken):
    everything = full(width)
    for r in range(box[0, 0]):
        spread = shifted(closed[r], column)
        spread = (spread | (spread << ONE) | (spread >> ONE)) & everything
        for near in range(max(row + r - 1, 0), min(row + r + 2, height)):
            taken[0, near] |= spread
    for k in range(1, depth + 1):
        for r in range(box[k, 0]):
            taken[k, row + box[k, 2] + r] |= shifted(bits[k, r], column + box[k, 3])


# ---------------------------------------------------------------------------- whole scenes


@kernel
def sequence_of(index, listed, pool, limits, order, scene):
    """The sequence of an index: of a list in an order shuffled by `order`, or of a pool, the depths taking turns."""
    if listed.shape[0]:
        rank = permuted(index % listed.shape[0], listed.shape[0], order)
        scene[DEPTH] = listed[rank, 0]
        for k in range(scene[DEPTH]):
            scene[OPS + k] = listed[rank, 1 + k]
        return
    depths = limits[DEPTH_HIGH] - limits[DEPTH_LOW] + 1
    depth = limits[DEPTH_LOW] + index % depths
    choices = np.int64(1)
    for _ in range(depth):
        choices *= pool.shape[0]
    rank = permuted((index // depths) % choices, choices, order)
    scene[DEPTH] = depth
    for k in range(depth - 1, -1, -1):
        scene[OPS + k] = pool[rank % pool.shape[0]]
        rank //= pool.shape[0]


@kernel
def compose(cells, table, eligible, limits, state, scene, frames, bits, box, closed, taken, free, bounds, scratch):
    """Draw objects and places for a scene whose grid, count and sequence are fixed; 0, or why it gave up.

    Where limits say `BLIND`, a place is drawn for the input alone, and a scene that does not work out starts again.
    """
    height, width, depth = scene[HEIGHT], scene[WIDTH], scene[DEPTH]
    ops = scene[OPS : OPS + MAX_DEPTH]
    candidates = 0
    for _ in range(ATTEMPTS):
        for k in range(depth + 1):
            for r in range(height):
                taken[k, r] = ZERO
        placed = 0
        misses = 0
        while placed < scene[COUNT] and misses < MISSES:
            candidates += 1
            if candidates > CANDIDATES:
                return NO_OBJECT
            one = eligible[below(state, eligible.shape[0])]
            h, w = table[one, 1], table[one, 2]
            if not trace(cells, table[one, 0], h, w, table[one, 3], ops, depth, frames, bits, box, scratch):
                continue
            solid(bits[0], h, w, closed)
            starts = 0  # places on the input, wherever the sequence leads from there
            if limits[BLIND] and span(box, 0, height, width, bounds):
                starts = find_places(bits, box, 0, closed, taken, bounds, free)
            inside = span(box, depth, height, width, bounds)
            places = find_places(bits, box, depth, closed, taken, bounds, free) if inside else 0
            if limits[BLIND] and (starts == 0 or below(state, starts) >= places):
                break  # as if one of the starts had been drawn and had turned out wrong
            if places == 0:
                misses += inside
                continue
            row, column = nth_place(free, bounds[0], below(state, places))
            occupy(bits, box, depth, closed, row, column, height, width, taken)
            at = OBJECTS + 3 * placed
            scene[at], scene[at + 1], scene[at + 2] = one, row, column
            placed += 1
        if placed == scene[COUNT]:
            return 0
    return NO_PLACE


@kernel
def content_key(cells, table, names, scene, data):
    """The key of a scene: a hash of grid size, input grid and transformation names."""
    height, width = scene[HEIGHT], scene[WIDTH]
    data[0], data[1] = height, width
    data[2 : 2 + height * width] = 0
    for i in range(scene[COUNT]):
        one, row, column = scene[OBJECTS + 3 * i], scene[OBJECTS + 3 * i + 1], scene[OBJECTS + 3 * i + 2]
        offset, h, w = table[one, 0], table[one, 1], table[one, 2]
        for r in range(h):
            for c in range(w):
                color = cells[offset + r * w + c]
                if color:
                    data[2 + (row + r) * width + column + c] = color
    length = 2 + height * width
    for k in range(scene[DEPTH]):
        name = names[scene[OPS + k]]
        for byte in range(8):
            data[length] = np.uint8((name >> np.uint64(8 * byte)) & np.uint64(255))
            length += 1
    return xxh64(data, length, ZERO)


@kernel
def draw(cells, table, eligible, listed, pool, names, limits, order, key, begin, first, scene, found, draws):
    """Draw as many indices from `begin` on as `found` has room for: their content keys and accepted draws.

    An index takes its first draw from `first` on whose key is in the part. `scene` holds the last one drawn. A negative
    draw says why an index has none, and ends the work.
    """
    frames = np.empty((MAX_DEPTH + 1, SIDE, SIDE), np.uint8)
    bits = np.empty((MAX_DEPTH + 1, SIDE), np.uint64)
    box = np.empty((MAX_DEPTH + 1, 4), np.int64)
    taken = np.empty((MAX_DEPTH + 1, SIDE), np.uint64)
    closed, free, scratch = np.empty(SIDE, np.uint64), np.empty(SIDE, np.uint64), np.empty(SIDE, np.uint64)
    work = (frames, bits, box, closed, taken, free, np.empty(4, np.int64), scratch)
    data = np.empty(2 + SIDE * SIDE + 8 * MAX_DEPTH, np.uint8)
    state = np.empty(STATE, np.uint32)
    for i in range(found.shape[0]):
        index = begin + i
        sequence_of(index, listed, pool, limits, order, scene)
        draws[i] = NO_KEY
        for turn in range(first, first + DRAWS):
            start(state, key, index, turn)
            why = NO_PLACE
            for _ in range(ROUNDS):
                scene[HEIGHT] = limits[GRID_LOW] + below(state, limits[GRID_HIGH] - limits[GRID_LOW] + 1)
                scene[WIDTH] = limits[GRID_LOW] + below(state, limits[GRID_HIGH] - limits[GRID_LOW] + 1)
                scene[COUNT] = limits[OBJECTS_LOW] + below(state, limits[OBJECTS_HIGH] - limits[OBJECTS_LOW] + 1)
                why = compose(cells, table, eligible, limits, state, scene, *work)
                if why == 0:
                    break
            if why < 0:
                draws[i] = why
                break
            found[i] = content_key(cells, table, names, scene, data)
            if limits[PART_LOW] <= np.int64(found[i] >> np.uint64(61)) < limits[PART_HIGH]:
                draws[i] = turn
                break
        if draws[i] < 0:
            return


@kernel
def paint(cells, table, scene, grids, owners):
    """Draw every frame of a scene into `grids` (depth + 1, h, w), and which object (from 1) each cell belongs to."""
    frames = np.empty((MAX_DEPTH + 1, SIDE, SIDE), np.uint8)
    bits = np.empty((MAX_DEPTH + 1, SIDE), np.uint64)
    box = np.empty((MAX_DEPTH + 1, 4), np.int64)
    scratch = np.empty(SIDE, np.uint64)
    depth = scene[DEPTH]
    grids[:] = 0
    owners[:] = 0
    for i in range(scene[COUNT]):
        one, row, column = scene[OBJECTS + 3 * i], scene[OBJECTS + 3 * i + 1], scene[OBJECTS + 3 * i + 2]
        ops = scene[OPS : OPS + MAX_DEPTH]
        trace(cells, table[one, 0], table[one, 1], table[one, 2], np.int64(0), ops, depth, frames, bits, box, scratch)
        for k in range(depth + 1):
            for r in range(box[k, 0]):
                for c in range(box[k, 1]):
                    color = frames[k, r, c]
                    if color:
                        grids[k, row + box[k, 2] + r, column + box[k, 3] + c] = color
                        owners[k, row + box[k, 2] + r, column + box[k, 3] + c] = i + 1
