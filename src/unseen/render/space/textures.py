"""Materials: how light leaves a surface, and the maps of those that have a pattern with relief.

The eight patterns of CLEVRTex are drawn by formula, once per process; they repeat without a seam. Who has the published
texture sets can have these instead (`photographs.py`). Both renderers read the same arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.core.errors import unknown
from unseen.core.random import Stream, path_key
from unseen.render.space.scene import Color, Surface

Floats = npt.NDArray[np.float64]
SIDE = 512  # pixels of a map
BODY_TILE = 2.0  # a pattern repeats after this many units of a unit mesh: once across a face of the cube


@dataclass(frozen=True)
class Finish:
    """How light leaves a surface: in two glossy lobes, and what they leave over, evenly (unless it is metal)."""

    metalness: float = 0.0  # 1: the lobes have the surface's color, and nothing is left over
    refraction: float = 1.0  # index; its Fresnel factor is the share of the lobes (unless it is metal)
    gloss: Color = (1.0, 1.0, 1.0)  # color of the lobes (unless it is metal)
    roughness: tuple[float, float] = (0.5, 0.5)  # of the two lobes, as Blender writes it: the root of alpha
    second: float = 0.0  # share of the second lobe
    velvet: float = 0.0  # index whose Fresnel factor is the share of a velvet lobe in what is left over; 0: none
    velvet_width: float = 0.6


FINISHES = {  # of materials with a pattern, color, roughness and metalness are in the maps
    "plain": Finish(),
    # as in CLEVR, but for the metal's slight anisotropy
    "rubber": Finish(refraction=1.2, gloss=(0.8, 0.8, 0.8), roughness=(0.59, 0.59), velvet=1.4),
    "metal": Finish(metalness=1.0, roughness=(0.45, 0.10), second=0.6),
    "brick": Finish(refraction=1.15),
    "painted_brick": Finish(refraction=1.4),
    "chain_mail": Finish(),
    "denim": Finish(),
    "fleece": Finish(),
    "spotted_metal": Finish(refraction=1.3),
    "terracotta_tiles": Finish(refraction=1.15),
    "wood": Finish(refraction=1.4),
}


@dataclass(frozen=True, eq=False)
class Maps:
    """A pattern: color (SIDE, SIDE, 3), linear; height in tiles, roughness and metalness (SIDE, SIDE).

    Columns are u, rows are v, upwards.
    """

    color: Floats
    height: Floats
    roughness: Floats
    metalness: Floats


FROM = "@"  # between a material and the folder of photographs that it is taken from


def taken_from(surface: Surface, folder: str) -> Surface:
    """A surface with a pattern as a folder of photographs shows it; any other as it is."""
    material = surface.material
    return replace(surface, material=f"{material}{FROM}{folder}") if material in PATTERNS else surface


def finish(material: str) -> Finish:
    """The finish of a material."""
    material = material.partition(FROM)[0]
    if material not in FINISHES:
        raise unknown("material", material, FINISHES, where="3-D scenes")
    return FINISHES[material]


@cache
def maps(material: str) -> Maps | None:
    """The maps of a material; None if it has no pattern."""
    name, _, folder = material.partition(FROM)
    drawn = PATTERNS[name](_Canvas(name)) if name in PATTERNS else None
    if not folder or drawn is None:
        return drawn
    from unseen.render.space.photographs import photographed

    return photographed(name, Path(folder), drawn)


def mean_color(surface: Surface) -> Floats:
    """The color of a surface seen from afar."""
    pattern = maps(surface.material)
    return np.array(surface.color if pattern is None else _mean(pattern))


@cache
def _mean(pattern: Maps) -> tuple[float, ...]:
    return tuple(pattern.color.mean((0, 1)))


@cache
def mean_metalness(material: str) -> float:
    """The metalness of a material seen from afar."""
    pattern = maps(material)
    return finish(material).metalness if pattern is None else float(pattern.metalness.mean())


# ---------------------------------------------------------------------------- brushes


class _Canvas:
    """A square that repeats: coordinates u and v in 0 .. 1 (SIDE, SIDE), and noise that goes on over its edges."""

    def __init__(self, name: str) -> None:
        self.rng = Stream(path_key(0, "texture", name))
        centers = (np.arange(SIDE) + 0.5) / SIDE
        self.u, self.v = np.meshgrid(centers, centers)

    def table(self, *shape: int) -> Floats:
        """Independent numbers, uniform in 0 .. 1."""
        return np.array([self.rng.uniform() for _ in range(int(np.prod(shape)))]).reshape(shape)

    def noise(self, across: int, up: int | None = None) -> Floats:
        """Smooth noise in 0 .. 1 with as many random values across and up the square."""
        values = self.table(up or across, across)

        def mixed(values: Floats, places: Floats, axis: int) -> Floats:
            count = values.shape[axis]
            low = np.floor(places * count - 0.5)
            part = places * count - 0.5 - low
            part = (part * part * (3 - 2 * part)).reshape((-1, 1) if axis == 0 else (1, -1))
            first, following = (np.take(values, (low + k).astype(int) % count, axis) for k in (0, 1))
            return np.asarray(first * (1 - part) + following * part)

        return mixed(mixed(values, self.v[:, 0], 0), self.u[0], 1)

    def clouds(self, coarse: int, octaves: int) -> Floats:
        """Noise of several sizes, each of half the strength of the one before; about 0 .. 1."""
        total = sum(self.noise(coarse * 2**k) / 2**k for k in range(octaves))
        return np.asarray(total / (2 - 2.0 ** (1 - octaves)))


def _mix(first: Floats | Color, second: Floats | Color, share: Floats) -> Floats:
    """Two colors, mixed in each pixel."""
    return np.asarray(first) * (1 - share[..., None]) + np.asarray(second) * share[..., None]


def _step(low: float, high: float, x: Floats) -> Floats:
    """0 below low, 1 above high, smooth between."""
    part = np.clip((x - low) / (high - low), 0, 1)
    return part * part * (3 - 2 * part)


def _even(value: float) -> Floats:
    return np.full((SIDE, SIDE), value)


# ---------------------------------------------------------------------------- patterns


def _bond(canvas: _Canvas, rows: int, lengths: tuple[float, ...], gap: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Courses of bricks whose lengths repeat, in units of a course; every second course is shifted by half a repeat.

    Gives how far within a brick each pixel is, 0 in the gap .. 1, and the number of its brick.
    """
    course = np.floor(canvas.v * rows).astype(int)
    repeats = round(rows / sum(lengths))
    along = (canvas.u * repeats + 0.5 * (course % 2)) % repeats
    ends = np.concatenate([[0], np.cumsum(lengths)]) / sum(lengths)
    brick = np.searchsorted(ends, along % 1, "right") - 1
    left, right = (np.stack([along % 1 - ends[brick], ends[brick + 1] - along % 1])) * rows / repeats
    low = canvas.v * rows - course
    depth = np.minimum(np.minimum(left, right), np.minimum(low, 1 - low))
    number = (course * repeats + np.floor(along).astype(int)) * len(lengths) + brick
    return _step(gap, gap + 0.1, depth), number


