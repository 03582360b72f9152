"""Where a task and its options may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from unseen.cli.asked import Asked, read_asked
from unseen.core.errors import DataError, SpecError

SAME = "cogitao/custom+grid=12+objects=1-3"


def test_options_may_stand_in_the_id_or_behind_it() -> None:
    assert read_asked([SAME]).task().id == SAME
    assert read_asked(["cogitao/custom", "objects=1-3", "grid=12"]).task().id == SAME
    assert read_asked(["cogitao/custom+grid=12", "objects=1-3"]).task().id == SAME


def test_an_option_given_twice_is_a_mistake() -> None:
    with pytest.raises(SpecError, match="'grid' is given twice"):
        read_asked([SAME, "grid=13"]).task()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.toml", 'task = "cogitao/custom"\ngrid = 12\nobjects = [1, 3]\n'),
        ("mine.json", '{"task": "cogitao/custom", "grid": "12", "objects": "1-3"}'),
    ],
)
def test_options_and_task_may_stand_in_a_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    asked = read_asked(["test"], tmp_path / name)
    assert asked.task().id == SAME
    assert asked.only_split("train") == "test"
    assert read_asked(["grid=13"], tmp_path / name).task().options.grid == (13, 13)


def test_sequences_may_be_lists_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('sequences = [["rot90", "pad_top"], ["rot90"]]')
    assert read_asked(["cogitao/custom"], path).task().id == "cogitao/custom+sequences=rot90:pad_top,rot90"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.toml", "grid = 20\nobjects = = 3", "a.toml: .*line 2, column 11"),
        ("a.json", '{"grid": 20,\n "objects": }', "a.json, line 2, column 13: expecting value"),
        ("a.json", "[1]", "holds a list and not a table of options"),
    ],
)
def test_a_broken_file_is_named_with_the_place(tmp_path: Path, name: str, content: str, sentence: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=sentence):
        read_asked([], tmp_path / name)


def test_a_missing_or_binary_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read .*none\.toml: No such file"):
        read_asked([], tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="is not text"):
        read_asked([], tmp_path / "bytes.toml")


def test_a_file_and_a_command_about_two_tasks_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"task": "cogitao/c1-1"}')
    with pytest.raises(SpecError, match="leave one of them out"):
        read_asked(["cogitao/c1-2"], tmp_path / "a.json")


def test_a_folder_takes_no_options(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is a folder, whose options are settled"):
        Asked(str(tmp_path), {"grid": "3"}).dataset("train")


@pytest.mark.parametrize(("name", "content"), [("deep.json", "[" * 100_000), ("deep.toml", "a = " + "[" * 100_000)])
def test_a_file_that_is_nested_too_deeply_is_refused_in_a_sentence(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=rf"{name}: it is nested too deeply$"):
        read_asked([], tmp_path / name)


@pytest.mark.parametrize("content", ["task = 3", "[task]"])
def test_a_task_in_a_file_is_a_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine.toml").write_text(content)
    with pytest.raises(DataError, match=r"mine\.toml must be a name such as cogitao/c1-1"):
        read_asked([], tmp_path / "mine.toml")


def test_a_name_too_long_for_a_path_is_no_folder() -> None:
    assert not Asked("x" * 300, {}).is_folder
