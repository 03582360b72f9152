"""The programs in docs/takers.md run as they stand, and its commands have the options that they name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from unseen.cli.app import app
from unseen.core.asking import forms_of
from unseen.core.catalogue import BENCHMARKS

PAGE = (Path(__file__).parents[2] / "docs" / "takers.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"unseen (\w+) ((?:[^\n`]|\\\n)*)", "\n".join(re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)))


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs_as_it_stands(program: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_curriculum_of_the_page_opens_its_levels(tmp_path: Path) -> None:
    (program,) = [one for one in PROGRAMS if "Curriculum" in one]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert len(eval(done.stdout)) == 3


@pytest.mark.parametrize(("verb", "words"), COMMANDS, ids=range(len(COMMANDS)))
def test_every_option_of_a_command_exists(verb: str, words: str) -> None:
    command = get_command(app).commands[verb]
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)(--[a-z-]+)", words)) <= known


def test_every_form_is_in_the_table() -> None:
    for benchmark in BENCHMARKS.values():
        for form in forms_of(benchmark):
            assert f"| `{form}` |" in PAGE
