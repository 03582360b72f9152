"""Metrics, of any targets and predictions: a number or a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.core.errors import UnseenError
from unseen.metrics import METRICS

ODD = [
    *(None, 1, -1, 2.5, "x", "", [], [[]], [1, 2], [[1, 2], [3]], {}, np.array(["a"]), object()),
    *(np.zeros(shape, kind) for shape in ((0,), (2, 2), (3, 2), (4,), (8, 8, 3)) for kind in (np.int8, np.float32)),
    *(np.full((2, 2), np.nan), np.zeros((2, 2), complex), np.zeros((0, 8, 8), np.uint8), np.zeros((3, 9, 8)) - 5),
]


@pytest.mark.parametrize(
    "name", [name for name in METRICS if not name.startswith("lpips")]
)  # their weights are fetched
@pytest.mark.filterwarnings("ignore")  # NumPy's, of what is refused in the end or counts for nothing
def test_a_metric_counts_or_refuses_whatever_it_is_given(name: str) -> None:
    for target in ODD:
        for prediction in ODD:
            try:
                value = METRICS[name]([target], [prediction])
            except UnseenError as error:
                assert "\n" not in str(error)  # noqa: PT017
            else:
                assert isinstance(float(value), float)
