"""The random numbers of a scene."""

from __future__ import annotations

from unseen.core.random import BlockStream


class SceneStream(BlockStream):
    """A stream whose block is what a scene takes, mostly."""

    __slots__ = ()

    BLOCK = 128
