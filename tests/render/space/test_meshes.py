"""The shapes: their extents are the published ones, and they are solid."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.core.errors import UnknownName
from unseen.render.space.meshes import SHAPES, mesh
from unseen.render.space.teapot import patches

EXTENTS = {  # least and greatest x, y, z
    "cube": ((-1, -1, -1), (1, 1, 1)),
    "box": ((-1, -1, -1), (1, 1, 1)),
    "cylinder": ((-1, -1, -1), (1, 1, 1)),
    "sphere": ((-1, -1, -1), (1, 1, 1)),
    "cone": ((-0.92, -0.92, -1), (0.92, 0.92, 1)),
    "torus": ((-1, -1, -0.99), (1, 1, -0.04)),
    "icosahedron": ((-0.851, -0.984, -0.99), (0.851, 0.984, 0.61)),
    "teapot": ((-1.10, -1.0, -1.0), (1.02, 1.12, 0.43)),
    "monkey": ((-0.95, -0.97, -0.93), (0.98, 0.96, 0.44)),
}


def corners(shape: str) -> np.ndarray:
    return mesh(shape).vertices[mesh(shape).triangles]


def face_normals(shape: str) -> np.ndarray:
    a, b, c = np.moveaxis(corners(shape), 1, 0)
    return np.cross(b - a, c - a)


@pytest.mark.parametrize("shape", SHAPES)
def test_extents_are_the_published_ones(shape):
    low, high = mesh(shape).vertices.min(0), mesh(shape).vertices.max(0)
    np.testing.assert_allclose((low, high), EXTENTS[shape], atol=0.021)


@pytest.mark.parametrize("shape", SHAPES)
def test_faces_and_normals_look_outwards(shape):
    made, faces = mesh(shape), face_normals(shape)
    assert np.allclose(np.linalg.norm(made.normals, axis=1), 1)
    agree = np.einsum("fc,fkc->fk", faces, made.normals[made.triangles])
    assert (agree[np.linalg.norm(faces, axis=1) > 1e-6] > 0).mean() > 0.99  # creases apart
    assert np.einsum("fc,fc->", corners(shape)[:, 0], faces) > 0  # the volume is positive


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_closed(shape):
    """The faces of a closed mesh, weighed by area, point nowhere in sum."""
    total = np.abs(face_normals(shape).sum(0)).max()
    open_ends = {"teapot": 0.05}.get(shape, 1e-4)  # a teapot's handle and spout end within its body
    assert total < open_ends * np.linalg.norm(face_normals(shape), axis=1).sum()


def test_the_monkey_is_its_own_mirror_image():
    points = np.round(mesh("monkey").vertices, 4)
    mirrored = points[:, [1, 0, 2]] * (-1, -1, 1)  # it faces the camera of CLEVR, at positive x and negative y
    nearest = [np.abs(mirrored - point).max(1).min() for point in points[::7]]
    assert max(nearest) < 1e-3


def test_the_monkey_is_as_wide_as_the_published_one_seen_from_the_camera():
    x, y, _ = mesh("monkey").vertices.T
    assert np.ptp(x + y) / 2**0.5 == pytest.approx(2.13, abs=0.02)


def test_the_monkey_is_one_piece_without_seams():
    made = mesh("monkey")
    sides = np.sort(np.stack([made.triangles, np.roll(made.triangles, -1, 1)], 2).reshape(-1, 2), 1)
    _, count = np.unique(sides, axis=0, return_counts=True)
    assert (count % 2 == 0).all()  # every edge has a face on both sides
    reached, fresh = np.zeros(len(made.vertices), bool), np.array([0])
    while len(fresh):
        reached[fresh] = True
        near = made.triangles[reached[made.triangles].any(1)].ravel()
        fresh = near[~reached[near]]
    assert reached.all()


def test_the_torus_has_the_published_hole_and_tube():
    x, y, z = mesh("torus").vertices.T
    far = np.hypot(x, y)
    assert (far.min(), far.max()) == pytest.approx((0.302, 0.996), abs=0.005)
    assert np.ptp(z) / 2 == pytest.approx(0.474, abs=0.005)


def test_the_back_drop_of_clevr_rises_where_the_published_one_does():
    from unseen.benchmarks.svib.solids import STUDIOS
    from unseen.render.space.stage import parts

    x, _, z = parts(STUDIOS["clevr"].stage)[0].mesh.vertices.T
    order = np.argsort(x)
    for place, height in ((-14.0, 0.02), (-18.6, 0.14), (-23.4, 1.1)):
        assert np.interp(place, x[order], z[order]) == pytest.approx(height, abs=0.3)
    assert z[x == x.min()].max() == 23.0


def test_the_teapot_has_the_patches_of_newell_and_six_more():
    points = patches()
    assert points.shape == (38, 4, 4, 3)
    assert points[..., 2].max() == 3.15
    assert points[..., 0].max() == 3.525
    assert points[..., 0].min() == -3.0
    np.testing.assert_allclose(points[4, 1, 1], (1.75, 0.98, 1.875))


def test_an_unknown_shape_is_met_with_the_nearest_one():
    with pytest.raises(UnknownName, match="Did you mean 'teapot'"):
        mesh("teapott")
