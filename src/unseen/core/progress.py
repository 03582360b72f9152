"""How long work says how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A function that is told how far the work is, again and again."""

    def __call__(self, done: int, total: int, text: str = "", /) -> None:
        """Take note that `done` of `total` are done; `text` is a word on what is being done."""
