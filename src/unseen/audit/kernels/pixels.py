"""What can be measured on an image of outlines without knowing what an object is.

A row of pixels is cut into runs of ink and of background. Runs of neighboring rows are joined by union-find: ink also
across corners, background only across sides, so that a closed outline one pixel thick keeps inside and outside apart.
"""

from __future__ import annotations

from math import atan2, cos, inf, log, pi, sin, sqrt

import numpy as np

from unseen.core.kernel import kernel

WHITE = 0xFFFFFF
TINY = 1e-6  # square pixels: ink that is spread less is at one place

# columns of the numbers of an image
INK, AREA, COMPONENTS, BOX, SMALLEST, LARGEST, ASPECT, ELONGATION, X, Y, SPREAD = range(11)
HUE_COS, HUE_SIN, SATURATION, VALUE, ROUGHNESS = range(11, 16)
WHOLE_BOX, WHOLE_ASPECT, AXIS_COS, AXIS_SIN, AXES, COMPACTNESS = range(16, 22)
PARITY, CONTAINED, PIECE_X, PIECE_Y, SPREAD_X, SPREAD_Y = range(22, 28)
INK_SPREAD, INK_RATIO, AREA_SPREAD, AREA_RATIO = range(28, 32)
PIECE_ROUGHNESS, SMOOTHEST, ROUGHEST, ROUGHNESS_SPREAD = range(32, 36)
NEAREST, GAP_SPREAD, X_GAPS, Y_GAPS = range(36, 40)
SIZES, SIZE_LEAST, SIZE_MOST, SIZE_TELLING = range(40, 44)
COLORS, HUES, HUE_LEAST, HUE_MOST, HUE_TELLING, HUE_SPREAD = range(44, 50)
COLUMNS = 50

# columns of a piece of ink
PIECE_INK, PIECE_AREA, AT_X, AT_Y, WITHIN, SIDE = range(6)
PIECE_COLUMNS = 6
MOST_COLORS = 64  # that are told apart in an image
FEW, MANY = 1, 4  # members of a group that make it remarkable
SAME_SIZE = log(1.1)  # sizes of a group differ by less from the next
SAME_HUE = 0.06  # of a circle of length 1; hues of a group differ by less from the next


@kernel
def measure(images):
    """(n, h, w, 3) uint8 on white -> (n, COLUMNS) float64; lengths in pixels, zeros for an image without ink."""
    numbers = np.zeros((images.shape[0], COLUMNS))
    ink = np.empty(images.shape[1:3], np.bool_)
    for i in range(images.shape[0]):
        measure_pixels(images[i], ink, numbers[i])
        measure_components(ink, numbers[i])
        if numbers[i, AREA] > 0:
            numbers[i, COMPACTNESS] = numbers[i, INK] ** 2 / numbers[i, AREA]
            numbers[i, ROUGHNESS] = sqrt(numbers[i, COMPACTNESS])
    return numbers


@kernel
def measure_pixels(image, ink, numbers):
    """Which pixels are ink, where they are in the mean, and their colors."""
    count = kinds = 0
    sum_x = sum_y = sum_xx = sum_yy = sum_xy = across = up = saturation = value = 0.0
    left, right, top, bottom = image.shape[1], 0, image.shape[0], 0
    colors, hues = np.empty(MOST_COLORS, np.int64), np.empty((MOST_COLORS, 2))
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
            sum_xx += x * x
            sum_yy += y * y
            sum_xy += x * y
            left, right = min(left, x), max(right, x + 1)
            top, bottom = min(top, y), y + 1
            if color != last:  # neighbors mostly have the same color
                last = color
                hue_cos, hue_sin, last_saturation, last_value = color_parts(image[y, x])
                kinds = note_color(color, hue_cos, hue_sin, colors, hues, kinds)
            across += hue_cos
            up += hue_sin
            saturation += last_saturation
            value += last_value
    if not count:
        return
    numbers[INK] = count
    numbers[X], numbers[Y] = sum_x / count, sum_y / count
    wide, high = sum_xx / count - numbers[X] ** 2, sum_yy / count - numbers[Y] ** 2
    numbers[SPREAD] = sqrt(max(0.0, wide + high))
    if wide + high > TINY:
        numbers[AXIS_COS] = (wide - high) / (wide + high)
        numbers[AXIS_SIN] = 2 * (sum_xy / count - numbers[X] * numbers[Y]) / (wide + high)
        numbers[AXES] = sqrt(numbers[AXIS_COS] ** 2 + numbers[AXIS_SIN] ** 2)
    numbers[WHOLE_BOX] = (right - left) * (bottom - top)
    numbers[WHOLE_ASPECT] = log((right - left) / (bottom - top))
    length = sqrt(across**2 + up**2)
    if length > 1e-9 * count:  # otherwise there is no hue, or the hues cancel out
        numbers[HUE_COS], numbers[HUE_SIN] = across / length, up / length
    numbers[SATURATION], numbers[VALUE] = saturation / count, value / count
    measure_hues(hues[:kinds], numbers)


