"""Light that comes by way of the stage: an estimate for renderers that do not follow it.

Rays from among the bodies find what the stage sends back from each side, as if the bodies were not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from unseen.render.space.scene import Cyclorama, Room, Scene, Surface
from unseen.render.space.textures import mean_color, mean_metalness

Floats = npt.NDArray[np.float64]
AXES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], float)
RINGS, SPOKES = 4, 8  # of rays about each axis


def bounced(scene: Scene) -> Floats:
    """Irradiance of surfaces that look along +x, -x, +y, -y, +z and -z: (6, 3), red, green and blue.

    With E the result, D what the sky and the lamps' light give after one bounce, and T the share of a surface's view
    that looks along each axis, times its color: E = D + T E, for each of the colors.
    """
    start = np.mean([body.position for body in scene.bodies], 0) if scene.bodies else np.array([0.0, 0.0, 1.0])
    ways = _rays().reshape(-1, 3)
    nearest = np.full(len(ways), np.inf)
    light, color = np.tile(np.array(scene.sky, float), (len(ways), 1)), np.zeros((len(ways), 3))
    looks = np.zeros(len(ways), int)
    for plane in _planes(scene.stage):
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (plane.place - start[plane.axis]) / ways[:, plane.axis]
            met = start + reach[:, None] * ways
            met[:, plane.axis] = plane.place
            hit = (reach > 0) & (reach < nearest) & ((met >= plane.low) & (met <= plane.high)).all(1)
        nearest[hit], looks[hit], color[hit] = reach[hit], plane.looks, _scattered(plane.surface)
        light[hit] = color[hit] * irradiance(scene, met[hit], AXES[plane.looks]) / np.pi
    direct = np.pi * light.reshape(6, -1, 3).mean(1)
    share = color[:, None] * np.eye(6)[looks][..., None]  # (rays, axes, 3)
    transport = share.reshape(6, -1, 6, 3).mean(1)
    return np.stack([np.linalg.solve(np.eye(6) - transport[..., c], direct[:, c]) for c in range(3)], 1)


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


def _scattered(surface: Surface) -> Floats:
    """The share of light that a surface sends back to all sides; metal sends most of it past the bodies."""
    return np.asarray(mean_color(surface) * (1 - 0.7 * mean_metalness(surface.material)))


@cache
def _rays() -> Floats:
    """Directions about each axis, more of them the nearer to it, as a surface weighs them: (6, rays, 3)."""
    sine = np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
    angle = (np.arange(SPOKES) + 0.5) * 2 * np.pi / SPOKES
    a, b = (sine[:, None] * np.cos(angle)).ravel(), (sine[:, None] * np.sin(angle)).ravel()
    along = np.repeat(np.sqrt(1 - sine**2), SPOKES)
    sides = np.roll(np.abs(AXES), 1, 1), np.roll(np.abs(AXES), 2, 1)
    parts = zip((AXES, *sides), (along, a, b), strict=True)
    return np.asarray(sum(axes[:, None] * length[:, None] for axes, length in parts))


@dataclass(frozen=True, eq=False)
class _Plane:
    """A rectangle of a stage: square to an axis, at a place along it; looking along one of AXES."""

    axis: int
    place: float
    looks: int
    surface: Surface
    low: Floats
    high: Floats


def _planes(stage: Cyclorama | Room) -> list[_Plane]:
    if isinstance(stage, Cyclorama):  # without its bend
        wall = stage.back - stage.bend
        low, high = np.array([wall, -np.inf, 0.0]), np.array([np.inf, np.inf, stage.height])
        return [_Plane(2, 0.0, 4, stage.surface, low, high), _Plane(0, wall, 0, stage.surface, low, high)]
    low, high = np.array([*stage.low, 0.0]), np.array([*stage.high, stage.height])
    floor = _Plane(2, 0.0, 4, stage.floor, low, high)
    ends = [(0, low, 0), (0, high, 1), (1, low, 2), (1, high, 3)]
    walls = zip(ends, stage.walls, strict=True)
    return [floor, *(_Plane(axis, end[axis], looks, surface, low, high) for (axis, end, looks), surface in walls)]
