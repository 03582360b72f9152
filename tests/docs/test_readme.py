"""What the README says is true: its programs and commands run as written, in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text()
BLOCKS = re.findall(r"```(python|sh)\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


def run(language: str, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", code] if language == "python" else ["bash", "-ec", code]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, "PATH": path})


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_every_block_runs_as_written(number, folder):
    language, code = BLOCKS[number]
    if "make " in code:
        return  # the two commands, which run this test
    done = run(language, code, folder)
    assert done.returncode == 0, done.stderr
    for file in re.findall(r"--output (\S+)|save\(\"(\S+)\"\)", code):
        assert (folder / (file[0] or file[1])).exists()


def test_what_it_says_about_an_example_and_a_score_is_so(folder):
    assert run("python", BLOCKS[1][1] + "\nprint(example.scene['sequence'])", folder).stdout.splitlines() == [
        "0.0",
        "['translate_up', 'mirror_horizontal']",
    ]


def test_every_verb_has_an_example():
    from unseen.cli.app import VERBS

    for verb in VERBS:
        assert f"unseen {verb} " in README, verb


def test_links_lead_somewhere():
    root = Path(__file__).parents[2]
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert (root / link).exists(), link
