"""TRM: a tiny recursive model that corrects its answer step by step (Jolicoeur-Martineau, arXiv 2510.04871).

As in the second repository of COGITAO's authors: two layers read the input x, an answer y and a thought z. A round
thinks six times, z <- layers(x + y + z), and then answers once, y <- layers(y + z); a step has three rounds, of which
only the last is learned through. Every step is judged by itself and starts from what the one before left. A second head
says whether the answer is right; an example for which it says so halts.

Where it differs: the authors move the weights after every step of a batch, and here all steps of a batch make one move;
an example is answered by the step in which it halts, where they read everybody's answer from the last one executed; and
padding takes part in attention. A grid keeps its size, so that what is padding in the input is padding in the answer.
"""

from __future__ import annotations

from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.attention import Dropout
from unseen.models.cell_losses import chosen, loss_of_grids, with_size_of
from unseen.models.layers import Batch, Block, Context, cell_classes, cell_head, rotary, turned, xavier

Thought = tuple[Tensor, Tensor]  # answer y and thought z, each (b, n, d)


class TRM(nn.Module):
    """Two layers that think about the input and an answer again and again."""

    kinds = ("grid",)

    rotation: Tensor  # (2, n, d / h)
    start: Tensor  # (n, d)

    def __init__(
        self,
        task: Grids,
        *,
        width: int = 512,
        layers: int = 2,
        heads: int = 4,
        ratio: int = 2,
        dropout: float = 0.1,
        thoughts: int = 6,
        rounds: int = 3,
        steps: int = 8,
        loss: str = "cross-entropy",
    ) -> None:
        super().__init__()
        self.side, self.count = task.side, task.side**2
        self.thoughts, self.rounds, self.steps, self.judged_by = thoughts, rounds, steps, chosen(loss)
        self.words = Words(task, width)
        norm = partial(nn.RMSNorm, eps=1e-6)
        self.blocks = nn.ModuleList(
            Block(
                width,
                heads,
                feed_forward=GatedSiLU(width, ratio * width, dropout),
                norm=norm,
                bias=False,
                attention_dropout=dropout,
            )
            for _ in range(layers)
        )
        self.norm = norm(width)
        self.head = cell_head(width, task.classes)
        self.right = nn.Linear(width, 1)
        self.apply(xavier)
        before = 1 + self.words.context.count(self.count)
        line = partial(rotary, width=width // heads)
        rotation = torch.cat(
            [line(torch.arange(before)), plane(task.side, width // heads), line(torch.zeros(1))], dim=1
        )
        self.register_buffer("rotation", rotation, persistent=False)
        start = torch.randn(rotation.shape[1], width, generator=torch.Generator().manual_seed(0))
        self.register_buffer("start", start, persistent=False)

    def forward(self, batch: Batch) -> Tensor:
        """Answer a batch, each example by the step in which it halts -> (b, classes, side, side) logits"""
        x = self.words(batch)
        thought = (x, self.start.expand_as(x))
        answer = torch.zeros(len(x), Grids.classes, self.side, self.side, device=x.device)
        going = torch.ones(len(x), dtype=torch.bool, device=x.device)
        for _ in range(self.steps):
            thought, logits, right = self.step(x, thought)
            answer = torch.where(going[:, None, None, None], logits.to(answer.dtype), answer)
            going = going & (right <= 0)
            if not going.any():
                break
        return with_size_of(batch["input_grid"], answer)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Loss of cells and of the second head, over all steps of the examples that have not halted before."""
        x, target = self.words(batch), batch["target_grid"]
        thought = (x, self.start.expand_as(x))
        going = torch.ones(len(x), device=x.device)
        losses, taken = [], x.new_zeros(())
        for _ in range(self.steps):
            after, logits, right = self.step(x, thought)
            cells = loss_of_grids(logits.float(), target, kind=self.judged_by)  # (b)
            said = with_size_of(batch["input_grid"], logits.detach()).argmax(1)
            exact = said.eq(cell_classes(target)).flatten(1).all(1).float()  # (b)
            judged = F.binary_cross_entropy_with_logits(right.float(), exact, reduction="none")
            losses.append((going * (cells + judged)).mean())
            taken = taken + going.mean()
            kept = going.bool()[:, None, None]
            thought = (torch.where(kept, after[0], thought[0]), torch.where(kept, after[1], thought[1]))
            thought = (thought[0].detach(), thought[1].detach())
            going = going * (right.detach() <= 0)
            if not going.any():
                break
        return torch.stack(losses).sum() / len(losses), {"steps": taken.detach()}

    def step(self, x: Tensor, thought: Thought) -> tuple[Thought, Tensor, Tensor]:
        """Think and answer for some rounds -> thought, logits (b, classes, side, side), and whether it is right (b)."""
        with torch.no_grad():
            for _ in range(self.rounds - 1):
                thought = self.round(x, thought)
        y, z = self.round(x, thought)
        cells = y[:, -1 - self.count : -1]  # (b, cells, d)
        logits = self.head(cells).transpose(1, 2).unflatten(2, (self.side, self.side))
        return (y, z), logits, self.right(y[:, -1]).squeeze(1)

    def round(self, x: Tensor, thought: Thought) -> Thought:
        """Think several times, then answer once."""
        y, z = thought
        for _ in range(self.thoughts):
            z = self.layers(x + y + z)
        return self.layers(y + z), z

    def layers(self, tokens: Tensor) -> Tensor:
        """Go through all layers, (b, n, d) -> (b, n, d)"""
        for block in self.blocks:
            tokens = block(tokens, self.rotation)
        return self.norm(tokens)  # type: ignore[no-any-return]


class Words(nn.Module):
    """Whatever is read, as vectors: these learn faster than the rest."""

    def __init__(self, task: Grids, width: int) -> None:
        super().__init__()
        self.cells = nn.Embedding(task.classes, width)
        self.context = Context(task, width)
        self.ends = nn.Embedding(2, width)  # before the task, and behind the cells

    def forward(self, batch: Batch) -> Tensor:
        """Embed a beginning, the task, the cells and an end -> (b, n, d)"""
        cells = self.embed(batch["input_grid"])
        ends = self.ends.weight.expand(len(cells), -1, -1)  # (b, 2, d)
        return torch.cat([ends[:, :1], self.context(batch, self.embed), cells, ends[:, 1:]], dim=1)

    def embed(self, grid: Tensor) -> Tensor:
        """Embed what cells hold, (b, side, side) -> (b, cells, d)"""
        return self.cells(cell_classes(grid).flatten(1))  # type: ignore[no-any-return]


class GatedSiLU(nn.Module):
    """A feed-forward part with a SiLU gate, biases and dropout."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.gate_and_up = nn.Linear(width, 2 * hidden)
        self.out = nn.Linear(hidden, width)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Transform every token alone, (b, n, d) -> (b, n, d)"""
        gate, up = self.gate_and_up(x).chunk(2, dim=-1)
        return self.dropout(self.out(F.silu(gate) * up))  # type: ignore[no-any-return]


def plane(side: int, width: int) -> Tensor:
    """Rotary positions of cells, (2, cells, width): half of the pairs turn with the row, half with the column."""
    frequencies = 10_000.0 ** -(torch.arange(width // 4) * 2 / width)
    angles = torch.arange(side)[:, None] * frequencies  # (side, width / 4)
    rows, columns = angles[:, None].expand(-1, side, -1), angles[None].expand(side, -1, -1)
    return turned(torch.cat([rows, columns], dim=-1).flatten(0, 1))
