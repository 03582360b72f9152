"""Where things go: the places of the vocabulary, made of random numbers and true extents.

A place has up to three parts: an extent that sizes depend on, a pose (what it says of angles and flips, before outlines
are made), and an arrangement of the bodies' centers. What does not fit raises `NoRoom`, and the image is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from unseen.benchmarks.cvr import kernels
from unseen.benchmarks.cvr.draft import Draft, NoRoom, new_shape
from unseen.benchmarks.cvr.kernels import turn as cos_sin
from unseen.benchmarks.cvr.vocabulary import (
    NONE,
    Cells,
    Columns,
    Config,
    Copied,
    Couples,
    Fixed,
    Line,
    Mirror,
    Motifs,
    Oblique,
    Orbit,
    Scatter,
    Sides,
)

GAP = 3 / 128  # between outlines that are apart
EDGE = 1 / 128 + 1 / 65536  # to the frame: a pixel, and what centers may lose when they are rounded
FRAME = np.array([EDGE, EDGE, 1 - EDGE, 1 - EDGE])
STRIP = 0.1  # between two sides
TRIES = 60

Point = tuple[float, float]
Box = Sequence[float]  # left, top, right, bottom, from the center of what it encloses


# ------------------------------------------------------------------------------------------------ extents


def set_extent(draft: Draft) -> None:
    """Draw how large a layout is that is kept as one thing."""
    place = draft.scene.place
    if isinstance(place, Config):
        level = place.extent_level
        first = draft.shared(level, "extent", 0, lambda: draft.uniform(place.extent))
        second = first * draft.uniform(place.ratio)
        draft.extent = (second, first) if place.swap else (first, second)
    elif isinstance(place, Copied):
        draft.extent = (draft.shared("problem", "extent", 0, lambda: draft.uniform(place.extent)),)


# ------------------------------------------------------------------------------------------------ poses


def pose(draft: Draft) -> None:
    """Turn and flip objects as their place demands, and then as the odd image does."""
    place = draft.scene.place
    if isinstance(place, Mirror):
        pose_mirrored(draft, place)
    elif isinstance(place, Orbit):
        pose_orbit(draft, place)
    elif isinstance(place, Motifs):
        pose_motifs(draft, place)
    elif isinstance(place, Copied) and place.turned:
        turn = draft.values["turn"] = draft.uniform((40, 320))
        for i, member in enumerate(draft.cast.labels["set"]):
            draft.angle[i] += turn * member
    for correction, *args in draft.scene.after:
        CORRECTIONS[correction](draft, *args)


def reflected(angle: float, axis: float) -> float:
    """The angle of an object's mirror image in a line of direction `axis`; its flip changes too.

    Turning by a, flipped or not, then reflecting is flipping, then turning by 2 axis - a + 180.
    """
    return 2 * axis - angle + 180


def pose_mirrored(draft: Draft, place: Mirror) -> None:
    """The second of each pair is the mirror image of the first in the axis, unless pairs have other roles."""
    if place.axis == "free" or place.axis == "joining":
        axis = 180 * draft.rng.uniform()
    elif place.axis == "drawn":
        axis = draft.values["normal"] + 90
    else:
        upright = place.axis == "middle" or draft.shared("problem", "upright", 0, lambda: draft.rng.below(2))
        axis = 90.0 if upright else 0.0
    draft.values["line"] = axis
    children = set(draft.cast.parent)
    for first, second in couples(draft):
        mirrored = not place.roles or ((first in children or draft.cast.parent[first] != NONE) != place.swap)
        draft.angle[second] = reflected(draft.angle[first], axis) if mirrored else draft.angle[first]
        draft.flip[second] = draft.flip[first] ^ mirrored
        draft.size[second] = draft.size[second] if place.axis == "joining" else draft.size[first]


def couples(draft: Draft) -> list[tuple[int, int]]:
    """The two objects of each pair, of outer ones first and then of inner ones."""
    pair = draft.cast.labels["pair"]
    start = 1 if pair[0] != pair[1] else 0  # after a marker
    return [(i, i + 1) for i in range(start, len(pair), 2)]


def pose_orbit(draft: Draft, place: Orbit) -> None:
    """The second of each pair is the first turned about the middle."""
    draft.values["turns"] = turns = []
    for first, second in couples(draft):
        turn = float(draft.number(place.turn)) if place.about == "marker" else draft.uniform((50, 310))
        turns.append(turn)
        draft.angle[second] = draft.angle[first] + turn
        draft.size[second] = draft.size[first]


def pose_motifs(draft: Draft, place: Motifs) -> None:
    """The second container and its contents are the first two under a motion, all but what the odd image moves."""
    outer, inner, outer2, inner2 = range(4)
    turn = 360 * draft.rng.uniform()
    draft.values["motion"] = turn
    for first, second in ((outer, outer2), (inner, inner2)):
        if place.motion == "turn":
            draft.angle[second] = draft.angle[first] + turn
        else:
            draft.angle[second] = reflected(draft.angle[first], 90.0)
            draft.flip[second] = not draft.flip[first]
    if place.moved:
        moved = outer2 if place.moved == "outer" else inner2
        if place.motion == "turn":
            draft.angle[moved] += draft.uniform((60, 180)) * (1 - 2 * draft.rng.below(2))
        else:
            draft.flip[moved] = not draft.flip[moved]
            draft.angle[moved] += draft.uniform((-30, 30))


# ------------------------------------------------------------------------------------------------ corrections


def scale_one(draft: Draft, which: int, low: float, high: float) -> None:
    """One object is smaller."""
    draft.size[which] *= draft.uniform((low, high))


def turn_one(draft: Draft, which: int, low: float, high: float) -> None:
    """One object is turned, either way."""
    draft.angle[which] += draft.uniform((low, high)) * (1 - 2 * draft.rng.below(2))


def turn_both(draft: Draft, first: int, low: float, high: float) -> None:
    """Two objects are turned the same way."""
    by = draft.uniform((low, high)) * (1 - 2 * draft.rng.below(2))
    draft.angle[first] += by
    draft.angle[first + 1] += by


def flip_one(draft: Draft, which: int) -> None:
    """One object is flipped where it should not be, or not where it should."""
    draft.flip[which] = not draft.flip[which]


def reshape(draft: Draft, low: int, high: int) -> None:
    """Some objects of different pairs have another shape."""
    pairs = couples(draft)
    draft.rng.shuffle(pairs)
    for pair in pairs[: draft.rng.between(low, high)]:
        draft.shape[pair[draft.rng.below(2)]] = new_shape(draft, {})


def mirror_children(draft: Draft, spread: float) -> None:
    """Contents are mirror images of their containers, a little turned."""
    for i, parent in enumerate(draft.cast.parent):
        if parent != NONE:
            draft.flip[i] = not draft.flip[parent]
            draft.angle[i] = draft.uniform((-spread, spread)) - draft.angle[parent]


def copy_children(draft: Draft, spread: float) -> None:
    """Contents are copies of their containers, a little turned."""
    for i, parent in enumerate(draft.cast.parent):
        if parent != NONE:
            draft.flip[i] = draft.flip[parent]
            draft.angle[i] = draft.uniform((-spread, spread)) + draft.angle[parent]


CORRECTIONS: dict[str, Callable[..., None]] = {
    "scale": scale_one,
    "turn": turn_one,
    "turn both": turn_both,
    "flip": flip_one,
    "reshape": reshape,
    "mirror children": mirror_children,
    "copy children": copy_children,
}


# ------------------------------------------------------------------------------------------------ arrangements


def scattered(draft: Draft, boxes: np.ndarray, region: np.ndarray = FRAME) -> np.ndarray:
    """Centers of bodies anywhere in a region, boxes apart."""
    centers = np.empty((len(boxes), 2))
    if not kernels.scatter(boxes, region, GAP, TRIES, draft.rng.state, centers):
        raise NoRoom
    return centers


def arrange_scatter(draft: Draft, place: Scatter, boxes: np.ndarray) -> np.ndarray:
    """Anywhere; where an order is asked for, until it is there."""
    if not place.order:
        return scattered(draft, boxes)
    for _ in range(TRIES):
        centers = scattered(draft, boxes)
        if ORDERS[place.order](draft, centers):
            return centers
    raise NoRoom


def has_rank(draft: Draft, centers: np.ndarray) -> bool:
    """Whether the object that is first, in the middle or last across the axis has rank k along it, all told apart."""
    axis = draft.values["axis"]
    across = sorted((float(y), i) for i, y in enumerate(centers[:, 1 - axis]))
    place = {"first": 0, "middle": len(across) // 2, "last": len(across) - 1}[draft.values["which"]]
    chosen = across[place][1]
    along = sorted((float(x), i) for i, x in enumerate(centers[:, axis]))
    if along[draft.values["k"]][1] != chosen:
        return False
    apart = [abs(y - across[place][0]) for y, i in across if i != chosen]
    beside = [abs(x - along[draft.values["k"]][0]) for x, i in along if i != chosen]
    return min(apart) >= TOLD and min(beside) >= TOLD


TOLD = 0.05  # least difference of coordinates whose order carries a rule
ORDERS = {"rank": has_rank}


def arrange_fixed(draft: Draft, place: Fixed, boxes: np.ndarray) -> np.ndarray:
    """The problem's one center, or one far from it. It is drawn so that any turned or replaced shape has room."""
    room = draft.scene.size.span[1] / 2 + EDGE
    free = (room, 1 - room)
    center = draft.shared("problem", "center", 0, lambda: (draft.uniform(free), draft.uniform(free)))
    if not place.apart:
        return np.array([center])
    for _ in range(TRIES):
        other = (draft.uniform(free), draft.uniform(free))
        if (other[0] - center[0]) ** 2 + (other[1] - center[1]) ** 2 >= place.apart**2:
            return np.array([other])
    raise NoRoom


