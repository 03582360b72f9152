"""Record -> arrays: frames and ids, whole masks where asked for; and pictures for people."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels, motion, stage
from unseen.benchmarks.video.rooms import Walk
from unseen.benchmarks.video.sample import Record, poses_of
from unseen.benchmarks.video.spec import Room, Scenario, Spec, Traffic, View
from unseen.benchmarks.video.textures import crop
from unseen.render import figure, space
from unseen.render.palette import COLORS, Image
from unseen.render.space.stage import FLOOR

Frames = npt.NDArray[np.uint8]  # (t, h, w, 3)
Ids = npt.NDArray[np.uint8]  # (t, h, w), 0 or 240 and more for the background


def arrays(record: Record, spec: Scenario, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Frames and ids; the amodal view adds whole masks, depth order and visibility of every object.

    The view of motion adds what motion.py tells.
    `amodal` uint8 (n, t, h, w) is 1 where an object would be seen if it were alone; `depth` uint8 (t, n) counts from 1
    at the back, 0 for an object that is not there; `visibility` float32 (n, t) is the share of a whole mask that is
    seen, 0 where there is none.
    """
    if record.walk is not None:
        return _walk_arrays(record.walk, view)
    size, count = view.size, len(record.objects)
    frames = np.zeros((record.frames, size, size, 3), np.uint8)
    ids = np.zeros((record.frames, size, size), np.uint8)
    whole = np.zeros((count if view.amodal else 0, record.frames, size, size), np.uint8)
    depth = np.zeros((record.frames, count), np.uint8)
    poses = poses_of(record)
    if isinstance(spec, Spec):
        background = 0 if view.background == "black" else record.background
        kernels.paint_sprites(poses, background, _fills(record, spec, view), frames, ids, whole, depth)
    else:
        kernels.paint_traffic(poses, frames, ids, whole, depth)
    target: dict[str, Any] = {"ids": ids}
    if view.amodal:
        target |= {"amodal": whole, "depth": depth, "visibility": _visibility(ids, whole)}
    if view.motion:
        target |= {"flow": motion.flow(record, spec, ids), **motion.prompts(ids, count)}
    return {"frames": frames}, target


def drawn_by(spec: Scenario, view: View) -> str | None:
    """Return the renderer of rooms."""
    return space.name_of(view.renderer) if isinstance(spec, Room) and view.renderer != "none" else None


def shapes(spec: Scenario, view: View) -> dict[str, tuple[int, ...]]:
    """Return the shapes of what is shown, which are known before anything is drawn."""
    shown = not isinstance(spec, Room) or view.renderer != "none"
    return {"frames": (spec.frames, view.size, view.size, 3)} if shown else {}


