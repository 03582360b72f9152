"""Visual tokens: where they lie, and that grids come back from them."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models.visual_tokens import CLASSES, PAD, add_visual_tokens, without_visual_tokens  # noqa: E402

LETTERS = "0123456789.|_+;"


def drawn(grid):
    return ["".join(LETTERS[cell] for cell in row) for row in add_visual_tokens(torch.tensor([grid]))[0]]


def test_lines_mark_where_a_small_grid_ends():
    assert drawn([[5, 6, -1], [-1, -1, -1], [-1, -1, -1]]) == ["56|.;", "__+.;", "....;", "....;", "....;"]


def test_a_grid_as_large_as_the_side_has_room_for_its_lines():
    assert drawn([[1, 2], [3, 4]]) == ["12|;", "34|;", "__+;", "...;"]


@pytest.mark.parametrize("height", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 3, 4])
def test_grids_come_back(height, width):
    grid = torch.full((1, 4, 4), -1)
    grid[:, :height, :width] = torch.randint(0, 10, (height, width), generator=torch.Generator().manual_seed(0))
    sure = torch.nn.functional.one_hot(add_visual_tokens(grid), CLASSES).permute(0, 3, 1, 2) * 20.0
    classes = without_visual_tokens(sure).argmax(1)
    assert torch.equal(torch.where(classes == PAD, -1, classes), grid)


def test_kinds_of_padding_are_one_answer():
    chances = torch.full((1, CLASSES, 4, 4), 1e-9)
    chances[:, 7] = 0.4
    chances[:, PAD : PAD + 3] = 0.2  # likelier together than the color, though none is alone
    assert (without_visual_tokens(chances.log()).argmax(1) == PAD).all()
