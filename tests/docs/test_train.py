"""The programs in docs/train.md run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs" / "train.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs_as_it_stands(program: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout
