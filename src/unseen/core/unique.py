"""Uniqueness without shared state: in index order, an index takes its first draw whose key no lower index has.

Few indices have to move. They form a small table, found by one pass of the sampler over a split's keys, that travels
with the data set, the cache and the manifest, so that lazy, stored and parallel use agree.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic

from unseen.core.errors import TooFewExamples
from unseen.core.files import read_sealed, write_sealed

TRIES = 2_000  # consecutive repeats before the example space counts as used up

EVERY, LOOK = 20.0, 256  # seconds between lines of progress, and keys between looks at the clock

Redraw = Callable[[int, int], tuple[int, int]]  # (index, first draw) -> (key, draw that was accepted)


def moved_indices(keys: Iterable[tuple[int, int]], redraw: Redraw, *, what: str) -> dict[int, int]:
    """The indices whose own first draw repeats a lower index, and the draw that each takes instead.

    `keys` gives (key, accepted draw) per index.

    >>> moved_indices([(5, 0), (7, 0), (5, 2)], lambda index, first: ({3: 7, 4: 9}[first], first), what="an example")
    {2: 4}
    """
    taken: set[int] = set()
    moved = {}
    for index, (key, draw) in enumerate(keys):
        tries = 0
        while key in taken:
            if tries == TRIES:
                raise TooFewExamples(
                    f"{what} has too few distinct examples: {len(taken):,} were found and {TRIES:,} further draws"
                    " repeated them; ask for fewer"
                )
            tries += 1
            key, draw = redraw(index, draw + 1)
            moved[index] = draw
        taken.add(key)
    return moved


def told(keys: Iterable[tuple[int, int]], count: int, *, what: str) -> Iterator[tuple[int, int]]:
    """Pass keys on, and say on stderr how far it is every now and then: a pass over millions takes minutes."""
    last = monotonic()
    for done, one in enumerate(keys):
        if not done % LOOK and monotonic() - last >= EVERY:
            last = monotonic()
            print(f"unseen: looking for repetitions in {what}: {done:,} of {count:,}", file=sys.stderr, flush=True)
        yield one


def cached_table(path: Path, make: Callable[[], dict[int, int]]) -> dict[int, int]:
    """Read a table from the cache, or make it; a cache that is damaged or cannot be used costs only time."""
    content = read_sealed(path)
    if content is not None:
        return {int(index): draw for index, draw in json.loads(content).items()}
    table = make()
    write_sealed(path, json.dumps(table).encode())
    return table
