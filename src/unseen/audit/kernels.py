"""What can be measured on an image of outlines without knowing what an object is.

A row of pixels is cut into runs of ink and of background. Runs of neighboring rows are joined by union-find: ink also
across corners, background only across sides, so that a closed outline one pixel thick keeps inside and outside apart.
"""

from __future__ import annotations

from math import cos, log, pi, sin, sqrt

import numpy as np

from unseen.core.kernel import kernel

WHITE = 0xFFFFFF
TINY = 1e-6  # differences below it are rounding, which grows with the ink and would tell how much there is

# columns of the numbers of an image
INK, AREA, COMPONENTS, BOX, SMALLEST, LARGEST, ASPECT, ELONGATION, X, Y, SPREAD = range(11)
HUE_COS, HUE_SIN, SATURATION, VALUE, ROUGHNESS = range(11, 16)
COLUMNS = 16


@kernel
def measure(images):
    """(n, h, w, 3) uint8 on white -> (n, COLUMNS) float64; lengths in pixels, zeros for an image without ink."""
    numbers = np.zeros((images.shape[0], COLUMNS))
    ink = np.empty(images.shape[1:3], np.bool_)
    for i in range(images.shape[0]):
        measure_pixels(images[i], ink, numbers[i])
        measure_components(ink, numbers[i])
        if numbers[i, AREA] > 0:
            numbers[i, ROUGHNESS] = numbers[i, INK] / sqrt(numbers[i, AREA])
    return numbers


@kernel
def measure_pixels(image, ink, numbers):
    """Which pixels are ink, where they are in the mean, and their colors."""
    count = 0
    sum_x = sum_y = sum_squares = across = up = saturation = value = 0.0
    last, hue_cos, hue_sin, last_saturation, last_value = -1, 0.0, 0.0, 0.0, 0.0
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            color = (np.int64(image[y, x, 0]) << 16) | (np.int64(image[y, x, 1]) << 8) | np.int64(image[y, x, 2])
            ink[y, x] = color != WHITE
            if color == WHITE:
                continue
            count += 1
            sum_x += x
            sum_y += y
            sum_squares += x * x + y * y
            if color != last:  # neighbors mostly have the same color
                last = color
                hue_cos, hue_sin, last_saturation, last_value = color_parts(image[y, x])
            across += hue_cos
            up += hue_sin
            saturation += last_saturation
            value += last_value
    if not count:
        return
    numbers[INK] = count
    numbers[X], numbers[Y] = sum_x / count, sum_y / count
    numbers[SPREAD] = sqrt(max(0.0, sum_squares / count - numbers[X] ** 2 - numbers[Y] ** 2))
    length = sqrt(across**2 + up**2)
    if length > 1e-9 * count:  # otherwise there is no hue, or the hues cancel out
        numbers[HUE_COS], numbers[HUE_SIN] = across / length, up / length
    numbers[SATURATION], numbers[VALUE] = saturation / count, value / count


@kernel
def color_parts(pixel):
    """Hue as a point on the unit circle, the origin for grays; saturation and value, 0 to 1."""
    red, green, blue = float(pixel[0]), float(pixel[1]), float(pixel[2])
    most, least = max(red, green, blue), min(red, green, blue)
    if most == least:
        return 0.0, 0.0, 0.0, most / 255
    if most == red:
        sixths = (green - blue) / (most - least)
    elif most == green:
        sixths = 2 + (blue - red) / (most - least)
    else:
        sixths = 4 + (red - green) / (most - least)
    return cos(sixths * pi / 3), sin(sixths * pi / 3), 1 - least / most, most / 255


@kernel
def measure_components(ink, numbers):
    """Number and boxes of the 8-connected components of ink, and the area that they cover or enclose."""
    height, width = ink.shape
    # of each run: its first column, the column behind it, row, whether it is ink, and a run it is joined with
    starts, stops = np.empty(height * width, np.int32), np.empty(height * width, np.int32)
    rows, parents = np.empty(height * width, np.int32), np.empty(height * width, np.int32)
    inky = np.empty(height * width, np.bool_)
    count = above = 0  # runs so far, and the first one of the row above
    for y in range(height):
        first = count
        x = 0
        while x < width:
            starts[count], rows[count], parents[count] = x, y, count
            this = inky[count] = ink[y, x]
            while x < width and ink[y, x] == this:
                x += 1
            stops[count] = x
            count += 1
        join_rows(starts, stops, inky, parents, above, first, count)
        above = first
    enclose(starts, stops, rows, inky, parents, count, height, width, numbers)


@kernel
def join_rows(starts, stops, inky, parents, above, first, stop):
    """Join the runs first..stop of a row with those of the row above it, above..first."""
    candidate = above
    for run in range(first, stop):
        while candidate < first and stops[candidate] < starts[run]:
            candidate += 1
        other = candidate
        while other < first and starts[other] <= stops[run]:
            corner = 1 if inky[run] else 0
            touching = starts[other] < stops[run] + corner and starts[run] < stops[other] + corner
            if inky[other] == inky[run] and touching:
                one, two = root(parents, run), root(parents, other)
                parents[max(one, two)] = min(one, two)
            other += 1


@kernel
def root(parents, run):
    while parents[run] != run:
        parents[run] = parents[parents[run]]
        run = parents[run]
    return run


@kernel
def enclose(starts, stops, rows, inky, parents, count, height, width, numbers):
    """From joined runs: the boxes of ink, and all pixels but the background that reaches the frame."""
    left, right = np.full(count, width, np.int32), np.zeros(count, np.int32)
    bottom = np.zeros(count, np.int32)  # the first run of a component is its root, and tells its top
    pixels = np.zeros(count, np.int32)
    outside = np.zeros(count, np.bool_)
    for run in range(count):
        top = root(parents, run)
        left[top] = min(left[top], starts[run])
        right[top] = max(right[top], stops[run])
        bottom[top] = rows[run] + 1
        pixels[top] += stops[run] - starts[run]
        at_frame = rows[run] == 0 or rows[run] == height - 1 or starts[run] == 0 or stops[run] == width
        outside[top] = outside[top] or (at_frame and not inky[run])
    area = components = 0
    boxes = aspects = elongations = largest = 0.0
    smallest = float(height * width)
    for run in range(count):
        if parents[run] != run:
            continue
        if not outside[run]:
            area += pixels[run]
        if not inky[run]:
            continue
        components += 1
        across, down = float(right[run] - left[run]), float(bottom[run] - rows[run])
        boxes += across * down
        smallest, largest = min(smallest, across * down), max(largest, across * down)
        aspects += log(across / down)
        elongations += abs(log(across / down))
    numbers[AREA] = area
    if components:
        numbers[COMPONENTS] = components
        numbers[BOX], numbers[SMALLEST], numbers[LARGEST] = boxes / components, smallest, largest
        numbers[ASPECT], numbers[ELONGATION] = aspects / components, elongations / components


@kernel
def distances(numbers, columns, scores):
    """How far each image is from the median of the others in some columns: (n, COLUMNS) -> (n,)."""
    count = numbers.shape[0]
    others = np.empty(count - 1)
    for i in range(count):
        total = 0.0
        for column in columns:
            for j in range(count - 1):
                others[j] = numbers[j + 1 if j >= i else j, column]
            total += (numbers[i, column] - np.median(others)) ** 2
        scores[i] = sqrt(total) if total > TINY**2 else 0.0
