"""Losses over the cells of a grid, as the authors of COGITAO tried them in their second repository.

All leave padding out and weigh colored cells ten times as much as background, since most cells are background.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unseen.core.errors import unknown
from unseen.models import Grids
from unseen.models.layers import cell_classes

COLORED = 10.0  # weight of a cell that is no background
FOCUS = 2.0  # how much less cells count that are nearly right


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Minus the logarithm of the probability of the right class, of every cell."""
    return F.cross_entropy(logits, target, reduction="none")


def focal(logits: Tensor, target: Tensor) -> Tensor:
    """Weighted cross-entropy that counts the less, the likelier the right class is."""
    losses = weights_of(target) * cross_entropy(logits, target)
    return (1 - (-losses).exp()) ** FOCUS * losses / weights_of(target)  # weighted once, by `loss_of_grids`


def stablemax(logits: Tensor, target: Tensor) -> Tensor:
    """Cross-entropy with a function that grows linearly in the place of the exponential (arXiv 2501.04697)."""
    grown = torch.where(logits >= 0, logits + 1, 1 / (1 - logits.clamp(max=0)))
    return grown.sum(1).log() - grown.gather(1, target[:, None]).squeeze(1).log()


def chosen(kind: str) -> str:
    """Return the name of a loss, if it is one."""
    if kind not in CELL_LOSSES:
        raise unknown("loss", kind, CELL_LOSSES)
    return kind


CELL_LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "cross-entropy": cross_entropy,
    "focal": focal,
    "stablemax": stablemax,
}


def weights_of(target: Tensor) -> Tensor:
    """Return the weight of every cell's class.

    >>> weights_of(torch.tensor([0, 3, 10]))
    tensor([ 1., 10., 10.])
    """
    return torch.where(target == 0, 1.0, COLORED)


def loss_of_grids(logits: Tensor, grid: Tensor, *, kind: str) -> Tensor:
    """Return the loss of each grid (b): a weighted sum over its cells, padding left out, divided by their number."""
    target = cell_classes(grid)
    inside = target != Grids.colors
    losses = weights_of(target) * CELL_LOSSES[kind](logits, target) * inside
    return losses.flatten(1).sum(1) / inside.flatten(1).sum(1)


def with_size_of(grid: Tensor, logits: Tensor) -> Tensor:
    """Logits whose answer is padding where the grid has some, and nowhere else: no loss here teaches padding."""
    outside = (grid < 0)[:, None]
    colors = logits[:, : Grids.colors].masked_fill(outside, -1e4)
    return torch.cat([colors, torch.where(outside, 1e4, -1e4).to(logits.dtype)], dim=1)
