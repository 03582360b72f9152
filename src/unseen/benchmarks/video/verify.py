"""Is an example right? Its record is held against the spec's words, and its ids against masks found point by point."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from math import cos, hypot, radians, sin

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.video import kernels
from unseen.benchmarks.video.render import arrays, walk_ids
from unseen.benchmarks.video.rooms import HALF, PALETTE, REACH, STEP, TINT, TURN, WIDEST, Look, Standing, Walk
from unseen.benchmarks.video.rules import TEMPLATES
from unseen.benchmarks.video.sample import Moving, Pose, Record
from unseen.benchmarks.video.spec import Room, Scenario, Spec, Traffic, View
from unseen.render.space.stage import FLOOR

Mask = npt.NDArray[np.bool_]
Points = npt.NDArray[np.float64]
LEAST, MOST = 5.0, 40.0  # degrees by which hue or angle change in a frame
SLACK = 0.01  # degrees that counting in parts of a turn may add


def check(record: Record, spec: Scenario) -> list[str]:
    """Return everything wrong with a record, as sentences."""
    return [*outside(record, spec), *check_masks(record, spec)]


def outside(record: Record, spec: Scenario) -> list[str]:
    """Say why a record is not one of this spec's."""
    if record.frames != spec.frames:
        return [f"it has {record.frames} frames, not {spec.frames}"]
    if isinstance(spec, Room):
        return list(check_walk(record.walk, spec)) if record.walk else ["it is not a walk through a room"]
    return list(check_sprites(record, spec) if isinstance(spec, Spec) else check_traffic(record, spec))


# ---------------------------------------------------------------------------- VMDS


def check_sprites(record: Record, spec: Spec) -> Iterator[str]:
    """Check number, looks, changes and paths of sprites."""
    objects = record.objects
    if not spec.objects[0] <= len(objects) <= spec.objects[1]:
        yield f"{len(objects)} objects are outside {spec.objects[0]} to {spec.objects[1]}"
    for number, one in enumerate(objects, 1):
        yield from (f"object {number} {reason}" for reason in check_sprite(one, spec))
    if bool(record.texture) != spec.textured:
        yield "its background has a texture" if record.texture else "its background has no texture"
    if spec.same_color and len({one.poses[0].color for one in objects}) > 1:
        yield "its objects differ in color"
    if spec.contrast:
        of_objects = [one.poses[0].color for one in (objects[:1] if spec.same_color else objects)]
        pairs = combinations([record.background, *of_objects], 2)
        if any(abs(_channels(one) - _channels(other)).max() < spec.contrast for one, other in pairs):
            yield f"two of its colors differ by less than {spec.contrast}"
    if spec.occlusion and not any(_meet(objects, t) >= spec.occlusion for t in range(record.frames)):
        yield f"at no time are {spec.occlusion} of its objects in the same place"


def _channels(color: int) -> npt.NDArray[np.int64]:
    return np.array([*color.to_bytes(3, "big")], np.int64)


def _meet(objects: Sequence[Moving], t: int) -> int:
    """The most objects that a place has in a frame."""
    places = [(one.poses[t].x, one.poses[t].y) for one in objects]
    return max(map(places.count, places))


def check_sprite(one: Moving, spec: Spec) -> Iterator[str]:
    """Check a sprite by itself."""
    poses = one.poses
    if one.shape not in spec.shapes:
        yield f"is a {one.shape}"
    if one.first or len(poses) != spec.frames:
        yield "is not there in every frame"
    low, high = kernels.LOW * kernels.GRAIN, (kernels.LOW + kernels.SPAN) * kernels.GRAIN
    if not all(low <= place <= high for pose in poses for place in (pose.x, pose.y)):
        yield "leaves the bounds"
    if any(pose.height != pose.width or not spec.scale[0] <= pose.height <= spec.scale[1] for pose in poses):
        yield f"has a scale outside {spec.scale[0]} to {spec.scale[1]} tenths"
    if poses[0].angle * (kernels.ORIENTATIONS - 1) % kernels.TURN:
        yield "does not begin in one of the orientations of dSprites"
    for change, follows in FOLLOWS.items():
        if change in spec.changes and not follows(poses, spec):
            yield f"does not change {change} as it should"
        if change not in spec.changes and len({*map(LOOKS[change], poses)}) > 1:
            yield f"changes {change}"
    if bool(one.texture) != spec.textured:
        yield "has a texture" if one.texture else "has no texture"


