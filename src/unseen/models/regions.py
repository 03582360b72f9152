"""Regions of images as vectors, each with its place, for models that read words and regions alike.

Published models see 36 regions of a photo, as a detector found and described them, with 5 numbers that say where each
is. Where there are such regions, these are read. Where a task tells the boxes of objects, they are the regions, and a
small network, the eye, looks at what is in them. It says how likely every word for what can be seen fits a region, and
the region is described by the vectors that these words have in questions, each by its chance: so a word and what it
names are alike from the start, as with the object tags of Oscar (Li et al. 2020). What a detector says of a region also
depends on what is around it; here a region is told of the others by how their boxes stand to its own. Without boxes,
the regions are the 36 cells of a grid. The mean of all regions comes first, with the place of the whole image.

Shapes in comments: b images, m regions, d width, k ways to stand to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Questions
from unseen.models.layers import Batch, pixels, words

CELLS = 6  # of a side: 36 regions
PLACE = 5  # numbers of a region: left, top, right, bottom, area
RARE = -4.0  # how sure the eye is of any word at first: a region shows few of all
FAINT = -3.0  # how loud regions are to each other at first
CROP = 16  # pixels of a side in which the eye sees a region
AROUND = 0.15  # of the sides of a region, that it sees beyond each


class Regions(nn.Module):
    """What models see of images: regions that are given or boxed, the cells of a grid, or blank ones."""

    cells: Tensor
    whole: Tensor

    def __init__(self, told: Questions, width: int, channels: int, dropout: float, *, sees: bool = True) -> None:
        super().__init__()
        self.sees = sees
        self.eye = Eye(width, channels) if sees and not told.features else None
        self.names = nn.Linear(width, len(told.symbols)) if self.eye and told.symbols else None
        self.around = Around(width) if self.names is not None else None
        self.numbers = told.features or width  # that describe a region
        self.feature = nn.Identity() if self.names is not None else nn.Linear(self.numbers, width)
        self.place = nn.Linear(PLACE, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("cells", grid_places(CELLS), persistent=False)
        self.register_buffer("whole", torch.tensor([[0.0, 0.0, 1.0, 1.0, 1.0]]), persistent=False)

    def begin(self) -> None:
        """Set what is not drawn at random, where words for what can be seen are known."""
        if self.names is not None and self.around is not None:
            nn.init.constant_(self.names.bias, RARE)
            self.around.begin()

    def forward(self, batch: Batch, count: int, symbols: Tensor) -> tuple[Tensor, Tensor]:
        """Describe the `count` images of a batch -> (b, 1 + m, d), and which of them are none, (b, 1 + m)

        `symbols` (words, d) are the vectors of the words for what can be seen.
        """
        features, places = self.described(batch, count)
        if self.names is not None:
            return self.shown(self.names(features).sigmoid(), places, symbols)
        return self.placed(self.feature(features), places)

    def described(self, batch: Batch, count: int) -> tuple[Tensor, Tensor]:
        """Return what the regions of images show and where they are, (b, m, numbers) and (b, m, 5)."""
        if not self.sees:
            return self.cells.new_zeros(count, len(self.cells), self.numbers), self.cells.expand(count, -1, -1)
        if self.eye is None:
            return batch["input_features"], batch["input_places"]
        images = pixels(batch["input_images"])
        places = self.boxed(batch) if self.names is not None else self.cells.expand(len(images), -1, -1)
        return self.eye(images, places), places

    def named(self, batch: Batch) -> Tensor:
        """Tell how likely each word fits each region of images, logits (b, m, words)."""
        logits: Tensor = self.names(self.described(batch, 0)[0])  # type: ignore[misc]
        return logits

    def boxed(self, batch: Batch) -> Tensor:
        """Return the places of the objects of images, (b, m, 5); those of no size stand for none."""
        boxes = batch["input_boxes"]
        return torch.cat([boxes, _sides(boxes).prod(-1, keepdim=True)], dim=-1)

    def shown(self, chances: Tensor, places: Tensor, symbols: Tensor) -> tuple[Tensor, Tensor]:
        """Describe regions by the words that fit them, (b, m, words), (b, m, 5) and (words, d) -> as `forward` does."""
        vectors = chances @ symbols
        assert self.around is not None
        return self.placed(vectors + self.around(vectors, places), places)

    def placed(self, vectors: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of what regions show and where, that of the whole image first; and which of them are none."""
        there = places[..., 4:] > 0
        mean = (vectors * there).sum(1, keepdim=True) / there.sum(1, keepdim=True).clamp(min=1)
        vectors = torch.cat([mean, vectors], dim=1)
        places = torch.cat([self.whole.expand(len(places), 1, -1), places], dim=1)
        return self.dropout(self.norm(vectors + self.place(places))), places[..., 4] <= 0


