"""Vanilla-TF: a Vision Transformer whose patches are single cells (COGITAO, appendices F.2 and G.2).

As in the authors' code, learned positions of cells start as large as what cells hold, dropout is that of Grid-TF, and
tokens of the task code have no position: `vanilla-tf` sees which transformations there are, and not in which order.
`vanilla-tf-mended` is told the order. Demonstrations, if there are any, take the place of the code and share the
positions of the input's cells.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Cells, Context, cell_classes, cell_head, mlp, small_normal


class VanillaTF(nn.Module):
    """A transformer over cells and task tokens with learned positions, and a head for every cell."""

    kinds = ("grid",)
    ordered = False  # whether it is told the order of the task code

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 128,
        layers: int = 6,
        heads: int = 4,
        ratio: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.side = task.side
        self.cells = Cells(task.classes, width, unused=task.tokens if task.code_length else 0)
        self.positions = nn.Parameter(torch.randn(task.side**2, width))
        self.context = Context(task, width, ordered=self.ordered)
        self.blocks = nn.ModuleList(
            Block(
                width,
                heads,
                feed_forward=mlp(width, ratio * width, width, dropout=dropout),
                attention_dropout=dropout,
            )
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = cell_head(width, task.classes)
        self.blocks.apply(small_normal)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits"""
        cells = self.embed(batch["input_grid"])  # (b, cells, d)
        tokens = torch.cat([cells, self.context(batch, self.embed)], dim=1)  # (b, n, d)
        for block in self.blocks:
            tokens = block(tokens)
        logits = self.head(self.norm(tokens[:, : self.side**2]))  # (b, cells, classes): task tokens are dropped
        return logits.transpose(1, 2).unflatten(2, (self.side, self.side))  # type: ignore[no-any-return]

    def embed(self, grid: Tensor) -> Tensor:
        """Embed the cells of grids, (b, side, side) -> (b, cells, d)"""
        return self.cells(cell_classes(grid).flatten(1)) + self.positions  # type: ignore[no-any-return]


class MendedVanillaTF(VanillaTF):
    """Vanilla-TF that is told the order of the task code."""

    ordered = True
