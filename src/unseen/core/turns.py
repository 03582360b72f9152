"""A split that holds the examples of other tasks, in turn: the same ones, whether asked for alone or together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unseen.core.random import permuted


class InTurn:
    """The contract of a sampler, kept by those of several tasks: one example of each, in an order of the key's."""

    def __init__(self, names: Sequence[str], samplers: Sequence[Any], key: int) -> None:
        order = [permuted(k, len(names), np.uint64(key)) for k in range(len(names))]
        self.names = [names[k] for k in order]  # of the tasks, in their turns
        self.samplers = [samplers[k] for k in order]

    def draw(self, index: int, first: int = 0) -> tuple[Any, int, int]:
        """Draw the record of an index, with its content key and which draw it was."""
        number, turn = divmod(index, len(self.samplers))
        return self.samplers[turn].draw(number, first)  # type: ignore[no-any-return]
