"""What commands print for people."""

from __future__ import annotations

import pytest

from unseen.cli.output import PIPE_WIDTH, print_table


def test_numbers_stand_to_the_right_and_names_to_the_left(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "size"), [("a", 12_000), ("long name", None)], title="Sizes")
    assert capsys.readouterr().out.splitlines() == [
        "Sizes",
        "",
        " name         size",
        " ─────────────────",
        " a          12,000",
        " long name",
        "",
    ]


def test_a_long_text_gets_several_lines_and_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    words = [f"word{i}" for i in range(100)]
    print_table(("name", "about"), [("a", " ".join(words)), ("b", "two\nlines")])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= PIPE_WIDTH
    assert [word for word in out.split() if word.startswith("word")] == words
    assert "two\n" in out


def test_a_table_without_rows_is_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "size"), [])
    assert capsys.readouterr().out.split("\n")[1].split() == ["name", "size"]
