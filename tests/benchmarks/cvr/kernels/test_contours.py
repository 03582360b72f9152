"""Contours have the published distribution, and are functions of their keys."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product
from math import cos, hypot, pi, sin
from random import Random
from threading import Thread

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unseen.benchmarks.cvr.kernels import contours as kernels
from unseen.benchmarks.cvr.kernels.contours import BINS, FAMILIES, KEYS, SLOTS, VERTICES, cache_of, contour
from unseen.benchmarks.cvr.kernels.geometry import contains
from unseen.core.errors import SpecError, UnknownName

Floats = npt.NDArray[np.float64]
Point = tuple[float, float]

families = st.sampled_from(sorted(FAMILIES))
keys = st.integers(0, KEYS - 1)


# ---------------------------------------------------------------------------- the published procedure, depth first


def published(rng: Random, hole: float, gap: float) -> Floats:
    """A contour as the published program draws it."""
    while True:
        anchors = [anchor(rng, hole, *signs) for signs in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        vertices = [
            vertex
            for start, end in zip(anchors, anchors[1:] + anchors[:1], strict=True)
            for vertex in between(rng, start, end, gap)
        ]
        if all(hole <= hypot(*vertex) < 0.5 for vertex in vertices):
            break
    turn = rng.uniform(0, 2 * pi)
    points = np.array(vertices) @ [[cos(turn), sin(turn)], [-sin(turn), cos(turn)]]
    low, high = points.min(axis=0), points.max(axis=0)
    normal: Floats = (points - (low + high) / 2) / (high - low)
    return normal


def anchor(rng: Random, hole: float, right: int, down: int) -> Point:
    while True:
        x, y = rng.uniform(0, 0.5), rng.uniform(0, 0.5)
        if hole <= hypot(x, y) <= 0.5:
            return right * x, down * y


def between(rng: Random, start: Point, end: Point, gap: float) -> list[Point]:
    """The start of a line, and the points inserted up to its end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dx) <= gap and abs(dy) <= gap:
        return [start]
    reach = hypot(dx, dy) / 5
    while True:
        x, y = rng.uniform(-reach, reach), rng.uniform(-reach, reach)
        middle = (start[0] + end[0]) / 2 + x, (start[1] + end[1]) / 2 + y
        if hypot(x, y) <= reach and hypot(*middle) < 0.5:
            break
    return between(rng, start, middle, gap) + between(rng, middle, end, gap)


def drawn(key: int, hole: float, gap: float) -> Floats:
    points = np.empty((2, VERTICES))
    return points[:, : kernels.draw_contour(key, hole, gap, 0.0, points, np.empty((2, 2, VERTICES)))].T


# ---------------------------------------------------------------------------- statistics of a contour


def perimeter(points: Floats) -> float:
    return float(np.sqrt(((points - np.roll(points, 1, axis=0)) ** 2).sum(axis=1)).sum())


def area(points: Floats) -> float:
    x, y = points.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def nearest(points: Floats) -> float:
    return float(np.sqrt((points**2).sum(axis=1)).min())


def inscribed(points: Floats) -> float:
    """The radius of the largest empty circle whose center is inside and on a grid of fiftieths."""
    ticks = np.linspace(-0.3, 0.3, 31)
    columns = points.T.copy()
    centers = np.array([(x, y) for x in ticks for y in ticks if contains(columns, len(points), x, y)])
    return float(np.sqrt(((centers[:, None] - points) ** 2).sum(axis=-1)).min(axis=1).max())


STATISTICS = {"vertices": len, "perimeter": perimeter, "area": area, "nearest": nearest}


def apart(one: list[float], other: list[float]) -> float:
    """The largest difference between two distribution functions."""
    places = np.sort(np.concatenate((one, other)))
    shares = [np.searchsorted(np.sort(sample), places, side="right") / len(sample) for sample in (one, other)]
    return float(abs(shares[0] - shares[1]).max())


@cache
def samples(hole: float, gap: float) -> tuple[list[Floats], list[Floats]]:
    rng = Random(7)
    return [published(rng, hole, gap) for _ in range(250)], [drawn(key, hole, gap) for key in range(2_000)]


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize(("hole", "gap"), [(0.05, 0.02), (0.2, 0.02)])
def test_the_distribution_is_that_of_the_published_procedure(statistic: str, hole: float, gap: float) -> None:
    measure = STATISTICS[statistic]
    theirs, ours = ([float(measure(points)) for points in sample] for sample in samples(hole, gap))
    assert apart(theirs, ours) < 1.63 * (1 / len(theirs) + 1 / len(ours)) ** 0.5  # Kolmogorov-Smirnov, 1 %


@pytest.mark.parametrize(
    ("hole", "gap", "vertices", "radius"),  # as measured on the published generator
    [
        (0.05, 0.007, 430, 0.31),
        (0.05, 0.01, 300, None),
        (0.05, 0.05, 54, None),
        (0.2, 0.03, 112, 0.36),
        (0.2, 0.07, 46, 0.37),
    ],
)
def test_sizes_are_those_measured_on_the_published_generator(
    hole: float, gap: float, vertices: int, radius: float | None
) -> None:
    sample = [drawn(key, hole, gap) for key in range(400)]
    assert np.mean([len(points) for points in sample]) == pytest.approx(vertices, rel=0.06)
    if radius is not None:
        assert np.mean([inscribed(points) for points in sample[:100]]) == pytest.approx(radius, abs=0.025)


