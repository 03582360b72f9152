"""Grid-TF: a transformer that is told about grids and objects (COGITAO, appendices F.3 and G.2; ViTARC).

Visual tokens, fixed 2-D positions of which half of the dims say which object a cell belongs to, a learned weighing of
content and position (PEMixer), rotary positions along both axes in attention, and registers. All of it follows the
authors' code: objects are boxes (`object_boxes.py`), content and position are brought to unit length before they are
weighed, and registers go through the same mixer, at no position.

Tokens of the task code have no position: `grid-tf` sees which transformations there are, and not in which order.
`grid-tf-mended` is told the order. Demonstrations, if there are any, take the place of the code. Training asks for all
visual tokens; `forward` adds up the kinds of padding.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import (
    Batch,
    Block,
    Cells,
    Context,
    cell_head,
    grid_rotary,
    grid_sin_cos,
    learned,
    mlp,
    sin_cos,
    small_normal,
    unturned,
)
from unseen.models.object_boxes import object_numbers
from unseen.models.visual_tokens import CLASSES, FURTHER, add_visual_tokens, without_visual_tokens


class GridTF(nn.Module):
    """A transformer over registers, cells and task tokens in one sequence, with a head for every cell."""

    kinds = ("grid",)
    ordered = False  # whether it is told the order of the task code

    rotation: Tensor  # (2, n, d / h)
    positions: Tensor  # (cells, d / 2)

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 128,
        layers: int = 6,
        heads: int = 4,
        ratio: int = 4,
        registers: int = 6,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.side = task.side + FURTHER
        self.cells = Cells(CLASSES, width, unused=task.tokens if task.code_length else 0)
        self.mixer = PEMixer(width)
        self.registers = learned(registers, width)
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
        self.head = cell_head(width, CLASSES)
        self.blocks.apply(small_normal)
        turns = grid_rotary(self.side, width // heads)
        rotation = torch.cat([unturned(registers, width // heads), turns, self.context.rotation(turns)], dim=1)
        self.register_buffer("rotation", rotation, persistent=False)
        self.register_buffer("positions", grid_sin_cos(self.side, self.side, width // 2), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits, all kinds of padding one class"""
        return without_visual_tokens(self.logits(batch))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy over the whole padded grid, visual tokens included."""
        return self.loss_and_output(batch)[:2]

    def loss_and_output(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor], Tensor]:
        """Return what `loss` and `forward` give, from one pass."""
        logits = self.logits(batch)
        return F.cross_entropy(logits, add_visual_tokens(batch["target_grid"])), {}, without_visual_tokens(logits)

    def logits(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, 15, side, side) logits, visual tokens included"""
        cells = self.embed(batch["input_grid"])  # (b, cells, d)
        registers = self.mixer(self.registers).expand(len(cells), -1, -1)  # (b, registers, d)
        tokens = torch.cat([registers, cells, self.context(batch, self.embed)], dim=1)  # (b, n, d)
        for block in self.blocks:
            tokens = block(tokens, self.rotation)
        tokens = tokens[:, registers.shape[1] :][:, : cells.shape[1]]  # (b, cells, d): extra tokens are dropped
        logits = self.head(self.norm(tokens))  # (b, cells, 15)
        return logits.transpose(1, 2).unflatten(2, (self.side, self.side))  # type: ignore[no-any-return]

    def embed(self, grid: Tensor) -> Tensor:
        """Embed what a cell holds, where it is, and which object it belongs to: (b, side, side) -> (b, cells, d)"""
        marked = add_visual_tokens(grid)  # (b, side+2, side+2)
        content = self.cells(marked.flatten(1))  # (b, cells, d)
        objects = sin_cos(object_numbers(marked).flatten(1), content.shape[-1] // 2)  # (b, cells, d/2)
        places = self.positions.expand(len(grid), -1, -1)  # (b, cells, d/2)
        return self.mixer(content, torch.cat([objects, places], dim=-1))  # type: ignore[no-any-return]


class MendedGridTF(GridTF):
    """Grid-TF that is told the order of the task code."""

    ordered = True


class PEMixer(nn.Module):
    """A sum of content and position, both of unit length, in which every dimension of either has a weight."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.content = nn.Parameter(torch.ones(width))
        self.position = nn.Parameter(torch.ones(width))

    def forward(self, content: Tensor, position: Tensor | None = None) -> Tensor:
        """Weigh content and position, both (..., d) -> (..., d); what has no position is weighed alone"""
        weighed = self.content * F.normalize(content, dim=-1)
        return weighed if position is None else weighed + self.position * F.normalize(position, dim=-1)
