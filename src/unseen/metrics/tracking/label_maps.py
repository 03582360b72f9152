"""Label maps: every pixel of every frame has one id, so that masks are disjoint by construction, as the paper asks.

A label map is uint8 (video, frame, height, width), and ids hold within a video. In the truth, 0 and the ids from
FIRST_BACKGROUND on are background segments, each of its own (VOR has a floor and up to two walls); the others are
objects. In predictions 0 is nothing, and every other id is a segment, be it of an object or of background.

Whatever else masks come as is turned into label maps here: soft slots, and run lengths with ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError, SpecError
from unseen.core.run_lengths import FIRST_BACKGROUND, decode_coco, encode_published, published_frame
from unseen.metrics.tracking import kernels
from unseen.metrics.tracking.frames import SIDE, Frame, Range, Videos, background_counts, frames_in, place, read_runs

LabelMaps = npt.NDArray[np.uint8]

LARGEST = 255


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
    """Label maps of frames with masks and ids: objects from 1 on in each video, background from 255 down.

    A true pixel of two masks is the later one's: published truth of SpMOT counts soft edges for both objects, and later
    ones are painted over earlier ones. In predictions it is an error.
    """
    lengths = {len(video) for video in videos}
    if len(lengths) > 1:
        raise DataError(f"{what}: videos have from {min(lengths)} to {max(lengths)} frames; they have to have as many")
    frames = 0, lengths.pop()
    plain, shape = _without_coco(videos, frames, what=what, side=side)
    runs = read_runs(plain, frames, pixels=prod(shape), what=what)
    labels = np.zeros((len(videos) * frames[1], prod(shape)), np.uint8)
    bad = kernels.paint_runs(runs, _numbers(videos, frames, what), labels, what == "truth")
    if bad >= 0:
        here = place(what, int(np.searchsorted(runs.frames, bad, side="right")) - 1, frames)
        raise DataError(f"{here}: two masks share pixels; each pixel belongs to at most one")
    return labels.reshape(len(videos), frames[1], *shape)


def _without_coco(videos: Videos, frames: Range, *, what: str, side: int) -> tuple[Videos, tuple[int, ...]]:
    """The videos with all masks in the published form, and the one shape that they have."""
    shapes: set[tuple[int, ...]] = set()
    plain: list[list[Frame]] = [[] for _ in videos]
    for i, frame in enumerate(frames_in(videos, frames, what=what)):
        masks = []
        for mask in frame["masks"]:
            shape: tuple[int, ...] = (side, side)
            if isinstance(mask, Mapping):
                try:
                    decoded = decode_coco(mask)
                except ValueError as error:
                    raise DataError(f"{place(what, i, frames)} has a broken COCO mask: {error}") from None
                mask, shape = encode_published(decoded), decoded.shape
            shapes.add(shape)
            if len(shapes) > 1:
                raise DataError(f"{place(what, i, frames)} has a mask of {shape}; those before have another shape")
            masks.append(mask)
        plain[i // frames[1]].append({"masks": masks, "ids": frame["ids"]})
    return plain, shapes.pop() if shapes else (side, side)


def _numbers(videos: Videos, frames: Range, what: str) -> npt.NDArray[np.uint8]:
    """The label of each mask."""
    background = [0] * (len(videos) * frames[1])
    if what == "truth":
        background = background_counts(videos, frames, missing=0).tolist()
    numbers: list[int] = []
    for v, video in enumerate(videos):
        objects: dict[int, int] = {}
        for f, frame in enumerate(video):
            count = background[v * frames[1] + f]
            first = len(frame["ids"]) - count
            if first < 0:
                raise DataError(f"{what}, video {v}, frame {f} has {count} background masks of {len(frame['ids'])}")
            numbers += [objects.setdefault(one, len(objects) + 1) for one in frame["ids"][:first]]
            numbers += [LARGEST - i for i in range(count)]
        if len(objects) >= FIRST_BACKGROUND:
            raise DataError(f"{what}, video {v} has {len(objects)} ids; there may be {FIRST_BACKGROUND - 1}")
    return np.array(numbers, np.uint8)


def to_published(labels: LabelMaps, *, truth: bool) -> list[list[dict[str, Any]]]:
    """Label maps in the published form; ids are unique in the file, and the background masks of the truth come last.

    >>> to_published(np.array([[[[0, 7], [0, 7]]]], np.uint8), truth=True)
    [[{'masks': ['2 1 4 1', '1 1 3 1'], 'ids': [7, 0], 'num_bg': 1}]]
    """
    return [
        [published_frame(frame, (LARGEST + 1) * v, truth=truth) for frame in video] for v, video in enumerate(labels)
    ]
