"""`unseen serve` on the command line: it starts, checks itself, forgets people, and puts mistakes in a sentence."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from unseen.web.database import Database


def test_it_starts_in_seconds_says_where_and_ends_when_interrupted(tmp_path: Path) -> None:
    began = time.monotonic()
    command = [sys.executable, "-m", "unseen", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        lines = [process.stdout.readline() for _ in range(2)]
        address = re.search(r"http://127\.0\.0\.1:\d+/", lines[0])[0]
        with urlopen(address, timeout=60) as answer:
            assert answer.status == 200
        taken = time.monotonic() - began
        process.terminate()
        process.wait(timeout=60)
    assert taken < 30  # two seconds on a quiet machine
    assert "/admin?token=" in lines[1]


def test_a_check_ends_by_itself(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "the site answers" in run("serve", "--check").out


def test_a_person_is_forgotten(run, tmp_path: Path) -> None:
    place = tmp_path / "site.db"
    database = Database(place)
    database.begin("study", "cvr", visitor="v", plan=[], person="abc", arrival={"PROLIFIC_PID": "abc"})
    database.close()
    assert run("serve", "--database", str(place), "--forget", "abc").out == "1 sessions of abc were removed\n"
    assert run("serve", "--database", str(place), "--forget", "abc").out == "0 sessions of abc were removed\n"


def test_an_empty_board_goes_out(run, tmp_path: Path) -> None:
    out = run("serve", "--database", str(tmp_path / "a.db"), "--export-board", "--out", str(tmp_path / "board")).out
    assert out.startswith("0 entries were written")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--export", "nothing"), "no study named 'nothing'"),
        (("--bundle", "cvr", "--submit", "elsewhere"), "answers go to jatos"),
        (("--import-board", "nowhere"), "holds no board"),
        (("--study", "nowhere.toml"), "cannot read the study"),
    ],
)
def test_a_mistake_is_a_sentence(run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run("serve", "--database", tmp_path / "a.db", *arguments)
    assert done.code == 2
    assert said in done.err


def test_a_port_that_is_taken_is_said(run, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run("serve", "--database", tmp_path / "a.db", "--port", port)
    assert done.code == 2
    assert "cannot be listened at" in done.err


def test_without_the_extra_its_name_is_said(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('as if it were not installed')")
    program = "import sys; sys.path.insert(0, sys.argv.pop()); from unseen.cli import main; main(['serve', '--check'])"
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert 'pip install ".[web]"' in done.stderr
