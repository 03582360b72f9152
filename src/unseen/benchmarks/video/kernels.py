"""Hot code: one call draws a record, one call paints its frames and ids.

A record is three arrays: `poses` int32 (objects, frames, FIELDS), a height of 0 where an object is not there;
`textures` int32 (1 + objects,), the background's first; `head` int32 (2,), how many objects there are and the
background's color.
"""

from __future__ import annotations

import math

import numpy as np

from unseen.core.kernel import kernel
from unseen.core.key import xxh64
from unseen.core.random import STATE, below, start, uniform, word

SQUARE, ELLIPSE, HEART, CIRCLE, RECTANGLE, TRIANGLE, DIAMOND = range(7)  # the numbers of the rules; a test compares
FIELDS = 7
SHAPE, X, Y, HEIGHT, WIDTH, ANGLE, COLOR = range(FIELDS)
GRAIN = 64  # parts of a pixel that positions are counted in, so that the last bits of a logarithm do not matter
TURN = 39_000  # parts of a turn that angles and hues are counted in: a multiple of the 39 steps of dSprites
ORIENTATIONS = 40  # of dSprites, the first and the last the same
SLOWEST, FASTEST = 542, 4333  # 5 and 40 degrees a frame
LOW, SPAN = 10.0, 44.0  # where centroids may be, in pixels of 64
TAU = 10.0  # frames over which the process forgets
KNOWN = 1e-6  # variance in square pixels below which a place counts as known

NO_KEY, NO_PATH, NO_COLOR = -1, -2, -3
DRAWS = 2_000  # of whole records until one is in its part
PATHS = 1_000_000  # tries for a path; most are given up after one or two of its points
COLORS = 10_000  # tries for a color

# ---------------------------------------------------------------------------- paths


@kernel
def covariance(s, t, anchor, amplitude):
    """Of the process at two frames, both as seen from where it is at the anchor."""
    return amplitude**2 * (1.0 + _decay(s - t) - _decay(s - anchor) - _decay(t - anchor))


@kernel
def _decay(lag):
    return math.exp(-(lag**2) / (2.0 * TAU**2))


@kernel
def factorize(order, anchor, amplitude, rows, fresh):
    """Cholesky factor of the process in the given order of frames, row by row, without columns that say nothing.

    The covariance is nearly singular: after a few frames the others are known to a thousandth of a pixel, and such a
    frame gets no column (`fresh` is 0) but follows from those before it.
    """
    pivots = np.empty(len(order), np.int64)  # the row that began each column
    rank = 0
    for k in range(len(order)):
        left = covariance(order[k], order[k], anchor, amplitude)
        for r in range(rank):
            p = pivots[r]
            shared = covariance(order[k], order[p], anchor, amplitude)
            for q in range(r):
                shared -= rows[k, q] * rows[p, q]
            rows[k, r] = shared / rows[p, r]
            left -= rows[k, r] ** 2
        if left > KNOWN:
            fresh[k] = 1
            rows[k, rank] = math.sqrt(left)
            pivots[rank] = k
            rank += 1


@kernel
def normal(state):
    """A float64 from the standard normal distribution (Marsaglia's polar method, one of its two)."""
    while True:
        u = 2.0 * uniform(state) - 1.0
        v = 2.0 * uniform(state) - 1.0
        square = u * u + v * v
        if 0.0 < square < 1.0:
            return u * math.sqrt(-2.0 * math.log(square) / square)


@kernel
def cross(state, order, rows, fresh, paths):
    """Fill paths (count, frames) that share the place at the anchor's frame and stay inside, in pixels; or False.

    The same as to draw a place uniformly, to shift independent paths there, and to draw all of it again if one leaves:
    given the paths, places that keep them inside are an interval as long as SPAN less their joint range, so it is
    enough that a uniform share of SPAN exceeds the range, and what it has in excess is the place. Frames are drawn
    from far to near (`order`), so that paths that leave are recognized early.
    """
    noise = np.empty(len(order))
    for _ in range(PATHS):
        room = SPAN * uniform(state)
        low = high = 0.0
        for i in range(len(paths)):
            rank = 0
            for k in range(len(order)):
                if fresh[k]:
                    noise[rank] = normal(state)
                    rank += 1
                value = 0.0
                for r in range(rank):
                    value += rows[k, r] * noise[r]
                paths[i, order[k]] = value
                low, high = min(low, value), max(high, value)
                if high - low > room:
                    break
            if high - low > room:
                break
        if high - low <= room:
            paths += LOW - low + (room - (high - low))
            return True
    return False


