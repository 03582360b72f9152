"""Options have one written form everywhere: Python keyword, shell `key=value`, folder, manifest, result.

svib/clevr-sa+alpha=0.4+size=64                       sorted, defaults left out
cogitao/custom+grid=10-15+sequences=rot90:pad_top,rot90      a range; sequences joined by ':', listed with ','
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from unseen.core.errors import SpecError, unknown

Options = TypeVar("Options")

ESCAPED = {ord("+"): "%2B", ord("%"): "%25"}  # in values, since + stands between options: paths may have any sign
NO_TEXT = re.compile("[\0\ud800-\udfff]")  # what neither paths nor UTF-8 can hold
RESERVED = {  # words that are no options of a task, and what to write instead
    "name": "a task is named before its options",
    "split": "a split is named after the task: load(task, split), or a word of its own in a command",
    "seed": "examples are drawn from a seed, not tasks: load(task, split, seed=3), or --seed 3 in a command",
    "count": "examples are counted, not tasks: load(task, split)[:3], or --count 3 in a command",
}


def read_range(value: Any) -> Any:
    """`15`, `"10-15"` or a pair -> (low, high)."""
    if isinstance(value, int):
        return (value, value)
    if isinstance(value, str):
        low, _, high = value.partition("-")
        return (low, high or low)
    return value


def read_names(value: Any) -> Any:
    """`"a,b"` or any list of names -> tuple of names."""
    if isinstance(value, str):
        value = value.split(",") if value else ()
    return tuple(value) if isinstance(value, Iterable) else value


def read_sequences(value: Any) -> Any:
    """`"a:b,c"` or any list of lists of names -> tuple of tuples of names."""
    if isinstance(value, str):
        value = value.split(",") if value else ()
    if not isinstance(value, Iterable):
        return value
    return tuple(tuple(item.split(":")) if isinstance(item, str) else tuple(item) for item in value)


Range = Annotated[tuple[int, int], BeforeValidator(read_range)]
Names = Annotated[tuple[str, ...], BeforeValidator(read_names)]
Sequences = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(read_sequences)]


def written_value(value: Any) -> str:
    """Write the value of an option in its one written form.

    >>> written_value((10, 15)), written_value((("rot90", "pad_top"), ("rot90",))), written_value(True)
    ('10-15', 'rot90:pad_top,rot90', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return str(value[0]) if value[0] == value[1] else f"{value[0]}-{value[1]}"
    if isinstance(value, tuple):
        return ",".join(":".join(part) if isinstance(part, tuple) else str(part) for part in value)
    return str(value)


def written(*options: Any) -> str:
    """Write option records in their one written form: `+key=value` for all values but defaults, sorted."""
    parts = []
    for record in options:
        for field in dataclasses.fields(record):
            value = getattr(record, field.name)
            if value != _default(field):
                parts.append(f"+{field.name}={written_value(value).translate(ESCAPED)}")
    return "".join(sorted(parts))


def parse_id(text: str) -> tuple[str, dict[str, str]]:
    """Split a written task id into its name and its options.

    >>> parse_id("cogitao/custom+grid=20+objects=4")
    ('cogitao/custom', {'grid': '20', 'objects': '4'})
    >>> parse_id("covr/custom+corpus=a%2Bb.json")[1]
    {'corpus': 'a+b.json'}
    """
    name, *pairs = text.split("+")
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SpecError(f"option {pair!r} in {text!r} has no value; write it as {pair}=value")
        options[key] = reduce(lambda text, one: text.replace(one[1], chr(one[0])), ESCAPED.items(), value)
    return name, options


def read_options(classes: Sequence[type[Any]], given: Mapping[str, Any], *, of: str) -> list[Any]:
    """Build one record of each class from the options that a user gave; an option that no class has is refused."""
    owners = {field.name: cls for cls in classes for field in dataclasses.fields(cls)}
    for name, value in given.items():
        if name not in owners:
            refuse_reserved([name], of=of)
            raise unknown("option", name, owners, where=of)
        if isinstance(value, str) and NO_TEXT.search(value):
            raise SpecError(f"{name} of {of} holds what cannot be written to a file: {value!r}")
    return [_read(cls, {k: v for k, v in given.items() if owners[k] is cls}, of) for cls in classes]


def refuse_reserved(names: Iterable[str], *, of: str) -> None:
    """Refuse words as options that functions and commands have another meaning for."""
    for name in names:
        if name in RESERVED:
            raise SpecError(f"{name} is no option of {of}: {RESERVED[name]}")


def check_types(record: Any, *, of: str) -> None:
    """Refuse a record that a program has made with a value of another type than its class declares."""
    for name, kind in _types(type(record)).items():  # type: ignore[arg-type]  # classes can be hashed
        try:
            kind.validate_python(value := getattr(record, name), strict=True)
        except ValidationError as error:
            raise SpecError(f"{name} of {of} cannot be {value!r}: {error.errors()[0]['msg'].lower()}") from None


@cache
def _types(cls: type[Any]) -> dict[str, TypeAdapter[Any]]:
    return {name: TypeAdapter(kind) for name, kind in get_type_hints(cls).items()}


def _read(cls: type[Options], given: Mapping[str, Any], of: str) -> Options:
    if not given:
        return cls()
    try:
        return TypeAdapter(cls).validate_python(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, ValueError) and not first["loc"]:
            raise SpecError(f"{cause} ({of})") from None
        name = first["loc"][0] if first["loc"] else "options"
        raise SpecError(f"{name} of {of} cannot be {given.get(str(name), '')!r}: {first['msg'].lower()}") from None


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
