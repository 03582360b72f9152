"""Frames past the last one shown are scored step by step."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.core.errors import SpecError
from unseen.metrics import METRICS
from unseen.metrics.forecast import by_step


def test_each_step_has_the_mean_over_videos():
    videos = [example.inputs["frames"] for example in unseen.load("video/vmds", "test")[:3]]
    still = [np.repeat(video[9:10], 10, axis=0) for video in videos]
    rows = by_step(videos, still, shown=10, metrics=["psnr", "ssim"])
    assert [row["step"] for row in rows] == list(range(1, 11))
    third = METRICS["ssim"]([video[12] for video in videos], [one[2] for one in still])
    assert rows[2]["ssim"] == pytest.approx(third)
    assert rows[0]["psnr"] > rows[9]["psnr"]  # what stands still is further from the truth the longer things move


@pytest.mark.parametrize(
    ("predictions", "shown", "sentence"),
    [
        ([np.zeros((3, 16, 16, 3), np.uint8)] * 2, 2, "1 videos and 2 predictions"),
        ([np.zeros((3, 16, 16, 3), np.uint8)], 2, "2 frames shown and 3 predicted do not fit into videos of 4"),
        ([np.zeros((2, 16, 16, 3), np.uint8)], 0, "0 frames shown"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(predictions, shown, sentence):
    with pytest.raises(SpecError, match=sentence):
        by_step([np.zeros((4, 16, 16, 3), np.uint8)], predictions, shown=shown, metrics=["psnr"])


def test_metrics_of_other_kinds_are_refused():
    video = np.zeros((4, 16, 16, 3), np.uint8)
    with pytest.raises(SpecError, match="mota is a metric of video tasks"):
        by_step([video], [video[2:]], shown=2, metrics=["mota"])
