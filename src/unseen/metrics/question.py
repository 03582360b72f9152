"""Metrics of questions: accuracy, and how much of what can be learned generalizes."""

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


def generalization_score(accuracy: float, *, text_only: float, iid_size: float) -> float:
    """Of the gap between a model without images and one that saw as many questions of every kind, the share closed.

    1 where holding a property out costs nothing, 0 or less where the model is no better on it than without images;
    more than 1 is possible. Any scale, if it is the same for all three.

    >>> round(generalization_score(57.7, text_only=50.8, iid_size=77.3), 2)
    0.26
    """
    if iid_size <= text_only:
        raise SpecError(f"there is no gap to close between {text_only} without images and {iid_size} with them")
    return (accuracy - text_only) / (iid_size - text_only)
