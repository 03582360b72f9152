"""Which of four is the odd one? Decisions that the check of scenes and the check of pixels share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from unseen.benchmarks.cvr.meaning.margins import Truth, Undecided


def stranger(values: Sequence[Any], same: Callable[[Any, Any], Truth]) -> int:
    """Return the place of the one value that is clearly different from all others, which are equal.

    >>> stranger([3, 3, 5, 3], lambda one, other: one == other)
    2
    """
    agree = [[same(one, other) for other in values] for one in values]
    for k in range(len(values)):
        rest = [i for i in range(len(values)) if i != k]
        if all(agree[i][j] for i in rest for j in rest) and all(agree[k][i] is False for i in rest):
            return k
    raise Undecided("no image differs from three that agree")


def exception(truths: Sequence[Truth]) -> int:
    """Return the place of the one false truth among true ones.

    >>> exception([True, False, True, True])
    1
    """
    if None in truths or sum(map(bool, truths)) != len(truths) - 1:
        words = ", ".join({True: "true", False: "false", None: "undecided"}[truth] for truth in truths)
        raise Undecided(f"the statement is {words} of the images")
    return list(truths).index(False)


def agreed(attempts: Iterable[Callable[[], int]]) -> int:
    """Return the image at which every attempt points that points at any."""
    found, reasons = set(), []
    for attempt in attempts:
        try:
            found.add(attempt())
        except Undecided as undecided:
            reasons.append(str(undecided))
    if len(found) > 1:
        raise Undecided(f"different readings find different odd images: {sorted(found)}")
    if not found:
        raise Undecided("; ".join(dict.fromkeys(reasons)))
    return found.pop()
