"""Stores of scenes: which images contain a subgraph, and which come close to it without containing it.

    store = Memory(scenes)
    store.containing(node)          images with the subgraph
    store.distractors(node)         images with a subgraph at distance 1 or 2 and without the subgraph itself, by family

`memory` keeps an index in memory, for bulk generation; `sql` keeps one in SQLite or PostgreSQL, built in steps that can
be interrupted. Both answer alike.
"""

from unseen.benchmarks.covr.store.interface import Match, Store
from unseen.benchmarks.covr.store.memory import Memory

__all__ = ["Match", "Memory", "Store"]
