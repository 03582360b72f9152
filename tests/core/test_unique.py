"""Uniqueness: the table of moved indices, and its cache."""

from __future__ import annotations

import tempfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unseen.core import unique
from unseen.core.errors import TooFewExamples
from unseen.core.unique import RUN, cached_table, merged, moved_indices, sorted_run


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


@given(st.lists(st.lists(st.integers(0, 30), min_size=40, max_size=40), min_size=1, max_size=12), st.integers(1, 12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_moved_indices_follow_the_definition(monkeypatch, rows, size):
    def key_of(index, draw):
        return rows[index][draw] if draw < 30 else 100 + index  # there is always a key of one's own

    keys = [key_of(index, 0) for index in range(len(rows))]
    runs = [sorted_run(start, keys[start : start + size]) for start in range(0, len(rows), size)]
    monkeypatch.setattr(unique, "MERGED", 2)
    monkeypatch.setattr(unique, "SAMPLED", 1)
    moved = moved_indices(reversed(runs), lambda index, first: (key_of(index, first), first), what="rows")
    assert [moved.get(index, 0) for index in range(len(rows))] == slow_unique(key_of, len(rows))


def test_too_few_examples_is_an_error_that_says_how_many_there_are():
    runs = [sorted_run(start, [index % 7 for index in range(start, start + 50)]) for start in (0, 50)]
    with pytest.raises(TooFewExamples, match="dice has too few distinct examples: 7 were found"):
        moved_indices(runs, lambda index, first: (first % 7, first), what="dice")


def test_a_large_pass_is_merged_from_files_that_are_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    keys = np.random.default_rng(0).integers(0, 1 << 17, 1 << 18, dtype=np.uint64) << np.uint64(40)
    runs = (sorted_run(start, keys[start : start + RUN]) for start in range(0, len(keys), RUN))
    with merged(runs) as (first, repeats):
        assert len(list(tmp_path.iterdir())) == 1
        expected, lowest = np.unique(keys, return_index=True)
        assert np.array_equal(first.keys, expected)
        assert np.array_equal(first.indices, lowest)
        assert np.array_equal(repeats, np.setdiff1d(np.arange(len(keys)), lowest))
    assert not list(tmp_path.iterdir())


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
    runs = [sorted_run(0, [1, 2]), sorted_run(2, [3])]
    assert list(unique.told(runs, 3, what="a split")) == runs
    assert "looking for repetitions in a split: 2 of 3" in capsys.readouterr().err
