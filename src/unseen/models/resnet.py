"""ResNet without down-sampling (COGITAO, appendices F.1 and G.1).

Left open by the paper, and decided here:
* Blocks are the two-convolution blocks of He et al., the first convolution changing the channels, with a 1x1
  projection on the shortcut where they change. That makes the paper's 1.2 M parameters 1.37 M; one convolution per
  block would make 0.5 M.
* The head: two layers, hidden as wide as the embedding, which is the smaller of the usual choices.
* The task code. The paper appends it to the flattened cells after the encoder and leaves it to the head to use it. A
  head that reads cells one by one cannot see tokens beside them, so every cell gets the code as further channels. Its
  tokens are concatenated, not added, because the order of transformations matters.
* Demonstrations, if there are any, take the place of the code and are channels of the input.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, cell_classes, mlp, truncated_normal

STEM = 32
BLOCKS = (
    # channels in, out, kernel
    (32, 64, 3),
    (64, 128, 3),
    (128, 128, 1),
    (128, 256, 3),
    (256, 128, 1),
)


class ResNet(nn.Module):
    """A network of convolutions that keep the grid's size, with a head for every cell."""

    kinds = ("grid",)

    def __init__(self, task: Grids, *, width: int = 128, code_width: int = 32) -> None:
        super().__init__()
        self.classes = task.classes
        self.demonstrations = task.demonstrations
        self.code_length = 0 if task.demonstrations else task.code_length
        if self.code_length:
            self.code = nn.Embedding(task.tokens, code_width)
        self.encoder = nn.Sequential(
            convolution(task.classes * (1 + 2 * task.demonstrations), STEM, kernel=1),
            nn.ReLU(),
            *(ResidualBlock(channels, out, kernel=kernel) for channels, out, kernel in BLOCKS),
            nn.Conv2d(BLOCKS[-1][1], width, kernel_size=1),
        )
        self.head = mlp(width + self.code_length * code_width, width, task.classes)
        self.apply(truncated_normal)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits"""
        cells = self.encoder(self.channels(batch))  # (b, width, side, side)
        cells = cells.permute(0, 2, 3, 1)  # (b, side, side, width)
        if self.code_length:
            code = self.code(batch["input_code"]).flatten(1)  # (b, length * code_width)
            code = code[:, None, None].expand(*cells.shape[:3], -1)  # (b, side, side, length * code_width)
            cells = torch.cat([cells, code], dim=-1)
        return self.head(cells).permute(0, 3, 1, 2)  # type: ignore[no-any-return]

    def channels(self, batch: Batch) -> Tensor:
        """Encode the input grid, and demonstrations behind it, one-hot -> (b, classes * grids, side, side)."""
        grids = batch["input_grid"][:, None]  # (b, 1, side, side)
        if self.demonstrations:
            pairs = [batch["input_demonstration_inputs"], batch["input_demonstration_targets"]]
            grids = torch.cat([grids, *pairs], dim=1)  # (b, 1 + 2k, side, side)
        one_hot = F.one_hot(cell_classes(grids), self.classes)  # (b, grids, side, side, classes)
        return one_hot.permute(0, 1, 4, 2, 3).flatten(1, 2).to(next(self.parameters()).dtype)


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
    return nn.Sequential(
        nn.Conv2d(channels, out, kernel_size=kernel, padding=kernel // 2, bias=False), nn.BatchNorm2d(out)
    )
