"""ResNet-50 with a head that compares images; a baseline of CVR with 28.1 M parameters.

Weights of ImageNet fit by their usual names, and so do those of the image tower of CLIP with `antialiased=true`; see
`residual.py` for what that changes. The head always begins afresh.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from unseen.models import Odd
from unseen.models.layers import Batch
from unseen.models.odd_one_out import ComparingHead, images_of, scores_of_unlikeness
from unseen.models.residual import resnet_50

AROUND = ("", "module.", "visual.", "base_encoder.", "module.base_encoder.")  # how a backbone's names begin elsewhere


class ResNet50(nn.Module):
    """Embeds every image by itself; the one that is least like the others is the odd one."""

    kinds = ("odd",)

    def __init__(self, task: Odd, *, hidden: int = 2048, channels: int = 64, antialiased: bool = False) -> None:
        super().__init__()
        self.images = task.images
        self.backbone = resnet_50(channels=channels, antialiased=antialiased)
        self.head = ComparingHead(task.rules, self.backbone.width, hidden=hidden)

    def forward(self, batch: Batch) -> Tensor:
        """Score the images of a batch -> (b, 4)"""
        features = self.backbone(images_of(batch)).unflatten(0, (-1, self.images))  # (b, 4, 2048)
        return scores_of_unlikeness(self.head(features, batch))

    def adopt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Weights of other programs under the names that they have here."""
        own = self.backbone.state_dict().keys()
        names = {f"{start}{name}": f"backbone.{name}" for start in AROUND for name in own}
        return {names.get(name, name): value for name, value in weights.items()}
