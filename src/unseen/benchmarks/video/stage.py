"""A walk through a room as a film: every frame is a 3-D scene, drawn by the renderer or only projected."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video.rooms import HALF, REACH, Look, Standing, Walk
from unseen.render import space
from unseen.render.space.project import Projection, project
from unseen.render.space.scene import AreaLight, Body, Camera, Color, Room, Scene, Surface

WALL = 12.0  # meters: higher than any camera looks
LAMP = 600.0  # watts at full light
SKY = 2.5  # times the ambient share: most of the sky is hidden by walls
MESHES = {"box": "box", "ball": "sphere"}

Ids = npt.NDArray[np.uint8]  # (t, h, w)


def scenes(walk: Walk) -> list[Scene]:
    """Return the scene of every frame."""
    first = Scene(
        tuple(map(_body, walk.objects)),
        _camera(walk, walk.path[0]),
        lights=(_lamp(walk),),
        stage=_room(walk),
        sky=(SKY * walk.ambient / 100,) * 3,
    )
    return [replace(first, camera=_camera(walk, look)) for look in walk.path]


def _body(one: Standing) -> Body:
    size = REACH[one.shape] / 1000
    place = (one.x / 1000, one.y / 1000, size)
    return Body(MESHES[one.shape], place, size, one.angle / 10, "plain", linear(one.color))


def _camera(walk: Walk, look: Look) -> Camera:
    heading, pitch = radians(look.heading / 10), radians(walk.pitch / 10)
    x, y, z = look.x / 1000, look.y / 1000, walk.height / 1000
    toward = cos(pitch) * cos(heading), cos(pitch) * sin(heading), sin(pitch)
    return Camera((x, y, z), (x + toward[0], y + toward[1], z + toward[2]), walk.field_of_view / 10)


def _lamp(walk: Walk) -> AreaLight:
    x, y, z = (value / 1000 for value in walk.lamp)
    return AreaLight((x, y, z), LAMP * walk.light / 100, aim=(x, y + 0.001, 0.0))


def _room(walk: Walk) -> Room:
    low, high, *others = (Surface("plain", linear(color)) for color in walk.walls)
    side = HALF / 1000
    floor = Surface("plain", linear(walk.floor))
    return Room((-side, -side), (side, side), WALL, floor, (low, high, others[0], others[1]))


def linear(color: int) -> Color:
    """Linear light of a color as screens have it, 0xRRGGBB."""
    red, green, blue = (_linear(channel) for channel in color.to_bytes(3, "big"))
    return red, green, blue


@cache
def _linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def film(walk: Walk, size: int, renderer: space.Renderer) -> npt.NDArray[np.uint8]:
    """Return the frames, uint8 (t, size, size, 3)."""
    return np.stack([picture.image for picture in space.render_many(scenes(walk), size, renderer)])


def seen(walk: Walk, size: int) -> list[Projection]:
    """Return what the camera sees in every frame."""
    return [project(scene, size) for scene in scenes(walk)]


def whole_masks(walk: Walk, size: int) -> npt.NDArray[np.uint8]:
    """uint8 (n, t, size, size), 1 where an object would be seen if it stood alone in the room."""
    masks = np.zeros((len(walk.objects), len(walk.path), size, size), np.uint8)
    for t, scene in enumerate(scenes(walk)):
        for i, body in enumerate(scene.bodies):
            masks[i, t] = project(replace(scene, bodies=(body,)), size).ids == 1
    return masks


def depth_order(walk: Walk, whole: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """uint8 (t, n): 1 for the farthest object, counting up to the nearest; 0 where an object is out of view."""
    order = np.zeros((len(walk.path), len(walk.objects)), np.uint8)
    for t, look in enumerate(walk.path):
        there = [i for i in range(len(walk.objects)) if whole[i, t].any()]
        there.sort(key=lambda i: -np.hypot(walk.objects[i].x - look.x, walk.objects[i].y - look.y))
        for rank, i in enumerate(there, 1):
            order[t, i] = rank
    return order
