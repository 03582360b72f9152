"""Flat polygons with patterns and materials, drawn one over the other.

Styles are int64 (polygons, FIELDS): two colors as 0xRRGGBB, numbers of a pattern and a material, the left and top of
the thing in the scene's pixels, and whether there is a line around it.
"""

from __future__ import annotations

import math

import numpy as np

from unseen.core.kernel import kernel

FIELDS = 7
FILL, SECOND, PATTERN, MATERIAL, LEFT, TOP, LINED = range(FIELDS)
STRIPED, CHECKERED, DOTTED = range(1, 4)  # as in the drawing's tables; a test compares
WOOD, METAL, WICKER, STONE, PLASTIC, GLASS, CARDBOARD, LEATHER, PAPER, CLAY, PORCELAIN = range(1, 12)
INK = 0x33363B
LINE = 0.55  # half the width of lines, in the scene's pixels
CORNERS = 64  # most of a polygon


@kernel
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
            last = min(canvas.shape[1], math.ceil(crossings[k + 1] - 0.5))
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
    """The color at a place of the scene: the pattern chooses one of two, the material makes it lighter or darker."""
    color = style[FILL]
    u, v = x - style[LEFT], y - style[TOP]
    if style[PATTERN] == STRIPED and v % 8.0 < 3.0:
        color = style[SECOND]
    elif style[PATTERN] == CHECKERED and (u % 10.0 < 5.0) != (v % 10.0 < 5.0):
        color = style[SECOND]
    elif style[PATTERN] == DOTTED and (u % 8.0 - 4.0) ** 2 + (v % 8.0 - 4.0) ** 2 < 4.0:
        color = style[SECOND]
    change = texture(style[MATERIAL], u, v)
    if change == 0:
        return color
    toward = 255 if change > 0 else 0
    amount = abs(change)
    red, green, blue = color >> 16, color >> 8 & 255, color & 255
    red += (toward - red) * amount // 100
    green += (toward - green) * amount // 100
    blue += (toward - blue) * amount // 100
    return red << 16 | green << 8 | blue


@kernel
def texture(material, u, v):
    """How much lighter, or darker where negative, a material makes a place, in percent."""
    if material == WOOD:  # grain
        return -35 if (v + 1.5 * math.floor(u / 17.0 % 2.0)) % 5.0 < 1.2 else 0
    if material == METAL:  # gloss, aslant
        return 60 if (u + v) % 22.0 < 5.0 else 0
    if material == WICKER:  # weave
        return -45 if (u + v) % 6.0 < 1.5 or (u - v) % 6.0 < 1.5 else 0
    if material == STONE:  # blocks
        return -45 if v % 9.0 < 1.3 or (u + 7.0 * math.floor(v / 9.0 % 2.0)) % 14.0 < 1.3 else 0
    if material == GLASS:  # pale, with two reflections
        return 85 if 4.0 < (u - v * 0.4) % 24.0 < 7.0 else 30
    if material == CARDBOARD:  # ribs
        return -25 if u % 4.0 < 1.2 else 0
    if material == LEATHER:  # stitches
        return -55 if v % 9.0 < 1.3 and u % 4.0 < 2.4 else 0
    if material == PAPER:  # folds
        return 45 if (u - v) % 16.0 < 1.4 else 0
    if material == CLAY:  # turned on a wheel
        return -30 if v % 4.0 < 1.6 else 0
    if material == PORCELAIN:  # one broad reflection
        return 70 if 3.0 < u % 40.0 < 6.0 else 0
    return 0
