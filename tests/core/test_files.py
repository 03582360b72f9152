"""Files are whole or absent."""

from __future__ import annotations

import pytest

from unseen.core.errors import DataError
from unseen.core.files import written_aside


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
