"""Objects drawn as pixels."""

from __future__ import annotations

from functools import partial
from math import ceil, floor, inf, sqrt

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import (
    ANGLE,
    FLIP,
    HUE,
    SATURATION,
    SHAPE,
    SIZE,
    VALUE,
    VERTICES,
    X,
    Y,
    located,
    pose,
)
from unseen.core.kernel import kernel

PIXEL = 1 / 128  # of the published images
OUTLINE, SMOOTH, FILLED = range(3)  # styles


@kernel
def rgb(hue, saturation, value, color):
    """A color of hue, saturation and value, all from 0 to 1, in bytes."""
    for channel in range(3):
        at = (5 - 2 * channel + hue * 6) % 6
        level = value * (1 - saturation * max(0.0, min(at, 4 - at, 1.0)))
        color[channel] = floor(level * 255 + 0.5)


@kernel
def ink(contours, counts, objects, style, canvas):
    """Draw the objects of several panels, in order, on white.

    counts: how many objects there are on each image of the canvas (panels, side, side, 3). objects: (n, 9), in the
    columns of `scene.Object`. style: OUTLINE for lines of one pixel through floor((outline + center) * side); SMOOTH
    for soft lines, as wide as those of the published images against the side; FILLED for lines as in OUTLINE, over pale
    insides of all objects.
    """
    canvas.reshape(-1)[:] = 255  # in one run: an axis of three colors is a slow loop
    points, color = contours.spare[0], np.empty(3, np.uint8)
    for fills in range(1 if style == FILLED else 0, -1, -1):
        i = 0
        for panel in range(len(counts)):
            for _ in range(counts[panel]):
                length = pose_on(contours, objects[i], canvas.shape[1], points)
                rgb(objects[i, HUE], objects[i, SATURATION], objects[i, VALUE], color)
                if fills == 1:
                    draw_inside(points, length, color, canvas[panel])
                elif style == SMOOTH:
                    draw_smooth(points, length, color, canvas[panel])
                else:
                    draw_line(points, length, color, canvas[panel])
                i += 1


@kernel
def pose_on(contours, one, side, points):
    """The outline of an object in pixels; returns its number of vertices."""
    slot = located(contours, np.int64(one[SHAPE]))
    length = contours.lengths[slot]
    pose(contours.points[slot], length, one[SIZE], one[ANGLE], one[FLIP], points)
    move_and_scale(points, length, one[X], one[Y], side)
    return length


def move_and_scale_at_once(points, length, x, y, side):
    """Move and scale as `move_and_scale` does."""
    points[0, :length], points[1, :length] = (points[0, :length] + x) * side, (points[1, :length] + y) * side


@partial(kernel, plain=move_and_scale_at_once)
def move_and_scale(points, length, x, y, side):
    """Vertices around a center at (x, y), in units of which the image has `side`."""
    for k in range(length):
        points[0, k], points[1, k] = (points[0, k] + x) * side, (points[1, k] + y) * side


def line(points, length, color, image):
    """A closed line of 8-connected pixels: vertices first, then Bresenham's lines between those that are no neighbors.

    What can be done for many vertices at once is in loops of its own, for the compiler to make vector code of. Indices
    without a sign need not be looked at for whether they count from the end.
    """
    side = len(image)
    last = np.int32(side - 1)
    red, green, blue = color[0], color[1], color[2]
    columns, rows, steps = np.empty(VERTICES, np.int32), np.empty(VERTICES, np.int32), np.empty(VERTICES, np.int32)
    outside = np.int32(0)
    for k in range(length):
        columns[k], rows[k] = np.int32(np.floor(points[0, k])), np.int32(np.floor(points[1, k]))
        outside |= columns[k] | rows[k] | (last - columns[k]) | (last - rows[k])
    inside = outside >= 0
    steps[0] = max(abs(columns[0] - columns[length - 1]), abs(rows[0] - rows[length - 1]))
    for k in range(1, length):
        steps[k] = max(abs(columns[k] - columns[k - 1]), abs(rows[k] - rows[k - 1]))
    for k in range(length if inside else 0):
        x, y = np.uint32(columns[k]), np.uint32(rows[k])
        image[y, x, 0], image[y, x, 1], image[y, x, 2] = red, green, blue
    for k in range(length):
        if steps[k] <= 1 and inside:
            continue
        x, y = columns[k - 1 if k > 0 else length - 1], rows[k - 1 if k > 0 else length - 1]
        dx, dy, longer = columns[k] - x, rows[k] - y, steps[k]
        across = down = (longer - 1) // 2  # of a step aside, in parts of which `longer` make one
        for _ in range(longer - 1 if inside else longer):
            across, down = across + abs(dx), down + abs(dy)
            if across >= longer:
                x, across = x + (1 if dx > 0 else -1), across - longer
            if down >= longer:
                y, down = y + (1 if dy > 0 else -1), down - longer
            if inside or (0 <= x < side and 0 <= y < side):
                image[np.uint32(y), np.uint32(x), 0] = red
                image[np.uint32(y), np.uint32(x), 1] = green
                image[np.uint32(y), np.uint32(x), 2] = blue


def line_at_once(points, length, color, image):
    """Draw as `draw_line` does: at once where every edge goes to the next pixel, or stays."""
    ends = np.floor(points[:, :length]).astype(np.int64)
    if (abs(ends - np.roll(ends, 1, axis=1)) > 1).any():
        line(points, length, color, image)
        return
    columns, rows = ends[:, ((ends >= 0) & (ends < len(image))).all(axis=0)]
    image[rows, columns] = color


draw_line = kernel(line, plain=line_at_once)


@kernel
def frame(points, length, margin, side):
    """The pixels that a line may color: first row, end of rows, first column, end of columns."""
    left, right, top, bottom = inf, -inf, inf, -inf
    for k in range(length):
        left, right = min(left, points[0, k]), max(right, points[0, k])
        top, bottom = min(top, points[1, k]), max(bottom, points[1, k])
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
    last_x, last_y = points[0, length - 1], points[1, length - 1]
    for k in range(length):
        x, y = points[0, k], points[1, k]
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
    last_x, last_y = points[0, length - 1], points[1, length - 1]
    for k in range(length):
        x, y = points[0, k], points[1, k]
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
                    image[row, column, channel] = (np.int64(color[channel]) + 255) // 2
