"""Named arrays in one file of the cache, mapped: processes share what they read, and what is damaged is made again.

The file is a line with its checksum, a line of JSON that says what is where, and the arrays, each at a multiple of 64
bytes after the second line.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError
from unseen.core.files import written_aside

Arrays = Mapping[str, npt.NDArray[Any]]

ALIGNED = 64
SEAL = 64  # hexadecimal digits of a SHA-256


def write(path: Path, arrays: Arrays) -> None:
    """Keep arrays in a file; where there is no room, they are not kept.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write(folder / "numbers", {"a": np.arange(3), "b": np.zeros((0, 2))})
    >>> {name: array.shape for name, array in (read(folder / "numbers") or {}).items()}
    {'a': (3,), 'b': (0, 2)}
    """
    places, at = {}, 0
    for name, array in arrays.items():
        places[name] = array.dtype.str, array.shape, at
        at += -(-array.nbytes // ALIGNED) * ALIGNED
    head = json.dumps(places).encode()
    head += b" " * (-(SEAL + 1 + len(head) + 1) % ALIGNED) + b"\n"
    digest = hashlib.sha256(head)
    with suppress(DataError), written_aside(path) as aside, aside.open("wb") as file:
        file.write(b" " * SEAL + b"\n" + head)
        for array in arrays.values():
            content = array.tobytes() + bytes(-array.nbytes % ALIGNED)
            digest.update(content)
            file.write(content)
        file.seek(0)
        file.write(digest.hexdigest().encode())


def read(path: Path) -> dict[str, npt.NDArray[Any]] | None:
    """Give the arrays of a file, or None where there is none that is whole; what is written to them stays in memory."""
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except (OSError, ValueError):  # no such file, or an empty one
        return None
    view = memoryview(content)
    if hashlib.sha256(view[SEAL + 1 :]).hexdigest().encode() != content[:SEAL]:
        return None
    start = content.find(b"\n", SEAL + 1) + 1
    places = json.loads(content[SEAL + 1 : start])
    return {
        name: np.frombuffer(view, kind, int(np.prod(shape)), start + at).reshape(shape)
        for name, (kind, shape, at) in places.items()
    }
