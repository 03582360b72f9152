"""Coincidences: another rule of the same kind that holds for three images by chance, and not for the fourth.

Who is to find the odd image does not know which objects, or which axis, the rule speaks of. A problem in which another
choice also leaves one image out, and not the odd one, has two answers; it is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise, product
from math import hypot
from operator import attrgetter

from unseen.benchmarks.cvr.scene import Image

Coincidence = Callable[[Sequence[Image], bool], bool]  # images with the odd one last, and whether they are shifted

COUPLINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))  # of four shapes


def left_out(values: Sequence[Hashable]) -> int | None:
    """Tell which one of four values the other three, which agree, leave out.

    >>> left_out("aaba"), left_out("aabb")
    (2, None)
    """
    for i, value in enumerate(values):
        others = set(values[:i]) | set(values[i + 1 :])
        if len(others) == 1 and value not in others:
            return i
    return None


def another_rank(images: Sequence[Image], shifted: bool) -> bool:
    """The first, middle or last object along one axis has a rank along the other that leaves out another image."""
    odd = len(images) - 1
    places = (0, len(images[0]) // 2, -1) if shifted else (-1,)
    return any(
        left_out([_rank(image, axis, place) for image in images]) not in (None, odd)
        for axis, place in product((0, 1) if shifted else (0,), places)
    )


def _rank(image: Image, axis: int, place: int) -> int:
    centers = [(one.x, one.y) for one in image]
    chosen = sorted(centers, key=lambda center: center[1 - axis])[place]
    return sorted(center[axis] for center in centers).index(chosen[axis])


def another_couple(images: Sequence[Image], shifted: bool) -> bool:
    """Other couples of the four shapes would leave out another image by which of each is the smaller."""
    odd = len(images) - 1
    for coupling in COUPLINGS:
        orders = [tuple(image[i].size < image[j].size for i, j in coupling) for image in images]
        values = [first == second for first, second in orders] if shifted else orders
        if left_out(values) not in (None, odd):
            return True
    return False


def another_side(images: Sequence[Image], shifted: bool) -> bool:
    """What lies inside, at one end of an axis or the other, leaves out another image; only x counts unless shifted."""
    odd = len(images) - 1
    offsets = [(inner.x - outer.x, inner.y - outer.y) for outer, inner in images]
    ends = ([offset[axis] > 0 for offset in offsets] for axis in ((0, 1) if shifted else (0,)))
    return any(left_out(values) not in (None, odd) for values in ends)


def another_row(images: Sequence[Image], shifted: bool) -> bool:
    """The couples of all images lie apart on the other axis too, and the closer one leaves out another image."""
    for axis in ("x", "y") if shifted else ():
        closer = [_closer_couple(image, axis) for image in images]
        if None not in closer and left_out(closer) not in (None, len(images) - 1):
            return True
    return False


def _closer_couple(image: Image, axis: str) -> bool | None:
    """Whether the first couple along an axis is the closer one; None where no gap may halve the objects."""
    place = attrgetter(axis)
    one, other, third, fourth = sorted_along(image, axis)
    end, begin = max(map(place, (one, other))), min(map(place, (third, fourth)))
    if begin - end < 0.4 * (min(one.size, other.size) + min(third.size, fourth.size)):
        return None
    return hypot(one.x - other.x, one.y - other.y) < hypot(third.x - fourth.x, third.y - fourth.y)


def another_half(told: Callable[[Image, Image], Hashable]) -> Coincidence:
    """Tell whether what is told of two halves along one axis leaves out another image; None tells nothing."""

    def left_out_another(images: Sequence[Image], shifted: bool) -> bool:
        for axis in ("x", "y") if shifted else ():
            halves = [in_halves(image, axis) for image in images]
            values = [told(*both) if both else None for both in halves]
            if None not in values and left_out(values) not in (None, len(images) - 1):
                return True
        return False

    return left_out_another


def in_halves(image: Image, axis: str) -> tuple[Image, Image] | None:
    """Return the objects in the first and in the second half along an axis; None where one must lie in both."""
    place = attrgetter(axis)
    if any(abs(place(one) - 0.5) < 0.4 * one.size for one in image):
        return None
    return tuple(one for one in image if place(one) < 0.5), tuple(one for one in image if place(one) > 0.5)


def _fuller_half(first: Image, second: Image) -> bool | None:
    """Whether the second half has more objects; None where both have as many."""
    return None if len(first) == len(second) else len(first) < len(second)


def _filled_half(first: Image, second: Image) -> bool | None:
    """Whether the second half is the one whose objects are filled; None where not all of one half are, and no other."""
    if not first or not second:
        return None
    shares = _contents(first) * 2 / len(first), _contents(second) * 2 / len(second)  # a container has one content
    return {(1.0, 0.0): False, (0.0, 1.0): True}.get(shares)


def _contents(image: Image) -> int:
    """How many objects have a box inside that of another."""
    return sum(
        any(max(abs(one.x - other.x), abs(one.y - other.y)) < (other.size - one.size) / 2 for other in image)
        for one in image
    )


def another_axis(told: Callable[[Image], Hashable]) -> Coincidence:
    """Tell whether what is told of objects in their order along one axis leaves out another image."""

    def left_out_another(images: Sequence[Image], shifted: bool) -> bool:
        odd = len(images) - 1
        for axis in ("x", "y"):
            ordered = [sorted_along(image, axis) for image in images]
            told_apart = all(in_file(image, axis) for image in ordered)
            if told_apart and left_out([told(image) for image in ordered]) not in (None, odd):
                return True
        return False

    return left_out_another


def sorted_along(image: Image, axis: str) -> Image:
    """Objects in their order along an axis."""
    return tuple(sorted(image, key=attrgetter(axis)))


def in_file(image: Image, axis: str) -> bool:
    """Tell whether objects, in their order, may each be wholly behind the one before."""
    place = attrgetter(axis)
    return all(place(two) - place(one) > 0.4 * (one.size + two.size) for one, two in pairwise(image))


def _turn_one_way(image: Image) -> int:
    """Which way objects turn by steps of less than half a turn: 1, -1, or 0 where it is both ways."""
    steps = {(second.angle - first.angle) % 360 < 180 for first, second in pairwise(image)}
    return 0 if len(steps) > 1 else 1 if steps.pop() else -1


COINCIDENCES: dict[str, Coincidence] = {
    "another axis of sizes": another_axis(lambda image: image[0].size > image[-1].size),
    "another axis of shapes": another_axis(lambda image: tuple(one.shape for one in image)),
    "another axis of hues": another_axis(lambda image: tuple(one.hue for one in image)),
    "another axis of angles": another_axis(_turn_one_way),
    "another axis of flips": another_axis(lambda image: tuple(one.flip != image[1].flip for one in image)),
    "another half with more": another_half(_fuller_half),
    "another filled half": another_half(_filled_half),
    "another side": another_side,
    "another rank": another_rank,
    "another couple": another_couple,
    "another row": another_row,
}
