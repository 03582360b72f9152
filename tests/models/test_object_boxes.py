"""Objects as boxes, against their plain meaning: regions by flood fill, and OpenCV where it is installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models.object_boxes import object_numbers  # noqa: E402
from unseen.models.visual_tokens import add_visual_tokens  # noqa: E402


def region(members, start, steps):
    """All cells that are reached from one."""
    found, todo = set(), [start]
    while todo:
        cell = todo.pop()
        if cell in members and cell not in found:
            found.add(cell)
            todo += [(cell[0] + dy, cell[1] + dx) for dy, dx in steps]
    return found


SIDES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
AROUND = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]


def boxed(grid):
    """The numbers of boxes by their plain meaning."""
    side = len(grid)
    cells = {(row, column): grid[row][column] for row in range(side) for column in range(side)}
    values = list(cells.values())
    background = max(sorted(set(values)), key=values.count)
    frame = {(row, column) for row in range(-1, side + 1) for column in range(-1, side + 1)}
    numbers, last = [[0] * side for _ in range(side)], 0
    for value in sorted(set(values) - {background}):
        members = {cell for cell, held in cells.items() if held == value}
        outside = region(frame - members, (-1, -1), SIDES)
        regions = []
        for cell in sorted(members):
            if not any(cell in one for one in regions):
                regions.append(region(members, cell, AROUND))
        outermost = [one for one in regions if any((y + dy, x + dx) in outside for y, x in one for dy, dx in SIDES)]
        for one in reversed(outermost):
            last += 1
            rows, columns = {y for y, _ in one}, {x for _, x in one}
            for y in range(min(rows), max(rows) + 1):
                for x in range(min(columns), max(columns) + 1):
                    numbers[y][x] = last
    return numbers


def random_grids(share):
    random = torch.Generator().manual_seed(0)
    grids = torch.randint(1, 4, (30, 9, 9), generator=random)
    grids *= torch.rand(grids.shape, generator=random) < share
    grids[::3, 6:] = -1
    grids[::2, :, 7:] = -1
    return add_visual_tokens(grids)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_boxes_are_those_of_their_plain_meaning(share):
    grids = random_grids(share)
    assert object_numbers(grids).tolist() == [boxed(grid) for grid in grids.tolist()]


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_boxes_are_those_of_opencv(share):
    cv2 = pytest.importorskip("cv2", reason="OpenCV, which the authors' code uses, is not installed")
    for grid, ours in zip(random_grids(share).numpy(), object_numbers(random_grids(share)).tolist(), strict=True):
        values = sorted(set(grid.flatten().tolist()))
        background = max(values, key=lambda value: int((grid == value).sum()))
        numbers, last = grid * 0, 0
        for value in values:
            if value != background:
                mask = (grid == value).astype("uint8")
                for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
                    x, y, width, height = cv2.boundingRect(contour)
                    last += 1
                    numbers[y : y + height, x : x + width] = last
        assert ours == numbers.tolist()


def test_a_hole_belongs_to_its_object():
    ring = torch.zeros(1, 5, 5, dtype=torch.int64)
    ring[:, 1:4, 1:4] = 3
    ring[:, 2, 2] = 0
    assert object_numbers(ring)[0, 2, 2] == 1


def test_what_lies_in_the_hole_of_its_own_color_is_no_object():
    grid = torch.zeros(1, 9, 9, dtype=torch.int64)
    grid[:, 1:8, 1:8] = 3
    grid[:, 2:7, 2:7] = 0
    grid[:, 4, 4] = 3
    assert object_numbers(grid).unique().tolist() == [0, 1]


def test_padding_around_a_small_grid_hides_its_objects():
    grid = torch.full((1, 9, 9), -1)
    grid[:, :8, :8] = 0
    grid[:, 2, 2] = 5
    assert object_numbers(add_visual_tokens(grid))[0, 2, 2] == object_numbers(add_visual_tokens(grid))[0, 3, 3] != 0
