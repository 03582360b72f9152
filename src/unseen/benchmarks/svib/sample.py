"""(spec, stream) -> record: two objects of allowed combinations, where they are, and what the rule makes of them.

Both scenes of an episode keep objects apart and every one of them in sight. Sprites are decided on by their masks at
128 x 128 pixels, solids by our own projection of their meshes, never by a renderer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import kernels
from unseen.benchmarks.svib.rules import MOST_PARENTS, STEP, Effect, factor_in
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.splits import barred, drawn_from
from unseen.benchmarks.svib.worlds import SPRITES, WORLDS, Combination, World
from unseen.core.errors import Unplaceable
from unseen.core.splits import Part

Scene = npt.NDArray[np.int32]  # (objects, kernels.FIELDS)
DECIDED_AT = 128  # pixels a side at which it is decided whether enough is seen
JITTERS = 12  # coordinates of camera, key, back and fill light, in this order


class Placed(NamedTuple):
    """An object: its look, and its place from the world's origin in 65,536ths of the world's unit."""

    look: Combination
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Record:
    """A symbolic episode. Object i of both scenes is the same one, and has the id i + 1 in masks."""

    source: tuple[Placed, ...]
    target: tuple[Placed, ...]
    jitter: tuple[int, ...] = ()  # of camera, key, back and fill light, in 65,536ths of its range; 3-D only
    ground: int = 0  # index of the material of the ground, in CLEVRTex


class Plan(NamedTuple):
    """A spec made ready for the kernels."""

    limits: npt.NDArray[np.int64]
    ranges: npt.NDArray[np.float64]
    pool: npt.NDArray[np.int32]
    barred: npt.NDArray[np.uint8]
    effects: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.float64]
    flat: npt.NDArray[np.float64]  # outlines of sprites; none in 3-D
    colors: npt.NDArray[np.int64]  # (colors, 3)


@lru_cache(maxsize=64)
def plan(spec: Spec) -> Plan:
    """Make a spec ready: its limits, combinations and effects as numbers."""
    world, allowed = spec.place, drawn_from(spec)
    limits = np.zeros(kernels.LIMITS, np.int64)
    limits[kernels.WORLD], limits[kernels.OBJECTS] = tuple(WORLDS).index(world.name), spec.objects
    for place, factor in (
        (kernels.SIZE_FACTOR, "size"),
        (kernels.SHAPE_FACTOR, "shape"),
        (kernels.COLOR_FACTOR, factor_in(world, "color")),
    ):
        limits[place] = world.factors.index(factor)
    limits[kernels.CENTER] = round(world.center * kernels.GRAIN)
    limits[kernels.STEP] = round(STEP * (world.high - world.low) * kernels.GRAIN)
    limits[kernels.JITTERS] = 0 if world.flat else JITTERS
    limits[kernels.GROUNDS] = len(world.materials) if world.textured else 0
    counts = np.ones(kernels.FACTORS, np.int64)
    counts[: len(world.factors)] = [len(values) for values in world.vocabularies]
    pool = np.zeros((len(allowed), kernels.FACTORS), np.int32)
    pool[:, : len(world.factors)] = allowed
    return Plan(
        limits,
        np.array([world.low, world.high, world.margin, world.apart]),
        pool,
        _barred(barred(spec), counts),
        _effects(spec.effects, world),
        counts,
        np.array(world.sizes),
        outlines(world.shapes if world.flat else ()),
        np.array([[*bytes.fromhex(color)] for color in world.colors], np.int64),
    )


def _barred(combinations: tuple[Combination, ...], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    if not combinations:
        return np.zeros(0, np.uint8)
    table = np.zeros(counts, np.uint8)
    for combination in combinations:
        table[combination] = 1
    return table.reshape(-1)


def _effects(effects: tuple[Effect, ...], world: World) -> npt.NDArray[np.int32]:
    """Effects as rows of numbers: what is written, the constant, how many parents, and whose which factor each is."""
    numbers = {name: k for k, name in enumerate(world.factors)}
    numbers |= {"position": kernels.POSITION, "quadrant": kernels.QUADRANT}
    rows = np.zeros((len(effects), kernels.PARENTS + 2 * MOST_PARENTS), np.int32)
    for row, effect in zip(rows, effects, strict=True):
        parents = [(p.of == "other", numbers[factor_in(world, p.factor)]) for p in effect.parents]
        row[: kernels.PARENTS] = numbers[factor_in(world, effect.writes)], effect.constant, len(parents)
        row[kernels.PARENTS : kernels.PARENTS + 2 * len(parents)] = np.ravel(parents)
    return rows


def outlines(shapes: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """Return the corners of shapes (shapes, 1 + most corners, 2), each after their number; none in 3-D."""
    most = max((len(SPRITES[name]) for name in shapes), default=0)
    table = np.zeros((len(shapes), 1 + most, 2))
    for row, name in zip(table, shapes, strict=True):
        row[0] = len(SPRITES[name])
        row[1 : 1 + len(SPRITES[name])] = SPRITES[name]
    return table


class Sampler:
    """The contract of core/task.py: draws the examples of one spec, part and stream key, in any order."""

    def __init__(self, spec: Spec, part: Part, key: int) -> None:
        self.spec = spec
        self.part = part
        self.key = np.uint64(key)
        self.plan = plan(spec)

    def draw(self, index: int, first: int = 0) -> tuple[Record, int, int]:
        """Draw the record of an index, with key and number of the draw: the first from `first` on in the part."""
        objects = self.spec.objects
        source, target = np.zeros((2, objects, kernels.FIELDS), np.int32)
        frame = np.zeros(self.plan.limits[kernels.JITTERS] + 1, np.int32)
        turn = first - 1
        while True:
            content, turn = kernels.draw_episode(
                *self.plan[:-1], self.key, index, turn + 1, *self.part, (source, target, frame)
            )
            if turn < 0:
                raise unplaceable(self.spec)
            record = record_of(source, target, frame, len(self.spec.place.factors))
            if self.spec.place.flat or in_sight(record, self.spec):
                return record, int(content), int(turn)


def in_sight(record: Record, spec: Spec) -> bool:
    """Tell whether enough is seen of every solid, before and after."""
    from unseen.benchmarks.svib.solids import scene_of
    from unseen.render.space.project import project

    scenes = (scene_of(objects, record, spec) for objects in (record.source, record.target))
    return all(min(project(scene, DECIDED_AT).visible) >= kernels.VISIBLE for scene in scenes)


def unplaceable(spec: Spec) -> Unplaceable:
    """Return the error for a spec of which no episode was found."""
    strict = " whose targets have no held-out combination" if spec.strict else ""
    return Unplaceable(
        f"found no episode of {spec.objects} objects in {spec.world}{strict} with all of them apart and in sight;"
        " ask for fewer or smaller objects, or another rule"
    )


def record_of(source: Scene, target: Scene, frame: npt.NDArray[np.int32], factors: int) -> Record:
    """Return a record from the arrays that a kernel filled."""
    *jitter, ground = frame.tolist()
    return Record(placed(source, factors), placed(target, factors), tuple(jitter), ground)


def placed(scene: Scene, factors: int) -> tuple[Placed, ...]:
    """Return the objects of a kernel's scene."""
    return tuple([Placed(tuple(row[:factors]), row[kernels.X], row[kernels.Y]) for row in scene.tolist()])


def scene_of(objects: tuple[Placed, ...]) -> Scene:
    """Return the kernels' form of some objects."""
    scene = np.zeros((len(objects), kernels.FIELDS), np.int32)
    for row, one in zip(scene, objects, strict=True):
        row[: len(one.look)] = one.look
        row[kernels.X :] = one.x, one.y
    return scene
