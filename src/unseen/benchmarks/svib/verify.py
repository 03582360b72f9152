"""Is an episode right? Its target derived again by the rule's formula, and its images read back from their pixels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import factors, kernels
from unseen.benchmarks.svib.render import Ids, masks, paint
from unseen.benchmarks.svib.rules import Place, State, apply
from unseen.benchmarks.svib.sample import DECIDED_AT, JITTERS, Placed, Record
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.splits import barred, drawn_from
from unseen.benchmarks.svib.worlds import World
from unseen.render.palette import Image
from unseen.render.space.scene import Vector

Floats = npt.NDArray[np.float64]

SLACK = 2 / kernels.GRAIN  # that counting in grains may move a place, in units
READ_SLACK = 2.0  # pixels of 128 by which a place that was read from pixels may be off
EDGE = 0.75  # pixels from an outline within which masks may differ: corners are cut to tenths of a pixel
BALL = 1.8  # radius of a ball around any mesh, in its sizes: the corners of a cube are at 1.73, and half a pixel
SCENES = ("input", "target")


def check(record: Record, spec: Spec) -> list[str]:
    """Return everything wrong with a record, as sentences."""
    problems = list(outside(record, spec))
    if not problems:
        problems += check_sprites(record, spec) if spec.place.flat else check_solids(record, spec)
    return problems


# ---------------------------------------------------------------------------- the symbols


def outside(record: Record, spec: Spec) -> list[str]:
    """Say why a record is not one of this spec's."""
    if len(record.source) != spec.objects or len(record.target) != spec.objects:
        return [f"it has {len(record.source)} objects and then {len(record.target)}, not {spec.objects}"]
    return [
        *check_looks(record, spec),
        *check_rule(record, spec),
        *check_places(record, spec.place),
        *check_frame(record, spec.place),
    ]


def check_looks(record: Record, spec: Spec) -> Iterator[str]:
    """Check that the input's combinations are allowed, and, where this is strict, the target's not held out."""
    allowed, never = {*drawn_from(spec)}, {*barred(spec)}
    for number, one in enumerate(record.source, 1):
        if one.look not in allowed:
            yield f"object {number} of the input has the combination {one.look}, which is not one of the split's"
    for number, one in enumerate(record.target, 1):
        if one.look in never:
            yield f"object {number} of the target has the combination {one.look}, which is held out"


def check_rule(record: Record, spec: Spec) -> Iterator[str]:
    """Check whether the target is what the formula makes of the input."""
    sizes = [len(values) for values in spec.vocabularies]
    expected = apply(spec.effects, state_of(record.source), spec.place, sizes)
    for number, ((look, at), (right, place)) in enumerate(zip(state_of(record.target), expected, strict=True), 1):
        if look != right:
            yield f"object {number} becomes {look}, and the rule makes it {right}"
        if max(abs(at[0] - place[0]), abs(at[1] - place[1])) > SLACK:
            yield f"object {number} goes to {at}, and the rule moves it to {place}"


def state_of(objects: tuple[Placed, ...]) -> State:
    """Objects as rules see them."""
    return tuple((one.look, place_of(one)) for one in objects)


def place_of(one: Placed) -> Place:
    """Tell where an object is, in units of its world."""
    return one.x / kernels.GRAIN, one.y / kernels.GRAIN


def check_places(record: Record, world: World) -> Iterator[str]:
    """Check that objects are within bounds in the input, and apart in both scenes."""
    for number, one in enumerate(record.source, 1):
        kept = world.margin * size_of(one, world) - SLACK
        if not all(world.low + kept <= at <= world.high - kept for at in place_of(one)):
            yield f"object {number} of the input is out of bounds"
    for name, objects in zip(SCENES, (record.source, record.target), strict=True):
        for (i, one), (j, other) in combinations(enumerate(objects, 1), 2):
            apart = hypot(*(a - b for a, b in zip(place_of(one), place_of(other), strict=True)))
            if apart < world.apart * (size_of(one, world) + size_of(other, world)) - SLACK:
                yield f"objects {i} and {j} of the {name} are too near to each other"


def size_of(one: Placed, world: World) -> float:
    """Return an object's size."""
    return world.sizes[one.look[world.factors.index("size")]]


def check_frame(record: Record, world: World) -> Iterator[str]:
    """Check that jitter and ground are as the world has them."""
    if len(record.jitter) != (0 if world.flat else JITTERS) or any(abs(one) > kernels.GRAIN for one in record.jitter):
        yield f"its camera and lights are moved by {record.jitter}"
    if not 0 <= record.ground < (len(world.materials) if world.textured else 1):
        yield f"its ground has the material {record.ground}, which there is not"


