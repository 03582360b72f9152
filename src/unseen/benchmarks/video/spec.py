"""Everything a user may choose: `Spec`, `Traffic` and `Room` change the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from unseen.benchmarks.video.rules import CHANGES, SPRITES
from unseen.core.contents import Source
from unseen.core.errors import SpecError, unknown
from unseen.core.options import Names, Range

if TYPE_CHECKING:
    from unseen.core.task import Task

MOST_OBJECTS = 16
MOST_FRAMES = 100
LARGEST = 1024  # side of a frame in pixels


@dataclass(frozen=True)
class Spec:
    """A scenario of moving sprites: VMDS as it stands, and every set of its kind by some differences.

    Pixels are those of a frame of 64; ranges include both ends.
    """

    frames: int = 10  # of a video
    objects: Range = (1, 4)  # in a video, from its first frame to its last
    shapes: Names = tuple(SPRITES)  # that sprites are drawn from
    scale: Range = (5, 10)  # of a sprite, in tenths; these six are those of dSprites
    amplitude: int = 32  # of the Gaussian process that moves sprites, in pixels
    same_color: bool = False  # all sprites of a video in one color
    contrast: int = 0  # by which any two colors of a video differ in some channel, the background's included
    occlusion: int = 0  # sprites that are centered on the same place in one of the frames
    changes: Names = ()  # that every sprite undergoes: rotation, color, size
    textured: bool = False  # textures instead of flat colors
    texture: Literal["noise", "leaves", "dots"] = "noise"  # the built-in kind; of dots all have the same colors

    canvas: ClassVar[int] = 64  # pixels that a record's coordinates are of

    def __post_init__(self) -> None:
        for name in self.shapes:
            if name not in SPRITES:
                raise unknown("shape", name, SPRITES)
        for name in self.changes:
            if name not in CHANGES:
                raise unknown("change", name, CHANGES)
        _check_range("frames", (self.frames, self.frames), 1, MOST_FRAMES)
        _check_range("objects", self.objects, 1, MOST_OBJECTS)
        _check_range("scale", self.scale, 1, 20)
        _check_range("amplitude", (self.amplitude, self.amplitude), 0, 1000)
        _check_range("contrast", (self.contrast, self.contrast), 0, 128)
        if not self.shapes:
            raise SpecError("shapes names at least one shape")
        if self.occlusion and not 2 <= self.occlusion <= self.objects[0]:
            raise SpecError(
                f"occlusion counts sprites that meet, two at least and no more than a video's fewest objects,"
                f" {self.objects[0]}; it cannot be {self.occlusion}"
            )
        if self.texture != "noise" and not self.textured:
            raise SpecError(f"texture={self.texture} is for textured videos; add textured=true")
        if self.contrast and ("color" in self.changes or self.textured):
            raise SpecError("contrast is between colors that stay; leave it out where colors change or there are none")


@dataclass(frozen=True)
class Traffic:
    """SpMOT: templates that enter a dark frame of 128 pixels, cross it on a straight line, and leave."""

    frames: int = 10  # of a clip
    stream: bool = False  # clips are consecutive pieces of one endless video, as published; else each is by itself

    canvas: ClassVar[int] = 128

    def __post_init__(self) -> None:
        _check_range("frames", (self.frames, self.frames), 1, MOST_FRAMES)


@dataclass(frozen=True)
class Room:
    """VOR: boxes and balls that stand in one quarter of a room, seen by a camera that walks towards them."""

    frames: int = 10  # of a walk
    objects: Range = (1, 4)  # in the room; some may be out of view

    canvas: ClassVar[int] = 128

    def __post_init__(self) -> None:
        _check_range("frames", (self.frames, self.frames), 1, MOST_FRAMES)
        _check_range("objects", self.objects, 0, MOST_OBJECTS)


Scenario = Spec | Traffic | Room


@dataclass(frozen=True)
class View:
    """How an example looks; views of one task share their records."""

    size: int = 64  # of a frame's side in pixels, the published evaluation's; those of SpMOT and VOR have 128
    background: Literal["random", "black"] = "random"  # black for models that do not model it
    amodal: bool = False  # whole masks, depth order and visibility beside the ids
    motion: bool = False  # optical flow, boxes and centers of the first frame, and in VOR distances and camera poses
    textures: Source = ""  # a folder of images that textures are cut from; built-in ones by default
    renderer: Literal["auto", "opengl", "blender", "none"] = "auto"  # of VOR; none leaves frames out

    def __post_init__(self) -> None:
        _check_range("size", (self.size, self.size), 8, LARGEST)

    def check(self, task: Task) -> None:
        """Refuse what a task has no use for, or no form of."""
        specs = [split.spec for split in task.splits.values()]
        if any(not isinstance(spec, Spec) and spec.canvas % self.size for spec in specs):
            raise SpecError(f"frames of {task.name} have 128 pixels a side, 64 or 32; size={self.size} is neither")
        if self.textures and not any(isinstance(spec, Spec) and spec.textured for spec in specs):
            raise SpecError(f"{task.name} has flat colors; textures={self.textures} is for video/texvmds")
        if self.textures and any(isinstance(spec, Spec) and spec.texture == "dots" for spec in specs):
            raise SpecError(f"{task.name} has dots of the same colors everywhere; leave textures={self.textures} out")
        if self.renderer != "auto" and not any(isinstance(spec, Room) for spec in specs):
            raise SpecError(f"{task.name} is flat and needs no renderer; leave renderer={self.renderer} out")


def _check_range(name: str, value: tuple[int, int], low: int, high: int) -> None:
    if not (low <= value[0] <= value[1] <= high):
        raise SpecError(f"{name} must be within {low} to {high} with the smaller first, got {value[0]} to {value[1]}")
