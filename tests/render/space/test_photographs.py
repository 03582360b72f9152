"""Texture sets of a user: made images stand for the published ones, which may not be passed on."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.render.space.photographs import NAMES
from unseen.render.space.scene import Surface
from unseen.render.space.textures import PATTERNS, SIDE, finish, maps, taken_from


@pytest.fixture
def folder(tmp_path):
    """Eight sets of even colors, one of them with every map, in folders of their own."""
    for k, name in enumerate(NAMES.values()):
        (tmp_path / name).mkdir()
        saved(tmp_path / name / f"{name}_COL_VAR1_3K.png", (40 + 20 * k, 200, 60))
    wood = tmp_path / NAMES["wood"]
    saved(wood / "WoodFlooring061_GLOSS_3K.png", (51, 51, 51))
    saved(wood / "WoodFlooring061_DISP_3K.png", (255, 255, 255))
    saved(wood / "WoodFlooring061_AO_3K.jpg", (128, 128, 128))
    return tmp_path


def saved(path, color):
    Image.fromarray(np.full((8, 8, 3), color, np.uint8)).save(path)


def test_every_pattern_has_a_published_name():
    assert NAMES.keys() == PATTERNS.keys()


def test_maps_are_those_of_the_folder_where_it_has_them(folder):
    found, drawn = maps(f"brick@{folder}"), maps("brick")
    assert found.color.shape == (SIDE, SIDE, 3)
    assert np.allclose(found.color[0, 0], [0.0212, 0.5776, 0.0452], atol=1e-3)  # linear light
    assert (found.height == drawn.height).all()
    wood = maps(f"wood@{folder}")
    assert np.allclose(wood.roughness, 0.8)
    assert np.allclose(wood.height, 0.03)
    assert wood.color.max() < 0.3, "darkened where light does not reach"
    assert finish(f"wood@{folder}") == finish("wood")


def test_only_patterns_are_taken_from_a_folder(folder):
    assert taken_from(Surface("rubber"), str(folder)) == Surface("rubber")
    assert taken_from(Surface("wood"), str(folder)).material == f"wood@{folder}"


def test_a_set_that_is_missing_or_no_image_is_refused(tmp_path):
    with pytest.raises(DataError, match="WoodFlooring061_COL_"):
        maps(f"wood@{tmp_path}")
    (tmp_path / "WoodFlooring061_COL_1.jpg").write_text("none")
    with pytest.raises(DataError, match="is not an image that can be read"):
        maps(f"wood@{tmp_path}")
    with pytest.raises(DataError, match="there is no folder"):
        maps(f"wood@{tmp_path / 'elsewhere'}")


def test_images_of_clevrtex_show_them(folder):
    plain = unseen.load("svib/clevrtex-sa", "test", size=32)[0]
    taken = unseen.load("svib/clevrtex-sa", "test", size=32, textures=str(folder))[0]
    assert plain.record == taken.record
    try:
        images = [one.target["image"].astype(int) for one in (plain, taken)]
    except MissingExtra as reason:
        pytest.skip(str(reason))
    green = [image[..., 1].mean() - image[..., 0].mean() for image in images]
    assert green[1] > green[0] + 10


def test_other_worlds_have_no_textures(folder):
    with pytest.raises(SpecError, match="is for clevrtex"):
        unseen.task("svib/clevr-sa", textures=str(folder))
