"""What an image of sprites shows, read back from its pixels: the look and place of every object.

Pixels are given to the nearest color of the vocabulary, or to the black ground. For each color, every shape in every
size is slid over the image, and earns a point for each pixel of its color that it covers and loses one for each pixel
of ground; pixels of other colors may hide a part of it. The best one is an object, and what it covers is done with.

Images in 3-D are read by a small network that is trained on our own images (`probe.py`), and abstains where it is not
sure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib.kernels import GRAIN
from unseen.benchmarks.svib.sample import Record
from unseen.benchmarks.svib.spec import Choice
from unseen.benchmarks.svib.worlds import SPRITES, WORLDS, Combination
from unseen.core.errors import SpecError, missing_extra

Mask = npt.NDArray[np.bool_]
GROUND = -1
EQUAL = 0.97  # of the best sprite's worth: as good
LEAST = 0.004  # share of an image's pixels that an object is worth at least: a fourth of the smallest sprite's


class Found(NamedTuple):
    """An object that was read from an image, and where its middle is: from the lower left, in sides of the image."""

    look: Combination
    x: float
    y: float


def read(image: npt.NDArray[np.number], spec: Choice) -> list[Found]:
    """Give the objects of an image (s, s, 3), at most as many as the spec has in a scene; in 3-D a network reads them.

    >>> read(np.zeros((128, 128, 3), np.uint8), Choice())
    []
    """
    world = spec.place
    if not world.flat:
        return read_solids(image, spec)
    nearest = nearest_colors(image, world.colors)
    fits = [fit for color in range(len(world.colors)) for fit in read_color(color, nearest, spec)]
    fits.sort(key=lambda fit: -fit.worth)
    return [fit.found for fit in fits[: spec.objects]]


def read_solids(image: npt.NDArray[np.number], spec: Choice) -> list[Found]:
    """Return the objects of an image in 3-D, as far as a trained network is sure of them."""
    if spec.vocabularies != WORLDS[spec.world].vocabularies:
        raise SpecError(f"the network that reads images of {spec.world} knows the world's own vocabularies, not others")
    try:
        from unseen.benchmarks.svib import probe
    except ImportError:
        raise missing_extra("reading factors from images in 3-D", "train", "PyTorch") from None
    if not probe.weights(spec.world).exists():
        raise SpecError(
            f"no network that reads images of {spec.world} ships with this version;"
            f" python perf/train_factor_readers.py {spec.world} trains one"
        )
    return [Found(one.look, one.x, one.y) for one in probe.read(image, spec.place, spec.objects)]


def truth(record: Record, spec: Choice) -> list[Found]:
    """The objects that the target of a record should show; in 3-D, they are where the camera sees their middles."""
    if spec.place.flat:
        return [Found(one.look, one.x / GRAIN, one.y / GRAIN) for one in record.target]
    from unseen.benchmarks.svib.solids import scene_of
    from unseen.render.space.project import seen_at

    scene = scene_of(record.target, record, spec)  # type: ignore[arg-type]
    places = [seen_at(body.position, scene.camera) for body in scene.bodies]
    return [Found(one.look, x, y) for one, (x, y) in zip(record.target, places, strict=True)]


class Fit(NamedTuple):
    """An object that may be there, what it is worth in pixels, and which pixels it covers."""

    found: Found
    worth: float
    covers: Mask


def read_color(color: int, nearest: npt.NDArray[np.int64], spec: Choice) -> list[Fit]:
    """Return the objects of one color: the best, then the best of what is left; then each again beside the others.

    Of two that touch, the first is found too large to begin with.
    """
    own, ground = nearest == color, nearest == GROUND
    least = LEAST * nearest.size
    fits: list[Fit] = []
    left = own
    while len(fits) < spec.objects and left.sum() >= least:
        fit = best_fit(color, left, ground & ~_covered_by(fits, own), spec)
        if fit.worth < least:
            break
        fits.append(fit)
        left = left & ~fit.covers
    for _ in range(len(fits) if len(fits) > 1 else 0):
        others = fits[1:]
        hidden = _covered_by(others, own)
        fits = [*others, best_fit(color, own & ~hidden, ground & ~hidden, spec)]
    return fits


def _covered_by(fits: list[Fit], own: Mask) -> Mask:
    covers: Mask = np.any([np.zeros_like(own), *(fit.covers for fit in fits)], axis=0)
    return covers


def nearest_colors(image: npt.NDArray[np.number], colors: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Return the index of the color that each pixel is nearest to, GROUND for black."""
    known = np.array([[0, 0, 0], *([*bytes.fromhex(color)] for color in colors)], np.float64)
    # squared distance less the pixel's own square, which is the same for all colors
    distance = (known**2).sum(axis=1) - 2 * image.astype(np.float64) @ known.T
    nearest: npt.NDArray[np.int64] = distance.argmin(axis=-1) + GROUND
    return nearest


