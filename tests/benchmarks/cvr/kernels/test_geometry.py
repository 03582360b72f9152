"""Geometry is what it says: outlines, containing, touching, scattering and drawing, against plain readings of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from colorsys import hsv_to_rgb
from itertools import combinations
from math import cos, floor, nan, radians, sin

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unseen.benchmarks.cvr.kernels import geometry
from unseen.benchmarks.cvr.kernels.contours import (
    ANGLE,
    FAMILIES,
    FLIP,
    KEYS,
    SHAPE,
    SIZE,
    Outlines,
    cache_of,
    contour,
    outlines,
    room,
    turn,
)
from unseen.benchmarks.cvr.kernels.ink import FILLED, OUTLINE, SMOOTH, ink
from unseen.benchmarks.cvr.kernels.ink import rgb as rgb_of
from unseen.core.random import STATE, start

Floats = npt.NDArray[np.float64]

GAP = 3 / 128
ANYWHERE = (0.0, 1.0, 0.0, 1.0)
families = st.sampled_from(sorted(FAMILIES))
keys = st.integers(0, KEYS - 1)


def state_of(index: int) -> npt.NDArray[np.uint32]:
    state = np.zeros(STATE, np.uint32)
    start(state, np.uint64(11), np.uint64(index), 0)
    return state


def posed(family: str, objects: list[tuple[int, float, float, bool]]) -> Outlines:
    """Outlines of objects (key, size, angle, flip)."""
    out, table = room(len(objects)), np.zeros((len(objects), 9))
    table[:, [SHAPE, SIZE, ANGLE, FLIP]] = objects
    outlines(cache_of(family), table, out)
    return out


def outline(out: Outlines, i: int) -> Floats:
    points: Floats = out.points[i, :, : out.lengths[i]].T
    return points


def pixels(points: Floats, side: int = 128) -> set[tuple[int, int]]:
    """The pixels of a closed line, drawn in plain Python."""
    whole = [(floor(x * side), floor(y * side)) for x, y in points]
    found = set()
    for start_, end in zip(whole[-1:] + whole, whole, strict=False):
        found.update(line(start_, end))
    return found


def line(start_: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Bresenham's line, without its start where it is longer than a pixel."""
    (x, y), (to_x, to_y) = start_, end
    across, down = abs(to_x - x), -abs(to_y - y)
    error = across + down
    if start_ == end:
        yield end
    while (x, y) != end:
        twice = 2 * error
        if twice > down:
            error, x = error + down, x + (1 if to_x > x else -1)
        if twice < across:
            error, y = error + across, y + (1 if to_y > y else -1)
        yield x, y


def components(ink: set[tuple[int, int]]) -> int:
    """How many 8-connected pieces some pixels form."""
    left, count = set(ink), 0
    while left:
        count += 1
        queue = deque([left.pop()])
        while queue:
            x, y = queue.popleft()
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            queue.extend(near)
    return count


def inside(points: Floats, x: float, y: float) -> bool:
    """The even-odd rule over all edges at once."""
    after = np.roll(points, -1, axis=0)
    crosses = (points[:, 1] > y) != (after[:, 1] > y)
    a, b = points[crosses], after[crosses]
    return bool((a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1]) > x).sum() % 2)


def distance(one: Floats, other: Floats) -> float:
    """From the vertices of each closed line to the edges of the other, at the least."""
    return min(to_edges(one, other), to_edges(other, one))


def to_edges(vertices: Floats, line_: Floats) -> float:
    edges = np.roll(line_, -1, axis=0) - line_
    away = vertices[:, None] - line_[None]
    share = np.clip((away * edges).sum(-1) / np.maximum((edges**2).sum(-1), 1e-300), 0, 1)
    return float(np.sqrt(((away - share[..., None] * edges) ** 2).sum(-1)).min())


# ---------------------------------------------------------------------------- posing


@given(st.floats(0, 720))
def test_cosine_and_sine_are_those_of_the_library(angle: float) -> None:
    assert turn(angle) == pytest.approx((cos(radians(angle)), sin(radians(angle))), abs=1e-14)


