"""The metric of questions."""

from __future__ import annotations

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric


@metric(kind="question")
def answer_accuracy(target: str, prediction: str) -> Counts:
    """Share of questions whose answer is right, word for word.

    0 to 1, higher is better. Capitals and outer spaces do not matter; a synonym is wrong. No questions: 0.

    >>> answer_accuracy(["true", "3", "dog"], ["True", "3", "puppy"])
    0.6666666666666666
    """
    if not isinstance(prediction, str):
        raise SpecError(f"a prediction is the text of an answer, not {prediction!r}")
    return int(prediction.strip().lower() == target.lower()), 1
