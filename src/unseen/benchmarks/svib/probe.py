"""A small network that reads the objects of an image in 3-D: where each is, and every factor of its look.

Every cell of a grid over the image says whether it shows an object, where the middle of that object is, and how
probable each value of each factor is. Cells that agree on a middle are an object, and what they say of it is averaged.
Where they do not agree, or are not sure of one of the factors, the reader abstains: the object is not told.

The weights in `probes/` were trained on our own images, masks and symbols by `perf/train_factor_readers.py`. With them
are how sure it has to be, which was chosen on images of the val split, and how well it then reads images of the test
split.
"""

from __future__ import annotations

import json
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812
from safetensors import safe_open
from torch import Tensor, nn

from unseen.benchmarks.svib.worlds import Combination, World

SIDE = 64  # pixels of the images that the network sees; others are scaled
CELLS = 16  # across and down
WIDTH = 64  # channels
REACHES = (1, 2, 4, 1, 2, 4)  # of the layers, in cells: together they see all of the largest object
NEAR = 0.06  # sides of the image by which cells may differ on a middle
SHOWS = 0.3  # how probable an object is in a cell that has a say
FOLDER = Path(__file__).parent / "probes"


class Read(NamedTuple):
    """An object that the network has read: its look, its place in sides of the image from the lower left."""

    look: Combination
    x: float
    y: float
    sure: float  # how probable its look is, less where its cells differ on its middle


class Probe(nn.Module):
    """Convolutions from an image to a grid of cells."""

    def __init__(self, values: tuple[int, ...]) -> None:
        super().__init__()
        self.values = values  # how many each factor has
        self.see = nn.Sequential(
            nn.Conv2d(3, 32, 5, stride=2, padding=2), nn.ReLU(), nn.Conv2d(32, WIDTH, 3, stride=2, padding=1), nn.ReLU()
        )
        self.deepen = nn.ModuleList(
            nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, padding=reach, dilation=reach), nn.BatchNorm2d(WIDTH), nn.ReLU())
            for reach in REACHES
        )
        self.tell = nn.Conv2d(WIDTH, 3 + sum(values), 1)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Images (n, 3, SIDE, SIDE) from 0 to 1 -> logits of objects (n, CELLS, CELLS), their middles, and factors.

        Middles are (n, 2, CELLS, CELLS), x and y downwards, in cells from the middle of a cell; each factor's logits
        (n, values, CELLS, CELLS).
        """
        seen = self.see(images - 0.5)
        for layer in self.deepen:
            seen = seen + layer(seen)
        told = self.tell(seen).float()
        return told[:, 0], told[:, 1:3], list(told[:, 3:].split(self.values, dim=1))


class Reader(NamedTuple):
    """A trained network, and how sure it has to be of an object."""

    network: Probe
    sure: float


def weights(world: str) -> Path:
    """Return the file of a world's trained weights."""
    return FOLDER / f"{world}.safetensors"


def measured(world: str) -> dict[str, float]:
    """Tell how well the reader of a world reads, as was measured when it was trained."""
    with safe_open(weights(world), "pt") as file:
        return dict(json.loads(file.metadata()["measured"]))


@lru_cache(maxsize=4)
def reader(world: str, values: tuple[int, ...]) -> Reader:
    """Return the trained network of a world."""
    network = Probe(values)
    with safe_open(weights(world), "pt") as file:
        network.load_state_dict({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
        return Reader(network.eval(), float(file.metadata()["sure"]))


def prepared(image: npt.NDArray[np.number]) -> Tensor:
    """Return an image (s, s, 3) of values up to 255 as the network sees it."""
    pixels = torch.from_numpy(np.ascontiguousarray(image, np.float32)).movedim(-1, 0)[None] / 255
    return F.interpolate(pixels, (SIDE, SIDE), mode="area")


def read(image: npt.NDArray[np.number], world: World, most: int) -> list[Read]:
    """Return the objects of an image, as far as the reader is sure of them."""
    network, sure = reader(world.name, tuple(map(len, world.vocabularies)))
    with torch.inference_mode():
        return [one for one in told(network, prepared(image), most)[0] if one.sure >= sure]


def grid() -> Tensor:
    """Return the middles of the cells: x and y downwards, in cells, (2, CELLS, CELLS)."""
    at = torch.arange(CELLS) + 0.5
    return torch.stack(torch.meshgrid(at, at, indexing="xy"))


class Cells(NamedTuple):
    """What a network says of every cell of some images."""

    shows: Tensor  # (n, CELLS, CELLS) how probable an object is
    places: Tensor  # (n, 2, CELLS, CELLS) its middle, x and y downwards, in sides of the image
    likely: list[Tensor]  # of each factor, log-probabilities of its values (n, values, CELLS, CELLS)


def cells(network: Probe, images: Tensor) -> Cells:
    """What a network says of images and of their mirror images, on average, which is right more often than either."""
    shows, middles, factors = network(images)
    turned, beside, others = network(images.flip(3))
    mirrored = torch.stack([CELLS - (beside + grid())[:, 0], (beside + grid())[:, 1]], dim=1).flip(3)
    return Cells(
        (shows.sigmoid() + turned.sigmoid().flip(2)) / 2,
        (middles + grid() + mirrored) / 2 / CELLS,
        [(a.log_softmax(1) + b.log_softmax(1).flip(3)) / 2 for a, b in zip(factors, others, strict=True)],
    )


def told(network: Probe, images: Tensor, most: int) -> list[list[Read]]:
    """Read at most `most` objects of each image, whether the network is sure of them or not."""
    seen = cells(network, images)
    places, likely = seen.places.flatten(2), [one.flatten(2) for one in seen.likely]
    says = seen.shows.flatten(1)
    says = says * (says >= SHOWS)
    return [
        _gathered(says[n], places[n], [one[n] for one in likely], most) if says[n].any() else []
        for n in range(len(images))
    ]


def _gathered(says: Tensor, places: Tensor, likely: list[Tensor], most: int) -> list[Read]:
    """The objects that cells speak of: how much each says (cells), middles (2, cells), log-probabilities of values."""
    apart = torch.cdist(places.T, places.T)
    found: list[Read] = []
    while len(found) < most and says.any():
        # where most cells agree, and then the middle of those that do
        agree = ((-((apart / NEAR) ** 2)).exp() * says).sum(dim=1) * (says > 0)
        middle = places[:, int(agree.argmax())]
        for _ in range(2):
            far = (places - middle[:, None]).norm(dim=0)
            weights = says * (far < NEAR)
            middle = (weights * places).sum(dim=1) / weights.sum()
        means = [(weights * one).sum(dim=1) / weights.sum() for one in likely]
        best = [mean.softmax(dim=0).max(dim=0) for mean in means]
        spread = float((weights * (far / NEAR) ** 2).sum() / weights.sum())
        sure = prod(float(one.values) for one in best) * (1 - spread**2)
        found.append(Read(tuple(int(one.indices) for one in best), float(middle[0]), 1 - float(middle[1]), sure))
        says = says * (far >= 2 * NEAR)
    return found