def best_fit(color: int, own: Mask, ground: Mask, spec: Choice) -> Fit:
    """Return the sprite that covers most pixels of its own for fewest of the ground; of equally good ones the smallest.

    Where the frame cuts a triangle's base off, larger ones that reach further out are equally good.
    """
    side, world = len(own), spec.place
    slid = templates(world.shapes, world.sizes, side)
    spectrum = np.fft.rfft2(own.astype(np.float32) - ground, slid.padded)
    scores = np.fft.irfft2(spectrum * slid.spectra, slid.padded)
    best = scores.max(axis=(2, 3))
    size = int(np.flatnonzero((best >= best.max() * EQUAL).any(axis=0))[0])
    shape = int(best[:, size].argmax())
    shifts = np.unravel_index(scores[shape, size].argmax(), slid.padded)
    # shifts beyond what a sprite can be moved down or right are shifts up or left
    row, column = (int(shift) - slid.padded[0] * (shift > 1.25 * side) for shift in shifts)
    found = Found((color, shape, size), column / side, 1 - row / side)
    return Fit(found, float(best[shape, size]), covered(found, spec, side))


class Templates(NamedTuple):
    """Every shape in every size around the upper left corner, as spectra of an image that has room around it."""

    padded: tuple[int, int]
    spectra: npt.NDArray[np.complexfloating]  # (shapes, sizes, padded, padded / 2 + 1)


@lru_cache(maxsize=8)
def templates(shapes: tuple[str, ...], sizes: tuple[float, ...], side: int) -> Templates:
    """Return the templates of a vocabulary for images of a size."""
    padded = (side * 3 // 2, side * 3 // 2)
    drawn = np.zeros((len(shapes), len(sizes), *padded), np.float32)
    middle = side // 4 * 2  # whole pixels, so that a sprite can be rolled to the corner
    for i, shape in enumerate(shapes):
        for j, size in enumerate(sizes):
            drawn[i, j, :side, :side] = inside(shape, size, middle / side, 1 - middle / side, side)
    rolled = np.roll(drawn, (-middle, -middle), axis=(2, 3))
    return Templates(padded, np.fft.rfft2(rolled).conj())


def covered(one: Found, spec: Choice, side: int) -> Mask:
    """Return the pixels of an image that an object covers."""
    _, shape, size = one.look
    return inside(spec.place.shapes[shape], spec.place.sizes[size], one.x, one.y, side)


def inside(shape: str, size: float, x: float, y: float, side: int) -> Mask:
    """Return the pixels whose middle is in a sprite: a ray from there crosses its outline an odd number of times."""
    mask = np.zeros((side, side), bool)
    top, left = (max(0, int((at - size) * side)) for at in (1 - y, x))  # no sprite reaches further than its size
    rows, columns = np.mgrid[
        top : min(side, top + int(2 * size * side) + 2), left : min(side, left + int(2 * size * side) + 2)
    ]
    u, v = ((columns + 0.5) / side - x) / size, (1 - (rows + 0.5) / side - y) / size
    crossed = mask[top : top + len(rows), left : left + rows.shape[1]]
    corners = SPRITES[shape]
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if y1 != y2:
            crossed ^= ((y1 > v) != (y2 > v)) & (u < x1 + (v - y1) * (x2 - x1) / (y2 - y1))
    return mask
