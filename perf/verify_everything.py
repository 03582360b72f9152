"""Prove the labels of whole named splits, of every task or of some, and say what it costs.

    python perf/verify_everything.py 'video/*' 'covr/*'                   # test splits, whole
    python perf/verify_everything.py 'cvr/*' --share 0.1 --splits 'train'  # the first tenth of each training split

A line per split: how many examples, how much CPU time of this process an example took, and what is wrong, if anything.
The exit code is 1 where something is. What `unseen verify` says of one split, this says of hundreds in one process; an
index of a split that repeats none is looked for among the examples that are checked.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from math import ceil
from time import process_time

import unseen
from unseen.data.dataset import Dataset, Generated
from unseen.data.verify import verify

SHOWN = 3  # problems of a split


def parts(tasks: Iterable[str], splits: str, share: float) -> Iterator[Dataset]:
    """The first examples of every split whose task and name fit."""
    patterns = [*tasks]
    for name in unseen.tasks():
        if not any(fnmatch(name, pattern) for pattern in patterns):
            continue
        task = unseen.task(name)
        for split, declared in task.splits.items():
            if fnmatch(split, splits):
                count = ceil(declared.size * share)
                source = Generated(task, split, 0)
                source = Generated(task, split, 0, source.moved_among(count) if declared.unique else {})
                yield Dataset(source)[:count]


def main(*words: str) -> int:
    """Verify what the command line asks for."""
    parser = ArgumentParser()
    parser.add_argument("tasks", nargs="*", default=["*"])
    parser.add_argument("--splits", default="test*")
    parser.add_argument("--share", type=float, default=1.0)
    asked = parser.parse_args(words)
    wrong = 0
    for part in parts(asked.tasks, asked.splits, asked.share):
        start = process_time()
        found = verify(part, workers=1)
        cost = 1000 * (process_time() - start) / len(part)
        wrong += len(found.problems)
        print(
            f"{part.task.id:50} {part.split:16} {len(part):8,} {cost:7.2f} ms  {len(found.problems)} wrong", flush=True
        )
        for problem in found.problems[:SHOWN]:
            print(f"    {problem.index:,}: {problem.sentence}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