@pytest.mark.parametrize(("angle", "expected"), [(0.0, (1, 0)), (90.0, (0, 1)), (180.0, (-1, 0)), (270.0, (0, -1))])
def test_quarter_turns_are_exact(angle: float, expected: tuple[int, int]) -> None:
    assert turn(angle) == expected


@settings(max_examples=60)
@given(keys, families, st.floats(0.02, 1), st.floats(0, 359.9), st.booleans())
def test_an_outline_is_its_contour_flipped_turned_and_scaled(
    key: int, family: str, size: float, angle: float, flip: bool
) -> None:
    vertices = contour(key, family) * (-1 if flip else 1, 1)
    c, s = cos(radians(angle)), sin(radians(angle))
    expected = vertices @ np.array([[c, s], [-s, c]]) * size
    out = posed(family, [(key, size, angle, flip)])
    assert np.allclose(outline(out, 0), expected, atol=1e-12)
    assert np.allclose(out.boxes[0], [*expected.min(axis=0), *expected.max(axis=0)], atol=1e-12)
    edges = np.roll(expected, -1, axis=0) - expected
    assert out.edges[0] == pytest.approx(np.sqrt((edges**2).sum(axis=1)).max())


@settings(max_examples=40, deadline=None)
@given(keys, keys, families, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_outlines_said_to_be_apart_keep_the_gap(key: int, other: int, family: str, dx: float, dy: float) -> None:
    out = posed(family, [(key, 0.4, 0.0, False), (other, 0.3, 30.0, True)])
    between = distance(outline(out, 0), outline(out, 1) + np.array([dx, dy]))
    if geometry.apart(out, 0, 1, dx, dy, GAP):
        assert between >= GAP
    else:
        assert between < GAP + out.edges.max()


# ---------------------------------------------------------------------------- containing


@pytest.mark.parametrize("family", ["wide", "wide-fuzzy"])
@pytest.mark.parametrize("ratio", [0.25, 0.4])
def test_contents_are_inside_and_never_touch(family: str, ratio: float) -> None:
    state = state_of(0)
    parents, windows, offsets = np.array([-1, 0], np.int8), np.array([ANYWHERE] * 2), np.zeros((2, 2))
    failed = 0
    for index in range(100):
        size = 0.3 + index / 400
        out = posed(family, [(2 * index, size, 0.0, False), (2 * index + 1, size * ratio, index * 7.0, True)])
        if geometry.insert(out, parents, 0, windows, GAP, 120, state, offsets) >= 0:
            failed += 1
            continue
        container, inner = outline(out, 0), outline(out, 1) + offsets[1]
        assert all(inside(container, x, y) for x, y in inner[::10])
        if index % 4 == 0:  # slow
            assert distance(container, inner) >= GAP
        center = np.array([0.51, 0.493])
        assert components(pixels(container + center) | pixels(inner + center)) == 2
    assert failed < (30 if family == "wide-fuzzy" else 8)


def test_contents_keep_to_their_window_and_clear_of_each_other() -> None:
    state, offsets = state_of(1), np.zeros((3, 2))
    windows = np.array([ANYWHERE, (0.0, 1 / 3, 0.0, 1.0), (1 / 3, 1.0, 0.0, 1.0)])
    placed = 0
    for index in range(60):
        objects = [(3 * index, 0.5, 0.0, False), (3 * index + 1, 0.1, 0.0, False), (3 * index + 2, 0.12, 0.0, False)]
        out = posed("wide", objects)
        if geometry.insert(out, np.array([-1, 0, 0], np.int8), 0, windows, GAP, 200, state, offsets) < 0:
            placed += 1
            assert offsets[1, 0] <= -0.25 + 0.5 / 3
            assert offsets[2, 0] >= -0.25 + 0.5 / 3
            assert max(abs(offsets[2] - offsets[1]) - 0.11) >= GAP
    assert placed > 50


def test_contents_may_have_contents() -> None:
    out = posed("wide", [(0, 0.7, 0.0, False), (1, 0.3, 0.0, False), (2, 0.08, 0.0, False)])
    parents, windows, offsets = np.array([-1, 0, 1], np.int8), np.array([ANYWHERE] * 3), np.zeros((3, 2))
    assert geometry.insert(out, parents, 0, windows, GAP, 200, state_of(2), offsets) == -1
    assert distance(outline(out, 1) + offsets[1], outline(out, 2) + offsets[1] + offsets[2]) >= GAP
    assert inside(outline(out, 1), *(offsets[2] + outline(out, 2)[0]))


def test_what_does_not_fit_is_named() -> None:
    out = posed("wide", [(0, 0.3, 0.0, False), (1, 0.1, 0.0, False), (2, 0.31, 0.0, False)])
    windows, offsets = np.array([ANYWHERE] * 3), np.zeros((3, 2))
    assert geometry.insert(out, np.array([-1, 0, 0], np.int8), 0, windows, GAP, 50, state_of(3), offsets) == 2


# ---------------------------------------------------------------------------- touching


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_clump_is_one_component_wherever_it_lies(family: str) -> None:
    state, count = state_of(4), 4
    offsets = np.zeros((count, 2))
    clumps, against, angles = np.zeros(count, np.int8), np.full(count, -1, np.int8), np.full(count, nan)
    for index in range(100):
        out = posed(family, [(count * index + i, 0.08 + 0.04 * i, 40.0 * i, i % 2 == 0) for i in range(count)])
        assert geometry.touch(out, clumps, against, angles, GAP, 50, state, offsets) == -1
        center = np.array([0.5, 0.5]) + index / 2_000
        parts = [pixels(outline(out, i) + offsets[i] + center) for i in range(count)]
        assert components(set().union(*parts)) == 1


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_touching_outlines_go_into_each_other_by_a_pixel_or_so(family: str) -> None:
    """Drawn back along the direction by a pixel and a half they are clear of each other."""
    state, offsets = state_of(5), np.zeros((2, 2))
    for index in range(30):
        angle = 12.0 * index
        out = posed(family, [(2 * index, 0.3, 0.0, False), (2 * index + 1, 0.2, 0.0, False)])
        geometry.touch(
            out, np.zeros(2, np.int8), np.full(2, -1, np.int8), np.array([nan, angle]), GAP, 1, state, offsets
        )
        back = offsets[1] + 1.5 / 128 * np.array([cos(radians(angle)), sin(radians(angle))])
        moved = outline(out, 1) + back
        assert not any(inside(outline(out, 0), x, y) for x, y in moved)
        assert not any(inside(moved, x, y) for x, y in outline(out, 0))


def test_an_object_touches_its_partner_alone() -> None:
    state, count = state_of(6), 4
    offsets = np.zeros((count, 2))
    clumps, against = np.zeros(count, np.int8), np.array([-1, 0, 1, 0], np.int8)
    pairs = {(0, 1), (1, 2), (0, 3)}
    for index in range(20):
        out = posed("plain", [(count * index + i, 0.18, 0.0, False) for i in range(count)])
        assert geometry.touch(out, clumps, against, np.full(count, nan), GAP, 60, state, offsets) == -1
        placed = [outline(out, i) + offsets[i] + 0.5 for i in range(count)]
        for i, j in combinations(range(count), 2):
            assert (components(pixels(placed[i]) | pixels(placed[j])) == 1) == ((i, j) in pairs)
            assert (i, j) in pairs or distance(placed[i], placed[j]) >= GAP


def test_several_clumps_are_built_in_one_call() -> None:
    out = posed("plain", [(i, 0.2, 0.0, False) for i in range(5)])
    offsets = np.zeros((5, 2))
    clumps = np.array([0, 1, 0, 1, 4], np.int8)
    angles = np.array([nan, nan, 0.0, 90.0, nan])
    assert geometry.touch(out, clumps, np.full(5, -1, np.int8), angles, GAP, 1, state_of(7), offsets) == -1
    assert offsets[2, 0] > 0.1
    assert abs(offsets[2, 1]) < 1e-9
    assert offsets[3, 1] > 0.1
    assert not offsets[[0, 1, 4]].any()


# ---------------------------------------------------------------------------- bodies


def test_a_body_is_as_large_as_all_that_it_holds() -> None:
    boxes = np.array([(-1, -1, 1, 1), (-1, -2, 1, 2), (-0.1, -0.1, 0.1, 0.1), (-3, -3, 3, 3)], float)
    holders, offsets = np.array([-1, 0, 1, -1], np.int8), np.array([(9, 9), (2, 0), (0, 5), (9, 9)], float)
    out = np.zeros((4, 4))
    geometry.extents(boxes, holders, offsets, out)
    assert out[0].tolist() == [-1, -2, 3, 5.1]
    assert out[3].tolist() == [-3, -3, 3, 3]
    centers = np.array([(10, 20), (0, 0), (0, 0), (5, 5)], float)
    geometry.settle(holders, offsets, centers)
    assert centers.tolist() == [[10, 20], [12, 20], [12, 25], [5, 5]]


@settings(max_examples=60)
@given(st.lists(st.floats(0.05, 0.3), min_size=1, max_size=9), st.integers(0, 1000))
def test_scattered_bodies_are_in_the_region_and_apart(sides: list[float], index: int) -> None:
    boxes = np.array([(-side / 3, -side / 2, side / 2, side / 3) for side in sides])
    region, centers = np.array([0.1, 0.0, 0.95, 1.0]), np.zeros((len(sides), 2))
    if geometry.scatter(boxes, region, GAP, 50, state_of(index), centers):
        placed = boxes + np.tile(centers, 2)
        assert (placed[:, :2] >= region[:2]).all()
        assert (placed[:, 2:] <= region[2:]).all()
        for a, b in combinations(placed, 2):
            assert max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]) >= GAP - 1e-12


