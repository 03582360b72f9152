from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "perf" / "measure_storage.py"


def test_memory_is_measured(small_task, tmp_path):
    command = [sys.executable, PROGRAM, small_task, "train", "100", tmp_path / "data"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.partition(":")[0].partition(",")[0] for line in lines[:3]] == ["1 shards", "writing", "reading"]


def test_it_says_how_it_is_called():
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True)
    assert (done.returncode, "measure_storage.py cogitao/c1-1" in done.stderr) == (1, True)
