"""Vanilla-TF: a Vision Transformer whose patches are single cells (COGITAO, appendices F.2 and G.2).

Left open by the paper, and decided here: the hidden size of the two-layer head is four times the width, like that of
the feed-forward layers; with it all three transformers of the paper have the size it states. Code tokens have learned
positions of their own. Demonstrations, if there are any, take the place of the code and share the positions of the
input's cells.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Context, cell_classes, learned, mlp, truncated_normal


class VanillaTF(nn.Module):
    """A transformer over cells and task tokens with learned positions, and a head for every cell."""

    kinds = ("grid",)

    def __init__(self, task: Grids, *, width: int = 128, layers: int = 6, heads: int = 4, ratio: int = 4) -> None:
        super().__init__()
        self.side = task.side
        self.cells = nn.Embedding(task.classes, width)
        self.positions = learned(task.side**2, width)
        self.context = Context(task, width)
        self.blocks = nn.ModuleList(
            Block(width, heads, feed_forward=mlp(width, ratio * width, width)) for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = mlp(width, ratio * width, task.classes)
        self.apply(truncated_normal)

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
