"""How long work says how far it is."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """A function that is told how far the work is, again and again."""

    def __call__(self, done: int, total: int, text: str = "", /) -> None:
        """Take note that `done` of `total` are done; `text` is a word on what is being done."""


class OnlyHere:
    """Progress that is shown by work in this process, and that work sent elsewhere leaves behind.

    >>> import pickle
    >>> OnlyHere(print)(1, 2, "examples"), pickle.loads(pickle.dumps(OnlyHere(print)))(1, 2, "examples")
    1 2 examples
    (None, None)
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = progress

    def __call__(self, done: int, total: int, text: str = "", /) -> None:
        """Pass on how far the work is, if it is here."""
        if self.progress:
            self.progress(done, total, text)

    def __reduce__(self) -> Any:
        return OnlyHere, ()
