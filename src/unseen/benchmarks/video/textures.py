"""Textures: square crops of images from a folder, or one of three built-in kinds.

A texture is a number, the key of a stream that chooses image and place, or all that a built-in kind leaves open; so
records do not depend on the images. Noise is smooth and looks natural from afar. Leaves that fall on one another, each
with an edge, a shade and a grain, make images with the statistics of natural ones (Lee, Mumford and Huang 2001). Dots
are those of moving-dot displays: all surfaces of a video have the same colors, and nothing but motion sets them apart.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels
from unseen.core.errors import DataError
from unseen.core.random import Stream, fill_uniform
from unseen.render.picture import PHOTOGRAPHS, read_picture

Crop = npt.NDArray[np.uint8]  # (size, size, 3)
LEAVES = 220
SMALLEST, LARGEST = 0.02, 0.5  # radii, in shares of the side
DOT = 2  # pixels a side
DOT_CHANNELS = ((140, 255), (0, 115))  # of the light color and of the dark one
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


def crop(texture: int, size: int, *, kind: str = "noise", folder: str = "", video: int = 0, scale: int = 10) -> Crop:
    """Make the crop that a number stands for.

    Dots have the colors that `video`, the number of the background's texture, stands for, and are as large on a sprite
    whose `scale` is given in tenths as on the background.

    >>> crop(7, 64).shape, bool((crop(7, 64) == crop(8, 64)).all())
    ((64, 64, 3), False)
    """
    if folder:
        return _from_folder(texture, size, folder)
    lines = np.arange(size) * kernels.CROP // size
    whole: Crop = _built_in(texture, kind, video, scale if kind == "dots" else 0)
    return whole[lines][:, lines]


@lru_cache(maxsize=64)
def _built_in(texture: int, kind: str, video: int, scale: int) -> Crop:
    if kind == "leaves":
        return leaves(texture)
    if kind == "dots":
        return dots(texture, video, scale)
    made = np.empty((kernels.CROP, kernels.CROP, 3), np.uint8)
    kernels.texture(np.uint64(texture), made)
    return made


def dots(texture: int, video: int, scale: int) -> Crop:
    """Draw a random one of the video's two colors in every square that a sprite's scale shrinks to DOT pixels."""
    pick = Stream(video)
    light, dark = np.array([[pick.between(*channel) for _ in range(3)] for channel in DOT_CHANNELS], np.uint8)
    square = np.arange(kernels.CROP) * scale // (10 * DOT)
    count = int(square[-1]) + 1
    chosen = _uniform(Stream(texture), count * count).reshape(count, count) < 0.5
    made: Crop = np.where(chosen[square][:, square][..., None], light, dark)
    return made


def leaves(texture: int) -> Crop:
    """Let LEAVES leaves fall, round ones and square ones, the smaller the more; sums and roots only, no library's sine.

    Everything is drawn at twice the size, and four pixels are averaged.
    """
    rng, side = Stream(texture), 2 * kernels.CROP
    x, y, far, tall, *turn = _uniform(rng, 6 * LEAVES).reshape(6, LEAVES)
    # as many leaves of radius r or more as 1/r^2, in shares of the side
    radius = 1 / np.sqrt(1 / LARGEST**2 + far * (1 / SMALLEST**2 - 1 / LARGEST**2))
    u, v = (2 * one - 1 for one in turn)
    length = np.sqrt(u * u + v * v) + 1e-9
    at = (np.arange(side) + 0.5) / side
    top, lit = np.zeros((side, side), int), np.zeros((side, side))
    for k in range(LEAVES):
        # the first lies everywhere; no other reaches further than twice its radius
        reach = 2 * radius[k] if k else 2.0
        rows, columns = (slice(*np.searchsorted(at, (middle - reach, middle + reach))) for middle in (y[k], x[k]))
        right, down = at[None, columns] - x[k], at[rows, None] - y[k]
        along = (right * u[k] + down * v[k]) / length[k]
        across = (down * u[k] - right * v[k]) / length[k] / (0.5 + tall[k])
        away = np.maximum(abs(along), abs(across)) if k % 2 else np.sqrt(along * along + across * across)
        covered = away <= radius[k] if k else np.ones_like(away, bool)
        top[rows, columns][covered] = k
        lit[rows, columns][covered] = (along / radius[k])[covered]
    tone, color = 0.5 + 0.5 * _uniform(rng, 3), _uniform(rng, 5 * LEAVES).reshape(LEAVES, 5)
    grain = _uniform(rng, side * side).reshape(side, side)
    # lit from one end, with a grain of its own strength; leaves differ in brightness more than in hue, as nature does
    shade = 1 + 0.35 * np.clip(lit, -1, 1) + 0.3 * color[top, 3] * (grain - 0.5)
    paint = tone * color[:, 4:] * (0.5 + 0.5 * color[:, :3])
    painted = np.clip(255 * paint[top] * shade[..., None], 0, 255)
    fine = painted[0::2, 0::2] + painted[1::2, 0::2] + painted[0::2, 1::2] + painted[1::2, 1::2]
    made: Crop = (fine / 4).astype(np.uint8)
    return made


def _uniform(rng: Stream, count: int) -> npt.NDArray[np.float64]:
    values = np.empty(count)
    fill_uniform(rng.state, values)
    return values


def _from_folder(texture: int, size: int, folder: str) -> Crop:
    rng = Stream(texture)
    image = _image(rng.choice(images(folder)), size)
    row, column = rng.below(image.shape[0] - size + 1), rng.below(image.shape[1] - size + 1)
    return image[row : row + size, column : column + size]


@lru_cache(maxsize=16)
def images(folder: str) -> tuple[Path, ...]:
    """Return the images of a folder and those below it, sorted by name."""
    found = tuple(path for path in sorted(Path(folder).rglob("*")) if path.suffix.lower() in SUFFIXES)
    if not found:
        raise DataError(f"there are no images in the folder {folder}; textures are cut from {', '.join(SUFFIXES)}")
    return found


@lru_cache(maxsize=256)
def _image(path: Path, size: int) -> Crop:
    """An image, made larger where no crop would fit in."""
    from PIL import Image

    image = Image.fromarray(read_picture(path, formats=PHOTOGRAPHS))
    short = min(image.size)
    if short < size:
        image = image.resize((-(-image.width * size // short), -(-image.height * size // short)))
    return np.asarray(image)