def statistics(boxes: Floats, tries: int, count: int) -> Floats:
    """What arrangements look like: least and mean distance of centers, place of the first and last body, spread."""
    state, centers, found = state_of(9), np.zeros((len(boxes), 2)), []
    for _ in range(count):
        assert geometry.scatter(boxes, np.array([0.0, 0.0, 1.0, 1.0]), GAP, tries, state, centers)
        away = [np.hypot(*(a - b)) for a, b in combinations(centers, 2)]
        middle = abs(centers - 0.5).max(axis=1)
        found.append((min(away), np.mean(away), middle[0], middle[-1], centers[0, 0], centers.std()))
    return np.array(found).T


def test_crowded_bodies_lie_as_if_all_places_were_drawn_until_none_conflict() -> None:
    sides = np.array([0.34, 0.26, 0.22, 0.2, 0.16, 0.12])  # of which one draw in several hundred is free of conflict
    boxes = np.stack((-sides / 2, -sides / 2, sides / 2, sides / 2), axis=1)
    exact, chain = statistics(boxes, 10**6, 1500), statistics(boxes, 0, 1500)
    for one, other in zip(exact, chain, strict=True):
        places = np.concatenate((one, other))
        shares = [(sample[:, None] <= places).mean(axis=0) for sample in (one, other)]
        assert abs(shares[0] - shares[1]).max() < 1.63 * (2 / 1500) ** 0.5  # Kolmogorov-Smirnov, 1 %


