"""The image of a scene, in a folder of image files named by scene ids."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError
from unseen.render.picture import PHOTOGRAPHS, read_picture

ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def find(folder: str | Path, scene_id: str) -> Path:
    """Return the file that shows a scene; an id that would lead out of the folder has none."""
    for ending in ENDINGS:
        path = Path(folder) / f"{scene_id}{ending}"
        if Path(scene_id).name == scene_id and os.path.isfile(path):
            return path
    raise DataError(f"no image of scene {scene_id!r} in {folder}; looked for {', '.join(ENDINGS)}")


def load(folder: str | Path, scene_id: str) -> npt.NDArray[np.uint8]:
    """Return the image of a scene, uint8 (h, w, 3)."""
    return read_picture(find(folder, scene_id), formats=PHOTOGRAPHS)
