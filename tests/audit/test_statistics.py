"""Every statistic against a plain second way to work it out, and by hand."""

from __future__ import annotations

import colorsys
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from unseen.audit.kernels.pixels import measure
from unseen.audit.statistics import STATISTICS, farthest
from unseen.core.errors import SpecError

COLORS = np.array([(255, 255, 255), (0, 0, 0), (200, 30, 90), (20, 220, 230), (255, 255, 254)], np.uint8)
drawings = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.sampled_from([0, 0, 0, 1, 2, 3, 4]))
)


def read(image):
    """The numbers of one image by name; those of several columns as tuples."""
    (numbers,) = measure(image[None])
    found = {name: tuple(numbers[list(row.columns)]) for name, row in STATISTICS.items()}
    return {name: value[0] if len(value) == 1 else value for name, value in found.items()}


def pieces(mask, steps):
    """The connected sets of cells of a mask, found one cell at a time."""
    left = set(zip(*map(np.ndarray.tolist, np.nonzero(mask)), strict=True))
    found = []
    while left:
        piece = frontier = {left.pop()}
        while frontier:
            frontier = {(y + dy, x + dx) for y, x in frontier for dy, dx in steps} & left
            left -= frontier
            piece = piece | frontier
        found.append(piece)
    return found


SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
AROUND = [*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1)]


@given(drawings)
def test_components_boxes_and_filled_area_are_those_of_a_search_cell_by_cell(drawing):
    ink = drawing > 0
    boxes = []
    for piece in pieces(ink, AROUND):
        ys, xs = zip(*piece, strict=True)
        boxes.append((max(xs) - min(xs) + 1, max(ys) - min(ys) + 1))
    framed = np.pad(ink, 1)
    outside = next(piece for piece in pieces(~framed, SIDES) if (0, 0) in piece)
    found = read(COLORS[drawing])
    assert found["components"] == len(boxes)
    assert found["filled area"] == framed.size - len(outside)
    areas = [w * h for w, h in boxes] or [0]
    assert found["box area"] == pytest.approx(np.mean(areas))
    assert (found["smallest box"], found["largest box"]) == (min(areas), max(areas))
    aspects = [log(w / h) for w, h in boxes] or [0]
    assert found["box aspect"] == pytest.approx(np.mean(aspects))
    assert found["box elongation"] == pytest.approx(np.mean(np.abs(aspects)))


@given(drawings)
def test_ink_place_and_color_are_means_over_the_pixels_that_are_not_white(drawing):
    image = COLORS[drawing]
    ys, xs = np.nonzero((image != 255).any(axis=2))
    found = read(image)
    assert found["ink"] == len(xs)
    if not len(xs):
        assert all(np.all(np.array(value) == 0) for value in found.values())
        return
    assert found["centroid"] == pytest.approx((xs.mean(), ys.mean()))
    assert found["spread"] == pytest.approx(np.sqrt(xs.var() + ys.var()), abs=1e-6)
    hsv = np.array([colorsys.rgb_to_hsv(*pixel / 255) for pixel in image[ys, xs]])
    assert found["saturation"] == pytest.approx(hsv[:, 1].mean())
    assert found["value"] == pytest.approx(hsv[:, 2].mean())
    colored = hsv[hsv[:, 1] > 0, 0]
    mean = np.exp(2j * np.pi * colored).sum()
    if abs(mean) > 1e-6:
        assert complex(*found["hue"]) == pytest.approx(mean / abs(mean))
    assert found["roughness"] == pytest.approx(found["ink"] / np.sqrt(found["filled area"]))


def test_a_diagonal_outline_is_closed():
    image = np.full((5, 5, 3), 255, np.uint8)
    for y, x in ((0, 2), (1, 1), (1, 3), (2, 0), (2, 4), (3, 1), (3, 3), (4, 2)):
        image[y, x] = 0
    found = read(image)
    assert (found["components"], found["ink"], found["filled area"]) == (1, 8, 13)


def test_an_outline_cut_by_the_frame_encloses_nothing():
    image = np.full((4, 6, 3), 255, np.uint8)
    image[:3, 2], image[:3, 4], image[2, 3] = 0, 0, 0
    found = read(image)
    assert (found["components"], found["filled area"]) == (1, 7)


def test_the_image_that_differs_is_the_farthest_and_the_others_do_not_pull_the_median():
    images = np.full((4, 16, 16, 3), 255, np.uint8)
    for number, (top, color) in enumerate([(3, (250, 0, 0)), (3, (250, 0, 10)), (9, (0, 0, 250)), (3, (250, 10, 0))]):
        images[number, top : top + 2, 4:9] = color
    scores = farthest(images)
    assert set(scores) == set(STATISTICS)
    assert scores["centroid"].tolist() == [0, 0, 6, 0]
    assert scores["hue"].argmax() == 2
    assert scores["ink"].tolist() == [0, 0, 0, 0]


@given(st.permutations(range(4)), st.integers(0, 2**32 - 1))
def test_scores_move_with_their_images(order, seed):
    images = COLORS[np.random.default_rng(seed).integers(0, 5, (4, 9, 9)) * (np.arange(9) % 2)]
    plain, moved = farthest(images), farthest(images[list(order)])
    for name in STATISTICS:
        assert moved[name] == pytest.approx(plain[name][list(order)])


@given(st.tuples(*(st.integers(0, 250) for _ in range(3))), st.lists(st.integers(1, 200), min_size=4, max_size=4))
def test_one_color_tells_nothing_about_the_amount_of_ink(color, amounts):
    images = np.full((4, 256, 3), 255, np.uint8)
    for image, amount in zip(images, amounts, strict=True):
        image[:amount] = color
    scores = farthest(images.reshape(4, 16, 16, 3))
    for name in ("hue", "saturation", "value"):
        assert scores[name].tolist() == [0, 0, 0, 0]


def test_what_are_no_images_is_an_error():
    with pytest.raises(SpecError, match=r"images uint8 \(3 or more, h, w, 3\), not float64 \(4, 8, 8, 3\)"):
        farthest(np.ones((4, 8, 8, 3)))
