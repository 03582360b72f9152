"""A benchmark of odd-one-out problems that can be seen through: the odd image has one pixel more, of the same color."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from unseen.core.task import Row, Split

SIZE = 32  # examples of a split


class Sampler:
    """The odd image comes round: 0, 1, 2, 3, 0, and so on; the key of the stream moves the images."""

    def __init__(self, spec, part, key):
        self.shift = int(key) % 7

    def draw(self, index, first=0):
        return (index % 4, self.shift + index), index, first


def arrays(record, spec, view):
    odd, place = record
    images = np.full((4, 16, 16, 3), 255, np.uint8)
    for number in range(4):
        images[number, (place + number) % 16, 3 : 6 + (number == odd)] = (200, 40, 40)
    return {"images": images, "rule": spec}, {"odd": odd}


def splits(options):
    return Split("train", SIZE, "ink"), Split("test_ood", SIZE, "ink")


@pytest.fixture
def make_benchmark(add_benchmark) -> Callable[..., str]:
    """Register the benchmark, with a file `audit` where a bound is given; the id of its task."""

    def make(bound=None, tells=None):
        files = {
            "splits": SimpleNamespace(TASKS=(Row("ink", "more ink", splits),)),
            "sample": SimpleNamespace(Sampler=Sampler),
            "render": SimpleNamespace(arrays=arrays),
        }
        if bound is not None:
            files["audit"] = SimpleNamespace(BOUND=bound, tells=lambda spec: tells or {})
        add_benchmark("dots", **files)
        return "dots/ink"

    return make
