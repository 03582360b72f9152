"""Programs: rows of operators over the objects of several scenes; the value of the last row is the answer."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """One operator: the earlier rows it takes, and after them its literal arguments (one may be a nested program)."""

    operation: str
    arguments: tuple[Any, ...] = ()
    dependencies: tuple[int, ...] = ()


Program = tuple[Row, ...]
