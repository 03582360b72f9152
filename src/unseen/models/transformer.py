"""The transformers of SVIB: an encoder of tokens, and the decoder that paints an image (appendix E.4).

Every baseline of SVIB ends in the same decoder, so that they differ only in what they make of the input. It starts
from queries that are nothing but the codes of their places, one for each patch of the image, and ends in the patches'
pixels.

Blocks are pre-norm, attention has no biases, and the first block's normalisation is of the stream itself and not only
of what attention reads. What blocks add starts smaller the more of them there are. Both are so in the published code;
the paper leaves them open.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models.layers import Attention, Block, CrossAttention, grid_sin_cos


class TransformerEncoder(nn.Module):
    """Blocks in which tokens attend to each other."""

    def __init__(self, width: int, *, blocks: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.first_norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList(
            Block(
                width,
                heads,
                feed_forward=relu_mlp(width, 4 * width, width),
                bias=False,
                dropout=dropout,
                attention_dropout=dropout,
            )
            for _ in range(blocks)
        )
        self.blocks[0].attention_norm = nn.Identity()  # the stream itself is normalised
        self.norm = nn.LayerNorm(width)
        draw_weights(self)
        shrink(self.blocks, parts=2)

    def forward(self, tokens: Tensor) -> Tensor:
        """Let tokens attend to each other, (b, n, d) -> (b, n, d)"""
        tokens = self.first_norm(tokens)
        for block in self.blocks:
            tokens = block(tokens)
        return self.norm(tokens)  # type: ignore[no-any-return]


class DecoderBlock(nn.Module):
    """A pre-norm block in which queries attend to each other, then to the tokens that are decoded."""

    def __init__(self, width: int, heads: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads, bias=False, dropout=dropout)
        self.cross_norm = nn.LayerNorm(width)
        self.cross = CrossAttention(width, heads, bias=False, dropout=dropout)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.feed_forward = relu_mlp(width, 4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, tokens: Tensor) -> Tensor:
        """Decode tokens (b, m, d) a step further, (b, n, d) -> (b, n, d)"""
        x = x + self.dropout(self.attention(self.attention_norm(x), None))
        x = x + self.dropout(self.cross(self.cross_norm(x), tokens))
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))  # type: ignore[no-any-return]


class TransformerDecoder(nn.Module):
    """Tokens -> an image: one query for each patch, which is only told where the patch is."""

    queries: Tensor  # (patches, d)

    def __init__(
        self, side: int, inputs: int, *, width: int, blocks: int, heads: int, patch: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        if side % patch:
            raise SpecError(f"images of {side} pixels cannot be cut into patches of {patch}; choose another patch")
        self.patch, self.patches = patch, side // patch  # along a side
        self.tokens = nn.Linear(inputs, width, bias=False)
        self.first_norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList(DecoderBlock(width, heads, dropout=dropout) for _ in range(blocks))
        self.blocks[0].attention_norm = nn.Identity()  # the stream itself is normalised
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3 * patch**2)
        draw_weights(self)
        shrink(self.blocks, parts=3)
        self.register_buffer("queries", grid_sin_cos(self.patches, self.patches, width), persistent=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Paint the image that tokens stand for, (b, n, inputs) -> (b, 3, side, side)"""
        tokens = self.tokens(tokens)
        x = self.first_norm(self.queries).expand(len(tokens), -1, -1)  # (b, patches, d)
        for block in self.blocks:
            x = block(x, tokens)
        return unpatched(self.head(self.norm(x)), self.patch)


def patched(images: Tensor, patch: int) -> Tensor:
    """Images (b, c, side, side) cut into patches in reading order (b, patches, c * patch * patch)."""
    cut = images.unfold(2, patch, patch).unfold(3, patch, patch)  # (b, c, rows, columns, patch, patch)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


def unpatched(patches: Tensor, patch: int) -> Tensor:
    """Return the images that patches were cut from.

    >>> images = torch.rand(2, 3, 8, 8)
    >>> torch.equal(unpatched(patched(images, 4), 4), images)
    True
    """
    count = round(patches.shape[1] ** 0.5)  # along a side
    cut = patches.reshape(len(patches), count, count, -1, patch, patch)  # (b, rows, columns, c, patch, patch)
    return cut.permute(0, 3, 1, 4, 2, 5).flatten(4).flatten(2, 3)


# ---------------------------------------------------------------------------- weights to begin with


def relu_mlp(width: int, hidden: int, out: int) -> nn.Sequential:
    """Return two linear layers with a ReLU between them."""
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out))


@torch.no_grad()
def draw_weights(model: nn.Module) -> None:
    """Draw weights uniformly, as wide as Xavier says, or Kaiming where a ReLU follows; biases are 0."""
    rectified = {
        id(layer)
        for chain in model.modules()
        if isinstance(chain, nn.Sequential)
        for layer, after in pairwise(chain)
        if isinstance(after, nn.ReLU)
    }
    for layer in model.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
            if id(layer) in rectified:
                nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
            else:
                nn.init.xavier_uniform_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
    for layer in model.modules():
        if isinstance(layer, Attention | CrossAttention):  # several maps of one width, in one layer
            for weight in layer.project.weight.chunk(layer.project.out_features // layer.project.in_features):
                nn.init.xavier_uniform_(weight)


@torch.no_grad()
def shrink(blocks: nn.ModuleList, *, parts: int) -> None:
    """Make all that blocks of so many parts add to the stream start smaller, so that their sum is of one size."""
    for name, weight in blocks.named_parameters():
        if name.endswith((".out.weight", ".feed_forward.2.weight")):
            weight.mul_((parts * len(blocks)) ** -0.5)
