"""Lines: the pixels of every edge, whether they are in the image or not."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest

from unseen.benchmarks.cvr.kernels.contours import VERTICES
from unseen.benchmarks.cvr.kernels.ink import draw_line

SIDE = 40
COLOR = np.array([1, 2, 3], np.uint8)


def edge(start: list[int], end: list[int]) -> set[tuple[int, int]]:
    """The pixels of a line: along its longer side one by one, along the other the nearest, the earlier of two."""
    along = [to - at for at, to in zip(start, end, strict=True)]
    longer = max(map(abs, along)) or 1
    sides = [(at, 1 if by > 0 else -1, abs(by) / longer) for at, by in zip(start, along, strict=True)]
    found = set()
    for step in range(longer + 1):
        x, y = (at + sign * ceil(step * share - 0.5 - 1e-9) for at, sign, share in sides)
        found.add((x, y))
    return found


@pytest.mark.parametrize(("low", "high"), [(0, SIDE), (-15, SIDE + 15), (17, 21)])
def test_a_line_has_the_pixels_of_all_its_edges_that_are_in_the_image(low, high):
    rng = np.random.default_rng(0)
    for length in (1, 2, 3, 30, 200):
        points = np.empty((2, VERTICES))
        points[:, :length] = rng.uniform(low, high, (2, length))
        image = np.zeros((SIDE, SIDE, 3), np.uint8)
        draw_line(points, length, COLOR, image)
        whole = np.floor(points[:, :length]).astype(int).T.tolist()
        wanted = set().union(*(edge(one, other) for one, other in zip(whole, whole[1:] + whole[:1], strict=True)))
        expected = np.zeros_like(image)
        for x, y in wanted:
            if 0 <= x < SIDE and 0 <= y < SIDE:
                expected[y, x] = COLOR
        assert (image == expected).all()
