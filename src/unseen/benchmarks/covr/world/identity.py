"""Which scene is which: ids that name random streams, keys of what scenes show, and the scenes of a part."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.stream import SceneStream
from unseen.core.errors import DataError
from unseen.core.splits import Part

DRAWS = 1_000  # of a scene until one is in its part; a part is an eighth of the scenes or more


class Make(Protocol):
    """A world makes a scene from a stream's key, index and draw, or from the stream itself where that is at hand."""

    def __call__(self, key: int, index: int, draw: int = 0, rng: SceneStream | None = None) -> Scene:
        """Make one scene."""


def hashed(text: str, seed: int = 0) -> int:
    """A number of 64 bits that a text decides; Python has it at once, as kernels that hash have to be compiled.

    >>> hashed("a man") == hashed("a man") != hashed("a man", seed=1)
    True
    """
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8, salt=seed.to_bytes(8, "little")).digest())


def content_key(scene: Scene) -> int:
    """The key of what a scene shows, whatever its id: place, and each thing's kind, attributes and box."""
    shown = [(thing.name, thing.attributes, thing.box) for thing in scene.things.values()]
    return hashed(repr((scene.location, shown)))


def scenes(make: Make, key: int, part: Part, indices: Sequence[int]) -> list[Scene]:
    """The scenes of some indices that belong to a part of the scene space: of each index the first draw that does.

    All indices are drawn once, then those again that need it, because the streams of one draw are begun together.
    """
    found: dict[int, Scene] = {}
    for draw in range(DRAWS):
        waiting = [index for index in indices if index not in found]
        if not waiting:
            return [found[index] for index in indices]
        for index, rng in zip(waiting, SceneStream.several(key, waiting, draw), strict=True):
            one = make(key, index, draw, rng)
            if part.holds(content_key(one)):
                found[index] = one
    raise AssertionError(f"{DRAWS} draws of scene {waiting[0]}, and none is in its part")


def is_mirrored(scene_id: str) -> bool:
    """Whether a scene is seen from the other side: left and right are exchanged."""
    return hashed(scene_id) & 1 == 1


def named(key: int, index: int, draw: int) -> str:
    """The id of a scene: its stream."""
    return f"{key:016x}-{index}-{draw}"


def stream_of(scene_id: str) -> tuple[int, int, int]:
    """The key, index and draw of a scene by its id.

    >>> stream_of(named(5, 3, 0))
    (5, 3, 0)
    """
    try:
        key, index, draw = scene_id.split("-")
        return int(key, 16), int(index), int(draw)
    except ValueError:
        raise DataError(f"{scene_id!r} names no generated scene; such ids read <key>-<index>-<draw>") from None
