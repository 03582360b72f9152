"""Residual networks (He et al., 2016) as backbones: ResNet-18 and ResNet-50, an image to the mean of its feature map.

Parameters have the names of the usual PyTorch implementation, so that weights trained on ImageNet fit as they are.

CLIP's ResNets differ in two ways, which `antialiased` adds: three small convolutions with an average pool in place of
one large one with a maximum, and average pools in place of strides. CLIP then pools by attention over a map of 7x7; an
image of 128 pixels has a map of 4x4, so its mean is taken here too.
"""

from __future__ import annotations

from collections import OrderedDict

import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn


class Residual(nn.Module):
    """Four stages of residual blocks; each but the first halves the map and doubles the channels."""

    def __init__(
        self,
        blocks: tuple[int, int, int, int],
        *,
        bottleneck: bool,
        channels: int = 64,
        antialiased: bool = False,
        identity: bool = False,
    ) -> None:
        """Make a network of so many blocks in each stage; with `identity`, blocks begin as the identity."""
        super().__init__()
        if antialiased:
            self.conv1, self.bn1 = convolution(3, channels // 2, 3, stride=2), nn.BatchNorm2d(channels // 2)
            self.conv2, self.bn2 = convolution(channels // 2, channels // 2, 3), nn.BatchNorm2d(channels // 2)
            self.conv3, self.bn3 = convolution(channels // 2, channels, 3), nn.BatchNorm2d(channels)
        else:
            self.conv1, self.bn1 = convolution(3, channels, 7, stride=2), nn.BatchNorm2d(channels)
        self.antialiased = antialiased
        make = Bottleneck if bottleneck else BasicBlock
        width = channels
        for stage, count in enumerate(blocks):
            inner = channels * 2**stage
            first = make(width, inner, stride=1 if stage == 0 else 2, antialiased=antialiased)
            width = inner * make.expansion
            rest = (make(width, inner, antialiased=antialiased) for _ in range(count - 1))
            self.add_module(f"layer{stage + 1}", nn.Sequential(first, *rest))
        self.width = width
        self.apply(begin)
        if identity:
            for module in self.modules():
                if isinstance(module, Bottleneck | BasicBlock):
                    nn.init.zeros_(module.last_norm.weight)

    def forward(self, images: Tensor) -> Tensor:
        """See images, (n, 3, height, width) -> (n, width)"""
        return self.map(images).mean(dim=(2, 3))

    def map(self, images: Tensor) -> Tensor:
        """Return the feature map that `forward` takes the mean of, (n, width, height / 32, width / 32)."""
        x = F.relu(self.bn1(self.conv1(images)))
        if self.antialiased:
            x = F.relu(self.bn2(self.conv2(x)))
            x = F.avg_pool2d(F.relu(self.bn3(self.conv3(x))), 2)
        else:
            x = F.max_pool2d(x, kernel_size=3, stride=2, padding=1)
        for stage in range(1, 5):
            x = self.get_submodule(f"layer{stage}")(x)
        return x


class BasicBlock(nn.Module):
    """Two convolutions of 3x3, added to what they read (ResNet-18)."""

    expansion = 1

    def __init__(self, width: int, inner: int, *, stride: int = 1, antialiased: bool = False) -> None:
        super().__init__()
        self.conv1, self.bn1 = convolution(width, inner, 3, stride=stride), nn.BatchNorm2d(inner)
        self.conv2, self.bn2 = convolution(inner, inner, 3), nn.BatchNorm2d(inner)
        self.downsample = shortcut(width, inner, stride=stride, antialiased=antialiased)

    @property
    def last_norm(self) -> nn.BatchNorm2d:
        """The normalisation before the sum."""
        return self.bn2

    def forward(self, x: Tensor) -> Tensor:
        """Add two convolutions to the input, or to its projection."""
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class Bottleneck(nn.Module):
    """A convolution of 3x3 between two of 1x1, the last of which has four times the channels (ResNet-50)."""

    expansion = 4

    def __init__(self, width: int, inner: int, *, stride: int = 1, antialiased: bool = False) -> None:
        super().__init__()
        out = inner * self.expansion
        self.conv1, self.bn1 = convolution(width, inner, 1), nn.BatchNorm2d(inner)
        self.conv2 = convolution(inner, inner, 3, stride=1 if antialiased else stride)
        self.bn2 = nn.BatchNorm2d(inner)
        self.pool = nn.AvgPool2d(stride) if antialiased and stride > 1 else nn.Identity()
        self.conv3, self.bn3 = convolution(inner, out, 1), nn.BatchNorm2d(out)
        self.downsample = shortcut(width, out, stride=stride, antialiased=antialiased)

    @property
    def last_norm(self) -> nn.BatchNorm2d:
        """The normalisation before the sum."""
        return self.bn3

    def forward(self, x: Tensor) -> Tensor:
        """Add three convolutions to the input, or to its projection."""
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.pool(F.relu(self.bn2(self.conv2(y))))
        return F.relu(self.bn3(self.conv3(y)) + self.downsample(x))


def shortcut(width: int, out: int, *, stride: int, antialiased: bool) -> nn.Module:
    """Return what is added to the convolutions of a block: its input, or a projection where that does not fit."""
    if stride == 1 and width == out:
        return nn.Identity()
    pooled = antialiased and stride > 1
    layers = {"0": convolution(width, out, 1, stride=1 if pooled else stride), "1": nn.BatchNorm2d(out)}
    return nn.Sequential(OrderedDict({"pool": nn.AvgPool2d(stride), **layers} if pooled else layers))


def convolution(channels: int, out: int, kernel: int, *, stride: int = 1) -> nn.Conv2d:
    """Make a convolution without bias, for a normalisation follows; only its stride changes the size."""
    return nn.Conv2d(channels, out, kernel, stride=stride, padding=kernel // 2, bias=False)


def begin(module: nn.Module) -> None:
    """Draw the weights of a convolution so that signals keep their size on the way back; for `apply`."""
    if isinstance(module, nn.Conv2d):
        nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")


def resnet_18(*, channels: int = 64) -> Residual:
    """Make a ResNet-18: 11.2 M parameters, 512 features."""
    return Residual((2, 2, 2, 2), bottleneck=False, channels=channels)


def resnet_50(*, channels: int = 64, antialiased: bool = False, identity: bool = False) -> Residual:
    """Make a ResNet-50: 23.5 M parameters, 2,048 features."""
    return Residual((3, 4, 6, 3), bottleneck=True, channels=channels, antialiased=antialiased, identity=identity)
