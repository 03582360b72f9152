"""The images of a problem, drawn from their recipes in one call.

A factor's pattern gives every object a letter; letters get their values from a palette, the problem's (`kept`) or the
image's own. Objects are rows (n, 9) in the columns of `scene.Object`. What does not fit ends the draft.
"""

from __future__ import annotations

from functools import partial
from math import floor, inf, sqrt

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import (
    ANGLE,
    FLIP,
    HUE,
    SATURATION,
    SHAPE,
    SIZE,
    VALUE,
    X,
    Y,
    copy,
    find_key,
    outline,
    outlines,
    turn,
    unit,
)
from unseen.benchmarks.cvr.kernels.geometry import extents, in_place, insert, settle, touch
from unseen.benchmarks.cvr.kernels.places import EDGE, GAP, arrange, between, rows_at, shuffle, shuffled
from unseen.benchmarks.cvr.kernels.words import (
    ALONG,
    ANGLE_FACTOR,
    AREA,
    CAP,
    COLOR_FACTOR,
    CONFIG,
    COPIED,
    COPY_CHILDREN,
    DRAWN,
    EACH,
    FLIP_FACTOR,
    FREE,
    JOINING,
    MARKER,
    MIDDLE,
    MIRROR,
    MIRROR_CHILDREN,
    MOST,
    MOTIFS,
    NONE,
    ORBIT,
    OUTER,
    PROBLEM,
    RESHAPE,
    SCALE,
    SHAPE_FACTOR,
    SIDE,
    SPREAD,
    STEPS,
    TOTAL,
    TURN,
    TURN_BOTH,
    UNTURNED,
    WHEEL,
)
from unseen.core.kernel import kernel
from unseen.core.random import below

UNLIKE = 0.042  # least difference of two shapes that a rule tells apart
LOPSIDED = 0.027  # least difference of a lopsided shape from itself, turned or flipped
SHAPE_TRIES = 4096  # to find such a shape
INSIDE_TRIES, OTHER_SHAPES, TOUCH_TRIES = 24, 30, 20
LARGEST = 0.85  # size of an object that is larger than the problem's
FINE = 65536  # sizes, places and angles are whole multiples of 1 / FINE
# of clumps: members that are apart stay so, having half as much gap again, and members that touch still do
SCALES = (0.6, 1.25)
STEP = 1.27  # least ratio of two sizes that are told apart
HUE_TRIES = 60  # to find objects whose hues can change places
TINY = 1e-9  # what sums of floats may be off


def with_attributes(records):
    """The same records, whose fields are attributes in plain Python too; numba takes long to recognize such arrays."""
    return records.view(np.dtype((np.record, records.dtype)))


def draw_images_in_python(contours, out, recipes, kept, tries, state, objects):
    """Draw as `draw_images` does."""
    return draw_in_turn(contours, out, with_attributes(recipes), with_attributes(kept), tries, state, objects)


@partial(kernel, plain=draw_images_in_python)
def draw_images(contours, out, recipes, kept, tries, state, objects):
    """Draw the images of a problem, each until its objects find room; returns how many of them did.

    recipes: an array of `RECIPE`. kept: an array of one `KEPT`. objects: (images, MOST, 9). out: room for the outlines
    of an image.
    """
    return draw_in_turn(contours, out, recipes, kept, tries, state, objects)


@kernel
def draw_in_turn(contours, out, recipes, kept, tries, state, objects):
    """Draw images until one finds no room; returns how many did."""
    for k in range(len(recipes)):
        left = tries
        while left > 0 and not draw_image(contours, out, recipes[k], kept[0], k, state, objects[k]):
            left -= 1
        if left == 0:
            return k
    return len(recipes)


@kernel
def draw_image(contours, out, image, kept, place, state, objects):
    """Draw one draft of an image, the number `place` of a problem; returns whether all objects found room."""
    extent, turns = np.zeros(2), np.zeros(MOST)
    draw_extents(image, kept, state, extent)
    draw_sizes(image, kept, extent, state, objects)
    if not draw_shapes(contours, image, kept, state, objects):
        return False
    if not draw_colors(image, kept, state, objects):
        return False
    draw_angles(image, kept, state, objects)
    draw_flips(image, kept, place, state, objects)
    pose(image, kept, state, objects, turns)
    if not correct(contours, image, kept, state, objects):
        return False
    for i in range(image.count):
        objects[i, SIZE] = fine(objects[i, SIZE])
        objects[i, ANGLE] = fine(objects[i, ANGLE] % 360) % 360
    return put_together(contours, out, image, kept, extent, turns, state, objects)


