"""Frames and masks: sizes are the measured ones, larger sprites are in front, views share their content."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import unseen
from unseen.benchmarks.video import kernels
from unseen.benchmarks.video.render import arrays, film
from unseen.benchmarks.video.sample import Moving, Pose, Record
from unseen.benchmarks.video.spec import Spec, Traffic, View
from unseen.benchmarks.video.textures import crop
from unseen.core.errors import DataError, SpecError

MIDDLE = 32 * kernels.GRAIN


def sprite(shape, scale=10, step=0, x=MIDDLE, y=MIDDLE, color=0xFF0000):
    return Moving(shape, 0, (Pose(x, y, scale, scale, step * 1000, color),))


def drawn(*objects):
    inputs, target = arrays(Record(1, 0x0000FF, objects), Spec(frames=1), View())
    return inputs["frames"][0], target["ids"][0]


def measured(shape, scale, step=0):
    """Width, height and area of a sprite."""
    rows, columns = np.nonzero(drawn(sprite(shape, scale, step))[1])
    return np.ptp(columns) + 1, np.ptp(rows) + 1, len(rows)


SCALES = (5, 6, 7, 8, 9, 10)
MEASURED = {  # on the published animations: width, height, area
    "square": [(10, 10, 100), (12, 12, 144), (14, 14, 196), (16, 16, 256), (18, 18, 324), (20, 20, 400)],
    "ellipse": [(12, 8, 76), (16, 8, 104), (18, 10, 144), (20, 12, 184), (22, 12, 228), (26, 14, 288)],
    "heart": [(10, 9, 58), (12, 11, 84), (14, 13, 108), (16, 14, 140), (18, 15, 182), (20, 17, 222)],
}
TURNED = {"square": (364, 372), "ellipse": (286, 294), "heart": (219, 232)}  # least and most pixels at scale 1


@pytest.mark.parametrize("shape", MEASURED)
def test_upright_sprites_have_the_measured_sizes(shape):
    for scale, (width, height, area) in zip(SCALES, MEASURED[shape], strict=True):
        found = measured(shape, scale)
        assert found[:2] == (width, height)
        assert abs(found[2] - area) <= (2 if shape == "heart" else 0)


@pytest.mark.parametrize("shape", TURNED)
def test_turned_sprites_have_the_measured_numbers_of_pixels(shape):
    low, high = TURNED[shape]
    areas = [measured(shape, 10, step)[2] for step in range(1, 39)]
    assert low <= min(areas)
    assert max(areas) <= high


@pytest.mark.parametrize("shape", MEASURED)
def test_a_sprite_is_centered_on_its_place(shape):
    for step in range(39):
        rows, columns = np.nonzero(drawn(sprite(shape, step=step, x=MIDDLE + 20, y=MIDDLE - 13))[1])
        off = np.array([columns.mean() + 0.5 - 32 - 20 / 64, rows.mean() + 0.5 - 32 + 13 / 64])
        assert abs(off).max() < 0.75  # half a pixel, and what the edge adds


def test_a_quarter_turn_is_clockwise():
    tip = drawn(Moving("heart", 0, (Pose(MIDDLE, MIDDLE, 10, 10, kernels.TURN // 4, 0xFF0000),)))[1]
    rows, columns = np.nonzero(tip)
    left, right = (rows[columns == edge] for edge in (columns.min(), columns.max()))
    assert len(left) < len(right)  # the tip, downwards at first, points to the left


@given(
    scales=st.lists(st.integers(5, 10), min_size=2, max_size=4),
    shapes=st.lists(st.sampled_from(["square", "ellipse", "heart"]), min_size=4, max_size=4),
)
def test_larger_sprites_are_in_front_and_of_equal_ones_the_later(scales, shapes):
    objects = [sprite(shape, scale) for shape, scale in zip(shapes, scales, strict=False)]
    _, ids = drawn(*objects)
    front = max(range(len(scales)), key=lambda i: (scales[i], i))
    assert (ids == front + 1).sum() == (drawn(objects[front])[1] > 0).sum()


def test_colors_are_exact_and_nothing_is_smoothed():
    image, ids = drawn(sprite("ellipse", step=5, color=0x123456))
    assert {tuple(pixel) for pixel in image[ids == 1].tolist()} == {(0x12, 0x34, 0x56)}
    assert {tuple(pixel) for pixel in image[ids == 0].tolist()} == {(0, 0, 255)}


@pytest.mark.parametrize("size", [32, 50, 128, 200])
def test_frames_of_any_size_show_the_same(size):
    for example in unseen.load("video/vmds", "train", size=size)[:5]:
        small = unseen.load("video/vmds", "train")[example.index].target["ids"]
        large = example.target["ids"]
        assert large.shape == (10, size, size)
        for i in range(1, len(example.record.objects) + 1):
            share = (large == i).sum() / size**2 - (small == i).sum() / 64**2
            assert abs(share) < 0.06 * 10 / min(1, size / 64)


def test_whole_masks_depth_and_visibility_agree_with_the_ids():
    for name, split in (("video/vmds", "test_occlusion"), ("video/vmds", "test_size"), ("video/spmot", "test")):
        for example in unseen.load(name, split, amodal=True)[:10]:
            ids, whole, depth = (example.target[key] for key in ("ids", "amodal", "depth"))
            there = whole.any(axis=(2, 3))
            assert (depth.T > 0).tolist() == there.tolist()
            ranked = np.where(whole, depth.T[:, :, None, None], 0)
            front = np.where(ranked.any(axis=0), ranked.argmax(axis=0) + 1, 0)
            assert (front == ids).all()
            seen = np.array([(ids == i + 1).sum(axis=(1, 2)) for i in range(len(whole))])
            expected = np.divide(seen, whole.sum(axis=(2, 3)), out=np.zeros(seen.shape), where=there)
            assert example.target["visibility"] == pytest.approx(expected, abs=1e-6)
            plain = unseen.load(name, split)[example.index]
            assert (plain.target["ids"] == ids).all()


def test_occlusion_videos_hide_objects():
    hidden = [
        example.target["visibility"].min() for example in unseen.load("video/vmds", "test_occlusion", amodal=True)[:50]
    ]
    assert np.median(hidden) < 0.25


# ---------------------------------------------------------------------------- textures


def test_textures_are_fixed_to_their_sprites():
    """What is seen of a sprite in two frames has the same pixels, only elsewhere."""
    spec = Spec(frames=2, textured=True)
    here, there = (Pose(x * 64, 30 * 64, 10, 10, 3000, 0) for x in (25, 36))
    inputs, target = arrays(Record(2, 0, (Moving("heart", 0, (here, there), 5),), 9), spec, View())
    masks = target["ids"] == 1
    assert (np.roll(masks[0], 11, axis=1) == masks[1]).all()
    assert (inputs["frames"][0][masks[0]] == inputs["frames"][1][masks[1]]).all()
    background = ~masks.any(axis=0)
    assert (inputs["frames"][0][background] == inputs["frames"][1][background]).all()
    assert inputs["frames"][0][masks[0]].std() > 5


def test_leaves_have_edges_where_noise_is_smooth():
    def steepest(kind):
        steps = [abs(np.diff(crop(k, 64, kind=kind).astype(int), axis=1)).max(axis=2).ravel() for k in range(1, 9)]
        return np.percentile(np.concatenate(steps), [50, 98])

    (noise_middle, noise_edge), (leaves_middle, leaves_edge) = steepest("noise"), steepest("leaves")
    assert leaves_edge / leaves_middle > 1.5 * noise_edge / noise_middle  # flat within a leaf, steep at its rim
    assert (crop(3, 64, kind="leaves") == crop(3, 64, kind="leaves")).all()
    assert (crop(3, 64, kind="leaves") != crop(4, 64, kind="leaves")).any()


def test_in_camouflage_all_surfaces_have_the_same_two_colors():
    for example in unseen.load("video/vmds-camouflage", "test")[:5]:
        frames, ids = example.inputs["frames"], example.target["ids"]
        for label in np.unique(ids):
            colors, counts = np.unique(frames[ids == label], axis=0, return_counts=True)
            assert len(colors) == 2
            assert 0.2 < counts[0] / counts.sum() < 0.8
        assert len(np.unique(frames.reshape(-1, 3), axis=0)) == 2


def test_dots_are_as_large_on_a_small_sprite_as_on_the_background():
    def mean_run(image):
        return image[..., 0].size / (np.count_nonzero(np.diff(image[..., 0].astype(int), axis=1)) + len(image))

    background, small = crop(1, 64, kind="dots", video=1), crop(2, 64, kind="dots", video=1, scale=5)
    assert mean_run(small) == pytest.approx(2 * mean_run(background), rel=0.15)  # a sprite of half the size halves them


def test_a_kind_of_texture_needs_a_texture():
    with pytest.raises(SpecError, match="add textured=true"):
        unseen.task("video/custom", texture="dots")
    with pytest.raises(SpecError, match="leave textures=somewhere out"):
        unseen.task("video/vmds-camouflage", textures="somewhere")


def test_textures_come_from_a_folder_of_images(tmp_path):
    color = np.array([[[200, 30, 90]]], np.uint8)
    Image.fromarray(color.repeat(40, axis=0).repeat(90, axis=1)).save(tmp_path / "flat.png")
    own = unseen.load("video/texvmds", "val")[0]
    flat = unseen.load("video/texvmds", "val", textures=str(tmp_path))[0]
    assert flat.record == own.record
    assert (flat.inputs["frames"] == color).all()
    with pytest.raises(DataError, match="no images in the folder"):
        unseen.load("video/texvmds", "val", textures=str(tmp_path / "none"))[0].inputs  # noqa: B018


# ---------------------------------------------------------------------------- SpMOT

COUNTS = {"circle": 349, "rectangle": 441, "triangle": 241, "diamond": 221}


@pytest.mark.parametrize("shape", COUNTS)
def test_templates_have_the_published_numbers_of_pixels(shape):
    one = Moving(shape, 0, (Pose(64 * 64, 64 * 64, 21, 21, 0, 0xFF00FF),))
    inputs, target = arrays(Record(1, 0, (one,)), Traffic(frames=1), View(size=128))
    assert (target["ids"] == 1).sum() == COUNTS[shape]
    assert set(inputs["frames"][target["ids"] == 1].ravel().tolist()) == {0, 255}  # unstretched, so no soft edges


def test_stretched_templates_are_those_of_bilinear_interpolation():
    for height, width in ((17, 26), (21, 22), (25, 19)):
        grid = np.array([[kernels.in_template(3, i, j) for j in range(21)] for i in range(21)], float) * 255
        rows, columns = ((np.arange(n) + 0.5) * 21 / n - 0.5 for n in (height, width))
        between = np.array([np.interp(columns, np.arange(21), line) for line in grid])
        expected = np.array([np.interp(rows, np.arange(21), line) for line in between.T]).T
        assert abs(kernels.stretch(3, height, width) - expected).max() <= 0.5 + 1e-9


def test_the_small_form_leaves_out_every_second_pixel():
    for large, small in zip(
        unseen.load("video/spmot", "test", size=128)[:10], unseen.load("video/spmot", "test")[:10], strict=True
    ):
        assert (large.inputs["frames"][:, ::2, ::2] == small.inputs["frames"]).all()
        assert (large.target["ids"][:, ::2, ::2] == small.target["ids"]).all()


def test_pixels_of_soft_edges_belong_to_an_object():
    for example in unseen.load("video/spmot", "test", size=128)[:20]:
        assert ((example.target["ids"] > 0) == example.inputs["frames"].any(axis=-1)).mean() > 0.999
        assert not example.inputs["frames"][example.target["ids"] == 0].any()


def test_a_film_has_the_frames_beside_the_masks():
    example = unseen.load("video/vmds", "val")[0]
    shown = film(example.record, Spec(), View())
    assert shown.shape == (10, 256, 512, 3)
    assert (shown[:, ::4, :256:4] == example.inputs["frames"]).all()
