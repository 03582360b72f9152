"""Drawing problems: a rule's row, made ready once, becomes four images of which one is odd.

All whole numbers of a problem (how many, which pattern) are drawn once and kept while sizes, shapes and places are
drawn again for want of room, so that crowded problems are no rarer than sparse ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, permutations
from struct import pack
from typing import Any

import numpy as np

from unseen.benchmarks.cvr.assembly import place_all
from unseen.benchmarks.cvr.coincidences import COINCIDENCES
from unseen.benchmarks.cvr.draft import (
    Draft,
    NoRoom,
    Problem,
    draw_angles,
    draw_colors,
    draw_flips,
    draw_shapes,
    draw_sizes,
)
from unseen.benchmarks.cvr.layouts import pose, set_extent
from unseen.benchmarks.cvr.numbers import cast_of, draw_numbers, in_order
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import FINE, PANELS, Image, Object, Record
from unseen.benchmarks.cvr.shift import tells_shapes, version
from unseen.benchmarks.cvr.spec import Spec
from unseen.benchmarks.cvr.vocabulary import Cast, Change, Rule, Scene
from unseen.core.errors import Unplaceable
from unseen.core.key import hash_bytes
from unseen.core.random import BlockStream, Stream, permuted
from unseen.core.splits import Part

IMAGE_TRIES, PROBLEM_TRIES = 60, 60
ORDERS = tuple(permutations(range(PANELS)))


@dataclass(frozen=True)
class Plan:
    """A rule made ready: the scene of regular images, and those that an odd image may have."""

    rule: Rule
    shifted: bool
    regular: Scene
    odd: tuple[tuple[Scene, Change], ...]
    family: str
    telling: bool


@lru_cache(maxsize=512)
def plan(name: str, shifted: bool) -> Plan:
    """Make a rule ready."""
    rule = BY_NAME[name]
    changes = (rule.shifted_odd or rule.odd) if shifted else rule.odd
    changes = (changes,) if isinstance(changes, Change) else changes
    scenes = tuple((in_order(version(rule, shifted, change)), change) for change in changes)
    family = ("wide" if "inside" in rule.relations else "plain") + ("-fuzzy" if shifted else "")
    return Plan(rule, shifted, in_order(version(rule, shifted)), scenes, family, tells_shapes(rule))


# ------------------------------------------------------------------------------------------------ images


def draw_image(draft: Draft) -> Image:
    """Finish a draft: outlines, what is inside and what touches, places."""
    set_extent(draft)
    draw_sizes(draft)
    draw_shapes(draft)
    draw_colors(draft)
    draw_angles(draft)
    draw_flips(draft)
    pose(draft)
    sizes = np.array([round(size * FINE) / FINE for size in draft.size])
    angles = np.array([round(angle % 360 * FINE) / FINE % 360 for angle in draft.angle])
    centers = place_all(draft, sizes, angles).tolist()
    rows = zip(draft.shape, sizes.tolist(), centers, angles.tolist(), draft.flip, draft.color, strict=True)
    return tuple(
        [
            Object(key, size, round(x * FINE) / FINE, round(y * FINE) / FINE, angle, flip, *color)
            for key, size, (x, y), angle, flip, color in rows
        ]
    )


# ------------------------------------------------------------------------------------------------ problems


def draw_problem(ready: Plan, rng: Stream) -> tuple[Image, ...]:
    """Three regular images and an odd one, which comes last."""
    unlikely = COINCIDENCES[ready.rule.unless] if ready.rule.unless else None
    while True:
        scene, change = ready.odd[rng.below(len(ready.odd)) if len(ready.odd) > 1 else 0]
        images = finish(ready, scene, change, draw_numbers(ready.regular.draws, scene.draws, rng), rng)
        if not (unlikely and unlikely(images, ready.shifted)):
            return images


def finish(ready: Plan, odd: Scene, change: Change, numbers: list[dict[str, Any]], rng: Stream) -> tuple[Image, ...]:
    """The four images of numbers that are drawn."""
    scenes = [ready.regular] * (PANELS - 1) + [odd]
    casts = [cast_of(scene.bodies, values) for scene, values in zip(scenes, numbers, strict=True)]
    crowd = max(one.outer for one in casts)
    for _ in range(PROBLEM_TRIES):
        problem = Problem(rng, ready.family, ready.telling, crowd)
        images = []
        for place in range(PANELS):
            own = change if place == PANELS - 1 else REGULAR
            image = attempt(partial(begun, scenes[place], numbers[place], casts[place], problem, place, own))
            if image is None:
                break
            images.append(image)
        else:
            return tuple(images)
    raise Unplaceable(
        f"could not place the objects of rule {ready.rule.name!r}"
        f"{' in its shifted version' if ready.shifted else ''} after {PROBLEM_TRIES} tries; numbers drawn: {numbers}"
    )


REGULAR = Change()


def begun(scene: Scene, values: dict[str, Any], cast: Cast, problem: Problem, place: int, change: Change) -> Draft:
    """An image of which only the numbers are drawn."""
    return Draft(scene, dict(values), cast, problem, change.exchange, change.anew, place)


def attempt(begin: Any) -> Image | None:
    """An image, if one can be finished."""
    for _ in range(IMAGE_TRIES):
        try:
            return draw_image(begin())
        except NoRoom:
            continue
    return None


class Sampler:
    """The contract of core/task.py: draws the problems of one spec, part and stream key, in any order.

    The order of the four images is drawn last, until the problem's content key falls in the part: a new order costs
    little where a new problem would not.
    """

    def __init__(self, spec: Spec, part: Part, key: int) -> None:
        self.spec = spec
        self.part = part
        self.key = key
        self.plans = [plan(name, spec.shifted) for name in spec.rules]

    def draw(self, index: int, first: int = 0) -> tuple[Record, int, int]:
        """The record of an index, its content key, and which draw it was: the first from `first` on in the part."""
        turn = first
        ready = (
            self.plans[permuted(index % len(self.plans), len(self.plans), np.uint64(self.key))]
            if len(self.plans) > 1
            else self.plans[0]
        )
        while True:
            rng = BlockStream(self.key, index=index, draw=turn)
            images = draw_problem(ready, rng)
            blobs = [pack(f"{9 * len(image)}d", *chain.from_iterable(image)) for image in images]
            head = f"{ready.rule.name}\0{ready.family}\0".encode()
            begin = rng.below(len(ORDERS))
            for order in ORDERS[begin:] + ORDERS[:begin]:
                content = hash_bytes(head + b"".join([blobs[i] for i in order]))
                if self.part.holds(content):
                    shown: Any = tuple(images[i] for i in order)
                    return (
                        Record(ready.rule.name, ready.shifted, ready.family, order.index(PANELS - 1), shown),
                        content,
                        turn,
                    )
            turn += 1

    def keys(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """(content key, draw) of a range of indices."""
        return (self.draw(index)[1:] for index in range(start, stop))
