"""Imports go one way, downwards in the flow of the data; and importing the library costs little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unseen

PACKAGE = Path(unseen.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text()
ROWS = re.findall(
    r"^\| `(\w+)` \|.*\| ([^|]+) \|$", PAGE, re.MULTILINE
)  # of the page's table: a room, and what it imports
ROOMS = [room for room, _ in ROWS]
IMPORTS = {
    room: {*ROOMS} - named if told.startswith("all but") else named
    for room, told in ROWS
    for named in [{*re.findall(r"`(\w+)`", told)}]
}
DOORS = {  # conveniences on the shared nouns that open a later room when called
    ("core/catalogue.py", "benchmarks"),  # the built-in benchmarks by name
    ("core/task.py", "results"),  # task.score
    ("results/__init__.py", "report"),  # unseen.results(...)
}


def imported_rooms(path: Path):
    """The rooms that a file imports, at the top or in a function; strings that name modules count too."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"unseen(\.\w+)+(:\w+)?", node.value)
        ):
            names = [node.value.partition(":")[0]]
        for name in names:
            if name == "unseen" or name.startswith("unseen."):
                parts = name.split(".")
                yield parts[1] if len(parts) > 1 else ""


FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent != PACKAGE]


def test_the_page_on_architecture_tells_of_every_room_after_those_that_it_imports():
    assert sorted(ROOMS) == sorted({path.relative_to(PACKAGE).parts[0] for path in FILES})
    for place, room in enumerate(ROOMS):
        assert IMPORTS[room] - {room} <= {*ROOMS[:place]}, room


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_imports_what_the_page_on_architecture_says_of_its_room(path):
    room = path.relative_to(PACKAGE).parts[0]
    for other in imported_rooms(path):
        if (str(path.relative_to(PACKAGE)), other) in DOORS or other == room or other not in (*ROOMS, ""):
            continue
        if not other:
            assert room == "cli", f"{path} imports the public face, which is for users"
            continue
        assert other in IMPORTS[room], f"{path} imports {other}"


def test_only_the_room_of_runs_knows_the_names_in_a_run_folder():
    names = re.compile(r"config\.json|log\.jsonl|(best|last)\S*\.safetensors|predictions-")
    for path in FILES:
        if path.parent.name != "runs":
            assert not names.search(path.read_text()), f"{path} names a file of a run's folder"


@pytest.mark.parametrize("room", ["runs", "results", "report"])
def test_runs_are_read_without_torch(room: str):
    loaded = run(f"import unseen.{room}, sys; print(*sys.modules)").split()
    assert "torch" not in loaded


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_unseen_loads_neither_numba_nor_pyarrow_nor_torch():
    loaded = run("import unseen, sys; print(*sys.modules)").split()
    assert not {"numba", "pyarrow", "torch", "pydantic", "typer", "PIL"} & set(loaded)


def test_torchvision_is_imported_by_nothing():
    for path in PACKAGE.rglob("*.py"):
        assert "torchvision" not in path.read_text()


def test_importing_unseen_takes_less_than_a_third_of_a_second():
    code = "import time; t = time.process_time(); import unseen; print(time.process_time() - t)"
    assert min(float(run(code)) for _ in range(3)) < 0.3  # CPU time: a busy machine measures the same
