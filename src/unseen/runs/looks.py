"""Where a model looked, as a file: of some examples, how much every pixel of every image spoke for the model's answer.

`unseen.predict.attribution` works the numbers out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError
from unseen.core.files import written_aside

Looks = dict[int, npt.NDArray[np.float32]]  # by the index of the example, (images, height, width)


def write_looks(path: Path, looks: Mapping[int, npt.NDArray[np.float32]]) -> None:
    """Write down where a model looked in some examples, whole or not at all."""
    with written_aside(path) as aside, aside.open("wb") as file:
        np.savez_compressed(file, indices=np.array(list(looks), np.int64), values=np.stack(list(looks.values())))


def read_looks(path: Path) -> Looks:
    """Read where a model looked; nothing where that was not written down."""
    if not path.is_file():
        return {}
    try:
        with np.load(path, allow_pickle=False) as held:
            return dict(zip(held["indices"].tolist(), held["values"], strict=True))
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise DataError(f"{path} does not tell where a model looked: {error}; make it again") from None