def turns(poses: Sequence[Pose], _: Spec) -> bool:
    """Tell whether the angle changes by one amount in every frame."""
    return _steady([360 * pose.angle / kernels.TURN for pose in poses], SLACK)


def shifts_hue(poses: Sequence[Pose], _: Spec) -> bool:
    """Tell whether the hue changes by one amount, as far as whole numbers can tell, and saturation and value stay."""
    colors = [colorsys.rgb_to_hsv(*(_channels(pose.color) / 255.0)) for pose in poses]
    spread = [int(np.ptp(_channels(pose.color))) for pose in poses]
    if len(set(spread)) > 1 or len({value for _, _, value in colors}) > 1:
        return False
    if spread[0] == 0:
        return True  # a gray has no hue
    return _steady([360 * hue for hue, _, _ in colors], SLACK + 60 / spread[0])


def _steady(angles: list[float], slack: float) -> bool:
    """Whether angles in degrees go on by one amount within LEAST to MOST, either way."""
    if len(angles) == 1:
        return True
    steps = [(b - a + 180) % 360 - 180 for a, b in pairwise(angles)]
    middle = (max(steps) + min(steps)) / 2
    return max(steps) - min(steps) <= 2 * slack and LEAST - slack <= abs(middle) <= MOST + slack


def resizes(poses: Sequence[Pose], spec: Spec) -> bool:
    """Tell whether the scale goes from one end to the other, a step a frame once it has begun, as far as frames go."""
    low, high = spec.scale
    scales = [pose.height for pose in poses]
    if scales[0] == high:
        low, high = -high, -low
        scales = [-scale for scale in scales]
    begun = next((t for t, scale in enumerate(scales) if scale != low), len(scales))
    expected = [low] * begun + [min(low + 1 + k, high) for k in range(len(scales) - begun)]
    return scales == expected and (begun < len(scales) or len(scales) == 1 or low == high)


FOLLOWS: dict[str, Callable[[Sequence[Pose], Spec], bool]] = {"rotation": turns, "color": shifts_hue, "size": resizes}
LOOKS: dict[str, Callable[[Pose], int]] = {
    "rotation": lambda pose: pose.angle,
    "color": lambda pose: pose.color,
    "size": lambda pose: pose.height,
}


# ---------------------------------------------------------------------------- SpMOT


def check_traffic(record: Record, spec: Traffic) -> Iterator[str]:
    """Check that the background is black, and that no more objects than slots cross it, each on a straight line."""
    if record.background:
        yield "its background is not black"
    present = [sum(one.first <= t < one.first + len(one.poses) for one in record.objects) for t in range(spec.frames)]
    if max(present) > kernels.SLOTS:
        yield f"{max(present)} objects are there at once"
    for number, one in enumerate(record.objects, 1):
        yield from (f"object {number} {reason}" for reason in check_template(one, spec))


def check_template(one: Moving, spec: Traffic) -> Iterator[str]:
    """Check an object by itself."""
    if one.shape not in TEMPLATES:
        yield f"is a {one.shape}"
    if len({(pose.height, pose.width, pose.angle, pose.color) for pose in one.poses}) > 1:
        yield "changes its looks"
    height, width, color = one.poses[0].height, one.poses[0].width, one.poses[0].color
    if min(height, width) < 17 or max(height, width) > 26:
        yield f"is {height}x{width} pixels"
    if {*color.to_bytes(3, "big")} != {0, 255}:
        yield f"has the color {color:06x}"
    path = np.array([(pose.x, pose.y) for pose in one.poses]) / kernels.GRAIN
    near, far = kernels.EDGE, kernels.SIDE - 1 - kernels.EDGE
    if path.min() < near or path.max() > far:
        yield "is outside the lines where it should be gone"
    if one.first and not {near, far} & {*path[0]}:
        yield "does not enter on a line"
    if len(path) > 1:
        yield from _check_line(path, ends=one.first + len(path) < spec.frames)


