"""The boxes of regions of one value on grids, of which `object_boxes.py` says what they are for."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

VALUES = 16  # at most, of cells


@kernel
def number_boxes(grids):
    """(n, side, side) values -> the number of the box that each cell is in."""
    count, height, width = grids.shape
    numbers = np.zeros((count, height, width), np.int64)
    outside = np.empty((height, width), np.bool_)
    met = np.empty((height, width), np.bool_)
    stack = np.empty((height * width, 2), np.int64)
    boxes = np.empty((height * width, 4), np.int64)
    for i in range(count):
        frequent = most_frequent(grids[i])
        last = 0
        for value in range(VALUES):
            if value != frequent and flood_outside(grids[i], value, outside, stack):
                found = find_boxes(grids[i], value, outside, met, stack, boxes)
                for k in range(found - 1, -1, -1):
                    last += 1
                    numbers[i, boxes[k, 0] : boxes[k, 1] + 1, boxes[k, 2] : boxes[k, 3] + 1] = last
    return numbers


@kernel
def most_frequent(grid):
    """The value of most cells, the lowest where there are several."""
    counts = np.zeros(VALUES, np.int64)
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            counts[grid[row, column]] += 1
    return np.argmax(counts)


@kernel
def flood_outside(grid, value, outside, stack):
    """Mark the cells that are reached from the edge over sides without a cell of the value; whether it has any."""
    height, width = grid.shape
    depth, members = 0, 0
    for row in range(height):
        for column in range(width):
            edge = row == 0 or column == 0 or row == height - 1 or column == width - 1
            member = grid[row, column] == value
            members += member
            outside[row, column] = edge and not member
            if outside[row, column]:
                stack[depth, 0], stack[depth, 1] = row, column
                depth += 1
    if not members:
        return False
    while depth:
        depth -= 1
        row, column = stack[depth, 0], stack[depth, 1]
        for step in range(4):
            y = row + (step == 0) - (step == 1)
            x = column + (step == 2) - (step == 3)
            if 0 <= y < height and 0 <= x < width and not outside[y, x] and grid[y, x] != value:
                outside[y, x] = True
                stack[depth, 0], stack[depth, 1] = y, x
                depth += 1
    return True


@kernel
def find_boxes(grid, value, outside, met, stack, boxes):
    """Write the boxes (first and last row, first and last column) of regions that touch the outside; how many."""
    height, width = grid.shape
    met[:] = False
    found = 0
    for start_row in range(height):
        for start_column in range(width):
            if grid[start_row, start_column] != value or met[start_row, start_column]:
                continue
            met[start_row, start_column] = True
            stack[0, 0], stack[0, 1] = start_row, start_column
            depth = 1
            top, bottom, left, right = height, -1, width, -1
            outermost = False
            while depth:
                depth -= 1
                row, column = stack[depth, 0], stack[depth, 1]
                top, bottom = min(top, row), max(bottom, row)
                left, right = min(left, column), max(right, column)
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        y, x = row + dy, column + dx
                        if not (0 <= y < height and 0 <= x < width):
                            outermost = True
                        elif grid[y, x] == value:
                            if not met[y, x]:
                                met[y, x] = True
                                stack[depth, 0], stack[depth, 1] = y, x
                                depth += 1
                        elif outside[y, x] and (dy == 0 or dx == 0):
                            outermost = True
            if outermost:
                boxes[found, 0], boxes[found, 1], boxes[found, 2], boxes[found, 3] = top, bottom, left, right
                found += 1
    return found
