"""Which object a cell belongs to, as Grid-TF is told: by the boxes of regions of one value.

The authors' code finds objects with OpenCV on the grid with visual tokens. The value of most cells is the background.
Of every other value in turn, lowest first, the 8-connected regions are found, from the last in reading order to the
first; one that lies in a hole of another region of its value is left out. The whole bounding box of a region gets the
next number, over what is there. So holes belong to their object, an object of several colors is several, and lines of
visual tokens are objects too. Plain padding to the right of a grid and below it is one region with a box around
everything: on grids smaller than the square, its number hides those of the objects.
"""

from __future__ import annotations

import torch
from torch import Tensor

from unseen.models.kernels import number_boxes


def object_numbers(cells: Tensor) -> Tensor:
    """Numbers of objects from 1, and 0 for what is in no box: (b, side, side) values -> (b, side, side).

    >>> object_numbers(torch.tensor([[[0, 4, 4, 0], [0, 4, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0]]]))
    tensor([[[0, 2, 2, 0],
             [0, 2, 2, 0],
             [1, 0, 0, 0],
             [0, 0, 0, 0]]])
    """
    return torch.from_numpy(number_boxes(cells.cpu().numpy())).to(cells.device)
