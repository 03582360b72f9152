"""Video -> its frames and a question about the objects in it, and the answer.

All forms are views: nobody writes down an object for every pixel. "count" asks how many objects there are, "boxes" for
a box around each object in each frame, "which" for the object of the last frame that is marked in the first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw

from unseen.core.asking import (
    Form,
    Manner,
    Part,
    Unusable,
    by_name,
    numbered,
    read_choice,
    read_json,
    read_number,
    solved,
)
from unseen.core.errors import SpecError
from unseen.core.key import hash_bytes
from unseen.core.random import Stream, path_key
from unseen.core.run_lengths import is_background
from unseen.core.task import Example
from unseen.render import figure
from unseen.render.palette import Image

Box = list[float]  # left, top, right, bottom, in thousandths of the frame's sides
Track = list[Box | None]  # a box for each frame, none where the object is not seen

FRAMES = "These are the frames of a video, in order."
SHOWN = "First come solved videos."
COUNT = "How many different objects does the video show, taken over all its frames? Background is no object."
COUNT_RULE = "Answer with the number alone: no explanation."
BOXES = (
    "Give a box around what is seen of each object in each frame, and follow every object through the video."
    " Background is no object. A box is [left, top, right, bottom]; left and right are measured from 0 at the left edge"
    " of the frame to 1000 at its right edge, top and bottom from 0 at the upper edge to 1000 at the lower edge."
)
BOXES_RULE = (
    "Answer with a JSON list alone: for each object a list of one box for each frame in order, null where the object is"
    " not seen. No explanation."
)
WHICH = (
    "In the first frame one object is framed. In the last frame the objects have numbers."
    " Which of them is the framed one?"
)
WHICH_RULE = "Answer with its number alone: no explanation."
SCALE = 1000  # of boxes
FEW = 5  # pixels of an object in a frame that do not count as seen, as in the tracking metrics
MOST_OBJECTS = 100  # of an answer
MARKED = 256  # pixels of a frame's side that marks are drawn on, at least
MARK = (255, 255, 255), (0, 0, 0)  # light and dark, so that one of them shows on any ground


# ---------------------------------------------------------------------------- what there is to see


def frames_of(example: Example) -> npt.NDArray[np.uint8]:
    """Return the frames of a video."""
    frames = example.inputs.get("frames")
    if frames is None:
        raise SpecError(f"{example.task.id} has no frames to show; leave renderer=none out")
    return frames  # type: ignore[no-any-return]


@lru_cache(maxsize=64)  # a video is put, answered and scored
def tracks(example: Example) -> list[Track]:
    """Return the boxes of all objects that are seen in some frame, with more than a few pixels."""
    ids = example.target["ids"]
    found = (_track(ids == number) for number in np.unique(ids) if not is_background(number))
    return [track for track in found if any(track)]


def _track(mask: npt.NDArray[np.bool_]) -> Track:
    """The box of an object in each frame, from its pixels (frames, height, width)."""
    (left, right), (top, bottom) = _ends(mask.any(axis=1)), _ends(mask.any(axis=2))
    boxes = np.rint(SCALE * np.stack([left, top, right, bottom], axis=1)).tolist()
    seen = (mask.sum(axis=(1, 2)) > FEW).tolist()
    return [box if shown else None for box, shown in zip(boxes, seen, strict=True)]


def _ends(line: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Where what is set on a line (frames, side) begins and ends in each frame, in sides."""
    side = line.shape[1]
    return line.argmax(axis=1) / side, 1 - line[:, ::-1].argmax(axis=1) / side


def count(example: Example) -> int:
    """Tell how many objects are seen."""
    return len(tracks(example))


class _Marked:
    """The object that is framed in the first frame, and the numbers of those in the last."""

    def __init__(self, example: Example) -> None:
        seen = tracks(example)
        last = [track for track in seen if track[-1]]
        stays = [number for number, track in enumerate(last) if track[0]]
        self.possible = len(last) > 1 and bool(stays)
        if not self.possible:
            return
        key = hash_bytes(example.target["ids"].tobytes())
        rng = Stream(path_key(0, "video", "which"), index=key)
        marked = last[rng.choice(stays)]
        rng.shuffle(last)
        self.first: Box = marked[0] or []
        self.last: list[Box] = [track[-1] or [] for track in last]
        self.right = last.index(marked)


@lru_cache(maxsize=64)
def _marked(example: Example) -> _Marked:
    return _Marked(example)


def can_mark(example: Example) -> bool:
    """Tell whether an object of the first frame is in the last one, and is not alone there."""
    return _marked(example).possible


def right_object(example: Example) -> int:
    """Return the number of the framed object, from 0."""
    return _marked(example).right


def nearest(example: Example) -> int:
    """Return the object of the last frame that is nearest to where the framed one was in the first, from 0."""
    marks = _marked(example)
    x, y = _middle(marks.first)
    places = [_middle(box) for box in marks.last]
    return min(range(len(places)), key=lambda k: hypot(places[k][0] - x, places[k][1] - y))


