"""The metric of odd-one-out tasks. A prediction is a score for each of the four images, highest for the odd one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric


@metric(kind="odd")
def odd_accuracy(target: int, prediction: npt.ArrayLike) -> Counts:
    """Share of problems whose odd image has the highest score.

    0 to 1, higher is better; chance is 0.25. Of images with the same highest score the first is taken; where all
    scores are minus infinity, nothing was answered, which is wrong. No problems: 0.

    >>> odd_accuracy([2, 0], [[0.1, 0.2, 0.9, 0.0], [0.5, 0.5, 0.6, 0.5]])
    0.5
    """
    scores = np.asarray(prediction, np.float64)
    if scores.ndim != 1 or not scores.size or np.isnan(scores).any():
        raise SpecError(f"a prediction is a score for each image, none of them nan, not {prediction!r}")
    return int(scores.argmax() == target and scores.max() > -np.inf), 1
