"""VOR: a room with a few objects in one quarter, and a camera that walks towards them from the opposite one.

Lengths are whole millimeters from the middle of the room, angles tenths of a degree from the x axis, so that records
are equal on every machine. Palette, sizes, camera and light are those of the simulator that the published set was made
with; room, trajectories and spacing are not published, and chosen here (docs/fidelity.md).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations
from math import atan, atan2, cos, degrees, hypot, radians, sin, tan
from typing import NamedTuple

import numpy as np

from unseen.benchmarks.video.spec import Room
from unseen.core.errors import Unplaceable
from unseen.core.key import hash_bytes
from unseen.core.random import Stream

HALF = 4_000  # of the room's side
STEP = 150  # of the camera from frame to frame
TURN = 20  # of the camera from frame to frame, where it turns
REACH = {"box": 400, "ball": 300}  # half of an edge, a radius
WIDEST = {"box": 566, "ball": 300}  # from the middle to the farthest point of the outline on the floor
GAP = 100  # between any two objects, and between an object and a wall
CLEAR = 500  # between the camera and a wall or an object
PALETTE = {  # name -> 0xRRGGBB, before its random tint
    "red": 0xFF0000,
    "green": 0x00FF00,
    "blue": 0x0000FF,
    "purple": 0x7026C2,
    "yellow": 0xFFFF00,
    "gray": 0x636363,
}
TINT = 51  # by which any channel may differ from the palette
TRAJECTORIES = {  # name -> direction of a step from where the camera looks, turn at every step; in tenths of a degree
    "ahead": (0, 0),
    "ahead, turning left": (0, TURN),
    "ahead, turning right": (0, -TURN),
    "to the left, turning right": (450, -TURN),
    "to the right, turning left": (-450, TURN),
}
QUARTERS = ((1, 1), (-1, 1), (-1, -1), (1, -1))  # signs of x and y
HEIGHT = (1_450, 1_550)  # of the camera
FIELD_OF_VIEW = (550, 650)
PITCH = (-50, 50)
LAMP = 2_000  # how far the lamp may hang from the middle of the room, in x and in y
DARKEST = 80  # channel of a floor's or wall's color
TRIES = 1_000


class Standing(NamedTuple):
    """An object on the floor."""

    shape: str
    x: int
    y: int
    angle: int
    color: int  # 0xRRGGBB


class Look(NamedTuple):
    """Where the camera is in one frame, and where it looks."""

    x: int
    y: int
    heading: int


@dataclass(frozen=True, slots=True)
class Walk:
    """What stands in a room, how it is lit, and how the camera goes through it."""

    objects: tuple[Standing, ...]
    path: tuple[Look, ...]  # one per frame
    height: int  # of the camera
    field_of_view: int  # across the image
    pitch: int  # up
    floor: int  # 0xRRGGBB
    walls: tuple[int, int, int, int]  # 0xRRGGBB, at low x, high x, low y, high y
    lamp: tuple[int, int, int]  # x, y, height
    light: int  # of the lamp, in percent
    ambient: int  # from everywhere, in percent


def draw_walk(spec: Room, rng: Stream) -> Walk:
    """Objects in one quarter of the room, and a path towards them that begins in the opposite one."""
    quarter = QUARTERS[rng.below(4)]
    objects = place(spec, quarter, rng)
    return Walk(
        objects,
        find_path(spec, quarter, objects, rng),
        height=rng.between(*HEIGHT),
        field_of_view=rng.between(*FIELD_OF_VIEW),
        pitch=rng.between(*PITCH),
        floor=_paint(rng),
        walls=(_paint(rng), _paint(rng), _paint(rng), _paint(rng)),
        lamp=(rng.between(-LAMP, LAMP), rng.between(-LAMP, LAMP), rng.between(4_500, 6_000)),
        light=rng.between(45, 80),
        ambient=rng.between(35, 55),
    )


def _paint(rng: Stream) -> int:
    """A color of floor or wall, light enough to be seen in the dark corner of a room."""
    return int.from_bytes(bytes(rng.between(DARKEST, 255) for _ in range(3)), "big")


def place(spec: Room, quarter: tuple[int, int], rng: Stream) -> tuple[Standing, ...]:
    """Objects in a quarter of the room, apart from each other and from the walls."""
    shapes = [rng.choice(tuple(REACH)) for _ in range(rng.between(*spec.objects))]
    for _ in range(TRIES):
        objects = [_stand(shape, quarter, rng) for shape in shapes]
        if all(apart(one, other) for one, other in combinations(objects, 2)):
            return tuple(objects)
    raise Unplaceable(f"found no room for {len(shapes)} objects in a quarter of the room; ask for fewer")


def _stand(shape: str, quarter: tuple[int, int], rng: Stream) -> Standing:
    margin = WIDEST[shape] + GAP
    x, y = (sign * rng.between(margin, HALF - margin) for sign in quarter)
    return Standing(shape, x, y, rng.below(3600), _tinted(rng.choice(tuple(PALETTE.values())), rng))


def _tinted(color: int, rng: Stream) -> int:
    channels = (min(255, max(0, channel + rng.between(-TINT, TINT))) for channel in color.to_bytes(3, "big"))
    return int.from_bytes(bytes(channels), "big")


def apart(one: Standing, other: Standing) -> bool:
    """Tell whether two objects cannot touch, however they are turned."""
    return hypot(one.x - other.x, one.y - other.y) >= WIDEST[one.shape] + WIDEST[other.shape] + GAP


def find_path(spec: Room, quarter: tuple[int, int], objects: tuple[Standing, ...], rng: Stream) -> tuple[Look, ...]:
    """Return one of the trajectories, from the quarter opposite to the objects', that runs into nothing."""
    trajectory = rng.choice(tuple(TRAJECTORIES))
    for _ in range(TRIES):
        x, y = (-sign * rng.between(0, HALF - CLEAR) for sign in quarter)
        # towards the middle of the objects' quarter, give or take fifteen degrees
        aim = round(10 * degrees(atan2(quarter[1] * HALF // 2 - y, quarter[0] * HALF // 2 - x)))
        path = follow(Look(x, y, (aim + rng.between(-150, 150)) % 3600), trajectory, spec.frames)
        if is_clear(path, objects):
            return path
    raise Unplaceable(f"found no path of {spec.frames} frames through the room; ask for fewer")


def follow(start: Look, trajectory: str, frames: int) -> tuple[Look, ...]:
    """Return the camera from the first frame to the last."""
    aside, turn = TRAJECTORIES[trajectory]
    path, x, y = [start], float(start.x), float(start.y)
    for t in range(1, frames):
        heading = (start.heading + t * turn) % 3600
        toward = radians((heading + aside) / 10)
        x, y = x + STEP * cos(toward), y + STEP * sin(toward)
        path.append(Look(round(x), round(y), heading))
    return tuple(path)


def is_clear(path: tuple[Look, ...], objects: tuple[Standing, ...]) -> bool:
    """Tell whether the camera stays away from walls and objects, and never sees more than two of the walls."""
    for look in path:
        if max(abs(look.x), abs(look.y)) > HALF - CLEAR or walls_in_view(look) > 2:
            return False
        if any(hypot(look.x - one.x, look.y - one.y) < WIDEST[one.shape] + CLEAR for one in objects):
            return False
    return True


def widest_bearing(field_of_view: int, pitch: int) -> float:
    """Tell how far to either side of its heading a camera sees, in tenths of a degree.

    A camera that looks up or down sees further in the corners of the image than half of its field of view.

    >>> widest_bearing(650, 0), round(widest_bearing(650, -50))
    (325.0, 341)
    """
    reach, tilt = tan(radians(field_of_view / 20)), radians(abs(pitch) / 10)
    return 10 * degrees(atan(reach / (cos(tilt) - reach * sin(tilt))))


WIDEST_BEARING = widest_bearing(FIELD_OF_VIEW[1], PITCH[1])


def walls_in_view(look: Look) -> int:
    """Tell how many walls the camera may see: one, and one more for every corner of the room in its view."""
    seen = 1
    for x, y in QUARTERS:
        bearing = 10 * degrees(atan2(y * HALF - look.y, x * HALF - look.x)) - look.heading
        seen += abs((bearing + 1800) % 3600 - 1800) <= WIDEST_BEARING
    return seen


def content_key(walk: Walk) -> int:
    """Return the content key of a walk: a hash of its numbers."""
    numbers: list[int] = []
    for one in walk.objects:
        numbers += [tuple(REACH).index(one.shape), *one[1:]]
    for look in walk.path:
        numbers += look
    for field in fields(Walk)[2:]:
        value = getattr(walk, field.name)
        numbers += value if isinstance(value, tuple) else [value]
    return hash_bytes(np.array(numbers, "<i4").tobytes())
