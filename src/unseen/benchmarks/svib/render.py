"""Record -> arrays: both images, masks, and pictures for people."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import kernels
from unseen.benchmarks.svib.sample import Placed, Record, plan, scene_of
from unseen.benchmarks.svib.spec import Spec, View
from unseen.render import figure
from unseen.render.palette import COLORS, Image

Ids = npt.NDArray[np.uint8]  # (h, w), 0 for the background


Depth = npt.NDArray[np.float32]  # (h, w), along the view


def arrays(record: Record, spec: Spec, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both images and the target's masks; the full view adds the input's masks and, in 3-D, the depth of both.

    `masks` uint8 (h, w) is 1 where the first object is seen, 2 where the second is, and 0 elsewhere. Without a renderer
    the images are left out. The view of symbols adds what a model that need not see is told (`symbols`).
    """
    source, target = (seen(objects, record, spec, view) for objects in (record.source, record.target))
    asked: dict[str, Any] = {"image": target.image, "masks": target.masks}
    if view.full:
        asked |= {"input_masks": source.masks, "depth": target.depth, "input_depth": source.depth}
    given: dict[str, Any] = {"image": source.image}
    if view.symbols:
        given |= symbols(record.source) | parameters(record, spec)
        asked |= symbols(record.target)
    return _present(given), _present(asked)


def shapes(spec: Spec, view: View) -> dict[str, tuple[int, ...]]:
    """Return the shapes of what is shown, which are known before anything is drawn."""
    shown = spec.place.flat or view.renderer != "none"
    return {"image": (view.size, view.size, 3)} if shown else {}


def symbols(objects: tuple[Placed, ...]) -> dict[str, Any]:
    """Return the factors of every object as indices into the vocabularies, and its place in the world's units.

    `factors` int16 (objects, factors), in the world's order of factors; `positions` float32 (objects, 2).
    """
    return {
        "factors": np.array([one.look for one in objects], np.int16),
        "positions": np.array([(one.x, one.y) for one in objects], np.float32) / np.float32(kernels.GRAIN),
    }


def factors(spec: Spec) -> dict[str, int]:
    """Return the factors of an object in the order of `symbols`, and how many values each has."""
    return {name: len(values) for name, values in zip(spec.place.factors, spec.vocabularies, strict=True)}


def scene_factors(spec: Spec) -> dict[str, int]:
    """Return the factors of a whole scene, and how many values each has: the ground's material, where it has one."""
    return {"ground": len(spec.place.materials)} if spec.place.textured else {}


def ranges(spec: Spec) -> dict[str, tuple[float, float]]:
    """What positions and parameters lie between, rounded up to the numbers that the published Oracle scales them by."""
    return {"positions": (0.0, 1.0)} if spec.place.flat else {"positions": (-4.0, 4.0), "parameters": (-10.0, 10.0)}


def parameters(record: Record, spec: Spec) -> dict[str, Any]:
    """Return what else a scene in 3-D is made of; nothing of sprites.

    `parameters` float32 (4, 3) are the places of the camera, the key, the back and the fill light; `ground` is the
    index of the ground's material where it has one.
    """
    if spec.place.flat:
        return {}
    from unseen.benchmarks.svib.solids import scene_of as solid_scene

    found = solid_scene(record.source, record, spec)
    places = [found.camera.position, *(light.position for light in found.lights)]
    return {"parameters": np.array(places, np.float32), "ground": record.ground if spec.place.textured else None}


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


class Seen(NamedTuple):
    """What is seen of a scene."""

    image: Image | None
    masks: Ids
    depth: Depth | None


def seen(objects: tuple[Placed, ...], record: Record, spec: Spec, view: View) -> Seen:
    """Return the image of some objects, which of them each pixel belongs to, and how far away it is."""
    if spec.place.flat:
        return Seen(paint(objects, spec, view.size), masks(objects, spec, view.size), None)
    from unseen.benchmarks.svib.solids import scene_of as solid_scene
    from unseen.benchmarks.svib.solids import with_photographs
    from unseen.render import space
    from unseen.render.space.project import project

    scene = solid_scene(objects, record, spec)
    if view.textures:
        scene = with_photographs(scene, view.textures)
    if view.renderer == "none":
        found = project(scene, view.size)
        return Seen(None, found.ids, found.depth)
    picture = space.render(scene, view.size, renderer=view.renderer)
    return Seen(picture.image, picture.ids, picture.depth)


def drawn_by(spec: Spec, view: View) -> str | None:
    """Return the renderer of solids."""
    if spec.place.flat or view.renderer == "none":
        return None
    from unseen.render import space

    return space.name_of(view.renderer)


def scene(record: Record, spec: Spec) -> dict[str, Any]:
    """Return the symbolic scene as plain Python values, named by the vocabularies."""
    found: dict[str, Any] = {
        "world": spec.world,
        "source": [_words(one, spec) for one in record.source],
        "target": [_words(one, spec) for one in record.target],
    }
    if not spec.place.flat:
        found |= {"jitter": [value / kernels.GRAIN for value in record.jitter]}
    if spec.place.textured:
        found |= {"ground": spec.place.materials[record.ground]}
    return found


