"""Reconstruction error: the squared error that the paper reports beside its tracking metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.metrics.tracking.frames import Range
from unseen.metrics.tracking.overlaps import frames_of


def reconstruction_mse(videos: Any, reconstructions: Any, *, frames: Range | None = None) -> float:
    """Squared error, summed over pixels and channels, averaged over evaluated frames and videos.

    Both are (video, frame, height, width, channel), bytes or numbers from 0 to 1. The sum grows with the number of
    pixels; the paper's are of 64x64. No frames: nan.

    >>> black, gray = np.zeros((1, 3, 2, 2, 3), np.uint8), np.full((1, 3, 2, 2, 3), 0.5)
    >>> reconstruction_mse(black, gray)
    3.0
    """
    if len(videos) != len(reconstructions):
        raise SpecError(f"there are {len(videos):,} videos and {len(reconstructions):,} reconstructions")
    errors = [squared_errors(*pair, frames=frames) for pair in zip(videos, reconstructions, strict=True)]
    return float(np.concatenate(errors).mean()) if errors else float("nan")


def squared_errors(
    video: npt.NDArray[Any], reconstruction: npt.NDArray[Any], *, frames: Range | None = None
) -> npt.NDArray[np.float64]:
    """Squared error of every evaluated frame of one video, summed over pixels and channels."""
    if video.shape != reconstruction.shape or video.ndim != 4:
        raise SpecError(
            f"a video is {video.shape} and its reconstruction {reconstruction.shape}, not alike (t, h, w, c)"
        )
    start, stop = frames_of(len(video), frames)
    difference = _unit(video[start:stop]) - _unit(reconstruction[start:stop])
    summed: npt.NDArray[np.float64] = np.square(difference).sum(axis=(1, 2, 3))
    return summed


def _unit(frames: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Values from 0 to 1."""
    return frames / 255 if frames.dtype == np.uint8 else frames.astype(np.float64)
