"""What the baselines of odd-one-out tasks share (CVR, supplement, section 4). Shapes in comments: b problems, d width.

Two ways to find the odd one of four images:
* Vision models embed every image by itself. The odd one is least like the others: its score is minus the sum of the
  cosines to all images (`scores_of_unlikeness`; the cosine to itself is always 1 and changes nothing).
* Models made for Raven's matrices score each image as the answer to a matrix whose context are the four images.

A model that learns several rules at once is told which one it is asked about (`RuleCue`). The paper concatenates a
learned vector of 64 numbers to the features before a linear layer; that is the same as adding a linear map of the
vector to what the layer gives, which is how it is done here, so that all other weights can be taken over by a model of
one rule. The paper has this in the head of its vision models and does not say where in the others; here it joins the
image's features there too.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models.layers import Batch

RULE_WIDTH = 64
MEAN, DEVIATION = 0.9, 0.1  # of every channel, by which the published loader shifts and scales images


def centered(images: Tensor) -> Tensor:
    """Images of bytes (..., height, width, 3) as floats (..., 3, height, width): 1 is white, -9 is black.

    >>> centered(torch.full((2, 4, 4, 3), 255, dtype=torch.uint8))[0, 0, 0].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return (images.movedim(-1, -3) / (255 * DEVIATION)).sub_(MEAN / DEVIATION)


def images_of(batch: Batch) -> Tensor:
    """Return the images of a batch one after the other, (b*4, 3, height, width)."""
    return centered(batch["input_images"]).flatten(0, 1)


def scores_of_unlikeness(embeddings: Tensor) -> Tensor:
    """Tell how unlike the others each image is, (b, 4, d) -> (b, 4): minus the sum of its cosines to all of them.

    >>> same, other = [1.0, 0.0], [0.0, 2.0]
    >>> scores_of_unlikeness(torch.tensor([[same, other, same, same]])).argmax().item()
    1
    """
    units = F.normalize(embeddings, dim=-1)
    return -(units * units.sum(dim=1, keepdim=True)).sum(dim=-1)


class RuleCue(nn.Module):
    """What a model that learns several rules is told of the one it is asked about, to be added to features (b, d)."""

    def __init__(self, rules: Sequence[str], width: int) -> None:
        super().__init__()
        self.numbers = {rule: number for number, rule in enumerate(rules)}
        if rules:
            self.vectors = nn.Embedding(len(rules), RULE_WIDTH)
            self.join = nn.Linear(RULE_WIDTH, width, bias=False)

    def forward(self, batch: Batch) -> Tensor | float:
        """Look up the rules of a batch -> (b, 1, d), one for all images of a problem; 0 where there is but one rule."""
        if not self.numbers:
            return 0.0
        numbers = [self.numbers[rule] for rule in batch["input_rule"]]
        vectors = self.vectors(torch.tensor(numbers, device=self.vectors.weight.device))
        return self.join(vectors)[:, None]  # type: ignore[no-any-return]


class ComparingHead(nn.Module):
    """Two layers to the embeddings that images are compared by, 128 numbers each."""

    def __init__(self, rules: Sequence[str], features: int, *, hidden: int = 2048, width: int = 128) -> None:
        super().__init__()
        self.hidden = nn.Linear(features, hidden)
        self.cue = RuleCue(rules, hidden)
        self.out = nn.Linear(hidden, width)

    def forward(self, features: Tensor, batch: Batch) -> Tensor:
        """Embed images by their features, (b, 4, features) -> (b, 4, width)"""
        return self.out(F.relu(self.hidden(features) + self.cue(batch)))  # type: ignore[no-any-return]