def _check_line(path: Points, *, ends: bool) -> Iterator[str]:
    """Rounding moves a point by up to 0.71 pixels, so two of them by up to 1.42."""
    steps = np.arange(len(path))[:, None]
    slope = (path[-1] - path[0]) / (len(path) - 1)
    off = 2 * hypot(0.5, 0.5)
    if abs(path - path[0] - steps * slope).max() > off:
        yield "does not move on a straight line at one speed"
    if abs(np.linalg.norm(path[-1] - path[0]) - kernels.SPEED * (len(path) - 1)) > off:
        yield f"does not move by {kernels.SPEED} pixels a frame"
    onward = path[-1] + slope
    if ends and onward.min() > kernels.EDGE + off and onward.max() < kernels.SIDE - 1 - kernels.EDGE - off:
        yield "vanishes before it is across"


# ---------------------------------------------------------------------------- VOR


def check_walk(walk: Walk, spec: Room) -> Iterator[str]:
    """Check that objects are apart in one quarter of the room, and that the camera begins in the opposite quarter."""
    if not spec.objects[0] <= len(walk.objects) <= spec.objects[1]:
        yield f"{len(walk.objects)} objects are outside {spec.objects[0]} to {spec.objects[1]}"
    quarters = {(one.x > 0, one.y > 0) for one in walk.objects}
    start = walk.path[0]
    if len(quarters) > 1:
        yield "its objects stand in several quarters"
    elif quarters and quarters != {(start.x < 0, start.y < 0)} and 0 not in (start.x, start.y):
        yield "the camera does not begin opposite to the objects"
    for number, one in enumerate(walk.objects, 1):
        yield from (f"object {number} {reason}" for reason in check_standing(one))
    for one, other in combinations(walk.objects, 2):
        if hypot(one.x - other.x, one.y - other.y) < WIDEST[one.shape] + WIDEST[other.shape]:
            yield "two objects may touch"
    yield from check_path(walk)


def check_standing(one: Standing) -> Iterator[str]:
    """Check an object by itself."""
    if one.shape not in WIDEST:
        yield f"is a {one.shape}"
    elif max(abs(one.x), abs(one.y)) + WIDEST[one.shape] > HALF:
        yield "reaches into a wall"
    if not any((abs(_channels(one.color) - _channels(color)) <= TINT).all() for color in PALETTE.values()):
        yield f"has the color {one.color:06x}"


def check_path(walk: Walk) -> Iterator[str]:
    """Check that steps are of one length, turns of one angle, and the way clear of walls and objects."""
    for a, b in pairwise(walk.path):
        if abs(hypot(b.x - a.x, b.y - a.y) - STEP) > 2:  # both ends are rounded
            yield "the camera's steps are not all of one length"
            break
    turns = {(b.heading - a.heading + 1800) % 3600 - 1800 for a, b in pairwise(walk.path)}
    if len(turns) > 1 or not turns <= {-TURN, 0, TURN}:
        yield "the camera does not turn by one angle"
    if any(max(abs(look.x), abs(look.y)) >= HALF for look in walk.path):
        yield "the camera leaves the room"
    if any(hypot(look.x - o.x, look.y - o.y) <= WIDEST[o.shape] for look in walk.path for o in walk.objects):
        yield "the camera runs into an object"


def check_walk_masks(walk: Walk) -> Iterator[str]:
    """Check whether every pixel's ray meets first what the ids say, but for the pixels along outlines."""
    ids = walk_ids(walk)
    for t, look in enumerate(walk.path):
        exact = ray_ids(walk, look)
        wrong = ids[t] != exact
        if (wrong & ~_outlines(exact)).any() or wrong.mean() > 0.02:
            yield f"the ids of frame {t} are not what rays from the camera meet"
        if len({*np.unique(exact)} & {FLOOR + 1 + k for k in range(4)}) > 2:
            yield f"frame {t} shows more than two walls"


