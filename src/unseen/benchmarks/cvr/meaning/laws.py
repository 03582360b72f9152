"""What a rule says of one image: statements, which hold or do not, and values, which three images share.

A statement returns True, False, or None where the image lies between; a value is anything that can be compared.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, pairwise, permutations
from math import atan2, cos, degrees, log, radians, sin

import numpy as np

from unseen.benchmarks.cvr.meaning.margins import (
    LAYOUT,
    POSE,
    PX,
    SIZE,
    TURN,
    Floats,
    Margin,
    Truth,
    Undecided,
    circular,
    every,
    some,
)
from unseen.benchmarks.cvr.meaning.properties import PROPERTIES, same
from unseen.benchmarks.cvr.meaning.seen import AXES, Integers, Motion, Seen

CLEAR = 0.03  # two centers are in a clear order on an axis when they differ by this
WIDER = log(1.2)  # of two extents the one is clearly the wider
CLOSER = 0.05  # of two distances the one is clearly the shorter
OFF_CENTER = 0.1  # of the container's size: what lies inside is clearly at one side, or along one axis
LINEAR = Margin(PX, 0.03)  # the object farthest off a straight line of distance over size
STRAIGHT, BENT = PX, 3 * PX  # centers in a row are so near its line; all others are so far from it
SENSE = 10  # degrees: turns nearer than this to none, or to half a circle, go neither way


def no(truth: Truth) -> Truth:
    """Turn a truth into its opposite; what is undecided remains so."""
    return None if truth is None else not truth


# Numbers and groups


def objects(seen: Seen) -> int:
    """Tell how many objects there are."""
    return seen.count


def parity(seen: Seen) -> int:
    """Return 0 for an even number of objects, and 1 for an odd one."""
    return seen.count % 2


def filled(seen: Seen) -> int:
    """Tell how many objects contain another."""
    return int(seen.filled.sum())


def kinds(name: str, seen: Seen) -> int:
    """Tell how many different values of a property there are."""
    return len(tally(name, seen))


def tally(name: str, seen: Seen) -> tuple[int, ...]:
    """Tell how many objects share each value of a property, the most common first."""
    return tuple(sorted(Counter(PROPERTIES[name].classes([seen])[0].tolist()).values(), reverse=True))


def has_tally(name: str, counts: tuple[int, ...], seen: Seen) -> bool:
    """Tell whether the values of a property are shared by exactly these numbers of objects."""
    return tally(name, seen) == counts


def no_singles(name: str, seen: Seen) -> bool:
    """Tell whether every object shares its value of a property with another."""
    return min(tally(name, seen)) > 1


def all_same(name: str, seen: Seen) -> Truth:
    """Tell whether all objects are equal in a property."""
    alike = same(name, seen)
    return every(alike(i, j) for i, j in combinations(range(seen.count), 2))


def same_when_same(name: str, other: str, seen: Seen) -> Truth:
    """Tell whether two objects are equal in one property exactly when they are equal in the other."""
    one, two = same(name, seen), same(other, seen)
    return every(
        truth
        for i, j in combinations(range(seen.count), 2)
        for truth in (some([no(one(i, j)), two(i, j)]), some([one(i, j), no(two(i, j))]))
    )


def different_when_same(name: str, other: str, seen: Seen) -> Truth:
    """Tell whether objects that are equal in one property always differ in the other."""
    one, two = same(name, seen), same(other, seen)
    return every(some([no(one(i, j)), no(two(i, j))]) for i, j in combinations(range(seen.count), 2))


# Insideness


def bodies(seen: Seen) -> str:
    """Tell who contains and who touches whom, sorted: `o` an object, `( )` contains, `-` touches, a space is apart."""

    def body(i: int) -> str:
        inner = group(seen.children(i))
        return f"o({inner})" if inner else "o"

    def group(members: Integers) -> str:
        clumps = [members[seen.clumps[members] == clump] for clump in np.unique(seen.clumps[members])]
        return " ".join(sorted("-".join(sorted(body(int(i)) for i in clump)) for clump in clumps))

    return group(seen.top)


def arranged(allowed: tuple[str, ...], seen: Seen) -> bool:
    """Tell whether containment and contact are one of those given, as `bodies` writes them."""
    return bodies(seen) in allowed


def one_contains_all(seen: Seen) -> bool:
    """Tell whether one object contains all others, side by side."""
    return bodies(seen) == f"o({' '.join(['o'] * (seen.count - 1))})"


def families(seen: Seen) -> list[tuple[int, int]]:
    """Return each contained object with its innermost container, which comes first."""
    pairs = [(int(seen.parent[i]), int(i)) for i in np.flatnonzero(seen.depth)]
    if not pairs:
        raise Undecided("no object contains another")
    return pairs


def like_container(name: str, seen: Seen) -> Truth:
    """Tell whether what lies inside equals its container in a property."""
    alike = same(name, seen)
    return every(alike(outer, inner) for outer, inner in families(seen))


def mirrors_container(seen: Seen) -> Truth:
    """Tell whether what lies inside is of its container's shape, mirrored."""
    alike = same("shape", seen)
    return every(
        truth for outer, inner in families(seen) for truth in (alike(outer, inner), seen.motion(outer, inner).mirrored)
    )


