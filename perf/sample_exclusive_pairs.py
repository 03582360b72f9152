"""Draw pairs of nouns that the lexicon finds exclusive, for people to judge.

    python perf/sample_exclusive_pairs.py 200
    python perf/sample_exclusive_pairs.py 100 7    # the sample of another seed

A pair counts only if both belong to a kind below the root, since unlike things are easily told apart. The sample is the
same for the same count, seed and lexicon.
"""

from __future__ import annotations

import sys
from itertools import combinations

from unseen.benchmarks.covr.english.exclusivity import ROOT, branches, singular, tabled
from unseen.benchmarks.covr.english.lexicon import KINDS
from unseen.core.random import Stream, path_key


def pairs() -> list[tuple[str, str]]:
    """All pairs of nouns that share a kind and are exclusive, in the order of the alphabet."""
    nouns = sorted({noun for members in KINDS.values() for noun in members})
    return [
        (one, other)
        for one, other in combinations(nouns, 2)
        if _kinds(one) & _kinds(other) and tabled("noun", one, other)
    ]


def _kinds(noun: str) -> set[str]:
    return {kind for branch in branches(singular(noun)) for kind in branch[:-1]} - {ROOT}


if __name__ == "__main__":
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 0
    found = pairs()
    Stream(path_key(seed, "exclusive pairs")).shuffle(found)
    for one, other in found[:count]:
        print(f"{one}\t{other}")
