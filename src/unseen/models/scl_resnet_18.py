"""SCL-ResNet-18: a ResNet-18 in the place of SCL's few convolutions; a baseline of CVR with 11.6 M parameters.

The scattering head has a width of 128, with 128 attribute heads and as many relation heads, of one number each.
"""

from __future__ import annotations

from torch import Tensor, nn

from unseen.models import Odd
from unseen.models.layers import Batch
from unseen.models.odd_one_out import images_of
from unseen.models.residual import resnet_18
from unseen.models.scattering import Scattering


class SCLResNet18(nn.Module):
    """Sees every image by a ResNet-18, and scores it against all four as its context."""

    kinds = ("odd",)

    def __init__(self, task: Odd, *, width: int = 128, hidden: int = 256, channels: int = 64) -> None:
        super().__init__()
        self.images = task.images
        self.backbone = resnet_18(channels=channels)
        self.head = Scattering(task.rules, self.backbone.width, width=width, heads=width, hidden=hidden)

    def forward(self, batch: Batch) -> Tensor:
        """Score the images of a batch -> (b, 4)"""
        features = self.backbone(images_of(batch)).unflatten(0, (-1, self.images))  # (b, 4, 512)
        return self.head(features, batch)  # type: ignore[no-any-return]