# ---------------------------------------------------------------------------- functions of their keys


@settings(max_examples=60)
@given(keys, families)
def test_a_contour_fills_its_unit_box(key: int, family: str) -> None:
    vertices = contour(key, family)
    assert vertices.min(axis=0).tolist() == [-0.5, -0.5]
    assert vertices.max(axis=0).tolist() == [0.5, 0.5]
    assert len(vertices) < VERTICES


@pytest.mark.parametrize(
    ("family", "digest"),
    [
        ("plain", "bd93c7ddf277c8af"),
        ("wide", "30a6fa26e129ce65"),
        ("plain-fuzzy", "d0e427e7592c9b8a"),
        ("wide-fuzzy", "bfdf02dbc2892b90"),
    ],
)
def test_contours_stay_what_they_are(family: str, digest: str) -> None:
    vertices = b"".join(contour(key, family).tobytes() for key in (0, 1, KEYS - 1))
    assert hashlib.sha256(vertices).hexdigest()[:16] == digest


@given(keys, families)
def test_a_contour_is_the_same_after_another_took_its_slot(key: int, family: str) -> None:
    before = contour(key, family)
    contour((key + SLOTS) % KEYS, family)
    assert (contour(key, family) == before).all()


def test_threads_do_not_share_their_contours() -> None:
    elsewhere: list[Floats] = []
    thread = Thread(target=lambda: elsewhere.append(cache_of("plain").points))
    thread.start()
    thread.join()
    assert elsewhere[0] is not cache_of("plain").points


def test_fuzz_lengthens_a_contour_and_leaves_its_area() -> None:
    plain, fuzzy = ([contour(key, family) for key in range(200)] for family in ("wide", "wide-fuzzy"))
    assert {len(one) for one in fuzzy} == {kernels.RESAMPLED}
    assert np.mean([*map(perimeter, fuzzy)]) > 1.8 * np.mean([*map(perimeter, plain)])
    assert np.mean([*map(area, fuzzy)]) == pytest.approx(np.mean([*map(area, plain)]), rel=0.08)


def test_what_is_no_contour_is_refused() -> None:
    with pytest.raises(SpecError, match=r"keys from 0 to 2\*\*52 - 1, got -1"):
        contour(-1, "plain")
    with pytest.raises(UnknownName, match="Did you mean 'plain'"):
        contour(1, "plane")


# ---------------------------------------------------------------------------- likeness


def profiles(points: Floats) -> list[Floats]:
    """Profiles of a contour that is turned by a ten-thousandth of a bin, either way, or not at all.

    Kernels know angles to 1e-5, so that a corner on the border of two bins may be in the other one. A spike that is
    half as long as the contour is wide then changes a mean over all bins by 0.008.
    """
    return [profile(points, shift) for shift in (-2e-4, 0.0, 2e-4)]


def profile(points: Floats, shift: float) -> Floats:
    """The farther end of the edges that meet each direction, by many points of every edge."""
    following, share = np.roll(points, -1, axis=0), np.linspace(0, 1, 33)[:, None, None]
    dense = points * (1 - share) + following * share
    bins = np.floor(np.arctan2(dense[..., 1], dense[..., 0]) / (2 * pi) % 1 * BINS + shift).astype(int) % BINS
    ends = np.maximum(np.hypot(*points.T), np.hypot(*following.T))
    reach = np.zeros(BINS)
    np.maximum.at(reach, bins, np.broadcast_to(ends, bins.shape))
    return reach


CLOSE = 0.0005  # in radii; profiles are kept to 1 / 65,536


def differences(one: Floats, other: Floats) -> Floats:
    return np.array([abs(one - np.roll(other, -by)).mean() for by in range(BINS)])


@settings(max_examples=40)
@given(keys, keys, families)
def test_likeness_is_the_least_mean_difference_of_profiles(key: int, other: int, family: str) -> None:
    found, expected = kernels.likeness(cache_of(family), key, other), []
    for one, second in product(profiles(contour(key, family)), profiles(contour(other, family))):
        expected.append(min(differences(one, second).min(), differences(one[::-1], second).min()))
    assert min(abs(found - np.array(expected))) < CLOSE


@given(keys, st.integers(1, 3))
def test_likeness_to_itself_is_nought_and_does_not_depend_on_slots(key: int, times: int) -> None:
    kept, other = cache_of("plain"), (key + times * SLOTS) % KEYS
    assert kernels.likeness(kept, key, key) == 0
    assert kernels.likeness(kept, key, other) == kernels.likeness(kept, other, key) > 0


@settings(max_examples=40)
@given(keys)
def test_likeness_to_its_own_copies_leaves_small_turns_out(key: int) -> None:
    turned, flipped = kernels.own_likeness(cache_of("plain"), key)
    ours = profiles(contour(key, "plain"))
    assert min(abs(turned - differences(one, one)[4:61].min()) for one in ours) < CLOSE  # a bin is 5.6 degrees
    assert min(abs(flipped - differences(one[::-1], one).min()) for one in ours) < CLOSE
