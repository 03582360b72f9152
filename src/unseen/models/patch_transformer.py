"""A Vision Transformer as a backbone (Dosovitskiy et al., 2021), as MoCo-v3 has it: an image to its class token.

Patches are projected by a layer that stays as it was drawn, which MoCo-v3 found to make training stable, and their
positions are fixed sines and cosines. Shapes in comments: n images, p patches, d width.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import isqrt, sqrt

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models.layers import Attention, Block, grid_sin_cos, mlp

# how parts are called elsewhere -> here: timm, from which the weights of DeiT and MoCo-v3 come, then CLIP
PARTS = {
    "patch_embed.proj": "patches",
    "norm1": "attention_norm",
    "attn.qkv": "attention.project",
    "attn.proj": "attention.out",
    "norm2": "feed_forward_norm",
    "mlp.fc1": "feed_forward.0",
    "mlp.fc2": "feed_forward.2",
    "cls_token": "summary",
    "pos_embed": "positions",
    "transformer.resblocks": "blocks",
    "ln_1": "attention_norm",
    "attn.in_proj_weight": "attention.project.weight",
    "attn.in_proj_bias": "attention.project.bias",
    "attn.out_proj": "attention.out",
    "ln_2": "feed_forward_norm",
    "mlp.c_fc": "feed_forward.0",
    "mlp.c_proj": "feed_forward.2",
    "conv1": "patches",
    "class_embedding": "summary",
    "positional_embedding": "positions",
    "ln_pre": "before",
    "ln_post": "norm",
}
AROUND = ("module.base_encoder.", "base_encoder.", "module.", "visual.")  # how names begin elsewhere


class PatchTransformer(nn.Module):
    """Pre-norm transformer blocks over the patches of an image and a token that sums them up."""

    def __init__(
        self, side: int, *, patch: int = 16, width: int = 384, layers: int = 12, heads: int = 12, before: bool = False
    ) -> None:
        """Make a transformer for images of a side; `before` normalises tokens before the blocks, as CLIP does."""
        super().__init__()
        if side % patch:
            raise SpecError(f"a Vision Transformer cuts images into patches of {patch} pixels, and {side} has no such")
        self.width = width
        self.patches = nn.Conv2d(3, width, patch, stride=patch).requires_grad_(False)
        self.summary = nn.Parameter(nn.init.normal_(torch.empty(1, 1, width), std=1e-6))
        places = grid_sin_cos(side // patch, side // patch, width)  # (p, d)
        self.positions = nn.Parameter(torch.cat([torch.zeros(1, width), places])[None], requires_grad=False)
        norm = partial(nn.LayerNorm, eps=1e-6)
        self.before = norm(width) if before else nn.Identity()
        self.blocks = nn.Sequential(
            *(Block(width, heads, feed_forward=mlp(width, 4 * width, width), norm=norm) for _ in range(layers))
        )
        self.norm = norm(width)
        self.apply(begin)

    def forward(self, images: Tensor) -> Tensor:
        """See images, (n, 3, side, side) -> (n, d)"""
        tokens = self.patches(images).flatten(2).transpose(1, 2)  # (n, p, d)
        tokens = torch.cat([self.summary.expand(len(tokens), -1, -1), tokens], dim=1) + self.positions
        return self.norm(self.blocks(self.before(tokens))[:, 0])  # type: ignore[no-any-return]

    def adopt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Weights of other programs under the names that they have here; positions are fitted to the image."""
        found = {}
        own = self.state_dict()
        for name, value in weights.items():
            called = own_name(name)
            if called in ("summary", "positions"):
                value = value.reshape(1, -1, value.shape[-1])
            if called == "positions":
                value = resampled(value, own[called].shape[1] - 1)
            found[called if called in own else name] = value
        return found


def own_name(name: str) -> str:
    """Return the name that a weight of another program has here.

    >>> own_name("module.base_encoder.blocks.3.attn.qkv.bias"), own_name("visual.ln_post.weight")
    ('blocks.3.attention.project.bias', 'norm.weight')
    """
    start = next((start for start in AROUND if name.startswith(start)), "")
    dotted = f".{name[len(start) :]}."
    for there, here in PARTS.items():
        dotted = dotted.replace(f".{there}.", f".{here}.")
    return dotted.strip(".")


def resampled(positions: Tensor, patches: int) -> Tensor:
    """Positions of a square of patches, after that of the class token, for a square of another size.

    >>> resampled(torch.zeros(1, 1 + 196, 8), 64).shape
    torch.Size([1, 65, 8])
    """
    there, here = isqrt(positions.shape[1] - 1), isqrt(patches)
    if there == here:
        return positions
    square = positions[:, 1:].reshape(1, there, there, -1).permute(0, 3, 1, 2)  # (1, d, rows, columns)
    square = F.interpolate(square, size=(here, here), mode="bicubic", align_corners=False)
    return torch.cat([positions[:, :1], square.permute(0, 2, 3, 1).flatten(1, 2)], dim=1)


def begin(module: nn.Module) -> None:
    """Draw weights as MoCo-v3 does; for `apply`. Of the projections of attention each third counts as a layer."""
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)
    if isinstance(module, Attention):
        bound = sqrt(6 / (2 * module.project.in_features))
        nn.init.uniform_(module.project.weight, -bound, bound)
    if isinstance(module, nn.Conv2d) and module.bias is not None:
        bound = sqrt(6 / (module.weight[0].numel() + module.out_channels))
        nn.init.uniform_(module.weight, -bound, bound)
        nn.init.zeros_(module.bias)
