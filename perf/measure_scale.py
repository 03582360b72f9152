"""What scale costs: the driver for each job, a shard, memory, keys, the manifest. docs/scale.md says what follows.

python perf/measure_scale.py jobs ray 100000      CPU time of empty jobs, of the driver and of all processes
python perf/measure_scale.py shards ray 1000000   CPU time of shards of cogitao/c1-1, and memory while they are made
python perf/measure_scale.py shards local 1000000    the same without Ray
python perf/measure_scale.py keys 100000000       CPU time and memory of merging so many keys, and of the table
python perf/measure_scale.py manifest 1000000     a manifest of so many shards: files, time, memory

Ray is a cluster of two nodes on this machine, with a worker each. CPU time is that of this process and of all that it
started, so that a busy machine measures the same. Each line of the output is one measurement, as JSON.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

import unseen
from unseen.core.unique import RUN, Run, moved_indices, sorted_run
from unseen.data.dataset import Generated
from unseen.data.listing import Listing
from unseen.data.manifest import NAME, listing_of, read_manifest, write_manifest
from unseen.data.places import Folder
from unseen.data.shards import FORMAT, Entry, Shard, encode_shard, shards_of
from unseen.engines import Engine, engine

TASK = "cogitao/c1-1"
WORKERS = 2
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def started(name: str) -> Engine:
    """An engine; of Ray, on a cluster that ends with this process."""
    if name != "ray":
        return engine(name)
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  spelled so
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    atexit.register(cluster.shutdown)
    atexit.register(ray.shutdown)
    for _ in range(WORKERS - 1):
        cluster.add_node(num_cpus=1)
    return engine(name, address=cluster.address)


def jobs(name: str, count: str) -> Iterator[dict[str, float]]:
    """Empty jobs: what it costs to give one out and take its result."""
    run = started(name)
    list(run(abs, range(100), WORKERS))  # starts what is started once
    began, everything = time.process_time(), family_seconds()
    done = sum(1 for _ in run(abs, range(int(count)), WORKERS))
    driver, everything = time.process_time() - began, family_seconds() - everything
    yield {"jobs": done, "driver_us": 1e6 * driver / done, "all_us": 1e6 * everything / done}


def shards(name: str, count: str) -> Iterator[dict[str, float]]:
    """Shards of real size, of as many seeds as give so many examples; nothing is written to a disk."""
    task = unseen.task(TASK)
    of_seed = [*shards_of("train", task.split("train").size, task.kind.shard_rows)][:-1]  # the last one is shorter
    wanted = -(-int(count) // of_seed[0].stop)
    work = ((seed, shard) for seed in range(wanted) for shard in of_seed)
    memory: list[tuple[int, int]] = []
    run = started(name)
    list(run(make, [(0, of_seed[0])] * WORKERS, WORKERS))  # kernels, and what is started once
    driver, everything = time.process_time(), family_seconds()
    for _ in run(make, islice(work, wanted), WORKERS):
        memory.append(family_memory())
    driver, everything = time.process_time() - driver, family_seconds() - everything
    made, quarter = len(memory), len(memory) // 4
    early, late = memory[quarter : 2 * quarter], memory[-quarter:]
    yield {
        "examples": made * of_seed[0].stop,
        "shard_s": everything / made,
        "driver_ms": 1e3 * driver / made,
        **{
            f"{who}_MB_{when}": max(one[k] for one in part) / 1e6
            for k, who in enumerate(("driver", "workers"))
            for when, part in (("second_quarter", early), ("last_quarter", late))
        },
    }


def make(job: tuple[int, Shard]) -> int:
    """Make the file of a shard; the table of moved indices is left out, as finding it is measured by itself."""
    seed, shard = job
    source = Generated(unseen.task(TASK), shard.split, seed, moved={})
    return len(encode_shard(source, shard, source.size)[1])


def keys(count: str) -> Iterator[dict[str, float]]:
    """Synthetic keys, one in a hundred thousand of which repeats another: sorted runs, merged, and the table found."""
    total = int(count)
    rng = np.random.default_rng(0)

    def runs() -> Iterator[Run]:
        for start in range(0, total, RUN):
            found = rng.integers(0, 1 << 63, min(RUN, total - start), dtype=np.uint64)
            found[rng.random(len(found)) < 1e-5] = found[0]
            yield sorted_run(start, found)

    memory = [own_megabytes()]

    def watch() -> None:
        while not over.wait(0.05):
            memory.append(own_megabytes())

    over = threading.Event()
    threading.Thread(target=watch, daemon=True).start()
    began = time.process_time()
    moved = moved_indices(runs(), lambda index, first: (index * 2_654_435_761 + first, first), what="keys")
    yield {
        "keys": total,
        "seconds": time.process_time() - began,
        "moved": len(moved),
        "peak_MB": max(memory),
    }


def own_megabytes() -> float:
    """The memory of this process without pages of files, which the system takes back when it needs them."""
    found = re.search(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1e3 if found else 0.0


def manifest(count: str) -> Iterator[dict[str, float]]:
    """The manifest of so many shards: noted as `generate` notes them, written, and read for one of them and for all."""
    rows = unseen.task(TASK).kind.shard_rows
    total = int(count)
    about = {"task": TASK, "version": 1, "format": FORMAT, "seed": 0, "contents": {}}
    before = own_megabytes()
    noted, began = Listing("train", total * rows, rows), time.process_time()
    for shard in shards_of("train", noted.count, rows):
        digest = f"{shard.number:064x}"
        noted.put(shard.number, Entry(shard.name, rows, 1_000_000, digest, digest))
    noting, held = time.process_time() - began, own_megabytes() - before
    with tempfile.TemporaryDirectory() as name:
        place, began = Folder(Path(name)), time.process_time()
        write_manifest(place, about, [noted], [{}])
        writing = time.process_time() - began
        sizes = place.sizes()
        del noted
        before, began = own_megabytes(), time.process_time()
        listing = listing_of(place, read_manifest(place), "train")
        assert listing[total // 2].rows == rows
        one, held_for_one = time.process_time() - began, own_megabytes() - before
        listing.whole()
        yield {
            "shards": total,
            "files": len(sizes),
            "MB": sum(sizes.values()) / 1e6,
            "manifest_json_kB": sizes[NAME] / 1e3,
            "note_s": noting,
            "note_MB": held,
            "write_s": writing,
            "read_one_s": one,
            "read_one_MB": held_for_one,
            "read_all_s": time.process_time() - began,
            "read_all_MB": own_megabytes() - before,
            "peak_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        }


# ---------------------------------------------------------------------------- this process and all that it started


def family() -> Iterator[list[str]]:
    """The fields of /proc/PID/stat from the third on, of this process first and of those below it."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            found[int(path.parent.name)] = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue  # ended since it was listed
    yield found[os.getpid()]
    for pid in found:
        above = pid
        while above in found and above != os.getpid():
            above = int(found[above][1])
        if above == os.getpid() != pid:
            yield found[pid]


def family_seconds() -> float:
    """CPU time of all of them, with that of processes that have ended."""
    return sum(sum(map(int, fields[11:15])) for fields in family()) / TICK


def family_memory() -> tuple[int, int]:
    """Bytes of this process, and of the largest of the others."""
    sizes = [int(fields[21]) * PAGE for fields in family()]
    return sizes[0], max(sizes[1:], default=0)


MEASURED = {"jobs": jobs, "shards": shards, "keys": keys, "manifest": manifest}

if __name__ == "__main__":
    what, *given = sys.argv[1:]
    for found in MEASURED[what](*given):
        print(json.dumps({"what": what, "given": given, **{k: round(v, 3) for k, v in found.items()}}), flush=True)
