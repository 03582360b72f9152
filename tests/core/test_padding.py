"""Padding: to which side, with which value, for arrays and lists of arrays."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.core.errors import SpecError
from unseen.core.padding import grid_side, padded, stack_padded
from unseen.core.task import Row, Split


@pytest.mark.parametrize(
    ("name", "side"),
    [("cogitao/c1-1", 20), ("cogitao/g1-1", 15), ("cogitao/g3-5", 20), ("cogitao/g1-1+padding=30", 30)],
)
def test_the_side_is_the_largest_grid_of_any_split_unless_the_view_says(name, side):
    assert grid_side(unseen.task(name)) == side


def benchmark_of_grids(add_benchmark, side_of):
    """A benchmark that says nothing of its grids, each of a side that follows from split and index."""

    class Sampler:
        def __init__(self, spec, part, key):
            self.spec = spec

        def draw(self, index, first=0):
            return side_of(self.spec, index), 0, 0

    def arrays(side, spec, view):
        return {"grid": np.zeros((1, side), np.int8)}, {"grid": np.zeros((side, side), np.int8)}

    splits = (Split("train", 20, "small"), Split("test_ood", 20, "large"))
    add_benchmark(
        "plain",
        "grid",
        splits=SimpleNamespace(TASKS=(Row("grids", "grids", lambda options: splits),)),
        sample=SimpleNamespace(Sampler=Sampler),
        render=SimpleNamespace(arrays=arrays),
    )
    return unseen.task("plain/grids")


def test_a_benchmark_whose_grids_have_one_size_need_not_say_it(add_benchmark):
    task = benchmark_of_grids(add_benchmark, lambda spec, index: {"small": 4, "large": 9}[spec])
    assert grid_side(task) == 9


def test_a_benchmark_whose_grids_vary_must_say_how_large_they_get(add_benchmark):
    task = benchmark_of_grids(add_benchmark, lambda spec, index: 4 + index)
    with pytest.raises(
        SpecError, match=r"plain/grids train vary in size, .*; declare side\(spec, view\) in plain.render"
    ):
        grid_side(task)


def test_a_padded_grid_keeps_its_type_and_its_place():
    grid = padded(np.array([[5, 6]], np.int8), 2, 3)
    assert grid.tolist() == [[5, 6, -1], [-1, -1, -1]]
    assert grid.dtype == np.int8


def test_an_unsigned_grid_becomes_signed():
    assert padded(np.array([[200]], np.uint8), 1, 2).tolist() == [[200, -1]]


def test_stacked_unsigned_arrays_are_padded_with_zero():
    assert stack_padded([np.ones(1, np.uint8), np.ones(2, np.uint8)]).tolist() == [[1, 0], [1, 1]]


def test_lists_of_different_lengths_and_shapes_are_stacked():
    lists = [[np.zeros((1, 2), np.int8)], [np.ones((2, 1), np.int8), np.ones((1, 1), np.int8)]]
    stacked = stack_padded(lists, least=(2, 3))
    assert stacked.shape == (2, 2, 2, 3)
    assert (stacked >= 0).sum() == 2 + 2 + 1


def test_numbers_are_stacked_as_they_are():
    assert stack_padded([3, 4]).tolist() == [3, 4]
