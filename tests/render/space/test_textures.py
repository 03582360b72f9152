"""Materials: patterns repeat without a seam and keep within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.core.errors import UnknownName
from unseen.render.space.scene import Surface
from unseen.render.space.textures import FINISHES, PATTERNS, SIDE, finish, maps, mean_color


def arrays(material: str) -> dict[str, np.ndarray]:
    return {name: np.atleast_3d(values) for name, values in vars(maps(material)).items()}


@pytest.mark.parametrize("material", PATTERNS)
def test_maps_are_square_and_within_bounds(material):
    for name, values in arrays(material).items():
        assert values.shape == (SIDE, SIDE, 3 if name == "color" else 1)
        if name != "height":
            assert values.min() >= 0
            assert values.max() <= 1
    assert np.ptp(arrays(material)["height"]) < 0.1  # of a tile


@pytest.mark.parametrize("material", PATTERNS)
def test_a_pattern_goes_on_over_its_edges(material):
    """From the last line to the first it changes no more than between some others."""
    for values in arrays(material).values():
        for axis in (0, 1):
            steps = np.abs(np.roll(values, -1, axis) - values).mean(axis=(1 - axis, 2))
            assert steps[-1] <= 1.5 * np.sort(steps[:-1])[-3] + 1e-12


@pytest.mark.parametrize("material", PATTERNS)
def test_a_pattern_has_relief_and_several_tones(material):
    assert arrays(material)["height"].std() > 0
    assert arrays(material)["color"].std() > 0.01


def test_patterns_look_different_from_afar():
    means = np.array([mean_color(Surface(material)) for material in PATTERNS])
    apart = np.abs(means[:, None] - means).sum(2) + np.eye(len(means))
    assert apart.min() > 0.03


def test_a_plain_surface_has_the_color_it_is_given():
    assert maps("rubber") is None
    np.testing.assert_array_equal(mean_color(Surface("rubber", (0.1, 0.2, 0.3))), (0.1, 0.2, 0.3))


def test_every_material_has_a_finish_and_others_are_unknown():
    assert set(PATTERNS) <= set(FINISHES)
    for material in FINISHES:
        assert 0 <= finish(material).metalness <= 1
    with pytest.raises(UnknownName, match="Did you mean 'rubber'"):
        finish("ruber")
