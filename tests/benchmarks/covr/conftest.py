"""Scenes and questions that several tests look at."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.scene import Scene, from_gqa
from unseen.core.random import path_key


@pytest.fixture(scope="session")
def made() -> list[Scene]:
    """Three hundred generated scenes."""
    return [flat.scene(flat.World(), path_key(0, "test"), index) for index in range(300)]


@pytest.fixture(scope="session")
def kitchen() -> Scene:
    """A scene by hand: a man cutting a cake with a knife, and two red cups, one of them on a table."""
    return from_gqa(
        "kitchen",
        {
            "width": 500,
            "height": 400,
            "objects": {
                "man": {
                    "name": "man",
                    "attributes": ["tall"],
                    "relations": [
                        {
                            "name": "cutting",
                            "object": "cake",
                            "prepositions": [{"name": "cutting:_with", "object": "knife"}],
                        },
                        {"name": "holding", "object": "knife"},
                        {"name": "to the left of", "object": "table"},
                    ],
                },
                "cake": {"name": "cake", "relations": [{"name": "on", "object": "table"}]},
                "knife": {"name": "knife", "attributes": ["metal", "metal"]},
                "table": {"name": "table", "attributes": ["wood"]},
                "cup 1": {"name": "cup", "attributes": ["red"], "relations": [{"name": "on", "object": "table"}]},
                "cup 2": {"name": "cup", "attributes": ["red"], "x": 1, "y": 2, "w": 30, "h": 40},
                "crumb": {"name": "crumb", "x": 1, "y": 2, "w": 20, "h": 20},
                "wall": {"name": "wall"},
            },
        },
    )


@pytest.fixture(scope="session")
def questions() -> list[Question]:
    """A batch of the built-in world."""
    return make(Spec(), 7, 0)[0]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own, in a folder of its own."""
    pytest.importorskip("psycopg", reason='no driver for PostgreSQL: pip install ".[postgres]"')
    found = [shutil.which("initdb"), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")))]
    programs = next((Path(path).parent for path in found if path), None)
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: there is no initdb")
    as_owner: list[str] = []
    folder = Path(tempfile.mkdtemp(prefix="unseen-postgres-"))  # short: the name of a socket has at most 107 letters
    if os.geteuid() == 0:  # the server refuses to run as root
        if "postgres" not in {user.pw_name for user in pwd.getpwall()}:
            pytest.skip("PostgreSQL does not run as root, and there is no user named postgres")
        as_owner = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_owner, str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "--auth=trust", "--username=postgres", "--no-sync")
    run("pg_ctl", "-w", "-o", f"-k {folder} -h '' -F", "-l", str(folder / "log"), "start")
    try:
        yield f"host={folder} user=postgres dbname=postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
