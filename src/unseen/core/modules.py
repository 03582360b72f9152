"""Packages that can be called: `unseen.train` is a package, and `unseen.train(...)` a function of the public face."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """A module that does what a function does when it is called; the function is imported by then."""

    place: str  # "module:function"

    @property
    def called(self) -> Callable[..., Any]:
        """The function that is called."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function."""
        return self.called(*arguments, **named)


def make_callable(module: str, place: str) -> None:
    """Let a package stand for the function of the same name in the public face.

    Python puts a package in the place of the function as soon as something imports the package.
    """
    made = sys.modules[module]
    made.__class__ = CallableModule
    made.place = place  # type: ignore[attr-defined]
