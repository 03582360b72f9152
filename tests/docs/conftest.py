"""Programs and commands of the docs run in a process of their own, one after the other: it loads the library once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

PROGRAM = """
import json, shlex, sys, types
from unseen.cli import main

for language, code in json.load(sys.stdin):
    if language == "python":  # as a module of its own, so that none leans on the one before
        sys.modules["__main__"] = module = types.ModuleType("__main__")
        exec(compile(code, "<block>", "exec"), vars(module))
        continue
    for line in code.strip().splitlines():
        command, *words = shlex.split(line, comments=True)
        assert command == "unseen", line
        try:
            main(words)
        except SystemExit as ended:
            assert ended.code == 0, line
"""
RunBlocks = Callable[..., str]


@pytest.fixture
def run_blocks() -> RunBlocks:
    """Run blocks of (language, code) in a folder, in their order; returns what they print."""

    def run(blocks: Sequence[tuple[str, str]], folder: Path, **environment: str) -> str:
        command = [sys.executable, "-W", "error", "-c", PROGRAM]
        how = {"cwd": folder, "env": {**os.environ, **environment}, "capture_output": True, "text": True}
        done = subprocess.run(command, input=json.dumps(blocks), **how)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    return run
