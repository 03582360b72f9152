"""Which scene is which: ids that name random streams, and keys of what scenes show."""

from __future__ import annotations

import hashlib

from unseen.benchmarks.covr.world.scene import Scene
from unseen.core.errors import DataError


def hashed(text: str, seed: int = 0) -> int:
    """Return a number of 64 bits that a text decides; Python has it at once, as kernels that hash have to be compiled.

    >>> hashed("a man") == hashed("a man") != hashed("a man", seed=1)
    True
    """
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, salt=seed.to_bytes(8, "little")).digest())


def content_key(scene: Scene) -> int:
    """Return the key of what a scene shows, whatever its id: place, and each thing's kind, attributes and box."""
    shown = [(thing.name, thing.attributes, thing.box) for thing in scene.things.values()]
    return hashed(repr((scene.location, shown)))


def is_mirrored(scene_id: str) -> bool:
    """Tell whether a scene is seen from the other side: left and right are exchanged."""
    return hashed(scene_id) & 1 == 1


def named(key: int, index: int, draw: int) -> str:
    """Return the id of a scene: its stream."""
    return f"{key:016x}-{index}-{draw}"


def stream_of(scene_id: str) -> tuple[int, int, int]:
    """Return the key, index and draw of a scene by its id.

    >>> stream_of(named(5, 3, 0))
    (5, 3, 0)
    """
    try:
        key, index, draw = scene_id.split("-")
        return int(key, 16), int(index), int(draw)
    except ValueError:
        raise DataError(f"{scene_id!r} names no generated scene; such ids read <key>-<index>-<draw>") from None