def ordered(draft: Draft, lows: Sequence[float], highs: Sequence[float], span: Point, gap: float = GAP) -> list[float]:
    """Centers in order on an axis: extents from the centers down and up, the gap between, slack at random."""
    slack = span[1] - span[0] - sum(highs) + sum(lows) - gap * (len(lows) - 1)
    if slack < 0:
        raise NoRoom
    # uniform over all ways to share out the slack, at both ends too
    cuts = sorted(slack * draft.rng.uniform() for _ in lows)
    centers, at = [], span[0]
    for cut, low, high in zip(cuts, lows, highs, strict=True):
        centers.append(at + cut - low)
        at += high - low + gap
    return centers


def free_across(draft: Draft, boxes: np.ndarray, axis: int) -> list[float]:
    """A coordinate of each body by itself, anywhere within the frame."""
    found = []
    for box in boxes:
        low, high = EDGE - box[axis], 1 - EDGE - box[2 + axis]
        if low > high:
            raise NoRoom
        found.append(draft.uniform((low, high)))
    return found


def joined(axis: int, along: Sequence[float], across: Sequence[float]) -> np.ndarray:
    """Centers from coordinates along an axis and across it."""
    return np.stack([along, across] if axis == 0 else [across, along], axis=1)


def arrange_line(draft: Draft, place: Line, boxes: np.ndarray) -> np.ndarray:
    """In order along an axis, free across it."""
    axis = int(draft.number(place.axis))
    order = list(range(len(boxes)))
    if place.first is not None:
        others = order[1:]
        draft.rng.shuffle(others)
        order = others
        order.insert(int(draft.number(place.first)), 0)
    gap = max(GAP, TOLD)
    places = ordered(draft, boxes[order, axis].tolist(), boxes[order, 2 + axis].tolist(), (EDGE, 1 - EDGE), gap)
    along = [0.0] * len(order)
    for i, at in zip(order, places, strict=True):
        along[i] = at
    return joined(axis, along, free_across(draft, boxes, 1 - axis))


