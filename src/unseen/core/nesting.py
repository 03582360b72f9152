"""Texts that are nested deeper than a parser can follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Text = TypeVar("Text", str, bytes)
Parsed = TypeVar("Parsed")


def parsed(parse: Callable[[Text], Parsed], text: Text) -> Parsed:
    """Give what a parser makes of a text; where that is nested too deeply, ValueError as for any other fault of a text.

    >>> import json
    >>> parsed(json.loads, "[" * 100_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return parse(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
