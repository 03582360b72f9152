"""Images of SVIB's sprites: Pillow's, to the last bit but for ties; and masks without blended edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

import unseen
from unseen.benchmarks.svib import kernels, solids
from unseen.benchmarks.svib.kernels import GRAIN
from unseen.benchmarks.svib.render import lanczos, masks, paint
from unseen.benchmarks.svib.sample import Placed, Sampler, plan, scene_of
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.worlds import SPRITES
from unseen.core.errors import MissingExtra, SpecError
from unseen.core.splits import part_of
from unseen.data.generate import generate

RULES = ("sa", "mna", "ncp", "minter")


def with_pillow(objects, spec, size):
    """The published path: polygons on a canvas ten times as large, by color then x, reduced once, upside down."""
    world, side = spec.place, 10 * size
    canvas = Image.new("RGB", (side, side))
    draw = ImageDraw.Draw(canvas)
    for one in sorted(objects, key=lambda one: (one.look[0], one.x)):
        color, shape, number = one.look
        scale, x, y = world.sizes[number], one.x / GRAIN, one.y / GRAIN
        corners = [((x + scale * u) * side, (y + scale * v) * side) for u, v in SPRITES[world.shapes[shape]]]
        draw.polygon(corners, fill=tuple(bytes.fromhex(world.colors[color])))
    return np.flipud(np.asarray(canvas.resize((size, size), Image.Resampling.LANCZOS)))


@pytest.mark.parametrize("size", [128, 50])
@pytest.mark.parametrize("rule", RULES)
def test_images_are_those_of_pillow(rule, size):
    spec = Spec(rule=((rule,),), combinations="all")
    sampler = Sampler(spec, part_of("train"), 1)
    exact = 0
    for index in range(20):
        record, _, _ = sampler.draw(index)
        for objects in (record.source, record.target):
            error = abs(paint(objects, spec, size).astype(int) - with_pillow(objects, spec, size))
            assert error.max() <= 4  # where Pillow's single precision puts a border a tenth of a pixel further
            exact += error.max() <= 1
    assert exact >= 38


def reduced_plainly(objects, spec, size):
    """What the kernel computes, without any of its shortcuts: every column of every row weighted and summed."""
    known, side = plan(spec), 10 * size
    scene = scene_of(objects)
    canvas = np.zeros((side, side, 3), np.int64)
    left, right = np.empty((2, side), np.int32)
    for i in kernels.back_to_front(known.limits, scene):
        kernels.trace(known.limits, known.sizes, known.flat, scene[i], side, 0, 1, left, right)
        for row in range(side):
            canvas[row, max(left[row], 0) : max(right[row] + 1, 0)] = known.colors[objects[i].look[0]]
    along = reduced_along_rows(canvas, size)
    return np.flipud(reduced_along_rows(along.swapaxes(0, 1), size).swapaxes(0, 1))


def reduced_along_rows(canvas, size):
    starts, lengths, sums = lanczos(size)[:3]
    weights = np.zeros((canvas.shape[1], size), np.int64)
    for pixel, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        weights[start : start + length, pixel] = np.diff(sums[pixel, : length + 1])
    totals = np.einsum("rcv,cp->rpv", canvas, weights) + kernels.HALF
    return np.clip(totals >> kernels.BITS, 0, 255)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), size=st.sampled_from((16, 24, 33)))
def test_images_are_the_plain_sums_of_their_canvas(data, size):
    spec = Spec(colors=("00ff00", "ff00ff", "007fff", "ffffff", "010203"), shapes=tuple(SPRITES), combinations="all")
    place = st.integers(-GRAIN // 4, 5 * GRAIN // 4)
    look = st.tuples(st.integers(0, 4), st.integers(0, len(SPRITES) - 1), st.integers(0, 3))
    objects = tuple(data.draw(st.lists(st.builds(Placed, look, place, place), min_size=1, max_size=5)))
    assert (paint(objects, spec, size) == reduced_plainly(objects, spec, size)).all()


@pytest.mark.parametrize("shape", SPRITES)
def test_every_shape_has_area_one(shape):
    corners = np.array(SPRITES[shape])
    x, y = corners.T
    assert abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 == pytest.approx(1, abs=1e-5)
    spec = Spec(shapes=(shape,), combinations="all")
    ids = masks((Placed((0, 0, 3), GRAIN // 2, GRAIN // 2),), spec, 128)
    assert (ids > 0).sum() == pytest.approx((0.425 * 128) ** 2, rel=0.03)


def test_objects_may_be_cut_by_the_frame_or_be_outside():
    spec = Spec(combinations="all")
    for x, y in ((-2, 0.5), (3, 0.5), (0.5, -2), (0.5, 3), (0.0, 0.0), (1.0, 1.0)):
        objects = tuple(Placed((0, shape, 3), round(x * GRAIN), round(y * GRAIN)) for shape in range(4))
        error = abs(paint(objects, spec, 64).astype(int) - with_pillow(objects, spec, 64))
        assert error.max() <= 4
        assert bool(masks(objects, spec, 64).any()) == (0 <= x <= 1 and 0 <= y <= 1)


def test_masks_are_of_the_object_in_front():
    spec = Spec(combinations="all")
    behind, front = Placed((0, 2, 3), GRAIN // 2, GRAIN // 2), Placed((3, 0, 0), GRAIN // 2, GRAIN // 2)
    for objects, front_id in (((behind, front), 2), ((front, behind), 1)):
        ids, image = masks(objects, spec, 128), paint(objects, spec, 128)
        assert ids[64, 64] == front_id
        assert image[64, 64].tolist() == [255, 127, 0]
        assert {*np.unique(ids)} == {0, 1, 2}


def test_the_full_view_has_masks_of_both_images():
    example = unseen.load("svib/dsprites-sa", full=True)[0]
    assert list(example.inputs) == ["image"]
    assert list(example.target) == ["image", "masks", "input_masks"]
    assert example.target["input_masks"].max() == 2


def test_solids_have_masks_and_depth_without_a_renderer():
    example = unseen.load("svib/clevr-sa", full=True, renderer="none", size=64)[0]
    assert example.inputs == {}
    assert list(example.target) == ["masks", "input_masks", "depth", "input_depth"]
    assert example.target["depth"].shape == (64, 64)
    body, ground = (np.median(example.target["depth"][example.target["masks"] == k]) for k in (1, 0))
    assert 5 < body < ground


def test_the_view_of_symbols_tells_what_the_scene_is_made_of():
    example = unseen.load("svib/dsprites-ma", symbols=True)[3]
    assert list(example.inputs) == ["image", "factors", "positions"]
    assert list(example.target) == ["image", "masks", "factors", "positions"]
    for side, scene in ((example.inputs, "source"), (example.target, "target")):
        words = example.scene[scene]
        place = example.task.split("train").spec.place
        for number, one in enumerate(words):
            named = dict(zip(place.factors, place.vocabularies, strict=True))
            assert [named[factor][k] for factor, k in zip(place.factors, side["factors"][number], strict=True)] == [
                one[factor] for factor in place.factors
            ]
            assert side["positions"][number].tolist() == pytest.approx(one["at"])


def test_symbols_of_solids_hold_camera_lamps_and_ground():
    example = unseen.load("svib/clevrtex-ma", symbols=True, renderer="none")[0]
    assert list(example.inputs) == ["factors", "positions", "parameters", "ground"]
    assert example.inputs["parameters"].shape == (4, 3)
    jitter = np.array(example.scene["jitter"]).reshape(4, 3) * [[0.5], [1], [1], [1]]
    assert example.inputs["parameters"] - jitter == pytest.approx(np.array([solids.CAMERA, *solids.PLACES]), abs=1e-5)
    materials = example.task.split("train").spec.place.materials
    assert materials[example.inputs["ground"]] == example.scene["ground"]
    assert "ground" not in unseen.load("svib/clevr-ma", symbols=True, renderer="none")[0].inputs


def test_symbols_come_in_batches_and_survive_shards(tmp_path):
    pytest.importorskip("torch", reason="batches need torch")
    options = {"symbols": True, "renderer": "none"}
    dataset = unseen.load("svib/clevrtex-sa", "test", **options)[:4]
    generate(dataset.task, tmp_path, splits=["test"], count=4, workers=1)
    for one in (dataset, unseen.load(str(tmp_path), "test")):
        batch = next(iter(one.torch(batch_size=4)))
        assert batch["input_factors"].shape == batch["target_factors"].shape == (4, 2, 3)
        assert (batch["input_positions"].shape, batch["input_parameters"].shape) == ((4, 2, 2), (4, 4, 3))
        assert batch["input_ground"].tolist() == [example.record.ground for example in dataset]


def test_an_image_does_not_depend_on_what_was_drawn_before():
    dataset = unseen.load("svib/clevrtex-mna", size=64)
    try:
        first = dataset[2].inputs["image"]
    except MissingExtra as error:
        pytest.skip(str(error))
    assert dataset[0].inputs["image"].shape == (64, 64, 3)
    assert (dataset[2].inputs["image"] == first).all()


def test_views_share_their_records():
    records = [unseen.load("svib/dsprites-ma", size=size)[5].record for size in (32, 128)]
    assert records[0] == records[1]


def test_a_view_that_cannot_be_says_why():
    with pytest.raises(SpecError, match="from 16 to 1024"):
        unseen.task("svib/dsprites-sa", size=8)
    with pytest.raises(SpecError, match="needs no renderer"):
        unseen.task("svib/dsprites-sa", renderer="opengl")