@kernel
def fine(number):
    """The nearest multiple of 1 / FINE."""
    return floor(number * FINE + 0.5) / FINE


@kernel
def within(span, state):
    """A real number within a span."""
    return between(span[0], span[1], state)


# ---------------------------------------------------------------------------- letters


@kernel
def exchange(image, letters, state):
    """Exchange the letters of two objects of different teams, the first of which is not alone with its own."""
    outer, many, others = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    for i in range(image.marked, image.count):
        outer[i] = image.parent[i] == NONE
        for k in range(image.count):
            many[i] |= outer[i] & (k != i) & (letters[k] == letters[i])
    first = one_of(many, state)
    first = one_of(outer, state) if first < 0 else first
    for i in range(image.count):
        others[i] = outer[i] & (letters[i] != letters[first]) & (image.team[i] != image.team[first])
    second = one_of(others, state)
    letters[first], letters[second] = letters[second], letters[first]


@kernel
def one_of(which, state):
    """One of the places that hold 1; -1 where none does."""
    count = 0
    for i in range(len(which)):
        count += which[i]
    left = below(state, max(count, 1))
    for i in range(len(which)):
        left -= which[i]
        if left < 0:
            return i
    return NONE


@kernel
def earlier(letters, i):
    """The first object with the same letter: the object itself where it is the first."""
    for k in range(i):
        if letters[k] == letters[i]:
            return k
    return i


# ---------------------------------------------------------------------------- shapes


@kernel
def draw_shapes(contours, image, kept, state, objects):
    """Give every object the key of its contour."""
    letters = image.shape_letters[: image.count].copy()
    if image.exchange == SHAPE_FACTOR:
        exchange(image, letters, state)
    for i in range(image.count):
        first, letter = earlier(letters, i), letters[i]
        if first < i:
            objects[i, SHAPE] = objects[first, SHAPE]
            continue
        shared = image.shape_level == PROBLEM and letter < image.fresh and not image.shape_anew
        key = kept.shapes[letter] if shared else 0
        if key == 0:
            key = new_shape(contours, image, kept, objects[:i, SHAPE], 0.0, state)
            if key == 0:
                return False
            if shared:
                kept.shapes[letter] = key
        objects[i, SHAPE] = key
    return True


@kernel
def new_shape(contours, image, kept, others, besides, state):
    """The key of a contour; where shapes carry the rule, of one unlike all of the problem and all others but one."""
    known = np.empty(len(others) + MOST, np.int64)
    count = 0
    if image.telling:
        for k in range(MOST + len(others)):
            key = kept.shapes[k] if k < MOST else np.int64(others[k - MOST])
            told = key == 0 or key == besides
            for i in range(count):
                told |= known[i] == key
            if not told:
                known[count] = key
                count += 1
    lopsided = LOPSIDED if image.lopsided and image.telling else 0.0
    return find_key(contours, known[:count], UNLIKE, lopsided, SHAPE_TRIES, state)


# ---------------------------------------------------------------------------- sizes


@kernel
def draw_extents(image, kept, state, extent):
    """Draw how large a layout is that is kept as one thing."""
    if image.place != CONFIG and image.place != COPIED:
        return
    shared = image.extent_level == PROBLEM
    if not shared or kept.extent == 0:
        extent[0] = within(image.extent, state)
        if shared:
            kept.extent = extent[0]
    if shared:
        extent[0] = kept.extent
    extent[1] = extent[0] * within(image.ratio, state)
    if image.swap:
        extent[0], extent[1] = extent[1], extent[0]


@kernel
def draw_sizes(image, kept, extent, state, objects):
    """Give every object its size: from a span, down a ladder of ratios, or as a share of another's."""
    steps, count = np.zeros(MOST), 0
    for i in range(image.count):
        count = max(count, image.size_letters[i] + 1 if sized(image, i) else 0)
    draw_steps(image, kept, count, extent, state, steps)
    for i in range(image.count):
        objects[i, SIZE] = steps[image.size_letters[i]] if sized(image, i) else 0.0
    if image.marker >= 0:
        objects[0, SIZE] = image.marker
    scale = scale_to_sum(image, objects, state) * (within(image.zoom, state) if image.zoom[1] > 0 else 1.0)
    for i in range(image.count):
        objects[i, SIZE] *= scale
    draw_inner_sizes(image, state, objects)


