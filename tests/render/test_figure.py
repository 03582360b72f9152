"""Pieces of figures, and how they are put together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unseen.render import figure


def block(height: int, width: int) -> figure.Image:
    return np.zeros((height, width, 3), np.uint8)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4), st.integers(0, 5))
def test_pieces_above_each_other_are_all_there(sizes: list[tuple[int, int]], gap: int) -> None:
    whole = figure.above([block(*size) for size in sizes], gap=gap, align="middle")
    assert whole.shape[0] == sum(height for height, _ in sizes) + gap * (len(sizes) - 1)
    assert whole.shape[1] == max(width for _, width in sizes)
    assert (whole == 0).all(axis=2).sum() == sum(height * width for height, width in sizes)


def test_pieces_beside_each_other_keep_their_order() -> None:
    whole = figure.beside([block(2, 3), np.full((4, 1, 3), 9, np.uint8)], gap=2, align="start")
    assert whole.shape == (4, 6, 3)
    assert whole[0, :, 0].tolist() == [0, 0, 0, 255, 255, 9]


@given(st.text("abc ", min_size=1, max_size=80), st.integers(20, 200))
def test_wrapped_lines_fit_and_lose_no_letter(words: str, width: int) -> None:
    lines = figure.wrapped(words, width)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert all(figure.font(14).getlength(line) <= width or len(line) == 1 for line in lines)


def test_a_chain_of_names_breaks_into_lines_instead_of_growing_wider() -> None:
    short = figure.chain(["rot90"], 300)
    long = figure.chain(["mirror_horizontal"] * 5, 300)
    assert long.shape[1] <= 300
    assert long.shape[0] > short.shape[0]


def test_a_lined_grid_shows_its_colors_inside_the_lines() -> None:
    drawn = figure.lined(np.array([[1, 0], [0, 2]]), 6)
    assert drawn.shape == (14, 14, 3)
    assert drawn[3, 3].tolist() == [0, 116, 217]
    assert tuple(drawn[7, 3]) == figure.LINES["white"]


def test_a_cross_stays_within_its_cell() -> None:
    grid = np.zeros((3, 4), np.int8)
    drawn = figure.lined(grid, 8)
    crossed = figure.crossed(drawn, np.arange(12).reshape(3, 4) == 6, 8)
    rows, columns = np.nonzero((crossed != drawn).any(axis=2))
    assert (rows.min(), rows.max()) == (1 + 8 + 1, 1 + 8 + 6)
    assert (columns.min(), columns.max()) == (1 + 16 + 1, 1 + 16 + 6)


def test_a_cross_shows_on_every_color() -> None:
    grid = np.arange(10, dtype=np.int8)[None]
    for background in ("white", "black"):
        drawn = figure.lined(grid, 8, background)
        crossed = figure.crossed(drawn, grid >= 0, 8).astype(int)
        for column in range(10):
            corner = (2, 2 + 8 * column)
            assert np.abs(crossed[corner] - drawn[corner]).max() > 80
