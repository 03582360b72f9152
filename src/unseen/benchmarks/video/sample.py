"""(spec, stream) -> record: which objects are where in every frame, of what shape, size, angle and color.

VMDS draws the number of sprites, the background, each sprite's looks, and then its path: a Gaussian process that stays
inside the frame. SpMOT lets three slots run, each of which waits, shows an object and waits again. All of it runs
compiled (`kernels.py`). VOR puts objects into a room and sends a camera through it (`rooms.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels
from unseen.benchmarks.video.rooms import Walk, content_key, draw_walk
from unseen.benchmarks.video.rules import NUMBERED, SHAPES
from unseen.benchmarks.video.spec import Room, Scenario, Spec, Traffic
from unseen.core.errors import TooFewExamples, Unplaceable
from unseen.core.random import Stream
from unseen.core.splits import Part

Poses = npt.NDArray[np.int32]  # (objects, frames, kernels.FIELDS)
Arrays = tuple[Poses, npt.NDArray[np.int32], npt.NDArray[np.int32]]  # a record in the form of the kernels


class Pose(NamedTuple):
    """An object in one frame."""

    x: int  # of the centroid, from the left border in 64ths of a pixel; the frame is that of the spec's canvas
    y: int  # from the upper border
    height: int  # in tenths of the full size for sprites, in pixels for templates
    width: int
    angle: int  # clockwise, in 39,000ths of a turn
    color: int  # 0xRRGGBB


@dataclass(frozen=True, slots=True)
class Moving:
    """An object: its shape, the first frame that has it, and where and how it is in that frame and those after it."""

    shape: str
    first: int
    poses: tuple[Pose, ...]
    texture: int = 0  # which one, where there are textures


@dataclass(frozen=True, slots=True)
class Record:
    """A symbolic video. Object i has the id i + 1; of sprites of one size, and of templates, the later is in front."""

    frames: int
    background: int  # 0xRRGGBB
    objects: tuple[Moving, ...]
    texture: int = 0  # of the background
    walk: Walk | None = None  # instead of objects, where the camera moves

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes of all objects, by id."""
        return tuple(one.shape for one in (self.walk.objects if self.walk else self.objects))


class Plan(NamedTuple):
    """A spec made ready for the kernels."""

    limits: npt.NDArray[np.int64]
    shapes: npt.NDArray[np.int32]
    order: npt.NDArray[np.int64]
    rows: npt.NDArray[np.float64]  # a factor of the process for every frame in which paths may cross
    fresh: npt.NDArray[np.uint8]


@lru_cache(maxsize=64)
def plan(spec: Spec) -> Plan:
    """Make a spec ready: its limits as numbers, and the factors of its Gaussian process."""
    limits = np.zeros(kernels.LIMITS, np.int64)
    limits[kernels.OBJECTS_LOW : kernels.OBJECTS_HIGH + 1] = spec.objects
    limits[kernels.SCALE_LOW : kernels.SCALE_HIGH + 1] = spec.scale
    limits[kernels.SAME], limits[kernels.CONTRAST] = spec.same_color, spec.contrast
    limits[kernels.OCCLUSION], limits[kernels.TEXTURED] = spec.occlusion, spec.textured
    for name, place in (("rotation", kernels.TURNING), ("color", kernels.HUE), ("size", kernels.SIZE)):
        limits[place] = name in spec.changes
    order = far_to_near(spec.frames)
    anchors = spec.frames if spec.occlusion else 1
    rows, fresh = np.zeros((anchors, spec.frames, spec.frames)), np.zeros((anchors, spec.frames), np.uint8)
    for anchor in range(anchors):
        kernels.factorize(order, anchor, float(spec.amplitude), rows[anchor], fresh[anchor])
    return Plan(limits, np.array([SHAPES[name].number for name in spec.shapes], np.int32), order, rows, fresh)


def far_to_near(frames: int) -> npt.NDArray[np.int64]:
    """Return the frames of a video, both ends first and then ever finer between them.

    >>> far_to_near(10).tolist()
    [9, 0, 4, 2, 6, 1, 3, 5, 7, 8]
    """
    order = list(dict.fromkeys((frames - 1, 0)))
    gaps = [(0, frames - 1)]
    while gaps:
        low, high = gaps.pop(0)
        middle = (low + high) // 2
        if middle > low:
            order.append(middle)
            gaps += [(low, middle), (middle, high)]
    return np.array(order, np.int64)