@kernel
def sized(image, i):
    """Whether an object has a size of its own, and no share of another's."""
    return image.inner[1] == 0 or image.measure[i] == NONE


@kernel
def draw_steps(image, kept, count, extent, state, steps):
    """A size for each of so many letters."""
    law = image.law * (extent[0] if image.by_extent else 1.0)
    low, high = image.size_span[0], image.size_span[1]
    if image.size_ratio[1] > 0:
        steps[0] = between(low, high, state) * law
        for k in range(1, count):
            steps[k] = steps[k - 1] * within(image.size_ratio, state)
    elif image.size_across[1] > 0:
        steps[0] = between(low, high, state) * law
        draw_ladder(count, within(image.size_across, state), state, steps)
    elif image.told_apart:  # one in each of as many equal steps
        order = shuffled(count, state)
        for k in range(count):
            steps[k] = low + (high - low) / count * (order[k] + 0.6 * unit(state))
    elif image.size_anew:
        steps[:] = other_size(image, kept, state) * law
    else:
        for k in range(count):
            steps[k] = between(low, high, state)
            if image.size_level == PROBLEM:
                kept.sizes[k] = kept.sizes[k] if kept.sizes[k] > 0 else steps[k]
                steps[k] = kept.sizes[k]
            steps[k] *= law


@kernel
def draw_ladder(count, across, state, steps):
    """Sizes from the first down to one that is smaller by a ratio, each clearly smaller than the one before."""
    least = steps[0] / across  # of the size that is drawn: those below it need room
    for _ in range(count - 2):
        least *= STEP
    for k in range(1, count):
        most = steps[k - 1] / STEP
        steps[k] = between(least, most, state) if k < count - 1 else least
        least /= STEP


@kernel
def other_size(image, kept, state):
    """A size that is a factor smaller than the problem's, or as much larger where there is room."""
    size, ratio = kept.sizes[0], within(image.redrawn, state)
    return size / ratio if below(state, 2) == 1 and size / ratio <= LARGEST else size * ratio


@kernel
def scale_to_sum(image, objects, state):
    """What brings the sum of sizes, or of areas, to a total that is drawn, or the sum under a cap."""
    sizes, areas = 0.0, 0.0
    for i in range(image.count):
        sizes, areas = sizes + objects[i, SIZE], areas + objects[i, SIZE] ** 2
    if image.sum_of == TOTAL:
        return within(image.sum_span, state) / sizes
    if image.sum_of == AREA:
        return within(image.sum_span, state) / sqrt(areas)
    if image.sum_of == CAP:
        return min(1.0, image.sum_span[1] / sizes)
    return 1.0


@kernel
def draw_inner_sizes(image, state, objects):
    """Sizes that are shares of others': of the pair in common, of all in common, or each by itself."""
    shares, smallest = np.zeros(MOST), inf
    for i in range(image.count):
        smallest = min(smallest, objects[i, SIZE] if sized(image, i) else inf)
    for i in range(image.count):
        if sized(image, i):
            continue
        shares[i] = within(image.inner, state) / image.inner_over
        for k in range(i - 1, -1, -1):
            paired = image.pair[i] >= 0 and image.pair[k] == image.pair[i]
            if not sized(image, k) and (image.inner_alike or paired):
                shares[i] = shares[k]
        objects[i, SIZE] = shares[i] * (smallest if image.inner_of_smallest else objects[image.measure[i], SIZE])


# ---------------------------------------------------------------------------- colors


@kernel
def draw_colors(image, kept, state, objects):
    """Give every object hue, saturation and value; whether contents could have other hues, where they must."""
    letters = image.color_letters[: image.count].copy()
    if image.exchange == COLOR_FACTOR:
        exchange(image, letters, state)
    if image.hued:
        if not draw_hues(image, kept, letters, state, objects):
            return False
        draw_shades(image, kept, state, objects)
    else:
        for i in range(image.count):
            if earlier(letters, i) == i:
                draw_color(image, kept, letters[i], state, objects[i])
            else:
                copy(objects[earlier(letters, i), HUE:], objects[i, HUE:])
    if image.black:
        copy(np.zeros(3), objects[0, HUE:])
    return True


