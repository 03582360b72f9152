"""Frames as files have them: dicts of `masks` and their `ids`, checked, and read as runs of pixels.

Masks are run lengths; a true frame may say in `num_bg` how many of its last masks are background.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError, SpecError
from unseen.metrics.tracking import kernels

Frame = Mapping[str, Any]
Videos = Sequence[Sequence[Frame]]
Range = tuple[int, int]  # first frame, and the one after the last

WHOLE = (int, np.integer)
SIDE = 64  # pixels; published masks are of square frames and do not say of which size
PROBLEMS = {
    kernels.NOT_A_NUMBER: "holds something that is no whole number",
    kernels.ODD: "has a start without a length",
    kernels.BEFORE_THE_FIRST: "starts before pixel 1",
    kernels.BEYOND_THE_LAST: "goes beyond the last pixel",
}


class Runs(NamedTuple):
    """All masks of some frames as half-open runs of pixels."""

    starts: npt.NDArray[np.int32]
    stops: npt.NDArray[np.int32]
    masks: npt.NDArray[np.int64]  # where the runs of each mask begin; one more than masks
    frames: npt.NDArray[np.int64]  # where the masks of each frame begin; one more than frames
    ids: npt.NDArray[np.int64]  # of each mask


def read_runs(videos: Videos, frames: Range, *, pixels: int = SIDE**2, what: str = "truth") -> Runs:
    """Read the published run lengths of a range of frames of every video; each frame has `pixels` pixels.

    >>> read_runs([[{"masks": ["1 2 65 2", ""], "ids": [7, 8]}]], (0, 1)).stops
    array([ 2, 66], dtype=int32)
    """
    asked = list(frames_in(videos, frames, what=what))
    masks = list(chain.from_iterable(frame["masks"] for frame in asked))
    ids = list(chain.from_iterable(frame["ids"] for frame in asked))
    begins = np.fromiter(accumulate((len(frame["masks"]) for frame in asked), initial=0), np.int64, len(asked) + 1)

    def fault(mask: int, problem: str) -> DataError:
        frame = int(np.searchsorted(begins, mask, side="right")) - 1
        return DataError(f"{place(what, frame, frames)}, mask {mask - begins[frame]}: {problem}")

    for i, one in enumerate(masks):
        if not isinstance(one, str) or "\0" in one:
            raise fault(i, f"published masks are strings of starts and lengths, not {one!r:.40}")
    for i, one in enumerate(ids):
        if not isinstance(one, WHOLE):
            raise fault(i, f"an id is a whole number, not {one!r:.40}")
    text = "\0".join([*masks, ""]).encode(errors="replace")
    starts, stops, first_runs, bad, problem = kernels.parse_runs(np.frombuffer(text, np.uint8), len(masks), pixels)
    if bad >= 0:
        raise fault(bad, f"{masks[bad]!r:.40} {PROBLEMS[problem]} of {pixels:,}")
    return Runs(starts, stops, first_runs, begins, np.array(ids, np.int64))


def frames_in(videos: Videos, frames: Range, *, what: str) -> Iterator[Frame]:
    """List the frames of a range, video by video, and check that each has as many ids as masks."""
    start, stop = frames
    for v, video in enumerate(videos):
        if not isinstance(video, Sequence):
            raise DataError(f"{what}, video {v} is a {type(video).__name__} and not a list of frames")
        if len(video) < stop:
            raise DataError(f"{what}, video {v} has {len(video)} frames; frames {start} to {stop - 1} were asked for")
        for f in range(start, stop):
            frame = video[f]
            try:
                masks, ids = len(frame["masks"]), len(frame["ids"])
            except (KeyError, TypeError):
                raise DataError(f"{what}, video {v}, frame {f} is no dict of lists named masks and ids") from None
            if masks != ids:
                raise DataError(f"{what}, video {v}, frame {f} has {masks} masks and {ids} ids; a mask has one id")
            yield frame


def background_counts(truth: Videos, frames: Range, *, missing: int | None = None) -> npt.NDArray[np.int64]:
    """Tell how many of the last masks of each frame are background; a frame that does not say has `missing`, if any."""
    counts = [frame.get("num_bg", missing) for frame in frames_in(truth, frames, what="truth")]
    for i, count in enumerate(counts):
        if not isinstance(count, WHOLE) or count < 0:
            said = "has no num_bg" if count is None else f"has {count!r} for num_bg"
            raise DataError(f"{place('truth', i, frames)} {said}; to remove background, it says how many masks are")
    return np.array(counts, np.int64)


def place(what: str, frame: int, frames: Range) -> str:
    """Name a frame by its place among the frames of a range."""
    length = frames[1] - frames[0]
    return f"{what}, video {frame // length}, frame {frames[0] + frame % length}"


def check_range(frames: Range) -> None:
    """Check that a range of frames is valid."""
    start, stop = frames
    if not 0 <= start < stop:
        raise SpecError(f"frames are a first one and the one after the last, for instance (2, 10), not {frames}")
