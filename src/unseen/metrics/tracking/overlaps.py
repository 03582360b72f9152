"""How many pixels true and predicted segments share in each frame: all that tracking metrics need to know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError
from unseen.core.run_lengths import is_background
from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.frames import Range, check_range
from unseen.metrics.tracking.label_maps import LabelMaps

Flags = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.integer[Any]]

FRAMES = (2, 10)  # those evaluated; the first two are skipped, as next-step predictions start with the third
MIN_PIXELS = 5  # a segment has to have more; the published code's, on which the paper is silent


@dataclass(frozen=True)
class Overlaps:
    """Shared pixels of every pair of segments, and which of them are seen, in some frames of some videos.

    Segments of a video are numbered from 0 in the order of their ids, and the axes are as long as the largest number of
    any video; what a video does not have has no pixels. Segment 0 has id 0: background in the truth, nothing in
    predictions.
    """

    pixels: Pixels  # of both segments of a pair (video, frame, true segment, predicted segment)
    unions: Pixels  # of either segment of a pair
    background: Flags  # (video, true segment): those that are no objects
    objects: Flags  # (video, frame, true segment): objects large enough to count
    predictions: Flags  # (video, frame, predicted segment): those that are large enough, and not taken for background

    @cached_property
    def pairs(self) -> Flags:
        """Which pairs are of an object and a prediction that are both seen."""
        return self.objects[..., None] & self.predictions[:, :, None, :]


def unions_of(pixels: Any) -> Any:
    """Pixels of either segment of a pair, from those of both (..., true segment, predicted segment)."""
    return pixels.sum(axis=-1, keepdims=True) + pixels.sum(axis=-2, keepdims=True) - pixels


def overlaps(
    truth: LabelMaps,
    predictions: LabelMaps,
    *,
    frames: Range | None = None,
    exclude_background: bool = True,
    min_pixels: int = MIN_PIXELS,
) -> Overlaps:
    """Count the pixels that segments share.

    With `exclude_background`, a prediction is dropped from a frame where its IoU with one of the background segments
    exceeds 0.2. Segments of `min_pixels` or fewer are dropped before that.
    """
    for axis, name in enumerate(("videos", "frames", "rows", "columns")):
        if truth.shape[axis] != predictions.shape[axis]:
            counts = f"{truth.shape[axis]:,} {name}, and the predictions have {predictions.shape[axis]:,}"
            raise SpecError(f"the truth has {counts}; they have to have as many")
    if 0 in truth.shape:
        raise SpecError(f"label maps of {truth.shape} have no pixels to compare")
    pixels, background = shared_pixels(truth, predictions, frames_of(truth.shape[1], frames))
    unions = unions_of(pixels)
    large = pixels.sum(axis=3) > min_pixels
    kept = pixels.sum(axis=2) > min_pixels
    kept[:, :, 0] = False
    if exclude_background:
        floor = (large & background[:, None])[..., None]
        kept &= ~(floor & (5 * pixels > unions)).any(axis=2)  # an IoU above 0.2, in whole numbers
    return Overlaps(pixels, unions, background, large & ~background[:, None], kept)


def shared_pixels(truth: LabelMaps, predictions: LabelMaps, frames: Range) -> tuple[Pixels, Flags]:
    """Pixels of both segments of each pair, and which true segments are background: as `Overlaps` has them."""
    start, stop = frames
    true, true_words = _flat(truth)
    predicted, predicted_words = _flat(predictions)
    true_ranks, true_counts = kernels.rank_labels(true, true_words, start, stop)
    predicted_ranks, predicted_counts = kernels.rank_labels(predicted, predicted_words, start, stop)
    segments = true_counts.max(), predicted_counts.max()
    pixels = np.zeros((len(true), stop - start, *segments), np.int32)
    kernels.count_pixels(true, true_words, true_ranks, predicted, predicted_words, predicted_ranks, start, pixels)
    background = np.zeros((len(true), segments[0]), bool)
    videos, labels = np.nonzero(true_ranks >= 0)
    background[videos, true_ranks[videos, labels]] = is_background(labels)
    return pixels, background


def frames_of(length: int, frames: Range | None = None) -> Range:
    """The evaluated frames of videos of some length: those asked for, or the published ones as far as there are any.

    >>> frames_of(20), frames_of(6), frames_of(1)
    ((2, 10), (2, 6), (0, 1))
    """
    if frames is None:
        start, stop = FRAMES
        return (start, min(stop, length)) if length > start else (0, length)
    check_range(frames)
    if frames[1] > length:
        raise SpecError(f"frames {frames[0]} to {frames[1] - 1} were asked for; the videos have {length}")
    return frames


def _flat(labels: LabelMaps) -> tuple[LabelMaps, npt.NDArray[np.uint64]]:
    """Pixels in one axis, and the same bytes eight at a time where frames hold whole eights.

    Kernels would be compiled once more for arrays that must not be written to, so that these are copied.
    """
    flat = np.require(labels, requirements=("C", "W")).reshape(*labels.shape[:2], -1)
    words = flat if flat.shape[2] % kernels.WORD == 0 else np.empty((*flat.shape[:2], 0), np.uint8)
    return flat, words.view(np.uint64)
