"""A small network that reads the objects of an image in 3-D: where each is, and every factor of its look.

Over a grid of places it says how sure it is that the middle of an object is there, how far from the middle of the place
that is, and how probable each value of each factor. An object is a place surer than all places around it. Where the
network is not sure of the object or of one of its factors, it abstains: the object is not told.

The weights in `probes/` were trained on our own images and symbols, by `perf/train_factor_readers.py`, which says how
well they read.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812
from safetensors.torch import load_file
from torch import Tensor, nn

from unseen.benchmarks.svib.worlds import Combination, World

SIDE = 128  # pixels of the images that the network sees; others are scaled
CELLS = 16  # places across and down
THERE = 0.3  # how sure of an object, at least; the network is taught to be half sure half a place beside one
SURE = 0.6  # of each of its factors
WIDTH = 48  # channels
FOLDER = Path(__file__).parent / "probes"


class Read(NamedTuple):
    """An object that the network has read: its look, its place in sides of the image from the lower left."""

    look: Combination
    x: float
    y: float


class Probe(nn.Module):
    """Convolutions from an image to a grid of places."""

    def __init__(self, values: tuple[int, ...]) -> None:
        super().__init__()
        self.values = values  # how many each factor has
        self.see = nn.Sequential(
            nn.Conv2d(3, 32, 7, stride=4, padding=3), nn.GELU(), nn.Conv2d(32, WIDTH, 3, stride=2, padding=1), nn.GELU()
        )
        self.deepen = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 3, padding=by, dilation=by) for by in (1, 2, 3))
        self.tell = nn.Conv2d(WIDTH, 3 + sum(values), 1)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Images (n, 3, SIDE, SIDE) from 0 to 1 -> logits of objects (n, CELLS, CELLS), where they are, and factors.

        Places are (n, 2, CELLS, CELLS), in cells from the middle of a cell; each factor's logits (n, values, ...).
        """
        seen = self.see(images - 0.5)
        for layer in self.deepen:
            seen = seen + F.gelu(layer(seen))
        told = self.tell(seen)
        return told[:, 0], told[:, 1:3], list(told[:, 3:].split(self.values, dim=1))


def weights(world: str) -> Path:
    """The file of a world's trained weights."""
    return FOLDER / f"{world}.safetensors"


@lru_cache(maxsize=4)
def probe(world: str, values: tuple[int, ...]) -> Probe:
    """The trained network of a world."""
    network = Probe(values)
    network.load_state_dict({name: value.float() for name, value in load_file(weights(world)).items()})
    return network.eval()


def prepared(image: npt.NDArray[np.number]) -> Tensor:
    """An image (s, s, 3) of values up to 255 as the network sees it."""
    pixels = torch.from_numpy(np.ascontiguousarray(image, np.float32)).movedim(-1, 0)[None] / 255
    return pixels if pixels.shape[-1] == SIDE else F.interpolate(pixels, (SIDE, SIDE), mode="area")


def read(image: npt.NDArray[np.number], world: World, most: int) -> list[Read]:
    """The objects of an image, the surest first, as far as the network is sure."""
    network = probe(world.name, tuple(map(len, world.vocabularies)))
    with torch.inference_mode():
        return told(network, prepared(image), most)[0]


def told(network: Probe, images: Tensor, most: int) -> list[list[Read]]:
    """What a network reads from images: at most so many objects of each."""
    objects, places, factors = network(images)
    sure = objects.sigmoid()
    peaks = sure * (F.max_pool2d(sure[:, None], 3, stride=1, padding=1)[:, 0] == sure)
    chosen = [one.softmax(dim=1).max(dim=1) for one in factors]
    found = []
    for n, peak in enumerate(peaks):
        cells = peak.flatten().topk(most).indices.tolist()
        seen = [divmod(cell, CELLS) for cell in cells]
        seen = [(row, column) for row, column in seen if peak[row, column] >= THERE]
        found.append(
            [
                Read(
                    tuple(int(values[n, row, column]) for _, values in chosen),
                    (column + 0.5 + float(places[n, 0, row, column])) / CELLS,
                    1 - (row + 0.5 + float(places[n, 1, row, column])) / CELLS,
                )
                for row, column in seen
                if all(probability[n, row, column] >= SURE for probability, _ in chosen)
            ]
        )
    return found