# ---------------------------------------------------------------------------- the pixels


def check_sprites(record: Record, spec: Spec) -> Iterator[str]:
    """Check look and place of every object as read from both images, masks point by point, and what is in sight."""
    for name, objects in zip(SCENES, (record.source, record.target), strict=True):
        ids = masks(objects, spec, DECIDED_AT)
        for number in range(1, spec.objects + 1):
            if (ids == number).sum() < kernels.VISIBLE:
                yield f"object {number} of the {name} is hardly seen"
        yield from (f"the {name} {problem}" for problem in check_masks(ids, objects, spec))
        yield from (
            f"the {name} shows {problem}" for problem in check_read(paint(objects, spec, DECIDED_AT), objects, spec)
        )


def check_masks(ids: Ids, objects: tuple[Placed, ...], spec: Spec) -> Iterator[str]:
    """Check whether masks are what point-in-polygon tests give, but for pixels on an outline."""
    expected, sure = shown(objects, spec, len(ids))
    if (ids != expected)[sure].any():
        yield "has masks that are not those of its objects"


def shown(objects: tuple[Placed, ...], spec: Spec, side: int) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Tell which object each pixel shows, from 1, and whether that is sure: pixels on an outline are not."""
    front_last = sorted(range(len(objects)), key=lambda i: (objects[i].look[0], objects[i].x))
    expected, sure = np.zeros((side, side), np.uint8), np.ones((side, side), bool)
    for i in front_last:
        x, y = place_of(objects[i])
        shifts = (0.0, EDGE / side, -EDGE / side)
        moved = [factors.Found(objects[i].look, x + right, y + up) for right in shifts for up in shifts]
        tests = [factors.covered(one, spec, side) for one in moved]
        sure &= np.all(tests, axis=0) | ~np.any(tests, axis=0)
        expected[tests[0]] = i + 1
    return expected, sure


def check_read(image: Image, objects: tuple[Placed, ...], spec: Spec) -> Iterator[str]:
    """Whether these objects are read from an image, or others that it shows as well: the frame may cut sprites off."""
    found = factors.read(image, spec)
    expected = [factors.Found(one.look, *place_of(one)) for one in objects]
    if all(map(same, sorted(found), sorted(expected))) and len(found) == len(expected):
        return
    numbers, sure = shown(objects, spec, len(image))
    colors = np.array([factors.GROUND, *(one.look[0] for one in objects)])
    if (factors.nearest_colors(image, spec.place.colors) != colors[numbers])[sure].any():
        yield f"{found} instead of {expected}"


def same(one: factors.Found, other: factors.Found) -> bool:
    """Tell whether two objects look alike and are in the same place, as far as pixels can tell."""
    return one.look == other.look and hypot(one.x - other.x, one.y - other.y) * DECIDED_AT <= READ_SLACK


def check_solids(record: Record, spec: Spec) -> Iterator[str]:
    """Check that enough of each solid is in sight, and none of it outside the outline of a ball around it."""
    from unseen.benchmarks.svib.solids import scene_of
    from unseen.render.space.project import project, view

    for name, objects in zip(SCENES, (record.source, record.target), strict=True):
        scene = scene_of(objects, record, spec)
        ids, seen_by = project(scene, DECIDED_AT).ids, view(scene.camera, DECIDED_AT)
        for number, body in enumerate(scene.bodies, 1):
            pixels = np.argwhere(ids == number)
            if len(pixels) < kernels.VISIBLE:
                yield f"object {number} of the {name} is hardly seen"
            elif distances(pixels, seen_by, body.position).max() > BALL * body.size:
                yield f"object {number} of the {name} has pixels where it is not"


def distances(pixels: npt.NDArray[np.int64], seen_by: Floats, place: Vector) -> Floats:
    """Tell how far the line of sight through each pixel passes by a place."""
    right, up, forward, camera, focal = seen_by[:3], seen_by[3:6], seen_by[6:9], seen_by[9:12], seen_by[12]
    across, down = (pixels[:, 1] + 0.5 - DECIDED_AT / 2), (pixels[:, 0] + 0.5 - DECIDED_AT / 2)
    lines = focal * forward + across[:, None] * right - down[:, None] * up
    lines /= np.linalg.norm(lines, axis=1, keepdims=True)
    found: Floats = np.linalg.norm(np.cross(lines, np.array(place) - camera), axis=1)
    return found
