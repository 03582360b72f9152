"""LLaDA: a diffusion model over tokens, which fills in a masked target (COGITAO, appendices F.5 and G.4).

The sequence is the task, the input grid and the target grid. In training a random share of the target is masked; at
inference all of it is, and each of 32 steps keeps the answers that the model is surest of.

Left open by the paper, or said twice, and decided here:
* Every example draws a ratio from U[0.001, 1] and masks each cell with that probability; the cross-entropy of masked
  cells is divided by the ratio. Both as in LLaDA, where this bounds the likelihood; the floor is that of its code.
* Feed-forward: "384 (MLP ratio of 4)" contradicts itself at width 128. 384 with LLaDA's gated layers (SwiGLU) gives
  the 1.3 M parameters that the paper counts.
* Visual tokens: a table of the paper gives them to LLaDA, the text counts a vocabulary of 12 tokens, "padding and
  masking" among them: ten colors and these two. We follow the text.
* "Mitchell" weights "with a standard deviation of 0.02" contradict each other at width 128: Mitchell's deviation is
  one over the root of the number of inputs, 0.09, and less with depth for the outputs of blocks. We follow Mitchell.
* Outside of training, masks are the same at every call, so that losses of checkpoints can be compared.
* Demonstrations, if there are any, take the place of the code.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Context, cell_classes, rotary, truncated_normal

MASK = Grids.classes  # the token after colors and padding
LEAST_RATIO = 1e-3


class LLaDA(nn.Module):
    """A transformer over task, input and partly masked target, which answers for every cell of the target."""

    kinds = ("grid",)

    rotation: Tensor  # (2, n, d / h)

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 128,
        layers: int = 6,
        heads: int = 4,
        hidden: int = 384,
        theta: float = 500_000.0,
        steps: int = 32,
    ) -> None:
        super().__init__()
        self.side = task.side
        self.count = task.side**2  # cells of a grid
        self.steps = min(steps, self.count)
        self.cells = nn.Embedding(MASK + 1, width)
        self.context = Context(task, width)
        self.blocks = nn.ModuleList(
            Block(width, heads, feed_forward=SwiGLU(width, hidden), norm=nn.RMSNorm, bias=False) for _ in range(layers)
        )
        self.norm = nn.RMSNorm(width)
        self.head = nn.Linear(width, task.classes, bias=False)
        self.apply(truncated_normal)
        shrink_with_depth(self.blocks)
        places = torch.arange(len(self.context.places(self.count)) + 2 * self.count)
        self.register_buffer("rotation", rotary(places, width // heads, base=theta), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch by one denoising step of a fully masked target -> (b, classes, side, side) logits"""
        logits = self.logits(batch, self.masked(batch))  # (b, cells, classes)
        return logits.transpose(1, 2).reshape(len(logits), -1, self.side, self.side)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy of masked cells, divided by the ratio of masking."""
        target = cell_classes(batch["target_grid"]).flatten(1)  # (b, cells)
        mask, ratio = draw_mask(target, None if self.training else 0)  # (b, cells), (b, 1)
        logits = self.logits(batch, target.masked_fill(mask, MASK))  # (b, cells, classes)
        losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none") * mask  # (b, cells)
        per_cell = losses.sum() / mask.sum().clamp(min=1)
        return (losses / ratio).mean(), {"masked_cell": per_cell.detach()}

    @torch.no_grad()
    def predict(self, batch: Batch) -> Tensor:
        """Fill in the target -> (b, side, side) colors, -1 for padding: each step keeps the likeliest masked cells."""
        cells = self.masked(batch)
        for step in range(self.steps):
            chances, answers = self.logits(batch, cells).softmax(-1).max(-1)  # (b, cells) each
            chances = chances.masked_fill(cells != MASK, -1)  # what is kept stays
            keep = self.count * (step + 1) // self.steps - self.count * step // self.steps
            surest = chances.topk(keep).indices  # (b, keep)
            cells = cells.scatter(1, surest, answers.gather(1, surest))
        return torch.where(cells < Grids.colors, cells, -1).view_as(batch["input_grid"])

    def logits(self, batch: Batch, target: Tensor) -> Tensor:
        """Target tokens (b, cells) -> (b, cells, classes)."""
        context, inputs = self.context(batch, self.embed), self.embed(batch["input_grid"])
        tokens = torch.cat([context, inputs, self.cells(target)], dim=1)  # (b, n, d)
        for block in self.blocks:
            tokens = block(tokens, self.rotation)
        return self.head(self.norm(tokens[:, -self.count :]))  # type: ignore[no-any-return]

    def embed(self, grid: Tensor) -> Tensor:
        """Embed what cells hold, (b, side, side) -> (b, cells, d); only attention is told where a cell is"""
        return self.cells(cell_classes(grid).flatten(1))  # type: ignore[no-any-return]

    def masked(self, batch: Batch) -> Tensor:
        """A target of which nothing is known (b, cells)."""
        return torch.full_like(batch["input_grid"], MASK).flatten(1)


class SwiGLU(nn.Module):
    """A feed-forward part with a SiLU gate and without biases."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.out = nn.Linear(hidden, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Transform every token alone, (b, n, d) -> (b, n, d)"""
        return self.out(F.silu(self.gate(x)) * self.up(x))  # type: ignore[no-any-return]


def shrink_with_depth(blocks: nn.ModuleList) -> None:
    """Make the outputs of deeper blocks start smaller, so that their sum does not grow with depth (Mitchell)."""
    for depth, block in enumerate(blocks, start=1):
        for name, weight in block.named_parameters():
            if name.endswith(".out.weight"):
                weight.data /= (2 * depth) ** 0.5


def draw_mask(target: Tensor, seed: int | None) -> tuple[Tensor, Tensor]:
    """Which cells of (b, cells) to mask, and each example's ratio (b, 1); from torch's random state without a seed."""
    device = target.device
    generator = None if seed is None else torch.Generator(device).manual_seed(seed)
    ratio = LEAST_RATIO + (1 - LEAST_RATIO) * torch.rand(len(target), 1, device=device, generator=generator)
    return torch.rand(target.shape, device=device, generator=generator) < ratio, ratio