@kernel
def draw_color(image, kept, letter, state, one):
    """The color of a letter, drawn on first use."""
    shared = image.color_level == PROBLEM
    if shared and kept.colored[letter]:
        copy(kept.colors[letter], one[HUE:])
        return
    one[HUE] = unit(state)
    one[SATURATION], one[VALUE] = within(image.saturation, state), within(image.brightness, state)
    if shared:
        kept.colored[letter] = 1
        copy(one[HUE:], kept.colors[letter])


@kernel
def draw_shades(image, kept, state, objects):
    """Saturation and value of every object, or one of each for the whole problem."""
    if image.shade_shared and kept.shade[1] == 0:
        kept.shade[0], kept.shade[1] = within(image.saturation, state), within(image.brightness, state)
    for i in range(image.count):
        objects[i, SATURATION], objects[i, VALUE] = within(image.saturation, state), within(image.brightness, state)
        if image.shade_shared:
            objects[i, SATURATION], objects[i, VALUE] = kept.shade[0], kept.shade[1]


@kernel
def draw_hues(image, kept, letters, state, objects):
    """The hue of every object: letters have hues that are a gap apart; whether hues could change places."""
    gap = image.hue_gap
    palette = np.empty(MOST)
    if image.hue_of_parent:
        for i in range(image.count):
            palette[i] = unit(state)
    elif image.color_anew:
        palette[:] = (kept.hues[0] + between(gap, 1 - gap, state)) % 1
    else:
        space_out(1 + largest(letters), gap, state, palette)
        if image.color_level == PROBLEM:
            if not kept.hued:
                copy(palette, kept.hues)
                kept.hued = 1
            copy(kept.hues, palette)
        if image.hue_fresh:
            palette[1] = (palette[0] + between(gap, 1 - gap, state)) % 1
    for i in range(image.count):
        objects[i, HUE] = palette[letters[i]]
    return image.hue_unlike == 0 or move_hues(image, state, objects)


@kernel
def move_hues(image, state, objects):
    """Find other hues for contents among those of containers, or of empty objects where there is one container only.

    No hue is rarer or more frequent for that. Returns whether there are any; regular images, whose contents keep their
    hues, are held to the same, so that nothing else is told by hues.
    """
    contents, others = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    count = left = 0
    for i in range(image.count):
        if image.parent[i] != NONE:
            contents[count], count = i, count + 1
    for i in range(image.count):
        alone = image.parent[i] == NONE and i != image.parent[contents[0]]
        if (count > 1 and image.parent[i] != NONE) or (count == 1 and alone):
            others[left], left = i, left + 1
    found = np.empty(MOST)
    for _ in range(HUE_TRIES):
        shuffle(others, left, state)
        serves = True
        for k in range(count):
            found[k] = objects[others[k], HUE]
            apart = abs(found[k] - objects[contents[k], HUE])
            serves = serves and min(apart, 1 - apart) >= image.hue_unlike
        if serves:
            for k in range(count if image.hue_moved else 0):
                objects[contents[k], HUE] = found[k]
            return True
    return False


@kernel
def largest(letters):
    """The last letter that occurs."""
    last = 0
    for letter in letters:
        last = max(last, letter)
    return last


@kernel
def space_out(count, gap, state, found):
    """Numbers on a circle of length 1, each at least a gap from every other, in any order."""
    total = 0.0
    for k in range(count):
        found[k] = unit(state) + 1e-9
        total += found[k]
    share, at = (1 - count * gap) / total, unit(state)
    for k in range(count):
        at += gap + share * found[k]
        found[k] = at % 1
    shuffle(found, count, state)


# ---------------------------------------------------------------------------- angles and flips


