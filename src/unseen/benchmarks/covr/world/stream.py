"""The random numbers of scenes, and the scenes of a part, which are drawn until they belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unseen.benchmarks.covr.world.identity import content_key
from unseen.benchmarks.covr.world.scene import Scene
from unseen.core.random import BlockStream
from unseen.core.splits import Part

DRAWS = 1_000  # of a scene until one is in its part; a part is an eighth of the scenes or more


class SceneStream(BlockStream):
    """A stream whose block is what a scene takes, mostly."""

    __slots__ = ()

    BLOCK = 128


class Make(Protocol):
    """A world makes a scene from a stream's key, index and draw, or from the stream itself where that is at hand."""

    def __call__(self, key: int, index: int, draw: int = 0, rng: SceneStream | None = None) -> Scene:
        """Make one scene."""


def scenes(make: Make, key: int, part: Part, indices: Sequence[int]) -> list[Scene]:
    """Give the scenes of some indices that belong to a part of the scene space: of each index the first draw that does.

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
