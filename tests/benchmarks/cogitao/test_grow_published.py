"""The library as the published script makes it: its symmetries, its outlines, and how many objects of each kind."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from unseen.benchmarks.cogitao.grow_published import (
    SYMMETRIES,
    combinations,
    footprint_mask,
    grow_all,
    grown_mask,
    library_stream,
)
from unseen.benchmarks.cogitao.objects import library_named
from unseen.benchmarks.cogitao.patterns import COLOR_PATTERNS
from unseen.core.random import Stream, path_key

IMAGES = {  # what a mask of each symmetry is equal to
    "horizontal": lambda mask: mask[::-1],
    "vertical": lambda mask: mask[:, ::-1],
    "diagonal": lambda mask: mask.T,
    "antidiagonal": lambda mask: mask[::-1, ::-1].T,
    "point": lambda mask: mask[::-1],
    "none": lambda mask: mask,
}


def stream(index: int) -> Stream:
    return Stream(path_key(0, "test"), index=index)


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=lambda symmetry: symmetry.__name__)
@pytest.mark.parametrize("connectivity", ["4connected", "distance"])
def test_every_symmetry_keeps_its_promise_and_its_box(symmetry, connectivity):
    for index, (rows, cols) in enumerate([(1, 1), (2, 5), (5, 2), (4, 4), (5, 7), (6, 3)]):
        mask = grown_mask(connectivity, symmetry, rows, cols)(stream(index))
        square = symmetry.__name__.endswith("diagonal")
        assert mask.shape == ((min(rows, cols),) * 2 if square else (rows, cols))
        assert np.array_equal(mask, IMAGES[symmetry.__name__](mask))
        assert all(side.any() for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


def test_a_point_is_mirrored_on_both_axes():
    mask = grown_mask("8connected", next(one for one in SYMMETRIES if one.__name__ == "point"), 6, 5)(stream(0))
    assert np.array_equal(mask, mask[::-1])
    assert np.array_equal(mask, mask[:, ::-1])


def test_boxes_have_no_outline_and_round_ones_have_an_open_one():
    assert all(footprint_mask("rectangle", 4, 5)(stream(index)).all() for index in range(20))
    disks = {footprint_mask("disk", 7, 1)(stream(index)).tobytes() for index in range(20)}
    assert len(disks) == 2  # whole, and outline
    ellipse = next(mask for index in range(20) if not (mask := footprint_mask("ellipse", 5, 7)(stream(index)))[2, 3])
    assert not ellipse[0, 3]  # its neighbors are taken, and so counts what is above


def test_there_are_as_many_objects_of_each_kind_as_the_published_script_made():
    """Counts of a run of the script, which draws at random: 22,520 objects in all."""
    library = library_named("published")
    assert len(library) == pytest.approx(22_520, rel=0.01)
    assert library.having("fully_connected").mean() == pytest.approx(0.83, abs=0.01)
    assert library.having("evenly_colored").mean() == pytest.approx(0.225, abs=0.01)
    assert library.having("hollow").mean() == pytest.approx(0.445, abs=0.01)
    assert len(library.query(max_size=1)) == 9
    assert len(library.query(wanted=["fully_connected"], max_size=5)) == pytest.approx(4_506, rel=0.02)


def test_the_committed_library_begins_with_what_the_first_combinations_grow():
    library = library_named("published")
    assert all(np.array_equal(cells, library[i]) for i, cells in enumerate(islice(grow_all(), 300)))


def test_a_sample_of_all_combinations_is_in_the_committed_library():
    contents = {cells.tobytes() for cells in library_named("published")}
    for index, (pattern, mask) in islice(enumerate(combinations()), 0, None, 211):
        rng = library_stream(index)
        assert COLOR_PATTERNS[pattern](mask(rng), rng).tobytes() in contents


@pytest.mark.slow
def test_growing_everything_gives_the_committed_library():
    library = library_named("published")
    grown = list(grow_all())
    assert len(grown) == len(library)
    assert all(np.array_equal(cells, stored) for cells, stored in zip(grown, library, strict=True))