@kernel
def note_color(color, hue_cos, hue_sin, colors, hues, kinds):
    """Keep a color that was not met before, where there is room; returns how many are kept."""
    for k in range(kinds):
        if colors[k] == color:
            return kinds
    if kinds < MOST_COLORS:
        colors[kinds], hues[kinds, 0], hues[kinds, 1] = color, hue_cos, hue_sin
        kinds += 1
    return kinds


@kernel
def measure_hues(hues, numbers):
    """How many colors there are, and how their hues, points on the unit circle, are grouped and spread."""
    numbers[COLORS] = len(hues)
    places = np.empty(len(hues))
    across = up = 0.0
    for k in range(len(hues)):
        places[k] = (atan2(hues[k, 1], hues[k, 0]) / (2 * pi)) % 1
        across, up = across + hues[k, 0], up + hues[k, 1]
    places.sort()
    widest, first = 0.0, 0  # the circle is opened at its widest gap
    for k in range(len(places)):
        gap = (places[k] - places[k - 1]) % 1 if k else 1 + places[0] - places[-1]
        if gap > widest:
            widest, first = gap, k
    opened = np.empty(len(places))
    for k in range(len(places)):
        place = places[(first + k) % len(places)]
        opened[k] = place + (1 if place < places[first] else 0)
    group(opened, SAME_HUE, numbers[HUES : HUE_TELLING + 1])
    numbers[HUE_SPREAD] = 1 - sqrt(across**2 + up**2) / len(places)


@kernel
def group(places, same, found):
    """Groups of sorted numbers, each less than `same` from the next.

    Writes how many there are, the members of the smallest and of the largest, and whether one has few or many.
    """
    groups, least, most, telling, members = 0, len(places), 0, False, 0
    for k in range(len(places)):
        members += 1
        if k + 1 == len(places) or places[k + 1] - places[k] >= same:
            groups += 1
            least, most = min(least, members), max(most, members)
            telling = telling or members <= FEW or members >= MANY
            members = 0
    found[0], found[1], found[2], found[3] = groups, least, most, telling


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
    sum_x, sum_y = np.zeros(count), np.zeros(count)
    for run in range(count):
        top, length = root(parents, run), stops[run] - starts[run]
        left[top] = min(left[top], starts[run])
        right[top] = max(right[top], stops[run])
        bottom[top] = rows[run] + 1
        pixels[top] += length
        sum_x[top] += length * (starts[run] + stops[run] - 1) / 2
        sum_y[top] += length * rows[run]
        at_frame = rows[run] == 0 or rows[run] == height - 1 or starts[run] == 0 or stops[run] == width
        outside[top] = outside[top] or (at_frame and not inky[run])
    area = components = 0
    boxes = aspects = elongations = largest = 0.0
    smallest = float(height * width)
    full = enclosed_pixels(starts, inky, parents, outside, pixels)
    pieces = np.empty((count, PIECE_COLUMNS))
    for run in range(count):
        if parents[run] != run:
            continue
        if not outside[run]:
            area += pixels[run]
        if not inky[run]:
            continue
        across, down = float(right[run] - left[run]), float(bottom[run] - rows[run])
        piece = pieces[components]
        piece[PIECE_INK], piece[PIECE_AREA], piece[SIDE] = pixels[run], full[run], sqrt(across * down)
        piece[AT_X], piece[AT_Y] = sum_x[run] / pixels[run], sum_y[run] / pixels[run]
        piece[WITHIN] = starts[run] > 0 and not outside[root(parents, run - 1)]
        components += 1
        boxes += across * down
        smallest, largest = min(smallest, across * down), max(largest, across * down)
        aspects += log(across / down)
        elongations += abs(log(across / down))
    numbers[AREA] = area
    if components:
        numbers[COMPONENTS] = components
        numbers[BOX], numbers[SMALLEST], numbers[LARGEST] = boxes / components, smallest, largest
        numbers[ASPECT], numbers[ELONGATION] = aspects / components, elongations / components
        measure_pieces(pieces[:components], numbers)


