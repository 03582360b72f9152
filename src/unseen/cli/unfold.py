"""Options that belong together are declared once, as a dataclass that a command takes whole."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter
from typing import Any, get_type_hints


def unfolded(command: Callable[..., None]) -> Callable[..., None]:
    """Have a command's parameter that is a dataclass written as the options that its fields declare.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     width: int = 3
    >>> @unfolded
    ... def draw(name: str, size: Size) -> None:
    ...     print(name, size)
    >>> list(inspect.signature(draw).parameters), draw(name="x", width=5)
    x Size(width=5)
    (['name', 'width'], None)
    """
    hints = get_type_hints(command, include_extras=True)
    folded: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @wraps(command)
    def call(**given: Any) -> None:
        whole = {
            name: made(**{field.name: given.pop(field.name) for field in fields(made) if field.name in given})
            for name, made in folded.items()
        }
        command(**given, **whole)

    parameters = [
        one
        for parameter in inspect.signature(command).parameters.values()
        for one in (
            _options(folded[parameter.name])
            if parameter.name in folded
            else (parameter.replace(annotation=hints[parameter.name]),)
        )
    ]
    by_keyword = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    call.__signature__ = inspect.Signature(by_keyword)  # type: ignore[attr-defined]
    return call


def _options(declared: Any) -> Iterator[Parameter]:
    hints = get_type_hints(declared, include_extras=True)
    for field in fields(declared):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
