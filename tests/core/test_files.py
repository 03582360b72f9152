"""Files are whole or absent."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from unseen.core.errors import DataError
from unseen.core.files import write_whole, written_aside


def test_a_file_appears_with_its_folder_when_it_is_whole(tmp_path):
    path = tmp_path / "new" / "file.txt"
    with written_aside(path) as aside:
        aside.write_text("half")
        assert not path.exists()
    assert path.read_text() == "half"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("before")

    def fail():
        with written_aside(path) as aside:
            aside.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with (
        pytest.raises(DataError, match=r"could not write .*file\.txt: "),
        written_aside(tmp_path / "taken" / "file.txt"),
    ):
        pass


def test_an_error_that_says_more_is_kept(tmp_path):
    with pytest.raises(DataError, match="the reason"), written_aside(tmp_path / "file.txt"):
        raise DataError("the reason")


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / "file.txt"
    with written_aside(path) as one:
        one.write_text("one")
        with written_aside(path) as other:
            assert other != one
            other.write_text("other")
        assert path.read_text() == "other"
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_planted_link_is_not_followed(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("kept")
    (tmp_path / f".file.txt.aside.{os.getpid()}").symlink_to(kept)  # a name that could be foreseen
    (tmp_path / "file.txt").symlink_to(kept)
    write_whole(tmp_path / "file.txt", b"new")
    assert kept.read_text() == "kept"
    assert (tmp_path / "file.txt").read_text() == "new"


def test_what_is_written_is_out_of_the_reach_of_others_until_it_is_whole(tmp_path):
    with written_aside(tmp_path / "file.txt") as aside:
        aside.write_text("half")
        assert aside.parent.stat().st_mode & 0o077 == 0
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "file.txt").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_folder_appears_whole_too(tmp_path):
    with written_aside(tmp_path / "folder") as aside:
        aside.mkdir()
        (aside / "file.txt").write_text("whole")
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["file.txt"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, b"whole")
    assert path.read_bytes() == b"whole"


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"content")
    reader.join(10)
    assert read == [b"content"]
    assert pipe.is_fifo()


def test_an_open_file_of_this_process_is_written_to(tmp_path):
    with (tmp_path / "open").open("w+b") as file:
        write_whole(Path(f"/dev/fd/{file.fileno()}"), b"content")
        assert file.read() == b"content"