def _words(one: Placed, spec: Spec) -> dict[str, Any]:
    values = [values[k] for values, k in zip(spec.vocabularies, one.look, strict=True)]
    return {**dict(zip(spec.place.factors, values, strict=True)), "at": [one.x / kernels.GRAIN, one.y / kernels.GRAIN]}


# ---------------------------------------------------------------------------- sprites


def paint(objects: tuple[Placed, ...], spec: Spec, size: int) -> Image:
    """Return the image of a scene of sprites."""
    image = np.empty((size, size, 3), np.uint8)
    known = plan(spec)
    kernels.paint_sprites(known.limits, known.sizes, known.flat, known.colors, lanczos(size), scene_of(objects), image)
    return image


def masks(objects: tuple[Placed, ...], spec: Spec, size: int) -> Ids:
    """Return the object that every pixel of a scene of sprites belongs to."""
    ids = np.zeros((size, size), np.uint8)
    known = plan(spec)
    kernels.paint_ids(known.limits, known.sizes, known.flat, scene_of(objects), ids)
    return ids


# ---------------------------------------------------------------------------- Lanczos' filter

REACH = 3  # pixels on each side


class Weights(NamedTuple):
    """How the columns of a canvas add up to pixels, in the fixed-point numbers of Pillow."""

    starts: npt.NDArray[np.int32]  # the first column of each pixel
    lengths: npt.NDArray[np.int32]  # and how many there are
    sums: npt.NDArray[np.int32]  # (pixels, 1 + most columns): of the weights of a pixel's first columns
    near: npt.NDArray[np.int32]  # the first and last pixel that has columns on both sides of a border
    far: npt.NDArray[np.int32]
    shares: npt.NDArray[np.int32]  # (borders, 2, pixels from `near` on): of the weights before and behind a border


@lru_cache(maxsize=16)
def lanczos(size: int) -> Weights:
    """Return the weights that reduce a canvas of ten times as many columns to `size` pixels."""
    columns = size * kernels.FINE
    centers = (np.arange(size) + 0.5) * kernels.FINE
    reach = REACH * kernels.FINE
    starts = np.maximum((centers - reach + 0.5).astype(np.int64), 0)
    ends = np.minimum((centers + reach + 0.5).astype(np.int64), columns)
    sums = np.zeros((size, 2 * reach + 2), np.int64)
    for pixel in range(size):
        weights = [windowed((x - centers[pixel] + 0.5) / kernels.FINE) for x in range(starts[pixel], ends[pixel])]
        scaled = [round(weight / sum(weights) * 2**kernels.BITS) for weight in weights]
        sums[pixel, 1 : len(scaled) + 1] = np.cumsum(scaled)
    borders = np.arange(columns + 1)
    near = np.searchsorted(ends, borders, side="right")
    far = np.searchsorted(starts, borders, side="left") - 1
    around = np.minimum(near[:, None] + np.arange(kernels.NEARBY), size - 1)
    before = sums[around, np.clip(borders[:, None] - starts[around], 0, (ends - starts)[around])]
    shares = np.stack((before, sums[around, (ends - starts)[around]] - before), axis=1)
    return Weights(*(table.astype(np.int32) for table in (starts, ends - starts, sums, near, far, shares)))


def windowed(x: float) -> float:
    """Lanczos' window of a sine wave over its argument."""
    if x == 0:
        return 1.0
    return sin(pi * x) / (pi * x) * sin(pi * x / REACH) / (pi * x / REACH) if abs(x) < REACH else 0.0


# ---------------------------------------------------------------------------- pictures for people

SHOWN = 256  # about how many pixels wide an image is drawn
HUES = np.array(COLORS, ">u4").view(np.uint8).reshape(-1, 4)[:, 1:]  # of masks


def picture(record: Record, spec: Spec, view: View) -> Image:
    """Return the image, an arrow, the next image, and the masks of that."""
    return _row(record, spec, view)


def answer_picture(record: Record, prediction: Image, spec: Spec, view: View) -> Image:
    """Draw the image, the next image, its masks, and a model's answer at the end."""
    return _row(record, spec, view, prediction)


def _row(record: Record, spec: Spec, view: View, *answers: Image) -> Image:
    inputs, target = arrays(record, spec, view)
    tinted = np.where(target["masks"][..., None] > 0, HUES[(target["masks"] - 1) % len(HUES)], 32).astype(np.uint8)
    before, after = ([arrays["image"]] if "image" in arrays else [] for arrays in (inputs, target))
    pieces = [[_large(image) for image in images] for images in (before, [*after, tinted, *answers])]
    return figure.beside([*pieces[0], *([figure.arrow(36)] if before else []), *pieces[1]], gap=8)


def _large(image: Image) -> Image:
    times = max(1, SHOWN // len(image))
    return figure.framed(image.repeat(times, axis=0).repeat(times, axis=1))
