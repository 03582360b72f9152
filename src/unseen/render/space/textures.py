"""Materials: how light leaves a surface, and the maps of those that have a pattern with relief.

The eight patterns of CLEVRTex are drawn by formula, once per process; they repeat without a seam. Both renderers read
the same arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from unseen.core.errors import unknown
from unseen.core.random import Stream, path_key
from unseen.render.space.scene import Surface

Floats = npt.NDArray[np.float64]
SIDE = 512  # pixels of a map


@dataclass(frozen=True)
class Finish:
    """How light leaves a surface: in two glossy lobes, and what they leave over, evenly (unless it is metal)."""

    metalness: float = 0.0  # 1: the lobes have the surface's color, and nothing is left over
    refraction: float = 1.0  # index; its Fresnel factor is the share of the lobes (unless it is metal)
    gloss: tuple[float, float, float] = (1.0, 1.0, 1.0)  # color of the lobes (unless it is metal)
    roughness: tuple[float, float] = (0.5, 0.5)  # of the two lobes, as Blender writes it: the root of alpha
    second: float = 0.0  # share of the second lobe
    velvet: float = 0.0  # index whose Fresnel factor is the share of a velvet lobe of what is left over; 0: none
    velvet_width: float = 0.6


FINISHES = {
    "plain": Finish(),
    "rubber": Finish(refraction=1.2, gloss=(0.8, 0.8, 0.8), roughness=(0.59, 0.59), velvet=1.4),
    "metal": Finish(metalness=1.0, roughness=(0.45, 0.10), second=0.6),
}
PATTERNED = Finish(refraction=1.45)


@dataclass(frozen=True, eq=False)
class Maps:
    """A pattern: color (SIDE, SIDE, 3), linear; roughness, metalness and height (SIDE, SIDE), height in tiles."""

    color: Floats
    height: Floats
    roughness: Floats
    metalness: Floats


BODY_TILE = 2.0  # a pattern repeats after this many units of a unit mesh: once across a face of the cube
PATTERNS: dict[str, Callable[[], Maps]] = {}


def finish(material: str) -> Finish:
    """The finish of a material."""
    if material not in FINISHES and material not in PATTERNS:
        raise unknown("material", material, [*FINISHES, *PATTERNS], where="3-D scenes")
    return FINISHES.get(material, PATTERNED)


@cache
def maps(material: str) -> Maps | None:
    """The maps of a material; None if it has no pattern."""
    return PATTERNS[material]() if material in PATTERNS else None


def mean_color(surface: Surface) -> Floats:
    """The color of a surface seen from afar."""
    pattern = maps(surface.material)
    return np.array(surface.color) if pattern is None else pattern.color.mean((0, 1))
