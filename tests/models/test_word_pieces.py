"""Word pieces: the longest first, marks around, and what no piece fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.errors import SpecError

torch = pytest.importorskip("torch")

from unseen.models.word_pieces import MARKS, WordPieces  # noqa: E402

PIECES = WordPieces((*MARKS, "un", "##want", "##ed", "##wanted", "run", "##ning", ",", "?", "cafe"))


def spelled(text: str) -> list[str]:
    names = {number: piece for piece, number in PIECES.numbers.items()}
    return [names[number] for number in PIECES.split(text)]


def test_words_are_put_together_from_the_longest_pieces():
    assert spelled("Unwanted running, cafe?") == ["un", "##wanted", "run", "##ning", ",", "cafe", "?"]


def test_accents_are_dropped_and_a_word_without_pieces_is_unknown():
    assert spelled("Caf\u00e9 unwantedly " + "run" * 40) == ["cafe", "[UNK]", "[UNK]"]


def test_a_long_text_keeps_its_marks():
    rows = PIECES(["run " * 100, ""], longest=60)
    assert rows.shape == (2, 60)
    assert rows[0, 0] == rows[1, 0] == PIECES.begin
    assert rows[0, -1] == rows[1, 1] == PIECES.end
    assert (rows[1, 2:] == PIECES.padding).all()


def test_a_vocabulary_without_marks_is_refused():
    with pytest.raises(SpecError, match=r"\[CLS\]"):
        WordPieces(("[PAD]", "[UNK]", "[SEP]", "dog"))


@given(st.text())
def test_any_text_has_pieces_of_the_vocabulary(text):
    assert all(0 <= number < PIECES.size for number in PIECES.split(text))


@given(st.lists(st.sampled_from(("un", "run", "cafe")), max_size=5))
def test_pieces_of_known_words_spell_the_text(words):
    assert "".join(piece.removeprefix("##") for piece in spelled(" ".join(words))) == "".join(words)
