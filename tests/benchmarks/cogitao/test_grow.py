"""Growing objects: each combination keeps its promise, and the committed library is what the code grows."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from unseen.benchmarks.cogitao import grow as module
from unseen.benchmarks.cogitao.grow import (
    FOOTPRINTS,
    NEIGHBORS,
    SYMMETRIES,
    FromFootprint,
    FromGrowth,
    combinations,
    grow,
    grow_all,
    library_stream,
    outline,
)
from unseen.benchmarks.cogitao.objects import default_library
from unseen.benchmarks.cogitao.patterns import COLOR_PATTERNS, color_pattern
from unseen.benchmarks.cogitao.properties import holes, properties_of
from unseen.core.errors import SpecError, UnknownName, Unplaceable
from unseen.core.random import Stream, path_key

BOXES = [(1, 1), (1, 6), (2, 2), (3, 5), (6, 4), (15, 15)]
PROMISES = {
    "horizontal": "horizontally_symmetric",
    "vertical": "vertically_symmetric",
    "diagonal": "diagonally_symmetric",
    "antidiagonal": "antidiagonally_symmetric",
    "point": "point_symmetric",
    "4connected": "four_connected",
    "8connected": "fully_connected",
}


def streams(*path: str, count: int = 5) -> list[Stream]:
    return [Stream(path_key(0, "test", *path), index=i) for i in range(count)]


@pytest.mark.parametrize("connectivity", NEIGHBORS)
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_grown_object_has_the_size_symmetry_and_connectivity_of_its_combination(connectivity, symmetry):
    for rows, cols in BOXES:
        for rng in streams(connectivity, symmetry):
            cells = grow(FromGrowth("uniform", connectivity, symmetry, rows, cols), rng)
            assert cells.shape == (rows, rows if SYMMETRIES[symmetry].square else cols)
            assert {PROMISES[name] for name in (connectivity, symmetry) if name in PROMISES} <= properties_of(cells)


def test_point_symmetry_is_not_mirror_symmetry():
    combination = FromGrowth("uniform", "4connected", "point", rows=7, cols=7)
    assert any("not_symmetric" in properties_of(grow(combination, rng)) for rng in streams("point"))


@pytest.mark.parametrize("footprint", FOOTPRINTS)
def test_a_footprint_is_symmetric_connected_and_fits_its_side(footprint):
    for rows, cols in BOXES:
        mask = FOOTPRINTS[footprint](rows, cols)
        assert max(mask.shape) <= 15
        assert {"symmetric", "fully_connected", "not_hollow"} <= properties_of(mask.astype(np.uint8))


@pytest.mark.parametrize("footprint", FOOTPRINTS)
def test_an_outline_with_its_holes_filled_is_the_footprint(footprint):
    mask = FOOTPRINTS[footprint](9, 12)
    ring = outline(mask)
    assert holes(ring.astype(np.uint8)).any()
    assert np.array_equal(ring | holes(ring.astype(np.uint8)), mask)


@pytest.mark.parametrize("pattern", COLOR_PATTERNS)
def test_a_color_pattern_colors_the_mask_and_nothing_else(pattern):
    mask = FOOTPRINTS["disk"](7, 7)
    for rng in streams(pattern):
        cells = COLOR_PATTERNS[pattern](mask, rng)
        assert cells.dtype == np.uint8
        assert np.array_equal(cells != 0, mask)
        assert cells.max() <= 9
    assert COLOR_PATTERNS[pattern].__doc__


def first_in_two_colors(pattern: str) -> list[list[int]]:
    """A full 4x4 box in a pattern, from the first stream that draws two colors, as 0s and 1s."""
    box = (grow(FromFootprint(pattern, "rectangle", 4, 4), rng) for rng in streams(pattern, count=50))
    return next((c != c[0, 0]).astype(int).tolist() for c in box if (c != 0).all() and len(np.unique(c)) == 2)


def test_patterns_of_two_colors_look_like_their_names():
    assert first_in_two_colors("top_bot") == [[0] * 4, [0] * 4, [1] * 4, [1] * 4]
    assert first_in_two_colors("left_right") == [[0, 0, 1, 1]] * 4
    assert first_in_two_colors("col_stripes") == [[0, 1, 0, 1]] * 4
    assert first_in_two_colors("row_stripes") == [[0] * 4, [1] * 4] * 2
    rising = [[0, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]]
    falling = [[0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0]]
    assert first_in_two_colors("diagonal_stripes") in (rising, falling)


def test_a_third_party_can_add_a_color_pattern_without_changing_the_default_library():
    before = list(combinations())

    @color_pattern
    def all_nine(mask, rng):
        """Color nine."""
        return (mask * 9).astype(np.uint8)

    try:
        assert grow(FromFootprint("all_nine", "disk", 1, 1), Stream(0)).tolist() == [[9]]
        assert list(combinations()) == before
        assert {combination.pattern for combination in combinations(["all_nine"])} == {"all_nine"}
        with pytest.raises(SpecError, match="there is a color pattern named 'all_nine' already"):
            color_pattern(all_nine)
    finally:
        del COLOR_PATTERNS["all_nine"]


def test_an_unknown_color_pattern_is_answered_with_the_nearest_name():
    with pytest.raises(UnknownName, match=r"no color pattern named 'unifrom'.*Did you mean 'uniform'"):
        grow(FromFootprint("unifrom", "disk", 3, 3), Stream(0))


def test_running_out_of_rounds_names_the_combination(monkeypatch):
    monkeypatch.setattr(module, "MAX_ROUNDS", 1)
    with pytest.raises(Unplaceable, match=r"symmetry='none', rows=9, cols=9.* did not fill its box"):
        grow(FromGrowth("uniform", "4connected", "none", rows=9, cols=9), Stream(0))


def test_the_committed_library_begins_with_what_the_first_combinations_grow():
    library = default_library()
    grown = list(islice(grow_all(combinations()), 300))
    assert all(np.array_equal(cells, library[i]) for i, cells in enumerate(grown))


def test_a_sample_of_all_combinations_is_in_the_committed_library():
    contents = {(cells.shape, cells.tobytes()) for cells in default_library()}
    for index, combination in islice(enumerate(combinations()), 0, None, 61):
        cells = grow(combination, library_stream(index))
        assert (cells.shape, cells.tobytes()) in contents, combination


@pytest.mark.slow
def test_growing_everything_gives_the_committed_library():
    grown = list(grow_all(combinations()))
    library = default_library()
    assert len(grown) == len(library)
    assert all(np.array_equal(cells, stored) for cells, stored in zip(grown, library, strict=True))
