"""Scenes of the 3-D worlds: a record's objects before CLEVR's camera, under its three lamps and its sun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.worlds import World
from unseen.render.space.scene import AreaLight, Body, Camera, Color, Cyclorama, Scene, Sun, Surface, Vector
from unseen.render.space.textures import taken_from

if TYPE_CHECKING:
    from unseen.benchmarks.svib.sample import Placed, Record

GRAIN = 1 << 16  # of places and jitter, as in kernels.py; a test compares
CAMERA: Vector = (7.4811, -6.5076, 5.3437)
SUN: Vector = (-0.4145, 0.1946, -0.889)  # the direction in which it shines
SUN_ANGLE = 11.42  # degrees that it is wide: 0.1993 rad in both scene files
COOL: Color = (0.762, 0.818, 1.0)
WHITE: Color = (1.0, 1.0, 1.0)
SHAKE_CAMERA, SHAKE_LIGHT = 0.5, 1.0  # units by which each coordinate may be off


@dataclass(frozen=True)
class Studio:
    """What differs between the scene files of the worlds: lamps are key, back and fill, in watts and units of edge."""

    power: tuple[float, float, float]
    edge: tuple[float, float, float]
    key_color: Color
    sun: float
    stage: Cyclorama  # whose ground a record may texture
    filmic: bool


PLACES: tuple[Vector, ...] = ((6.4467, -2.9052, 4.2584), (-1.1685, 2.646, 5.8157), (-4.6711, -4.0136, 3.0112))
STUDIOS = {
    "clevr": Studio(
        *((78.54, 39.27, 23.56), (0.5, 1.0, 0.5), (1.0, 0.932, 0.817), 0.45),
        Cyclorama(back=-12.0, bend=15.7, rise=23.0, late=4.6, height=23.0),  # within 0.3 of the published profile
        filmic=False,
    ),
    "clevrtex": Studio(
        *((392.7, 274.9, 157.1), (0.5, 1.0, 0.2), (1.0, 0.932, 0.867), 0.85),
        Cyclorama(back=-11.0, height=10.0),
        filmic=True,
    ),
}


def scene_of(objects: Sequence[Placed], record: Record, spec: Spec) -> Scene:
    """Return the scene of a record's objects, before or after its rule."""
    world, studio = spec.place, STUDIOS[spec.world]
    shaken = [value / GRAIN for value in record.jitter]
    lights = zip(PLACES, studio.power, studio.edge, (studio.key_color, WHITE, COOL), strict=True)
    return Scene(
        bodies=tuple(body_of(one, world) for one in objects),
        camera=Camera(_moved(CAMERA, shaken[:3], SHAKE_CAMERA)),
        lights=tuple(
            AreaLight(_moved(place, shaken[3 * k : 3 * k + 3], SHAKE_LIGHT), power=power, edge=edge, color=color)
            for k, (place, power, edge, color) in enumerate(lights, 1)
        ),
        sun=Sun(SUN, studio.sun, angle=SUN_ANGLE),
        stage=replace(studio.stage, surface=ground_of(record, world)),
        view_transform="filmic" if studio.filmic else "standard",
    )


def body_of(one: Placed, world: World) -> Body:
    """Return an object that stands on the ground: meshes reach from -1 to 1, so its middle is as high as its size."""
    value = {f: str(values[k]) for f, values, k in zip(world.factors, world.vocabularies, one.look, strict=True)}
    size = float(value["size"])
    red, green, blue = (channel / 255 for channel in bytes.fromhex(value.get("color", "cccccc")))  # textures have none
    place = (one.x / GRAIN, one.y / GRAIN, size)
    return Body(value["shape"], place, size=size, material=value["material"], color=(red, green, blue))


def ground_of(record: Record, world: World) -> Surface:
    """Return what the ground is made of: gray, or one of the textures."""
    return Surface(world.materials[record.ground]) if world.textured else Surface()


def with_photographs(scene: Scene, folder: str) -> Scene:
    """Return a scene whose textures are those of a folder of the published sets."""
    assert isinstance(scene.stage, Cyclorama), "these worlds have no rooms"
    bodies = tuple(replace(body, material=taken_from(body.surface, folder).material) for body in scene.bodies)
    return replace(scene, bodies=bodies, stage=replace(scene.stage, surface=taken_from(scene.stage.surface, folder)))


def _moved(place: Vector, shaken: Sequence[float], reach: float) -> Vector:
    x, y, z = (at + reach * by for at, by in zip(place, shaken, strict=True))
    return x, y, z
