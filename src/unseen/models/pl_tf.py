"""PL-TF: one transformer block, looped for as long as it ponders (COGITAO, appendices F.4 and G.3; PonderNet).

After every pass a small network reads the mean token and gives the probability of halting now. Training weighs the
losses of all passes by the probability of halting there, and keeps that distribution close to a geometric one.

Left open by the paper, and decided here:
* The weight of the regularisation, illegible in the paper: 0.01, as in PonderNet.
* The largest number of passes, "relatively low" and "not too far off" the layers of the others: 6, their number. With
  a mean of 1 / 0.05 = 20 passes the prior is cut there and normalised, which leaves it almost flat.
* At inference an example halts, without chance, once the probability of having halted exceeds 1 - epsilon; its tokens
  stay as they are while others go on.
* The hidden size of feed-forward and head: four times the width. Input tokens are not added again in later passes.
* Rotary positions and visual tokens as in Grid-TF; no registers. The 2-D positions are added without weights.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Context, grid_sin_cos, mlp, rotary, truncated_normal
from unseen.models.visual_tokens import CLASSES, add_visual_tokens, template, without_visual_tokens


class PLTF(nn.Module):
    """A transformer block that cells and task tokens pass through again and again."""

    kinds = ("grid",)

    rotation: Tensor  # (2, n, d / h)
    positions: Tensor  # (cells, d)
    prior: Tensor  # (steps)

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 256,
        heads: int = 8,
        ratio: int = 4,
        dropout: float = 0.1,
        steps: int = 6,
        halting_width: int = 128,
        epsilon: float = 0.01,
        prior: float = 0.05,
        beta: float = 0.01,
    ) -> None:
        super().__init__()
        self.shape = template(task.side)
        self.steps, self.epsilon, self.beta = steps, epsilon, beta
        count = self.shape[0] * self.shape[1]
        self.cells = nn.Embedding(CLASSES, width)
        self.context = Context(task, width)
        self.block = Block(width, heads, feed_forward=mlp(width, ratio * width, width), dropout=dropout)
        self.norm = nn.LayerNorm(width)
        self.halting = mlp(width, halting_width, 1)
        self.head = mlp(width, ratio * width, CLASSES)
        self.apply(truncated_normal)
        places = torch.cat([torch.arange(count), self.context.places(count)])
        self.register_buffer("rotation", rotary(places, width // heads), persistent=False)
        self.register_buffer("positions", grid_sin_cos(*self.shape, width), persistent=False)
        self.register_buffer("prior", geometric(prior, steps), persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer where each example halts -> (b, classes, side, side) logits, all kinds of padding one class"""
        tokens = self.tokens(batch)
        going = torch.ones(len(tokens), device=tokens.device)  # (b): probability of not having halted
        for _ in range(self.steps):
            tokens = torch.where(going[:, None, None] > self.epsilon, self.block(tokens, self.rotation), tokens)
            going = going * (1 - self.halt(tokens))
            if (going <= self.epsilon).all():
                break
        return without_visual_tokens(self.answer(tokens))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy of every pass, weighted by the probability of halting there; divergence from the prior."""
        tokens, target = self.tokens(batch), add_visual_tokens(batch["target_grid"])
        losses, halts = [], []
        for _ in range(self.steps):
            tokens = self.block(tokens, self.rotation)
            losses.append(F.cross_entropy(self.answer(tokens), target, reduction="none").mean((1, 2)))  # (b)
            halts.append(self.halt(tokens))  # (b)
        chances = halting_distribution(torch.stack(halts, dim=1))  # (b, steps)
        reconstruction = (chances * torch.stack(losses, dim=1)).sum(1).mean()
        divergence = (chances * (chances.clamp(min=1e-9).log() - self.prior.log())).sum(1).mean()
        passes = (chances * torch.arange(1, self.steps + 1, device=chances.device)).sum(1).mean()
        logged = {"reconstruction": reconstruction, "divergence": divergence, "passes": passes}
        return reconstruction + self.beta * divergence, {name: value.detach() for name, value in logged.items()}

    def tokens(self, batch: Batch) -> Tensor:
        """What the first pass reads: cells, then the task (b, n, d)."""
        return torch.cat([self.embed(batch["input_grid"]), self.context(batch, self.embed)], dim=1)

    def embed(self, grid: Tensor) -> Tensor:
        """Embed the cells of grids, (b, side, side) -> (b, cells, d)"""
        return self.cells(add_visual_tokens(grid).flatten(1)) + self.positions  # type: ignore[no-any-return]

    def halt(self, tokens: Tensor) -> Tensor:
        """Probability of halting now, given that it has not halted before (b)."""
        return self.halting(self.norm(tokens).mean(1)).squeeze(1).float().sigmoid()  # type: ignore[no-any-return]

    def answer(self, tokens: Tensor) -> Tensor:
        """Answer from tokens (b, n, d) -> (b, 15, rows, columns) logits, visual tokens included"""
        cells = tokens[:, : self.shape[0] * self.shape[1]]  # (b, cells, d): task tokens are dropped
        return self.head(self.norm(cells)).transpose(1, 2).unflatten(2, self.shape)  # type: ignore[no-any-return]


def halting_distribution(halts: Tensor) -> Tensor:
    """Probabilities of halting given that one came this far -> of halting there, both (b, steps).

    Whoever comes to the last step halts there, so that the probabilities add up to 1.

    >>> halting_distribution(torch.tensor([[0.5, 0.5, 0.1]]))
    tensor([[0.5000, 0.2500, 0.2500]])
    """
    going = (1 - halts[:, :-1]).cumprod(1)  # (b, steps - 1): not halted after each step but the last
    arrived = F.pad(going, (1, 0), value=1.0)  # (b, steps)
    return arrived * torch.cat([halts[:, :-1], torch.ones_like(halts[:, :1])], dim=1)


def geometric(rate: float, steps: int) -> Tensor:
    """The geometric distribution over the first steps, normalised.

    >>> geometric(0.5, 2)
    tensor([0.6667, 0.3333])
    """
    chances = rate * (1 - rate) ** torch.arange(steps)
    return chances / chances.sum()
