"""What `unseen bench covr` measures beside questions: making and indexing scenes, and looking for distractors."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import TypeVar

from unseen.benchmarks.covr.store import Memory, Store
from unseen.benchmarks.covr.store.sql import SQLite
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Node, subgraphs
from unseen.core.random import path_key

Measured = tuple[str, float, str]  # what, how much, in which unit
Result = TypeVar("Result")

SCENES = 20  # for each question that is measured: 100,000 by default
SOURCES = 60  # scenes whose subgraphs are looked for
EVERY = 40  # of their subgraphs


def measure(count: int) -> Iterator[Measured]:
    """CPU time of making scenes, and of both stores."""
    key = path_key(0, "speed", "covr")
    flat.scene(flat.World(), key, 0)  # compiles, where something is to be compiled; and so below
    scenes, making = timed(lambda: [flat.scene(flat.World(), key, index) for index in range(SCENES * count)])
    yield f"{len(scenes):,} scenes made", making, "CPU s"
    nodes = [subgraph.node for scene in scenes[:SOURCES] for subgraph in subgraphs(scene)[::EVERY]]
    Memory(scenes[:1])
    memory, indexing = timed(lambda: Memory(scenes))
    yield from _store("in memory", memory, indexing, nodes)
    with tempfile.TemporaryDirectory() as folder:
        yield from _sqlite(Path(folder) / "scenes.sqlite", scenes, nodes)


def _sqlite(path: Path, scenes: list[Scene], nodes: list[Node]) -> Iterator[Measured]:
    store = SQLite(path)
    _, indexing = timed(lambda: store.add(scenes))
    yield from _store("in SQLite", store, indexing, nodes)
    store.close()


def _store(where: str, store: Store, indexing: float, nodes: list[Node]) -> Iterator[Measured]:
    """How long a store took to be built, and the mean of its queries."""
    queries = [query for node in nodes for query in store.queries(node).values()]
    store.find(queries[0])
    _, near = timed(lambda: [store.find(query) for query in queries])
    _, same = timed(lambda: [store.containing(node) for node in nodes])
    yield f"they are indexed {where}", indexing, "CPU s"
    yield f"distractors looked up {where}, mean of {len(queries):,}", 1e3 * near / len(queries), "CPU ms"
    yield f"images that hold a subgraph, {where}", 1e3 * same / len(nodes), "CPU ms"


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of some work, and its CPU seconds."""
    begun = process_time()
    result = work()
    return result, process_time() - begun
