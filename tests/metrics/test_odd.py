"""The odd-one-out metric by hand."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from unseen.core.errors import SpecError
from unseen.metrics.metric import means_by_group
from unseen.metrics.odd import odd_accuracy


def test_the_highest_score_is_the_answer():
    scores = np.array([0.1, -3.0, 0.2, 0.15], np.float32)
    assert [odd_accuracy([odd], [scores]) for odd in range(4)] == [0, 0, 1, 0]


def test_of_equal_scores_the_first_is_taken():
    assert odd_accuracy([0, 1], [np.zeros(4), np.array([0, 1, 1, 1])]) == 1.0
    assert odd_accuracy([3], [np.zeros(4)]) == 0.0


@pytest.mark.parametrize("wrong", [[0.1, nan, 0.2, 0.3], [], [[1, 2], [3, 4]]])
def test_a_prediction_without_an_answer_is_an_error(wrong):
    with pytest.raises(SpecError, match="a prediction is a score for each image, none of them nan"):
        odd_accuracy([0], [wrong])


def test_groups_are_averaged_apart():
    assert means_by_group(["a", "b", "a", "c"], [1, 0, 0.5, 1]) == {"a": 0.75, "b": 0.0, "c": 1.0}
