"""MoCo-v3 (Chen et al., 2021): backbones that learn from single images without labels (CVR, supplement, section 4).

Two random views of an image are to be alike: what is predicted from one is compared with what a twin of the network
makes of the other, among all images of the batch. The twin follows the network slowly. Views are crops of 80 to 100 %
of the image, blurred, mirrored or not, and turned by right angles; colors stay, because they carry rules. One image of
each problem is seen, the first that is not the odd one, as published, where the odd one comes last.

A network that never saw a label can answer, too: the odd image is the one whose features are least like the others'.
To learn from labels after this, start another model from such a run: `--model resnet-50 --init-from RUN`.

Decided here: on several devices, images are compared within each device's share of the batch.
"""

from __future__ import annotations

from copy import deepcopy
from math import ceil, cos, log, pi

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Odd, Stage
from unseen.models.layers import Batch
from unseen.models.odd_one_out import centered, images_of, scores_of_unlikeness
from unseen.models.patch_transformer import PatchTransformer
from unseen.models.residual import Residual, resnet_50

# ---------------------------------------------------------------------------- the model


class MoCo(nn.Module):
    """A backbone, the layers that views are compared by, and a twin of both that follows slowly."""

    kinds = ("odd",)
    single = True  # one image of each problem is seen
    stages = (Stage("contrast", loss="contrast"),)
    progress = 0.0  # share of the steps that are done; the loop says it before every step

    def __init__(
        self,
        backbone: Residual | PatchTransformer,
        *,
        images: int,
        layers: int,
        hidden: int,
        width: int,
        temperature: float,
        momentum: float,
        bare: bool = False,
    ) -> None:
        """Make a learner around a backbone, with so many layers to project its features.

        What is predicted from them is normalised in the end as well, or `bare`.
        """
        super().__init__()
        self.images, self.temperature, self.momentum = images, temperature, momentum
        self.backbone = backbone
        self.project = normalised(backbone.width, *[hidden] * (layers - 1), width)
        self.predict_other = normalised(width, hidden, width)[: -1 if bare else None]
        self.twin = deepcopy(nn.Sequential(self.backbone, self.project)).requires_grad_(False)

    def forward(self, batch: Batch) -> Tensor:
        """Score the images of a batch by how unlike the others their features are -> (b, 4)"""
        return scores_of_unlikeness(self.backbone(images_of(batch)).unflatten(0, (-1, self.images)))

    def contrast(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Tell how badly a view tells its other view from those of other images, and how often it is told right."""
        images = centered(batch["input_image"])
        if len(images) < 2:
            raise SpecError("a batch of one image has nothing to compare it with; choose another batch_size")
        first, second = view(images), view(images)
        self.twin.train(self.training)  # it does not learn, yet normalises by the batch as the network does
        with torch.no_grad():
            targets = self.twin(second), self.twin(first)
        predicted = [self.predict_other(self.project(self.backbone(each))) for each in (first, second)]
        logits = [self.likeness(one, other) for one, other in zip(predicted, targets, strict=True)]
        own = torch.arange(len(images), device=images.device)
        loss = sum(F.cross_entropy(each, own) for each in logits) * 2 * self.temperature
        right = torch.stack([each.argmax(dim=1).eq(own).float().mean() for each in logits]).mean()
        return torch.as_tensor(loss), {"told_right": right}

    def likeness(self, one: Tensor, other: Tensor) -> Tensor:
        """Cosines of all pairs over the temperature, (b, d) and (b, d) -> (b, b)"""
        return F.normalize(one, dim=1) @ F.normalize(other, dim=1).T / self.temperature

    def after_step(self) -> None:
        """Move the twin a little towards the network, less and less."""
        kept = 1 - (1 - self.momentum) * (1 + cos(pi * self.progress)) / 2
        pair = nn.Sequential(self.backbone, self.project)
        for follower, leader in zip(self.twin.parameters(), pair.parameters(), strict=True):
            follower.lerp_(leader, 1 - kept)


class MoCoResNet50(MoCo):
    """ResNet-50 that learns without labels; its blocks begin as the identity."""

    def __init__(
        self,
        task: Odd,
        *,
        channels: int = 64,
        hidden: int = 4096,
        width: int = 256,
        temperature: float = 1.0,
        momentum: float = 0.99,
    ) -> None:
        backbone = resnet_50(channels=channels, identity=True)
        super().__init__(
            backbone,
            images=task.images,
            layers=2,
            hidden=hidden,
            width=width,
            temperature=temperature,
            momentum=momentum,
            bare=True,
        )


class MoCoViTSmall(MoCo):
    """ViT-small that learns without labels."""

    def __init__(
        self,
        task: Odd,
        *,
        features: int = 384,
        blocks: int = 12,
        heads: int = 12,
        hidden: int = 4096,
        width: int = 256,
        temperature: float = 0.2,
        momentum: float = 0.99,
    ) -> None:
        backbone = PatchTransformer(task.side, width=features, layers=blocks, heads=heads)
        super().__init__(
            backbone,
            images=task.images,
            layers=3,
            hidden=hidden,
            width=width,
            temperature=temperature,
            momentum=momentum,
        )


def normalised(*widths: int) -> nn.Sequential:
    """Linear layers of these widths, normalised over the batch, and rectified between."""
    made: list[nn.Module] = []
    last = len(widths) - 1
    for number in range(last):
        inner = number + 1 < last
        made += [nn.Linear(widths[number], widths[number + 1], bias=False)]
        made += [nn.BatchNorm1d(widths[number + 1], affine=inner), *([nn.ReLU()] if inner else [])]
    return nn.Sequential(*made)


# ---------------------------------------------------------------------------- views

SCALE, RATIO = (0.8, 1.0), (3 / 4, 4 / 3)  # of a crop: its share of the image, and its width over its height
TRIES = 10  # to draw a crop that fits, before the whole image is taken
SIGMA = (0.1, 2.0)  # pixels, of the blur


def view(images: Tensor) -> Tensor:
    """Draw a view of each image, (b, channels, side, side) -> the same shape."""
    found = places(len(images), images)
    return blurred(F.grid_sample(images, found, mode="bilinear", padding_mode="border", align_corners=False))


def places(count: int, like: Tensor) -> Tensor:
    """Where the pixels of so many views come from: a crop, mirrored in half of the cases, turned by right angles."""
    device = like.device
    share = uniform(SCALE, count, TRIES, device=device)
    ratio = uniform((log(RATIO[0]), log(RATIO[1])), count, TRIES, device=device).exp()
    sizes = torch.stack([share * ratio, share / ratio], dim=-1).sqrt()  # (count, tries, width and height)
    fits = (sizes <= 1).all(dim=-1)
    chosen = sizes[torch.arange(count, device=device), fits.int().argmax(dim=1)]
    extent = torch.where(fits.any(dim=1, keepdim=True), chosen, torch.ones_like(chosen))  # (count, 2)
    middle = (2 * torch.rand(count, 2, device=device) - 1) * (1 - extent)  # the image reaches from -1 to 1
    turns = torch.randint(4, (count,), device=device) * (pi / 2)
    mirrored = 1 - 2 * torch.randint(2, (count,), device=device)
    cosine, sine = turns.cos().round(), turns.sin().round()
    turn = torch.stack([cosine * mirrored, -sine, sine * mirrored, cosine], dim=-1).view(count, 2, 2)
    placed = torch.cat([extent[..., None] * turn, middle[..., None]], dim=-1)  # (count, 2, 3)
    return F.affine_grid(placed, [count, *like.shape[1:]], align_corners=False)


def blurred(images: Tensor) -> Tensor:
    """Blur every image by its own Gaussian, across and then down."""
    count, channels = images.shape[:2]
    reach = ceil(3 * SIGMA[1])
    sigma = uniform(SIGMA, count, 1, device=images.device)
    offsets = torch.arange(-reach, reach + 1, device=images.device)
    kernel = torch.exp(-(offsets**2) / (2 * sigma**2))
    kernel = (kernel / kernel.sum(dim=1, keepdim=True)).to(images.dtype)  # (count, 2 * reach + 1)
    kernel = kernel.repeat_interleave(channels, dim=0)[:, None]
    flat = F.pad(images, [reach] * 4, mode="replicate").flatten(0, 1)[None]  # every channel is a group of its own
    flat = F.conv2d(flat, kernel[:, :, None], groups=count * channels)
    return F.conv2d(flat, kernel[..., None], groups=count * channels).view_as(images)


def uniform(bounds: tuple[float, float], *shape: int, device: torch.device) -> Tensor:
    """Draw numbers between two bounds."""
    return bounds[0] + (bounds[1] - bounds[0]) * torch.rand(*shape, device=device)
