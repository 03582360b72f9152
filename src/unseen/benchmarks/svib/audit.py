"""How far held-out combinations leak is counted; what trivial solvers reach is not judged, for errors have no bound.

Held out means: never in an input of training. Rules put them into targets all the same, unless a task is strict.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unseen.benchmarks.svib.sample import Record
from unseen.benchmarks.svib.spec import Choice, Spec
from unseen.benchmarks.svib.splits import combinations_of
from unseen.benchmarks.svib.worlds import Combination

BOUND = None


def tells(spec: Spec) -> Mapping[str, str]:
    """No solver is held to a bound."""
    return {}


def shares(record: Record, spec: Spec) -> dict[str, tuple[int, int]]:
    """Tell how many objects of both scenes have held-out combinations."""
    never = held_out(spec)
    return {
        f"objects of the {name} whose combination is held out": (sum(one.look in never for one in found), len(found))
        for name, found in (("input", record.source), ("target", record.target))
    }


@lru_cache(maxsize=64)
def held_out(spec: Choice) -> frozenset[Combination]:
    """Return the combinations that no input of training has."""
    return frozenset(combinations_of(spec)["test"])