def _outlines(ids: npt.NDArray[np.uint8]) -> Mask:
    """Pixels beside another id, or at the border: there a ball of flat faces may differ from a round one."""
    near = np.pad(ids, 1, constant_values=255)
    windows = [near[y : y + len(ids), x : x + len(ids)] for y in range(3) for x in range(3)]
    outlines: Mask = np.any([window != ids for window in windows], axis=0)
    return outlines


def ray_ids(walk: Walk, look: Look) -> npt.NDArray[np.uint8]:
    """What the ray through the middle of each pixel meets first: geometry of planes, boxes and balls, no meshes."""
    rays = rays_of(walk, look)
    eye = np.array([look.x, look.y, walk.height], float)
    with np.errstate(divide="ignore", invalid="ignore"):
        sheets = [(FLOOR, np.where(rays[..., 2] < 0, -eye[2] / rays[..., 2], np.inf))]
        for k, (axis, side) in enumerate(((0, -HALF), (0, HALF), (1, -HALF), (1, HALF)), 1):
            away = (side - eye[axis]) / rays[..., axis]
            sheets.append((FLOOR + k, np.where(away > 0, away, np.inf)))
        bodies = [(i, _meets(one, eye, rays)) for i, one in enumerate(walk.objects, 1)]
    names, distances = zip(*sheets, *bodies, strict=True)
    nearest: npt.NDArray[np.uint8] = np.array(names, np.uint8)[np.argmin(distances, axis=0)]
    return nearest


def rays_of(walk: Walk, look: Look) -> Points:
    """Return the direction of every pixel's ray, (128, 128, 3)."""
    heading, pitch = radians(look.heading / 10), radians(walk.pitch / 10)
    ahead = np.array([cos(pitch) * cos(heading), cos(pitch) * sin(heading), sin(pitch)])
    right = np.array([sin(heading), -cos(heading), 0.0])
    up = np.cross(right, ahead)
    reach = np.tan(radians(walk.field_of_view / 10) / 2)
    at = (2 * (np.arange(Room.canvas) + 0.5) / Room.canvas - 1) * reach
    rays: Points = ahead + at[None, :, None] * right - at[:, None, None] * up
    return rays


def _meets(one: Standing, eye: Points, rays: Points) -> Points:
    """How far along each ray an object is met; infinity where it is missed."""
    reach = float(REACH[one.shape])
    offset = eye - np.array([one.x, one.y, reach])
    if one.shape == "ball":
        a, b, c = (rays**2).sum(-1), rays @ offset, offset @ offset - reach**2
        inside = b**2 - a * c
        return np.where(inside >= 0, (-b - np.sqrt(np.maximum(inside, 0))) / a, np.inf)
    angle = radians(one.angle / 10)
    back = np.array([[cos(angle), sin(angle), 0], [-sin(angle), cos(angle), 0], [0, 0, 1]])
    offset, rays = back @ offset, rays @ back.T
    near, far = np.sort([(-reach - offset) / rays, (reach - offset) / rays], axis=0)
    enters, leaves = near.max(-1), far.min(-1)
    return np.where((enters <= leaves) & (enters > 0), enters, np.inf)


# ---------------------------------------------------------------------------- masks


def check_masks(record: Record, spec: Scenario) -> Iterator[str]:
    """Whether every pixel of the ids belongs to the object that point-in-shape tests and depth order give it to."""
    if record.walk is not None:
        yield from check_walk_masks(record.walk)
        return
    ids = arrays(record, spec, View(size=spec.canvas))[1]["ids"]
    for t in range(record.frames):
        if (ids[t] != ids_of(record, spec, t)).any():
            yield f"the ids of frame {t} are not what the shapes give"


def ids_of(record: Record, spec: Scenario, t: int) -> npt.NDArray[np.uint8]:
    """Return the id of every pixel of a frame: of the objects that cover it, the largest has it, or the last."""
    covered = np.zeros((spec.canvas, spec.canvas), np.int64)
    for number, one in enumerate(record.objects, 1):
        if not one.first <= t < one.first + len(one.poses):
            continue
        pose = one.poses[t - one.first]
        mask = sprite_mask(one.shape, pose) if isinstance(spec, Spec) else template_mask(one.shape, pose)
        size = pose.height if isinstance(spec, Spec) else 0
        np.maximum(covered, np.where(mask, 1000 * size + number, 0), out=covered)  # larger first, then later
    return (covered % 1000).astype(np.uint8)


