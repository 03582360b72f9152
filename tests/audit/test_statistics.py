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


def filled_pixels(piece, shape):
    """How many cells a piece covers or encloses: all that a walk from beyond the frame does not reach."""
    mask = np.zeros(shape, bool)
    mask[tuple(zip(*piece, strict=True))] = True
    framed = np.pad(mask, 1)
    outside = next(found for found in pieces(~framed, SIDES) if (0, 0) in found)
    return framed.size - len(outside)


def grouped(values, same):
    """The members of each group of numbers that are less than `same` from the next."""
    groups = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] < same:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [len(group) for group in groups]


@given(drawings)
def test_pieces_are_measured_one_by_one(drawing):
    image, ink = COLORS[drawing], drawing > 0
    found, parts = read(image), pieces(drawing > 0, AROUND)
    if not parts:
        return
    amounts = np.log([len(part) for part in parts])
    areas = np.array([filled_pixels(part, ink.shape) for part in parts])
    rough = np.array([len(part) for part in parts]) / np.sqrt(areas)
    centers = np.array([np.mean([*part], axis=0)[::-1] for part in parts])
    assert (found["ink spread"], found["ink ratio"]) == pytest.approx((amounts.std(), np.ptp(amounts)))
    assert (found["area spread"], found["area ratio"]) == pytest.approx((np.log(areas).std(), np.ptp(np.log(areas))))
    assert (found["smoothest"], found["roughest"]) == pytest.approx((rough.min(), rough.max()))
    assert (found["piece roughness"], found["roughness spread"]) == pytest.approx((rough.mean(), rough.std()))
    assert (found["piece x"], found["piece y"]) == pytest.approx(tuple(centers.mean(axis=0)))
    assert (found["x spread"], found["y spread"]) == pytest.approx(tuple(centers.std(axis=0)))
    assert found["parity"] == len(parts) % 2
    around = sum(filled_pixels(part, ink.shape) > len(part) for part in parts)
    assert found["contained"] <= len(parts) - (around > 0)
    sides = [log((np.ptp(xs) + 1) * (np.ptp(ys) + 1)) / 2 for ys, xs in (zip(*part, strict=True) for part in parts)]
    groups = grouped(sides, log(1.1))
    assert found["sizes"] == len(groups)
    assert (found["smallest size group"], found["largest size group"]) == (min(groups), max(groups))
    assert found["size group of 1 or 4"] == any(group == 1 or group >= 4 for group in groups)
    if len(parts) > 1:
        apart = np.hypot(*(centers[:, None] - centers).T) + np.diag(np.full(len(parts), np.inf))
        assert (found["gap"], found["gap spread"]) == pytest.approx((apart.min(0).mean(), apart.min(0).std()))
        gaps = np.diff(np.sort(centers, axis=0), axis=0).std(axis=0)
        assert (found["x gaps"], found["y gaps"]) == pytest.approx(tuple(gaps))


@given(drawings)
def test_how_the_whole_lies_is_its_box_and_the_variance_of_its_ink(drawing):
    ys, xs = np.nonzero(drawing > 0)
    found = read(COLORS[drawing])
    if not len(xs):
        return
    width, height = np.ptp(xs) + 1, np.ptp(ys) + 1
    assert (found["whole box"], found["whole aspect"]) == pytest.approx((width * height, log(width / height)))
    total = xs.var() + ys.var()
    if total > 1e-6:
        skew = 2 * ((xs - xs.mean()) * (ys - ys.mean())).mean()
        assert found["axes"] == pytest.approx(((xs.var() - ys.var()) / total, skew / total), abs=1e-9)
        assert found["axis elongation"] == pytest.approx(np.hypot(*found["axes"]), abs=1e-9)
    assert found["compactness"] == pytest.approx(len(xs) ** 2 / found["filled area"])
    assert (found["centroid x"], found["centroid y"]) == pytest.approx(found["centroid"])


def test_a_piece_within_another_is_contained_and_fills_no_more_than_itself():
    image = np.full((9, 9, 3), 255, np.uint8)
    image[1:8, 1:8], image[2:7, 2:7], image[4, 4] = 0, 255, 0
    found = read(image)
    assert (found["components"], found["contained"], found["parity"]) == (2, 1, 0)
    assert found["area ratio"] == pytest.approx(log(49))
    assert found["gap"] == 0


def test_colors_are_grouped_by_hue_around_the_circle():
    image = np.full((4, 12, 3), 255, np.uint8)
    for number, hue in enumerate([0.99, 0.02, 0.04, 0.5, 0.53]):
        image[1, 2 * number] = np.round(255 * np.array(colorsys.hsv_to_rgb(hue, 1, 0.5 + 0.1 * number))).astype(
            np.uint8
        )
    found = read(image)
    assert (found["colors"], found["hues"]) == (5, 2)
    assert (found["smallest hue group"], found["largest hue group"], found["hue group of 1 or 4"]) == (2, 3, 0)
    assert 0 < found["hue spread"] < 1


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
