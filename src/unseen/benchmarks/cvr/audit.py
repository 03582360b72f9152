"""How far trivial solvers may get: what a rule does not declare stays well below what it takes to solve it.

Beside the statistics of pixels there are those of objects, which know what an object is and nothing of the rule: how
many there are, where, and how many are equal in shape, size, hue or clump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import hypot, log, sqrt
from statistics import fmean
from typing import Any

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import contour
from unseen.benchmarks.cvr.meaning.margins import Floats
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import Image, Record
from unseen.benchmarks.cvr.verify import seen_images

BOUND = 0.5  # of 500 problems and more; chance is one in four
FEW, MANY = 1, 4  # equal objects that make a set remarkable
SAME_SIZE, SAME_HUE = log(1.1), 0.06  # objects of a set differ by less from the next; hues are on a circle of length 1

SETS = ("shape", "size", "hue", "clump")
STATISTICS = {
    "objects": "objects",
    "object parity": "whether their number is odd",
    "object x": "mean x of the objects' centers",
    "object y": "mean y of the objects' centers",
    "size ratio": "logarithm of the largest over the smallest size",
    "size spread": "standard deviation of the logarithms of sizes",
    "closest": "least distance of two centers",
    "distance spread": "standard deviation of the distances of objects from the nearest other",
    **{
        name: about
        for one in SETS
        for name, about in (
            (f"{one} sets", f"sets of objects of one {one}"),
            (f"smallest {one} set", "objects of the smallest of these sets"),
            (f"largest {one} set", "objects of the largest of these sets"),
            (f"{one} set of 1 or 4", "whether one of these sets has 1 object, or at least 4"),
        )
    },
}


def tells(spec: Any) -> Mapping[str, str]:
    """Give the statistics that carry a rule of the spec, each with the reason why that is the rule and no shortcut."""
    return {name: reason for rule in spec.rules for name, reason in BY_NAME[rule].tells.items()}


def measure(record: Record) -> Floats:
    """Return the statistics of objects, for each image of a problem: (4, len(STATISTICS))."""
    clumps: Sequence[Sequence[int]] = [range(len(image)) for image in record.images]
    if BY_NAME[record.rule].meaning.touching:
        seen = seen_images(record.images, partial(contour, family=record.contour))
        clumps = [one.clumps.tolist() for one in seen]
    return np.array([_measure(image, clump) for image, clump in zip(record.images, clumps, strict=True)])


def _measure(image: Image, clumps: Sequence[int]) -> list[float]:
    sizes = sorted(log(one.size) for one in image)
    sets = (
        _counted([one.shape for one in image]),
        _near(sizes, SAME_SIZE),
        _near(_opened(sorted(one.hue for one in image)), SAME_HUE),
        _counted(clumps),
    )
    nearest = [
        min(hypot(one.x - other.x, one.y - other.y) for other in image if other is not one) if len(image) > 1 else 0.0
        for one in image
    ]
    return [
        len(image),
        len(image) % 2,
        fmean(one.x for one in image),
        fmean(one.y for one in image),
        sizes[-1] - sizes[0],
        _deviation(sizes),
        min(nearest),
        _deviation(nearest),
        *(number for counts in sets for number in _remarkable(counts)),
    ]


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation; the library's works in fractions, and takes ten times as long."""
    mean = fmean(values)
    return sqrt(fmean((value - mean) ** 2 for value in values))


def _remarkable(counts: Sequence[int]) -> tuple[float, ...]:
    """How many sets there are, the members of the smallest and the largest, and whether one has few or many."""
    telling = any(count <= FEW or count >= MANY for count in counts)
    return len(counts), min(counts), max(counts), telling


def _counted(values: Sequence[int]) -> list[int]:
    """How often each value occurs."""
    return [values.count(value) for value in set(values)]


def _near(places: Sequence[float], same: float) -> list[int]:
    """The members of each set of sorted numbers that are less than `same` from the next.

    >>> _near([0.1, 0.12, 0.5], 0.06)
    [2, 1]
    """
    counts = [1]
    for one, other in pairwise(places):
        if other - one < same:
            counts[-1] += 1
        else:
            counts.append(1)
    return counts


def _opened(hues: Sequence[float]) -> list[float]:
    """Hues from behind the widest gap of their circle on.

    >>> _opened([0.02, 0.5, 0.97])
    [0.5, 0.97, 1.02]
    """
    gaps = [hue - before for hue, before in zip(hues, [hues[-1] - 1, *hues], strict=False)]
    first = gaps.index(max(gaps))
    return [*hues[first:], *(hue + 1 for hue in hues[:first])]
