"""What commands print for people."""

from __future__ import annotations

import pytest

from unseen.cli import output
from unseen.cli.output import EVERY, PIPE_WIDTH, print_table, progress_bar


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


def test_without_a_terminal_long_work_prints_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, EVERY, EVERY + 1, 2 * EVERY + 1])
    monkeypatch.setattr(output, "monotonic", lambda: next(clock))
    with progress_bar() as progress:
        for done in (10, 1000, 1010, 2000):
            progress(done, 4000, "epoch 1")
    assert capsys.readouterr().err.splitlines() == ["epoch 1: 1,000 of 4,000", "epoch 1: 2,000 of 4,000"]


def test_a_terminal_shows_a_bar_that_is_gone_when_work_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar() as progress:
        progress(3, 4, "epoch 1, loss 0.25")
    shown = capsys.readouterr().err
    assert "epoch 1, loss 0.25" in shown
    assert shown.endswith("\x1b[1A\x1b[2K")  # up a line, and erase it