@kernel
def enclosed_pixels(starts, inky, parents, outside, pixels):
    """The pixels that each component covers or encloses.

    What is around a component is to the left of its first pixel, and comes before it; so the last come first here.
    """
    full = pixels.astype(np.int64)
    for run in range(len(pixels) - 1, -1, -1):
        if parents[run] == run and starts[run] > 0 and not outside[run]:
            around = root(parents, run - 1)
            if not outside[around]:
                full[around] += full[run]
    return full


@kernel
def measure_pieces(pieces, numbers):
    """How pieces of ink are spread, and how alike they are."""
    count = len(pieces)
    logarithms, roughness = np.empty((2, count)), np.empty(count)
    for i in range(count):
        logarithms[0, i], logarithms[1, i] = log(pieces[i, PIECE_INK]), log(pieces[i, PIECE_AREA])
        roughness[i] = pieces[i, PIECE_INK] / sqrt(pieces[i, PIECE_AREA])
        numbers[CONTAINED] += pieces[i, WITHIN]
    numbers[PARITY] = count % 2
    numbers[INK_SPREAD], numbers[INK_RATIO] = deviation(logarithms[0]), breadth(logarithms[0])
    numbers[AREA_SPREAD], numbers[AREA_RATIO] = deviation(logarithms[1]), breadth(logarithms[1])
    numbers[PIECE_ROUGHNESS], numbers[ROUGHNESS_SPREAD] = mean(roughness), deviation(roughness)
    numbers[SMOOTHEST], numbers[ROUGHEST] = roughness.min(), roughness.max()
    numbers[PIECE_X], numbers[PIECE_Y] = mean(pieces[:, AT_X]), mean(pieces[:, AT_Y])
    numbers[SPREAD_X], numbers[SPREAD_Y] = deviation(pieces[:, AT_X]), deviation(pieces[:, AT_Y])
    measure_gaps(pieces, numbers)
    sides = np.empty(count)
    for i in range(count):
        sides[i] = log(pieces[i, SIDE])
    sides.sort()
    group(sides, SAME_SIZE, numbers[SIZES : SIZE_TELLING + 1])


@kernel
def mean(values):
    """The mean; summed in order, so that it is the same compiled or not."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


@kernel
def deviation(values):
    """The standard deviation."""
    middle, total = mean(values), 0.0
    for value in values:
        total += (value - middle) ** 2
    return sqrt(total / len(values))


@kernel
def breadth(values):
    """The difference of the greatest and the least."""
    least, most = inf, -inf
    for value in values:
        least, most = min(least, value), max(most, value)
    return most - least


@kernel
def measure_gaps(pieces, numbers):
    """How far pieces are from the nearest other, and from the next on either axis."""
    count = len(pieces)
    if count < 2:
        return
    nearest = np.full(count, inf)
    for i in range(count):
        for k in range(count):
            if k != i:
                across, down = pieces[i, AT_X] - pieces[k, AT_X], pieces[i, AT_Y] - pieces[k, AT_Y]
                nearest[i] = min(nearest[i], sqrt(across**2 + down**2))
    numbers[NEAREST], numbers[GAP_SPREAD] = mean(nearest), deviation(nearest)
    for column, at in ((X_GAPS, AT_X), (Y_GAPS, AT_Y)):
        places = np.sort(pieces[:, at])
        numbers[column] = deviation(places[1:] - places[:-1])
