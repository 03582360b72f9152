"""A flat image as the lines of a palette PNG."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import inlined, kernel

COLORS = 256  # most of a palette
TABLE = 1024  # places of the hash table; a power of two, sparse even with a full palette
MULTIPLIER = 2654435761  # Knuth's: near to 2**32 over the golden ratio
CHUNK = 8  # pixels compared at once: 24 bytes, three machine words


@kernel
def palette_lines(pixels, words, width, up):
    """Filtered lines, uint8 (h, 1 + bytes), of pixels, uint8 (3 n,), the bits of a pixel in them, and the palette.

    words: the same memory as uint64, as far as whole chunks go. The palette, uint8 (colors, 3), is in order of
    appearance, so that a background is most often 0; it is empty where colors are too many.
    """
    pixel_count = len(pixels) // 3
    starts, kinds = np.empty(pixel_count + 1, np.int32), np.empty(pixel_count, np.uint8)
    found = np.empty(COLORS, np.int64)
    runs, count = find_runs(pixels, words, starts, kinds, found)
    depth = 1
    while count > 1 << depth:
        depth *= 2
    lines = np.zeros((pixel_count // width, 1 - width * depth // -8), np.uint8)
    for run in range(runs):
        if kinds[run]:
            fill_run(lines, starts[run], starts[run + 1], kinds[run], width, depth)
    filter_lines(lines, up)
    palette = np.empty((count, 3), np.uint8)
    for k in range(count):
        palette[k, 0], palette[k, 1], palette[k, 2] = found[k] >> 16, found[k] >> 8, found[k]
    return lines, depth, palette


@kernel
def find_runs(pixels, words, starts, kinds, palette):
    """Runs of pixels of one color: where they begin, and where the last ends; the numbers of their colors; the colors.

    A color is red << 16 | green << 8 | blue. Returns how many runs and colors there are; none when colors are too many.
    """
    table = np.full(TABLE, -1, np.int16)
    pixel_count = len(pixels) // 3
    runs, count, last, at = 0, 0, np.int64(-1), 0
    while at < pixel_count:
        end = min(at + CHUNK, pixel_count)
        if at >= CHUNK and starts[runs - 1] <= at - CHUNK and repeats(words, at // CHUNK * 3):
            at = end
        while at < end:
            color = np.int64(pixels[3 * at]) << 16 | np.int64(pixels[3 * at + 1]) << 8 | np.int64(pixels[3 * at + 2])
            if color != last:
                place = (color * MULTIPLIER >> 22) & (TABLE - 1)
                while table[place] >= 0 and palette[table[place]] != color:
                    place = (place + 1) & (TABLE - 1)
                if table[place] < 0:
                    if count == COLORS:
                        return 0, 0
                    palette[count] = color
                    table[place] = count
                    count += 1
                last = color
                starts[runs], kinds[runs] = at, table[place]
                runs += 1
            at += 1
    starts[runs] = pixel_count
    return runs, count


@inlined
def repeats(words, w):
    """Whether the chunk that begins at word w is there, and equal to the one before."""
    if w + 3 > len(words):
        return False
    return words[w] == words[w - 3] and words[w + 1] == words[w - 2] and words[w + 2] == words[w - 1]


@inlined
def fill_run(lines, at, end, number, width, depth):
    """Write the number of a run of pixels into lines of zeros, row by row."""
    while at < end:
        row = at // width
        stop = min(end, (row + 1) * width)
        fill_bits(lines, row, (at - row * width) * depth, (stop - row * width) * depth, number, depth)
        at = stop


@inlined
def fill_bits(lines, row, first, end, number, depth):
    """Write a number of `depth` bits again and again, the highest bit first, from bit `first` of a row up to `end`."""
    repeated = np.uint8(number * (255 // ((1 << depth) - 1)))
    low, high = 1 + (first >> 3), 1 + (end >> 3)  # the first byte, and the one that the end is in
    head, tail = np.uint8(255 >> (first & 7)), np.uint8(255 & ~(255 >> (end & 7)))
    if low == high:
        lines[row, low] |= repeated & head & tail
        return
    lines[row, low] |= repeated & head
    for byte in range(low + 1, high):
        lines[row, byte] = repeated
    if tail:
        lines[row, high] |= repeated & tail


@kernel
def filter_lines(lines, up):
    """Store a line as its difference from the one above where that has longer runs; it then begins with `up`, not 0."""
    for row in range(len(lines) - 1, 0, -1):
        changes, changes_up = 0, 0
        for byte in range(2, lines.shape[1]):
            step, step_above = lines[row, byte] - lines[row, byte - 1], lines[row - 1, byte] - lines[row - 1, byte - 1]
            changes += step != 0
            changes_up += step != step_above
        if changes_up < changes:
            lines[row, 0] = up
            for byte in range(1, lines.shape[1]):
                lines[row, byte] -= lines[row - 1, byte]  # modulo 256, as the filter is defined
