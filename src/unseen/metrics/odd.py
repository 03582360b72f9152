"""Metrics of odd-one-out tasks: accuracy, and what several accuracies say of sample efficiency and of transfer.

A prediction is a score for each of the four images, highest for the odd one. Where rules are learned together, accuracy
is also told rule by rule; where a model is trained on more and more samples, the accuracies of the regimes are summed
up in two numbers, one of which rewards what is learned from few.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, log
from statistics import mean

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import Counts, metric

SOLVED = 0.8  # a rule counts as solved above this accuracy, as published

Accuracies = Mapping[int, float]  # by the number of training samples


@metric(kind="odd")
def odd_accuracy(target: int, prediction: npt.ArrayLike) -> Counts:
    """Share of problems whose odd image has the highest score.

    0 to 1, higher is better; chance is 0.25. Of images with the same highest score the first is taken. No problems: 0.

    >>> odd_accuracy([2, 0], [[0.1, 0.2, 0.9, 0.0], [0.5, 0.5, 0.6, 0.5]])
    0.5
    """
    scores = np.asarray(prediction, np.float64)
    if scores.ndim != 1 or not scores.size or np.isnan(scores).any():
        raise SpecError(f"a prediction is a score for each image, none of them nan, not {prediction!r}")
    return int(scores.argmax() == target), 1


def rules_solved(accuracies: Mapping[str, float]) -> int:
    """How many rules have an accuracy above 80 %.

    >>> rules_solved({"size": 0.8, "count": 0.95})
    1
    """
    return sum(accuracy > SOLVED for accuracy in accuracies.values())


def area_under_curve(accuracies: Accuracies) -> float:
    """AUC: the plain mean of the accuracies over the regimes. Higher is better.

    >>> round(area_under_curve({20: 26.3, 50: 28.1, 100: 29.1, 200: 30.3, 500: 31.5, 1000: 34.3}), 1)
    29.9
    """
    return mean(_checked(accuracies).values())


def sample_efficiency_score(accuracies: Accuracies) -> float:
    """SES: the mean of the accuracies with weights 1 / (1 + ln N), so that what few samples teach counts more.

    Higher is better, on the scale of the accuracies; below AUC for whatever learns more from more.

    >>> round(sample_efficiency_score({20: 26.3, 50: 28.1, 100: 29.1, 200: 30.3, 500: 31.5, 1000: 34.3}), 1)
    29.4
    """
    weights = {samples: 1 / (1 + log(samples)) for samples in _checked(accuracies)}
    return sum(weights[samples] * accuracy for samples, accuracy in accuracies.items()) / sum(weights.values())


def curriculum_score(transfer: Mapping[str, Accuracies], scratch: Mapping[str, Accuracies]) -> float:
    """How much a model gains from having learned a rule's components first.

    Of each rule the largest gain in accuracy over the regimes, then the mean over rules. Higher is better, 0 where
    nothing is gained.

    >>> curriculum_score({"size_count": {20: 40.0, 50: 60.0}}, {"size_count": {20: 30.0, 50: 55.0}})
    10.0
    """
    if transfer.keys() != scratch.keys() or not transfer:
        differing = ", ".join(sorted(transfer.keys() ^ scratch.keys())) or "there are none"
        raise SpecError(f"a curriculum score needs the same rules with and without transfer: {differing}")
    return mean(_largest_gain(rule, transfer[rule], scratch[rule]) for rule in transfer)


def _largest_gain(rule: str, transfer: Accuracies, scratch: Accuracies) -> float:
    if transfer.keys() != scratch.keys():
        raise SpecError(
            f"{rule} was trained on {_listed(transfer)} samples after transfer and {_listed(scratch)} without"
        )
    _checked(scratch)
    return max(accuracy - scratch[samples] for samples, accuracy in _checked(transfer).items())


def _checked(accuracies: Accuracies) -> Accuracies:
    wrong = [samples for samples, accuracy in accuracies.items() if samples < 1 or isnan(accuracy)]
    if wrong or not accuracies:
        raise SpecError(f"accuracies are numbers by how many samples were trained on, not {dict(accuracies)!r}")
    return accuracies


def _listed(accuracies: Accuracies) -> str:
    return ", ".join(map(str, accuracies)) or "no"
