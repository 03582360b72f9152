"""Grids as images and back: the published COGITAO palette, crisp or soft, on white or black."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError, unknown

Image = npt.NDArray[np.uint8]  # (h, w, 3)

BACKGROUNDS = {"white": 0xFFFFFF, "black": 0x000000}
COLORS = (  # of the values 1..9
    *(0x0074D9, 0xFF4136, 0x2ECC40),
    *(0xFFDC00, 0xAAAAAA, 0xF012BE),
    *(0xFF851B, 0x7FDBFF, 0x870C25),
)


@lru_cache(maxsize=4)
def palette(background: str = "white") -> npt.NDArray[np.uint8]:
    """Return the color of each value 0..9, (10, 3); only the color of 0 depends on the background.

    >>> palette("black")[:2].tolist()
    [[0, 0, 0], [0, 116, 217]]
    """
    if background not in BACKGROUNDS:
        raise unknown("background", background, BACKGROUNDS)
    packed = np.array([BACKGROUNDS[background], *COLORS], ">u4")
    return packed.view(np.uint8).reshape(-1, 4)[:, 1:]


def grid_image(grid: npt.NDArray[np.integer], size: int, background: str = "white", soft: bool = False) -> Image:
    """Draw a grid of values 0..9 as a (size, size, 3) image without grid lines; `soft` blurs the edges of cells.

    Cell i of n spans the pixels floor(i * size / n) .. floor((i + 1) * size / n), as in the published conversion.

    >>> grid_image(np.array([[0, 1], [2, 0]]), 4)[0, :, 0].tolist()
    [255, 255, 0, 0]
    """
    height, width = grid.shape
    if size < max(height, width):
        raise SpecError(f"an image of {size} pixels cannot show a grid of {height}x{width} cells; ask for more pixels")
    image = palette(background)[grid].take(_cells(width, size), axis=1).take(_cells(height, size), axis=0)
    return blurred(image, softness(size // max(height, width))) if soft else image


def softness(cell: int) -> tuple[int, ...]:
    """Weights of neighbors that blur cells of some pixels and leave most of a cell nearest to its own color.

    Grids then come back from their images. A pixel with a sixth of another color is still nearest to its own; wider
    blurs leave more than half of a cell's pixels as they were.

    >>> softness(4), softness(6), softness(14)
    ((1,), (1, 4, 1), (1, 2, 3, 2, 1))
    """
    if cell < 7:
        return (1, 4, 1) if cell > 4 else (1,)
    width = 1 + 29 * cell // 200
    return (*range(1, width), *range(width, 0, -1))


@lru_cache(maxsize=256)
def _cells(count: int, size: int) -> npt.NDArray[np.intp]:
    """The cell that each pixel of a side belongs to."""
    return np.repeat(np.arange(count), np.diff(np.arange(count + 1) * size // count))


def blurred(image: Image, weights: tuple[int, ...]) -> Image:
    """Blur an image by weighted sums of neighbors, in integers, so that it is the same on every machine."""
    reached = len(weights) // 2
    total = image.astype(np.int32)
    for axis in (0, 1):
        reach = [(0, 0)] * 3
        reach[axis] = (reached, reached)
        padded = np.pad(total, reach, mode="edge")
        length = image.shape[axis]
        shifted = (padded.take(range(k, k + length), axis) for k in range(len(weights)))
        total = sum((weight * part for weight, part in zip(weights, shifted, strict=True)), np.zeros_like(total))
    whole = sum(weights) ** 2  # of both passes
    return ((total + whole // 2) // whole).astype(np.uint8)


def grid_from_image(
    image: npt.NDArray[np.number], shape: tuple[int, int], background: str = "white"
) -> npt.NDArray[np.int8]:
    """Read the grid that an image shows: the nearest palette color of each pixel, then the majority of each cell.

    Ties go to the smallest value. A model's images may hold any numbers on the scale 0..255.

    >>> grid = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    >>> bool((grid_from_image(grid_image(grid, 50), (3, 3)) == grid).all())
    True
    """
    colors = palette(background).astype(np.float64)
    # squared distance less the pixel's own square, which is the same for all colors
    value = ((colors**2).sum(axis=1) - 2 * image.astype(np.float64) @ colors.T).argmin(axis=-1)
    rows, columns = _cells(shape[0], image.shape[0]), _cells(shape[1], image.shape[1])
    cell = rows[:, None] * shape[1] + columns
    votes = np.bincount((cell * 10 + value).ravel(), minlength=shape[0] * shape[1] * 10)
    grid: npt.NDArray[np.int8] = votes.reshape(*shape, 10).argmax(axis=-1).astype(np.int8)
    return grid