def test_thirteen_bodies_find_their_places_in_a_crowded_image() -> None:
    side = (0.45 / 13) ** 0.5
    boxes, centers = np.tile([-side / 2, -side / 2, side / 2, side / 2], (13, 1)), np.zeros((13, 2))
    state = state_of(10)
    assert all(geometry.scatter(boxes, np.array([0.0, 0, 1, 1]), GAP, 20, state, centers) for _ in range(100))


def test_a_body_larger_than_the_region_has_no_place() -> None:
    boxes, centers = np.array([[-0.3, -0.3, 0.3, 0.3]]), np.zeros((1, 2))
    assert not geometry.scatter(boxes, np.array([0.0, 0.0, 0.5, 1.0]), GAP, 10, state_of(0), centers)


# ---------------------------------------------------------------------------- drawing


def drawing(style: int, side: int, *, family: str = "plain", panels: int = 4, each: int = 3) -> tuple[Floats, ...]:
    """Some objects on some panels, some of them beyond the frame, and how they are drawn."""
    rng = np.random.default_rng(side)
    count = panels * each
    objects = rng.uniform(0, 1, (count, 9))
    objects[:, SHAPE], objects[:, SIZE] = np.arange(count), rng.uniform(0.1, 0.9, count)
    objects[:, ANGLE], objects[:, FLIP] = rng.uniform(0, 360, count), rng.uniform(size=count) < 0.5
    canvas = np.zeros((panels, side, side, 3), np.uint8)
    ink(cache_of(family), np.full(panels, each), objects, style, canvas)
    return canvas, objects


