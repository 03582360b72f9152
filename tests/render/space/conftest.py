"""Scenes that several tests look at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unseen.core.random import Stream
from unseen.render.space.scene import AreaLight, Body, Camera, Cyclorama, Room, Scene, Sun, Surface

SHAPES = ("cube", "sphere", "cylinder", "monkey", "cone", "icosahedron", "teapot", "torus")
TEXTURES = ("brick", "painted_brick", "chain_mail", "denim", "fleece", "spotted_metal", "terracotta_tiles", "wood")


def under_lamps(*bodies: Body) -> Scene:
    """Bodies under the lamps of CLEVR."""
    return Scene(
        bodies=bodies,
        camera=Camera((7.4811, -6.5076, 5.3437)),
        lights=(
            AreaLight((6.4467, -2.9052, 4.2584), power=78.54, edge=0.5, color=(1, 0.932, 0.817)),
            AreaLight((-4.6711, -4.0136, 3.0112), power=23.56, edge=0.5, color=(0.762, 0.818, 1)),
            AreaLight((-1.1685, 2.646, 5.8157), power=39.27, edge=1.0),
        ),
        sun=Sun((-0.4145, 0.1946, -0.889), 0.45, angle=11.42),
    )


def on_material(*bodies: Body, ground: str) -> Scene:
    """Bodies under the lamps of CLEVRTex, on one of its materials."""
    return Scene(
        bodies=bodies,
        camera=Camera((7.4811, -6.5076, 5.3437)),
        lights=(
            AreaLight((6.4467, -2.9052, 4.2584), power=392.7, edge=0.5, color=(1, 0.932, 0.867)),
            AreaLight((-4.6711, -4.0136, 3.0112), power=157.1, edge=0.2, color=(0.762, 0.818, 1)),
            AreaLight((-1.1685, 2.646, 5.8157), power=274.9, edge=1.0),
        ),
        sun=Sun((-0.4145, 0.1946, -0.889), 0.85, angle=11.42),
        stage=Cyclorama(Surface(ground), back=-11.0, height=10.0),
        view_transform="filmic",
    )


def in_room(*bodies: Body, camera: Camera) -> Scene:
    """Bodies in a room of VOR."""
    walls = (Surface(color=(0.2, 0.3, 0.5)), Surface(color=(0.5, 0.3, 0.2)))
    return Scene(
        bodies=bodies,
        camera=camera,
        sun=Sun((0.3, 0.5, -0.8), 2.0),
        stage=Room((-4.0, -4.0), (4.0, 4.0), 3.0, Surface(color=(0.4, 0.4, 0.4)), (*walls, *walls)),
        sky=(0.4, 0.4, 0.4),
    )


def ten_scenes() -> list[Scene]:
    """Five scenes of CLEVR and five of CLEVRTex, with two bodies each that do not touch."""
    rng = Stream(3)
    scenes = []
    for k in range(10):
        while True:
            (x1, y1), (x2, y2) = [(6 * rng.uniform() - 3, 6 * rng.uniform() - 3) for _ in range(2)]
            s1, s2 = (1.0 + 0.5 * rng.below(3) for _ in range(2))
            if (x1 - x2) ** 2 + (y1 - y2) ** 2 >= (s1 + s2) ** 2:
                break
        if k < 5:
            looks = [("rubber", (1.0, 0.0, 0.0)), ("metal", (0.0, 1.0, 1.0))]
            shapes = SHAPES[k % 4], SHAPES[(k + 1) % 4]
        else:
            looks = [(TEXTURES[k % 8], (1.0, 1.0, 1.0)), (TEXTURES[(k + 3) % 8], (1.0, 1.0, 1.0))]
            shapes = SHAPES[k % 8], SHAPES[(k + 3) % 8]
        places = ((x1, y1, s1), (x2, y2, s2))
        bodies = [
            Body(shape, place, size=place[2], material=material, color=color)
            for shape, place, (material, color) in zip(shapes, places, looks, strict=True)
        ]
        scenes.append(under_lamps(*bodies) if k < 5 else on_material(*bodies, ground=TEXTURES[(k + 5) % 8]))
    return scenes


@pytest.fixture(scope="session")
def clevr() -> Callable[..., Scene]:
    """clevr(*bodies) -> Scene"""
    return under_lamps


@pytest.fixture(scope="session")
def room() -> Callable[..., Scene]:
    """room(*bodies, camera) -> Scene"""
    return in_room


@pytest.fixture(scope="session")
def scenes() -> list[Scene]:
    """The ten scenes on which the renderers are held together."""
    return ten_scenes()
