"""Records to Arrow structs and back: frozen dataclasses and named tuples, typed by their annotations.

A record that is read is equal (`==`) to the one that was written. What a field may hold: bool, int, float, str, a
`Literal`, a tuple of any of these, further records, and any of these or None. A record that has no fixed shape, such as
one that holds a program, writes itself: its class has `to_json` and `from_json`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

from unseen.core.errors import SpecError
from unseen.core.task import Benchmark
from unseen.data.columns import PLAIN, Column, Listed, Plain, Rows


@dataclass(frozen=True)
class Struct(Column):
    """Named parts of fixed types: a record, or a tuple whose places differ in type."""

    make: Callable[..., Any]
    parts: tuple[tuple[str, Callable[[Any], Any], Column], ...]  # name, how to get it from a record, how it is stored

    @property
    def arrow(self) -> pa.DataType:
        """A struct with a field per part."""
        return pa.struct([(name, column.arrow) for name, _, column in self.parts])

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join records as one column per part."""
        columns = [column.join(list(map(get, packed))) for _, get, column in self.parts]
        return pa.StructArray.from_arrays(columns, fields=list(self.arrow))

    def decode(self, array: pa.Array) -> Rows:
        """Decode the column to the records that were stored."""
        read = zip(self.parts, array.flatten(), strict=True)
        columns = [column.decode(values) for (_, _, column), values in read]
        return Rows(len(array), lambda index: self.make(*[column[index] for column in columns]))


@dataclass(frozen=True)
class Maybe(Column):
    """A record or None: a list of at most one."""

    of: Column

    @property
    def arrow(self) -> pa.DataType:
        """A list of the record's type."""
        return Listed(self.of).arrow

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join records as lists of at most one; None is an empty list."""
        return Listed(self.of).join([[] if value is None else [value] for value in packed])

    def decode(self, array: pa.Array) -> Rows:
        """Decode the column to the records that were stored."""
        lists = Listed(self.of).decode(array)
        return Rows(len(array), lambda index: next(iter(lists[index]), None))


@dataclass(frozen=True)
class Written(Column):
    """A record as a line of JSON, by its own account."""

    of: type[Any]

    @property
    def arrow(self) -> pa.DataType:
        """The Arrow type of a record written as JSON: text."""
        return pa.string()

    def join(self, packed: Sequence[Any]) -> pa.Array:
        """Join records as lines of JSON."""
        return pa.array([value.to_json() for value in packed], pa.string())

    def decode(self, array: pa.Array) -> Rows:
        """Decode lines of JSON to records; a line is read when its row is asked for."""
        return Rows(len(array), lambda index: self.of.from_json(array[index].as_py()))


def scene_column(benchmark: Benchmark) -> Column:
    """Give the column type for a benchmark's records: the class that its sampler's `draw` declares to return first."""
    declared = get_type_hints(benchmark.file("sample").Sampler.draw).get("return")
    if declared is None:
        raise SpecError(
            f"records of {benchmark.name} cannot be stored, since nothing says of which type they are;"
            f" declare what draw returns in {benchmark.package}.sample: -> tuple[Record, int, int]"
        )
    return record_column(get_args(declared)[0])


@cache
def record_column(declared: Any) -> Column:
    """Return the column type for values of a declared type.

    >>> from typing import NamedTuple
    >>> class Placed(NamedTuple):
    ...     name: str
    ...     at: tuple[int, int]
    >>> column = record_column(Placed)
    >>> column.decode(column.encode([Placed("ball", (2, 5))]))[0]
    Placed(name='ball', at=(2, 5))
    """
    some = _without_none(declared)
    if some is not declared:
        return Plain(some) if some in PLAIN else Maybe(record_column(some))  # Arrow can leave plain values out
    args = get_args(declared)
    if declared in PLAIN:
        return Plain(declared)
    if hasattr(declared, "from_json"):
        return Written(declared)
    if get_origin(declared) is Literal:
        return Plain(type(args[0]))
    if get_origin(declared) is tuple and args[1:] == (...,):
        return Listed(record_column(args[0]), tuple)
    if get_origin(declared) is tuple and len(set(args)) == 1:
        return Listed(record_column(args[0]), tuple)
    if get_origin(declared) is tuple:
        parts = ((str(place), itemgetter(place), record_column(arg)) for place, arg in enumerate(args))
        return Struct(lambda *values: values, tuple(parts))
    if names := _part_names(declared):
        hints = get_type_hints(declared)
        return Struct(declared, tuple((name, attrgetter(name), record_column(hints[name])) for name in names))
    raise TypeError(f"a record cannot be stored: {declared} is neither a plain value, a tuple nor a record of these")


def _part_names(declared: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(declared):
        return tuple(field.name for field in dataclasses.fields(declared))
    return getattr(declared, "_fields", ())


def _without_none(declared: Any) -> Any:
    """`X` of `X | None`."""
    if get_origin(declared) not in (Union, types.UnionType):
        return declared
    others = [arg for arg in typing.get_args(declared) if arg is not type(None)]
    return others[0] if len(others) == 1 else declared
