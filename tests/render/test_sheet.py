"""Contact sheets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.errors import SpecError
from unseen.render.sheet import contact_sheet

RED = (255, 0, 0)


@given(
    st.lists(st.tuples(st.integers(5, 40), st.integers(5, 60), st.text("ab ", max_size=40)), min_size=1, max_size=7),
    st.integers(1, 4),
)
def test_no_picture_is_covered_by_another_or_by_a_caption(cells: list[tuple[int, int, str]], columns: int) -> None:
    pictures = [np.full((height, width, 3), RED, np.uint8) for height, width, _ in cells]
    sheet = contact_sheet(pictures, [caption for *_, caption in cells], columns)
    assert (sheet == RED).all(axis=2).sum() == sum(height * width for height, width, _ in cells)
    assert (sheet[0] == 255).all()
    assert (sheet[:, -1] == 255).all()


def test_an_empty_sheet_is_refused() -> None:
    with pytest.raises(SpecError, match="needs a picture"):
        contact_sheet([], [], 3)
