"""The install page names every extra, and nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "install.md").read_text()
FOR_WORK_ON_THE_LIBRARY = {"dev"}


def test_every_extra_is_explained() -> None:
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    assert set(re.findall(r"(?m)^\| `([a-z0-9]+)` \|", PAGE)) == extras - FOR_WORK_ON_THE_LIBRARY


def test_every_make_target_that_it_names_is_there() -> None:
    targets = set(re.findall(r"(?m)^([\w-]+):", (ROOT / "Makefile").read_text()))
    named = set(re.findall(r"`?make (?:PYTHON=\S+ )?([\w-]+)", PAGE))
    assert named
    assert named <= targets
