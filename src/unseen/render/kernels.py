"""The runs of a flat image, its few colors, and both as the lines of a PNG."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

COLORS = 256  # most of a palette
TABLE = 1024  # places of the hash table; a power of two, sparse even with a full palette
MULTIPLIER = 2654435761  # Knuth's: near to 2**32 over the golden ratio
CHUNK = 8  # pixels compared at once: 24 bytes, three machine words


@kernel
def find_runs(pixels, words, starts, kinds, palette):
    """Runs of pixels, uint8 (3 n,), of one color, and the colors in ascending order of (red, green, blue).

    words: the same memory as uint64, as far as whole chunks go. Written are starts (n + 1,), where runs begin and the
    last ends, kinds (n,), the number of each run's color, and palette (256,), red << 16 | green << 8 | blue.
    Returns how many runs and colors there are; no colors when they are too many.
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
                        return runs, 0
                    palette[count] = color
                    table[place] = count
                    count += 1
                last = color
                starts[runs], kinds[runs] = at, table[place]
                runs += 1
            at += 1
    starts[runs] = pixel_count
    rank = np.empty(COLORS, np.uint8)
    sort_palette(palette[:count], rank)
    for run in range(runs):
        kinds[run] = rank[kinds[run]]
    return runs, count


@kernel
def repeats(words, w):
    """Whether the chunk that begins at word w is there, and equal to the one before."""
    if w + 3 > len(words):
        return False
    return words[w] == words[w - 3] and words[w + 1] == words[w - 2] and words[w + 2] == words[w - 1]


@kernel
def sort_palette(palette, rank):
    """Put a palette in ascending order; rank: where each color went."""
    order = np.argsort(palette)
    palette[:] = palette[order]
    for k in range(len(order)):
        rank[order[k]] = k


@kernel
def fill_lines(starts, kinds, width, depth, up, lines):
    """Fill lines of a PNG, zeros (h, 1 + bytes), with runs of numbers of `depth` bits, the first in the highest.

    Every line begins with the number of its filter, `up`: what follows is its difference from the line above.
    """
    for run in range(len(starts) - 1):
        at, end = starts[run], starts[run + 1]
        while kinds[run] and at < end:
            row = at // width
            stop = min(end, (row + 1) * width)
            fill_bits(lines[row, 1:], (at - row * width) * depth, (stop - row * width) * depth, kinds[run], depth)
            at = stop
    for row in range(len(lines) - 1, 0, -1):
        for byte in range(1, lines.shape[1]):
            lines[row, byte] -= lines[row - 1, byte]  # modulo 256, as the filter is defined
    lines[:, 0] = up


@kernel
def fill_bits(line, first, end, number, depth):
    """Write a number of `depth` bits again and again, from bit `first` up to `end`, into a line of zeros."""
    repeated = np.uint8(number * (255 // ((1 << depth) - 1)))
    low, high = first >> 3, end >> 3  # the first byte, and the one that the end is in
    head, tail = np.uint8(255 >> (first & 7)), np.uint8(255 & ~(255 >> (end & 7)))
    if low == high:
        line[low] |= repeated & head & tail
        return
    line[low] |= repeated & head
    line[low + 1 : high] = repeated
    if tail:
        line[high] |= repeated & tail
