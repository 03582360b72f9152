"""PL-TF: one transformer block, looped for as long as it ponders (COGITAO, appendices F.4 and G.3; PonderNet).

After every pass a small network reads the mean token and gives the probability of halting now. Training weighs the
losses of all passes by the probability of halting there, and keeps that distribution close to a geometric one, of which
the last pass has all that is left: most of it.

As in the authors' code, every pass reads the input again (x + h), and normalises what it hands on. Answers are random
there: after each pass an example halts by chance, with the probability that it gave. The code that made the paper's
numbers forgot where. It set the tokens of a halted example to zero and read everybody's answer from the last pass, so
that an example that halts early is answered by a single pass over its input. `pl-tf` answers like that;
`pl-tf-mended` answers from the pass in which an example halts, and is told the order of the task code. Chance is a
hash of the input grid, so that an example is answered alike whenever it is asked.

Rotary positions and visual tokens as in Grid-TF; no registers. The 2-D positions are added without weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.layers import Batch, Block, Cells, Context, cell_head, grid_rotary, grid_sin_cos, mlp, xavier
from unseen.models.visual_tokens import CLASSES, FURTHER, add_visual_tokens, without_visual_tokens

PRIME = 2**31 - 1
Pass = tuple[Tensor, Tensor]  # tokens (b, n, d), and the probability of halting there (b)


class PLTF(nn.Module):
    """A transformer block that cells and task tokens pass through again and again."""

    kinds = ("grid",)
    ordered = False  # whether it is told the order of the task code
    remembers = False  # whether it answers from the pass in which an example halts

    rotation: Tensor  # (2, n, d / h)
    positions: Tensor  # (cells, d)
    prior: Tensor  # (steps)
    dice: Tensor  # (steps, cells)

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 256,
        heads: int = 8,
        ratio: int = 4,
        dropout: float = 0.1,
        steps: int = 7,
        halting_width: int = 128,
        epsilon: float = 0.01,
        prior: float = 0.05,
        beta: float = 0.01,
    ) -> None:
        super().__init__()
        self.side = task.side + FURTHER
        self.steps, self.epsilon, self.beta = steps, epsilon, beta
        self.cells = Cells(CLASSES, width, unused=task.tokens if task.code_length else 0)
        self.context = Context(task, width, ordered=self.ordered)
        feed_forward = mlp(width, ratio * width, width, dropout=dropout)
        self.block = Block(width, heads, feed_forward=feed_forward, attention_dropout=dropout)
        self.norm = nn.LayerNorm(width)
        self.halting = nn.Sequential(nn.Linear(width, halting_width), nn.ReLU(), nn.Linear(halting_width, 1))
        self.head = cell_head(width, CLASSES)
        self.block.apply(xavier)
        self.halting.apply(xavier)
        turns = grid_rotary(self.side, width // heads)
        rotation = torch.cat([turns, self.context.rotation(turns)], dim=1)
        self.register_buffer("rotation", rotation, persistent=False)
        self.register_buffer("positions", grid_sin_cos(self.side, self.side, width), persistent=False)
        self.register_buffer("prior", geometric(prior, steps), persistent=False)
        dice = torch.randint(PRIME, (steps, task.side**2), generator=torch.Generator().manual_seed(0))
        self.register_buffer("dice", dice, persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch -> (b, classes, side, side) logits, all kinds of padding one class"""
        x = self.tokens(batch)
        return self.output(batch, x, list(self.ponder(x)))

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy of every pass, weighted by the probability of halting there; divergence from the prior."""
        return self.judge(batch, self.until_little_is_left(self.ponder(self.tokens(batch))))

    def loss_and_output(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor], Tensor]:
        """Return what `loss` and `forward` give, from the same passes."""
        x = self.tokens(batch)
        passes = list(self.ponder(x))
        return *self.judge(batch, self.until_little_is_left(passes)), self.output(batch, x, passes)

    def ponder(self, x: Tensor) -> Iterator[Pass]:
        """Give tokens (b, n, d) after each pass, and the probability of halting there (b)."""
        h = x
        for _ in range(self.steps):
            h = self.norm(self.block(x + h, self.rotation))
            yield h, self.halt(h)

    def until_little_is_left(self, passes: Iterable[Pass]) -> list[Pass]:
        """Return the passes up to the one after which hardly any example goes on."""
        found: list[Pass] = []
        for one in passes:
            found.append(one)
            if (torch.stack([halt for _, halt in found]).neg().add(1).prod(0) < self.epsilon).all():
                break
        return found

    def output(self, batch: Batch, x: Tensor, passes: Sequence[Pass]) -> Tensor:
        """Answer from all passes, after which an example halts by chance -> (b, classes, side, side) logits"""
        answered = passes[0][0]
        going = torch.ones(len(x), dtype=torch.bool, device=x.device)  # (b): has not halted
        for number, ((h, halt), chance) in enumerate(zip(passes, self.chances(batch["input_grid"]), strict=True), 1):
            answered = torch.where(going[:, None, None], h, answered)
            if number < self.steps:
                going = going & (halt <= chance)
        if not self.remembers and not going.all():  # who has halted starts from nothing, pass after pass
            answered = answered.clone()
            answered[~going] = self.norm(self.block(x[~going], self.rotation)).to(answered.dtype)
        return without_visual_tokens(self.answer(answered))

    def judge(self, batch: Batch, passes: Sequence[Pass]) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss of some passes, and what of it is logged."""
        target = add_visual_tokens(batch["target_grid"])
        losses = [F.cross_entropy(self.answer(h), target, reduction="none").mean((1, 2)) for h, _ in passes]  # (b) each
        chances = halting_distribution(torch.stack([halt for _, halt in passes], dim=1))  # (b, passes)
        reconstruction = (chances * torch.stack(losses, dim=1)).sum(1).mean()
        divergence = (chances * (chances.clamp(min=1e-9).log() - self.prior[: len(passes)].log())).sum(1).mean()
        taken = (chances * torch.arange(1, 1 + len(passes), device=chances.device)).sum(1).mean()
        logged = {"reconstruction": reconstruction, "divergence": divergence, "passes": taken}
        return reconstruction + self.beta * divergence, {name: value.detach() for name, value in logged.items()}

    def tokens(self, batch: Batch) -> Tensor:
        """Return what every pass reads: cells, then the task (b, n, d)."""
        return torch.cat([self.embed(batch["input_grid"]), self.context(batch, self.embed)], dim=1)

    def embed(self, grid: Tensor) -> Tensor:
        """Embed the cells of grids, (b, side, side) -> (b, cells, d)"""
        return self.cells(add_visual_tokens(grid).flatten(1)) + self.positions  # type: ignore[no-any-return]

    def halt(self, tokens: Tensor) -> Tensor:
        """Probability of halting now, given that it has not halted before (b)."""
        return self.halting(tokens.mean(1)).squeeze(1).float().sigmoid()  # type: ignore[no-any-return]

    def chances(self, grid: Tensor) -> Tensor:
        """A number from 0 to 1 for every pass and grid, (steps, b), as if by chance, and the same for equal grids."""
        drawn = ((grid.flatten(1) + 2) * self.dice[:, None]).remainder(PRIME).sum(-1)  # (steps, b)
        return (drawn * 48_271).remainder(PRIME) / PRIME

    def answer(self, tokens: Tensor) -> Tensor:
        """Answer from tokens (b, n, d) -> (b, 15, side, side) logits, visual tokens included"""
        cells = tokens[:, : self.side**2]  # (b, cells, d): task tokens are dropped
        return self.head(cells).transpose(1, 2).unflatten(2, (self.side, self.side))  # type: ignore[no-any-return]


class MendedPLTF(PLTF):
    """PL-TF that answers from the pass in which it halts, and is told the order of the task code."""

    ordered = True
    remembers = True


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
    """Return the geometric distribution over the first steps, the last of which has all that is left.

    >>> geometric(0.5, 3)
    tensor([0.5000, 0.2500, 0.2500])
    """
    return halting_distribution(torch.full((1, steps), rate))[0]
