"""What moves where: optical flow, distances, camera poses, and the boxes that tell a model which objects to follow.

Flow is that of the records: sprites move by parts of a pixel, though they are painted on whole ones, and in a room the
camera moves and the objects do not. Positions are in pixels of the view from the upper left corner, rows first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels, stage
from unseen.benchmarks.video.rooms import Walk
from unseen.benchmarks.video.sample import Moving, Pose, Record
from unseen.benchmarks.video.spec import Room, Scenario, Spec
from unseen.render.space.project import Projection, view

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.uint8]  # (t, h, w)


def prompts(ids: Ids, count: int) -> dict[str, Any]:
    """Give what is seen of so many objects in the first frame, as models are prompted with it; zeros where nothing is.

    `boxes` float32 (n, 4) are top, left, bottom and right; `centers` float32 (n, 2) the mean row and column.
    """
    boxes, centers = np.zeros((count, 4), np.float32), np.zeros((count, 2), np.float32)
    for i in range(count):
        places = np.argwhere(ids[0] == i + 1)
        if len(places):
            boxes[i] = *places.min(0), *(places.max(0) + 1)
            centers[i] = places.mean(0) + 0.5
    return {"boxes": boxes, "centers": centers}


# ---------------------------------------------------------------------------- sprites and templates


def flow(record: Record, spec: Scenario, ids: Ids) -> Floats:
    """By how many rows and columns what a pixel shows moves until the next frame, (t, h, w, 2); 0 in the last one."""
    moved = np.zeros((*ids.shape, 2), np.float32)
    scale = ids.shape[1] / spec.canvas  # pixels of the view in one of the canvas
    for number, one in enumerate(record.objects, 1):
        for t in range(one.first, one.first + len(one.poses) - 1):
            places = np.argwhere(ids[t] == number)
            if len(places):
                moved[t, places[:, 0], places[:, 1]] = _carried(places + 0.5, one, t - one.first, spec, scale)
    return moved


def _carried(places: npt.NDArray[Any], one: Moving, k: int, spec: Scenario, scale: float) -> Any:
    """By how much the points of an object, rows and columns, move with it from one pose to the next."""
    (here, turn), (there, next_turn) = (_frame(pose, spec, scale) for pose in one.poses[k : k + 2])
    points = places[:, 1] + 1j * places[:, 0]
    ends = there + (points - here) * next_turn / turn
    return np.stack([(ends - points).imag, (ends - points).real], 1)


def _frame(pose: Pose, spec: Scenario, scale: float) -> tuple[complex, complex]:
    """Where the middle of an object is, as column and row, and how it is turned and scaled."""
    angle = 2 * pi * pose.angle / kernels.TURN
    size = pose.height if isinstance(spec, Spec) else 1  # templates keep theirs
    return complex(pose.x, pose.y) / kernels.GRAIN * scale, size * complex(cos(angle), sin(angle))


# ---------------------------------------------------------------------------- rooms


def walked(walk: Walk, shown: Sequence[Projection], size: int) -> dict[str, Any]:
    """Flow, distances and camera poses of a walk, from what is seen of it at its own size.

    `distances` float32 (t, h, w) are meters along the view. `cameras` float32 (t, 4, 4) take a place before the camera,
    meters to the right, down and ahead, to its place in the room.
    """
    every = slice(None, None, Room.canvas // size)
    views = [view(scene.camera, Room.canvas) for scene in stage.scenes(walk)]
    flows = np.zeros((len(views), Room.canvas, Room.canvas, 2), np.float32)
    for t in range(len(views) - 1):
        flows[t] = _seen_from(views[t], views[t + 1], shown[t].depth.astype(float))
    return {
        "flow": np.ascontiguousarray(flows[:, every, every]) * np.float32(size / Room.canvas),
        "distances": np.stack([one.depth[every, every] for one in shown]),
        "cameras": np.stack([_pose(one) for one in views]).astype(np.float32),
    }


def _seen_from(here: Any, there: Any, depth: npt.NDArray[np.float64]) -> Any:
    """By how many rows and columns pixels move from one view to the next, given how far away they are."""
    right, up, forward, eye, focal = np.split(here, [3, 6, 9, 12])
    at = np.arange(len(depth)) + 0.5 - len(depth) / 2
    rays = forward + (at[None, :, None] * right - at[:, None, None] * up) / focal
    right, up, forward, other_eye, focal = np.split(there, [3, 6, 9, 12])
    offset = eye + rays * depth[..., None] - other_eye
    ahead = np.maximum(offset @ forward, 1e-3)
    column, row = focal * (offset @ right) / ahead, -focal * (offset @ up) / ahead
    return np.stack([row - at[:, None], column - at[None, :]], -1)


def _pose(seen_by: Any) -> npt.NDArray[np.float64]:
    right, up, forward, eye = np.split(seen_by[:12], 4)
    pose = np.eye(4)
    pose[:3] = np.stack([right, -up, forward, eye], 1)
    return pose
