"""Flat polygons with patterns and materials, drawn one over the other.

Styles are int64 (polygons, FIELDS): two colors as 0xRRGGBB, numbers of a pattern and a material, the left and top of
the thing in the scene's pixels, and whether there is a line around it.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from unseen.core.kernel import kernel

FIELDS = 7
FILL, SECOND, PATTERN, MATERIAL, LEFT, TOP, LINED = range(FIELDS)
STRIPED, CHECKERED, DOTTED = range(1, 4)  # as in the drawing's tables; a test compares
WOOD, METAL, WICKER, STONE, PLASTIC, GLASS, CARDBOARD, LEATHER, PAPER, CLAY, PORCELAIN = range(1, 12)
INK = 0x33363B
LIGHT = 600  # red, green and blue together, from which on a color is light
LINE = 0.55  # half the width of lines, in the scene's pixels
CORNERS = 64  # most of a polygon


def _painted(points, starts, styles, scale, canvas):
    """Paint in NumPy: find which layer is on top of each pixel, then color each layer's pixels.

    A layer is a polygon, or the lines around one. All layers are filled at once, as polygons in the order of painting.
    """
    sizes = np.diff(starts)
    polygon = np.repeat(np.arange(len(styles)), sizes)
    following = np.arange(1, len(points) + 1)
    following[starts[1:][sizes > 0] - 1] = starts[:-1][sizes > 0]
    sides = np.stack([points, points[following]], axis=1)
    lined = styles[polygon, LINED] != 0
    around, kept = _thickened(sides[lined], LINE * scale)
    sides = np.concatenate([sides, around])
    layer = np.concatenate([2 * polygon, np.repeat(2 * polygon[lined][kept] + 1, 4)])
    # each line is a polygon of its own: even-odd holds for one at a time
    own = np.concatenate([polygon, len(styles) + np.arange(len(around)) // 4])
    on_top = _topmost(sides, layer, own, canvas.shape[:2])
    inks = np.stack([styles[:, FILL], np.full(len(styles), INK)], axis=1).reshape(-1)
    np.copyto(canvas, _channels(inks)[on_top], where=(on_top >= 0)[:, :, None])
    for i in np.flatnonzero(styles[:, PATTERN] | styles[:, MATERIAL]).tolist():
        y, x = np.nonzero(on_top == 2 * i)
        canvas[y, x] = _channels(shade(styles[i], (x + 0.5) / scale, (y + 0.5) / scale))


def _channels(colors):
    """Red, green and blue, uint8."""
    return (colors[:, None] >> np.array((16, 8, 0)) & 255).astype(np.uint8)


def _thickened(sides, half):
    """The sides of rectangles around lines, and which lines have a length."""
    along = sides[:, 1] - sides[:, 0]
    length = np.sqrt(along[:, 0] * along[:, 0] + along[:, 1] * along[:, 1])
    kept = length >= 1e-6
    start, end, along = sides[kept, 0], sides[kept, 1], along[kept] / length[kept, None] * half
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    quads = np.stack([start - along - across, start - along + across, end + along + across, end + along - across], 1)
    return np.stack([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 2, 2), kept


def _topmost(sides, layer, own, shape):
    """The highest layer at each pixel, -1 where there is none; pixels are inside between odd and even crossings."""
    height, width = shape
    edges = np.clip(np.ceil(sides[:, :, 1] - 0.5), 0, height).astype(np.int64)
    first, count = edges.min(axis=1), np.abs(edges[:, 1] - edges[:, 0])
    side = np.repeat(np.arange(len(sides)), count)
    row = first[side] + _counted(count)
    (x0, y0), (x1, y1) = sides[side, 0].T, sides[side, 1].T
    at = x0 + (row + 0.5 - y0) * (x1 - x0) / (y1 - y0)
    column = np.clip(np.ceil(at - 0.5), 0, width).astype(np.int64)
    order = np.lexsort((column, row, own[side], layer[side]))
    begin, end = (row * width + column)[order].reshape(-1, 2).T
    length = end - begin
    on_top = np.full(height * width, -1, np.int32)
    painted = layer[side][order][::2].astype(np.int32)
    on_top[np.repeat(begin, length) + _counted(length)] = np.repeat(painted, length)  # of several the last one stays
    return on_top.reshape(shape)


def _counted(lengths):
    """0, 1, 2, ... for each of some lengths, one after the other."""
    return np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)


@partial(kernel, plain=_painted)
def paint(points, starts, styles, scale, canvas):
    """Fill polygons one over the other; points are on the canvas, `scale` canvas pixels to a pixel of the scene."""
    quad = np.empty((4, 2))
    plain = np.zeros(FIELDS, np.int64)
    plain[FILL] = INK
    for i in range(len(styles)):
        corners = points[starts[i] : starts[i + 1]]
        fill(corners, styles[i], scale, canvas)
        if styles[i, LINED]:
            for k in range(len(corners)):
                if thicken(corners[k], corners[(k + 1) % len(corners)], LINE * scale, quad):
                    fill(quad, plain, scale, canvas)


@kernel
def thicken(start, end, half, quad):
    """A line as a rectangle that reaches beyond both ends; returns whether it has a length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-6:
        return False
    dx, dy = dx / length * half, dy / length * half
    quad[0, 0], quad[0, 1] = start[0] - dx - dy, start[1] - dy + dx
    quad[1, 0], quad[1, 1] = start[0] - dx + dy, start[1] - dy - dx
    quad[2, 0], quad[2, 1] = end[0] + dx + dy, end[1] + dy - dx
    quad[3, 0], quad[3, 1] = end[0] + dx - dy, end[1] + dy + dx
    return True