def inner_side(axis: str, seen: Seen) -> int:
    """Tell which end of the axis the contained object lies at: -1 or 1."""
    ((outer, inner),) = families(seen)
    offset = (seen.centers[inner] - seen.centers[outer])[AXES[axis]] / seen.objects[outer].size
    if abs(offset) < OFF_CENTER:
        raise Undecided(f"what lies inside is at neither end of the {axis} axis")
    return int(np.sign(offset))


def inner_direction(seen: Seen) -> str:
    """Return the axis along which two objects lie inside a third."""
    (outer, one), (_, other) = families(seen)
    x, y = abs(seen.centers[one] - seen.centers[other]) / seen.objects[outer].size
    if abs(x - y) < OFF_CENTER:
        raise Undecided("the two objects inside lie along neither axis")
    return "x" if x > y else "y"


# Sides, orders, rows and columns


def second_side(axis: str, seen: Seen) -> Integers:
    """Of the objects that nothing contains: 1 where wholly in the right or lower half, 0 in the other."""
    low, high = seen.boxes[seen.top, 0, AXES[axis]], seen.boxes[seen.top, 1, AXES[axis]]
    if ((low < 0.5) & (high > 0.5)).any():
        raise Undecided(f"an object lies in both halves of the {axis} axis")
    return np.asarray(low >= 0.5, dtype=np.intp)


def fuller_side(axis: str, seen: Seen) -> int:
    """Tell which half of the image has more objects: -1 for left or top, 1 for the other."""
    second = second_side(axis, seen)
    if 2 * second.sum() == len(second):
        raise Undecided("both halves have as many objects")
    return int(np.sign(2 * second.sum() - len(second)))


def filled_side(axis: str, seen: Seen) -> int:
    """Return the half in which all objects, and no others, contain another; both halves have objects."""
    second = second_side(axis, seen).astype(bool)
    for side in (0, 1):
        if 0 < second.sum() < len(second) and np.array_equal(seen.filled[seen.top], second == bool(side)):
            return side
    raise Undecided(f"the filled objects are not just those of one half of the {axis} axis")


