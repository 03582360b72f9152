"""Grid-TF's objects, against a plain flood fill."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models.grid_tf import PEMixer, object_numbers  # noqa: E402


def flooded(grid):
    """The numbers of objects by a flood fill, cell by cell."""
    side = len(grid)
    numbers = [[1 if cell < 0 else 0 for cell in row] for row in grid]
    found = 1
    for row in range(side):
        for column in range(side):
            if grid[row][column] <= 0 or numbers[row][column]:
                continue
            found += 1
            todo = [(row, column)]
            while todo:
                y, x = todo.pop()
                if 0 <= y < side and 0 <= x < side and grid[y][x] > 0 and not numbers[y][x]:
                    numbers[y][x] = found
                    todo += [(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    return numbers


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_objects_are_those_of_a_flood_fill(share):
    random = torch.Generator().manual_seed(0)
    grids = torch.randint(1, 10, (40, 9, 9), generator=random)
    grids *= torch.rand(grids.shape, generator=random) < share
    grids[::3, 6:] = -1
    grids[::2, :, 7:] = -1
    assert object_numbers(grids).tolist() == [flooded(grid) for grid in grids.tolist()]


def test_a_winding_object_is_one():
    snake = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
    assert set(object_numbers(snake[None])[snake[None] > 0].tolist()) == {2}


def test_the_mixer_starts_as_a_sum():
    content, position = torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[10.0, 20.0]]])
    mixer = PEMixer(2)
    assert mixer(content, position).tolist() == [[[11.0, 22.0]]]
    mixer.position.data = torch.tensor([0.0, 0.5])
    assert mixer(content, position).tolist() == [[[1.0, 12.0]]]
