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

from unseen.benchmarks.cvr import kernels
from unseen.benchmarks.cvr.coincidences import COINCIDENCES
from unseen.benchmarks.cvr.contours import cache_of, room
from unseen.benchmarks.cvr.draft import (
    Draft,
    NoRoom,
    Problem,
    draw_angles,
    draw_colors,
    draw_flips,
    draw_shapes,
    draw_sizes,
    new_shape,
)
from unseen.benchmarks.cvr.layouts import ARRANGEMENTS, EDGE, GAP, pose, set_extent
from unseen.benchmarks.cvr.numbers import cast_of, draw_numbers, in_order
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import PANELS, Image, Object, Record
from unseen.benchmarks.cvr.shift import version
from unseen.benchmarks.cvr.spec import Spec
from unseen.benchmarks.cvr.vocabulary import ANY, NONE, Cast, Change, Mirror, Motifs, Rule, Scene
from unseen.core.errors import Unplaceable
from unseen.core.key import hash_bytes
from unseen.core.random import BlockStream, Stream, permuted
from unseen.core.splits import Part

IMAGE_TRIES, PROBLEM_TRIES = 60, 60
INSIDE_TRIES, OTHER_SHAPES, TOUCH_TRIES = 60, 12, 20
FINE = 65536  # records are whole multiples of 1 / FINE: exact in any file, and the same on every machine
TELLING = {"shape", "rotation", "flip"}  # relations of which shapes carry the rule
SCALES = (
    0.6,
    1.25,
)  # of clumps: members that are apart stay so, having half as much gap again, and so do touching ones
TINY = 1e-9  # what sums of floats may be off
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
    telling = bool(TELLING & set(rule.relations))
    return Plan(rule, shifted, in_order(version(rule, shifted)), scenes, family, telling)


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


def place_all(draft: Draft, sizes: Any, angles: Any) -> Any:
    """The centers of all objects."""
    cast = draft.cast
    out = room(len(sizes))
    draft.outlined = (sizes, angles, np.array(draft.flip))
    pose_outlines(draft, out)
    if cast.whole and not draft.scene.size.option("fit"):
        return arranged(draft, out.boxes)
    offsets, boxes = np.zeros((len(sizes), 2)), np.empty((len(sizes), 4))
    if cast.outer < len(cast):
        put_inside(draft, out, offsets)
    if cast.touches.count(NONE) < len(cast):
        bring_together(draft, out, offsets)
    roots, holders = list(cast.roots), np.array(cast.holders)
    kernels.extents(out.boxes, holders, offsets, boxes)
    if fit := draft.scene.size.option("fit"):
        scale_bodies(draft, fit, sizes, offsets, boxes)
    centers = np.empty((len(sizes), 2))
    centers[roots] = arranged(draft, boxes[roots])
    kernels.settle(holders, offsets, centers)
    return centers


def arranged(draft: Draft, boxes: Any) -> Any:
    """The centers of bodies, all in the frame and apart."""
    place = draft.scene.place
    centers = ARRANGEMENTS[type(place)](draft, place, boxes)
    if not kernels.in_place(boxes, centers, EDGE - TINY, GAP - TINY):
        raise NoRoom
    return centers


def pose_outlines(draft: Draft, out: Any) -> None:
    """Make the outlines of all objects."""
    kernels.outlines(cache_of(draft.problem.family), np.array(draft.shape, np.int64), *draft.outlined, out)


def scale_bodies(draft: Draft, fit: Any, sizes: Any, offsets: Any, boxes: Any) -> None:
    """Scale each body so that its longer side is what is drawn for it, whatever it is made of."""
    roots = draft.cast.roots
    share = len(roots) ** -0.5 if draft.scene.size.option("fit_root") else 1.0
    scales = {}
    for root in roots:
        box = boxes[root]
        lone = draft.scene.size.option("lone", 1.0) if draft.cast.clumps.count(root) == 1 else 1.0
        scales[root] = draft.uniform(fit) * share * lone / max(box[2] - box[0], box[3] - box[1])
        if draft.cast.clumps.count(root) > 1 and not SCALES[0] <= scales[root] <= SCALES[1]:
            raise NoRoom
        boxes[root] *= scales[root]
    for i, first in enumerate(draft.cast.clumps):
        sizes[i] = round(sizes[i] * scales[first] * FINE) / FINE
        offsets[i] *= scales[first]


