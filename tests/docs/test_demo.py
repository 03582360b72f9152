"""`make demo` asks what it says it asks, and ends in a page that answers it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.report.catalogue import compositions_of

ROOT = Path(__file__).parents[2]
MOVES = ("translate_up", "translate_down", "translate_left", "translate_right")
HELD_OUT = {("translate_up", "translate_right"), ("translate_right", "translate_up")}


def test_only_up_and_right_together_are_held_out() -> None:
    options = tomllib.loads((ROOT / "docs" / "demo.toml").read_text())
    task = unseen.task(options.pop("task"), **options)
    trained, tested = (set(compositions_of(task, task.splits[split])) for split in ("train", "test_ood"))
    singles, pairs = {(move,) for move in MOVES}, {(first, second) for first in MOVES for second in MOVES}
    assert tested == HELD_OUT
    assert trained == (singles | pairs) - HELD_OUT


def test_the_demo_ends_in_a_page_and_few_lines(tmp_path: Path) -> None:
    recipe = re.search(r"^demo:.*?\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    commands = re.sub(r"(?m)^\t@?", "", recipe[1]).replace("$(BIN)/", "").replace("demo/r", f"{tmp_path}/r")
    commands, shortened = re.subn(r"--steps \d+", "--steps 2", commands)
    assert shortened == 1
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", commands], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 12
    assert {"test", "test_ood"} <= {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
    page = (tmp_path / "report" / "index.html").read_text()
    assert page.index("Tested on what it was trained on") < page.index("Tested on what it has never seen")
    assert all(benchmark.title in page for benchmark in BENCHMARKS.values())
