"""Tar files for `webdataset`: examples one after the other, each a few files that share the digits of its index.

    000000007.input_grid.npy    an array
    000000007.input_image.png   a picture; several are .input_images.0.png, .input_images.1.png and so on
    000000007.input_text.txt    a text
    000000007.target_odd.json   a number
    000000007.scene.json        the symbolic scene

The first file, `__unseen__`, which readers pass over, says what the tar holds and seals it. Bytes depend on nothing but
that. Started again, an export makes only the tars that are not there yet.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from unseen.core.errors import DataError
from unseen.core.nesting import parsed
from unseen.core.progress import Progress
from unseen.core.seals import BLANK, is_sealed, seal
from unseen.core.seals import NAME as SEAL
from unseen.data.columns import is_picture
from unseen.data.dataset import Dataset
from unseen.data.places import Place, place_of
from unseen.data.shards import Shard, arrays_of, data_set, shards_of
from unseen.engines import Engine
from unseen.engines import engine as engine_of

FORMAT = "webdataset"
ABOUT = "__unseen__"


def export_tars(
    dataset: Dataset,
    where: str | Path | Place,
    *,
    workers: int | None = None,
    engine: str | Engine = "local",
    progress: Progress | None = None,
) -> list[str]:
    """Write a data set as tars of as many examples as a shard has, to a folder or URL; returns where they are."""
    place = place_of(where)
    tars = [*shards_of(dataset.split, len(dataset), dataset.task.kind.shard_rows)]
    with place.one_writer():
        _refuse_others(place, dataset.split, {name_of(tar) for tar in tars})
        done = 0
        dataset.prepare(engine, workers)
        with closing(engine_of(engine)(partial(make, dataset, place), tars, workers)) as results:
            for count in results:
                done += count
                if progress:
                    progress(done, len(dataset), dataset.split)
    return [place.file(name_of(tar)) for tar in tars]


def name_of(tar: Shard) -> str:
    """Return the name of a tar: that of the shard of as many examples.

    >>> name_of(Shard("val", 0, 1, 0, 100))
    'val-00000-of-00001.tar'
    """
    return Path(tar.name).stem + ".tar"


def make(dataset: Dataset, place: Place, tar: Shard) -> int:
    """Make a tar, unless it is there; returns how many examples it has. This is the work of a worker."""
    part, name = dataset[tar.start : tar.stop], name_of(tar)
    about = about_of(part)
    try:
        content = place.read(name)
    except FileNotFoundError:
        place.write(name, encode(part, about))
        return len(part)
    if not is_sealed(content) or _told(content) != about:
        raise DataError(f"{place.file(name)} is damaged, or of another data set; remove it, or choose another folder")
    return len(part)


def about_of(part: Dataset) -> dict[str, Any]:
    """Return what a tar says of itself."""
    chosen = {"start": part.indices.start, "stop": part.indices.stop, "step": part.indices.step}
    return {**data_set(part.task, part.source.seed), "split": part.split, "indices": chosen}


def encode(part: Dataset, about: dict[str, Any]) -> bytes:
    """Return the tar of some examples."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, ABOUT, json.dumps({**about, SEAL: BLANK}, sort_keys=True).encode())
        for example in part:
            for name, value in {**arrays_of(example), "scene": example.scene}.items():
                for file, content in files_of(name, value):
                    _add(tar, f"{example.index:09}.{file}", content)
    return seal(made.getvalue())


def files_of(name: str, value: Any) -> Iterator[tuple[str, bytes]]:
    """Yield a named value as files.

    >>> [file for file, _ in files_of("input_images", np.zeros((2, 9, 9, 3), np.uint8))]
    ['input_images.0.png', 'input_images.1.png']
    >>> list(files_of("text", "how many?")), [file for file, _ in files_of("grid", np.zeros((2, 2), np.int8))]
    ([('text.txt', b'how many?')], ['grid.npy'])
    """
    from unseen.render.png import encode_png

    picture = isinstance(value, np.ndarray) and value.dtype == np.uint8 and is_picture(name.partition(".")[0])
    if isinstance(value, str):
        yield f"{name}.txt", value.encode()
    elif picture and value.ndim == 3:
        yield f"{name}.png", encode_png(value)
    elif picture or (isinstance(value, list) and value and isinstance(value[0], np.ndarray)):
        for number, one in enumerate(value):
            yield from files_of(f"{name}.{number}", one)
    elif isinstance(value, np.ndarray):
        array = io.BytesIO()
        np.lib.format.write_array(array, value, version=(1, 0), allow_pickle=False)
        yield f"{name}.npy", array.getvalue()
    else:
        plain = value.item() if isinstance(value, np.generic) else value
        yield f"{name}.json", json.dumps(plain, sort_keys=True).encode()


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    file = tarfile.TarInfo(name)  # of no time and no owner
    file.size = len(content)
    tar.addfile(file, io.BytesIO(content))


def _told(content: bytes) -> Any:
    """What a tar says of itself; None where it says nothing."""
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            first = tar.next()
            file = tar.extractfile(first) if first and first.name == ABOUT else None
            told = parsed(json.loads, file.read()) if file else None
    except (tarfile.TarError, ValueError, OSError):
        return None
    return {name: value for name, value in told.items() if name != SEAL} if isinstance(told, dict) else None


def _refuse_others(place: Place, split: str, names: set[str]) -> None:
    """Refuse a place where readers would find tars of the same split in another number."""
    for name in place.sizes():
        if name.startswith(f"{split}-") and name.endswith(".tar") and name not in names:
            raise DataError(f"{place.file(name)} is of another export; remove it, or choose another folder")
