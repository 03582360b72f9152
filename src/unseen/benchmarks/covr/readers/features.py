"""What a detector found in photos: the regions of an image, each with numbers that describe it and its box.

    features=regions                                      a folder with a file of NumPy arrays for each image, ID.npz
    features=gqa_features.h5,gqa_key_to_index.json        the published form: all images in one HDF5 file, and the rows

Both hold `features` (regions, numbers) and `boxes` (regions, 4) of each image: left, top, right and bottom as shares of
its sides. Published are 36 regions of 2,048 numbers; other counts will do, if they are the same for all images.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError, missing_extra
from unseen.core.nesting import parsed

Numbers = npt.NDArray[np.float32]
ARRAYS = ("features", "boxes")
# what NumPy raises for files that are damaged, packed in other ways, or hold one array without a name
UNREADABLE = (
    *(OSError, ValueError, EOFError, TypeError, NotImplementedError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)
SLACK = 1e-3  # of boxes that reach over the edge, since they were rounded


class Regions(NamedTuple):
    """The regions of an image."""

    features: Numbers  # (regions, numbers)
    places: Numbers  # (regions, 5): left, top, right, bottom and area


def regions(source: tuple[str, ...], scene_id: str) -> Regions:
    """Return what was found in the image of a scene."""
    features, boxes = reader(source, os.getpid())(scene_id)
    return _checked(features, boxes, f"the regions of scene {scene_id!r} in {source[0]}")


@lru_cache(maxsize=8)
def reader(source: tuple[str, ...], process: int) -> Callable[[str], tuple[Any, Any]]:
    """Return what gives features and boxes by a scene's id, from a folder or from an HDF5 file and its index.

    An open HDF5 file is not to be shared with other processes, so that each opens its own.
    """
    first = Path(source[0])
    if len(source) == 1 and first.is_dir():
        return lambda scene_id: _from_folder(first, scene_id)
    if len(source) == 2 and first.is_file():
        return _from_hdf5(first, Path(source[1]))
    raise DataError(
        f"features={','.join(source)} is neither a folder of ID.npz files"
        " nor an HDF5 file and, after a comma, the JSON file that gives each image's row"
    )


def _from_folder(folder: Path, scene_id: str) -> tuple[Any, Any]:
    path = folder / f"{scene_id}.npz"
    if Path(scene_id).name != scene_id or not path.is_file():
        raise DataError(f"no regions of scene {scene_id!r} in {folder}; looked for {scene_id}.npz")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:  # NumPy leaves damaged ones open
            found = {name: held[name] for name in ARRAYS if name in held}
    except UNREADABLE as error:
        raise DataError(f"{path} is no file of NumPy arrays that can be read safely: {error}") from error
    return _both(found, path)


def _from_hdf5(path: Path, index: Path) -> Callable[[str], tuple[Any, Any]]:
    try:
        import h5py
    except ImportError:
        raise missing_extra("the published form of region features", "hdf5", "h5py") from None
    rows = _rows(index)
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise DataError(f"{path} is no HDF5 file that can be read: {error}") from error
    features, boxes = _both({name: file[name] for name in ARRAYS if name in file}, path)
    if not all(isinstance(one, h5py.Dataset) and one.ndim == 3 for one in (features, boxes)):
        raise DataError(f"{path} should have the regions of all images in arrays of three axes, {' and '.join(ARRAYS)}")

    def found(scene_id: str) -> tuple[Any, Any]:
        row = rows.get(scene_id)
        if not isinstance(row, int) or not 0 <= row < min(len(features), len(boxes)):
            raise DataError(f"no regions of scene {scene_id!r} in {path}; {index} has no row of it there")
        try:
            return features[row], boxes[row]
        except OSError as error:
            raise DataError(f"{path} is damaged where scene {scene_id!r} is: {error}") from error

    return found


def _rows(index: Path) -> dict[str, Any]:
    try:
        rows = parsed(json.loads, index.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"could not read {index}, which gives the rows of images: {error}") from error
    if not isinstance(rows, dict):
        raise DataError(f"{index} should map the ids of images to rows")
    return rows


def _both(found: dict[str, Any], path: Path) -> tuple[Any, Any]:
    for name in ARRAYS:
        if name not in found:
            raise DataError(f"{path} has no array {name!r}; expected {' and '.join(ARRAYS)}")
    return found["features"], found["boxes"]


def _checked(features: Any, boxes: Any, what: str) -> Regions:
    """Refuse regions that are misshapen, no numbers, or boxes that are not shares of an image."""
    try:
        with np.errstate(over="ignore"):  # what is too large is infinite, which is told below
            features, boxes = (np.asarray(one).astype(np.float32, casting="same_kind") for one in (features, boxes))
    except (TypeError, ValueError):
        raise DataError(f"{what} are no real numbers") from None
    if features.ndim != 2 or not features.size or boxes.shape != (len(features), 4):
        shapes = f"features {features.shape} and boxes {boxes.shape}"
        raise DataError(f"{what} are {shapes}; expected (regions, numbers) and (regions, 4)")
    if not np.isfinite(features).all():
        raise DataError(f"{what} have features that are no finite numbers")
    if not ((boxes >= -SLACK) & (boxes <= 1 + SLACK)).all():
        raise DataError(f"{what} have boxes that are no shares of the image's sides, from 0 to 1; divide by its size")
    sides = boxes[:, 2:] - boxes[:, :2]
    return Regions(features, np.concatenate([boxes, sides.prod(1, keepdims=True)], axis=1))
