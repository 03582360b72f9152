"""Hot code of the baselines that need no training."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel


@kernel
def color_regions(image, labels):
    """Number the regions of one color that hang together by edges, from 0, in labels (h, w); returns how many."""
    height, width = labels.shape
    labels[:] = -1
    stack = np.empty(height * width, np.int64)
    count = 0
    for begin in range(height * width):
        if labels[begin // width, begin % width] >= 0:
            continue
        labels[begin // width, begin % width] = count
        stack[0] = begin
        depth = 1
        while depth:
            depth -= 1
            row, column = stack[depth] // width, stack[depth] % width
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                y, x = row + down, column + right
                if not (0 <= y < height and 0 <= x < width) or labels[y, x] >= 0:
                    continue
                if (image[y, x] == image[row, column]).all():
                    labels[y, x] = count
                    stack[depth] = y * width + x
                    depth += 1
        count += 1
    return count
