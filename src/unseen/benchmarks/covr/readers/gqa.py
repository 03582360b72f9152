"""GQA scene graphs: `train_sceneGraphs.json` and `val_sceneGraphs.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unseen.benchmarks.covr.readers.stream import entries
from unseen.benchmarks.covr.world.scene import Scene, from_gqa
from unseen.core.errors import DataError


def read(path: str | Path) -> Iterator[Scene]:
    """Yield the scenes of a file, in its order."""
    for where, key, graph in entries(Path(path)):
        try:
            yield from_gqa(key, graph)
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
