"""How long do COVR's scenes and stores take? CPU time of making and indexing scenes, and of queries for distractors.

python perf/measure_covr_store.py 100000
python perf/measure_covr_store.py 100000 scenes.sqlite        in a file, too
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time
from typing import TypeVar

from unseen.benchmarks.covr import world
from unseen.benchmarks.covr.graph import Node, subgraphs
from unseen.benchmarks.covr.store import Memory, Store
from unseen.benchmarks.covr.store.sql import SQLite
from unseen.cli.output import print_table
from unseen.core.random import path_key

Result = TypeVar("Result")

SOURCES = 60  # scenes whose subgraphs are looked for
EVERY = 40  # of their subgraphs


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result of some work, and its CPU seconds."""
    begun = process_time()
    result = work()
    return result, process_time() - begun


def query_times(store: Store, nodes: list[Node]) -> tuple[float, float]:
    """Mean milliseconds of CPU time of a query for distractors, and of one for images that hold a subgraph."""
    queries = [query for node in nodes for query in store.queries(node).values()]
    store.find(queries[0])  # compiles, where something is to be compiled
    _, near = timed(lambda: [store.find(query) for query in queries])
    _, same = timed(lambda: [store.containing(node) for node in nodes])
    return 1e3 * near / len(queries), 1e3 * same / len(nodes)


def main() -> None:
    count = int(sys.argv[1])
    key = path_key(0, "perf", "covr")
    world.scene(world.World(), key, 0)
    scenes, making = timed(lambda: [world.scene(world.World(), key, index) for index in range(count)])
    nodes = [subgraph.node for scene in scenes[:SOURCES] for subgraph in subgraphs(scene)[::EVERY]]
    memory, indexing = timed(lambda: Memory(scenes))
    rows = [("memory", making, indexing, *query_times(memory, nodes))]
    for path in sys.argv[2:]:
        lite = SQLite(path)
        _, indexing = timed(lambda store=lite: store.add(scenes))
        rows.append((path, making, indexing, *query_times(lite, nodes)))
    columns = ("store", "scenes made, s", "indexed, s", "distractor query, ms", "containing, ms")
    print_table(columns, [(name, *(round(time, 3) for time in times)) for name, *times in rows])


if __name__ == "__main__":
    main()