def put_inside(draft: Draft, out: Any, offsets: Any) -> None:
    """Find places for contents in their containers."""
    cast, place, window = draft.cast, draft.scene.place, draft.scene.window
    windows = np.array([[0.0, 1.0, 0.0, 1.0]] * len(cast))
    if window == "side":
        axis = draft.values["axis"]
        windows[:, 2 * axis : 2 * axis + 2] = (0.0, 0.36) if draft.values["side"] < 0 else (0.64, 1.0)
    copied = follow_motion(draft) if isinstance(place, Motifs) or getattr(place, "roles", False) else {}
    own = np.array([NONE if i in copied else parent for i, parent in enumerate(cast.parent)])
    for _ in range(OTHER_SHAPES):
        failed = kernels.insert(out, own, windows, GAP, INSIDE_TRIES, draft.rng.state, offsets)
        if failed < 0:
            break
        reshape_body(draft, failed, out)  # only these two, as the others have found their places
    else:
        raise NoRoom
    if window == "along" and not lies_along(draft, offsets):
        raise NoRoom
    for inner, (model, matrix) in copied.items():
        scale = draft.size[cast.parent[inner]] / draft.size[cast.parent[model]]
        pin(draft, out, windows, inner, offsets[model] @ matrix * scale, offsets)


def reshape_body(draft: Draft, inner: int, out: Any) -> None:
    """Give an object that does not fit, and its container, other shapes, if these are the image's own."""
    if draft.scene.shape.level != "image":
        raise NoRoom
    for old in {draft.shape[inner], draft.shape[draft.cast.parent[inner]]}:
        others = {i: key for i, key in enumerate(draft.shape) if key != old}
        fresh = new_shape(draft, others)
        draft.shape = [fresh if key == old else key for key in draft.shape]
    pose_outlines(draft, out)


def lies_along(draft: Draft, offsets: Any) -> bool:
    """Whether two inner objects lie along the axis rather than across it."""
    gap = abs(offsets[1] - offsets[2])
    axis = draft.values["axis"]
    return bool(gap[axis] - gap[1 - axis] >= 0.14 * draft.size[0])


def follow_motion(draft: Draft) -> dict[int, tuple[int, Any]]:
    """Contents that lie in their container as others do in theirs: whose, and by which motion."""
    if isinstance(draft.scene.place, Motifs):
        if draft.scene.place.motion == "mirror":
            return {3: (1, np.array([[-1.0, 0.0], [0.0, 1.0]]))}
        c, s = kernels.turn(draft.values["motion"])
        return {3: (1, np.array([[c, s], [-s, c]]))}
    parents = draft.cast.parent
    inner = [i for i, parent in enumerate(parents) if parent != NONE]
    mirror = np.array([[-1.0, 0.0], [0.0, 1.0]] if draft.values["line"] == 90 else [[1.0, 0.0], [0.0, -1.0]])
    place: Mirror = draft.scene.place  # type: ignore[assignment]
    return {
        second: (first, np.eye(2) if place.swap else mirror)
        for first, second in zip(inner[::2], inner[1::2], strict=True)
    }


def pin(draft: Draft, out: Any, windows: Any, inner: int, offset: Any, offsets: Any) -> None:
    """Put an object at a given place in its container, if it lies truly inside there."""
    parent = draft.cast.parent[inner]
    only = np.full(len(draft.cast), NONE)
    only[inner] = parent
    box = out.boxes[parent]
    at = (offset - box[:2]) / (box[2:] - box[:2])
    windows[inner] = at[0] - TINY, at[0] + TINY, at[1] - TINY, at[1] + TINY
    if kernels.insert(out, only, windows, GAP, 1, draft.rng.state, offsets) >= 0:
        raise NoRoom


def bring_together(draft: Draft, out: Any, offsets: Any) -> None:
    """Slide the members of clumps together."""
    cast, direction = draft.cast, draft.scene.direction
    against = np.array([NONE if partner == ANY else partner for partner in cast.touches])
    angles = np.full(len(cast), np.nan if direction is None else float(draft.number(direction)))
    inside = offsets.copy()
    gap = 1.5 * GAP if draft.scene.size.option("fit") else GAP  # where clumps may be scaled down
    if kernels.touch(out, np.array(cast.clumps), against, angles, gap, TOUCH_TRIES, draft.rng.state, offsets) >= 0:
        raise NoRoom
    for i, parent in enumerate(cast.parent):
        if parent != NONE:
            offsets[i] = inside[i]


# ------------------------------------------------------------------------------------------------ problems


def draw_problem(ready: Plan, rng: Stream) -> tuple[Image, ...]:
    """Three regular images and an odd one, which comes last."""
    unlikely = COINCIDENCES.get(ready.rule.unless)
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
            begin = partial(begun, scenes[place], numbers[place], casts[place], problem, place)
            image = attempt(partial(begin, change if place == PANELS - 1 else REGULAR))
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
