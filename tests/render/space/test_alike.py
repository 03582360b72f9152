"""How much pictures of one scene may differ between graphics drivers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from unseen.core.errors import MissingExtra
from unseen.render.space import opengl
from unseen.render.space.alike import FAR, MEAN, SHARE, alike

GRAY = np.full((20, 20, 3), 128, np.uint8)


def test_a_few_pixels_may_be_far_off_and_no_more():
    off = GRAY.reshape(-1, 3).copy()
    most = int(SHARE * len(off))
    off[:most, 0] += FAR + 1
    assert alike(GRAY, off.reshape(GRAY.shape))
    off[most, 0] += FAR + 1
    assert not alike(GRAY, off.reshape(GRAY.shape))


def test_every_picture_of_a_film_has_to_be_alike():
    film = np.stack([GRAY] * 10)
    other = film.copy()
    other[3] += int(MEAN) + 1
    assert alike(film, film)
    assert not alike(film, other)


def test_pictures_of_another_size_are_not_alike():
    assert not alike(GRAY, GRAY[:10])


def test_no_two_scenes_are_alike(scenes):
    try:
        images = opengl.images(scenes, 64)
    except MissingExtra as error:
        pytest.skip(str(error))
    assert not any(alike(one, other) for one, other in pairwise(images))