def _brick(canvas: _Canvas) -> Maps:
    """Red bricks in Flemish bond: long and short in turn, pale mortar between."""
    inside, number = _bond(canvas, 9, (3.0, 1.5), 0.06)
    tone = canvas.table(256)[number % 256]
    grain = canvas.clouds(16, 5)
    red = _mix((0.24, 0.05, 0.03), (0.46, 0.13, 0.07), np.clip(0.6 * tone + 0.8 * (grain - 0.3), 0, 1))
    color = _mix(_mix((0.33, 0.30, 0.26), (0.5, 0.46, 0.4), grain), red, inside)
    return Maps(color, 0.012 * inside + 0.006 * grain, 0.8 + 0.15 * grain, _even(0))


def _painted_brick(canvas: _Canvas) -> Maps:
    """Bricks in running bond under white paint, with dirt in the joints."""
    inside, number = _bond(canvas, 8, (2.7,), 0.04)
    tone, grain = canvas.table(256)[number % 256], canvas.clouds(16, 5)
    paint = _mix((0.62, 0.61, 0.57), (0.8, 0.79, 0.76), np.clip(0.5 * tone + grain - 0.2, 0, 1))
    color = _mix((0.4, 0.38, 0.34), paint, 0.25 + 0.75 * inside)
    return Maps(color, 0.012 * inside + 0.008 * grain, 0.45 + 0.2 * grain, _even(0))


def _chain_mail(canvas: _Canvas) -> Maps:
    """Thin copper rings, each through its four neighbors; dark between them."""
    rings, radius, wire = 7, 0.56, 0.1  # per side; in units of their distance
    height = _even(-1.0)
    for shift in (0.0, 0.5):  # two sets of rings, tilted to opposite sides
        x, y = (canvas.u * rings + shift) % 1 - 0.5, (canvas.v * rings + shift) % 1 - 0.5
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                away = np.hypot(x - dx, (y - dy) * 1.1)
                round_ = np.sqrt(np.maximum(wire**2 - (away - radius) ** 2, 0))
                tilt = 0.22 * (y - dy) * (1 if shift else -1)
                height = np.maximum(height, np.where(round_ > 0, round_ + tilt, -1.0))
    metal = (height > -0.9).astype(float)
    worn = canvas.clouds(8, 4)
    copper = _mix((0.55, 0.24, 0.13), (0.85, 0.45, 0.28), worn)
    relief = np.maximum(height, -0.25) / rings
    return Maps(_mix((0.015, 0.01, 0.008), copper, metal), relief, 0.35 + 0.2 * worn, metal)


