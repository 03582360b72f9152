"""ResNet without down-sampling (COGITAO, appendices F.1 and G.1), as its authors' code has it.

Five blocks of two convolutions each, PyTorch's own initial weights, and a head that reads every cell alone.

The published network appends the task code to the cells behind the encoder. Its head reads tokens one by one, so that
no cell ever sees the code: it does not know what to do where there are several tasks. `resnet` is like that, and has no
code. `resnet-mended` gives every cell the code as further channels, token after token, because their order matters.
`task-resnet` is what the authors made later: a larger network whose cells are given the mean of the code's tokens,
which does not tell their order.

Demonstrations, if there are any, take the place of the code and are channels of the input. The paper has none here.
"""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.cell_losses import chosen, loss_of_grids, with_size_of
from unseen.models.layers import Batch, cell_classes, cell_head

BLOCKS = (
    # channels in, channels out, as multiples of those of the stem; kernel
    (1, 2, 3),
    (2, 4, 3),
    (4, 4, 1),
    (4, 8, 3),
    (8, 4, 1),
)


class ResNet(nn.Module):
    """A network of convolutions that keep the grid's size, with a head for every cell; blind to the task code."""

    kinds = ("grid",)
    reads: Literal["nothing", "tokens", "mean"] = "nothing"  # what cells are told of the task code

    def __init__(self, task: Grids, *, width: int = 128, channels: int = 32) -> None:
        super().__init__()
        self.classes = task.classes
        self.demonstrations = task.demonstrations
        self.encoder = nn.Sequential(
            convolution(task.classes * (1 + 2 * task.demonstrations), channels, kernel=1),
            nn.ReLU(),
            *(ResidualBlock(channels * read, channels * out, kernel=kernel) for read, out, kernel in BLOCKS),
            nn.Conv2d(channels * BLOCKS[-1][1], width, kernel_size=1),
        )
        self.told = self.reads != "nothing" and task.code_length > 0 and not task.demonstrations
        if self.told:
            self.code = nn.Embedding(task.tokens, width)
            tokens = task.code_length if self.reads == "tokens" else 1
            self.join = nn.Linear((1 + tokens) * width, width)
        self.head = cell_head(width, task.classes)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits"""
        cells = self.encoder(self.channels(batch))  # (b, width, side, side)
        cells = cells.permute(0, 2, 3, 1)  # (b, side, side, width)
        if self.told:
            code = self.code(batch["input_code"])  # (b, length, width)
            code = code.flatten(1) if self.reads == "tokens" else code.mean(1)
            code = code[:, None, None].expand(*cells.shape[:3], -1)
            cells = self.join(torch.cat([cells, code], dim=-1))  # (b, side, side, width)
        return self.head(cells).permute(0, 3, 1, 2)  # type: ignore[no-any-return]

    def channels(self, batch: Batch) -> Tensor:
        """Encode the input grid, and demonstrations behind it, one-hot -> (b, classes * grids, side, side)."""
        grids = batch["input_grid"][:, None]  # (b, 1, side, side)
        if self.demonstrations:
            pairs = [batch["input_demonstration_inputs"], batch["input_demonstration_targets"]]
            grids = torch.cat([grids, *pairs], dim=1)  # (b, 1 + 2k, side, side)
        one_hot = F.one_hot(cell_classes(grids), self.classes)  # (b, grids, side, side, classes)
        return one_hot.permute(0, 1, 4, 2, 3).flatten(1, 2).to(next(self.parameters()).dtype)


class MendedResNet(ResNet):
    """The network of the paper with cells that are told the task code, in its order."""

    reads = "tokens"


class TaskResNet(ResNet):
    """The larger network of the authors' second repository, whose cells are told the mean of the code's tokens."""

    reads = "mean"

    def __init__(self, task: Grids, *, width: int = 256, channels: int = 64, loss: str = "cross-entropy") -> None:
        super().__init__(task, width=width, channels=channels)
        self.judged_by = chosen(loss)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits; a grid keeps its size"""
        return with_size_of(batch["input_grid"], super().forward(batch))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the mean over grids of a loss that leaves padding out and weighs colored cells more."""
        return loss_of_grids(super().forward(batch).float(), batch["target_grid"], kind=self.judged_by).mean(), {}


class ResidualBlock(nn.Module):
    """Two convolutions, added to what they read."""

    def __init__(self, channels: int, out: int, *, kernel: int) -> None:
        super().__init__()
        self.first = convolution(channels, out, kernel=kernel)
        self.second = convolution(out, out, kernel=kernel)
        self.shortcut = nn.Identity() if channels == out else convolution(channels, out, kernel=1)

    def forward(self, x: Tensor) -> Tensor:
        """Add two convolutions to the input, (b, channels, side, side) -> (b, out, side, side)"""
        return F.relu(self.second(F.relu(self.first(x))) + self.shortcut(x))


def convolution(channels: int, out: int, *, kernel: int) -> nn.Sequential:
    """Make a convolution that keeps the size, with batch normalisation."""
    return nn.Sequential(nn.Conv2d(channels, out, kernel_size=kernel, padding=kernel // 2), nn.BatchNorm2d(out))