def arrange_sides(draft: Draft, place: Sides, boxes: np.ndarray) -> np.ndarray:
    """Two groups in two half images."""
    axis, side = int(draft.number(place.axis)), int(draft.number(place.side))
    group = [draft.cast.labels["group"][i] for i in draft.cast.roots]
    centers = np.empty((len(boxes), 2))
    for half in (0, 1):
        members = [i for i, one in enumerate(group) if (one ^ side) == half]
        region = FRAME.copy()
        region[axis + 2 * (1 - half)] = 0.5 + (STRIP / 2 if half else -STRIP / 2)
        centers[members] = scattered(draft, boxes[members], region)
    return centers


def arrange_columns(draft: Draft, place: Columns, boxes: np.ndarray) -> np.ndarray:
    """A column for each group, in order; members in order along it."""
    axis = int(draft.number(place.axis))
    group = draft.cast.labels["group"]
    columns = [[i for i, one in enumerate(group) if one == k] for k in range(max(group) + 1)]
    order = draft.number(place.order) if place.order else range(len(columns))
    columns = [columns[k] for k in order]
    lows = [min(boxes[column, axis]) for column in columns]
    highs = [max(boxes[column, 2 + axis]) for column in columns]
    centers = np.empty((len(boxes), 2))
    gap = max(GAP, min(0.06, 0.3 / len(columns)))
    for column, at in zip(columns, ordered(draft, lows, highs, (EDGE, 1 - EDGE), gap), strict=True):
        span = boxes[column, 1 - axis].tolist(), boxes[column, 3 - axis].tolist()
        centers[column, axis] = at
        centers[column, 1 - axis] = ordered(draft, *span, (EDGE, 1 - EDGE))
    return centers


