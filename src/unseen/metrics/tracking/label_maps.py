"""Label maps: every pixel of every frame has one id, so that masks are disjoint by construction, as the paper asks.

A label map is uint8 (video, frame, height, width), and ids hold within a video. In the truth, 0 and the ids from
FIRST_BACKGROUND on are background segments, each of its own (VOR has a floor and up to two walls); the others are
objects. In predictions 0 is nothing, and every other id is a segment, be it of an object or of background.

Whatever else masks come as is turned into label maps here: soft slots, and run lengths with ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError, SpecError
from unseen.metrics.tracking.run_lengths import SIDE, Videos, decode_mask, encode_published, frames_in

LabelMaps = npt.NDArray[np.uint8]

LARGEST = 255
FIRST_BACKGROUND = 240


def label_maps(given: Any, *, what: str = "predictions", min_pool: bool = False, side: int = SIDE) -> LabelMaps:
    """Label maps from what masks come as.

    Whole numbers (video, frame, height, width) are label maps; other numbers (video, frame, slot, height, width) soft
    slots, halved first with `min_pool`; lists of lists of dicts run lengths, whose published form is of square frames
    with this side.
    """
    if isinstance(given, Sequence) and given and isinstance(given[0], Sequence):
        return from_run_lengths(given, what=what, side=side)
    array = _array(given, what)
    if np.issubdtype(array.dtype, np.floating) and array.ndim == 5:
        return from_slots(array, min_pool=min_pool)
    if min_pool:
        raise SpecError(
            f"minimum pooling is for soft slots (video, frame, slot, height, width), not for {what} as given"
        )
    if not np.issubdtype(array.dtype, np.integer) or array.ndim != 4:
        raise SpecError(
            f"{what} are label maps of whole numbers (video, frame, height, width), soft slots (video, frame, slot,"
            f" height, width) or run lengths, not {array.dtype} {array.shape}"
        )
    if array.dtype != np.uint8 and array.size and (array.min() < 0 or array.max() > LARGEST):
        v, f, *_ = np.argwhere((array < 0) | (array > LARGEST))[0]
        raise SpecError(f"{what}, video {v}, frame {f} has an id out of 0 to {LARGEST}; number them within each video")
    return np.ascontiguousarray(array, np.uint8)


def _array(given: Any, what: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError:
        raise SpecError(f"{what}: all videos have to have the same frames, height and width") from None


def from_slots(slots: npt.NDArray[np.floating[Any]], *, min_pool: bool = False) -> LabelMaps:
    """Ids 1, 2, ... of soft slots: each pixel is the highest slot's, the lowest one's among equals.

    A pixel at which no slot is above 0 is nobody's, and a slot that is nowhere the highest is no segment. `min_pool`
    takes the minimum of every 2x2 pixels first, as was published for Tracking-by-Animation, whose masks of twice the
    size have salt-and-pepper noise.

    >>> from_slots(np.array([[[[[0.6, 0.5, 0.0]], [[0.4, 0.5, 0.0]]]]]))
    array([[[[1, 1, 0]]]], dtype=uint8)
    """
    videos, frames, count, height, width = slots.shape
    if count > LARGEST:
        raise SpecError(f"soft slots are at most {LARGEST}, not {count}")
    if min_pool:
        if height % 2 or width % 2:
            raise SpecError(f"minimum pooling halves height and width, which {height}x{width} does not allow")
        slots = slots.reshape(videos, frames, count, height // 2, 2, width // 2, 2).min(axis=(4, 6))
    labels: LabelMaps = slots.argmax(axis=2).astype(np.uint8) + np.uint8(1)
    labels[slots.max(axis=2) <= 0] = 0
    return labels


def from_run_lengths(videos: Videos, *, what: str, side: int = SIDE) -> LabelMaps:
    """Label maps of frames with masks and ids; ids are numbered within each video, in their order.

    A true pixel of two masks is the later one's: published truth of SpMOT counts soft edges for both objects, and later
    ones are painted over earlier ones. In predictions it is an error.
    """
    lengths = {len(video) for video in videos}
    if len(lengths) > 1:
        raise DataError(f"{what}: videos have from {min(lengths)} to {max(lengths)} frames; they have to have as many")
    labels: LabelMaps | None = None
    for i, frame in enumerate(frames_in(videos, (0, min(lengths)), what=what)):
        v, f = divmod(i, len(videos[0]))
        here = f"{what}, video {v}, frame {f}"
        if f == 0:
            numbers = _numbers(videos[v], here=f"{what}, video {v}")
        for mask, number in zip(frame["masks"], numbers[f], strict=True):
            pixels = decode_mask(mask, side=side, here=here)
            if labels is None:
                labels = np.zeros((len(videos), len(videos[0]), *pixels.shape), np.uint8)
            if pixels.shape != labels.shape[2:]:
                raise DataError(f"{here} has a mask of {pixels.shape}; others are of {labels.shape[2:]}")
            if what != "truth" and labels[v, f][pixels].any():
                raise DataError(f"{here}: two masks share pixels; each pixel belongs to at most one")
            labels[v, f][pixels] = number
    return np.zeros((len(videos), *lengths, side, side), np.uint8) if labels is None else labels


def _numbers(video: Sequence[Any], *, here: str) -> list[list[int]]:
    """The label of each mask of each frame: objects from 1 on, background from 255 down."""
    objects: dict[int, int] = {}
    numbers: list[list[int]] = []
    for frame in video:
        count = len(frame["ids"]) - frame.get("num_bg", 0)
        if count < 0:
            raise DataError(
                f"{here}, frame {len(numbers)} has {frame['num_bg']} background masks of {len(frame['ids'])}"
            )
        labels = [objects.setdefault(one, len(objects) + 1) for one in frame["ids"][:count]]
        numbers.append(labels + [LARGEST - i for i in range(len(frame["ids"]) - count)])
    if len(objects) >= FIRST_BACKGROUND:
        raise DataError(f"{here} has {len(objects)} ids; there may be {FIRST_BACKGROUND - 1}")
    return numbers


def to_published(labels: LabelMaps, *, truth: bool) -> list[list[dict[str, Any]]]:
    """Label maps in the published form; ids are unique in the file, and the background masks of the truth come last.

    >>> to_published(np.array([[[[0, 7], [0, 7]]]], np.uint8), truth=True)
    [[{'masks': ['2 1 4 1', '1 1 3 1'], 'ids': [7, 0], 'num_bg': 1}]]
    """
    return [[_published_frame(frame, LARGEST * v + v, truth) for frame in video] for v, video in enumerate(labels)]


def _published_frame(frame: npt.NDArray[np.uint8], first_id: int, truth: bool) -> dict[str, Any]:
    present = np.unique(frame).tolist()
    background = [label for label in present if truth and is_background(label)]
    objects = [label for label in present if label and label not in background]
    written = objects + background
    found = {"masks": [encode_published(frame == label) for label in written], "ids": [first_id + i for i in written]}
    return {**found, "num_bg": len(background)} if truth else found


def is_background(label: Any) -> Any:
    """Whether true ids are of background segments; of one id or of an array.

    >>> is_background(np.array([0, 1, 255])).tolist()
    [True, False, True]
    """
    return (label == 0) | (label >= FIRST_BACKGROUND)
