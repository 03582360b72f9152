"""Layers that several baselines share. Shapes in comments: b examples, n tokens, d width, h heads.

COGITAO, appendices F and G, and its authors' code: pre-norm transformer blocks, rotary and sin-cos positions, two-layer
heads, and what tokens there are beside the cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import pi

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Grids
from unseen.models.attention import Dropout, attend

Batch = Mapping[str, Tensor]


def cell_classes(grid: Tensor) -> Tensor:
    """Cells as classes: padding, -1 in batches, becomes the class after the colors.

    >>> cell_classes(torch.tensor([[3, -1]]))
    tensor([[ 3, 10]])
    """
    return torch.where(grid < 0, Grids.colors, grid)


def pixels(images: Tensor) -> Tensor:
    """Images as batches hold them, uint8 (..., height, width, 3), as floats (..., 3, height, width) from 0 to 1.

    >>> pixels(torch.full((2, 4, 4, 3), 255, dtype=torch.uint8)).shape
    torch.Size([2, 3, 4, 4])
    """
    return images.movedim(-1, -3) / 255


def words(text: str) -> list[str]:
    """Return the words of a question in lower case; marks are words too.

    >>> words("Is the dog's ball red?")
    ['is', 'the', 'dog', "'", 's', 'ball', 'red', '?']
    """
    return re.findall(r"\w+|[^\w\s]", text.lower())


class WordNumbers:
    """Turns questions into numbers: 0 for padding, 1 for a word that is not in the list, then the words in order.

    >>> WordNumbers(("dog", "red"))(["Red dog", "dog"]).tolist()
    [[3, 2], [2, 0]]
    """

    def __init__(self, known: Sequence[str]) -> None:
        self.numbers = {word: 2 + number for number, word in enumerate(known)}

    def __len__(self) -> int:
        return 2 + len(self.numbers)

    def __call__(self, texts: Sequence[str]) -> Tensor:
        """The words of some texts, int64 (batch, words of the longest)."""
        rows = [torch.tensor([self.numbers.get(word, 1) for word in words(text)]) for text in texts]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def coordinates(side: int) -> Tensor:
    """Columns and rows of an image from -1 to 1, (2, side, side)."""
    line = torch.linspace(-1, 1, side)
    return torch.stack(torch.meshgrid(line, line, indexing="xy"))


def learned(*shape: int) -> nn.Parameter:
    """Vectors that are learned: positions, registers, roles. They start small, as in Vision Transformers."""
    return nn.Parameter(nn.init.trunc_normal_(torch.empty(shape), std=0.02))


def small_normal(module: nn.Module) -> None:
    """Draw the weights of linear layers as Vision Transformers do, and let biases start at 0; for `module.apply`."""
    if isinstance(module, nn.Linear):
        nn.init.trunc_normal_(module.weight, std=0.02)
        nn.init.zeros_(module.bias)


def xavier(module: nn.Module) -> None:
    """Draw weights as Glorot and Bengio do, and let biases start at 0; for `module.apply`."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.xavier_uniform_(module.weight)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


def mlp(width: int, hidden: int, out: int, *, dropout: float = 0.0) -> nn.Sequential:
    """Return two linear layers: the feed-forward part of a block, with dropout behind each."""
    dropped = [Dropout(dropout)] if dropout else []
    return nn.Sequential(nn.Linear(width, hidden), nn.GELU(), *dropped, nn.Linear(hidden, out), *dropped)


def cell_head(width: int, classes: int) -> nn.Sequential:
    """Return the head of COGITAO's models, which reads every cell alone; its weights are PyTorch's own."""
    return nn.Sequential(nn.Linear(width, 128), nn.ReLU(), nn.Linear(128, classes))


class Cells(nn.Module):
    """What cells hold as vectors: a convolution of one-hot classes with patches of one cell, without the zeros.

    Weights are those that PyTorch gives such a convolution. The published one has further channels where there is a
    task code, always zero, which only make the others start smaller: `unused`.
    """

    def __init__(self, classes: int, width: int, *, unused: int = 0) -> None:
        super().__init__()
        largest = (classes + unused) ** -0.5
        self.table = nn.Parameter(torch.empty(classes, width).uniform_(-largest, largest))
        self.bias = nn.Parameter(torch.empty(width).uniform_(-largest, largest))

    def forward(self, classes: Tensor) -> Tensor:
        """Embed classes, (...) -> (..., d)"""
        return F.embedding(classes, self.table) + self.bias