def arrange_cells(draft: Draft, place: Cells, boxes: np.ndarray) -> np.ndarray:
    """At given centers."""
    return np.array(place.centers)


def arrange_config(draft: Draft, place: Config, boxes: np.ndarray) -> np.ndarray:
    """Positions of the problem, scaled to the extent and moved as one; sets have one each."""
    if not place.sets:
        return moved(draft, boxes, relative(draft, place, 0, range(len(boxes))) * draft.extent[0])
    label = draft.cast.labels["set"]
    centers = np.empty((len(boxes), 2))
    clusters, frames = [], []
    for k in (0, 1):
        members = [i for i, one in enumerate(label) if one == k]
        positions = relative(draft, place, k, members) * draft.extent[k]
        clusters.append((members, positions))
        frames.append(surround(boxes[members], positions))
    for (members, positions), center in zip(clusters, scattered(draft, np.array(frames)), strict=True):
        centers[members] = positions + center
    return centers


def relative(draft: Draft, place: Config, which: int, members: Sequence[int]) -> np.ndarray:
    """Positions in a unit box that leave the members apart at any extent, around its middle."""
    # sizes follow the extent, unless there are two sets: then members must be apart at the least extent
    least = place.extent[0] * place.ratio[0] if place.sets else draft.extent[which]
    known: np.ndarray = draft.shared("problem", "layout", which, lambda: new_layout(draft, members, least))
    if not place.other:
        return known
    for _ in range(TRIES):
        found = new_layout(draft, members, draft.extent[which])
        if layouts_differ(known, found, DIFFERENT / place.extent[0]):
            return found
    raise NoRoom


DIFFERENT = 0.085  # how far some object of another layout is from every object of the first


def layouts_differ(one: np.ndarray, other: np.ndarray, least: float) -> bool:
    """Whether some object of a layout has none of the other near it, both centered and brought to one size."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    scale = float(((other**2).sum() / (one**2).sum()) ** 0.25)
    gaps = one[:, None] * scale - other[None] / scale
    return bool(((gaps**2).sum(axis=2).min(axis=0) >= least * least).any())


def new_layout(draft: Draft, members: Sequence[int], extent: float) -> np.ndarray:
    """Positions of members in a unit box, apart even where they are turned, and about equally wide."""
    place = draft.scene.place
    turned = draft.scene.angle.pattern != "none" or getattr(place, "turned", False)
    sides = np.array([draft.size[i] for i in members]) / extent * (1.45 if turned else 1.02)
    boxes = np.stack([-sides / 2, -sides / 2, sides / 2, sides / 2], axis=1)
    centers = np.empty((len(sides), 2))
    for _ in range(TRIES):
        if not kernels.scatter(boxes, UNIT, GAP / extent, TRIES, draft.rng.state, centers):
            raise NoRoom
        middle = centers - centers.mean(axis=0)
        if isinstance(place, Copied) or WIDE[0] <= np.sqrt((middle**2).sum() / len(middle)) <= WIDE[1]:
            break
    centers -= 0.5
    if getattr(place, "sets", False):  # how wide a set is spread is its extent, and nothing else
        centers *= (1 - sides[0]) / np.ptp(centers, axis=0).max()
    return centers


UNIT = np.array([0.0, 0.0, 1.0, 1.0])
WIDE = (0.31, 0.36)  # root mean square distance of a layout's objects from their middle, so that it says little


def surround(boxes: np.ndarray, positions: np.ndarray) -> list[float]:
    """The box of several bodies at positions."""
    low, high = (boxes[:, :2] + positions).min(axis=0), (boxes[:, 2:] + positions).max(axis=0)
    return [*low.tolist(), *high.tolist()]


def fits(box: Box) -> bool:
    """Whether a box is no larger than the frame."""
    return max(box[2] - box[0], box[3] - box[1]) <= 1 - 2 * EDGE


def moved(draft: Draft, boxes: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Positions moved together to anywhere within the frame."""
    together: np.ndarray = positions + scattered(draft, np.array([surround(boxes, positions)]))
    return together