def _walk_arrays(walk: Walk, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a walk at its own size and thin out its pixels to the view's size, as the published evaluation does."""
    every = slice(None, None, Room.canvas // view.size)
    shown = stage.seen(walk, Room.canvas)
    ids = np.stack([one.ids for one in shown])[:, every, every]
    target: dict[str, Any] = {"ids": np.ascontiguousarray(ids)}
    if view.amodal:
        whole = stage.whole_masks(walk, Room.canvas)[..., every, every]
        target |= {"amodal": whole, "depth": stage.depth_order(walk, whole), "visibility": _visibility(ids, whole)}
    if view.motion:
        target |= {**motion.walked(walk, shown, view.size), **motion.prompts(ids, len(walk.objects))}
    if view.renderer == "none":
        return {}, target
    frames = stage.film(walk, Room.canvas, view.renderer)[:, every, every]
    if view.background == "black":
        frames = np.where(ids[..., None] < FLOOR, frames, 0)
    return {"frames": np.ascontiguousarray(frames)}, target


def walk_ids(walk: Walk) -> Ids:
    """Objects by number, floor and walls from 240 on; found without a renderer."""
    return np.stack([shown.ids for shown in stage.seen(walk, Room.canvas)])


def _fills(record: Record, spec: Spec, view: View) -> npt.NDArray[np.uint8]:
    """The textures of background and objects; no rows where colors are flat."""
    if not spec.textured:
        return np.zeros((0, view.size, view.size, 3), np.uint8)
    look = partial(crop, size=view.size, kind=spec.texture, folder=view.textures, video=record.texture)
    sprites = [look(one.texture, scale=one.poses[0].height) for one in record.objects]
    fills = np.stack([look(record.texture), *sprites])
    if view.background == "black":
        fills[0] = 0
    return fills


def _visibility(ids: Ids, whole: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    seen = [(ids == i).sum(axis=(1, 2)) for i in range(1, len(whole) + 1)]
    all_of_it = whole.sum(axis=(2, 3), dtype=np.int64)
    share: npt.NDArray[np.float32] = (np.reshape(seen, all_of_it.shape) / np.maximum(all_of_it, 1)).astype(np.float32)
    return share


def slots(spec: Scenario) -> int:
    """Tell how many objects a video has at once, at most."""
    return kernels.SLOTS if isinstance(spec, Traffic) else spec.objects[1]


def scene(record: Record, spec: Scenario) -> dict[str, Any]:
    """Give the symbolic scene as plain Python values: pixels of the canvas, degrees, and color names as on the web."""
    if record.walk is not None:
        return {"canvas": spec.canvas, "frames": record.frames, **_walk_scene(record.walk)}
    return {
        "canvas": spec.canvas,
        "frames": record.frames,
        "background": f"#{record.background:06x}",
        "objects": [
            {
                "id": number,
                "shape": one.shape,
                "first": one.first,
                "at": [[pose.x / kernels.GRAIN, pose.y / kernels.GRAIN] for pose in one.poses],
                "size": [[pose.height, pose.width] for pose in one.poses],
                "angle": [360 * pose.angle / kernels.TURN for pose in one.poses],
                "color": [f"#{pose.color:06x}" for pose in one.poses],
            }
            for number, one in enumerate(record.objects, 1)
        ],
    }


def _walk_scene(walk: Walk) -> dict[str, Any]:
    """Meters from the middle of the room, degrees, and color names as on the web."""
    return {
        "objects": [
            {
                "id": number,
                "shape": one.shape,
                "at": [one.x / 1000, one.y / 1000],
                "angle": one.angle / 10,
                "color": f"#{one.color:06x}",
            }
            for number, one in enumerate(walk.objects, 1)
        ],
        "camera": {
            "at": [[look.x / 1000, look.y / 1000, walk.height / 1000] for look in walk.path],
            "heading": [look.heading / 10 for look in walk.path],
            "pitch": walk.pitch / 10,
            "field_of_view": walk.field_of_view / 10,
        },
        "floor": f"#{walk.floor:06x}",
        "walls": [f"#{color:06x}" for color in walk.walls],
        "lamp": {"at": [value / 1000 for value in walk.lamp], "light": walk.light / 100},
        "ambient": walk.ambient / 100,
    }


# ---------------------------------------------------------------------------- pictures for people

STRIP = 1400  # about how many pixels wide a row of frames is drawn
LARGEST = 3  # times a frame is enlarged at most
FILM = 256  # about how many pixels wide a frame of a film is drawn
BLANK, SHADE = 120, 20  # gray of what no renderer drew: objects and floor, and how much lighter each wall is
HUES = np.array(COLORS, ">u4").view(np.uint8).reshape(-1, 4)[:, 1:]  # of ids


def picture(record: Record, spec: Scenario, view: View) -> Image:
    """Return the frames from left to right, and below them the frames with every object's outline.

    Without a renderer there are the outlines alone, on floor and walls in gray.
    """
    inputs, target = arrays(record, spec, view)
    frames, ids = _seen(inputs, target), target["ids"]
    times = _times(frames)
    plain = [_enlarged(frames, times)] if inputs else []
    return _strips([*plain, outlined(frames, ids, times)])


def answer_picture(record: Record, prediction: Ids, spec: Scenario, view: View) -> Image:
    """The frames with the outlines of the truth, and below them with those of a model's answer; at the end, tracks."""
    inputs, target = arrays(record, spec, view)
    frames, times = _seen(inputs, target), _times(_seen(inputs, target))
    return _strips(
        [
            np.concatenate([outlined(frames, ids, times), tracked(frames, ids, times)[None]])
            for ids in (target["ids"], prediction)
        ]
    )


def film(record: Record, spec: Scenario, view: View) -> Frames:
    """Draw every frame as it is, next to the frame with masks."""
    inputs, target = arrays(record, spec, view)
    frames, times = _seen(inputs, target), max(1, FILM // view.size)
    return np.concatenate([_enlarged(frames, times), outlined(frames, target["ids"], times)], axis=2)


def _seen(inputs: dict[str, Any], target: dict[str, Any]) -> Frames:
    """The frames; where no renderer drew them, floor and walls in shades of gray."""
    ids = target["ids"].astype(np.int16)
    gray = np.where(ids < FLOOR, BLANK, BLANK + SHADE * (ids - FLOOR)).astype(np.uint8)
    return inputs.get("frames", gray[..., None].repeat(3, axis=3))  # type: ignore[no-any-return]


def _times(frames: Frames) -> int:
    count, size, *_ = frames.shape
    return max(1, min(LARGEST, STRIP // int(count * size)))


def _strips(rows: list[Frames]) -> Image:
    return figure.above([figure.beside([figure.framed(frame) for frame in row], gap=3) for row in rows], gap=4)


def outlined(frames: Frames, ids: Ids, times: int) -> Frames:
    """Frames enlarged and dimmed, the pixels of each object tinted in its hue and their outer edge drawn in it."""
    shown, labels = _enlarged(frames, times), _enlarged(ids, times)
    labels = np.where(labels < FLOOR, labels, 0)
    hue = HUES[(labels - 1) % len(HUES)]
    mixed = np.where(labels[..., None] > 0, shown // 2 + hue // 2, shown // 2)
    return np.where(_edges(labels)[..., None], hue, mixed)


def tracked(frames: Frames, ids: Ids, times: int) -> Image:
    """The last frame, dark, with the way that the middle of each object went; what fills half a frame is no object."""
    drawn: Image = _enlarged(frames[-1:], times)[0] // 3
    for number in np.unique(ids[(ids > 0) & (ids < FLOOR)]):
        middles = [
            times * (np.argwhere(frame == number).mean(axis=0) + 0.5)
            for frame in ids
            if 0 < (frame == number).mean() < 0.5
        ]
        for start, end in zip(middles, middles[1:] or middles, strict=False):
            way = np.linspace(start, end, 2 * max(drawn.shape)).astype(int)
            drawn[way[:, 0], way[:, 1]] = HUES[(number - 1) % len(HUES)]
        for row, column in np.array(middles, int).reshape(-1, 2):
            drawn[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = HUES[(number - 1) % len(HUES)]
    return drawn


def _enlarged(frames: npt.NDArray[np.uint8], times: int) -> npt.NDArray[np.uint8]:
    return frames.repeat(times, axis=1).repeat(times, axis=2)


def _edges(labels: Ids) -> npt.NDArray[np.bool_]:
    """Pixels of objects that have another label beside, above or below them, or the border."""
    wide = np.pad(labels, ((0, 0), (1, 1), (1, 1)))
    inner = wide[:, 1:-1, 1:-1]
    neighbors = (wide[:, :-2, 1:-1], wide[:, 2:, 1:-1], wide[:, 1:-1, :-2], wide[:, 1:-1, 2:])
    different: npt.NDArray[np.bool_] = np.any([inner != other for other in neighbors], axis=0)
    return different & (labels > 0)