def rank_of(pick: str, axis: str, seen: Seen) -> int:
    """Of the first, middle or last object across an axis (for x: the highest, the lowest): its rank on the axis."""
    along, across = seen.centers[:, AXES[axis]], seen.centers[:, 1 - AXES[axis]]
    if pick == "middle" and seen.count % 2 == 0:
        raise Undecided("an even number of objects has no middle one")
    chosen = np.argsort(across)[{"first": 0, "middle": seen.count // 2, "last": -1}[pick]]
    others = np.arange(seen.count) != chosen
    if min(abs(across[others] - across[chosen]).min(), abs(along[others] - along[chosen]).min()) < CLEAR:
        raise Undecided("the object chosen is hardly before or after another")
    return int((along[others] < along[chosen]).sum())


def closer_row(axis: str, seen: Seen) -> int:
    """Tell which of two couples, one wholly before the other on the axis, is closer together."""
    first, second = (seen.centers[half] for half in split_in_half(axis, seen))
    difference = np.hypot(*(first[0] - first[1])) - np.hypot(*(second[0] - second[1]))
    if abs(difference) < CLOSER:
        raise Undecided("the two couples are about as close together")
    return int(difference > 0)


def split_in_half(axis: str, seen: Seen) -> tuple[Integers, Integers]:
    """Return two halves of the objects, the one wholly before the other on the axis."""
    order = np.argsort(seen.boxes[:, 0, AXES[axis]])
    first, second = order[: seen.count // 2], order[seen.count // 2 :]
    if seen.boxes[first, 1, AXES[axis]].max() >= seen.boxes[second, 0, AXES[axis]].min():
        raise Undecided(f"no gap halves the objects on the {axis} axis")
    return first, second


def lines(axis: str, least: int, seen: Seen) -> list[int]:
    """Tell how many objects each column has (rows for `y`), in order: no gap within, aligned, at least so many."""
    low, high = seen.boxes[:, :, AXES[axis]].T
    order = np.argsort(low)
    starts = np.flatnonzero(low[order][1:] > np.maximum.accumulate(high[order])[:-1]) + 1
    columns = np.split(order, starts)
    for column in columns:
        if len(column) < least or np.ptp(seen.centers[column, AXES[axis]]) > seen.numbers("size")[column].min() / 2:
            raise Undecided(f"the objects are not in clear lines across the {axis} axis")
    return [len(column) for column in columns]


def line_count(axis: str, seen: Seen) -> int:
    """Tell how many columns there are (rows for `y`)."""
    return len(lines(axis, 2, seen))


def sums_up(column: int, seen: Seen) -> bool:
    """Tell whether of three columns the given one has as many objects as the other two together."""
    counts = lines("x", 1, seen)
    if len(counts) != 3:
        raise Undecided("there are not three columns")
    return 2 * counts[column] == sum(counts)


def longest_row(seen: Seen) -> int:
    """Return the most objects whose centers are in a straight line, of any slope."""
    first, second = (seen.centers[list(ends)] for ends in zip(*combinations(range(seen.count), 2), strict=True))
    along = second - first
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    off = abs(((seen.centers[None] - first[:, None]) * normals[:, None]).sum(axis=2))
    longest, loosely = ((off < width).sum(axis=1).max() for width in (STRAIGHT, BENT))
    if longest != loosely:
        raise Undecided("an object is almost in line with a row")
    return int(longest)


# Arrangements


@cache
def _orders(count: int) -> Integers:
    return np.array(list(permutations(range(count))))


def layout_distance(one: Floats, other: Floats) -> float:
    """Tell how far off the farthest object is when two arrangements, brought to one size, are best laid on each other.

    Places (n, 2) in any order; 1 where their numbers differ.
    """
    if len(one) != len(other):
        return 1.0
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    radius, other_radius = (np.sqrt((places**2).sum(axis=1).mean()) for places in (one, other))
    scale = np.sqrt(other_radius / radius)
    apart = np.hypot(*(one[:, None] * scale - other[None] / scale).transpose(2, 0, 1))
    orders = _orders(len(one))
    return float(apart[np.arange(len(one)), orders].max(axis=1).min())


def places(seen: Seen) -> Floats:
    """Return the centers of the objects."""
    return seen.centers


def repeats_layout(seen: Seen) -> Truth:
    """Tell whether the objects are two sets, with a gap between, in the same arrangement."""
    return some(LAYOUT.same(layout_distance(seen.centers[one], seen.centers[other])) for one, other in halves(seen))


def repeats_turned_layout(seen: Seen) -> Truth:
    """Tell whether the objects are two sets in the same arrangement, the second turned as a whole, objects included."""

    def turned(one: Integers, other: Integers) -> Truth:
        turns = seen.numbers("angle")
        turn = turns[other[0]] - turns[one[0]]
        together = every(
            TURN.same(circular(turns[i], turns[half[0]], period=360)) for half in (one, other) for i in half
        )
        return every([together, LAYOUT.same(layout_distance(rotated(seen.centers[one], turn), seen.centers[other]))])

    return some(turned(one, other) for one, other in halves(seen))


def halves(seen: Seen) -> list[tuple[Integers, Integers]]:
    """Return the ways in which a gap along an axis divides the objects into two sets of as many."""
    found = []
    for axis in AXES:
        try:
            found.append(split_in_half(axis, seen))
        except Undecided:
            continue
    if not found:
        raise Undecided("no gap divides the objects into two sets")
    return found


def rotated(points: Floats, turn: float) -> Floats:
    """Points turned about the origin, clockwise as seen, by degrees."""
    c, s = cos(radians(turn)), sin(radians(turn))
    return np.asarray(points @ np.array([[c, s], [-s, c]]))


def wider_shape(seen: Seen) -> int:
    """Return the shape of that of two sets, of one shape each, which is spread wider."""
    labels = PROPERTIES["shape"].classes([seen])[0]
    sets = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    if len(sets) != 2:
        raise Undecided("the objects are not of two shapes")
    one, other = (log(np.ptp(seen.centers[members], axis=0).max()) for members in sets)
    if abs(one - other) < WIDER:
        raise Undecided("the two sets are spread about as wide")
    return int(seen.objects[sets[int(one < other)][0]].shape)


# Sizes


def half_size(seen: Seen) -> Truth:
    """Tell whether of two objects the one is half the size of the other."""
    one, other = np.log(seen.numbers("size"))
    return SIZE.same(abs(abs(one - other) - log(2)))


def size_permutation(seen: Seen) -> tuple[int, ...]:
    """Of couples in rows: the rank of the right one's size, from the smallest left one to the largest."""
    left, right = split_in_half("x", seen)
    left, right = (side[np.argsort(seen.centers[side, 1])] for side in (left, right))
    return tuple(size_order(right, seen)[np.argsort(size_order(left, seen))].tolist())


def size_order(members: Integers, seen: Seen) -> Integers:
    """Return the rank of each one's size among some objects that all differ in size."""
    sizes = np.log(seen.numbers("size")[members])
    if np.diff(np.sort(sizes)).min() < SIZE.different:
        raise Undecided("two sizes are neither equal nor clearly different")
    return np.argsort(np.argsort(sizes))


COUPLINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))  # the ways to make couples of four


def couple_sizes(coupling: int, seen: Seen) -> tuple[bool, ...]:
    """Of four shapes in two couples: whether the first of each is the smaller one."""
    if kinds("shape", seen) != 4:
        raise Undecided("the objects are not of four shapes")
    members = np.argsort([one.shape for one in seen.objects])
    sizes = np.log(seen.numbers("size")[members])
    differences = [sizes[j] - sizes[i] for i, j in COUPLINGS[coupling]]
    if min(abs(difference) for difference in differences) < SIZE.different:
        raise Undecided("the shapes of a couple are about as large")
    return tuple(bool(difference > 0) for difference in differences)


def couples_agree(coupling: int, seen: Seen) -> bool:
    """Tell whether the first is the smaller one in both couples or in neither."""
    one, other = couple_sizes(coupling, seen)
    return one == other


# Motions: how one object becomes another of its shape


def pair(seen: Seen) -> tuple[int, int, Motion]:
    """Return the two objects of an image, and how the first becomes the second."""
    if seen.count != 2:
        raise Undecided("there are not two objects")
    return 0, 1, seen.motion(0, 1)


def twins_mirrored(seen: Seen) -> Truth:
    """Tell whether the two objects are of one shape, the one mirrored."""
    one, other, motion = pair(seen)
    return every([same("shape", seen)(one, other), motion.mirrored])


def turn_between(seen: Seen) -> float:
    """By how many degrees two objects of one shape are turned against each other, 0 to 180."""
    one, other, motion = pair(seen)
    if not same("shape", seen)(one, other) or motion.mirrored:
        raise Undecided("the two objects are not turned copies of each other")
    return abs(motion.turn)


def reflection(seen: Seen) -> Truth:
    """Tell whether the two objects are mirror images of each other across some line."""
    one, other, motion = pair(seen)
    along = seen.centers[other] - seen.centers[one]
    glide = abs(along @ direction(motion.axis))
    return every([same("shape", seen)(one, other), same("size", seen)(one, other), motion.mirrored, POSE.same(glide)])


def reflection_axis(seen: Seen) -> float:
    """Return the direction of the line across which the two objects are mirror images."""
    if not reflection(seen):
        raise Undecided("the two objects are not mirror images of each other")
    return pair(seen)[2].axis


def direction(angle: float) -> Floats:
    """Return the unit vector of an angle in degrees, clockwise from the right."""
    return np.array([cos(radians(angle)), sin(radians(angle))])


def bearing(vector: Floats) -> float:
    """Return the angle of a vector in degrees."""
    return degrees(atan2(vector[1], vector[0]))


def mirrored_across_joining_line(seen: Seen) -> Truth:
    """Tell whether the two objects are of one shape, mirrored across the line through both."""
    one, other, motion = pair(seen)
    off = circular(motion.axis, bearing(seen.centers[other] - seen.centers[one]), period=180)
    return every([same("shape", seen)(one, other), motion.mirrored, TURN.same(off)])


def contact_direction(seen: Seen) -> float:
    """Return the direction of the line through the centers of two objects in contact, modulo 180."""
    if not arranged(("o-o",), seen):
        raise Undecided("the image is not of two objects in contact")
    return bearing(seen.centers[1] - seen.centers[0]) % 180


def turned_about(seen: Seen, marker: int, one: int, other: int) -> Truth:
    """Tell whether one object becomes the other by a turn about a third."""
    motion = seen.motion(one, other)
    away, there = seen.centers[one] - seen.centers[marker], seen.centers[other] - seen.centers[marker]
    off = np.hypot(*(rotated(away, motion.turn) - there))
    alike = (same(name, seen)(one, other) for name in ("shape", "size"))
    return every([not motion.mirrored, POSE.same(off), *alike])


def orbits(seen: Seen) -> list[tuple[int, int, int]]:
    """Return the ways to call one of three objects the marker of the other two."""
    if seen.count != 3:
        raise Undecided("there are not three objects")
    return [(0, 1, 2), (1, 0, 2), (2, 0, 1)]


def quarter_turn(seen: Seen) -> Truth:
    """Tell whether of three objects one is the center of a turn by 90 degrees that takes another to the third."""
    return some(
        every([TURN.same(abs(abs(seen.motion(one, other).turn) - 90)), turned_about(seen, marker, one, other)])
        for marker, one, other in orbits(seen)
    )


def orbit_turn(seen: Seen) -> float:
    """Return the turn about one of three objects that takes another to the third, 0 to 180 degrees."""
    turns = [abs(seen.motion(one, other).turn) for m, one, other in orbits(seen) if turned_about(seen, m, one, other)]
    if len(turns) != 1:
        raise Undecided("not just one object is the center of a turn that takes another to the third")
    return turns[0]


def fillings(seen: Seen) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two containers of an image, and what lies inside each."""
    pairs = families(seen)
    if len(pairs) != 2 or len(seen.top) != 2:
        raise Undecided("there are not two objects that contain one each")
    (one, its), (other, their) = pairs
    return (one, other), (its, their)


def turned_with_content(seen: Seen) -> Truth:
    """Tell whether one container becomes the other by the turn that takes the one's content to the other's."""
    outer, inner = fillings(seen)
    alike = same("shape", seen)
    motions = [seen.motion(*outer), seen.motion(*inner)]
    off = circular(motions[0].turn, motions[1].turn, period=360)
    return every([alike(*outer), alike(*inner), TURN.same(off), *(not motion.mirrored for motion in motions)])


def mirrored_with_content(seen: Seen) -> Truth:
    """Tell whether both a container and its content become the others when mirrored, across one direction."""
    outer, inner = fillings(seen)
    alike = same("shape", seen)
    motions = [seen.motion(*outer), seen.motion(*inner)]
    off = circular(motions[0].axis, motions[1].axis, period=180)
    return every([alike(*outer), alike(*inner), TURN.same(off), *(motion.mirrored for motion in motions)])


def same_turn_mirrored_rows(seen: Seen) -> Truth:
    """Of 2 x 2 objects of one shape: the right ones are the left ones under one turn, the lower ones are mirrored."""
    top, bottom = split_in_half("y", seen)
    (a, b), (c, d) = (half[np.argsort(seen.centers[half, 0])] for half in (top, bottom))
    upper, lower = seen.motion(a, b), seen.motion(c, d)
    off = circular(upper.turn, lower.turn, period=360)
    return every(
        [
            all_same("shape", seen),
            not upper.mirrored,
            not lower.mirrored,
            seen.motion(a, c).mirrored,
            TURN.same(off),
        ]
    )


def sense(turns: list[float]) -> int:
    """Return 1 for equal clockwise turns, -1 for equal turns the other way, 0 for turns that are clearly unequal."""
    alike = every(TURN.same(circular(turn, turns[0], period=360)) for turn in turns)
    if alike is None or (alike and not SENSE < abs(turns[0]) < 180 - SENSE):
        raise Undecided("the turns are neither clearly equal and one way nor clearly unequal")
    return int(np.sign(turns[0])) if alike else 0


def turns_along(order: Integers, seen: Seen) -> list[float]:
    """Return the turn from each object to the next, of objects of one shape."""
    motions = [seen.motion(i, j) for i, j in pairwise(order)]
    if not all_same("shape", seen) or any(motion.mirrored for motion in motions):
        raise Undecided("the objects are not turned copies of one shape")
    return [motion.turn for motion in motions]


def sense_by_size(seen: Seen) -> int:
    """Tell which way the objects turn, by equal steps, from the largest to the smallest."""
    order = size_order(np.arange(seen.count), seen)
    return sense(turns_along(np.argsort(-order), seen))


def sense_along(axis: str, seen: Seen) -> int:
    """Tell which way the objects turn, by equal steps, along an axis; 0 where the steps are unequal."""
    return sense(turns_along(seen.order(axis), seen))


def flips_along(axis: str, seen: Seen) -> tuple[bool, bool]:
    """Of three objects on an axis: whether the first and the last are mirrored against the middle one."""
    first, middle, last = seen.order(axis)
    if not all_same("shape", seen):
        raise Undecided("the objects are not of one shape")
    return seen.motion(middle, first).mirrored, seen.motion(middle, last).mirrored


FLIPS = {0: "left to right", 180: "top to bottom"}


def flips_by_size(seen: Seen) -> tuple[str, str]:
    """Of three objects: how the largest and the smallest are mirrored against the middle one, in its own frame."""
    small, middle, large = np.argsort(size_order(np.arange(seen.count), seen))
    if not all_same("shape", seen):
        raise Undecided("the objects are not of one shape")

    def flip(i: int) -> str:
        off = (seen.objects[i].angle - seen.objects[middle].angle) % 360
        for turn, name in FLIPS.items():
            if seen.motion(middle, i).mirrored and TURN.same(circular(off, turn, period=360)):
                return name
        raise Undecided("an object is mirrored neither left to right nor top to bottom against the middle one")

    return flip(large), flip(small)


# Symmetric scenes


def mirror_partners(axis: str, seen: Seen) -> dict[tuple[int, int], Truth]:
    """Tell which objects that nothing contains mirror each other across the line that halves the scene on an axis."""
    line = direction(90 if axis == "x" else 0)
    alike = [same(name, seen) for name in ("shape", "size")]
    return {
        (i, j): every(
            [
                at_mirror_places(axis, seen, i, j),
                seen.motion(i, j).mirrored,
                TURN.same(circular(seen.motion(i, j).axis, bearing(line), period=180)),
                *(truth(i, j) for truth in alike),
            ]
        )
        for i, j in combinations(seen.top.tolist(), 2)
    }


def at_mirror_places(axis: str, seen: Seen, i: int, j: int) -> Truth:
    """Tell whether two objects are at mirrored places across the line that halves the scene on an axis."""
    mirrored = seen.centers[i].copy()
    mirrored[AXES[axis]] = 2 * middle(axis, seen) - mirrored[AXES[axis]]
    return POSE.same(float(np.hypot(*(mirrored - seen.centers[j]))))


def middle(axis: str, seen: Seen) -> float:
    """Find the place on an axis of the line that would halve the scene."""
    return float(seen.centers[seen.top, AXES[axis]].mean())


def orbit_partners(seen: Seen) -> dict[tuple[int, int], Truth]:
    """Tell which objects become each other by a turn about the marker, the smallest object."""
    marker = int(seen.numbers("size").argmin())
    others = [i for i in range(seen.count) if i != marker]
    return {(i, j): turned_about(seen, marker, i, j) for i, j in combinations(others, 2)}


def paired(partners: dict[tuple[int, int], Truth]) -> Truth:
    """Tell whether every object has a partner."""
    members = {i for both in partners for i in both}
    return every(some(truth for both, truth in partners.items() if i in both) for i in members)


def grows_linearly(distances: Floats, sizes: Floats) -> Truth:
    """Tell whether the larger is the farther, on a straight line."""
    slope, offset = np.polyfit(sizes, distances, 1)
    return every([bool(slope > 0), LINEAR.same(abs(distances - slope * sizes - offset).max())])


def mirrored_by_size(axis: str, seen: Seen) -> Truth:
    """Tell whether the scene mirrors itself across a line on an axis, objects the farther from it the larger."""
    distances = abs(seen.centers[:, AXES[axis]] - middle(axis, seen))
    return every([paired(mirror_partners(axis, seen)), grows_linearly(distances, seen.numbers("size"))])


def orbiting_by_size(seen: Seen) -> Truth:
    """Tell whether all objects are couples turned about the marker, the farther from it the larger."""
    sizes = seen.numbers("size")
    others = np.arange(seen.count) != sizes.argmin()
    radii = np.hypot(*(seen.centers - seen.centers[~others][0])[others].T)
    return every([paired(orbit_partners(seen)), grows_linearly(radii, sizes[others])])


def mirrored_by_hue(axis: str, seen: Seen) -> Truth:
    """Tell whether each object has the hue of its mirror image across a line on an axis."""
    return couples_share_hue(mirror_partners(axis, seen), seen)


def orbiting_by_hue(seen: Seen) -> Truth:
    """Tell whether objects that become each other by a turn about the marker share their hue."""
    return couples_share_hue(orbit_partners(seen), seen)


def couples_share_hue(partners: dict[tuple[int, int], Truth], seen: Seen) -> Truth:
    """Tell whether partners share their hue; every object must have a partner."""
    if not paired(partners):
        raise Undecided("an object has no partner")
    couples = [both for both, truth in partners.items() if truth]
    colored = Seen(tuple(seen.objects[i] for both in couples for i in both), seen.shapes)
    alike = same("hue", colored)
    return every(alike(i, i + 1) for i in range(0, colored.count, 2))


def filled_where_mirrored(axis: str, seen: Seen) -> Truth:
    """Tell whether, of couples at mirrored places, the filled ones mirror each other and the empty ones do not."""
    mirrored = mirror_partners(axis, seen)
    couples = [both for both in mirrored if at_mirror_places(axis, seen, *both)]
    if len(couples) * 2 != len(seen.top):
        raise Undecided("an object has no counterpart at the mirrored place")
    return every(
        None if mirrored[i, j] is None else bool(seen.filled[i] == seen.filled[j] == mirrored[i, j]) for i, j in couples
    )