class Context(nn.Module):
    """The tokens that say what is to be done with the input grid.

    They are the task code, or demonstration pairs instead of it (the paper's second approach), or nothing. In the
    published transformers code tokens have no place: attention sees which there are, and not in which order. Where they
    are `ordered`, each is told its place in the code. The cells of a demonstration are embedded as those of the input
    and marked with which pair they are of, and whether they are its input or target.
    """

    def __init__(self, task: Grids, width: int, *, ordered: bool = False) -> None:
        super().__init__()
        self.width = width
        self.grids = 2 * task.demonstrations
        self.code_length = 0 if self.grids else task.code_length
        self.ordered = ordered
        if self.grids:
            self.roles = learned(self.grids, 1, width)
        elif self.code_length:
            self.code = nn.Embedding(task.tokens, width)
            if ordered:
                self.slots = nn.Parameter(torch.randn(self.code_length, width))

    def forward(self, batch: Batch, embed: Callable[[Tensor], Tensor]) -> Tensor:
        """Embed the task -> (b, n, d); `embed` turns grids (b, side, side) into tokens of their cells (b, cells, d)."""
        if self.grids:
            pairs = [batch["input_demonstration_inputs"], batch["input_demonstration_targets"]]  # (b, k, side, side)
            grids = torch.stack(pairs, dim=2).flatten(1, 2)  # (b, 2k, side, side): input, target, input, ...
            tokens = embed(grids.flatten(0, 1))  # (b*2k, cells, d)
            tokens = tokens.view(*grids.shape[:2], *tokens.shape[1:]) + self.roles  # (b, 2k, cells, d)
            return tokens.flatten(1, 2)
        if self.code_length:
            code: Tensor = self.code(batch["input_code"])
            return code + self.slots if self.ordered else code
        grid = batch["input_grid"]
        return torch.zeros(len(grid), 0, self.width, device=grid.device)

    def count(self, cells: int) -> int:
        """Tell how many tokens there are, where a grid has so many."""
        return self.grids * cells or self.code_length

    def rotation(self, cells: Tensor) -> Tensor:
        """Rotary positions of the tokens, of demonstrations those of a grid's cells (2, cells, d), of codes none."""
        return cells.repeat(1, self.grids, 1) if self.grids else unturned(self.code_length, cells.shape[-1])