def rgb(hue: float, saturation: float, value: float) -> list[int]:
    return [floor(level * 255 + 0.5) for level in hsv_to_rgb(hue, saturation, value)]


@pytest.mark.parametrize("family", ["plain", "wide-fuzzy"])
@pytest.mark.parametrize("side", [64, 128, 200])
def test_outlines_are_drawn_pixel_by_pixel_as_in_plain_python(side: int, family: str) -> None:
    canvas, objects = drawing(OUTLINE, side, family=family)
    expected = np.full_like(canvas, 255)
    out = room(len(objects))
    outlines(cache_of(family), objects, out)
    for i, (_, _, *center, _, _, hue, saturation, value) in enumerate(objects):
        for x, y in pixels(outline(out, i) + center, side):
            if 0 <= x < side and 0 <= y < side:
                expected[i // 3, y, x] = rgb(hue, saturation, value)
    assert (canvas == expected).all()


@given(st.floats(0, 1, exclude_max=True), st.floats(0, 1), st.floats(0, 1))
def test_colors_are_those_of_the_standard_library(hue: float, saturation: float, value: float) -> None:
    color = np.zeros(3, np.uint8)
    rgb_of(hue, saturation, value, color)
    assert abs(color.astype(int) - rgb(hue, saturation, value)).max() <= 1  # a level may fall on the edge of two


@pytest.mark.parametrize("side", [64, 128, 256])
def test_soft_lines_lie_where_the_outlines_do(side: int) -> None:
    """Every outline pixel is colored, and nothing farther than a line's width from one."""
    crisp = (drawing(OUTLINE, side, panels=1, each=1)[0][0] < 255).any(axis=2)
    soft = drawing(SMOOTH, side, panels=1, each=1)[0][0].min(axis=2) < 255
    assert soft[crisp].all()
    near = crisp.copy()
    for _ in range(2 + side // 128):
        near[1:] |= near[:-1].copy()
        near[:-1] |= near[1:].copy()
        near[:, 1:] |= near[:, :-1].copy()
        near[:, :-1] |= near[:, 1:].copy()
    assert near[soft].all()


def test_filled_insides_are_pale_and_under_every_line() -> None:
    canvas, objects = drawing(FILLED, 128, panels=1, each=1)
    crisp = drawing(OUTLINE, 128, panels=1, each=1)[0]
    lines = (crisp < 255).any(axis=-1)
    assert (canvas[lines] == crisp[lines]).all()
    out, (_, _, *center, _, _, hue, saturation, value) = room(1), objects[0]
    outlines(cache_of("plain"), objects, out)
    points, pale = outline(out, 0) + center, [(level + 255) // 2 for level in rgb(hue, saturation, value)]
    within = np.array([[inside(points, (x + 0.5) / 128, (y + 0.5) / 128) for x in range(128)] for y in range(128)])
    filled = (canvas[0] == pale).all(axis=2)
    assert filled[within & ~lines[0]].all()
    assert (filled & ~within).sum() < 0.01 * within.sum()  # where a contour winds twice around a pixel


def test_the_last_object_is_on_top() -> None:
    canvas = np.zeros((1, 64, 64, 3), np.uint8)
    objects = np.array([(3, 0.5, 0.5, 0.5, 0, 0, hue, 1, 1) for hue in (0, 1 / 3)])
    ink(cache_of("plain"), np.array([2]), objects, OUTLINE, canvas)
    assert {tuple(pixel) for pixel in canvas.reshape(-1, 3).tolist()} == {(255, 255, 255), (0, 255, 0)}
