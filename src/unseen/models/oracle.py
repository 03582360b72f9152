"""Oracle: need not see, for it is told what the objects are; the yardstick of success (SVIB, appendix E.3).

Every factor of an object is a token: those of few values an embedding, real numbers sines and cosines. What holds for
the whole scene, such as where the lamps are, is repeated for every object. Each object's tokens are encoded among
themselves; the decoder sees those of all objects.

Left out of the published list of factors: the rotation of objects, which is 0 in every scene.
"""

from __future__ import annotations

from math import pi

import torch
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Images
from unseen.models.layers import Batch, sin_cos
from unseen.models.transformer import TransformerDecoder, TransformerEncoder

VALUES = 128  # of a factor, at most
FACTORS = 32  # of an object, at most


class Oracle(nn.Module):
    """Factors of objects -> the next image."""

    kinds = ("image",)
    view = {"symbols": True}  # noqa: RUF012  # the factors are not in the image

    def __init__(
        self,
        task: Images,
        *,
        encoder_blocks: int = 4,
        encoder_heads: int = 4,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        if not task.factors:
            raise SpecError("the oracle is told the factors of objects, and this task does not say what those are")
        self.encoder = FactorEncoder(task, width=width, blocks=encoder_blocks, heads=encoder_heads, dropout=dropout)
        self.decoder = TransformerDecoder(
            task.side, width, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )

    def forward(self, batch: Batch) -> Tensor:
        """Paint the next image -> (b, 3, side, side)"""
        return self.decoder(self.encoder(batch))  # type: ignore[no-any-return]


class FactorEncoder(nn.Module):
    """The factors of every object as tokens that attend to each other, object by object."""

    def __init__(self, task: Images, *, width: int, blocks: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.ranges = task.ranges
        self.values = nn.Embedding(VALUES * FACTORS, width)  # of one factor after the other
        self.transformer = TransformerEncoder(width, blocks=blocks, heads=heads, dropout=dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Embed the factors of all objects -> (b, objects * factors, d)"""
        named, measured = self.named(batch), self.measured(batch)  # (b, objects, n) and (b, objects, m)
        rows = named + VALUES * torch.arange(named.shape[-1], device=named.device)
        width = self.values.embedding_dim
        tokens = torch.cat([self.values(rows), waves(measured, width)], dim=2)  # (b, objects, n + m, d)
        tokens = tokens + sin_cos(torch.arange(tokens.shape[2], device=tokens.device), width)
        encoded: Tensor = self.transformer(tokens.flatten(0, 1))  # (b * objects, n + m, d)
        return encoded.reshape(len(named), -1, width)

    def named(self, batch: Batch) -> Tensor:
        """Find the factors that have a name, the ground's material last if there is one -> (b, objects, n)"""
        factors = batch["input_factors"]
        if "input_ground" not in batch:
            return factors
        ground = batch["input_ground"][:, None, None].expand(-1, factors.shape[1], 1)
        return torch.cat([factors, ground], dim=2)

    def measured(self, batch: Batch) -> Tensor:
        """Find the factors that are real numbers, from 0 to 1 -> (b, objects, m)"""
        objects = batch["input_factors"].shape[1]
        found = []
        for name, low, high in self.ranges:
            numbers = (batch[f"input_{name}"] - low) / (high - low)
            of_scene = name != "positions"
            found.append(numbers.flatten(1)[:, None].expand(-1, objects, -1) if of_scene else numbers)
        return torch.cat(found, dim=2)


def waves(numbers: Tensor, width: int) -> Tensor:
    """Numbers from 0 to 1 (...) as sines and cosines of rising frequency (..., width)."""
    frequencies = 2 * pi * 10_000 ** (torch.arange(0, width, 2, device=numbers.device) / width)
    angles = numbers[..., None] * frequencies
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
