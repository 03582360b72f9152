"""What a model makes of some examples, for people: images on the way to its answers, and where it looked.

A view is an image, named "ROW: what it shows"; views of one row stand beside each other. A look says how much every
pixel of every image spoke for the model's answer; `unseen.predict.attribution` works it out. Each is a file per split.
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
Looks = dict[int, npt.NDArray[np.float32]]  # by the index of the example, (images, height, width)
INDEX, VALUES = "index", "values"


@dataclass(frozen=True)
class Views:
    """Views of the examples of a split at some indices, by name."""

    indices: tuple[int, ...]
    pictures: dict[str, Pictures]

    def rows(self, place: int) -> dict[str, dict[str, Pictures]]:
        """Return the views of the example at a place, row by row: images (side, side, 3) by what they show."""
        found: dict[str, dict[str, Pictures]] = {}
        for name, images in self.pictures.items():
            row, _, shows = name.rpartition(": ")
            found.setdefault(row, {})[shows] = images[place]
        return found


def write_views(path: Path, indices: Sequence[int], pictures: Mapping[str, Pictures]) -> None:
    """Write the views of some examples, whole or not at all."""
    _write(path, indices, pictures)


def read_views(path: Path) -> Views:
    """Read views that `write_views` wrote."""
    return Views(*_read(path, "views of a model: predict again to write it anew"))


def write_looks(path: Path, looks: Looks) -> None:
    """Write where a model looked in some examples, whole or not at all."""
    _write(path, list(looks), {VALUES: np.stack(list(looks.values()))})


def read_looks(path: Path) -> Looks:
    """Read where a model looked; nothing where that was not written down."""
    if not path.is_file():
        return {}
    broken = "attributions of a model: predict again with --attribution to write it anew"
    indices, arrays = _read(path, broken)
    if len(arrays.get(VALUES, ())) != len(indices):
        raise DataError(f"{path} holds no {broken}")
    return dict(zip(indices, arrays[VALUES], strict=True))


def _write(path: Path, indices: Sequence[int], arrays: Mapping[str, Any]) -> None:
    with written_aside(path) as aside, aside.open("wb") as file:
        held: dict[str, Any] = {INDEX: np.array(indices, np.int64), **arrays}
        np.savez_compressed(file, **held)


def _read(path: Path, what: str) -> tuple[tuple[int, ...], dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:  # NumPy leaves a broken file open
            arrays = {name: found[name] for name in found.files}
        return tuple(int(index) for index in arrays.pop(INDEX)), arrays
    except (*FAULTS, EOFError, BadZipFile, zlib.error) as error:
        raise DataError(f"{path} holds no {what}") from error
