"""The OpenGL renderer: what it shows is where our projection says, and lit as it should be."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unseen
from unseen.benchmarks.svib.solids import scene_of
from unseen.core.errors import MissingExtra, SpecError, UnknownName
from unseen.render.space import opengl, render, render_many
from unseen.render.space.project import project, view
from unseen.render.space.scene import AreaLight, Body, Camera, Scene, Sun, Surface


@pytest.fixture(scope="module", autouse=True)
def _driver():
    try:
        opengl._painter(opengl.os.getpid())
    except MissingExtra as error:
        pytest.skip(str(error))


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    return (first & second).sum() / max((first | second).sum(), 1)


def test_opengl_sees_what_our_projection_sees(scenes):
    for scene in scenes:
        drawn, ours = opengl.ids(scene, 128), project(scene, 128).ids
        for k in range(1, len(scene.bodies) + 1):
            assert overlap(drawn == k, ours == k) >= 0.97


def test_opengl_numbers_the_parts_of_a_room(room):
    scene = room(Body("box", (1.0, 1.0, 0.4), size=0.4), camera=Camera((-3.0, -3.0, 1.5), (0.0, 0.0, 1.2), 60))
    drawn, ours = opengl.ids(scene, 128), project(scene, 128).ids
    assert set(np.unique(ours)) >= {1, 240, 242, 244}
    for k in np.unique(ours):
        assert overlap(drawn == k, ours == k) >= 0.97


def test_pictures_do_not_depend_on_the_company_they_are_made_in(scenes):
    together = render_many(scenes[:4], 64)
    for scene, picture in zip(scenes[:4], together, strict=True):
        np.testing.assert_array_equal(render(scene, 64).image, picture.image)
        np.testing.assert_array_equal(project(scene, 64).ids, picture.ids)


def test_mirrors_that_face_each_other_remember_nothing(clevr, scenes):
    """Each sees the other; what they saw in another scene must not show."""
    pair = clevr(*(Body("sphere", (x, x, 1.0), material="metal") for x in (-1.1, 1.1)))
    first = render(pair, 64).image
    render(clevr(*(Body("sphere", (x, 1.0, 1.0), material="metal", color=(1.0, 0.0, 0.0)) for x in (-1.1, 1.1))), 64)
    np.testing.assert_array_equal(render(pair, 64).image, first)


def test_a_shadow_lies_behind_a_body_and_is_softer_under_a_wider_lamp():
    floor = Scene(
        (Body("sphere", (0.0, 0.0, 1.0)),),
        Camera((0.0, -9.0, 6.0)),
        (AreaLight((4.0, 0.0, 6.0), power=300.0, edge=0.3),),
    )
    hard, soft = (render(replace(floor, lights=(replace(floor.lights[0], edge=edge),)), 128) for edge in (0.3, 3.0))
    empty = render(replace(floor, bodies=()), 128).image.astype(int)
    shade = [(empty - picture.image)[..., 0] * (picture.ids == 0) for picture in (hard, soft)]
    assert np.nonzero(shade[0] > 40)[1].mean() < 64 - 10  # the lamp is at the right
    between = [((s > 12) & (s < 0.8 * s.max())).sum() for s in shade]
    assert between[1] > 1.5 * between[0]


def test_a_wider_sun_casts_a_softer_shadow():
    floor = Scene((Body("sphere", (0.0, 0.0, 2.0)),), Camera((0.0, -9.0, 6.0)), sun=Sun((-0.5, 0.2, -0.8), 2.0))
    empty = render(replace(floor, bodies=()), 128).image.astype(int)
    between = []
    for angle in (0.0, 11.42):
        picture = render(replace(floor, sun=replace(floor.sun, angle=angle)), 128)
        shade = (empty - picture.image)[..., 0] * (picture.ids == 0)
        between.append(((shade > 0.2 * shade.max()) & (shade < 0.8 * shade.max())).sum())
    assert between[1] > 2 * between[0]


def roughness(scene: Scene) -> float:
    """How much the stage's pixels differ from their neighbors, where it is roughest, away from bodies."""
    picture = render(scene, 128)
    image = picture.image.astype(float).mean(2)
    around = (np.roll(image, 1, 0) + np.roll(image, -1, 0) + np.roll(image, 1, 1) + np.roll(image, -1, 1)) / 4
    rough = np.abs(image - around)
    floor = np.ones_like(image, bool)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            floor &= np.roll(picture.ids == 0, (dy, dx), (0, 1))
    return float(np.percentile(rough[2:-2, 2:-2][floor[2:-2, 2:-2]], 99.5))


def test_soft_shadows_have_no_stipple(clevr):
    assert roughness(clevr(Body("cube", (-2.0, 0.0, 2.0), size=2.0))) < 0.8


def test_wide_shadows_under_bright_lamps_have_no_stipple():
    """Where few looks into a shadow map meet a body, neighbors must not take turns in light and shadow."""
    episodes = unseen.load("svib/clevrtex-sa", "train")
    record, spec = episodes[15].record, episodes.task.split("train").spec
    scene = scene_of(record.target, record, spec)
    assert roughness(replace(scene, stage=replace(scene.stage, surface=Surface()))) < 8


