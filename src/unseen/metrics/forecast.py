"""Prediction past the last frame that a model is shown: how good its frames are, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.metric import METRICS

Frames = npt.NDArray[np.uint8]  # (t, h, w, 3)
BY_STEP = ("psnr", "ssim", "lpips")


def by_step(
    videos: Sequence[Frames], predictions: Sequence[Frames], *, shown: int, metrics: Iterable[str] = BY_STEP
) -> list[dict[str, float]]:
    """Score predicted frames against those of videos of which a model saw the first `shown`, one row for each step.

    A prediction holds the frames that follow these, as many as it likes but the same number for all videos. Any metric
    of images will do; a value is its mean over videos. LPIPS needs torch and the weights of a network.

    >>> video = np.zeros((4, 16, 16, 3), np.uint8)
    >>> by_step([video], [video[2:] + np.uint8(255)], shown=2, metrics=["mse_per_value"])
    [{'step': 1, 'mse_per_value': 1.0}, {'step': 2, 'mse_per_value': 1.0}]
    """
    steps = _steps(videos, predictions, shown)
    named = [METRICS[name] for name in metrics]
    for metric in named:
        if metric.kind != "image":
            raise SpecError(f"{metric.name} is a metric of {metric.kind} tasks; frames are scored by those of images")
    rows: list[dict[str, float]] = []
    for step in range(steps):
        pairs: tuple[list[Any], list[Any]] = [video[shown + step] for video in videos], [p[step] for p in predictions]
        rows.append({"step": step + 1, **{metric.name: metric(*pairs) for metric in named}})
    return rows


def _steps(videos: Sequence[Frames], predictions: Sequence[Frames], shown: int) -> int:
    """How many frames are predicted of every video."""
    if len(videos) != len(predictions) or not videos:
        raise SpecError(f"there are {len(videos):,} videos and {len(predictions):,} predictions; one each is needed")
    lengths = {len(prediction) for prediction in predictions}
    steps, longest = lengths.pop(), min(map(len, videos))
    if lengths:
        raise SpecError("predictions differ in how many frames they hold; hand in as many for each video")
    if not (shown >= 1 and steps >= 1 and shown + steps <= longest):
        raise SpecError(
            f"{shown} frames shown and {steps} predicted do not fit into videos of {longest} frames;"
            " video/vmds test has 20"
        )
    return steps