@kernel
def draw_angles(image, kept, state, objects):
    """Give every object its angle, in degrees: none, its own, given values, or equal steps from a free beginning."""
    angles = objects[: image.count, ANGLE]
    if image.angle_kind == STEPS:
        step, begins = within(image.angle_span, state), np.empty(MOST)
        for i in range(image.count):
            begins[i] = 360 * unit(state)
        for i in range(image.count):
            angles[i] = begins[image.begin[i]] + step * image.rank[i]
    elif image.angle_kind == WHEEL:
        letters, wheel = image.angle_letters[: image.count].copy(), np.empty(MOST)
        if image.exchange == ANGLE_FACTOR:
            exchange(image, letters, state)
        space_out(image.count, image.angle_gap / 360, state, wheel)
        if image.angle_level == PROBLEM:
            if not kept.wheeled:
                copy(wheel, kept.wheel)
                kept.wheeled = 1
            copy(kept.wheel, wheel)
        for i in range(image.count):
            angles[i] = 360 * wheel[letters[i]]
    else:
        for i in range(image.count):
            angles[i] = within(image.angle_span, state) if image.angle_kind == EACH else image.angle_values[i]


@kernel
def draw_flips(image, kept, place, state, objects):
    """Say of every object whether it is mirrored: each at random, two images of four, or by a pattern."""
    if image.flip_kind == SPREAD and kept.flips == 0:
        kept.flips = 0b0001 << below(state, 4)
        while kept.flips & (kept.flips - 1) == 0:  # a second image
            kept.flips |= 0b0001 << below(state, 4)
    base = below(state, 2)
    for i in range(image.count):
        if image.flip_kind == UNTURNED:
            objects[i, FLIP] = 0
        elif image.flip_kind == EACH:
            objects[i, FLIP] = below(state, 2)
        elif image.flip_kind == SPREAD:
            objects[i, FLIP] = kept.flips >> place & 1
        else:
            objects[i, FLIP] = base ^ image.flip_letters[i] & 1


# ---------------------------------------------------------------------------- poses