# ---------------------------------------------------------------------------- colors


@kernel
def difference(one, other):
    """The largest difference of a channel between two colors."""
    largest = 0
    for shift in (16, 8, 0):
        largest = max(largest, abs((one >> shift & 255) - (other >> shift & 255)))
    return largest


@kernel
def with_hue_turned(color, turn):
    """A color whose hue is `turn` further; its largest and smallest channel, so saturation and value, stay.

    Hues of a color lie on a hexagon whose sides have as many steps as these two channels are apart.
    """
    r, g, b = color >> 16, color >> 8 & 255, color & 255
    high, low = max(r, g, b), min(r, g, b)
    side = high - low
    if side == 0:
        return color
    if r == high and b == low:
        at = g - low
    elif g == high and b == low:
        at = side + high - r
    elif g == high and r == low:
        at = 2 * side + b - low
    elif b == high and r == low:
        at = 3 * side + high - g
    elif b == high and g == low:
        at = 4 * side + r - low
    else:
        at = 5 * side + high - b
    at = (at + (12 * side * turn + TURN) // (2 * TURN)) % (6 * side)
    up, down = low + at % side, high - at % side
    sector = at // side
    if sector == 0:
        r, g, b = high, up, low
    elif sector == 1:
        r, g, b = down, high, low
    elif sector == 2:
        r, g, b = low, high, up
    elif sector == 3:
        r, g, b = low, down, high
    elif sector == 4:
        r, g, b = up, low, high
    else:
        r, g, b = high, low, down
    return r << 16 | g << 8 | b


@kernel
def pace(state):
    """Parts of a turn by which something turns in a frame, either way."""
    amount = SLOWEST + below(state, FASTEST - SLOWEST + 1)
    return amount if below(state, 2) else -amount


# ---------------------------------------------------------------------------- sprites

LIMITS = 11  # what of a spec the kernels need
OBJECTS_LOW, OBJECTS_HIGH, SCALE_LOW, SCALE_HIGH, SAME, CONTRAST, OCCLUSION = range(7)
TURNING, HUE, SIZE, TEXTURED = range(7, LIMITS)


@kernel
def content_key(poses, textures, head):
    """The key of what decides frames and ids."""
    count = head[0]
    seed = xxh64(head.view(np.uint8), 8, np.uint64(0))
    seed = xxh64(textures.view(np.uint8), 4 * (1 + count), seed)
    return xxh64(poses[:count].reshape(-1).view(np.uint8), 4 * poses[:count].size, seed)


@kernel
def draw_sprites(limits, shapes, order, rows, fresh, key, index, first, low, high, poses, textures, head):
    """The first record from draw `first` on whose key is in the part low .. high-1: (content key, draw)."""
    state = np.empty(STATE, np.uint32)
    for draw in range(first, first + DRAWS):
        start(state, key, index, draw)
        failed = _sprites(state, limits, shapes, order, rows, fresh, poses, textures, head)
        if failed:
            return np.uint64(0), failed
        content = content_key(poses, textures, head)
        if low <= np.int64(content >> np.uint64(61)) < high:
            return content, draw
    return np.uint64(0), NO_KEY


@kernel
def _sprites(state, limits, shapes, order, rows, fresh, poses, textures, head):
    count = limits[OBJECTS_LOW] + below(state, limits[OBJECTS_HIGH] - limits[OBJECTS_LOW] + 1)
    head[0] = count
    head[1] = below(state, 1 << 24)
    textures[:] = 0
    if limits[TEXTURED]:
        for i in range(1 + count):
            textures[i] = word(state) >> np.uint64(1)
    if not _colors(state, limits, poses, head):
        return NO_COLOR
    for i in range(count):
        poses[i, :, SHAPE] = shapes[below(state, len(shapes))]
        poses[i, :, ANGLE] = below(state, ORIENTATIONS) * (TURN // (ORIENTATIONS - 1)) % TURN
        _scales(state, limits, poses[i])
        _change(state, limits, poses[i])
    met = limits[OCCLUSION]
    if met and not _move(state, order, rows, fresh, below(state, len(order)), poses[:met]):
        return NO_PATH
    for i in range(met, count):
        if not _move(state, order, rows, fresh, 0, poses[i : i + 1]):
            return NO_PATH
    return 0


@kernel
def _colors(state, limits, poses, head):
    for i in range(head[0]):
        color = poses[0, 0, COLOR]
        if i == 0 or not limits[SAME]:
            for _ in range(COLORS):
                color = below(state, 1 << 24)
                nearest = difference(color, head[1])
                for j in range(i):
                    nearest = min(nearest, difference(color, poses[j, 0, COLOR]))
                if nearest >= limits[CONTRAST]:
                    break
            else:
                return False
        poses[i, :, COLOR] = color
    return True


@kernel
def _scales(state, limits, pose):
    """One scale, or from one end of the scales to the other, a step a frame from a random frame on."""
    low, high = limits[SCALE_LOW], limits[SCALE_HIGH]
    if not limits[SIZE]:
        pose[:, HEIGHT : WIDTH + 1] = low + below(state, high - low + 1)
        return
    grows = below(state, 2)
    begin = 1 + below(state, max(1, len(pose) - 1))  # the first frame with another size
    for t in range(len(pose)):
        steps = min(max(0, t - begin + 1), high - low)
        pose[t, HEIGHT : WIDTH + 1] = low + steps if grows else high - steps


@kernel
def _change(state, limits, pose):
    turn = pace(state) if limits[TURNING] else 0
    hue = pace(state) if limits[HUE] else 0
    for t in range(1, len(pose)):
        pose[t, ANGLE] = (pose[0, ANGLE] + t * turn) % TURN
        pose[t, COLOR] = with_hue_turned(pose[0, COLOR], t * hue)


@kernel
def _move(state, order, rows, fresh, anchor, poses):
    """Place sprites along paths that cross at the anchor's frame."""
    paths = np.empty((len(poses), len(order)))
    for axis in (X, Y):
        if not cross(state, order, rows[anchor], fresh[anchor], paths):
            return False
        for i in range(len(poses)):
            for t in range(len(order)):
                poses[i, t, axis] = np.int32(np.rint(paths[i, t] * GRAIN))
    return True


# ---------------------------------------------------------------------------- the geometry of sprites, at scale 1

HALF = 9.6  # of a square's side
LONG, SHORT = 12.74, 7.22  # semi-axes of an ellipse
LOBE_X, LOBE_Y, LOBE = 5.51, -4.59, 4.77  # middle and radius of a heart's right disc, from where it is turned
TIP = 8.92  # below that point
CENTROID = -2.08  # of a heart, above that point
REACH = 13.7  # no sprite is larger, half the diagonal of a square
_FAR = math.hypot(LOBE_X, LOBE_Y - TIP)  # from the tip to the disc's middle
_SLANT = math.atan2(LOBE_Y - TIP, LOBE_X) + math.asin(LOBE / _FAR)  # direction of the tangent, from the tip
_LENGTH = math.sqrt(_FAR**2 - LOBE**2)
TANGENT_X, TANGENT_Y = _LENGTH * math.cos(_SLANT), TIP + _LENGTH * math.sin(_SLANT)  # where it touches the disc


@kernel
def inside(shape, u, v):
    """Whether a point is in a sprite, in pixels at scale 1 from the point that it is turned about; v downwards."""
    u = abs(u)
    if shape == SQUARE:
        return u <= HALF and abs(v) <= HALF
    if shape == ELLIPSE:
        return (u / LONG) ** 2 + (v / SHORT) ** 2 <= 1.0
    if (u - LOBE_X) ** 2 + (v - LOBE_Y) ** 2 <= LOBE**2:
        return True
    above = u * (TANGENT_Y - TIP) - (v - TIP) * TANGENT_X >= 0.0  # of the tangent
    below_lobes = (v - LOBE_Y) * TANGENT_X - u * (TANGENT_Y - LOBE_Y) >= 0.0  # of the line between the discs
    return above and below_lobes


@kernel
def frame_order(poses, t, order):
    """The objects of a frame from back to front: larger ones in front, of equal ones the later; returns how many."""
    count = 0
    for i in range(len(poses)):
        if poses[i, t, HEIGHT] == 0:
            continue
        at = count
        if poses[i, t, SHAPE] < CIRCLE:  # templates lie as they are listed
            while at > 0 and poses[order[at - 1], t, HEIGHT] > poses[i, t, HEIGHT]:
                order[at] = order[at - 1]
                at -= 1
        order[at] = i
        count += 1
    return count


@kernel
def paint_sprites(poses, background, fills, frames, ids, whole, ranks):
    """Paint frames (t, s, s, 3), ids (t, s, s), and where they have room whole masks (n, t, s, s) and ranks (t, n).

    `fills` (1 + n, s, s, 3) are textures, the background's first, or have no rows.
    """
    order = np.empty(len(poses), np.int64)
    for t in range(len(frames)):
        if len(fills):
            frames[t] = fills[0]
        else:
            for channel in range(3):
                frames[t, :, :, channel] = background >> (16 - 8 * channel) & 255
        for place in range(frame_order(poses, t, order)):
            i = order[place]
            if len(whole):
                ranks[t, i] = 1 + place
            _paint_sprite(poses[i], t, i, fills, frames[t], ids[t], whole)


@kernel
def _paint_sprite(pose, t, i, fills, frame, ids, whole):
    size = len(ids)
    unit = size / 64.0  # pixels of the frame to one of a record
    scale = pose[t, HEIGHT] / 10.0 * unit
    angle = 2.0 * math.pi * pose[t, ANGLE] / TURN
    c, s = math.cos(angle), math.sin(angle)
    shape, color = pose[t, SHAPE], pose[t, COLOR]
    rise = CENTROID * scale if shape == HEART else 0.0
    # sprites are drawn about a corner of pixels, as in dSprites, so that one without change keeps its pixels
    column = int(np.rint(pose[t, X] * unit / GRAIN + s * rise))
    row = int(np.rint(pose[t, Y] * unit / GRAIN - c * rise))
    reach = int(REACH * scale) + 1
    turned = 2.0 * math.pi * (pose[t, ANGLE] - pose[0, ANGLE]) / TURN
    grown = pose[t, HEIGHT] / pose[0, HEIGHT]
    tc, ts = math.cos(turned) / grown, math.sin(turned) / grown
    for y in range(max(0, row - reach), min(size, row + reach)):
        for x in range(max(0, column - reach), min(size, column + reach)):
            dx, dy = x + 0.5 - column, y + 0.5 - row
            if not inside(shape, (c * dx + s * dy) / scale, (c * dy - s * dx) / scale):
                continue
            ids[y, x] = i + 1
            if len(whole):
                whole[i, t, y, x] = 1
            if len(fills):  # a texture is fixed to its sprite, whose middle is that of the crop
                across = math.floor(size // 2 + tc * dx + ts * dy) % size
                down = math.floor(size // 2 + tc * dy - ts * dx) % size
                for channel in range(3):
                    frame[y, x, channel] = fills[i + 1, down, across, channel]
            else:
                for channel in range(3):
                    frame[y, x, channel] = color >> (16 - 8 * channel) & 255


# ---------------------------------------------------------------------------- SpMOT

SIDE = 128  # of its frames
TEMPLATE = 21  # side of its templates
EDGE = 10  # lines on which objects enter and leave, counted from the border
SLOTS = 3
WAIT = 5  # frames before a slot may give birth, then with probability 1/2 in each
SPEED = 5.3  # pixels a frame
SETTLED = 256  # frames, eight lives of an object: until then a slot has forgotten how it began
SLOT = 10
AGE, KIND, TINT, TALL, WIDE, FROM_X, FROM_Y, PER_X, PER_Y, STEP = range(SLOT)  # of a slot


@kernel
def _give_birth(state, slot):
    slot[AGE] = WAIT + 1
    slot[KIND] = CIRCLE + below(state, 4)
    code = 1 + below(state, 6)  # a bit for each channel: neither black nor white
    slot[TINT] = 255 * ((code >> 2) << 16 | (code >> 1 & 1) << 8 | code & 1)
    stretch = 0.9 + 0.2 * uniform(state)
    aspect = math.sqrt(0.8 + 0.4 * uniform(state))
    slot[TALL], slot[WIDE] = np.rint(TEMPLATE * stretch * aspect), np.rint(TEMPLATE * stretch / aspect)
    far = SIDE - 1 - EDGE
    begin, end = EDGE + below(state, far - EDGE + 1), EDGE + below(state, far - EDGE + 1)
    along, across = far - EDGE, end - begin
    speed = SPEED / math.sqrt(along**2 + across**2)
    direction = below(state, 4)  # downwards, upwards, to the right, to the left
    forth = direction % 2 == 0
    line, onward = (EDGE, along * speed) if forth else (far, -along * speed)
    if direction < 2:
        slot[FROM_X], slot[FROM_Y], slot[PER_X], slot[PER_Y] = begin, line, across * speed, onward
    else:
        slot[FROM_X], slot[FROM_Y], slot[PER_X], slot[PER_Y] = line, begin, onward, across * speed
    slot[STEP] = 0


@kernel
def drive(state, slots, frames, seen):
    """Let slots (SLOTS, SLOT) run for some frames; `seen` (frames, SLOTS, FIELDS), or no rows, gets what is drawn.

    A slot waits, gives birth, and shows its object from the next frame on until its middle leaves the lines.
    """
    for t in range(frames):
        for i in range(SLOTS):
            slot = slots[i]
            if slot[AGE] < WAIT:
                slot[AGE] += 1
            elif slot[AGE] == WAIT:
                if below(state, 2):
                    _give_birth(state, slot)
            else:
                x = np.rint(slot[FROM_X] + slot[STEP] * slot[PER_X])
                y = np.rint(slot[FROM_Y] + slot[STEP] * slot[PER_Y])
                if min(x, y) < EDGE or max(x, y) > SIDE - 1 - EDGE:
                    slot[AGE] = 0
                    continue
                slot[STEP] += 1
                if len(seen):
                    pose = seen[t, i]
                    pose[SHAPE], pose[X], pose[Y] = slot[KIND], x * GRAIN, y * GRAIN
                    pose[HEIGHT], pose[WIDTH], pose[COLOR] = slot[TALL], slot[WIDE], slot[TINT]


@kernel
def list_objects(seen, poses, textures, head):
    """Sort what slots showed (t, SLOTS, FIELDS) into objects: slot by slot, a new one after every gap."""
    poses[:] = 0
    count = 0
    for i in range(SLOTS):
        present = False
        for t in range(len(seen)):
            if seen[t, i, HEIGHT]:
                if not present:
                    count += 1
                poses[count - 1, t] = seen[t, i]
            present = seen[t, i, HEIGHT] > 0
    head[0] = count
    head[1] = 0
    textures[:] = 0


@kernel
def draw_traffic(key, index, first, low, high, poses, textures, head):
    """The first clip from draw `first` on whose key is in the part low .. high-1: (content key, draw)."""
    state = np.empty(STATE, np.uint32)
    seen = np.zeros((poses.shape[1], SLOTS, FIELDS), np.int32)
    for draw in range(first, first + DRAWS):
        start(state, key, index, draw)
        slots = np.zeros((SLOTS, SLOT))
        for i in range(SLOTS):  # not all at once, or they would keep step for long
            slots[i, AGE] = -below(state, SETTLED)
        drive(state, slots, 2 * SETTLED, seen[:0])
        seen[:] = 0
        drive(state, slots, len(seen), seen)
        list_objects(seen, poses, textures, head)
        content = content_key(poses, textures, head)
        if low <= np.int64(content >> np.uint64(61)) < high:
            return content, draw
    return np.uint64(0), NO_KEY


@kernel
def draw_stream(key, index, slots, poses, textures, head):
    """The clip of a stream at an index, given the slots as the clip before left them; moves them on."""
    state = np.empty(STATE, np.uint32)
    start(state, key, index, 0)
    seen = np.zeros((poses.shape[1], SLOTS, FIELDS), np.int32)
    drive(state, slots, len(seen), seen)
    list_objects(seen, poses, textures, head)
    return content_key(poses, textures, head)


@kernel
def in_template(shape, row, column):
    """Whether a pixel of the 21 by 21 is in a template."""
    middle = TEMPLATE // 2
    down, right = row - middle, column - middle
    if shape == CIRCLE:
        return 4 * (down**2 + right**2) <= TEMPLATE**2
    if shape == RECTANGLE:
        return True
    if shape == TRIANGLE:
        # one pixel in the top row, two more in every second row below it
        return abs(right) <= (row + 1) // 2
    return 2 * (abs(down) + abs(right)) <= TEMPLATE


@kernel
def stretch(shape, height, width):
    """A template stretched by bilinear interpolation between the middles of pixels: opacity 0..255 (height, width)."""
    patch = np.empty((height, width), np.int32)
    for i in range(height):
        top, down = _between(i, height)
        for j in range(width):
            left, right = _between(j, width)
            total = 0
            for a in range(2):
                for b in range(2):
                    if in_template(shape, min(max(top + a, 0), TEMPLATE - 1), min(max(left + b, 0), TEMPLATE - 1)):
                        total += (down if a else 2 * height - down) * (right if b else 2 * width - right)
            patch[i, j] = (2 * 255 * total + 4 * height * width) // (8 * height * width)
    return patch


@kernel
def _between(place, size):
    """The template pixel before a place of `size`, and how far beyond it the place is in parts of 2 * size."""
    position = (2 * place + 1) * TEMPLATE - size
    return position // (2 * size), position % (2 * size)


@kernel
def paint_traffic(poses, frames, ids, whole, ranks):
    """Paint frames (t, s, s, 3), ids (t, s, s), and where they have room whole masks and ranks, as for sprites.

    Frames smaller than SIDE leave out rows and columns.
    """
    stride = SIDE // ids.shape[1]
    for i in range(len(poses)):
        t = 0
        while t < len(frames) - 1 and poses[i, t, HEIGHT] == 0:
            t += 1
        patch = stretch(poses[i, t, SHAPE], poses[i, t, HEIGHT], poses[i, t, WIDTH])
        for t in range(len(frames)):
            if poses[i, t, HEIGHT]:
                _blend(patch, poses[i, t], i, stride, frames[t], ids[t])
                if len(whole):  # the same alone, on a frame that nobody sees
                    _blend(patch, poses[i, t], 0, stride, np.zeros_like(frames[t]), whole[i, t])
    order = np.empty(len(poses), np.int64)
    if len(whole):
        for t in range(len(frames)):
            for place in range(frame_order(poses, t, order)):
                ranks[t, order[place]] = 1 + place


@kernel
def _blend(patch, pose, i, stride, frame, ids):
    """Paint an object over what is there, and where it is not wholly transparent make the pixel its own."""
    height, width = patch.shape
    top = pose[Y] // GRAIN - height // 2  # the middle of an even side is the pixel above it, as published
    left = pose[X] // GRAIN - width // 2
    for y in range(_multiple(max(0, top), stride), min(SIDE, top + height), stride):
        for x in range(_multiple(max(0, left), stride), min(SIDE, left + width), stride):
            alpha = patch[y - top, x - left]
            if alpha == 0:
                continue
            ids[y // stride, x // stride] = i + 1
            pixel = frame[y // stride, x // stride]
            for channel in range(3):
                color = pose[COLOR] >> (16 - 8 * channel) & 255
                if alpha < 255:  # a division, which most pixels need not
                    color = (2 * (np.int64(pixel[channel]) * (255 - alpha) + color * alpha) + 255) // 510
                pixel[channel] = color


@kernel
def _multiple(number, of):
    """The next multiple, or the number itself."""
    return -(-number // of) * of


# ---------------------------------------------------------------------------- textures

OCTAVES = 6  # of a texture's noise, from patches as wide as the crop down to two pixels
CROP = 1 << OCTAVES  # side of a texture


@kernel
def noise_layer(state, total):
    """Fill (CROP, CROP) with noise 0..65535, as strong in coarse patches as in fine ones, as in natural images."""
    total[:] = 0
    for octave in range(OCTAVES):
        shift = OCTAVES - octave
        width = 1 << shift
        count = (1 << octave) + 1  # of patches a side, and one more to end the last
        lattice = np.empty((count, count), np.int64)
        for i in range(count):
            for j in range(count):
                lattice[i, j] = word(state) >> np.uint64(16)
        for y in range(CROP):
            i, down = y >> shift, y & (width - 1)
            for x in range(CROP):
                j, right = x >> shift, x & (width - 1)
                above = lattice[i, j] * (width - right) + lattice[i, j + 1] * right
                under = lattice[i + 1, j] * (width - right) + lattice[i + 1, j + 1] * right
                total[y, x] += (above * (width - down) + under * down) << (2 * octave)  # all octaves in CROP**2 parts
    for y in range(CROP):
        for x in range(CROP):
            total[y, x] //= CROP**2 * OCTAVES


@kernel
def texture(key, out):
    """Fill a crop (CROP, CROP, 3): two colors mixed by one layer of noise, lit by another."""
    state = np.empty(STATE, np.uint32)
    start(state, key, np.uint64(0), 0)
    mix, light = np.empty((CROP, CROP), np.int64), np.empty((CROP, CROP), np.int64)
    colors = np.empty((2, 3), np.int64)
    for i in range(6):
        colors[i // 3, i % 3] = below(state, 256)
    noise_layer(state, mix)
    noise_layer(state, light)
    for y in range(CROP):
        for x in range(CROP):
            # noise gathers around its middle: several times as much contrast, cut off at both ends
            share = min(max(4 * (mix[y, x] - 32768) + 32768, 0), 65535)
            lit = min(max(4 * (light[y, x] - 32768) + 49152, 0), 98303)
            for channel in range(3):
                color = (colors[0, channel] * (65535 - share) + colors[1, channel] * share) // 65535
                out[y, x, channel] = min(255, color * lit // 65535)
