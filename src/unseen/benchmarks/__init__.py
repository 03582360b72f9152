"""The benchmarks, each a package with the same file names, imported when first used: `unseen.benchmarks.cogitao`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

PACKAGES = tuple(module.name for module in iter_modules(__path__))


def __getattr__(name: str) -> Any:
    if name not in PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return [*globals(), *PACKAGES]
