"""Every program in docs/extend.md runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "extend.md").read_text()
SECTIONS = {
    section.partition("\n")[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in TEXT.split("\n## ")[1:]
    if "```python" in section
}
LONGEST = 40  # lines of an example


@pytest.mark.parametrize("title", SECTIONS)
def test_an_example_runs_as_it_stands(title: str, tmp_path: Path) -> None:
    for block in SECTIONS[title]:
        assert block.count("\n") < LONGEST
        file = re.match(r"# (\S+\.py)\n", block)
        if file:
            path = tmp_path / file[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(block)
            continue
        program = tmp_path / "program.py"
        program.write_text(block)
        done = subprocess.run([sys.executable, "-W", "error", program], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_there_is_an_example_of_everything_that_can_be_added() -> None:
    for thing in (
        "transformation",
        "CVR rule",
        "color pattern",
        "object library",
        "task",
        "metric",
        "model",
        "benchmark",
    ):
        assert any(title.endswith(f" {thing}") for title in SECTIONS), thing
