"""Visual tokens: padding that says where the true grid ends (ViTARC, arXiv 2410.06405; COGITAO, appendix G).

Four tokens beside the ten colors and plain padding, in the layout of the authors' code: a square with two more rows and
columns than the largest grid. A grid of 1 x 2 cells at side 3:

    5  6  |  .  ;      | RIGHT    next to the grid
    _  _  +  .  ;      _ BOTTOM   below the grid
    .  .  .  .  ;      + CORNER   where they meet
    .  .  .  .  ;      ; NEWLINE  ends every row
    .  .  .  .  ;      . PAD      plain padding

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

PAD, RIGHT, BOTTOM, CORNER, NEWLINE = range(Grids.colors, Grids.colors + 5)
CLASSES = Grids.colors + 5
FURTHER = 2  # rows and columns


def add_visual_tokens(grid: Tensor) -> Tensor:
    """Grids (b, side, side), padded with -1 -> classes (b, side + 2, side + 2).

    >>> add_visual_tokens(torch.tensor([[[5, -1], [6, -1]]]))
    tensor([[[ 5, 11, 10, 14],
             [ 6, 11, 10, 14],
             [12, 13, 10, 14],
             [10, 10, 10, 14]]])
    """
    lines = torch.arange(grid.shape[-1] + FURTHER, device=grid.device)
    height = (grid[:, :, :1] >= 0).sum(1)[:, :, None]  # (b, 1, 1)
    width = (grid[:, :1] >= 0).sum(2)[:, :, None]  # (b, 1, 1)
    rows, columns = lines[:, None], lines[None]
    cells = F.pad(cell_classes(grid), (0, FURTHER, 0, FURTHER), value=PAD)  # (b, side+2, side+2)
    cells = cells.masked_fill((columns == width) & (rows < height), RIGHT)
    cells = cells.masked_fill((rows == height) & (columns < width), BOTTOM)
    cells = cells.masked_fill((rows == height) & (columns == width), CORNER)
    return cells.masked_fill(columns == lines[-1], NEWLINE)


def without_visual_tokens(logits: Tensor) -> Tensor:
    """Logits with visual tokens (b, 15, side+2, side+2) -> with one class of padding (b, 11, side, side).

    Any kind of padding is padding: their probabilities are added. The lines that hold no cell are left out.
    """
    cells = logits[:, :, :-FURTHER, :-FURTHER]
    padding = cells[:, PAD:].logsumexp(dim=1, keepdim=True)  # (b, 1, side, side)
    return torch.cat([cells[:, :PAD], padding], dim=1)
