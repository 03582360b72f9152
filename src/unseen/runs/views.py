"""What a model makes of some examples on the way to its answers, as images for people: one file per split.

A view is named "ROW: what it shows"; views of one row stand beside each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from unseen.core.errors import FAULTS, DataError
from unseen.core.files import written_aside

Pictures = npt.NDArray[np.uint8]  # (examples, side, side, 3)
INDEX = "index"


@dataclass(frozen=True)
class Views:
    """Views of the examples of a split at some indices, by name."""

    indices: tuple[int, ...]
    pictures: dict[str, Pictures]

    def rows(self, place: int) -> dict[str, dict[str, Pictures]]:
        """The views of the example at a place, row by row: images (side, side, 3) by what they show."""
        found: dict[str, dict[str, Pictures]] = {}
        for name, images in self.pictures.items():
            row, _, shows = name.rpartition(": ")
            found.setdefault(row, {})[shows] = images[place]
        return found


def write_views(path: Path, indices: Sequence[int], pictures: Mapping[str, Pictures]) -> None:
    """Write the views of some examples, whole or not at all."""
    with written_aside(path) as aside, aside.open("wb") as file:
        arrays: dict[str, Any] = {INDEX: np.array(indices), **pictures}
        np.savez_compressed(file, **arrays)


def read_views(path: Path) -> Views:
    """Read views that `write_views` wrote."""
    try:
        with np.load(path, allow_pickle=False) as found:
            pictures = {name: found[name] for name in found.files}
        return Views(tuple(int(index) for index in pictures.pop(INDEX)), pictures)
    except (*FAULTS, EOFError, BadZipFile, zlib.error) as error:
        raise DataError(f"{path} holds no views of a model: predict again to write it anew") from error