def _denim(canvas: _Canvas) -> Maps:
    """Blue twill: warp threads with pale weft showing through along diagonals."""
    threads = 64
    x, y = canvas.u * threads, canvas.v * threads
    diagonal = ((x + y) / 4) % 1  # the weave repeats after four threads, one further in each row
    warp = np.abs(np.sin(np.pi * x)) ** 0.7
    weft = _step(0.7, 0.85, diagonal) * np.abs(np.sin(np.pi * y))
    faded = canvas.clouds(4, 6)
    streaks = canvas.noise(128, 8)
    indigo = _mix((0.012, 0.03, 0.1), (0.06, 0.12, 0.27), np.clip(0.5 * faded + 0.5 * streaks, 0, 1))
    color = _mix(indigo * (0.5 + 0.5 * warp[..., None]), (0.3, 0.36, 0.45), 0.55 * weft)
    return Maps(color, 0.004 * warp + 0.004 * weft, _even(0.9), _even(0))


def _fleece(canvas: _Canvas) -> Maps:
    """Soft tufts, in warm gray."""
    bent = 0.01 * (canvas.clouds(8, 3) - 0.5)
    tufts = 1 - np.abs(2 * canvas.clouds(24, 4) - 1)  # ridges of noise look like curls
    fibers = canvas.noise(256)
    fluff = np.clip(0.7 * tufts + 0.3 * fibers + bent, 0, 1)
    color = _mix((0.2, 0.18, 0.16), (0.62, 0.58, 0.53), _step(0.3, 1.0, fluff))
    return Maps(color, 0.025 * fluff, _even(1.0), _even(0))


def _spotted_metal(canvas: _Canvas) -> Maps:
    """Worn steel with brown and dark spots."""
    blotches = _step(0.54, 0.64, canvas.clouds(9, 5))
    freckles = _step(0.66, 0.72, canvas.clouds(40, 3))
    spots = np.maximum(blotches * 0.8, freckles)
    steel = _mix((0.42, 0.41, 0.40), (0.6, 0.58, 0.55), canvas.clouds(4, 5))
    color = _mix(steel, _mix((0.16, 0.08, 0.04), (0.08, 0.06, 0.06), canvas.noise(12)), spots)
    return Maps(color, -0.003 * spots + 0.001 * canvas.noise(128), 0.3 + 0.35 * spots, 1 - 0.6 * spots)


def _terracotta_tiles(canvas: _Canvas) -> Maps:
    """Rows of rounded roof tiles, each lying on the one below."""
    columns, rows = 6, 4
    row = np.floor(canvas.v * rows).astype(int)
    up = canvas.v * rows - row
    x = canvas.u * columns % 1
    barrel = np.sqrt(np.maximum(1 - (2 * x - 1) ** 2, 0))
    number = row * columns + np.floor(canvas.u * columns).astype(int)
    tone, grain = canvas.table(64)[number % 64], canvas.clouds(16, 5)
    clay = _mix((0.36, 0.11, 0.05), (0.62, 0.25, 0.12), np.clip(0.7 * tone + 0.7 * (grain - 0.3), 0, 1))
    shade = (0.35 + 0.65 * _step(0.0, 0.35, barrel)) * (0.45 + 0.55 * _step(0.0, 0.08, up) * _step(0.0, 0.03, 1 - up))
    height = 0.05 * barrel + 0.03 * (1 - up) + 0.004 * grain
    return Maps(clay * shade[..., None], height, 0.75 + 0.15 * grain, _even(0))


def _wood(canvas: _Canvas) -> Maps:
    """Floor boards of several lengths, with grain along them."""
    boards = 6
    board = np.floor(canvas.v * boards).astype(int)
    shift = canvas.table(boards)[board]
    along = (canvas.u + shift) % 1
    number = board * 2 + (along > 0.6)
    tone = canvas.table(2 * boards)[number]
    across = canvas.v * boards - board
    rings = np.sin(2 * np.pi * (3 * across + 5 * tone + 1.6 * canvas.noise(4, 24) + 0.5 * canvas.noise(8, 64)))
    fibers = canvas.noise(16, 256)
    grain = np.clip(0.5 + 0.3 * rings + 0.5 * (fibers - 0.5), 0, 1)
    brown = _mix((0.14, 0.06, 0.025), (0.42, 0.22, 0.1), np.clip(0.55 * grain + 0.5 * tone, 0, 1))
    end = np.minimum(np.abs(along - 0.6), np.minimum(along, 1 - along)) * boards
    seam = _step(0.0, 0.03, np.minimum(np.minimum(across, 1 - across), end))
    color = brown * (0.25 + 0.75 * seam[..., None])
    return Maps(color, 0.005 * seam + 0.001 * grain, 0.35 + 0.2 * fibers, _even(0))


PATTERNS: dict[str, Callable[[_Canvas], Maps]] = {
    "brick": _brick,
    "painted_brick": _painted_brick,
    "chain_mail": _chain_mail,
    "denim": _denim,
    "fleece": _fleece,
    "spotted_metal": _spotted_metal,
    "terracotta_tiles": _terracotta_tiles,
    "wood": _wood,
}
