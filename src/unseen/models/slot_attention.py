"""Slot attention for images and videos (Locatello et al. 2020; SAVi: Kipf et al. 2022), as SVIB's SSM-Slot has it.

    frames -> SlotEncoder -> slots of every frame -> SlotDecoder -> an image and a mask for each slot

Slots compete for the features of a frame: attention is normalised over slots, so that each feature is explained by few
of them. A predictor carries the slots from one frame to the next, so that a slot keeps its object. Shapes in comments:
b examples, t frames, k slots, d width of a slot, n features of a frame, each of width f.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from unseen.models.convolutions import LAYERS, growing, smallest
from unseen.models.transformer import TransformerEncoder, draw_weights, relu_mlp

FLOOR = 1e-8  # of attention, so that a slot which explains nothing has a mean, too


class SlotAttention(nn.Module):
    """Some rounds in which slots look at features and are changed by what they see."""

    def __init__(self, features: int, width: int, *, hidden: int) -> None:
        super().__init__()
        self.feature_norm = nn.LayerNorm(features)
        self.slot_norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(features, width, bias=False)
        self.value = nn.Linear(features, width, bias=False)
        self.update = nn.GRUCell(width, width)
        self.mlp_norm = nn.LayerNorm(width)
        self.mlp = relu_mlp(width, hidden, width)
        draw_weights(self)

    def forward(self, slots: Tensor, features: Tensor, *, rounds: int) -> tuple[Tensor, Tensor]:
        """Refine slots (b, k, d) by features (b, n, f) -> the slots, and their shares of each feature (b, k, n)"""
        seen = self.feature_norm(features)
        key, value = self.key(seen) * slots.shape[-1] ** -0.5, self.value(seen)  # (b, n, d) each
        for _ in range(rounds):
            shares = torch.bmm(self.query(self.slot_norm(slots)), key.transpose(1, 2)).softmax(dim=1)  # (b, k, n)
            weights = shares + FLOOR
            means = torch.bmm(weights / weights.sum(dim=2, keepdim=True), value)  # (b, k, d)
            slots = self.update(means.flatten(0, 1), slots.flatten(0, 1)).view_as(slots)
            slots = slots + self.mlp(self.mlp_norm(slots))
        return slots, shares


class GaussianSlots(nn.Module):
    """Slots to begin with: drawn from one learned Gaussian, so that none of them is for a certain object.

    Outside of training the same are drawn every time, so that an image is always seen alike.
    """

    noise: Tensor  # (k, d)

    def __init__(self, slots: int, width: int) -> None:
        super().__init__()
        self.mean = nn.Parameter(nn.init.xavier_uniform_(torch.empty(1, width)))
        self.log_deviation = nn.Parameter(nn.init.xavier_uniform_(torch.empty(1, width)))
        self.register_buffer("noise", torch.randn(slots, width, generator=torch.Generator().manual_seed(0)))

    def forward(self, examples: int) -> Tensor:
        """Draw the slots of so many examples -> (b, k, d)"""
        shape = (examples, *self.noise.shape)
        noise = torch.randn(shape, device=self.noise.device) if self.training else self.noise.expand(shape)
        return self.mean + self.log_deviation.exp() * noise


class LearnedSlots(nn.Module):
    """Slots to begin with: each learned by itself, so that one may become that of the background."""

    def __init__(self, slots: int, width: int) -> None:
        super().__init__()
        self.slots = nn.Parameter(torch.randn(slots, width))

    def forward(self, examples: int) -> Tensor:
        """Repeat the slots for each of `examples` examples -> (b, k, d)"""
        return self.slots.expand(examples, -1, -1)


class Coordinates(nn.Module):
    """Adds to the features of a square grid a learned linear map of how far they are from its four sides."""

    distances: Tensor  # (side, side, 4)

    def __init__(self, side: int, features: int) -> None:
        super().__init__()
        self.map = nn.Linear(4, features)
        draw_weights(self.map)
        line = torch.linspace(0, 1, side)
        rows, columns = torch.meshgrid(line, line, indexing="ij")
        distances = torch.stack([rows, columns, 1 - rows, 1 - columns], dim=-1)
        self.register_buffer("distances", distances, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Tell features where they are, (b, f, side, side) -> (b, f, side, side)"""
        return x + self.map(self.distances).permute(2, 0, 1)  # type: ignore[no-any-return]


