"""Grid metrics: cases computed by hand, and what must hold for any grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.benchmarks.cogitao.properties import components
from unseen.core.errors import SpecError
from unseen.core.padding import padded
from unseen.metrics import METRICS
from unseen.metrics.grid import (
    cell_accuracy,
    compare_objects,
    duplicate_objects,
    extra_objects,
    grid_accuracy,
    missed_objects,
    non_background_accuracy,
    object_iou,
    objects_of,
    perfect_objects,
)

GRID_METRICS = [found for found in METRICS.values() if found.kind == "grid"]
OBJECT_METRICS = [perfect_objects, missed_objects, extra_objects, duplicate_objects]

TARGET = np.array(
    [
        [1, 1, 0, 0, 0],
        [0, 0, 0, 2, 0],
        [0, 0, 0, 2, 0],
        [3, 0, 0, 0, 0],
    ],
    np.int8,
)
PREDICTION = np.array(  # the first object is right, the second has a wrong cell, the third is missed, one is extra
    [
        [1, 1, 0, 0, 0],
        [0, 0, 0, 2, 0],
        [0, 0, 0, 4, 0],
        [0, 5, 0, 0, 0],
    ],
    np.int8,
)

grids = hnp.arrays(np.int8, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.sampled_from([0, 0, 0, 1, 2]))
pairs = st.lists(st.tuples(grids, grids), min_size=1, max_size=5)


def columns(examples):
    return [target for target, _ in examples], [prediction for _, prediction in examples]


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (grid_accuracy, 0.0),
        (cell_accuracy, 17 / 20),
        (non_background_accuracy, 3 / 5),
        (object_iou, 4 / 6),
        (perfect_objects, 1 / 5),
        (missed_objects, 2 / 5),
        (extra_objects, 2 / 5),
        (duplicate_objects, 0.0),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_hand_made_case_gives_the_hand_computed_value(measured, expected):
    assert measured([TARGET], [PREDICTION]) == pytest.approx(expected)


def test_padding_counts_as_cells_and_not_as_objects():
    target, prediction = padded(TARGET, 6, 6), padded(PREDICTION, 6, 6)
    assert cell_accuracy([target], [prediction]) == pytest.approx(33 / 36)
    for measured in (non_background_accuracy, object_iou, *OBJECT_METRICS):
        assert measured([target], [prediction]) == measured([TARGET], [PREDICTION])


def test_a_cropped_prediction_is_as_right_as_a_padded_one():
    assert grid_accuracy([padded(TARGET, 8, 8)], [TARGET]) == 1.0


@pytest.mark.parametrize(
    "wrong", [TARGET[:3], np.pad(TARGET, 1), np.zeros((0, 0), np.int8)], ids=["less", "more", "no"]
)
def test_a_prediction_of_another_shape_is_wrong(wrong):
    assert grid_accuracy([TARGET], [wrong]) == 0.0
    assert grid_accuracy([padded(TARGET, 8, 8)], [wrong]) == 0.0


def test_background_in_place_of_padding_is_wrong():
    assert grid_accuracy([padded(TARGET, 8, 8)], [np.pad(TARGET, ((0, 4), (0, 3)))]) == 0.0


def test_object_shares_are_pooled_over_the_data_set():
    one, two = np.array([[1, 0, 0]]), np.array([[1, 0, 2]])
    assert perfect_objects([one, two], [one, one]) == 2 / 3
    assert perfect_objects.each([one, two], [one, one]) == [1.0, 0.5]


def test_touching_objects_are_one_object():
    assert len(objects_of(np.array([[1, 2], [0, 3]]))) == 1
    assert len(objects_of(np.array([[1, 0], [0, 3]]))) == 1
    assert len(objects_of(np.array([[1, 0, 3]]))) == 2


def test_canvases_of_one_object_may_repeat_it_and_empty_ones_are_ignored():
    canvases = np.stack([np.where(TARGET == 1, TARGET, 0)] * 3 + [np.zeros_like(TARGET), np.full_like(TARGET, 7)])
    assert compare_objects(TARGET, canvases) == (1, 2, 1, 2)


@given(grids)
def test_a_perfect_prediction_is_perfect_by_every_metric(grid):
    for measured in (one for one in GRID_METRICS if not one.against):
        (value,) = measured.each([grid], [grid.copy()])
        assert np.isnan(value) or value == float(measured.higher_is_better)


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_examples_changes_nothing(examples, random):
    shuffled = examples.copy()
    random.shuffle(shuffled)
    for measured in GRID_METRICS:
        assert measured(*columns(examples)) == pytest.approx(measured(*columns(shuffled)))


@given(pairs)
def test_every_metric_lies_between_0_and_1(examples):
    for measured in GRID_METRICS:
        assert 0.0 <= measured(*columns(examples)) <= 1.0


@given(grids, grids)
def test_every_object_is_counted_once(target, prediction):
    counts = compare_objects(target, prediction)
    assert counts.found + counts.missed == len(objects_of(target))
    assert counts.found + counts.extra == len(objects_of(prediction))
    assert counts.duplicate == 0
    if sum(counts):
        assert sum(measured([target], [prediction]) for measured in OBJECT_METRICS) == pytest.approx(1.0)


@given(grids)
def test_objects_are_the_connected_components(grid):
    labels = components(grid > 0, diagonal=True)
    cells = [frozenset(zip(*np.nonzero(labels == label), strict=True)) for label in range(1, labels.max() + 1)]
    assert [len(one) for one in objects_of(grid)] == [len(one) for one in cells]


@given(grids, grids)
def test_a_target_and_a_prediction_that_change_places_exchange_missed_and_extra(target, prediction):
    there, back = compare_objects(target, prediction), compare_objects(prediction, target)
    assert (there.found, there.missed, there.extra) == (back.found, back.extra, back.missed)


@pytest.mark.parametrize("measured", GRID_METRICS, ids=lambda found: found.name)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (np.zeros(4, np.int8), r"a prediction is a grid of whole numbers \(h, w\), not int8 \(4,\)"),
        (np.zeros((2, 2)), r"a prediction is a grid of whole numbers \(h, w\), not float64 \(2, 2\)"),
        ([[1, 2], [3]], "the rows of one differ in length"),
        (None, r"not object \(\)"),
    ],
    ids=["flat", "fractions", "ragged", "none"],
)
def test_what_is_no_grid_is_refused_in_a_sentence(measured, wrong, sentence):
    with pytest.raises(SpecError, match=sentence):
        measured([TARGET], [wrong])


def test_a_stack_of_canvases_is_no_grid():
    with pytest.raises(SpecError, match=r"not int8 \(1, 4, 5\)"):
        cell_accuracy([TARGET], [TARGET[None]])