def test_no_shadow_falls_where_nothing_hides_the_lamp(room):
    """Between such a place and the lamp there is no ball, however the lamp's view of the balls is cut off."""
    ball, lamp = Body("sphere", (2.589, 2.803, 0.3), size=0.3), AreaLight((0.464, 1.707, 5.568), 330.0, edge=1.0)
    camera = Camera((-0.344, -0.188, 1.534), (0.409, 0.469, 1.511), 57)
    scene = replace(room(ball, camera=camera), sun=None, lights=(replace(lamp, aim=(0.464, 1.708, 0.0)),))
    picture, empty = render(scene, 128), render(replace(scene, bodies=()), 128)
    places = np.array(camera.position) + directions(camera, 128) * np.minimum(picture.depth, 100)[..., None]
    to_lamp, to_ball = np.array(lamp.position) - places, np.array(ball.position) - places
    way = to_lamp / np.linalg.norm(to_lamp, axis=-1, keepdims=True)
    miss = np.linalg.norm(np.cross(to_ball, way), axis=-1)
    free = (picture.ids == 240) & (miss > 0.3 + 0.2)  # its edge is as far from the place as from the ball, and more
    assert free.sum() > 2000
    assert (empty.image.astype(int) - picture.image)[free].max() < 40  # a little darker, near the ball


def directions(camera: Camera, size: int) -> np.ndarray:
    """The ray through the middle of every pixel, one unit deep."""
    right, up, forward, _, focal = np.split(view(camera, size), [3, 6, 9, 12])
    at = np.arange(size) + 0.5 - size / 2
    return forward + (at[None, :, None] * right - at[:, None, None] * up) / focal


def test_a_flat_face_of_metal_mirrors_what_stands_before_it(clevr):
    cube = Body("cube", (-1.5, 0.5, 1.5), size=1.5, material="metal", color=(0.9, 0.9, 0.9))
    ball = Body("sphere", (1.3, 1.6, 1.0), size=1.0, color=(1.0, 0.0, 0.0))
    with_it, alone = render(clevr(cube, ball), 128), render(clevr(cube), 128)
    face = (with_it.ids == 1) & (alone.ids == 1)
    change = with_it.image.astype(int) - alone.image
    red = face & (change[..., 0] - change[..., 1] > 25)
    assert 60 < red.sum() < 0.5 * face.sum()  # an image of the ball, not a tint of the whole face


def test_metal_shows_a_neighbor_that_rubber_does_not(clevr):
    neighbor = Body("cube", (0.9, 1.6, 1.0), color=(0.0, 1.0, 0.0))

    def green_on(material: str) -> float:
        ball = Body("sphere", (0.0, -1.0, 1.2), size=1.2, material=material)
        with_it, alone = (render(clevr(ball, *others), 128) for others in ((neighbor,), ()))
        mask = (with_it.ids == 1) & (alone.ids == 1)
        change = with_it.image[mask].astype(int) - alone.image[mask]
        return float(np.percentile(change[:, 1] - change[:, 0], 98))

    assert green_on("metal") > 3 * max(green_on("rubber"), 3)


def test_the_sky_is_seen_where_nothing_stands(room):
    scene = room(camera=Camera((-3.0, -3.0, 2.5), (0.0, 0.0, 3.5), 60))
    picture = render(scene, 64)
    sky = picture.image[picture.ids == 0]
    assert len(sky) > 0
    np.testing.assert_allclose(sky[: len(sky) // 2], 255 * (1.055 * 0.4 ** (1 / 2.4) - 0.055), atol=1)


@pytest.mark.parametrize(
    ("stop", "shown"), [(-7.25, 0.0182), (-5.25, 0.09), (-3.25, 0.3438), (-1.25, 0.7364), (0.75, 0.9397)]
)
def test_filmic_is_the_curve_that_blender_draws(room, stop, shown):
    """Measured with Blender 4.5, Filmic, very high contrast, on gray light of 2**stop."""
    camera = Camera((0.0, 0.0, 2.9), (1.0, 0.0, 5.0), 30)
    scene = replace(room(camera=camera), sky=(2.0**stop,) * 3, view_transform="filmic")
    np.testing.assert_allclose(render(scene, 16).image[0] / 255, shown, atol=0.006)


def test_turning_up_the_light_brightens_a_picture(clevr):
    scene = clevr(Body("teapot", (0.0, 0.0, 1.0)))
    brighter = replace(scene, sun=Sun(scene.sun.direction, 1.5))
    assert render(brighter, 64).image.mean() > render(scene, 64).image.mean() + 20


def test_more_lamps_than_there_is_room_for_are_refused(clevr):
    scene = clevr()
    with pytest.raises(SpecError, match="at most 4 lamps"):
        render(replace(scene, lights=scene.lights * 2), 32)


def test_other_drawing_code_has_another_name(tmp_path, monkeypatch):
    """So that pictures which it drew are compared within a tolerance."""
    room = Path(opengl.__file__).parent
    shutil.copytree(room, tmp_path / "space")
    monkeypatch.setattr(opengl, "files", lambda _: tmp_path / "space")
    opengl.code_digest.cache_clear()
    same = opengl.name()
    (tmp_path / "space/shaders/shares.frag").write_text("// softer")
    opengl.code_digest.cache_clear()
    changed = opengl.name()
    monkeypatch.undo()
    opengl.code_digest.cache_clear()
    assert opengl.name() == same != changed


def test_an_unknown_renderer_is_refused(clevr):
    with pytest.raises(UnknownName, match="no renderer named 'opengel'"):
        render(clevr(), 32, "opengel")


def test_without_moderngl_one_reads_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(MissingExtra, match=r"\.\[3d\]"):
        opengl._context()


def test_without_a_driver_one_reads_what_to_install(monkeypatch):
    import moderngl

    def fails(**_):
        raise Exception("libEGL.so not loaded")

    monkeypatch.setattr(moderngl, "create_context", fails)
    with pytest.raises(MissingExtra, match="apt-get install libegl1 libgl1-mesa-dri"):
        opengl._context()


@pytest.mark.slow
def test_a_frame_with_its_mask_takes_less_than_60_ms(scenes):
    render_many(scenes, 128)
    times = []
    for _ in range(3):
        start = time.process_time()
        render_many(scenes, 128)
        times.append((time.process_time() - start) / len(scenes))
    assert min(times) < 0.060
