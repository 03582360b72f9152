"""LLaDA: a diffusion model over tokens, which fills in a masked target (COGITAO, appendices F.5 and G.4).

The sequence is the task, the input grid and the target grid. In training a random share of the target is masked; at
inference all of it is, and each of 32 steps keeps the answers that the model is surest of.

As in the authors' code, the loss is the plain mean over masked cells (LLaDA's own divides it by the ratio of masking),
feed-forward layers are 384 wide and gated, there are no visual tokens, and weights start as Mitchell's: one over the
root of the number of inputs, less with depth for what blocks add. Rotary positions run over the whole sequence, so that
the order of the task code is seen. Outside of training, masks are the same at every call, so that losses of checkpoints
can be compared. Demonstrations, if there are any, take the place of the code.
"""

from __future__ import annotations

from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Context, cell_classes, cell_head, rotary

MASK = Grids.classes  # the token after colors and padding
LEAST_RATIO = 1e-3
EPSILON = 1e-5  # of normalisations


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
            Block(width, heads, feed_forward=SwiGLU(width, hidden), norm=partial(nn.RMSNorm, eps=EPSILON), bias=False)
            for _ in range(layers)
        )
        self.norm = nn.RMSNorm(width, eps=EPSILON)
        self.head = cell_head(width, task.classes)
        draw_cut_normal(self.cells.weight, width)
        for depth, block in enumerate(self.blocks, start=1):
            mitchell(block, depth)
        places = torch.arange(self.context.count(self.count) + 2 * self.count)
        self.register_buffer("rotation", rotary(places, width // heads, base=theta), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch by one denoising step of a fully masked target -> (b, classes, side, side) logits"""
        logits = self.logits(batch, self.masked(batch))  # (b, cells, classes)
        return logits.transpose(1, 2).reshape(len(logits), -1, self.side, self.side)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy of the masked cells of all examples, as a plain mean."""
        target = cell_classes(batch["target_grid"]).flatten(1)  # (b, cells)
        mask = draw_mask(target, None if self.training else 0)[0]  # (b, cells)
        logits = self.logits(batch, target.masked_fill(mask, MASK))  # (b, cells, classes)
        losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none") * mask  # (b, cells)
        return losses.sum() / mask.sum().clamp(min=1), {}

    @torch.no_grad()
    def predict(self, batch: Batch) -> Tensor:
        """Fill in the target -> (b, side, side) colors, -1 for padding: each step keeps the likeliest masked cells."""
        cells = self.masked(batch)
        for step in range(self.steps):
            chances, answers = self.logits(batch, cells).softmax(-1).max(-1)  # (b, cells) each
            chances = chances.masked_fill(cells != MASK, -1)  # what is kept stays
            keep = self.count // self.steps + (step < self.count % self.steps)
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
        """Return a target of which nothing is known (b, cells)."""
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


def mitchell(block: nn.Module, depth: int) -> None:
    """Draw the weights of a block; what deeper blocks add starts smaller, so that the sum does not grow with depth."""
    for name, weight in block.named_parameters():
        if weight.ndim == 2:
            shrunk = (2 * depth) if name.endswith(".out.weight") else 1
            draw_cut_normal(weight, shrunk * weight.shape[1])


def draw_cut_normal(weight: Tensor, inputs: int) -> None:
    """Draw weights from a normal distribution of one over the root of the number of inputs, cut at three times that."""
    deviation = inputs**-0.5
    nn.init.trunc_normal_(weight, std=deviation, a=-3 * deviation, b=3 * deviation)


def draw_mask(target: Tensor, seed: int | None) -> tuple[Tensor, Tensor]:
    """Which cells of (b, cells) to mask, and each example's ratio (b, 1); from torch's random state without a seed."""
    device = target.device
    generator = None if seed is None else torch.Generator(device).manual_seed(seed)
    ratio = LEAST_RATIO + (1 - LEAST_RATIO) * torch.rand(len(target), 1, device=device, generator=generator)
    return torch.rand(target.shape, device=device, generator=generator) < ratio, ratio
