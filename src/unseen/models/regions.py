"""Regions of images as vectors, each with its place, for models that read words and regions alike.

Published models see 36 regions of a photo, as a detector found and described them, with 5 numbers that say where each
is. Where there are such regions, these are read. Of images that have none, a small convolutional network describes
the 36 cells of a grid. Where it knows words for what can be seen, it says how likely each of them fits a cell, and a
cell is described by the vectors that these words have in questions, each by its chance: so a word and what it names
are alike from the start, as with the object tags of Oscar (Li et al. 2020). The mean of all regions comes first, with
the place of the whole image.

Shapes in comments: b images, m regions, d width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from unseen.models import Questions
from unseen.models.layers import Batch, pixels, words

CELLS = 6  # of a side: 36 regions
PLACE = 5  # numbers of a region: left, top, right, bottom, area
RARE = -4.0  # how sure a cell is of any word at first: it shows few of all
SHOWN = 0.3  # share of a cell or of an object that both must have in common for the cell to show it


class Regions(nn.Module):
    """What models see of images: regions that are given, or the cells of a grid; blank ones without either."""

    cells: Tensor
    whole: Tensor

    def __init__(self, told: Questions, width: int, channels: int, dropout: float, *, sees: bool = True) -> None:
        super().__init__()
        self.sees = sees
        self.eye = Eye(width, channels) if sees and not told.features else None
        self.names = nn.Linear(width, len(told.symbols)) if self.eye and told.symbols else None
        self.numbers = told.features or width  # that describe a region
        self.feature = nn.Identity() if self.names is not None else nn.Linear(self.numbers, width)
        self.place = nn.Linear(PLACE, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("cells", grid_places(CELLS), persistent=False)
        self.register_buffer("whole", torch.tensor([[0.0, 0.0, 1.0, 1.0, 1.0]]), persistent=False)

    def forward(self, batch: Batch, count: int, symbols: Tensor) -> Tensor:
        """Describe the images of a batch, of which there are so many -> (b, 1 + m, d)

        `symbols` (words, d) are the vectors of the words for what can be seen.
        """
        features, places = self.described(batch, count)
        if self.names is not None:
            return self.shown(self.names(features).sigmoid(), symbols)
        return self.placed(self.feature(features), places)

    def described(self, batch: Batch, count: int) -> tuple[Tensor, Tensor]:
        """What the regions of images show and where they are, (b, m, numbers) and (b or 1, m, 5)."""
        if not self.sees:
            return self.cells.new_zeros(count, len(self.cells), self.numbers), self.cells[None]
        if self.eye is None:
            return batch["input_features"], batch["input_places"]
        return self.eye(pixels(batch["input_images"])), self.cells[None]

    def named(self, batch: Batch) -> Tensor:
        """How likely each word fits each cell of images, logits (b, cells, words)."""
        logits: Tensor = self.names(self.described(batch, 0)[0])  # type: ignore[misc]
        return logits

    def shown(self, chances: Tensor, symbols: Tensor) -> Tensor:
        """Vectors of cells by the words that fit them, (b, cells, words) and (words, d) -> (b, 1 + cells, d)"""
        return self.placed(chances @ symbols, self.cells[None])

    def placed(self, vectors: Tensor, places: Tensor) -> Tensor:
        """Vectors of what regions show and where, that of the whole image first."""
        vectors = torch.cat([vectors.mean(1, keepdim=True), vectors], dim=1)
        places = torch.cat([self.whole.expand(len(places), 1, -1), places], dim=1)
        return self.dropout(self.norm(vectors + self.place(places)))  # type: ignore[no-any-return]


class Eye(nn.Module):
    """Images -> descriptions of the cells of a grid."""

    def __init__(self, width: int, channels: int) -> None:
        super().__init__()
        narrow, middle, wide = channels, 2 * channels, 4 * channels
        halves = [_halving(*widths, kernel=5, padding=2) for widths in ((3, narrow), (narrow, middle), (middle, wide))]
        self.layers = nn.Sequential(*halves, nn.AdaptiveAvgPool2d(2 * CELLS), _halving(wide, width, kernel=2))

    def forward(self, images: Tensor) -> Tensor:
        """Describe images, (b, 3, side, side) -> (b, cells, d)"""
        cells: Tensor = self.layers(images - 0.5).flatten(2).transpose(1, 2)
        return cells


def _halving(start: int, end: int, *, kernel: int, padding: int = 0) -> nn.Sequential:
    """A convolution that halves the sides of images; without the normalization it hardly learns to name anything."""
    return nn.Sequential(nn.Conv2d(start, end, kernel, 2, padding), nn.BatchNorm2d(end), nn.ReLU())


def grid_places(side: int) -> Tensor:
    """The places of the cells of a grid in reading order, (cells, 5).

    >>> grid_places(2)[1].tolist()
    [0.5, 0.0, 1.0, 0.5, 0.25]
    """
    line = torch.arange(side) / side
    top, left = (values.flatten() for values in torch.meshgrid(line, line, indexing="ij"))
    return torch.stack([left, top, left + 1 / side, top + 1 / side, torch.full_like(top, side**-2)], dim=1)


def showing(boxes: Tensor, cells: Tensor) -> Tensor:
    """Which cells show which objects, (b, objects, 4) and (cells, 5) -> (b, cells, objects) of 0 and 1.

    >>> showing(torch.tensor([[[0.0, 0.0, 0.5, 0.6]]]), grid_places(2)).flatten().tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    one, other = cells[:, None, :4], boxes[:, None]
    sides = torch.minimum(one[..., 2:], other[..., 2:]) - torch.maximum(one[..., :2], other[..., :2])
    common = sides.clamp(min=0).prod(-1)  # (b, cells, objects)
    size = (boxes[..., 2:] - boxes[..., :2]).prod(-1)[:, None]
    least = torch.minimum(cells[:, 4:], size)
    return (common > SHOWN * least).to(boxes.dtype)


def named(names: Sequence[str], known: dict[str, int], objects: int) -> Tensor:
    """The words of the objects of images, "red car; tall boy" -> (b, objects, words) of 0 and 1.

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
