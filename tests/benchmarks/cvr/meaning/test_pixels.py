"""The odd image from pixels: problems by hand, drawn by a plain renderer, and labels against a plain flood fill."""

from __future__ import annotations

from colorsys import hsv_to_rgb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image, ImageDraw

from unseen.benchmarks.cvr.meaning.pixels import PIXEL_RULES, label, odd_from_pixels
from unseen.benchmarks.cvr.verify import seen_images

SIDE = 128


@pytest.fixture(scope="session")
def drawn(by_hand):
    """Four images as pictures (4, 128, 128, 3)."""

    def picture(seen):
        image = Image.new("RGB", (SIDE, SIDE), "white")
        pen = ImageDraw.Draw(image)
        for one, outline in zip(seen.objects, seen.outlines, strict=True):
            color = tuple(round(255 * c) for c in hsv_to_rgb(one.hue, one.saturation, one.value))
            points = [tuple(point) for point in np.floor(outline * SIDE).astype(int).tolist()]
            pen.line([*points, points[0]], fill=color)
        return np.array(image)

    return lambda images: np.stack([picture(seen) for seen in seen_images(images, by_hand.blob)])


def larger(images):
    """One or two objects drawn as large as they can be side by side, so that their shapes can be seen."""
    return tuple(
        tuple(one._replace(size=one.size * 2.5, x=x, y=0.5) for one, x in zip(image, (0.27, 0.73), strict=False))
        for image in images
    )


@pytest.mark.parametrize("rule", sorted(PIXEL_RULES))
def test_the_odd_image_of_a_problem_by_hand_is_seen_in_its_pixels(rule, problems, drawn):
    images = larger(problems[rule]) if rule in {4, 5, 19, 28, 29, 33, 63} else problems[rule]
    for order in ((0, 1, 2, 3), (3, 0, 1, 2), (1, 3, 2, 0)):
        assert odd_from_pixels(drawn([images[k] for k in order]), rule) == order.index(3)


@pytest.mark.parametrize("rule", sorted(PIXEL_RULES))
def test_four_equal_pictures_are_undecided(rule, problems, drawn):
    assert odd_from_pixels(drawn(problems[rule][:1] * 4), rule) is None


def test_the_elementary_rules_are_all_decided_by_pixels_and_rules_of_turns_are_not(problems, drawn):
    assert set(range(9)) <= set(PIXEL_RULES)
    assert odd_from_pixels(drawn(problems[98]), 98) is None


def plain_label(mask, corners):
    """Numbers of connected pieces by flood fill, in the order of their first cells."""
    labels = np.zeros(mask.shape, int)
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)] + [(1, 1), (1, -1), (-1, 1), (-1, -1)] * corners
    for start in map(tuple, np.argwhere(mask)):
        if labels[start]:
            continue
        labels[start] = number = labels.max() + 1
        todo = [start]
        while todo:
            row, column = todo.pop()
            for down, right in steps:
                cell = (row + down, column + right)
                inside = 0 <= cell[0] < mask.shape[0] and 0 <= cell[1] < mask.shape[1]
                if inside and mask[cell] and not labels[cell]:
                    labels[cell] = number
                    todo.append(cell)
    return labels


@given(mask=arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9))), corners=st.booleans())
def test_labels_are_those_of_a_flood_fill(mask, corners):
    assert np.array_equal(label(mask, corners=corners), plain_label(mask, corners))
