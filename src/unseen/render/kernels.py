"""Finding the few colors of a flat image."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

COLORS = 256  # most of a palette
TABLE = 1024  # places of the hash table; a power of two, sparse even with a full palette
MULTIPLIER = 2654435761  # Knuth's: near to 2**32 over the golden ratio
CHUNK = 8  # pixels compared at once: 24 bytes, three machine words


@kernel
def find_colors(pixels, words, numbers, palette):
    """Number the colors of pixels, uint8 (3 n,), in ascending order of (red, green, blue).

    words: the same memory as uint64, as far as whole chunks go. numbers uint8 (n,) and palette uint32 (256,),
    red << 16 | green << 8 | blue, are written. Returns how many colors there are, or 0 when they are too many.
    """
    table = np.full(TABLE, -1, np.int16)
    starts = np.empty(len(numbers) + 1, np.int32)  # where runs of one color begin
    kinds = np.empty(len(numbers), np.uint8)
    runs, count, last, at = 0, 0, np.int64(-1), 0
    while at < len(numbers):
        end = min(at + CHUNK, len(numbers))
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
                        return 0
                    palette[count] = color
                    table[place] = count
                    count += 1
                last = color
                starts[runs], kinds[runs] = at, table[place]
                runs += 1
            at += 1
    starts[runs] = len(numbers)
    rank = np.empty(COLORS, np.uint8)
    sort_palette(palette[:count], rank)
    for run in range(runs):
        numbers[starts[run] : starts[run + 1]] = rank[kinds[run]]
    return count


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