def _middle(box: Box) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def marked_frames(example: Example) -> list[Image]:
    """Return all frames, the framed object in the first and numbers in the last."""
    frames, marks = frames_of(example), _marked(example)
    times = max(1, -(-MARKED // frames.shape[1]))
    large = [frame.repeat(times, axis=0).repeat(times, axis=1) for frame in frames]
    large[0] = _framed(large[0], marks.first)
    large[-1] = _tagged(large[-1], marks.last)
    return large


def _framed(image: Image, box: Box) -> Image:
    canvas = Pillow.fromarray(image)
    pen = ImageDraw.Draw(canvas)
    left, top, right, bottom = _pixels(box, image)
    for out, color in enumerate((MARK[1], MARK[0], MARK[0], MARK[1]), 1):
        pen.rectangle((left - out, top - out, right + out - 1, bottom + out - 1), outline=color)
    return np.asarray(canvas)


def _tagged(image: Image, boxes: Sequence[Box]) -> Image:
    canvas = Pillow.fromarray(image)
    pen = ImageDraw.Draw(canvas)
    size = max(12, len(image) // 18)
    for number, box in enumerate(boxes, 1):
        left, top, right, bottom = _pixels(box, image)
        x, y = _middle([left, top, right, bottom])
        half = 0.7 * size
        pen.rectangle((x - half, y - half, x + half, y + half), fill=MARK[0], outline=MARK[1])
        pen.text((x, y), str(number), fill=MARK[1], font=figure.font(size), anchor="mm")
    return np.asarray(canvas)


def _pixels(box: Box, image: Image) -> list[float]:
    height, width = image.shape[:2]
    return [edge * side / SCALE for edge, side in zip(box, (width, height, width, height), strict=True)]


# ---------------------------------------------------------------------------- what is asked


def write_count(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a video whose objects are to be counted."""
    return _write(example, context, (COUNT, COUNT_RULE), lambda one: str(count(one)))


def write_boxes(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a video whose objects are to be followed."""
    return _write(example, context, (BOXES, BOXES_RULE), lambda one: said_boxes(tracks(one)))


def said_boxes(found: list[Track]) -> str:
    """Boxes as they are to be answered, in whole numbers."""
    return json.dumps([[box and [round(edge) for edge in box] for box in track] for track in found])


def _write(example: Example, context: Sequence[Example], asked: tuple[str, str], answer: Any) -> list[Part]:
    parts: list[Part] = ["\n\n".join([*([SHOWN] if context else []), *asked])]
    for one in context:
        parts += [FRAMES, numbered(list(frames_of(one)), "Frame"), f"Answer: {answer(one)}"]
    return [*parts, FRAMES, numbered(list(frames_of(example)), "Frame")]


def write_which(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a video in which one object is to be followed."""
    return [f"{WHICH}\n\n{WHICH_RULE}", FRAMES, numbered(marked_frames(example), "Frame")]


# ---------------------------------------------------------------------------- what is answered


def parse_count(text: str, example: Example, manner: Manner) -> int | Unusable:
    """Return the number that an answer is, or why it is unusable."""
    return read_number(text, lenient=manner.lenient)


def parse_which(text: str, example: Example, manner: Manner) -> int | Unusable:
    """Return the object that an answer chooses, from 0, or why it is unusable."""
    return read_choice(text, len(_marked(example).last), lenient=manner.lenient)


def parse_boxes(text: str, example: Example, manner: Manner) -> list[Track] | Unusable:
    """Return the boxes of each object in each frame, or why an answer is unusable.

    >>> import unseen
    >>> video = unseen.load("video/custom", "test", frames=2)[0]
    >>> parse_boxes("[[[0, 0, 500, 500], null]]", video, Manner())
    [[[0.0, 0.0, 500.0, 500.0], None]]
    >>> parse_boxes("[[[0, 0, 500, 500]]]", video, Manner())
    'an object of the answer has 1 boxes for 2 frames'
    """
    found = read_json(text, lenient=manner.lenient)
    if isinstance(found, Unusable):
        return found
    if not (isinstance(found, list) and all(isinstance(track, list) for track in found)):
        return Unusable("the answer is not a list of objects")
    if len(found) > MOST_OBJECTS:
        return Unusable(f"the answer has {len(found)} objects, and {MOST_OBJECTS} are the most that are read")
    frames = example.record.frames
    for track in found:
        if len(track) != frames:
            return Unusable(f"an object of the answer has {len(track)} boxes for {frames} frames")
        for box in track:
            if box is not None and not _is_box(box):
                return Unusable(
                    "a box of the answer is not four numbers from 0 to 1000, left and top before the others"
                )
    return [[box and [float(edge) for edge in box] for box in track] for track in found]


def _is_box(box: Any) -> bool:
    if not (isinstance(box, list) and len(box) == 4):
        return False
    if not all(isinstance(edge, int | float) and not isinstance(edge, bool) for edge in box):
        return False
    left, top, right, bottom = box
    return bool(0 <= left < right <= SCALE and 0 <= top < bottom <= SCALE)  # no for what is not a number


FORMS = by_name(
    Form(
        "count",
        "How many objects does the video show?",
        write_count,
        parse_count,
        count,
        str,
        unusable=None,
        metrics=("count_accuracy",),
        takes=("shots",),
        chooser=solved(lambda example: ()),
    ),
    Form(
        "boxes",
        "Where is each object in each frame, as boxes?",
        write_boxes,
        parse_boxes,
        tracks,
        said_boxes,
        unusable=[],
        metrics=("box_mota", "box_motp", "box_hota", "box_idf1", "box_mt"),
        takes=("shots",),
        chooser=solved(lambda example: ()),
        shortcuts={"no box at all": lambda example: []},
    ),
    Form(
        "which",
        "Which object of the last frame is the framed one of the first?",
        write_which,
        parse_which,
        right_object,
        say=lambda right: str(right + 1),
        unusable=None,
        metrics=("choice_accuracy",),
        asks=can_mark,
        options=lambda example: [str(number) for number in range(1, len(_marked(example).last) + 1)],
        shortcuts={"the nearest to where it was": nearest},
    ),
)
