"""Bodies of an image put together and placed: contents in containers, clumps touching, all in the frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from unseen.benchmarks.cvr import kernels
from unseen.benchmarks.cvr.contours import cache_of, room
from unseen.benchmarks.cvr.draft import Draft, NoRoom, new_shape
from unseen.benchmarks.cvr.layouts import ARRANGEMENTS, EDGE, GAP
from unseen.benchmarks.cvr.scene import FINE
from unseen.benchmarks.cvr.vocabulary import ANY, NONE, Mirror, Motifs

INSIDE_TRIES, OTHER_SHAPES, TOUCH_TRIES = 60, 12, 20
# of clumps: members that are apart stay so, having half as much gap again, and members that touch still do
SCALES = (0.6, 1.25)
TINY = 1e-9  # what sums of floats may be off


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
    share = len(roots) ** -0.5  # of several bodies
    scales = {}
    for root in roots:
        box = boxes[root]
        alone = draft.cast.clumps.count(root) == 1
        lone = draft.scene.size.option("lone", 1.0) if alone else 1.0
        scales[root] = draft.uniform(fit) * share * lone / max(box[2] - box[0], box[3] - box[1])
        if not alone and not SCALES[0] <= scales[root] <= SCALES[1]:
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
