"""The Scattering Compositional Learner (Wu et al., 2020) behind any features, as CVR has it (supplement, section 5).

Features are split among attribute heads, which share one small network. Then each relation head sees one number of
every image of a set, the context and one choice, and a network that all relation heads share says how they relate. The
numbers of a set are read in its order, which means nothing; while training, the context is in random order, so that
the network cannot hold on to it. Tests take the images as they come, in the random order that they were drawn in.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Odd
from unseen.models.layers import Batch
from unseen.models.odd_one_out import RuleCue

RELATION = (Odd.images + 1, 64, 23, 5)  # layers of the network of the relation heads


class Scattering(nn.Module):
    """Scores of the four images of a problem by the features of each."""

    def __init__(self, rules: Sequence[str], features: int, *, width: int, heads: int, hidden: int) -> None:
        """Make `heads` attribute heads with a hidden layer each, and as many relation heads as the width."""
        super().__init__()
        self.project = nn.Linear(features, width)
        self.cue = RuleCue(rules, width)
        self.enrich = ResidualLayers(width)
        self.heads = heads
        self.attributes = layers(width // heads, hidden, width // heads)
        self.mix = ResidualLayers(width)
        self.relations = layers(*RELATION)
        self.judge = nn.Linear(RELATION[-1] * width, 1)

    def forward(self, features: Tensor, batch: Batch) -> Tensor:
        """Score images by their features, (b, 4, features) -> (b, 4)"""
        x = self.enrich(F.relu(self.project(features) + self.cue(batch)))  # (b, 4, d)
        x = self.mix(self.attributes(x.unflatten(-1, (self.heads, -1))).flatten(-2))  # each head its share of d
        related = self.relations(self.sets(x))  # (b, 4, d, 5)
        return self.judge(related.flatten(2)).squeeze(-1)  # type: ignore[no-any-return]

    def sets(self, x: Tensor) -> Tensor:
        """Return the context and one choice after it, for each choice and number: (b, 4, d) -> (b, 4 choices, d, 5)."""
        context = shuffled(x) if self.training else x
        context = context.transpose(1, 2)[:, None].expand(-1, x.shape[1], -1, -1)  # (b, 4, d, 4)
        return torch.cat([context, x[..., None]], dim=-1)


def shuffled(x: Tensor) -> Tensor:
    """Return the images of every problem in a random order of its own, (b, 4, d) -> (b, 4, d)."""
    order = torch.rand(x.shape[:2], device=x.device).argsort(dim=1)
    return x.gather(1, order[..., None].expand_as(x))


def layers(*widths: int) -> nn.Sequential:
    """Linear layers of these widths, rectified between.

    >>> [type(layer).__name__ for layer in layers(5, 64, 3)]
    ['Linear', 'ReLU', 'Linear']
    """
    made: list[nn.Module] = []
    for width, out in pairwise(widths):
        made += [nn.Linear(width, out), nn.ReLU()]
    return nn.Sequential(*made[:-1])


class ResidualLayers(nn.Module):
    """Two layers, four times as wide inside, added to what they read."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, 4 * width), nn.LayerNorm(4 * width), nn.ReLU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Transform every row alone, (..., d) -> (..., d)"""
        return x + self.layers(x)  # type: ignore[no-any-return]
