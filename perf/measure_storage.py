"""How much memory writing a split and reading it back takes, in one process, shard after shard.

python perf/measure_storage.py cogitao/c1-1 train 100000 s3://bucket/c1-1
"""

from __future__ import annotations

import os
import sys
import time
from resource import RUSAGE_SELF, getrusage

import unseen
from unseen.data.generate import generate
from unseen.data.manifest import read_manifest

MIB = 2**20


def resident() -> int:
    """Bytes of this process that are in memory now, without pages of files that it has mapped."""
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("RssAnon"))


def measure(name: str, split: str, count: int, place: str) -> None:
    rows = unseen.task(name).kind.shard_rows
    held = []
    began = time.process_time()
    generate(
        unseen.task(name), place, splits=[split], count=count, workers=1, progress=lambda *_: held.append(resident())
    )
    shards = read_manifest(place).splits[split].shards
    size = sum(shard.bytes for shard in shards) / MIB
    print(f"{len(shards)} shards, {size:.1f} MiB, the largest {max(shard.bytes for shard in shards) / MIB:.1f} MiB")
    report("writing", held, time.process_time() - began)
    for how, bound in (("copies", ""), ("ranges", "0")):
        os.environ.pop("UNSEEN_CACHE_BYTES", None)
        if bound:
            os.environ["UNSEEN_CACHE_BYTES"] = bound
        held, began = [], time.process_time()
        data = unseen.load(place, split)
        for example in data:
            example.arrays  # noqa: B018
            if example.index % rows == rows - 1 or example.index == len(data) - 1:
                held.append(resident())
        report(f"reading, by {how} where it is far", held, time.process_time() - began)
    print(f"at its peak, with mapped files, the process had {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def report(what: str, held: list[int], seconds: float) -> None:
    first, last, most = (value / MIB for value in (held[0], held[-1], max(held)))
    held_at = f"{first:.0f} MiB after the first shard, {last:.0f} after the last, {most:.0f} at most"
    print(f"{what}: {held_at}; {seconds:.1f} CPU s")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    measure(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
