"""Light that has met the stage once: an estimate for renderers that do not follow it.

Rays from among the bodies find what the stage sends back from each side, as if the bodies were not there.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from unseen.render.space.scene import Cyclorama, Room, Scene, Surface
from unseen.render.space.textures import mean_color

Floats = npt.NDArray[np.float64]
AXES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], float)
RINGS, SPOKES = 4, 8  # of rays about each axis


def bounced(scene: Scene) -> Floats:
    """Irradiance of surfaces that look along +x, -x, +y, -y, +z and -z: (6, 3), red, green and blue."""
    center = np.mean([body.position for body in scene.bodies], 0) if scene.bodies else np.array([0.0, 0.0, 1.0])
    light = radiance(scene, center, _rays().reshape(-1, 3))
    return np.pi * light.reshape(len(AXES), -1, 3).mean(1)


def radiance(scene: Scene, start: Floats, ways: Floats) -> Floats:
    """Radiance (n, 3) that comes to a point against the directions (n, 3) from stage and sky."""
    nearest = np.full(len(ways), np.inf)
    light = np.tile(np.array(scene.sky, float), (len(ways), 1))
    for axis, place, facing, surface, low, high in _planes(scene.stage):
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (place - start[axis]) / ways[:, axis]
            met = start + reach[:, None] * ways
            inside = ((met >= low) & (met <= high))[:, [k for k in range(3) if k != axis]].all(1)
        hit = inside & (reach > 0) & (reach < nearest)
        nearest[hit] = reach[hit]
        normal = facing * np.eye(3)[axis]
        light[hit] = mean_color(surface) * irradiance(scene, met[hit], normal) / np.pi
    return light


def irradiance(scene: Scene, places: Floats, normal: Floats | None = None) -> Floats:
    """What the lamps give, without shadows, to places (n, 3) that look along a normal; None: to balls, on average."""

    def facing(to_lamp: Floats) -> Floats | float:
        return 0.25 if normal is None else np.maximum(to_lamp @ normal, 0)[..., None]

    total = np.zeros((len(places), 3))
    for lamp in scene.lights:
        to = np.array(lamp.position) - places
        squared = (to**2).sum(1, keepdims=True)
        to = to / np.sqrt(squared)
        way = np.array(lamp.aim) - lamp.position
        shines = np.maximum(-to @ way / np.linalg.norm(way), 0)[:, None]
        total += lamp.power / 4 * np.array(lamp.color) * shines / squared * facing(to)
    if scene.sun:
        way = -np.array(scene.sun.direction) / np.linalg.norm(scene.sun.direction)
        total += scene.sun.strength * np.array(scene.sun.color) * facing(way)
    return total


@cache
def _rays() -> Floats:
    """Directions about each axis, more of them the nearer to it, as a surface weighs them: (6, rays, 3)."""
    sine = np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
    angle = (np.arange(SPOKES) + 0.5) * 2 * np.pi / SPOKES
    a, b = (sine[:, None] * np.cos(angle)).ravel(), (sine[:, None] * np.sin(angle)).ravel()
    along = np.repeat(np.sqrt(1 - sine**2), SPOKES)
    sides = np.roll(np.abs(AXES), 1, 1), np.roll(np.abs(AXES), 2, 1)
    return AXES[:, None] * along[:, None] + sides[0][:, None] * a[:, None] + sides[1][:, None] * b[:, None]


def _planes(stage: Cyclorama | Room) -> list[tuple[int, float, int, Surface, Floats, Floats]]:
    """A stage's planes: axis, place along it, which way it looks, what it is made of, least and greatest corner."""
    if isinstance(stage, Cyclorama):  # without its bend
        wall, far = stage.back - stage.bend, np.inf
        low, high = np.array([wall, -far, 0.0]), np.array([far, far, stage.height])
        return [(2, 0.0, 1, stage.surface, low, high), (0, wall, 1, stage.surface, low, high)]
    low, high = np.array([*stage.low, 0.0]), np.array([*stage.high, stage.height])
    walls = [(axis, end[axis], side) for axis in (0, 1) for side, end in ((1, low), (-1, high))]
    surfaces = [stage.floor, *stage.walls]
    return [(*plane, surface, low, high) for plane, surface in zip([(2, 0.0, 1), *walls], surfaces, strict=True)]
