"""Code of one's own runs when a user names it, and not because a file does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from unseen.core import own_code as own
from unseen.core.errors import DataError, UnknownName
from unseen.core.own_code import OwnCode, own_code

PROGRAM = """
from __future__ import annotations
from dataclasses import dataclass
from pathlib import Path
Path(__file__).with_name("ran").touch()

@dataclass
class Mine:
    width: int = 3
"""


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnCode:
    monkeypatch.setenv("UNSEEN_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(own, "_known", set())
    (tmp_path / "mine.py").write_text(PROGRAM)
    found = own_code(f"{tmp_path / 'mine.py'}:Mine")
    assert found
    return found


def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_known", set())


def test_code_that_only_a_file_names_is_not_run(code: OwnCode) -> None:
    with pytest.raises(DataError, match=r"a run names code that you have not run before, .*mine\.py:Mine; read it"):
        code.check("a run")
    assert not code.path.with_name("ran").exists()


def test_code_that_the_user_named_is_known_to_later_processes(code: OwnCode, monkeypatch: pytest.MonkeyPatch) -> None:
    code.remember()
    another_process(monkeypatch)
    code.check("a run")
    assert code.run()().width == 3
    assert code.path.with_name("ran").exists()


def test_trusted_code_is_known_from_then_on(code: OwnCode, monkeypatch: pytest.MonkeyPatch) -> None:
    code.check("a run", trust=True)
    another_process(monkeypatch)
    code.check("a run")


def test_other_parts_of_a_known_file_are_not_known(code: OwnCode) -> None:
    code.remember()
    other = own_code(f"{code.path}:dataclass")
    assert other
    assert not other.is_known


def test_code_that_changed_is_told_from_code_that_is_new(code: OwnCode) -> None:
    code.remember()
    with pytest.raises(DataError, match=r"mine\.py is not what it was when a run was written: its SHA-256 was 0000"):
        code.check("a run", digest="0" * 64)
    code.check("a run", digest="0" * 64, trust=True)
    code.path.write_text(PROGRAM + "# changed\n")
    changed = own_code(f"{code.path}:Mine")
    assert changed
    assert not changed.is_known


def test_a_state_folder_that_others_can_write_to_tells_nothing(code: OwnCode, monkeypatch: pytest.MonkeyPatch) -> None:
    code.remember()
    another_process(monkeypatch)
    (code.path.parent / "state" / own.FOLDER).chmod(0o777)
    assert not code.is_known


def test_without_a_state_folder_code_is_known_in_the_process(code: OwnCode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSEEN_STATE", "/proc/none")
    code.remember()
    code.check("a run")


def test_what_is_looked_at_is_what_runs(code: OwnCode) -> None:
    """Neither a later change of the file nor a planted file of bytecode is run."""
    code.path.write_text("raise ZeroDivisionError")
    assert code.run().__name__ == "Mine"
    assert not (code.path.parent / "__pycache__").exists()


def test_what_is_wrong_with_a_file_is_one_sentence(tmp_path: Path) -> None:
    for text, sentence in {
        "1 +": "SyntaxError",
        "import none_such": "ModuleNotFoundError",
        "1 / 0": "division",
    }.items():
        (tmp_path / "broken.py").write_text(text)
        code = own_code(f"{tmp_path / 'broken.py'}:Mine")
        assert code
        with pytest.raises(DataError, match=rf"broken\.py cannot be run: .*{sentence}"):
            code.run()
    (tmp_path / "broken.py").write_text("")
    code = own_code(f"{tmp_path / 'broken.py'}:Mine")
    assert code
    with pytest.raises(UnknownName, match="no model named 'Mine'"):
        code.run()
    with pytest.raises(DataError, match="there is no file"):
        own_code(f"{'x' * 300}.py:Mine")
    assert own_code("resnet") is None
    assert not [name for name in sys.modules if name == "broken"]
