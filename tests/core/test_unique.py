"""Uniqueness: the table of moved indices, and its cache."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core import unique
from unseen.core.errors import TooFewExamples
from unseen.core.unique import cached_table, moved_indices


def slow_unique(key_of, count):
    """The definition, word by word: in index order, an index takes its first draw whose key no lower index has."""
    taken, draws = set(), []
    for index in range(count):
        draw = 0
        while key_of(index, draw) in taken:
            draw += 1
        taken.add(key_of(index, draw))
        draws.append(draw)
    return draws


@given(st.lists(st.lists(st.integers(0, 30), min_size=40, max_size=40), min_size=1, max_size=12))
def test_moved_indices_follow_the_definition(rows):
    def key_of(index, draw):
        return rows[index][draw] if draw < 30 else 100 + index  # there is always a key of one's own

    moved = moved_indices(
        ((key_of(index, 0), 0) for index in range(len(rows))),
        lambda index, first: (key_of(index, first), first),
        what="rows",
    )
    assert [moved.get(index, 0) for index in range(len(rows))] == slow_unique(key_of, len(rows))


def test_too_few_examples_is_an_error_that_says_how_many_there_are():
    keys = ((index % 7, 0) for index in range(100))
    with pytest.raises(TooFewExamples, match="dice has too few distinct examples: 7 were found"):
        moved_indices(keys, lambda index, first: (first % 7, first), what="dice")


def test_a_table_is_made_once(tmp_path):
    calls = []

    def make():
        calls.append(1)
        return {3: 1, 99: 12}

    path = tmp_path / "new" / "table.json"
    assert cached_table(path, make) == cached_table(path, make) == {3: 1, 99: 12}
    assert len(calls) == 1


@pytest.mark.parametrize("content", ["", "[1, 2]", "not json", '{"1": 3}'])
def test_a_broken_cache_costs_time_and_nothing_else(tmp_path, content):
    path = tmp_path / "table.json"
    path.write_text(content)
    assert cached_table(path, lambda: {1: 2}) == {1: 2}
    assert cached_table(path, dict) == {1: 2}


def test_no_flipped_bit_of_a_cached_table_is_believed(tmp_path):
    path = tmp_path / "table.json"
    cached_table(path, lambda: {12: 3, 40: 1})
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert cached_table(path, lambda: {12: 3, 40: 1}) == {12: 3, 40: 1}
        assert path.read_bytes() == good


def test_a_cache_that_cannot_be_written_costs_time_and_nothing_else(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert cached_table(tmp_path / "file" / "table.json", lambda: {1: 2}) == {1: 2}


def test_a_long_pass_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(unique, "EVERY", 0.0)
    monkeypatch.setattr(unique, "LOOK", 2)
    assert list(unique.told([(1, 0), (2, 0), (3, 0)], 3, what="a split")) == [(1, 0), (2, 0), (3, 0)]
    assert "looking for repetitions in a split: 2 of 3" in capsys.readouterr().err
