"""Everything a user may choose: `Spec` changes the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator

from unseen.benchmarks.svib.rules import Effect, effects_of, factor_in
from unseen.benchmarks.svib.worlds import WORLDS, World
from unseen.core.contents import Source
from unseen.core.errors import SpecError, unknown
from unseen.core.options import Names, Sequences, read_names

if TYPE_CHECKING:
    from unseen.core.task import Task

LEVELS = {"hard": 0.2, "medium": 0.4, "easy": 0.6}
MOST_OBJECTS = 8


def read_alpha(value: Any) -> Any:
    """`"hard"`, `"medium"` or `"easy"` as the number it stands for."""
    return LEVELS.get(value, value) if isinstance(value, str) else value


Alpha = Annotated[float, BeforeValidator(read_alpha)]
Sizes = Annotated[tuple[float, ...], BeforeValidator(read_names)]
Whose = Literal["self", "other"]
Lists = Literal["paper", "published"]


@dataclass(frozen=True)
class Choice:
    """A world, what happens in it, and which combinations are for training."""

    world: Literal["dsprites", "clevr", "clevrtex"] = "dsprites"
    rule: Sequences = (("sa",),)  # by name, or effect by effect: `shape:other.shape,color:self.shape:1`
    quadrant: Whose = "self"  # that named rules add to the other's value: the paper's formula, or the published code's
    objects: int = 2  # of a scene
    colors: Names = ()  # RRGGBB; where a vocabulary is left out, the world's own
    shapes: Names = ()
    sizes: Sizes = ()
    materials: Names = ()
    alpha: Alpha = LEVELS["medium"]  # share of the combinations that are neither core nor test, to train on
    splits: Lists = "paper"  # the paper's procedure, or the published lists
    strict: bool = False  # no held-out combination in the targets of training either

    def __post_init__(self) -> None:
        world = WORLDS[self.world]
        if not 1 <= self.objects <= MOST_OBJECTS:
            raise SpecError(f"a scene has 1 to {MOST_OBJECTS} objects, not {self.objects}")
        if not 0 <= self.alpha <= 1:
            raise SpecError(
                f"alpha must be within 0 and 1, got {self.alpha:g} (the share of other combinations seen in training)"
            )
        _check_names("shape", self.shapes, world.known_shapes, world)
        _check_names("material", self.materials, world.known_materials, world)
        _check_colors(self.colors, world)
        largest = (world.high - world.low) / 2
        if not all(0 < size <= largest for size in self.sizes):
            raise SpecError(f"sizes in {world.name} are above 0 and at most {largest:g}, not {min(self.sizes):g}")
        for effect in self.effects:
            for factor in (effect.writes, *(parent.factor for parent in effect.parents)):
                factor_in(world, factor)
        if self.splits == "published" and self.vocabularies != world.vocabularies:
            raise SpecError("the published lists are of the published vocabularies; use splits=paper with your own")

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """What the rule does."""
        return effects_of(self.rule, self.quadrant)

    @cached_property
    def place(self) -> World:
        """The world, with the vocabularies of this choice."""
        world = WORLDS[self.world]
        return replace(
            world,
            colors=self.colors or world.colors,
            shapes=self.shapes or world.shapes,
            sizes=self.sizes or world.sizes,
            materials=self.materials or world.materials,
        )

    @property
    def vocabularies(self) -> tuple[tuple[object, ...], ...]:
        """The values of every factor, in the world's order."""
        return self.place.vocabularies


def _check_names(what: str, names: tuple[str, ...], known: tuple[str, ...], world: World) -> None:
    if names and not known:
        raise SpecError(f"objects of {world.name} have no {what}; leave {what}s out")
    for name in names:
        if name not in known:
            raise unknown(what, name, known, where=world.name)


def _check_colors(colors: tuple[str, ...], world: World) -> None:
    if colors and not world.colors:
        raise SpecError(f"objects of {world.name} have no color; leave colors out")
    for color in colors:
        if len(color) != 6 or not set(color.lower()) <= set("0123456789abcdef"):
            raise SpecError(f"a color is written as six hexadecimal digits, such as ff7f00, not {color!r}")


@dataclass(frozen=True)
class Spec(Choice):
    """What one split draws."""

    combinations: Literal["seen", "held_out", "all"] = "seen"  # that the objects of an input have


@dataclass(frozen=True)
class View:
    """How an episode looks; views of one task share their records."""

    size: int = 128  # of an image's side in pixels
    renderer: Literal["auto", "opengl", "blender", "none"] = "auto"  # of the 3-D worlds; none leaves images out
    textures: Source = ""  # a folder of the published texture sets of CLEVRTex; empty: patterns of our own
    full: bool = False  # masks of the input beside those of the target, and in 3-D the depth of both
    symbols: bool = False  # factors and positions of both scenes, and in 3-D where camera and lamps are

    def __post_init__(self) -> None:
        if not 16 <= self.size <= 1024:
            raise SpecError(f"size is an image's side in pixels, from 16 to 1024, not {self.size}")

    def check(self, task: Task) -> None:
        """Refuse a renderer where nothing is rendered."""
        flat = all(WORLDS[split.spec.world].flat for split in task.splits.values())
        if flat and self.renderer != "auto":
            raise SpecError(f"{task.name} is flat and needs no renderer; leave renderer={self.renderer} out")
        if self.textures and not any(WORLDS[split.spec.world].textured for split in task.splits.values()):
            raise SpecError(f"{task.name} has no textures; textures={self.textures} is for clevrtex")
