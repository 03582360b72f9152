"""Rendering: any size, three styles, the same bytes every time."""

from __future__ import annotations

import hashlib
from colorsys import hsv_to_rgb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.cvr.render import STYLES, arrays, panels, picture, scene
from unseen.benchmarks.cvr.scene import Object, Record
from unseen.benchmarks.cvr.spec import View
from unseen.core.errors import SpecError

WHITE = 255
KNOWN = Object(shape=5, size=0.5, x=0.5, y=0.5, angle=0.0, flip=False, hue=0.0, saturation=1.0, value=0.8)


def record(*changes: dict[str, object], contour: str = "plain") -> Record:
    """Four images of one object, with these differences from the known one."""
    images = tuple((KNOWN._replace(**change),) for change in (*changes, {}, {}, {}, {})[:4])
    return Record("shape", False, contour, 3, images)


def ink(pixels):
    return (pixels != WHITE).any(axis=-1)


@settings(max_examples=20)
@given(size=st.integers(16, 300), style=st.sampled_from(sorted(STYLES)))
def test_images_have_any_size_and_fill_the_box_they_should(size, style):
    image = panels(record(), View(size, style))[0]
    assert image.shape == (size, size, 3)
    rows, columns = np.nonzero(ink(image))
    for at in (rows, columns):
        assert at.min() == pytest.approx(size / 4, abs=2)
        assert at.max() == pytest.approx(3 * size / 4, abs=2)


def test_an_outline_has_one_color_and_a_smooth_one_shades_of_it():
    outline, smooth = (panels(record(), View(style=style))[0] for style in ("outline", "smooth"))
    color = [round(WHITE * channel) for channel in hsv_to_rgb(0.0, 1.0, 0.8)]
    assert np.unique(outline[ink(outline)], axis=0).tolist() == [color]
    assert len(np.unique(smooth[ink(smooth)], axis=0)) > 10


def test_a_filled_shape_has_the_ink_of_its_outline_and_more():
    outline, filled = (ink(panels(record(), View(style=style))[0]) for style in ("outline", "filled"))
    assert filled.sum() > 2 * outline.sum()
    assert not (outline & ~filled).any()


def test_moving_by_whole_pixels_moves_the_picture():
    here, there, *_ = panels(record({}, {"x": 0.5 + 8 / 128, "y": 0.5 - 16 / 128}), View())
    assert np.array_equal(np.roll(here, (-16, 8), axis=(0, 1)), there)


def test_a_half_turn_and_a_flip_are_seen():
    here, flipped, turned, both = panels(
        record({}, {"flip": True}, {"angle": 180.0}, {"flip": True, "angle": 180.0}), View()
    )
    for other, same in ((flipped, here[:, ::-1]), (turned, here[::-1, ::-1]), (both, here[::-1])):
        close = ink(other) & grown(ink(same))
        assert close.sum() > 0.97 * ink(other).sum()
        assert not np.array_equal(other, here)


def grown(mask):
    """Cells within a pixel of a true one."""
    return np.any([np.roll(mask, (dy, dx), axis=(0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)], axis=0)


def test_fuzzier_contours_look_otherwise():
    assert not np.array_equal(panels(record(), View()), panels(record(contour="plain-fuzzy"), View()))


def test_a_known_problem_has_the_known_bytes():
    shown = record({}, {"angle": 30.0}, {"size": 0.25, "hue": 0.4}, {"shape": 6})
    digests = {style: hashlib.sha256(panels(shown, View(style=style)).tobytes()).hexdigest()[:12] for style in STYLES}
    assert digests == {"outline": "1b55e799e3e3", "smooth": "7806d8c42c3f", "filled": "809c911c8019"}


def test_arrays_are_the_panels_the_rule_and_the_odd_place():
    inputs, target = arrays(record(), None, View(64))
    assert inputs["images"].shape == (4, 64, 64, 3)
    assert inputs["rule"] == "shape"
    assert target == {"odd": 3}


def test_a_scene_names_every_number_of_every_object():
    found = scene(record(), None)
    assert found["images"][0] == [KNOWN._asdict()]
    assert {name: found[name] for name in ("rule", "shifted", "contour", "odd")} == {
        "rule": "shape",
        "shifted": False,
        "contour": "plain",
        "odd": 3,
    }


def test_the_odd_image_of_a_picture_has_a_green_frame():
    whole = picture(record(), None, View())
    width = whole.shape[1] // 4
    green = [(whole[:, k * width : (k + 1) * width] == (26, 127, 55)).all(axis=2).any() for k in range(4)]
    assert green == [False, False, False, True]


@pytest.mark.parametrize("size", [15, 4097])
def test_a_size_out_of_range_is_a_sentence(size):
    with pytest.raises(SpecError, match="size is an image's side in pixels, from 16 to 4096"):
        unseen.task("cvr/shape", size=size)
