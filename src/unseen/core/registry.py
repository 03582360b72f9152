"""Names to things: benchmarks, tasks, rules, models, metrics, from here and from other people's packages.

A third party adds to a registry by calling `add`, or by an entry point in its own package, for instance

    [project.entry-points."unseen.benchmarks"]
    mine = "my_package.benchmark:BENCHMARK"

Entry points are listed without importing them; one that cannot be imported is a one-line warning, not a failure.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from unseen.core.errors import SpecError, UnknownName, unknown

Item = TypeVar("Item")


class Registry(Generic[Item]):
    """A mapping from names to items that are imported when first asked for.

    >>> colors = Registry[int]("color")
    >>> colors.add("red", 2)
    >>> colors["red"], list(colors)
    (2, ['red'])
    """

    def __init__(self, what: str, *, group: str = "", listing: str = "") -> None:
        self.what = what
        self.group = group
        self.listing = listing
        self._items: dict[str, Item] = {}
        self._lazy: dict[str, str | EntryPoint] = {}
        self._order: dict[str, None] = {}  # names as they were registered, whichever was imported first
        self._looked = not group

    def add(self, name: str, item: Item) -> None:
        """Register an item; a name is taken only once."""
        if name in self._items or name in self._lazy:
            raise SpecError(f"a {self.what} named {name!r} is registered already; choose another name")
        self._items[name] = item
        self._order[name] = None

    def add_lazy(self, name: str, place: str) -> None:
        """Register `module:attribute`, imported on first use."""
        self._lazy[name] = place
        self._order[name] = None

    def remove(self, name: str) -> None:
        """Forget an item, so that tests and notebooks can register it again."""
        self._items.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        self._look()
        return iter([name for name in self._order if name in self._items or name in self._lazy])

    def __contains__(self, name: object) -> bool:
        self._look()
        return name in self._items or name in self._lazy

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, name: str) -> Item:
        if name not in self._items:
            self._look()
            if name not in self._lazy:
                raise unknown(self.what, name, self, listing=self.listing)
            self._items[name] = self._import(name, self._lazy[name])
        return self._items[name]

    def values(self) -> list[Item]:
        """Return every item that can be imported, in the order of registration."""
        items = []
        for name in self:
            try:
                items.append(self[name])
            except UnknownName as error:
                warnings.warn(str(error), stacklevel=2)
        return items

    def _look(self) -> None:
        """Note the entry points of installed packages, once."""
        if self._looked:
            return
        self._looked = True
        for point in entry_points(group=self.group):
            self._lazy.setdefault(point.name, point)
            self._order.setdefault(point.name)

    def _import(self, name: str, place: str | EntryPoint) -> Item:
        try:
            if isinstance(place, EntryPoint):
                return place.load()  # type: ignore[no-any-return]
            module, _, attribute = place.partition(":")
            return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
        except Exception as error:  # another package's code may fail in any way; say which, and go on without it
            raise UnknownName(
                f"the {self.what} {name!r} is registered but cannot be imported: {type(error).__name__}: {error}"
            ) from error


PLUGINS = ["unseen.rules", "unseen.tasks"]  # entry points of modules that register rules and tasks, not yet imported


def load_plugins() -> None:
    """Import the modules of other packages that register rules and tasks, once."""
    while PLUGINS:
        group = PLUGINS.pop(0)  # first of all, for such a module asks for the benchmark that it adds to
        for point in entry_points(group=group):
            try:
                point.load()
            except Exception as error:  # as above
                warnings.warn(
                    f"{group} {point.name!r} cannot be imported: {type(error).__name__}: {error}", stacklevel=2
                )
