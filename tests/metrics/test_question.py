"""The metric of questions by hand."""

from __future__ import annotations

import pytest

from unseen.core.errors import SpecError
from unseen.metrics.question import answer_accuracy


def test_an_answer_is_right_word_for_word():
    assert answer_accuracy(["true", "light blue", "2"], [" True", "Light Blue", "two"]) == pytest.approx(2 / 3)
    with pytest.raises(SpecError, match="a prediction is the text of an answer, not 2"):
        answer_accuracy(["2"], [2])