@kernel
def pose(image, kept, state, objects, turns):
    """Turn and flip objects as their place demands; `turns` keeps what is drawn for that."""
    if image.place == MIRROR:
        pose_mirrored(image, kept, state, objects, turns)
    elif image.place == ORBIT:
        for k in range((image.count - image.marked) // 2):
            first = image.marked + 2 * k
            turns[k] = image.turn if image.about == MARKER else between(50.0, 310.0, state)
            objects[first + 1, ANGLE] = objects[first, ANGLE] + turns[k]
            objects[first + 1, SIZE] = objects[first, SIZE]
    elif image.place == MOTIFS:
        pose_motifs(image, state, objects, turns)
    elif image.place == COPIED and image.turned:
        turns[0] = between(40.0, 320.0, state)
        for i in range(image.count):
            objects[i, ANGLE] += turns[0] * image.group[i]


@kernel
def reflect(one, other, axis):
    """Make an object the mirror image of another in a line of direction `axis`.

    Turning by a, flipped or not, then reflecting is flipping, then turning by 2 axis - a + 180.
    """
    other[ANGLE], other[FLIP] = 2 * axis - one[ANGLE] + 180, 1 - one[FLIP]


@kernel
def pose_mirrored(image, kept, state, objects, turns):
    """The second of each pair is the mirror image of the first in the axis, unless pairs have other roles."""
    if image.axis == FREE or image.axis == JOINING:
        turns[0] = 180 * unit(state)
    elif image.axis == DRAWN:
        turns[0] = image.normal + 90
    else:
        if kept.upright == 0:
            kept.upright = 1 + below(state, 2)
        turns[0] = 90.0 if image.axis == MIDDLE or kept.upright == 2 else 0.0
    for first in range(image.marked, image.count, 2):
        one, other = objects[first], objects[first + 1]
        filled = image.parent[first] != NONE
        for i in range(image.count):
            filled |= image.parent[i] == first
        if not image.roles or filled != (image.swap > 0):
            reflect(one, other, turns[0])
        else:
            other[ANGLE], other[FLIP] = one[ANGLE], one[FLIP]
        if image.axis != JOINING:
            other[SIZE] = one[SIZE]


@kernel
def pose_motifs(image, state, objects, turns):
    """The second container and its contents are the first two under a motion, all but what the odd image moves."""
    turns[0] = 360 * unit(state)
    for first in range(2):
        one, other = objects[first], objects[first + 2]
        if image.motion == TURN:
            other[ANGLE], other[FLIP] = one[ANGLE] + turns[0], one[FLIP]
        else:
            reflect(one, other, 90.0)
    if image.moved:
        moved = objects[2 if image.moved == OUTER else 3]
        if image.motion == TURN:
            moved[ANGLE] += either_way(60.0, 180.0, state)
        else:
            moved[FLIP] = 1 - moved[FLIP]
            moved[ANGLE] += between(-30.0, 30.0, state)


@kernel
def either_way(low, high, state):
    """A turn within a span, to the left or to the right."""
    return between(low, high, state) * (1 - 2 * below(state, 2))


@kernel
def correct(contours, image, kept, state, objects):
    """Change single objects as the scene asks for."""
    which, low, high = image.after_which, image.after_span[0], image.after_span[1]
    if image.after == SCALE:
        objects[which, SIZE] *= between(low, high, state)
    elif image.after == TURN:
        objects[which, ANGLE] += either_way(low, high, state)
    elif image.after == TURN_BOTH:
        by = either_way(low, high, state)
        objects[which, ANGLE], objects[which + 1, ANGLE] = objects[which, ANGLE] + by, objects[which + 1, ANGLE] + by
    elif image.after == FLIP_FACTOR:
        objects[which, FLIP] = 1 - objects[which, FLIP]
    elif image.after == RESHAPE:  # of so many pairs, one object each
        pairs = shuffled(image.count // 2, state)
        for k in range(int(low) + below(state, int(high - low) + 1)):
            key = new_shape(contours, image, kept, objects[:0, SHAPE], 0.0, state)
            if key == 0:
                return False
            objects[2 * pairs[k] + below(state, 2), SHAPE] = key
    elif image.after == MIRROR_CHILDREN or image.after == COPY_CHILDREN:  # of their containers, a little turned
        for i in range(image.count):
            if image.parent[i] != NONE:
                container, mirrored = objects[image.parent[i]], image.after == MIRROR_CHILDREN
                objects[i, FLIP] = 1 - container[FLIP] if mirrored else container[FLIP]
                objects[i, ANGLE] = between(low, high, state) + (-container[ANGLE] if mirrored else container[ANGLE])
    return True


# ---------------------------------------------------------------------------- putting together


@kernel
def put_together(contours, out, image, kept, extent, turns, state, objects):
    """Put contents in containers, clumps together and all in the frame; whether there was room."""
    count = image.count
    offsets, boxes = np.zeros((count, 2)), np.empty((count, 4))
    outlines(contours, objects[:count], out)
    if image.filled and not put_inside(contours, out, image, kept, turns, state, objects, offsets):
        return False
    if image.touching and not bring_together(out, image, state, offsets):
        return False
    holders = image.holder[:count]
    extents(out.boxes, holders, offsets, boxes)
    roots = roots_of(holders)
    if image.fit[1] > 0 and not scale_bodies(image, roots, state, objects, offsets, boxes):
        return False
    bodies, centers, all_centers = rows_at(boxes, roots), np.empty((len(roots), 2)), np.empty((count, 2))
    if not arrange(image, kept, extent, turns, objects, roots, bodies, state, centers):
        return False
    if not in_place(bodies, centers, EDGE - TINY, GAP - TINY):
        return False
    for k in range(len(roots)):
        all_centers[roots[k], 0], all_centers[roots[k], 1] = centers[k, 0], centers[k, 1]
    settle(holders, offsets, all_centers)
    for i in range(count):
        objects[i, X], objects[i, Y] = fine(all_centers[i, 0]), fine(all_centers[i, 1])
    return True


@kernel
def roots_of(holders):
    """The first object of each body."""
    roots, count = np.empty(len(holders), np.int64), 0
    for i in range(len(holders)):
        if holders[i] == NONE:
            roots[count] = i
            count += 1
    return roots[:count]


@kernel
def put_inside(contours, out, image, kept, turns, state, objects, offsets):
    """Find places for contents in their containers; whether there are any."""
    count = image.count
    windows, parents, models = np.zeros((count, 4)), image.parent[:count].copy(), np.full(count, NONE)
    model = NONE
    for i in range(count):
        windows[i, 1], windows[i, 3] = 1.0, 1.0
        if image.window == SIDE:
            low = 0.0 if image.side < 0 else 0.64
            windows[i, 2 * image.axis], windows[i, 2 * image.axis + 1] = low, low + 0.36
        if parents[i] != NONE and image.place == MOTIFS:  # the second lies as the first
            models[i], model = model, i if model == NONE else NONE
            parents[i] = parents[i] if models[i] == NONE else NONE
    tries, first = 0, 0
    failed = insert(out, parents, first, windows, GAP, INSIDE_TRIES, state, offsets)
    while failed >= 0:
        tries += 1
        container = parents[failed]
        first = reshape_container(contours, out, image, kept, container, state, objects) if tries < OTHER_SHAPES else -1
        if first < 0:
            return False
        failed = insert(out, parents, first, windows, GAP, INSIDE_TRIES, state, offsets)
    if image.window == ALONG and not lies_along(image.axis, objects[0, SIZE], offsets):
        return False
    for i in range(count):
        if models[i] != NONE and not follow(out, image, i, models[i], turns[0], state, objects, offsets):
            return False
    return True


@kernel
def reshape_container(contours, out, image, kept, container, state, objects):
    """Give a container that does not hold its contents another shape, if it is the image's own.

    Returns the first object that must find its place once more, -1 if the shape may not change.
    """
    if image.shape_level == PROBLEM:
        return -1
    keys, first = objects[: image.count, SHAPE], -1
    old = keys[container]
    key = new_shape(contours, image, kept, keys, old, state)
    if key == 0:
        return -1
    for i in range(image.count):
        if keys[i] == old:  # others may have the same shape
            keys[i] = key
            outline(contours, objects, out, i)
    for i in range(image.count - 1, -1, -1):
        if image.parent[i] != NONE and (keys[i] == key or keys[image.parent[i]] == key):
            first = i
    return first


@kernel
def lies_along(axis, size, offsets):
    """Whether two inner objects lie along the axis of their container rather than across it."""
    along, across = abs(offsets[1, axis] - offsets[2, axis]), abs(offsets[1, 1 - axis] - offsets[2, 1 - axis])
    return along - across >= 0.14 * size


@kernel
def follow(out, image, inner, model, angle, state, objects, offsets):
    """Put an object in its container as another lies in its own, turned or mirrored; whether it fits there."""
    parent = image.parent[inner]
    scale = objects[parent, SIZE] / objects[image.parent[model], SIZE]
    x, y = offsets[model, 0] * scale, offsets[model, 1] * scale
    if image.motion == TURN:
        c, s = turn(angle)
        x, y = c * x - s * y, s * x + c * y
    else:
        x = -x
    box = out.boxes[parent]
    across, down = (x - box[0]) / (box[2] - box[0]), (y - box[1]) / (box[3] - box[1])
    windows, parents = np.zeros((image.count, 4)), np.full(image.count, NONE, np.int8)
    parents[inner] = parent
    windows[inner, 0], windows[inner, 1] = across - TINY, across + TINY
    windows[inner, 2], windows[inner, 3] = down - TINY, down + TINY
    return insert(out, parents, inner, windows, GAP, 1, state, offsets) < 0


@kernel
def bring_together(out, image, state, offsets):
    """Slide the members of clumps together; whether all found a place."""
    inside, angles = offsets.copy(), np.full(image.count, image.direction)
    gap = 1.5 * GAP if image.fit[1] > 0 else GAP  # where clumps may be scaled down
    clumps, partners = image.clump[: image.count], image.partner[: image.count]
    if touch(out, clumps, partners, angles, gap, TOUCH_TRIES, state, offsets) >= 0:
        return False
    for i in range(image.count):
        if image.parent[i] != NONE:
            offsets[i, 0], offsets[i, 1] = inside[i, 0], inside[i, 1]
    return True


@kernel
def scale_bodies(image, roots, state, objects, offsets, boxes):
    """Scale each body so that its longer side is what is drawn for it, whatever it is made of."""
    for root in roots:
        members = 0
        for i in range(image.count):
            members += image.clump[i] == root
        longer = max(boxes[root, 2] - boxes[root, 0], boxes[root, 3] - boxes[root, 1])
        scale = within(image.fit, state) / sqrt(len(roots)) * (image.lone if members == 1 else 1.0) / longer
        if members > 1 and not SCALES[0] <= scale <= SCALES[1]:
            return False
        for k in range(4):
            boxes[root, k] *= scale
        for i in range(image.count):
            if image.clump[i] == root:
                objects[i, SIZE] = fine(objects[i, SIZE] * scale)
                offsets[i, 0], offsets[i, 1] = offsets[i, 0] * scale, offsets[i, 1] * scale
    return True