class SlotEncoder(nn.Module):
    """Frames -> slots that keep their objects from frame to frame (SAVi)."""

    def __init__(
        self,
        side: int,
        *,
        slots: int,
        width: int,
        rounds: int,
        channels: int = 64,
        features: int = 192,
        hidden: int = 192,
        heads: int = 4,
    ) -> None:
        super().__init__()
        self.rounds = rounds
        self.eye = nn.Sequential(
            *(nn.Conv2d(3, channels, 5, stride=2, padding=2), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 5, padding=2), nn.ReLU()),
            *(nn.Conv2d(channels, channels, 5, padding=2), nn.ReLU()),
            nn.Conv2d(channels, features, 5, padding=2),
        )
        draw_weights(self.eye)
        self.coordinates = Coordinates(side // 2, features)
        self.features = nn.Sequential(nn.LayerNorm(features), *relu_mlp(features, features, features))
        draw_weights(self.features)
        self.start: nn.Module = GaussianSlots(slots, width)
        self.attention = SlotAttention(features, width, hidden=hidden)
        self.predict = TransformerEncoder(width, blocks=1, heads=heads)

    def forward(self, frames: Tensor) -> Tensor:
        """Follow objects through frames (b, t, 3, side, side) -> (b, t, k, d)"""
        return self.follow(frames)[0]

    def follow(self, frames: Tensor, hint: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Follow objects -> slots (b, t, k, d), and their shares of each place (b, t, k, side / 2, side / 2)

        Slots are drawn to begin with, or made from a `hint` where `start` is a module that takes one.
        """
        examples, length, _, height, width = frames.shape
        seen = self.see(frames.flatten(0, 1))
        seen = seen.view(examples, length, *seen.shape[1:])  # (b, t, n, f)
        slots = self.start(examples if hint is None else hint)  # (b, k, d)
        every, shares = [], []
        for number in range(length):
            slots = self.predict(slots) if number else slots
            slots, taken = self.attention(slots, seen[:, number], rounds=self.rounds)
            every.append(slots)
            shares.append(taken)
        places = torch.stack(shares, dim=1).view(examples, length, -1, height // 2, width // 2)
        return torch.stack(every, dim=1), places

    def see(self, images: Tensor) -> Tensor:
        """Return the features of images (b, 3, side, side) -> (b, n, f)."""
        return self.features(self.coordinates(self.eye(images)).flatten(2).transpose(1, 2))  # type: ignore[no-any-return]


class Painted(NamedTuple):
    """What slots stand for."""

    image: Tensor  # (b, 3, side, side): all of them together
    images: Tensor  # (b, k, 3, side, side): each alone, wherever it is
    masks: Tensor  # (b, k, 1, side, side): which share of each pixel is its own; 1 over all slots


class SlotDecoder(nn.Module):
    """Slots -> an image: each paints its own and says where it is seen (spatial broadcast decoder).

    A slot is spread over a grid that is `doubling` times smaller by half than the image. Where colors are `flat`, a
    slot has one for all places: what it paints has the shape of its mask, and of nothing else.
    """

    def __init__(
        self, side: int, width: int, *, channels: int = 64, doubling: int = LAYERS, flat: bool = False
    ) -> None:
        super().__init__()
        self.flat = flat
        self.side = smallest(side) * 2 ** (LAYERS - doubling)
        self.coordinates = Coordinates(self.side, width)
        self.brush = growing(width, channels, 4, doubling=doubling)
        draw_weights(self.brush)

    def forward(self, slots: Tensor) -> Painted:
        """Paint what slots (b, k, d) stand for"""
        spread = slots.flatten(0, 1)[:, :, None, None].expand(-1, -1, self.side, self.side)  # (b * k, d, side, side)
        painted = self.brush(self.coordinates(spread)).unflatten(0, slots.shape[:2])  # (b, k, 4, side, side)
        images, masks = painted[:, :, :3], painted[:, :, 3:].softmax(dim=1)
        if self.flat:
            images = images.mean(dim=(-2, -1), keepdim=True).expand_as(images)
        return Painted((images * masks).sum(dim=1), images, masks)
