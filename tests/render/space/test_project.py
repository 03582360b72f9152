"""Our projection, held against rays that are cast by formula."""

from __future__ import annotations

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unseen.render.space import kernels
from unseen.render.space.project import project, view
from unseen.render.space.scene import Body, Camera, Cyclorama, Scene

PLACE = st.floats(-2.5, 2.5)
CAMERA = Camera((7.4811, -6.5076, 5.3437))


def rays(camera: Camera, size: int) -> np.ndarray:
    """Directions through the pixel centers, of length 1 along the view, (size, size, 3)."""
    right, up, forward, _ = view(camera, size)[:12].reshape(4, 3)
    offsets = (np.arange(size) + 0.5 - size / 2) / view(camera, size)[12]
    return forward + offsets[None, :, None] * right - offsets[:, None, None] * up


def ball_depth(camera: Camera, center: np.ndarray, radius: float, size: int) -> np.ndarray:
    """Where rays meet a ball first, inf where they miss it."""
    ray, away = rays(camera, size), np.array(camera.position) - center
    a, b, c = (ray**2).sum(2), ray @ away, away @ away - radius**2
    root = b * b - a * c
    return np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)


@given(PLACE, PLACE, st.floats(0.5, 2))
def test_a_sphere_is_seen_where_rays_meet_it(x, y, size):
    seen = project(Scene((Body("sphere", (x, y, size), size=size),), CAMERA), 64)
    least, exact, most = (ball_depth(CAMERA, np.array([x, y, size]), part * size, 64) for part in (0.98, 1, 1.005))
    assert (seen.ids[np.isfinite(least)] == 1).all()  # it is made of flat pieces
    assert (seen.ids[np.isinf(most)] == 0).all()
    inside = np.isfinite(least)
    np.testing.assert_allclose(seen.depth[inside], exact[inside], atol=0.03 * size)


@given(PLACE, PLACE, PLACE, PLACE)
def test_what_is_visible_and_what_is_covered(x1, y1, x2, y2):
    bodies = (Body("monkey", (x1, y1, 1.5), size=1.5), Body("teapot", (x2, y2, 1.0)))
    both = project(Scene(bodies, CAMERA), 64)
    alone = [project(Scene((body,), CAMERA), 64) for body in bodies]
    assert both.visible == ((both.ids == 1).sum(), (both.ids == 2).sum())
    assert both.amodal == (alone[0].amodal[0], alone[1].amodal[0])
    assert all(v <= a for v, a in zip(both.visible, both.amodal, strict=True))
    covered = (alone[0].ids > 0) | (alone[1].ids > 0)
    np.testing.assert_array_equal(both.ids > 0, covered)
    np.testing.assert_array_equal(both.depth, np.minimum(alone[0].depth, alone[1].depth))


def test_the_nearer_body_hides_the_further_whatever_their_order():
    near, far = Body("cube", (3.0, -2.6, 1.0)), Body("cube", (-1.0, 0.9, 1.0))
    seen, turned = project(Scene((near, far), CAMERA), 128), project(Scene((far, near), CAMERA), 128)
    np.testing.assert_array_equal(seen.ids, np.array([0, 2, 1], np.uint8)[turned.ids])
    assert seen.visible[0] == seen.amodal[0]
    assert seen.visible[1] < seen.amodal[1]


def test_a_turn_is_a_turn_about_z():
    turned = project(Scene((Body("teapot", (0.0, 0.0, 1.0), turn=90),), Camera((8.0, 0.0, 3.0))), 64)
    still = project(Scene((Body("teapot", (0.0, 0.0, 1.0)),), Camera((0.0, -8.0, 3.0))), 64)
    assert (turned.ids != still.ids).mean() < 0.002


@given(st.integers(1, 4095), st.integers(1, 4095))
def test_triangles_that_share_edges_cover_each_pixel_once(x, y):
    """A square of 16 x 16 pixels, cut into four triangles around a point."""
    corners = np.array([(0, 0), (4096, 0), (4096, 4096), (0, 4096), (x, y)], np.int64)
    depth, ids = np.full((16, 16), np.inf), np.zeros((16, 16), np.uint8)
    total = 0
    for name, (a, b) in enumerate([(0, 1), (1, 2), (2, 3), (3, 0)], 1):
        touched = np.zeros((16, 16), np.int32)
        total += kernels.fill(corners, np.ones(5), a, b, 4, name, 1, depth, ids, touched)
    assert total == 256
    assert (ids > 0).all()


def test_the_floor_and_the_wall_of_a_cyclorama_are_where_they_should_be():
    camera, stage = Camera((7.5, -6.5, 5.3), field_of_view=70), Cyclorama(back=-5, bend=2, rise=2, height=20)
    seen = project(Scene((), camera, stage=stage), 64)
    points = np.array(camera.position) + seen.depth[..., None].astype(float) * rays(camera, 64)
    assert (seen.ids == 0).all()
    x, z = points[..., 0], points[..., 2]
    floor, wall = x >= -5, z >= 2
    assert floor.any()
    assert wall.any()
    assert np.abs(z[floor]).max() < 2e-3
    assert np.abs(x[wall] + 7).max() < 2e-3
    bend = ~floor & ~wall
    np.testing.assert_allclose(np.hypot(x + 5, z - 2)[bend], 2, atol=0.01)


@given(st.floats(-3.5, 3.5), st.floats(-3.5, 3.5), st.floats(0.5, 2.5), st.floats(0, 6.28))
def test_each_pixel_of_a_room_is_the_part_that_its_ray_meets_first(room, x, y, z, angle):
    camera = Camera((x, y, z), (x + np.cos(angle), y + np.sin(angle), z), 60)
    seen = project(room(camera=camera), 32)
    ray = rays(camera, 32)
    with np.errstate(divide="ignore"):
        reach = np.stack([-z / ray[..., 2]] + [(w - (x, y)[a]) / ray[..., a] for a in (0, 1) for w in (-4, 4)])
    reach[reach <= 0] = np.inf
    first = reach.argmin(0)
    height = z + np.take_along_axis(reach, first[None], 0)[0] * ray[..., 2]
    expected = np.where(height > 3, 0, 240 + first)
    assert (seen.ids == expected).mean() > 0.995  # the seams may go either way
    met = (seen.ids == expected) & (expected > 0)
    np.testing.assert_allclose(seen.depth[met], reach.min(0)[met], rtol=1e-2)


def test_a_body_that_the_camera_stands_beside_is_cut_not_lost(room):
    seen = project(room(Body("box", (0.0, 1.0, 0.4), size=0.4), camera=Camera((0.0, 0.55, 0.4), (0.0, 1.0, 0.4))), 64)
    assert (seen.ids == 1).all()


def test_the_projection_is_the_same_on_every_machine(scenes):
    digest = hashlib.sha256(b"".join(project(scene, 128).ids.tobytes() for scene in scenes)).hexdigest()
    assert digest[:16] == "21909e969469b1f5"
