"""Visual tokens: padding that says where the true grid ends (ViTARC, arXiv 2410.06405; COGITAO, appendix G).

COGITAO counts 15 classes with them and 11 without, and does not say which they are. We take ViTARC's four, in the
layout of its published code. They need one more row, in case a grid is as tall as the side, and two more columns:
the line right of a grid as wide as the side, and the newlines. A grid of 1 x 2 cells at side 3:

    5  6  |  .  ;      | RIGHT    a column next to the grid, from top to bottom
    _  _  +  _  ;      _ BOTTOM   a row below the grid, from left to right
    .  .  |  .  ;      + CORNER   where they cross
    .  .  |  .  ;      ; NEWLINE  ends every row        . PAD, plain padding

The paper calls a grid right when all of it is, visual tokens included. Our predictions are colors and padding, so a
cell answered with a wrong kind of padding is right here; what must be right is where the grid ends and every color.
Training asks for all tokens.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unseen.models import Grids
from unseen.models.layers import cell_classes

PAD, NEWLINE, RIGHT, BOTTOM, CORNER = range(Grids.colors, Grids.colors + 5)
CLASSES = Grids.colors + 5


def template(side: int) -> tuple[int, int]:
    """Rows and columns of a grid with visual tokens."""
    return side + 1, side + 2


def add_visual_tokens(grid: Tensor) -> Tensor:
    """Grids (b, side, side), padded with -1 -> classes (b, side + 1, side + 2).

    >>> add_visual_tokens(torch.tensor([[[5, -1], [6, -1]]]))
    tensor([[[ 5, 12, 10, 11],
             [ 6, 12, 10, 11],
             [13, 14, 13, 11]]])
    """
    lines = torch.arange(grid.shape[-1] + 1, device=grid.device)
    below = (lines == (grid[:, :, :1] >= 0).sum(1))[:, :, None]  # (b, side+1, 1): the row after the last one
    beside = (lines == (grid[:, :1] >= 0).sum(2))[:, None]  # (b, 1, side+1): the column after the last one
    cells = F.pad(cell_classes(grid), (0, 1, 0, 1), value=PAD)  # (b, side+1, side+1)
    cells = cells.masked_fill(below, BOTTOM).masked_fill(beside, RIGHT).masked_fill(below & beside, CORNER)
    return F.pad(cells, (0, 1), value=NEWLINE)


def without_visual_tokens(logits: Tensor) -> Tensor:
    """Logits with visual tokens (b, 15, side+1, side+2) -> with one class of padding (b, 11, side, side).

    Any kind of padding is padding: their probabilities are added. The lines that hold no cell are left out.
    """
    cells = logits[:, :, :-1, :-2]
    padding = cells[:, PAD:].logsumexp(dim=1, keepdim=True)  # (b, 1, side, side)
    return torch.cat([cells[:, :PAD], padding], dim=1)
