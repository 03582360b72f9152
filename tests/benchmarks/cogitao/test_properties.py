"""Properties: hand-made objects, the recorded table of the published generator, and what must hold of any object."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from unseen.benchmarks.cogitao.properties import PROPERTIES, components, holes, properties_of, property_named
from unseen.core.errors import UnknownName

OUR_ADDITIONS = {"point_symmetric", "four_connected"}

RING = [[6, 6, 6], [6, 0, 6], [6, 6, 6]]
DIAGONAL_RING = [[0, 6, 0], [6, 0, 6], [0, 6, 0]]
PLUS = [[0, 3, 0], [3, 3, 3], [0, 3, 0]]
OFF_CENTER_CROSS = [[3, 0, 0, 0], [3, 3, 3, 3], [3, 0, 0, 0]]
TWO_PARTS = [[5, 0, 5], [5, 0, 5]]
PINWHEEL = [[1, 1, 0], [0, 1, 0], [0, 1, 1]]
CORNER_IN_TWO_COLORS = [[1, 2], [2, 0]]
CORNER_IN_THREE_COLORS = [[1, 2], [3, 0]]
SKEWED_DIAMOND = [[4, 0, 0], [4, 4, 4], [0, 0, 4]]

CASES = [  # object, properties it has, properties it lacks
    (RING, "hollow symmetric evenly_colored simple filled_square four_connected of_three_rows", "rectangular cross"),
    (DIAGONAL_RING, "hollow fully_connected simple more_than_3_cell", "four_connected diamond"),
    (PLUS, "cross diamond cross_or_rectangle_or_diamond not_hollow less_than_6_cell", "rectangular less_than_5_cell"),
    (OFF_CENTER_CROSS, "cross wider_than_high horizontally_symmetric of_four_cols", "vertically_symmetric diamond"),
    (TWO_PARTS, "not_fully_connected not_simple symmetric point_symmetric", "fully_connected four_connected"),
    (PINWHEEL, "point_symmetric not_symmetric", "symmetric horizontally_symmetric diagonally_symmetric"),
    (CORNER_IN_TWO_COLORS, "diagonally_symmetric of_2_colors symmetric", "antidiagonally_symmetric evenly_colored"),
    (CORNER_IN_THREE_COLORS, "of_3_colors not_symmetric", "diagonally_symmetric more_than_3_colors"),
    (SKEWED_DIAMOND, "diamond", "cross"),
    ([[7]], "line diagonal_line anti_diagonal_line diamond rectangular filled_square", "cross simple more_than_1_cell"),
    ([[0, 1], [1, 0]], "anti_diagonal_line fully_connected diagonal_or_antidiagonal_line", "diagonal_line hollow"),
    ([[1, 2, 3, 4]], "horizontal_line more_than_3_colors rectangular_not_square line", "vertical_line simple"),
    ([[1]] * 9, "vertical_line more_than_5_rows less_than_11_rows higher_than_wide", "small less_than_9_rows"),
]


@pytest.mark.parametrize(("cells", "has", "lacks"), CASES)
def test_hand_made_objects_have_the_properties_a_reader_expects(cells, has, lacks):
    found = properties_of(np.array(cells))
    assert set(has.split()) <= found
    assert found.isdisjoint(lacks.split())


def test_there_are_the_published_properties_and_ours():
    assert len(PROPERTIES.keys() - OUR_ADDITIONS) == 73
    assert PROPERTIES.keys() >= OUR_ADDITIONS


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_property_is_described_in_one_line(name):
    description = PROPERTIES[name].description
    assert description
    assert "\n" not in description


def test_the_published_generator_finds_the_same_properties(shared_data):
    recorded = json.loads((shared_data / "conformance" / "cogitao.json").read_text())
    for name, published in recorded["conditionals_true"].items():
        expected = {property_named(conditional).name for conditional in published}
        assert properties_of(np.array(recorded["objects"][name])) - OUR_ADDITIONS == expected, name


def test_an_unknown_property_is_answered_with_the_nearest_name():
    with pytest.raises(UnknownName, match=r"no property named 'holow' in cogitao\. Did you mean 'hollow'"):
        property_named("is_shape_holow")


def tight(cells: np.ndarray) -> np.ndarray:
    """Cut the empty rows and columns off; an empty array becomes one cell."""
    if not cells.any():
        return np.ones((1, 1), np.uint8)
    row, col = np.nonzero(cells)
    return cells[row.min() : row.max() + 1, col.min() : col.max() + 1]


colors = st.sampled_from([0, 0, 0, 1, 1, 2, 9])
objects = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=colors).map(tight)


@given(objects)
def test_holes_are_background_without_a_way_out(cells):
    inside = holes(cells)
    assert not (inside & (cells != 0)).any()
    for row, col in zip(*np.nonzero(inside), strict=True):
        assert 0 < row < cells.shape[0] - 1
        assert 0 < col < cells.shape[1] - 1
        edges = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        assert all(cells[edge] or inside[edge] for edge in edges)


@given(objects)
def test_a_filled_object_has_no_holes(cells):
    assert not holes(np.where(holes(cells), 1, cells)).any()


@given(objects, st.booleans())
def test_components_part_the_mask_into_connected_pieces_that_do_not_touch(cells, diagonal):
    labels = components(cells != 0, diagonal=diagonal)
    assert np.array_equal(labels != 0, cells != 0)
    assert set(labels[labels > 0].tolist()) == set(range(1, labels.max() + 1))
    for label in range(1, labels.max() + 1):
        assert components(labels == label, diagonal=diagonal).max() == 1
    edges = [(labels[1:], labels[:-1]), (labels[:, 1:], labels[:, :-1])]
    corners = [(labels[1:, 1:], labels[:-1, :-1]), (labels[1:, :-1], labels[:-1, 1:])]
    for one, other in edges + corners * diagonal:
        assert ((one == other) | (one == 0) | (other == 0)).all()


@given(objects)
def test_a_symmetric_object_equals_one_of_its_images(cells):
    mask = cells != 0
    flipped = np.array_equal(mask, np.fliplr(mask)) or np.array_equal(mask, np.flipud(mask))
    transposed = np.array_equal(cells, cells.T) or np.array_equal(cells, np.rot90(cells, 2).T)
    assert ("symmetric" in properties_of(cells)) == (flipped or transposed)


@given(objects)
def test_a_property_and_its_negation_exclude_each_other(cells):
    found = properties_of(cells)
    for name in PROPERTIES:
        if f"not_{name}" in PROPERTIES:
            assert (name in found) != (f"not_{name}" in found)


@given(objects)
def test_flipping_an_object_keeps_what_does_not_speak_of_a_direction(cells):
    directed = {"diagonally_symmetric", "antidiagonally_symmetric", "diagonal_line", "anti_diagonal_line"}
    assert properties_of(cells) - directed == properties_of(np.fliplr(cells)) - directed
