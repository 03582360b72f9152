"""The light that comes by way of the stage, held against cases that have a formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unseen.render.space.bounce import AXES, bounced, irradiance
from unseen.render.space.scene import AreaLight, Camera, Cyclorama, Room, Scene, Sun, Surface

CAMERA = Camera((5.0, 0.0, 1.0))
BLACK = Surface(color=(0.0, 0.0, 0.0))


def test_under_an_open_sky_over_black_ground_half_of_it_is_seen_from_the_side():
    scene = Scene((), CAMERA, stage=Cyclorama(BLACK, back=-1e6), sky=(1.0, 0.5, 0.0))
    found = bounced(scene)
    np.testing.assert_allclose(found[4], np.pi * np.array([1.0, 0.5, 0.0]), rtol=0.01)
    np.testing.assert_allclose(found[:4, 0], np.pi / 2, rtol=0.01)
    np.testing.assert_allclose(found[5], 0, atol=1e-9)


def test_sunlit_ground_lights_what_looks_down():
    scene = Scene(
        (), CAMERA, sun=Sun((0.0, 0.0, -1.0), 2.0), stage=Cyclorama(Surface(color=(0.5, 0.5, 0.5)), back=-1e6)
    )
    np.testing.assert_allclose(bounced(scene)[5], 2.0 * 0.5, rtol=0.01)


def test_walls_that_scatter_add_light_but_never_more_than_the_sky_has():
    gray = Surface(color=(0.5, 0.5, 0.5))
    room = Room((-1.0, -1.0), (1.0, 1.0), 2.0, gray, (gray,) * 4)
    dark = replace(room, floor=BLACK, walls=(BLACK,) * 4)
    scene = Scene((), CAMERA, sky=(1.0, 1.0, 1.0), stage=room)
    once = bounced(replace(scene, stage=dark))
    assert (bounced(scene) >= once - 1e-12).all()
    assert bounced(scene)[5].max() < np.pi  # never more than the sky itself


@pytest.mark.parametrize("axis", range(6))
def test_a_small_lamp_gives_its_power_by_the_square_of_the_distance(axis):
    lamp = AreaLight(tuple(3 * AXES[axis]), power=8.0, edge=0.1)
    scene = Scene((), CAMERA, lights=(lamp,))
    np.testing.assert_allclose(irradiance(scene, np.zeros((1, 3)), AXES[axis]), [[8 / 4 / 9] * 3])
    np.testing.assert_allclose(irradiance(scene, np.zeros((1, 3)), -AXES[axis]), 0)
    np.testing.assert_allclose(irradiance(scene, np.zeros((1, 3))), [[8 / 4 / 9 / 4] * 3])
