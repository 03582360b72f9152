"""The library: what ships, how it is queried, and what is said to someone who brings their own objects."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cogitao import objects
from unseen.benchmarks.cogitao.objects import (
    LIBRARIES,
    LIBRARY_FILE,
    Library,
    default_library,
    library_named,
    register_library,
)
from unseen.benchmarks.cogitao.properties import PROPERTIES, Property, cell_count, properties_of
from unseen.core.errors import SpecError, UnknownName

UNDER_6X6 = ("fully_connected", "less_than_6_rows", "less_than_6_cols")
CORNER = [[2, 2], [0, 2]]
OBJECTS = [[[4]], CORNER, [[6, 6, 6], [6, 0, 6], [6, 6, 6]], [[1, 2, 3]]]


@pytest.fixture(scope="module")
def library() -> Library:
    return default_library()


def test_the_default_library_has_the_objects_of_the_paper(library):
    assert len(library) >= 23_000
    assert library.heights.max() == library.widths.max() == 15
    assert library.heights.min() == library.widths.min() == 1


def test_its_objects_are_distinct_and_fill_their_boxes(library):
    assert len({(cells.shape, cells.tobytes()) for cells in library}) == len(library)
    for cells in library:
        assert cells.max() <= 9
        assert all(side.any() for side in (cells[0], cells[-1], cells[:, 0], cells[:, -1]))


@pytest.mark.parametrize(
    ("name", "published", "tolerance"),
    [("fully_connected", 0.83, 0.03), ("evenly_colored", 0.225, 0.025), ("hollow", 0.445, 0.05)],
)
def test_its_statistics_are_near_those_of_the_published_library(library, name, published, tolerance):
    assert library.having(name).mean() == pytest.approx(published, abs=tolerance)


def test_there_are_enough_small_objects_for_the_default_tasks(library):
    assert len(library.query(wanted=UNDER_6X6)) >= 4_500
    assert len(library.query(wanted=(*UNDER_6X6, "hollow", "evenly_colored"))) >= 150
    assert len(library.query(wanted=("line", "less_than_2_cell"))) == 9  # single pixels


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_property_holds_for_some_objects_and_not_for_others(library, name):
    assert 0 < library.having(name).sum() < len(library)


def test_the_stored_table_is_what_the_properties_say(library):
    assert library.properties == tuple(PROPERTIES)
    for i in range(0, len(library), 97):
        stored = {name for name, has in zip(library.properties, library.table[i], strict=True) if has}
        assert stored == properties_of(library[i])


def test_it_loads_fast():
    def seconds_to_load() -> float:
        begin = time.process_time()
        Library.load(Path(objects.__file__).with_name(LIBRARY_FILE))
        return time.process_time() - begin

    assert min(seconds_to_load() for _ in range(5)) < 0.05  # CPU time: a busy machine measures the same


def test_importing_objects_does_not_import_numba():
    command = "import sys, unseen.benchmarks.cogitao.objects; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0


def test_objects_are_read_only(library):
    with pytest.raises(ValueError, match="read-only"):
        library[0][0, 0] = 3
    with pytest.raises(ValueError, match="read-only"):
        library.cells[0] = 3


def test_offsets_say_where_each_object_begins(library):
    i = len(library) // 2
    size = library.heights[i] * library.widths[i]
    assert np.array_equal(library.cells[library.offsets[i] :][:size], library[i].ravel())
    assert library.offsets[-1] + library[-1].size == library.cells.size


@pytest.fixture(scope="module")
def few(library) -> Library:
    """Objects of all kinds, few enough to ask each of them again and again."""
    return Library.from_arrays(library[i] for i in range(0, len(library), 500))


names = st.lists(st.sampled_from(list(PROPERTIES)), max_size=3)


@given(wanted=names, unwanted=names, low=st.integers(1, 5), high=st.integers(1, 15))
def test_a_query_agrees_with_asking_every_object(few, wanted, unwanted, low, high):
    expected = [
        i
        for i, cells in enumerate(few)
        if all(PROPERTIES[name].holds(cells) for name in wanted)
        and not any(PROPERTIES[name].holds(cells) for name in unwanted)
        and low <= min(cells.shape)
        and max(cells.shape) <= high
    ]
    found = few.query(wanted=wanted, unwanted=unwanted, min_size=low, max_size=high)
    assert found.tolist() == expected
    assert found.dtype == np.int32


def test_published_names_are_understood_in_queries(library):
    assert np.array_equal(library.query(wanted=["is_shape_hollow"]), library.query(wanted=["hollow"]))
    with pytest.raises(UnknownName, match="Did you mean 'hollow'"):
        library.query(unwanted=["hollw"])


def test_a_property_added_later_can_be_asked_for(monkeypatch):
    library = Library.from_arrays(OBJECTS)
    monkeypatch.setitem(PROPERTIES, "odd_cells", Property("odd_cells", "", lambda cells: cell_count(cells) % 2 == 1))
    assert library.query(wanted=["odd_cells"]).tolist() == [0, 1, 3]


def test_a_saved_library_comes_back_the_same(tmp_path):
    library = Library.from_arrays(OBJECTS)
    library.save(tmp_path / LIBRARY_FILE)
    again = Library.load(tmp_path / LIBRARY_FILE)
    assert [cells.tolist() for cells in again] == OBJECTS
    assert np.array_equal(again.table, library.table)
    assert again.properties == library.properties


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        ([1, 2], "object 1 must be a 2-D array of integers, got 1-D of int64"),
        ([[1], [1, 2]], "object 1 must be a 2-D array of integers, got rows of different lengths"),
        ([[1.5]], "object 1 must be a 2-D array of integers, got 2-D of float64"),
        ([[1] * 65], "object 1 must be 1 to 64 cells high and wide, got 1x65"),
        (np.zeros((0, 3), int), "object 1 must be 1 to 64 cells high and wide, got 0x3"),
        ([[1, 10]], r"object 1 must have colors 1..9 and 0 for background, got 1..10"),
        ([[0, 1]], "object 1 must fill its box: remove the empty rows and columns at its sides"),
        ([[0]], "object 1 must fill its box"),
    ],
)
def test_an_array_that_is_no_object_is_answered_in_one_sentence(array, sentence):
    with pytest.raises(SpecError, match=sentence):
        Library.from_arrays([CORNER, array])


def test_a_library_needs_an_object():
    with pytest.raises(SpecError, match="at least one object"):
        Library.from_arrays([])


def test_a_third_party_can_register_a_library_once(monkeypatch):
    monkeypatch.setattr(objects, "LIBRARIES", dict(LIBRARIES))
    register_library("corners", lambda: Library.from_arrays([CORNER]))
    assert library_named("corners") is library_named("corners")
    assert len(library_named("corners")) == 1
    with pytest.raises(SpecError, match="there is a library named 'corners' already"):
        register_library("corners", default_library)
    with pytest.raises(UnknownName, match=r"no object library named 'corner' in cogitao\. Did you mean 'corners'"):
        library_named("corner")