def arrange_copied(draft: Draft, place: Copied, boxes: np.ndarray) -> np.ndarray:
    """The second set as the first, moved and perhaps turned; or by itself in the odd image."""
    label = draft.cast.labels["set"]
    members = [[i for i, one in enumerate(label) if one == k] for k in (0, 1)]
    first = new_layout(draft, members[0], draft.extent[0])
    second = first
    if place.other:
        second = unlike_layout(draft, members[1], first)
    if place.turned:
        c, s = cos_sin(draft.values["turn"])
        second = second @ np.array([[c, s], [-s, c]])
    positions = [first * draft.extent[0], second * draft.extent[0]]
    frames = np.array([surround(boxes[members[k]], positions[k]) for k in (0, 1)])
    centers = np.empty((len(boxes), 2))
    for k, center in enumerate(scattered(draft, frames)):
        centers[members[k]] = positions[k] + center
    if place.other and not place.turned and any(halves_agree(centers, axis) for axis in (0, 1)):
        raise NoRoom
    return centers


def halves_agree(centers: np.ndarray, axis: int) -> bool:
    """Whether the first and the last half of all objects along an axis are arranged much alike."""
    order = centers[:, axis].argsort()
    half = len(order) // 2
    return not layouts_differ(centers[order[:half]], centers[order[half:]], DIFFERENT)


def unlike_layout(draft: Draft, members: Sequence[int], first: np.ndarray) -> np.ndarray:
    """A layout that is not the first."""
    for _ in range(TRIES):
        found = new_layout(draft, members, draft.extent[0])
        if layouts_differ(first, found, DIFFERENT / draft.extent[0]):
            return found
    raise NoRoom


OFF_LINE, OFF_ROW = 0.08, 0.025  # how far other objects are from the line, and from any row of three


def arrange_oblique(draft: Draft, place: Oblique, boxes: np.ndarray) -> np.ndarray:
    """The first k on a slanted line, the others clear of it."""
    k = int(draft.number(place.k))
    for _ in range(TRIES):
        slope = draft.uniform((20, 70)) + 90 * draft.rng.below(2)
        c, s = cos_sin(slope)
        reach = boxes[:k, 2:].max() * 1.45
        along = ordered(draft, [-reach] * k, [reach] * k, (0.0, draft.uniform((0.75, 1.2))), 0.01)
        line = np.array([(c * at, s * at) for at in along])
        frame = np.array([surround(boxes[:k], line - line.mean(axis=0))])
        centers = np.empty((len(boxes), 2))
        if not kernels.scatter(frame, FRAME, 0.0, 1, draft.rng.state, centers[:1]):
            continue
        centers[:k] = line - line.mean(axis=0) + centers[0]
        if kernels.strew(boxes, k, c, s, OFF_LINE, OFF_ROW, GAP, EDGE, TRIES, draft.rng.state, centers):
            return centers
    raise NoRoom