def sin_cos(places: Tensor, width: int, *, base: float = 10_000.0) -> Tensor:
    """Fixed encodings of places (...) as sines and cosines of falling frequency (..., width)."""
    frequencies = base ** -(torch.arange(0, width, 2, device=places.device) / width)  # (width / 2)
    angles = places[..., None] * frequencies
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def grid_sin_cos(height: int, width: int, dims: int) -> Tensor:
    """Fixed encodings of the cells of a grid, in reading order (cells, dims): half of the dims row, half column."""
    rows = sin_cos(torch.arange(height), dims // 2)[:, None].expand(-1, width, -1)
    columns = sin_cos(torch.arange(width), dims // 2)[None].expand(height, -1, -1)
    return torch.cat([rows, columns], dim=-1).flatten(0, 1)


def rotary(places: Tensor, width: int, *, base: float = 10_000.0) -> Tensor:
    """Cosines and signed sines (2, n, width) that turn queries and keys of a head of this width (RoPE)."""
    return turned(places[..., None] * base ** -(torch.arange(0, width, 2, device=places.device) / width))


def turned(angles: Tensor) -> Tensor:
    """Cosines and signed sines (2, n, 2 k) of the angles (n, k) by which pairs are turned."""
    cosines, sines = angles.cos(), angles.sin()
    return torch.stack([torch.cat([cosines, cosines], dim=-1), torch.cat([-sines, sines], dim=-1)])


def unturned(count: int, width: int) -> Tensor:
    """Rotary positions of tokens that are not turned, (2, count, width)."""
    return torch.stack([torch.ones(count, width), torch.zeros(count, width)])


def grid_rotary(side: int, width: int) -> Tensor:
    """Rotary positions of the cells of a square along both axes, (2, cells, width), for a head of this width.

    A quarter of the dims turns with the row and a quarter with the column, both from -1 to 1 over the square, at
    frequencies that rise in even steps from half a turn to a quarter of the side; half of the dims stay as they are.
    """
    frequencies = pi * torch.linspace(1, side // 2 / 2, width // 8)
    angles = torch.linspace(-1, 1, side)[:, None] * frequencies  # (side, width / 8)
    rows, columns = angles[:, None].expand(-1, side, -1), angles[None].expand(side, -1, -1)
    still = torch.zeros(side, side, width // 2 - 2 * (width // 8))
    return turned(torch.cat([rows, columns, still], dim=-1).flatten(0, 1))


def rotate(x: Tensor, rotation: Tensor) -> Tensor:
    """Turn every pair (x[i], x[i + width/2]) of (..., n, width) by the angles of its place.

    The product of two turned vectors depends on their places only through the difference.
    """
    cosines, sines = rotation  # each (n, width)
    swapped = x.view(*x.shape[:-1], 2, -1).flip(-2).flatten(-2)  # whole rows: halves are slower on a CPU
    return torch.addcmul(x * cosines, swapped, sines).to(x.dtype)  # lower precision stays so


class Attention(nn.Module):
    """Attention of every token to every token; `dropout` is of attention itself, in training."""

    def __init__(self, width: int, heads: int, *, bias: bool = True, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.least = heads, Dropout(dropout).least
        self.project = nn.Linear(width, 3 * width, bias=bias)
        self.out = nn.Linear(width, width, bias=bias)

    def forward(self, x: Tensor, rotation: Tensor | None) -> Tensor:
        """Attend, (b, n, d) -> (b, n, d); `rotation` holds the rotary positions (2, n, d / h)."""
        split = self.project(x).unflatten(-1, (3, self.heads, -1))  # (b, n, 3, h, d/h)
        turned, value = split.permute(2, 0, 3, 1, 4).split([2, 1])  # (2, b, h, n, d/h) and (1, b, h, n, d/h)
        if rotation is not None:
            turned = rotate(turned, rotation)
        query, key = turned
        mixed = attend(query, key, value.squeeze(0), least=self.least if self.training else 0)  # (b, h, n, d/h)
        return self.out(mixed.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


class CrossAttention(nn.Module):
    """Attention of tokens to other tokens; `dropout` is of attention itself, in training."""

    def __init__(self, width: int, heads: int, *, bias: bool = True, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.query = nn.Linear(width, width, bias=bias)
        self.project = nn.Linear(width, 2 * width, bias=bias)  # keys and values
        self.out = nn.Linear(width, width, bias=bias)

    def forward(self, x: Tensor, others: Tensor) -> Tensor:
        """Attend to others (b, m, d), (b, n, d) -> (b, n, d)"""
        query = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (b, h, n, d/h)
        key, value = self.project(others).unflatten(-1, (2, self.heads, -1)).permute(2, 0, 3, 1, 4)  # (b, h, m, d/h)
        dropout = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout)  # (b, h, n, d/h)
        return self.out(mixed.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


class Block(nn.Module):
    """A pre-norm transformer block: attention, then a feed-forward part, each added to what it read."""

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        feed_forward: nn.Module,
        norm: Callable[[int], nn.Module] = nn.LayerNorm,
        bias: bool = True,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.attention_norm = norm(width)
        self.attention = Attention(width, heads, bias=bias, dropout=attention_dropout)
        self.feed_forward_norm = norm(width)
        self.feed_forward = feed_forward
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, rotation: Tensor | None = None) -> Tensor:
        """Attend, then transform every token alone, (b, n, d) -> (b, n, d)"""
        x = x + self.dropout(self.attention(self.attention_norm(x), rotation))
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))  # type: ignore[no-any-return]
