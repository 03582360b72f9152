"""Grid-TF: a transformer that is told about grids and objects (COGITAO, appendices F.3 and G.2; ViTARC).

Visual tokens, fixed 2-D positions of which half of the dims say which object a cell belongs to, a learned weighing of
content and position (PEMixer), rotary positions in attention, and registers.

Left open by the paper, and decided here:
* The visual tokens: see `visual_tokens.py`. Training asks for all of them; `forward` adds up the kinds of padding.
* Objects are 8-connected components of non-background cells, of any color, as in COGITAO's own metrics. They are
  numbered in reading order from 2: background is 0, and everything outside the true grid is one object, 1. (The paper
  finds objects after padding, so that padding has a number too.)
* PEMixer: content and position each have a vector of weights, which start at 1.
* Rotary positions are those of the flattened cells (one axis, as in RoFormer; the paper gives simplicity as its reason
  for them). "Positional encodings are not used for extra tokens": registers and code tokens are at place 0.
* The hidden size of the head is four times the width. Demonstrations, if there are any, take the place of the code.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Context, grid_sin_cos, learned, mlp, rotary, sin_cos, truncated_normal
from unseen.models.visual_tokens import CLASSES, add_visual_tokens, template, without_visual_tokens


class GridTF(nn.Module):
    """A transformer over registers, cells and task tokens in one sequence, with a head for every cell."""

    kinds = ("grid",)

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
        self.shape = template(task.side)
        count = self.shape[0] * self.shape[1]
        self.cells = nn.Embedding(CLASSES, width)
        self.mixer = PEMixer(width)
        self.registers = learned(registers, width)
        self.context = Context(task, width)
        self.blocks = nn.ModuleList(
            Block(width, heads, feed_forward=mlp(width, ratio * width, width), dropout=dropout) for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)
        self.head = mlp(width, ratio * width, CLASSES)
        self.apply(truncated_normal)
        places = torch.cat([torch.zeros(registers), torch.arange(count), self.context.places(count)])
        self.register_buffer("rotation", rotary(places, width // heads), persistent=False)
        self.register_buffer("positions", grid_sin_cos(*self.shape, width // 2), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits, all kinds of padding one class"""
        return without_visual_tokens(self.logits(batch))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy over the whole padded grid, visual tokens included."""
        return self.loss_and_output(batch)[0], {}

    def loss_and_output(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """What `loss` and `forward` give, from one pass."""
        logits = self.logits(batch)
        return F.cross_entropy(logits, add_visual_tokens(batch["target_grid"])), without_visual_tokens(logits)

    def logits(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, 15, rows, columns) logits, visual tokens included"""
        cells = self.embed(batch["input_grid"])  # (b, cells, d)
        registers = self.registers.expand(len(cells), -1, -1)  # (b, registers, d)
        tokens = torch.cat([registers, cells, self.context(batch, self.embed)], dim=1)  # (b, n, d)
        for block in self.blocks:
            tokens = block(tokens, self.rotation)
        tokens = tokens[:, registers.shape[1] :][:, : cells.shape[1]]  # (b, cells, d): extra tokens are dropped
        return self.head(self.norm(tokens)).transpose(1, 2).unflatten(2, self.shape)  # type: ignore[no-any-return]

    def embed(self, grid: Tensor) -> Tensor:
        """Embed what a cell holds, where it is, and which object it belongs to: (b, side, side) -> (b, cells, d)"""
        content = self.cells(add_visual_tokens(grid).flatten(1))  # (b, cells, d)
        numbers = F.pad(object_numbers(grid), (0, 2, 0, 1), value=OUTSIDE).flatten(1)  # (b, cells)
        objects = sin_cos(numbers, content.shape[-1] // 2)  # (b, cells, d/2)
        places = self.positions.expand(len(grid), -1, -1)  # (b, cells, d/2)
        return self.mixer(content, torch.cat([objects, places], dim=-1))  # type: ignore[no-any-return]


class PEMixer(nn.Module):
    """A sum of content and position in which every dimension of either has a weight."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.content = nn.Parameter(torch.ones(width))
        self.position = nn.Parameter(torch.ones(width))

    def forward(self, content: Tensor, position: Tensor) -> Tensor:
        """Weigh content and position, both (b, cells, d) -> (b, cells, d)"""
        return self.content * content + self.position * position


BACKGROUND, OUTSIDE, FIRST_OBJECT = range(3)


def object_numbers(grid: Tensor) -> Tensor:
    """Which object the cells of (b, side, side) belong to: 0 background, 1 padding, then objects in reading order.

    >>> object_numbers(torch.tensor([[[0, 4, -1], [3, 0, -1], [0, 0, -1]]]))
    tensor([[[0, 2, 1],
             [2, 0, 1],
             [0, 0, 1]]])
    """
    first = first_cells(grid > 0).flatten(1)  # (b, cells): the first cell of the object that a cell belongs to
    own = torch.arange(first.shape[1], device=grid.device)
    ranks = (first == own).cumsum(1) - 1  # (b, cells): objects that began so far
    numbers = ranks.gather(1, first.clamp(min=0)).view_as(grid) + FIRST_OBJECT
    return torch.where(grid > 0, numbers, torch.where(grid < 0, OUTSIDE, BACKGROUND))


def first_cells(member: Tensor) -> Tensor:
    """The first cell, in reading order, of every cell's 8-connected component; -1 for cells that are no members.

    Components grow a cell per round: each takes the earliest cell that a neighbor knows, until none learns anything.
    """
    side = member.shape[-1]
    cells = side * side
    # counted from the end, so that the earliest is the largest and max-pooling finds it; 0 is nothing
    start = torch.arange(cells, 0, -1, device=member.device, dtype=torch.float32).view(side, side)
    known = start * member  # (b, side, side)
    while True:
        learnt = F.max_pool2d(known, kernel_size=3, stride=1, padding=1) * member
        if torch.equal(learnt, known):
            return torch.where(member, cells - known.long(), -1)
        known = learnt