def sprite_mask(shape: str, pose: Pose) -> Mask:
    """Return the pixels of a 64-pixel frame whose middle is in a sprite."""
    scale, angle = pose.height / 10, radians(360 * pose.angle / kernels.TURN)
    rise = kernels.CENTROID * scale if shape == "heart" else 0.0
    pivot = np.rint([pose.x / kernels.GRAIN + sin(angle) * rise, pose.y / kernels.GRAIN - cos(angle) * rise])
    y, x = np.mgrid[: Spec.canvas, : Spec.canvas] + 0.5
    # multiplied by e^(-i angle), a point is turned back to how the upright sprite has it
    upright = (x - pivot[0] + 1j * (y - pivot[1])) * complex(cos(angle), -sin(angle)) / scale
    return POINT_TESTS[shape](upright.real, upright.imag)


def in_square(u: Points, v: Points) -> Mask:
    """Within half a side of the middle in both directions."""
    return (abs(u) <= kernels.HALF) & (abs(v) <= kernels.HALF)


def in_ellipse(u: Points, v: Points) -> Mask:
    """Return the distances to both focal points add up to no more than the long axis."""
    focus = np.sqrt(kernels.LONG**2 - kernels.SHORT**2)
    mask: Mask = np.hypot(u - focus, v) + np.hypot(u + focus, v) <= 2 * kernels.LONG
    return mask


def in_heart(u: Points, v: Points) -> Mask:
    """In one of two discs, or in the kite of tip, tangent points and the point between the discs."""
    right, left = (np.hypot(u - x, v - kernels.LOBE_Y) <= kernels.LOBE for x in (kernels.LOBE_X, -kernels.LOBE_X))
    touch = kernels.TANGENT_X, kernels.TANGENT_Y
    corners = [(0.0, kernels.TIP), (-touch[0], touch[1]), (0.0, kernels.LOBE_Y), touch]
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    kite = np.zeros(u.shape, bool)
    for (x1, y1), (x2, y2) in sides:  # inside is where a ray to the right crosses an odd number of sides
        kite ^= ((y1 > v) != (y2 > v)) & (u < x1 + (v - y1) * (x2 - x1) / (y2 - y1))
    return kite | right | left


POINT_TESTS: dict[str, Callable[[Points, Points], Mask]] = {
    "square": in_square,
    "ellipse": in_ellipse,
    "heart": in_heart,
}


def template_mask(shape: str, pose: Pose) -> Mask:
    """Return the pixels of a 128-pixel frame in which a stretched template is not wholly transparent."""
    cells = np.arange(kernels.TEMPLATE) - kernels.TEMPLATE // 2
    down, right = cells[:, None], cells[None, :]
    radius = kernels.TEMPLATE / 2
    filled = {
        "circle": np.hypot(down, right) <= radius,
        "rectangle": (down <= radius) & (right <= radius),
        "triangle": 2 * abs(right) <= down + radius + 0.5,
        "diamond": abs(down) + abs(right) <= radius,
    }[shape]
    opacity = _weights(pose.height) @ (255.0 * filled) @ _weights(pose.width).T
    whole = np.zeros((kernels.SIDE + 64, kernels.SIDE + 64), bool)  # a margin of 32 on all sides
    top, left = 32 + pose.y // kernels.GRAIN - pose.height // 2, 32 + pose.x // kernels.GRAIN - pose.width // 2
    whole[top : top + pose.height, left : left + pose.width] = np.rint(opacity) > 0
    return whole[32:-32, 32:-32]


def _weights(size: int) -> Points:
    """The share that each line of a template has in each line of its stretched form."""
    at = (np.arange(size) + 0.5) * kernels.TEMPLATE / size - 0.5
    at = at.clip(0, kernels.TEMPLATE - 1)[:, None]
    return np.maximum(0.0, 1.0 - abs(at - np.arange(kernels.TEMPLATE)))
