"""The study in docs/study.md can be run: its file is read, and its commands have the options that they name."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import typer

from unseen.cli.app import app
from unseen.web.study import read_study, steps_of

PAGE = (Path(__file__).parents[2] / "docs" / "study.md").read_text()


def test_the_file_on_the_page_is_a_study(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "small.toml"
    path.write_text(text)
    study = read_study(path)
    assert sum(step["kind"] == "odd" for step in steps_of(study, 0)) == 2 * 3 + 1


def test_every_option_on_the_page_is_one_of_its_command() -> None:
    commands = typer.main.get_command(app).commands
    for line in re.findall(r"(?m)^(?:\$ )?(unseen .*?)(?:\s+#.*)?$", PAGE):
        words = shlex.split(line)
        if words[:2] == ["unseen", "is"]:
            continue
        known = {option for parameter in commands[words[1]].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line