def arrange_couples(draft: Draft, place: Couples, boxes: np.ndarray) -> np.ndarray:
    """Pairs in two rows with a near and a far one, or near pairs at cells."""
    if place.rows:
        return arrange_rows(draft, place, boxes)
    count = len(boxes) // 2
    cells = draft.shared("problem", "cells", 0, lambda: tuple(_chosen(draft, 4, count)))
    directions = [
        draft.shared("image" if place.free else "problem", "direction", k, lambda: 45 * draft.rng.below(4))
        for k in range(count)
    ]
    order = _chosen(draft, count, count)
    centers = np.empty((len(boxes), 2))
    for k in range(count):
        cell = cells[order[k]]
        c, s = cos_sin(float(directions[order[k]]))
        apart = ((draft.size[2 * k] + draft.size[2 * k + 1]) / 2 + NEIGHBORS) / max(abs(c), abs(s))
        half = np.array([c, s]) * (apart / 2 if draft.rng.below(2) else -apart / 2)
        middle = np.array([0.25 + 0.5 * (cell % 2), 0.25 + 0.5 * (cell // 2)])
        centers[2 * k], centers[2 * k + 1] = middle - half, middle + half
    return centers


NEIGHBORS = 1.2 * GAP  # between the boxes of two neighbors


def _chosen(draft: Draft, n: int, count: int) -> list[int]:
    order = list(range(n))
    draft.rng.shuffle(order)
    return order[:count]


def arrange_rows(draft: Draft, place: Couples, boxes: np.ndarray) -> np.ndarray:
    """Two rows of two, those of one row nearer to each other."""
    axis, near = int(draft.number(place.axis)), int(draft.number(place.near))
    least = max(float(boxes[2 * k, 2 + axis] - boxes[2 * k + 1, axis]) for k in (0, 1)) + GAP
    close = draft.uniform((least, max(least, 0.55)))
    far = draft.uniform((close + 0.08, 0.72))
    if far < close + 0.08:
        raise NoRoom
    rows = ordered(
        draft,
        [float(min(boxes[2 * k, 1 - axis], boxes[2 * k + 1, 1 - axis])) for k in (0, 1)],
        [float(max(boxes[2 * k, 3 - axis], boxes[2 * k + 1, 3 - axis])) for k in (0, 1)],
        (EDGE, 1 - EDGE),
        TOLD,
    )
    centers = np.empty((4, 2))
    for k, row in enumerate(rows):
        length = close if k == near else far
        low, high = EDGE - boxes[2 * k, axis], 1 - EDGE - boxes[2 * k + 1, 2 + axis] - length
        if low > high:
            raise NoRoom
        start = draft.uniform((low, high))
        centers[2 * k, axis], centers[2 * k + 1, axis] = start, start + length
        centers[2 * k : 2 * k + 2, 1 - axis] = row
    return centers


def arrange_mirror(draft: Draft, place: Mirror, boxes: np.ndarray) -> np.ndarray:
    """Pairs on both sides of a line."""
    if place.axis in ("middle", "either"):
        return arrange_mirrored_rows(draft, place, boxes)
    if place.broken:
        return unsymmetric(draft, boxes)
    c, s = cos_sin(draft.values["line"] + (0.0 if place.axis == "joining" else 90.0))
    support = float(max(abs(boxes).max(axis=1)))
    for _ in range(TRIES):
        half = draft.uniform((support * 0.7, 0.45))
        positions = np.array([(-c * half, -s * half), (c * half, s * half)])
        if kernels.separate(boxes, positions, len(boxes), GAP) and fits(surround(boxes, positions)):
            return moved(draft, boxes, positions)
    raise NoRoom


MISPLACED = 0.08  # how far from its place an object is that is not where it belongs


def unsymmetric(draft: Draft, boxes: np.ndarray) -> np.ndarray:
    """Two objects, the line between which is not upright on the axis."""
    c, s = cos_sin(draft.values["line"])
    for _ in range(TRIES):
        centers = scattered(draft, boxes)
        if abs((centers[1] - centers[0]) @ (c, s)) >= MISPLACED:
            return centers
    raise NoRoom


def unturned(draft: Draft, boxes: np.ndarray) -> np.ndarray:
    """A marker and two objects, the second not where the first goes when turned about it."""
    c, s = cos_sin(draft.values["turns"][0])
    for _ in range(TRIES):
        centers = scattered(draft, boxes)
        x, y = centers[1] - centers[0]
        off = centers[2] - centers[0] - (c * x - s * y, s * x + c * y)
        if off @ off >= MISPLACED**2:
            return centers
    raise NoRoom


def arrange_mirrored_rows(draft: Draft, place: Mirror, boxes: np.ndarray) -> np.ndarray:
    """Pairs in rows across the middle line, in any order; their distance from it follows their size."""
    axis = 0 if draft.values["line"] == 90 else 1  # the coordinate in which pairs are mirrored
    roots = [i for i in range(len(draft.cast)) if draft.cast.parent[i] == NONE]
    count = len(roots) // 2
    order = _chosen(draft, count, count)
    low = [float(min(boxes[2 * k, 1 - axis], boxes[2 * k + 1, 1 - axis])) for k in order]
    high = [float(max(boxes[2 * k, 3 - axis], boxes[2 * k + 1, 3 - axis])) for k in order]
    rows = ordered(draft, low, high, (EDGE, 1 - EDGE))
    distances = line_distances(draft, place, [draft.size[roots[2 * k]] for k in range(count)])
    centers = np.empty((len(boxes), 2))
    for k, row in zip(order, rows, strict=True):
        centers[2 * k, axis], centers[2 * k + 1, axis] = 0.5 - distances[k], 0.5 + distances[k]
        centers[2 * k : 2 * k + 2, 1 - axis] = row
        for i in (2 * k, 2 * k + 1):
            inner = abs(boxes[i, axis if i % 2 else 2 + axis])  # towards the line
            outer = abs(boxes[i, 2 + axis if i % 2 else axis])
            if inner + GAP / 2 > distances[k] or outer + EDGE > 0.5 - distances[k]:
                raise NoRoom
    return centers


def line_distances(draft: Draft, place: Mirror | Orbit, sizes: list[float]) -> list[float]:
    """Distances that are linear in size, shuffled among the pairs in the odd image; or free."""
    reach = max(sizes) * (0.72 if isinstance(place, Orbit) else 0.5)  # turned or not
    low, high = reach + GAP, 0.5 - reach - EDGE
    if high - low < 0.1:
        raise NoRoom
    if place.distance == "free":
        return [draft.uniform((low, high)) for _ in sizes]
    near = draft.uniform((low, low + 0.3 * (high - low)))
    far = draft.uniform((high - 0.3 * (high - low), high))
    smallest, largest = min(sizes), max(sizes)
    share = [(size - smallest) / (largest - smallest) for size in sizes]
    distances = [near + (far - near) * one for one in share]
    if place.distance == "shuffled":
        return shuffled_distances(draft, distances)
    return distances


def shuffled_distances(draft: Draft, distances: list[float]) -> list[float]:
    """The same distances, at least one far from where it belongs."""
    mixed = list(distances)
    while max(abs(a - b) for a, b in zip(mixed, distances, strict=True)) < 0.06:
        draft.rng.shuffle(mixed)
    return mixed


def arrange_orbit(draft: Draft, place: Orbit, boxes: np.ndarray) -> np.ndarray:
    """Pairs turned about a marker, or about the middle."""
    if place.broken:
        return unturned(draft, boxes)
    if place.about == "marker":
        return arrange_about_marker(draft, boxes)
    radii = line_distances(draft, place, [draft.size[first] for first, _ in couples(draft)])
    centers = np.empty((len(boxes), 2))
    turns = np.array(draft.values["turns"])
    if not kernels.ring(boxes, np.array(radii), turns, GAP, 100 * TRIES, draft.rng.state, centers):
        raise NoRoom
    return centers


def arrange_about_marker(draft: Draft, boxes: np.ndarray) -> np.ndarray:
    """Marker and two objects, the second where the first goes when turned."""
    turn = draft.values["turns"][0]
    for _ in range(TRIES):
        begin, radius = 360 * draft.rng.uniform(), draft.uniform((0.12, 0.5))
        positions = np.zeros((3, 2))
        for i, angle in ((1, begin), (2, begin + turn)):
            c, s = cos_sin(angle)
            positions[i] = radius * c, radius * s
        if kernels.separate(boxes, positions, len(boxes), GAP) and fits(surround(boxes, positions)):
            return moved(draft, boxes, positions)
    raise NoRoom


def arrange_motifs(draft: Draft, place: Motifs, boxes: np.ndarray) -> np.ndarray:
    """Anywhere, apart."""
    return scattered(draft, boxes)


ARRANGEMENTS: dict[type[Any], Callable[..., np.ndarray]] = {
    Scatter: arrange_scatter,
    Fixed: arrange_fixed,
    Line: arrange_line,
    Sides: arrange_sides,
    Columns: arrange_columns,
    Cells: arrange_cells,
    Config: arrange_config,
    Copied: arrange_copied,
    Oblique: arrange_oblique,
    Couples: arrange_couples,
    Mirror: arrange_mirror,
    Orbit: arrange_orbit,
    Motifs: arrange_motifs,
}
