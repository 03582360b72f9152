"""Views as matrices: of cameras, of lamps onto their shadow maps, of bodies all around them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from unseen.render.space.bounce import AXES
from unseen.render.space.meshes import mesh
from unseen.render.space.project import view
from unseen.render.space.scene import AreaLight, Body, Camera, Scene, Sun

Floats = npt.NDArray[np.float64]
NEAR, FAR = 0.02, 400.0


@dataclass(frozen=True, eq=False)
class View:
    """Somebody who looks: from `eye`, through a matrix (4, 4) from places to OpenGL's clip space.

    `width` is that of the view at distance 1; of a sun, at any.
    """

    matrix: Floats
    eye: Floats
    width: float


@dataclass(frozen=True, eq=False)
class Lamp:
    """A lamp that looks at the bodies."""

    view: View
    way: Floats  # along which it shines
    power: Floats  # irradiance at distance 1; of a sun, at any
    edge: float  # of a sun: at distance 1
    near: float  # no body is nearer


def camera_view(camera: Camera) -> View:
    """What a camera sees."""
    right, up, forward, eye, focal = np.split(view(camera, 2), [3, 6, 9, 12])
    return perspective(right, up, forward, eye, 1 / float(focal[0]))


def cube_views(center: Floats) -> list[View]:
    """What is seen along +x, -x, +y, -y, +z and -z; to the right and upwards are the two axes that follow."""
    return [perspective(np.roll(abs(axis), 1), np.roll(abs(axis), 2), axis, center, 1.0) for axis in AXES]


def perspective(right: Floats, up: Floats, forward: Floats, eye: Floats, tangent: float) -> View:
    """A view whose half is `tangent` wide at distance 1."""
    axes = np.array([right / tangent, up / tangent, forward])
    x, y, w = np.hstack([axes, -(axes @ eye)[:, None]])
    z = (FAR + NEAR) / (FAR - NEAR) * w - (0, 0, 0, 2 * FAR * NEAR / (FAR - NEAR))
    return View(np.array([x, y, z, w]), eye, 2 * tangent)


def lamps(scene: Scene) -> list[Lamp]:
    """The lamps of a scene, the sun last; their views hold all bodies, as these alone cast shadows."""
    bounds = np.array([bounds_of(body) for body in scene.bodies] or [np.array([0, 0, 0, 1])])
    made = [_area(light, bounds) for light in scene.lights]
    return [*made, _sun(scene.sun, bounds)] if scene.sun else made


def _area(light: AreaLight, bounds: Floats) -> Lamp:
    place, power = np.array(light.position), light.power / 4 * np.array(light.color)
    right, up, forward = _basis(bounds[:, :3].mean(0) - place)
    to = bounds[:, :3] - place
    far = np.linalg.norm(to, axis=1)
    angle = np.arccos(np.clip(to @ forward / far, -1, 1)) + np.arcsin(np.minimum(bounds[:, 3] / far, 0.95))
    tangent = float(np.tan(min(angle.max(), 1.3)))
    near = max(float((to @ forward - bounds[:, 3]).min()), 0.2)
    way = _unit(np.array(light.aim) - place)
    return Lamp(perspective(right, up, forward, place, tangent), way, power, light.edge, near)


def _sun(sun: Sun, bounds: Floats) -> Lamp:
    axes = _basis(np.array(sun.direction))
    center = bounds[:, :3].mean(0)
    radius = float((np.linalg.norm(bounds[:, :3] - center, axis=1) + bounds[:, 3]).max())
    place = center - 2 * radius * axes[2]
    x, y, z = (np.append(axis, -axis @ place) for axis in axes)
    matrix = np.array([x / radius, y / radius, z / (4 * radius), (0, 0, 0, 1)])
    power = sun.strength * np.array(sun.color)
    edge = np.sqrt(np.pi) * np.tan(np.radians(sun.angle / 2))  # of a square as large as the disk
    return Lamp(View(matrix, place, 2 * radius), axes[2], power, float(edge), near=0.25)  # radius of 4 radii


def _basis(forward: Floats) -> tuple[Floats, Floats, Floats]:
    """Right, up and forward."""
    forward = _unit(forward)
    right = _unit(np.cross(forward, (0, 0, 1) if abs(forward[2]) < 0.99 else (0, 1, 0)))
    return right, np.cross(right, forward), forward


def _unit(vector: Floats) -> Floats:
    made: Floats = vector / np.linalg.norm(vector)
    return made


# ---------------------------------------------------------------------------- bodies as balls


@cache
def _extent(shape: str) -> tuple[float, float, float]:
    """Measure a unit mesh: the height of its middle, the radius that holds it, and that of a ball about as large."""
    vertices = mesh(shape).vertices
    low, high = vertices.min(0), vertices.max(0)
    middle = (low[2] + high[2]) / 2
    around = np.linalg.norm(vertices - (0, 0, middle), axis=1).max()
    return float(middle), float(around), float(np.cbrt(np.prod(high - low)) / 2)


def bounds_of(body: Body) -> Floats:
    """Center and radius of a ball that holds a body."""
    middle, around, _ = _extent(body.shape)
    x, y, z = body.position
    return np.array([x, y, z + middle * body.size, around * body.size])


def ball_of(body: Body) -> Floats:
    """Center and radius of a ball about as large as a body."""
    return np.append(bounds_of(body)[:3], _extent(body.shape)[2] * body.size)