class Sampler:
    """The contract of core/task.py: draws the examples of one spec, part and stream key, in any order."""

    def __init__(self, spec: Scenario, part: Part, key: int) -> None:
        self.spec = spec
        self.part = part
        self.key = np.uint64(key)
        # an object of SpMOT takes 21 frames at least to cross, and its slot is empty for 7 before the next
        self.most = kernels.SLOTS * (2 + spec.frames // 28) if isinstance(spec, Traffic) else spec.objects[1]
        self._slots = [np.zeros((kernels.SLOTS, kernels.SLOT))]  # of a stream, before each of its first clips

    def draw(self, index: int, first: int = 0) -> tuple[Record, int, int]:
        """Draw the record of an index, with key and number of the draw: the first from `first` on in the part."""
        if isinstance(self.spec, Room):
            return self._walked(self.spec, index, first)
        arrays = self._arrays()
        if isinstance(self.spec, Spec):
            content, turn = kernels.draw_sprites(*plan(self.spec), self.key, index, first, *self.part, *arrays)
            if turn < 0:
                raise _failure(turn, self.spec)
        elif self.spec.stream:
            content, turn = self._streamed(index, arrays), 0
        else:
            content, turn = kernels.draw_traffic(self.key, index, first, *self.part, *arrays)
            assert turn >= 0, "no clip of thousands was in its part"
        return record_of(*arrays), int(content), int(turn)

    def _arrays(self) -> Arrays:
        poses = np.zeros((self.most, self.spec.frames, kernels.FIELDS), np.int32)
        return poses, np.zeros(1 + self.most, np.int32), np.zeros(2, np.int32)

    def _walked(self, spec: Room, index: int, first: int) -> tuple[Record, int, int]:
        for turn in count(first):  # at least one of eight keys is in the part
            walk = draw_walk(spec, Stream(int(self.key), index=index, draw=turn))
            content = content_key(walk)
            if self.part.holds(content):
                return Record(spec.frames, 0, (), walk=walk), content, turn
        raise AssertionError  # counting does not end

    def _streamed(self, index: int, arrays: Arrays) -> int:
        """Draw the clip of a stream, after all those before it that have not been drawn yet.

        Clips of a stream cannot be left out: the key takes its part from the split instead of choosing it.
        """
        for clip in range(len(self._slots) - 1, index):
            slots = self._slots[clip].copy()
            kernels.draw_stream(self.key, clip, slots, *arrays)
            self._slots.append(slots)
        content = kernels.draw_stream(self.key, index, self._slots[index].copy(), *arrays)
        return int(content) % 2**61 + (self.part.low << 61)


def _failure(why: int, spec: Spec) -> Exception:
    if why == kernels.NO_KEY:
        return TooFewExamples("too few distinct videos for a split of their own; allow more objects, colors or motion")
    if why == kernels.NO_COLOR:
        return Unplaceable(
            f"found no {spec.objects[1]} colors that differ by contrast={spec.contrast}; ask for less of either"
        )
    return Unplaceable(
        f"found no path that stays inside for {spec.frames} frames at amplitude={spec.amplitude}"
        + (f" and meets {spec.occlusion - 1} others" if spec.occlusion else "")
        + "; ask for less of either"
    )


def record_of(poses: Poses, textures: npt.NDArray[np.int32], head: npt.NDArray[np.int32]) -> Record:
    """Return a record from the arrays that a kernel filled."""
    count, background = head.tolist()
    of = textures.tolist()
    objects = []
    for i, rows in enumerate(poses[:count].tolist()):
        shown = [row for row in rows if row[kernels.HEIGHT]]
        first = rows.index(shown[0])
        seen = tuple([Pose(*row[1:]) for row in shown])
        objects.append(Moving(NUMBERED[shown[0][kernels.SHAPE]], first, seen, of[1 + i]))
    return Record(poses.shape[1], background, tuple(objects), of[0])


def poses_of(record: Record) -> Poses:
    """Return the kernels' poses of a record."""
    poses = np.zeros((len(record.objects), record.frames, kernels.FIELDS), np.int32)
    for rows, one in zip(poses, record.objects, strict=True):
        shown = rows[one.first : one.first + len(one.poses)]
        shown[:, kernels.SHAPE] = SHAPES[one.shape].number
        shown[:, kernels.X :] = one.poses
    return poses
