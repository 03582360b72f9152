"""Is a problem right? Its odd image found again from the meaning of the rule, and its images free of accidents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import contour
from unseen.benchmarks.cvr.meaning import Meaning, Reading
from unseen.benchmarks.cvr.meaning.margins import CONTACT, PX, Undecided
from unseen.benchmarks.cvr.meaning.seen import Contour, Seen, Shapes, edges_of, point_distances, within
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import PANELS, Image, Record

APART = 2 * PX  # outlines that do not touch are at least so far apart, so that they are drawn apart too
OVERLAP = 2 * PX  # objects in contact reach no deeper into each other


def check(record: Record, spec: Any) -> list[str]:
    """Return everything wrong with a record, as sentences."""
    if record.rule not in BY_NAME:
        return [f"no rule is named {record.rule!r}"]
    return list(check_problem(record, BY_NAME[record.rule].meaning, partial(contour, family=record.contour)))


def check_problem(record: Record, meaning: Meaning, contour: Contour) -> Iterator[str]:
    """Check that images are without accidents, and that the one called odd is odd by the meaning of the rule."""
    if len(record.images) != PANELS:
        yield f"there are {len(record.images)} images instead of {PANELS}"
        return
    images = seen_images(record.images, contour)
    for k, seen in enumerate(images):
        for problem in accidents(seen, touching=meaning.touching):
            yield f"image {k}: {problem}"
    try:
        odd = meaning.read(shifted=record.shifted).odd(images)
    except Undecided as undecided:
        yield f"the odd image is ambiguous: {undecided}"
    else:
        if odd != record.odd:
            yield f"image {odd} is the odd one, not image {record.odd}"


def odd_image(images: Sequence[Image], reading: Reading, contour: Contour) -> int:
    """Return the odd one of four images; raises Undecided, with the reason, where there is not just one."""
    return reading.odd(seen_images(images, contour))


def seen_images(images: Sequence[Image], contour: Contour) -> list[Seen]:
    """Images as the verifier sees them, with one memory of contours."""
    shapes = Shapes(contour)
    return [Seen(image, shapes) for image in images]


def accidents(seen: Seen, *, touching: bool) -> Iterator[str]:
    """Objects that leave the frame, and outlines too near each other; with `touching` they may be in contact."""
    for outside in np.flatnonzero((abs(seen.boxes - 0.5) > 0.5).any(axis=(1, 2))):
        yield f"object {outside} leaves the frame"
    for i, j in combinations(range(seen.count), 2):
        gap = seen.gaps[i, j]
        if gap >= APART:
            continue
        if not touching or gap >= CONTACT.equal:
            yield f"objects {i} and {j} are only {gap / PX:.1f} px apart"
        elif max(depth(seen, i, j), depth(seen, j, i)) > OVERLAP:
            yield f"objects {i} and {j} overlap"


def depth(seen: Seen, i: int, j: int) -> float:
    """Tell how deep an object reaches into another: the greatest distance of a vertex within it from its outline."""
    points, (low, high) = seen.outlines[i], seen.boxes[j]
    near = points[((points > low) & (points < high)).all(axis=1)]
    inner = near[within(seen.outlines[j], near)]
    return float(point_distances(inner, edges_of(seen.outlines[j])).max(initial=0.0))
