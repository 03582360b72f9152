"""Word pieces as BERT has them: a word that a vocabulary lacks is put together from the longest pieces that it has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from unseen.core.errors import SpecError

PADDING, UNKNOWN, BEGIN, END = MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
ENDINGS = ("s", "es")  # of plurals
INSIDE = "##"  # how a piece begins that is not the beginning of a word
LONGEST_WORD = 100  # letters; longer ones are unknown, as in BERT


class WordPieces:
    """Turns questions into the numbers of their pieces, in lower case and without accents, between two marks.

    >>> numbers = WordPieces((*MARKS, "red", "dog", "##s"))
    >>> numbers(["Red dogs", "dog"], longest=60).tolist()
    [[2, 4, 5, 6, 3], [2, 5, 3, 0, 0]]
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        if missing := [mark for mark in MARKS if mark not in self.numbers]:
            raise SpecError(f"a vocabulary of word pieces has a line {missing[0]}, and this one has none")
        self.size = len(pieces)
        self.padding, self.unknown, self.begin, self.end = (self.numbers[mark] for mark in MARKS)

    def __call__(self, texts: Sequence[str], longest: int) -> Tensor:
        """The pieces of some texts, int64 (batch, pieces of the longest), of each so many at most with its marks."""
        rows = [[self.begin, *self.split(text)[: longest - 2], self.end] for text in texts]
        return nn.utils.rnn.pad_sequence(
            [torch.tensor(row) for row in rows], batch_first=True, padding_value=self.padding
        )

    def split(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text."""
        plain = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not _is_accent(letter))
        return [piece for word in re.findall(r"[^\W_]+|[^\w\s]|_", plain) for piece in self.of_word(word)]

    def of_word(self, word: str) -> list[int]:
        """Return the numbers of the pieces of a word, each the longest that fits; of one that has none, the unknown."""
        found: list[int] = []
        begin = 0
        while begin < len(word) <= LONGEST_WORD:
            mark = INSIDE if begin else ""
            ends = (end for end in range(len(word), begin, -1) if mark + word[begin:end] in self.numbers)
            end = next(ends, 0)
            if not end:
                return [self.unknown]
            found.append(self.numbers[mark + word[begin:end]])
            begin = end
        return found or [self.unknown]


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def with_endings(words: Sequence[str]) -> tuple[str, ...]:
    """Pieces of words, of which plurals are two where the singular is there, or else "dogs" would not be like "dog".

    >>> with_endings(("as", "box", "boxes", "dog", "dogs", "men"))
    ('as', 'box', 'dog', 'men', '##s', '##es')
    """
    known = {word for word in words if len(word) > 2}
    plurals = {stem + ending for stem in known for ending in ENDINGS} & known
    return (*(word for word in words if word not in plurals), *(INSIDE + ending for ending in ENDINGS))
