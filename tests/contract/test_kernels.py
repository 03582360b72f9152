"""Kernels give the same as plain Python and as machine code, in every task, and say nothing of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.data.dataset import Generated


def first_examples(benchmark: str, which: str) -> dict[str, str]:
    """Digests of the first example of every task's first and last split, or of a sample; no driver's drawings.

    A sample is every fifth task, with its first and last split by turns.
    """
    from test_tasks import is_long, portable

    found = {}
    tasks = [portable(unseen.task(name)) for name in unseen.tasks(benchmark) if not is_long(name)]
    for number, task in enumerate(tasks if which == "all" else tasks[::5]):
        ends = (*task.splits,)[:: len(task.splits) - 1]
        for split in ends if which == "all" else ends[number % 2 :][:1]:
            source = Generated(task, split, 0, moved={})
            total = hashlib.sha256(repr(source.draw(0)).encode())
            for arrays in source.example(0).arrays:
                for value in arrays.values():
                    total.update(f"{np.asarray(value).dtype}".encode() + np.ascontiguousarray(value).tobytes())
            found[f"{task.id} {split}"] = total.hexdigest()[:16]
    return found


def printed(benchmark: str, which: str, **environment: str) -> dict[str, str]:
    command = [sys.executable, "-W", "error", __file__, benchmark, which]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert (done.returncode, re.sub(MESSAGE, "", done.stderr, count=1)) == (0, "")
    return json.loads(done.stdout)


# printed at most once, and only where the cache lacks a kernel; which one it names depends on the tests that ran before
MESSAGE = r"unseen: compiling kernels for this machine, [\w.]+ first \(once\)\n"


@pytest.mark.parametrize("which", ["a sample", pytest.param("all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_plain_python_makes_the_examples_that_machine_code_makes(benchmark, which, tmp_path):
    plain = printed(benchmark, which, UNSEEN_KERNELS="plain", UNSEEN_CACHE=str(tmp_path))
    assert len(plain) > 1
    assert plain == printed(benchmark, which, UNSEEN_KERNELS="compiled")


if __name__ == "__main__":
    print(json.dumps(first_examples(*sys.argv[1:])))
