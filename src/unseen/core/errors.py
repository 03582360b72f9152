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

import re
from collections.abc import Iterable
from difflib import get_close_matches

QUOTED = 200  # characters of anything foreign in a sentence
LONGEST = 2_000  # characters of a sentence
ROOM = 8  # of them for quotation marks, and what stands close to them
LONG_QUOTATION = re.compile(rf"""(?<!\w)(['"])((?:(?!\1).){{{QUOTED - ROOM + 1},}})\1(?!\w)""")
LONG_WORD = re.compile(rf"\S{{{QUOTED + 1},}}")


def one_line(text: str) -> str:
    """Write a text on one line, with nothing in it that a terminal would obey.

    >>> one_line("two\\nlines, and \\x1b[31mred")
    'two lines, and \\\\x1b[31mred'
    """
    text = re.sub(r"\s*[\r\n]\s*", " ", text.strip())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quoted(text: str, most: int = QUOTED) -> str:
    """Write a foreign text on one line, cut off where it is long.

    >>> quoted("a long story", most=9)
    'a long...'
    """
    line = one_line(text)
    return line if len(line) <= most else line[: most - 3] + "..."


def sentence(text: str) -> str:
    """Write a message on one line, in which no word and nothing between quotation marks is longer than 200 characters.

    >>> len(sentence(f"no task named {'x' * 9_999!r}"))
    208
    """
    text = LONG_QUOTATION.sub(lambda found: found[1] + quoted(found[2], QUOTED - ROOM) + found[1], one_line(text))
    text = LONG_WORD.sub(lambda found: quoted(found[0]), text)
    return quoted(text, LONGEST)


class UnseenError(Exception):
    """A mistake a user can cause and mend; its text is one clear sentence."""

    def __str__(self) -> str:
        return sentence(super().__str__())


class UnknownName(UnseenError, LookupError):
    """A name that no benchmark, task, split, option, rule, model or metric has."""

    name = ""


class SpecError(UnseenError, ValueError):
    """An option with a value that it cannot have."""


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
    """Make the error for an unknown name, with the nearest known name and where to find all names.

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
    error = UnknownName(sentence)
    error.name = name
    return error


# what values of a wrong type or form cause in code that expects right ones: only for readers of others' files
FAULTS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    OSError,
    RecursionError,
    NotImplementedError,
)


def fault(error: BaseException) -> str:
    """Say in words what is wrong with a value, by the error that it caused.

    >>> fault(KeyError("videos")), fault(ValueError("it is no list"))
    ("it has no 'videos'", 'it is no list')
    """
    if isinstance(error, KeyError) and not isinstance(error, UnseenError):
        return f"it has no {error.args[0]!r}" if error.args else "something is missing"
    return quoted(str(error)) or type(error).__name__


def missing_extra(feature: str, extra: str, packages: str) -> MissingExtra:
    """Make the error for a feature whose extra is not installed; it names what works from a checkout.

    >>> print(missing_extra("LPIPS", "train", "torch"))
    LPIPS needs torch; in your checkout of unseen, run: pip install ".[train]"
    """
    return MissingExtra(f'{feature} needs {packages}; in your checkout of unseen, run: pip install ".[{extra}]"')
