"""Errors that finish the sentence: what was asked, what was expected, what to do.

UnseenError                 anything a user can cause and mend; the command line prints it and exits with 2
|-- UnknownName             no such benchmark, task, split, option, rule, model or metric
|-- SpecError               an option whose value cannot be
|-- Unplaceable             a configuration whose rejection sampling ran out of tries
|-- TooFewExamples          a split that asks for more distinct examples than there are
|-- DataError               a folder, shard or file that is not what it should be
|-- EndpointError           a language model's endpoint that cannot be reached, or refuses
`-- MissingExtra            a feature whose optional packages are not installed
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UnseenError(Exception):
    """A mistake a user can cause and mend; its text is one clear sentence."""


class UnknownName(UnseenError, LookupError):
    """A name that nothing here goes by."""


class SpecError(UnseenError, ValueError):
    """An option whose value cannot be."""


class Unplaceable(UnseenError, RuntimeError):
    """A configuration whose bounded rejection sampling ran out of tries."""


class TooFewExamples(UnseenError, RuntimeError):
    """A split that asks for more distinct examples than there are."""


class DataError(UnseenError, OSError):
    """A folder, shard or file that is not what it should be."""


class EndpointError(UnseenError, ConnectionError):
    """A language model's endpoint that cannot be reached, or refuses."""


class MissingExtra(UnseenError, ImportError):
    """A feature whose optional packages are not installed."""


def unknown(what: str, name: str, known: Iterable[str], *, where: str = "", listing: str = "") -> UnknownName:
    """The error for an unknown name, with the nearest known one and where to find them all.

    >>> print(unknown("rule", "rot9", ["rot90", "pad_top"], where="cogitao", listing="unseen list cogitao"))
    no rule named 'rot9' in cogitao. Did you mean 'rot90'? List them: unseen list cogitao
    """
    names = list(known)
    sentence = f"no {what} named {name!r}" + (f" in {where}" if where else "") + "."
    close = get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
    if close:
        sentence += f" Did you mean {close[0]!r}?"
    elif names and len(names) <= 12:
        sentence += f" There are: {', '.join(names)}."
    if listing:
        sentence += f" List them: {listing}"
    return UnknownName(sentence)


def missing_extra(feature: str, extra: str, packages: str) -> MissingExtra:
    """The error for a feature whose extra is not installed."""
    return MissingExtra(f'{feature} needs {packages}; install it with: pip install "unseen[{extra}]"')