class Eye(nn.Module):
    """Regions of images -> descriptions of what is in them."""

    def __init__(self, width: int, channels: int) -> None:
        super().__init__()
        narrow, middle, wide = channels, 2 * channels, 4 * channels
        self.layers = nn.Sequential(
            *(_convolved(3, narrow, 1), _convolved(narrow, middle, 2), _convolved(middle, wide, 2)),
            *(nn.Flatten(), nn.Linear(wide * (CROP // 4) ** 2, width), nn.ReLU()),
        )

    def forward(self, images: Tensor, places: Tensor) -> Tensor:
        """Describe images (b, 3, side, side) at some places (b, m, 5) -> (b, m, d)"""
        there = places[..., 4] > 0
        found = self.layers(crops(images - 0.5, places)[there])
        described = found.new_zeros(*there.shape, found.shape[-1])
        described[there] = found
        return described  # type: ignore[no-any-return]


class Around(nn.Module):
    """Tells every region of the others, by how their boxes stand to its own."""

    def __init__(self, width: int, ways: int = 6) -> None:
        super().__init__()
        self.ways = nn.Sequential(nn.Linear(STANDS, 32), nn.GELU(), nn.Linear(32, ways))
        self.told = nn.Linear(width, ways * width)

    def begin(self) -> None:
        """Let others be heard faintly at first, by ways that differ: louder, they would drown what a region shows."""
        nn.init.normal_(self.ways[0].weight, std=0.5)  # type: ignore[arg-type]
        nn.init.constant_(self.ways[2].bias, FAINT)  # type: ignore[arg-type]

    def forward(self, vectors: Tensor, places: Tensor) -> Tensor:
        """What is said to each region, (b, m, d) and (b, m, 5) -> (b, m, d)"""
        there = places[..., 4] > 0
        others = there[:, None] & ~torch.eye(places.shape[1], dtype=torch.bool, device=places.device)
        shares = self.ways(standing(places[..., :4])).sigmoid() * others[..., None]  # (b, m, m, k)
        messages = self.told(vectors).unflatten(-1, (shares.shape[-1], -1))  # (b, m, k, d)
        return shares.flatten(2) @ messages.flatten(1, 2)  # type: ignore[no-any-return]


STANDS = 12  # numbers that say how a box stands to another


def standing(boxes: Tensor) -> Tensor:
    """Tell how every box stands to every other, (b, m, 4) -> (b, m, m, 12).

    From where, how far, how large, how much in common; about 1 for objects beside each other in an image of ours.
    """
    middles, sides = (boxes[..., :2] + boxes[..., 2:]) / 2, _sides(boxes)
    far = middles[:, :, None] - middles[:, None]
    one, other = sides[:, :, None].expand_as(far), sides[:, None].expand_as(far)
    common = torch.minimum(boxes[:, :, None, 2:], boxes[:, None, :, 2:])
    common = common - torch.maximum(boxes[:, :, None, :2], boxes[:, None, :, :2])  # negative: the gap between them
    shares = [
        common.clamp(min=0).prod(-1, keepdim=True) / (size.prod(-1, keepdim=True) + 1e-6) for size in (one, other)
    ]
    return torch.cat([5 * far, 5 * far.abs(), 5 * one, 5 * other, 10 * common, *shares], dim=-1)


def crops(images: Tensor, places: Tensor) -> Tensor:
    """Images (b, c, side, side) at some places (b, m, 5), and a little around them -> (b, m, c, 16, 16)"""
    low, sides = places[..., :2], places[..., 2:4] - places[..., :2]
    steps = (torch.arange(CROP, device=images.device) + 0.5) / CROP * (1 + 2 * AROUND) - AROUND  # 0 to 1 is the place
    x, y = ((low[..., at, None] + steps * sides[..., at, None]) * 2 - 1 for at in (0, 1))  # (b, m, 16)
    grid = torch.stack([x[..., None, :].expand(*x.shape, CROP), y[..., None].expand(*y.shape, CROP)], dim=-1)
    seen = F.grid_sample(images, grid.flatten(1, 2), align_corners=False, padding_mode="border")  # (b, c, m * 16, 16)
    return seen.unflatten(2, (-1, CROP)).transpose(1, 2)  # type: ignore[no-any-return, no-untyped-call]


def _convolved(start: int, end: int, stride: int) -> nn.Sequential:
    """A convolution with a normalization, without which the eye hardly learns to name anything."""
    return nn.Sequential(nn.Conv2d(start, end, 3, stride, 1), nn.BatchNorm2d(end), nn.ReLU())


def _sides(boxes: Tensor) -> Tensor:
    return boxes[..., 2:] - boxes[..., :2]


def grid_places(side: int) -> Tensor:
    """Return the places of the cells of a grid in reading order, (cells, 5).

    >>> grid_places(2)[1].tolist()
    [0.5, 0.0, 1.0, 0.5, 0.25]
    """
    line = torch.arange(side) / side
    top, left = (values.flatten() for values in torch.meshgrid(line, line, indexing="ij"))
    return torch.stack([left, top, left + 1 / side, top + 1 / side, torch.full_like(top, side**-2)], dim=1)


def named(names: Sequence[str], known: dict[str, int], objects: int) -> Tensor:
    """Return the words of the objects of images, "red car; tall boy" -> (b, objects, words) of 0 and 1.

    >>> named(["red car; boy"], {"car": 0, "red": 1}, 3).tolist()
    [[[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]]
    """
    found = torch.zeros(len(names), objects, len(known))
    for image, text in enumerate(names):
        for thing, name in enumerate(text.split("; ")):
            for word in words(name):
                if word in known:
                    found[image, thing, known[word]] = 1
    return found
