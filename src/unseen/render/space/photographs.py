"""Materials from photographs: the texture sets that CLEVRTex was published with, where a user has them.

They are Poliigon's, and may not be passed on. A set is some image files whose names begin with the published name of a
material and say what they hold: `WoodFlooring061_COL_VAR1_3K.jpg`. The color is needed; what else is missing is taken
from the pattern that is drawn in its place. Sets may lie in folders of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from unseen.core.errors import DataError
from unseen.render.space.textures import SIDE, Floats, Maps

NAMES = {  # ours -> published
    "brick": "BricksFlemishRed001",
    "painted_brick": "BricksPaintedWhite001",
    "chain_mail": "ChainmailCopperRoundedThin001",
    "denim": "FabricDenim003",
    "fleece": "FabricFleece001",
    "spotted_metal": "MetalSpottyDiscoloration001",
    "terracotta_tiles": "RoofTilesTerracotta004",
    "wood": "WoodFlooring061",
}
RELIEF = 0.03  # tiles between the lowest and the highest place of a displacement map
ENDINGS = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp")


def photographed(material: str, folder: Path, drawn: Maps) -> Maps:
    """The maps of a material from a folder, and those that are drawn where it has none."""
    color = _map(material, folder, "COL")
    if color is None:
        name = NAMES[material]
        raise DataError(f"{folder} has no image of {material}: its color would be in a file named {name}_COL_....jpg")
    shade = _gray(material, folder, "AO")
    gloss, rough = _gray(material, folder, "GLOSS"), _gray(material, folder, "ROUGHNESS")
    height, metal = _gray(material, folder, "DISP"), _gray(material, folder, "METALNESS")
    return Maps(
        color=_linear(color) * (1.0 if shade is None else shade[..., None]),
        height=drawn.height if height is None else RELIEF * height,
        roughness=rough if rough is not None else drawn.roughness if gloss is None else 1 - gloss,
        metalness=drawn.metalness if metal is None else metal,
    )


def _gray(material: str, folder: Path, what: str) -> Floats | None:
    found = _map(material, folder, what)
    return None if found is None else found.mean(axis=2)


def _map(material: str, folder: Path, what: str) -> Floats | None:
    """One map of a material as values from 0 to 1, (SIDE, SIDE, 3), the lowest row first; None where there is none."""
    path = _file(folder, lambda name: name.startswith(f"{NAMES[material]}_{what}".lower()))
    if path is None:
        return None
    try:
        with Image.open(path) as image:
            small = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
    except (UnidentifiedImageError, OSError) as error:
        raise DataError(f"{path} is not an image that can be read: {error}") from error
    return np.asarray(small, np.float64)[::-1] / 255


def _file(folder: Path, fits: Callable[[str], bool]) -> Path | None:
    """The first file in the order of names that fits, in a folder and those within it."""
    if not folder.is_dir():
        raise DataError(f"there is no folder {folder} of textures")
    found = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in ENDINGS)
    return next((path for path in found if fits(path.name.lower())), None)


def _linear(values: Floats) -> Floats:
    """Light, from values as images store them (sRGB)."""
    return np.asarray(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))
