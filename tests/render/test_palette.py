"""Grids as images and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from unseen.core.errors import SpecError, UnknownName
from unseen.render.palette import BACKGROUNDS, blurred, grid_from_image, grid_image, palette

grids = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=30), elements=st.integers(0, 9))
backgrounds = st.sampled_from(list(BACKGROUNDS))


def test_the_palette_is_the_published_one() -> None:
    published = "FFFFFF 0074D9 FF4136 2ECC40 FFDC00 AAAAAA F012BE FF851B 7FDBFF 870C25"
    assert [row.tobytes().hex().upper() for row in palette()] == published.split()


def test_only_the_background_depends_on_the_background() -> None:
    assert (palette("white")[1:] == palette("black")[1:]).all()
    assert palette("black")[0].tolist() == [0, 0, 0]


@given(grids, st.integers(30, 130), backgrounds)
def test_a_grid_comes_back_from_its_crisp_image(grid: npt.NDArray[np.int8], size: int, background: str) -> None:
    image = grid_image(grid, size, background)
    assert image.shape == (size, size, 3)
    assert (grid_from_image(image, grid.shape, background) == grid).all()


@given(st.integers(1, 40), st.integers(40, 200))
def test_a_cell_spans_the_pixels_of_the_published_conversion(count: int, size: int) -> None:
    grid = np.zeros((count, count), np.int8)
    grid[count // 2, count - 1] = 5
    image = grid_image(grid, size)
    rows, columns = np.nonzero((image == palette()[5]).all(axis=2))
    assert (rows.min(), rows.max() + 1) == (count // 2 * size // count, (count // 2 + 1) * size // count)
    assert (columns.min(), columns.max() + 1) == ((count - 1) * size // count, size)


@given(arrays(np.int8, (20, 20), elements=st.integers(0, 9)), st.integers(20, 300), backgrounds)
def test_a_grid_comes_back_from_its_soft_image(grid: npt.NDArray[np.int8], size: int, background: str) -> None:
    soft = grid_image(grid, size, background, soft=True)
    assert (grid_from_image(soft, grid.shape, background) == grid).all()


def test_a_soft_image_is_not_crisp() -> None:
    grid = np.zeros((20, 20), np.int8)
    grid[3:7, 4:9] = 4
    assert (grid_image(grid, 128, soft=True) != grid_image(grid, 128)).any()


@given(st.integers(1, 6), st.integers(0, 255))
def test_blurring_leaves_one_color_as_it_is(width: int, value: int) -> None:
    flat = np.full((9, 7, 3), value, np.uint8)
    assert (blurred(flat, tuple(range(1, 2 * width))) == flat).all()


def test_a_tie_goes_to_the_smallest_value() -> None:
    image = np.concatenate([grid_image(np.array([[value]]), 2)[:1] for value in (7, 3)])
    assert grid_from_image(image, (1, 1)).tolist() == [[3]]


def test_an_image_with_fewer_pixels_than_cells_is_refused() -> None:
    with pytest.raises(SpecError, match="cannot show a grid of 20x20 cells"):
        grid_image(np.zeros((20, 20), np.int8), 19)


def test_an_unknown_background_is_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'white'"):
        palette("whit")
