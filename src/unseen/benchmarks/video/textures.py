"""Textures: square crops of images from a folder, or of built-in noise that looks natural from afar.

A texture is a number, the key of a stream that chooses image and place; so records do not depend on the images.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels
from unseen.core.errors import DataError
from unseen.core.random import Stream

Crop = npt.NDArray[np.uint8]  # (size, size, 3)
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")


def crop(texture: int, size: int, folder: str = "") -> Crop:
    """The crop that a number stands for.

    >>> crop(7, 64).shape, bool((crop(7, 64) == crop(8, 64)).all())
    ((64, 64, 3), False)
    """
    return _from_folder(texture, size, folder) if folder else _built_in(texture, size)


def _built_in(texture: int, size: int) -> Crop:
    made = np.empty((kernels.CROP, kernels.CROP, 3), np.uint8)
    kernels.texture(np.uint64(texture), made)
    lines = np.arange(size) * kernels.CROP // size
    return made[lines][:, lines]


def _from_folder(texture: int, size: int, folder: str) -> Crop:
    rng = Stream(texture)
    image = _image(rng.choice(images(folder)), size)
    row, column = rng.below(image.shape[0] - size + 1), rng.below(image.shape[1] - size + 1)
    return image[row : row + size, column : column + size]


@lru_cache(maxsize=16)
def images(folder: str) -> tuple[Path, ...]:
    """The images of a folder and those below it, sorted by name."""
    found = tuple(path for path in sorted(Path(folder).rglob("*")) if path.suffix.lower() in SUFFIXES)
    if not found:
        raise DataError(f"there are no images in the folder {folder}; textures are cut from {', '.join(SUFFIXES)}")
    return found


@lru_cache(maxsize=256)
def _image(path: Path, size: int) -> Crop:
    """An image, made larger where no crop would fit in."""
    from PIL import Image

    try:
        with Image.open(path) as opened:
            image = opened.convert("RGB")
    except OSError as error:
        raise DataError(f"cannot read the texture {path}: {error}") from None
    short = min(image.size)
    if short < size:
        image = image.resize((-(-image.width * size // short), -(-image.height * size // short)))
    return np.asarray(image)