@kernel
def fill(points, style, scale, canvas):
    """Color the pixels whose middle is inside a polygon, by the even-odd rule."""
    low, high = points[0, 1], points[0, 1]
    for k in range(1, len(points)):
        low, high = min(low, points[k, 1]), max(high, points[k, 1])
    crossings = np.empty(CORNERS)
    flat = style[PATTERN] == 0 and style[MATERIAL] == 0
    for row in range(max(0, math.ceil(low - 0.5)), min(len(canvas), math.ceil(high - 0.5))):
        count = cross(points, row + 0.5, crossings)
        for k in range(0, count - 1, 2):
            first = max(0, math.ceil(crossings[k] - 0.5))
            last = max(first, min(canvas.shape[1], math.ceil(crossings[k + 1] - 0.5)))
            if flat:
                for channel in range(3):
                    canvas[row, first:last, channel] = style[FILL] >> (16 - 8 * channel) & 255
                continue
            for column in range(first, last):
                color = shade(style, (column + 0.5) / scale, (row + 0.5) / scale)
                for channel in range(3):
                    canvas[row, column, channel] = color >> (16 - 8 * channel) & 255


@kernel
def cross(points, y, crossings):
    """Where a horizontal line crosses a polygon, from left to right; returns how many times."""
    count = 0
    for k in range(len(points)):
        x0, y0 = points[k, 0], points[k, 1]
        x1, y1 = points[(k + 1) % len(points), 0], points[(k + 1) % len(points), 1]
        if (y0 <= y) == (y1 <= y):
            continue
        x = x0 + (y - y0) * (x1 - x0) / (y1 - y0)
        at = count
        while at > 0 and crossings[at - 1] > x:
            crossings[at] = crossings[at - 1]
            at -= 1
        crossings[at] = x
        count += 1
    return count


@kernel
def shade(style, x, y):
    """The color at a place of the scene: the pattern chooses one of two, the material makes it lighter or darker.

    There are no branches here but by the style, so that in NumPy it is the color at many places.
    """
    u, v = x - style[LEFT], y - style[TOP]
    color = style[FILL] + (style[SECOND] - style[FILL]) * pattern(style[PATTERN], u, v)
    change = texture(style[MATERIAL], u, v)
    # a light that is lighter than white is not seen, so on light colors it is a shadow
    light = (style[FILL] >> 16) + (style[FILL] >> 8 & 255) + (style[FILL] & 255) > LIGHT
    change = change - 2 * light * change * (change > 0)
    toward, amount = 255 * (change > 0), abs(change)
    red, green, blue = color >> 16, color >> 8 & 255, color & 255
    red = red + (toward - red) * amount // 100
    green = green + (toward - green) * amount // 100
    blue = blue + (toward - blue) * amount // 100
    return red << 16 | green << 8 | blue


@kernel
def pattern(number, u, v):
    """Whether a pattern has its second color at a place: 1 or 0."""
    if number == STRIPED:
        return 1 * (v % 8.0 < 3.0)
    if number == CHECKERED:
        return 1 * ((u % 10.0 < 5.0) != (v % 10.0 < 5.0))
    if number == DOTTED:
        return 1 * ((u % 8.0 - 4.0) ** 2 + (v % 8.0 - 4.0) ** 2 < 4.0)
    return 0 * (u < 0)


@kernel
def texture(material, u, v):
    """How much lighter, or darker where negative, a material makes a place, in percent."""
    if material == WOOD:  # grain
        return -35 * ((v + 1.5 * np.floor(u / 17.0 % 2.0)) % 5.0 < 1.2)
    if material == METAL:  # gloss, aslant
        return 60 * ((u + v) % 22.0 < 5.0)
    if material == WICKER:  # weave
        return -45 * (((u + v) % 6.0 < 1.5) | ((u - v) % 6.0 < 1.5))
    if material == STONE:  # blocks
        return -45 * ((v % 9.0 < 1.3) | ((u + 7.0 * np.floor(v / 9.0 % 2.0)) % 14.0 < 1.3))
    if material == GLASS:  # pale, with two reflections
        aslant = (u - v * 0.4) % 24.0
        return 30 + 55 * ((aslant > 4.0) & (aslant < 7.0))
    if material == CARDBOARD:  # ribs
        return -25 * (u % 4.0 < 1.2)
    if material == LEATHER:  # stitches
        return -55 * ((v % 9.0 < 1.3) & (u % 4.0 < 2.4))
    if material == PAPER:  # folds
        return 45 * ((u - v) % 16.0 < 1.4)
    if material == CLAY:  # turned on a wheel
        return -30 * (v % 4.0 < 1.6)
    if material == PORCELAIN:  # one broad reflection
        return 70 * ((u % 40.0 > 3.0) & (u % 40.0 < 6.0))
    return 0 * (u < 0)


def _shrunk(canvas, times, out):
    """Shrink in NumPy: the sums of rows, then of columns."""
    rows = np.zeros((len(out), *canvas.shape[1:]), np.uint16)
    total = np.full(out.shape, times**2 // 2, np.uint16)
    for i in range(times):
        rows += canvas[i::times]
    for i in range(times):
        total += rows[:, i::times]
    out[:] = total // times**2


@partial(kernel, plain=_shrunk)
def shrink(canvas, times, out):
    """The mean of every `times` by `times` pixels, rounded to the nearest."""
    means = ((np.arange(255 * times**2 + 1) + times**2 // 2) // times**2).astype(np.uint8)  # to divide seldom
    line = np.empty(canvas.shape[1] * 3, np.int64)
    for row in range(len(out)):
        line[:] = 0
        for y in range(times * row, times * row + times):
            line += canvas[y].reshape(-1)
        for column in range(out.shape[1]):
            for channel in range(3):
                total = 0
                for x in range(times * column, times * column + times):
                    total += line[3 * x + channel]
                out[row, column, channel] = means[total]
