"""Problems by hand, one of every rule: scenes that owe nothing to the sampler, and contours of their own."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from unseen.benchmarks.cvr.meaning.margins import PX
from unseen.benchmarks.cvr.meaning.seen import Seen, Shapes
from unseen.benchmarks.cvr.scene import Object


@cache
def blob(key):
    """A smooth outline of its own for every key, in a box of 1 x 1 around the origin."""
    rng = np.random.default_rng(key)
    turn = np.linspace(0, 2 * np.pi, 300, endpoint=False)
    radius = 1 + sum(rng.uniform(-0.3, 0.3) * np.cos(k * turn + rng.uniform(0, 7)) for k in range(1, 5))
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    return (points - (low + high) / 2) / (high - low)


A, B, C, D, E, F = 14, 5, 17, 19, 2, 33  # shapes that look different, also when turned or mirrored


def o(shape=A, size=0.15, x=0.5, y=0.5, angle=0.0, flip=False, hue=0.1, saturation=0.8):
    return Object(shape, size, x, y, angle % 360, flip, hue % 1, saturation, 0.8)


def at(places, **factors):
    """Objects at places; a factor is one value for all, or a list of one for each."""
    return tuple(
        o(x=x, y=y, **{name: value[i] if isinstance(value, list) else value for name, value in factors.items()})
        for i, (x, y) in enumerate(places)
    )


def moved(image, x=0.0, y=0.0):
    return tuple(one._replace(x=one.x + x, y=one.y + y) for one in image)


def transposed(image):
    """The picture with x and y exchanged: a flip, and a quarter turn back."""
    return tuple(one._replace(x=one.y, y=one.x, flip=not one.flip, angle=(270 - one.angle) % 360) for one in image)


def touch(one, other, direction=0.0, overlap=0.5 * PX):
    """The second object slid against the first from afar, until they overlap by so much."""
    step = np.array([np.cos(np.deg2rad(direction)), np.sin(np.deg2rad(direction))])

    def there(distance):
        return other._replace(x=one.x + step[0] * distance, y=one.y + step[1] * distance)

    distance = 0.8 * (one.size + other.size)  # no two blobs touch from so far
    while Seen((one, there(distance)), Shapes(blob)).gaps[0, 1] > 0:
        distance -= PX / 2
    return (one, there(distance - overlap))


def mirror(one, line=0.5):
    """An object's mirror image across x = line."""
    return one._replace(x=2 * line - one.x, flip=not one.flip, angle=-one.angle % 360)


def orbit(one, turn, center=(0.5, 0.5)):
    """An object turned about a point."""
    x, y = one.x - center[0], one.y - center[1]
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    return one._replace(x=center[0] + c * x - s * y, y=center[1] + s * x + c * y, angle=(one.angle + turn) % 360)


def filling(outer, size=0.3, x=0.0, y=0.0, **factors):
    """An object and one inside it."""
    inner = outer._replace(size=outer.size * size, x=outer.x + x, y=outer.y + y)
    return (outer, inner._replace(**factors))


CELLS = ((0.2, 0.2), (0.5, 0.2), (0.8, 0.2), (0.2, 0.5), (0.5, 0.5), (0.8, 0.5), (0.2, 0.8), (0.5, 0.8), (0.8, 0.8))
MARKER = o(E, 0.04)
HUES = [0.05, 0.25, 0.45, 0.65, 0.85]
LAYOUT = ((0.2, 0.2), (0.5, 0.25), (0.35, 0.55))
OTHER_LAYOUT = ((0.2, 0.2), (0.3, 0.5), (0.5, 0.55))
SLANTED = ((0.15, 0.3), (0.35, 0.4), (0.55, 0.5), (0.75, 0.6))


def line(*counts):
    """Columns of so many objects."""
    return at([(0.15 + 0.25 * i, 0.12 + 0.17 * k) for i, count in enumerate(counts) for k in range(count)], size=0.1)


def clumped(*clumps, cells=((0.15, 0.2), (0.62, 0.2), (0.15, 0.75), (0.62, 0.75))):
    """Clumps of up to three objects, each given by its factors; a clump is a row of them."""
    image = ()
    for members, (x, y) in zip(clumps, cells, strict=False):
        row = [o(**{"size": 0.12, "x": x, "y": y, **members[0]})]
        for member in members[1:]:
            row.append(touch(row[-1], o(**{"size": 0.12, **member}))[1])
        image += tuple(row)
    return image


def mirrored_rows(distances, sizes=(0.06, 0.09, 0.13), hues=HUES, **changes):
    """Couples across x = .5; `changes` are of the first object."""
    left = [
        o(A, size, 0.5 - away, 0.2 + 0.25 * k, angle=40.0 * k, hue=hues[k])
        for k, (size, away) in enumerate(zip(sizes, distances, strict=True))
    ]
    right = [mirror(one) for one in left]
    return (left[0]._replace(**changes), *left[1:], *right)


def round_marker(radii, sizes=(0.06, 0.09, 0.13), hues=HUES, **changes):
    """Couples turned about the marker by 180, 90 and 140 degrees; `changes` are of the first object."""
    starts = [
        orbit(o(A, size, 0.5 + radius, 0.5, hue=hues[k]), 55 * k)
        for k, (size, radius) in enumerate(zip(sizes, radii, strict=True))
    ]
    ends = [orbit(one, turn) for one, turn in zip(starts, (180, 90, 140), strict=True)]
    return (MARKER._replace(saturation=0.0), starts[0]._replace(**changes), *starts[1:], *ends)


def grid(turn, other_turn, flip=True):
    """2 x 2: the right column turned, the lower row mirrored."""
    return at(
        [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)],
        angle=[10, 10 + turn, 10, 10 + other_turn],
        flip=[False, False, True, flip],
        size=0.2,
    )


def facing(filled_mirrors):
    """Two couples across x = .5, the upper one filled; one of them mirrors itself, the other is a copy."""
    upper, lower = o(A, 0.25, 0.25, 0.25), o(B, 0.2, 0.3, 0.75)
    copied = {True: lower, False: upper}[filled_mirrors]
    partners = [mirror(one) if one is not copied else one._replace(x=1 - one.x) for one in (upper, lower)]
    return (upper, lower, *partners, o(C, 0.08, 0.25, 0.25), o(C, 0.08, 0.75, 0.25))


def problem(regular, odd, *, times=3):
    """Three regular images, made from 0, 1, 2, and the odd one."""
    return (*(regular(k) for k in range(times)), odd)


def same_shapes(shapes, odd, **nuisance):
    return problem(
        lambda k: at(CELLS[k : k + len(shapes)], shape=list(shapes), **nuisance),
        at(CELLS[: len(odd)], shape=list(odd), **nuisance),
    )


def hues_of_shapes(hues, odd, **nuisance):
    return problem(
        lambda k: at(CELLS[:4], shape=[A, A, B, B], hue=[HUES[(h + k) % 5] for h in hues], **nuisance),
        at(CELLS[:4], shape=[A, A, B, B], hue=[HUES[h] for h in odd], **nuisance),
    )


def touching_shapes(**nuisance):
    """Two of a shape touch and a third of another stands alone; in the odd image the touching ones differ."""

    def image(first, second, third):
        return clumped([{"shape": first}, {"shape": second, **nuisance}], [{"shape": third}])

    return image(A, A, B), image(B, B, C), image(C, C, A), image(A, B, A)


def shape_clumps(**nuisance):
    a, b, c = ({"shape": shape, **nuisance} for shape in (A, B, C))
    return (
        clumped([a, a], [b, b], [c]),
        clumped([b, b], [a], [c, c]),
        clumped([c, c], [b, b], [a]),
        clumped([a, b], [b, a], [c]),
    )


def inner_shapes(**change):
    """What is inside has its container's shape, one object stays empty; in the odd image it has another."""

    def image(shape, inner):
        return (*filling(o(shape, 0.4, 0.3, 0.3), shape=inner, **change), o(D, 0.2, 0.8, 0.8))

    return image(A, A), image(B, B), image(C, C), image(A, B)


def turns_by_size(sign):
    return at(
        [(0.2, 0.5), (0.5, 0.5), (0.8, 0.5)], size=[0.25, 0.18, 0.12], angle=[20, 20 + sign * 50, 20 + sign * 100]
    )


def turns_along(*angles):
    return at([(0.2, 0.5), (0.5, 0.3), (0.8, 0.6)], angle=list(angles))


def flips_along(*flips):
    return at([(0.2, 0.5), (0.5, 0.3), (0.8, 0.6)], flip=list(flips), angle=[10, 300, 40])


def flips_by_size(large, small):
    angles = [0 if large else 180, 0, 0 if small else 180]
    return at([(0.2, 0.5), (0.5, 0.5), (0.8, 0.5)], size=[0.25, 0.18, 0.12], flip=[True, False, True], angle=angles)


def rows(left, right):
    places = [(x, y) for x in (0.25, 0.75) for y in (0.2, 0.5, 0.8)]
    return at(places, size=[*left, *right])


def couples(*pairs):
    return at(
        [place for x, y in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8)) for place in ((x - 0.08, y), (x + 0.08, y))],
        shape=[shape for pair in pairs for shape in pair],
        size=0.1,
    )


def sides(left, right, filled=()):
    places = [(x, 0.1 + 0.2 * k) for x, n in ((0.25, left), (0.75, right)) for k in range(n)]
    return at(places, size=0.14) + at([places[i] for i in filled], size=0.03)


def two_pairs(upper, lower):
    return at([(0.5 - upper, 0.3), (0.5 + upper, 0.3), (0.5 - lower, 0.7), (0.5 + lower, 0.7)], size=0.12)


def sets(layout, other, *, turn=0.0, scale=0.6):
    """Two sets in arrangements, the second turned with its objects."""
    center = np.mean(layout, axis=0)
    first = [((x - center[0]) * scale + 0.22, (y - center[1]) * scale + 0.3) for x, y in layout]
    middle = np.mean(other, axis=0)
    second = [o(A, 0.06, (x - middle[0]) * scale + 0.72, (y - middle[1]) * scale + 0.6) for x, y in other]
    return at(first, size=0.06) + tuple(orbit(one, turn, center=(0.72, 0.6)) for one in second)


def spread(wide, narrow):
    places = [((x - 0.35) * s + c, (y - 0.35) * s + c) for s, c in ((1.2, 0.3), (0.6, 0.8)) for x, y in LAYOUT]
    return at(places, shape=[wide] * 3 + [narrow] * 3, size=0.07)


SIZES = [0.06, 0.1, 0.17]

PROBLEMS = {  # four images of every rule, the odd one last
    0: problem(lambda k: (o(A, 0.2 + 0.05 * k),), (o(B),)),
    1: problem(lambda k: (o(A, 0.2, 0.3, 0.4, hue=HUES[k]),), (o(A, 0.2, 0.6, 0.4),)),
    2: problem(lambda k: (o([A, B, C][k], 0.2, 0.3 + 0.1 * k),), (o(A, 0.3),)),
    3: problem(lambda k: (o([A, B, C][k], hue=0.99),), (o(A, hue=0.2),)),
    4: problem(lambda k: (o(A, angle=70 * k),), (o(B, angle=70),)),
    5: problem(lambda k: (o(A, flip=k == 1),), (o(B),)),
    6: problem(lambda k: at(CELLS[k : k + 3]), at(CELLS[:4])),
    7: problem(lambda k: filling(o([A, B, C][k], 0.5)), at(CELLS[:2])),
    8: problem(lambda k: touch(o(A), o(B), 50 * k), at(CELLS[:2])),
    9: problem(
        lambda k: (MARKER, o(A, 0.2, 0.8, 0.5, angle=30 * k), orbit(o(A, 0.2, 0.8, 0.5, angle=30 * k), 90)),
        (MARKER, o(A, 0.2, 0.8, 0.5), o(A, 0.2, 0.5, 0.8)),
    ),
    10: problem(
        lambda k: (o(A, 0.2, 0.3, 0.2 + 0.1 * k, angle=20), mirror(o(A, 0.2, 0.3, 0.2 + 0.1 * k, angle=20))),
        (o(A, 0.2, 0.3), o(A, 0.2, 0.7)),
    ),
    11: problem(lambda k: moved(at(LAYOUT, size=0.1), 0.1 * k, 0.1 * k), at(OTHER_LAYOUT, size=0.1)),
    12: problem(
        lambda k: sets([LAYOUT, OTHER_LAYOUT, LAYOUT][k], [LAYOUT, OTHER_LAYOUT, LAYOUT][k]),
        sets(LAYOUT, OTHER_LAYOUT, scale=0.8),
    ),
    13: problem(
        lambda k: at([*SLANTED[:3], (0.2, 0.8), (0.8 - 0.1 * k, 0.1)], size=0.08),
        at([*SLANTED, (0.2, 0.8)], size=0.08),
    ),
    14: (sides(2, 3), sides(1, 4), sides(2, 4), sides(3, 2)),
    15: (
        at([(0.2, 0.3), (0.5, 0.8), (0.8, 0.5)]),
        at([(0.2, 0.5), (0.5, 0.8), (0.8, 0.3)]),
        at([(0.2, 0.3), (0.5, 0.8), (0.8, 0.6)]),
        at([(0.2, 0.8), (0.5, 0.5), (0.8, 0.2)]),
    ),
    16: (line(3, 4, 3), line(3, 3, 3), line(4, 5, 3), line(3, 3)),
    17: problem(
        lambda k: filling(o(A, 0.3, 0.2, 0.2)) + at(CELLS[4 : 5 + k]),
        filling(o(A, 0.3, 0.2, 0.2)) + filling(o(A, 0.3, 0.8, 0.2)),
    ),
    18: (at(CELLS[:2]), at(CELLS[:4]), at(CELLS[:6]), at(CELLS[:5])),
    19: problem(lambda k: at(CELLS[:2], shape=[A, B, C][k], size=[0.1, 0.2]), at(CELLS[:2], shape=[A, B])),
    20: touching_shapes(),
    21: problem(
        lambda k: clumped([{"shape": A}, {"shape": B}, {"shape": C}][: 2 + k // 2]),
        clumped([{"shape": A}, {"shape": B}], [{"shape": C}]),
    ),
    22: (
        (*filling(o(A, 0.8)), o(B, 0.06)),
        (*filling(o(B, 0.8, 0.4), y=-0.15), o(C, 0.1, 0.4, 0.7)),
        (*filling(o(C, 0.8)), o(A, 0.06)),
        (*filling(o(A, 0.5, 0.3, 0.3)), o(B, 0.06, 0.8, 0.8)),
    ),
    23: problem(
        lambda k: (o([A, B, C][k], 0.8), o(A, 0.1), o(B, 0.1, 0.5, 0.35), o(C, 0.1, 0.5, 0.65)),
        (o(A, 0.7), o(A, 0.1), o(B, 0.1, 0.5, 0.37), o(C, 0.1, 0.92, 0.92)),
    ),
    24: (sides(2, 2, (0, 1)), sides(1, 2, (0,)), sides(3, 1, (0, 1, 2)), sides(1, 2, (1, 2))),
    25: problem(lambda k: filling(o(A, 0.6), 0.2, -0.1, 0.05 * k), filling(o(A, 0.6), 0.2, 0.1)),
    26: problem(
        lambda k: (o(C, 0.8), o(A, 0.1, 0.4, 0.5 + 0.02 * k), o(B, 0.1, 0.6)),
        (o(C, 0.8), o(A, 0.1, 0.5, 0.4), o(B, 0.1, 0.5, 0.6)),
    ),
    27: problem(
        lambda k: filling(o(A, 0.25, 0.2 + 0.2 * k, 0.2)) + at([(0.5, 0.5), (0.5, 0.8)]),
        filling(o(A, 0.25, 0.2, 0.8)) + at([(0.5, 0.5), (0.5, 0.2)]),
    ),
    28: problem(lambda k: at(CELLS[:2], shape=[A, B, C][k], angle=[100 * k, 33]), at(CELLS[:2], shape=[A, B])),
    29: problem(
        lambda k: at(CELLS[:2], shape=[A, B, C][k], flip=[True, False]),
        at(CELLS[:2], shape=[A, B], flip=[True, False]),
    ),
    30: problem(lambda k: at(CELLS[:2], angle=[40 * k, 40 * k + (50 if k else -50)]), at(CELLS[:2], angle=[0, 110])),
    31: (two_pairs(0.1, 0.2), two_pairs(0.15, 0.3), two_pairs(0.1, 0.3), two_pairs(0.2, 0.1)),
    32: (line(1, 2, 3), line(2, 2, 4), line(1, 4, 5), line(1, 3, 2)),
    33: problem(
        lambda k: at(CELLS[k : k + 2], shape=[A, B], size=[0.1, 0.2]), at(CELLS[:2], shape=[A, B], size=[0.2, 0.1])
    ),
    34: (
        at(CELLS[:3], size=[0.1, 0.1, 0.2]),
        at(CELLS[:3], size=[0.1, 0.2, 0.2]),
        at(CELLS[:3], size=[0.2, 0.1, 0.2]),
        at(CELLS[:3], size=0.15),
    ),
    35: problem(lambda k: at(CELLS[:3], size=[0.05, 0.1, 0.2 + 0.02 * k]), at(CELLS[:3], size=[0.1, 0.1, 0.2])),
    36: problem(lambda k: at(CELLS[:2], size=[0.1 + 0.02 * k, 0.2 + 0.04 * k]), at(CELLS[:2], size=[0.15, 0.2])),
    37: (
        rows(SIZES, [0.1, 0.06, 0.17]),
        rows(SIZES, [0.12, 0.08, 0.2]),
        rows(SIZES, [0.1, 0.06, 0.17]),
        rows(SIZES, [0.06, 0.1, 0.17]),
    ),
    38: problem(lambda k: mirrored_rows([0.14, 0.2, 0.28]), mirrored_rows([0.28, 0.14, 0.2])),
    39: problem(lambda k: round_marker([0.2, 0.26, 0.34]), round_marker([0.34, 0.26, 0.2])),
    40: problem(lambda k: at(CELLS[:2], hue=HUES[k]), at(CELLS[:2], hue=[0.1, 0.3])),
    41: problem(lambda k: at(CELLS[: 3 + k], hue=HUES[k]), at(CELLS[:5], hue=[0.1, 0.1, 0.3, 0.35, 0.1])),
    42: problem(
        lambda k: (o(A, 0.2, 0.3, 0.5, angle=40 * k), mirror(o(A, 0.2, 0.3, 0.5, angle=40 * k))),
        transposed((o(A, 0.2, 0.3, 0.5), mirror(o(A, 0.2, 0.3, 0.5)))),
    ),
    43: problem(
        lambda k: (MARKER, o(A, 0.15, 0.8, 0.5), orbit(o(A, 0.15, 0.8, 0.5), 120 if k else -120)),
        (MARKER, o(A, 0.15, 0.8, 0.5), orbit(o(A, 0.15, 0.8, 0.5), 60)),
    ),
    44: touching_shapes(size=0.2),
    45: touching_shapes(hue=0.5),
    46: problem(
        lambda k: clumped([{"shape": A}, {"shape": B}], [{"shape": C}, {"shape": D}, {"shape": A}][: 2 + k // 2]),
        clumped([{"shape": A}, {"shape": B}, {"shape": C}], [{"shape": D}]),
    ),
    47: problem(
        lambda k: at([(0.2, 0.4), (0.7, 0.5)], size=[0.3, 0.15 + 0.02 * k]),
        at([(0.2, 0.4), (0.7, 0.5)], size=[0.1, 0.3]),
    ),
    48: problem(lambda k: spread(A, B), spread(B, A)),
    49: problem(lambda k: at([(0.2, 0.5), (0.7, 0.5)], shape=[A, B]), at([(0.2, 0.5), (0.7, 0.5)], shape=[A, C])),
    50: (
        couples((A, B), (C, D), (E, F)),
        couples((D, C), (F, E), (B, A)),
        couples((E, F), (A, B), (D, C)),
        couples((A, C), (B, D), (E, F)),
    ),
    51: problem(
        lambda k: moved(at(LAYOUT, size=0.1, angle=[0, 50, 100]), 0.1 * k), at(LAYOUT, size=0.1, angle=[50, 0, 100])
    ),
    52: problem(lambda k: sets(LAYOUT, LAYOUT, turn=[90, 180, 33][k]), sets(LAYOUT, OTHER_LAYOUT, turn=90, scale=0.8)),
    53: problem(lambda k: at([(0.2, 0.5), (0.7, 0.5)], hue=[0.1, 0.4]), at([(0.2, 0.5), (0.7, 0.5)], hue=[0.4, 0.1])),
    54: problem(
        lambda k: moved(at(LAYOUT, size=0.1, hue=[HUES[k], HUES[k], HUES[k + 1]]), 0.1 * k),
        at(LAYOUT, size=0.1, hue=[0.1, 0.4, 0.1]),
    ),
    55: problem(lambda k: touch(o(A), o([B, C, D][k]), 30 + (180 if k else 0)), touch(o(A), o(B), 120)),
    56: problem(
        lambda k: at(CELLS[:4], shape=[A, A, B, B], size=[0.2, 0.2, 0.1, 0.1]),
        at(CELLS[:4], shape=[A, A, B, B], size=[0.1, 0.1, 0.2, 0.2]),
    ),
    57: (
        at(CELLS[:4], shape=[A, B, C, D], size=[0.05, 0.1, 0.15, 0.2]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.1, 0.05, 0.2, 0.15]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.05, 0.15, 0.1, 0.2]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.1, 0.2, 0.15, 0.05]),
    ),
    58: (turns_by_size(1), moved(turns_by_size(1), 0.05), turns_by_size(1), turns_by_size(-1)),
    59: problem(
        lambda k: (*filling(o(A, 0.4, 0.3, 0.3)), o(B, 0.2, 0.8, 0.8)),
        (*filling(o(B, 0.2, 0.8, 0.8)), o(A, 0.4, 0.3, 0.3)),
    ),
    60: problem(
        lambda k: clumped([{}, {"size": 0.12}], [{"size": 0.2}, {"size": 0.2}]),
        clumped([{}, {"size": 0.2}], [{"size": 0.2}, {"size": 0.12}]),
    ),
    61: problem(lambda k: at(CELLS[:5], size=[0.1, 0.1, 0.2, 0.2, 0.2]), at(CELLS[:5], size=[0.1, 0.1, 0.1, 0.2, 0.2])),
    62: problem(lambda k: at(CELLS[:4], size=[0.1, 0.1, 0.2, 0.2]), at(CELLS[:4], size=[0.07, 0.1, 0.2, 0.2])),
    63: problem(lambda k: at(CELLS[:2], shape=[A, B], hue=[0.1, 0.4]), at(CELLS[:2], shape=[A, B], hue=[0.4, 0.1])),
    64: hues_of_shapes((0, 0, 1, 1), (0, 1, 0, 1)),
    65: hues_of_shapes((0, 1, 0, 1), (0, 0, 1, 2)),
    66: problem(lambda k: filling(o(A, 0.5 + 0.1 * k), shape=B), filling(o(B, 0.5), shape=A)),
    67: inner_shapes(),
    68: (
        *(at(CELLS[:4], shape=shapes) for shapes in ([A, A, B, B], [C, B, B, C], [D, A, A, D])),
        at(CELLS[:4], shape=[A, A, A, B]),
    ),
    69: (
        *(at(CELLS[:4], shape=shapes) for shapes in ([A, A, B, B], [C, B, B, B], [D, A, A, D])),
        at(CELLS[:4], shape=[A, A, C, B]),
    ),
    70: hues_of_shapes((0, 0, 1, 1), (0, 1, 1, 1), angle=[0, 90, 180, 33]),
    71: problem(
        lambda k: filling(o(A, 0.4, 0.25, 0.3), shape=B) + filling(o(A, 0.45, 0.75, 0.7, angle=70 * k), shape=B),
        filling(o(A, 0.4, 0.25, 0.3), shape=B) + filling(o(A, 0.45, 0.75, 0.7, angle=70), shape=B, angle=140.0),
    ),
    72: inner_shapes(angle=90.0),
    73: same_shapes((A, A, B, B), (A, A, A, B), angle=[0, 50, 100, 300]),
    74: problem(lambda k: filling(o(A, 0.5, hue=0.1), hue=0.5), filling(o(A, 0.5, hue=0.5), hue=0.1)),
    75: problem(
        lambda k: (*filling(o(A, 0.4, 0.3, 0.3, hue=HUES[k])), o(B, 0.2, 0.8, 0.8, hue=0.9)),
        (*filling(o(A, 0.4, 0.3, 0.3, hue=0.2), hue=0.5), o(B, 0.2, 0.8, 0.8)),
    ),
    76: problem(
        lambda k: clumped([{"hue": HUES[k]}, {"hue": HUES[k]}], [{"hue": HUES[k + 1]}, {"hue": HUES[k + 2]}]),
        clumped([{"hue": 0.1}, {"hue": 0.3}], [{"hue": 0.1}, {"hue": 0.5}]),
    ),
    77: problem(
        lambda k: at(CELLS[:5], hue=[HUES[i + k] for i in (0, 0, 1, 1, 2)]),
        at(CELLS[:5], hue=[HUES[i] for i in (0, 0, 0, 1, 2)]),
    ),
    78: problem(
        lambda k: at(CELLS[:5], hue=[HUES[i] for i in ((0, 0, 0, 0, 1), (0, 1, 1, 1, 0), (2, 2, 3, 3, 3))[k]]),
        at(CELLS[:5], hue=[HUES[i] for i in (0, 1, 1, 2, 2)]),
    ),
    80: problem(lambda k: clumped([{}, {}], [{}, {}]), clumped([{}, {}, {}], [{}])),
    81: problem(lambda k: clumped([{}, {}], [{}, {}][: 1 + k % 2]), clumped([{}, {}], [{}], [{}])),
    82: problem(
        lambda k: at(CELLS[:2], size=[0.2, 0.1], hue=[0.1, HUES[k + 1]]), at(CELLS[:2], size=[0.2, 0.1], hue=[0.6, 0.1])
    ),
    83: problem(
        lambda k: at(CELLS[:4], size=[0.1, 0.1, 0.2, 0.2], hue=[HUES[k], HUES[k], HUES[k + 1], HUES[k + 1]]),
        at(CELLS[:4], size=[0.1, 0.1, 0.2, 0.2], hue=[0.1, 0.3, 0.1, 0.3]),
    ),
    84: problem(
        lambda k: round_marker([0.3, 0.2, 0.35], hues=HUES[k:]),
        round_marker([0.3, 0.2, 0.35], hue=HUES[2]),
    ),
    85: problem(lambda k: mirrored_rows([0.2, 0.3, 0.25], hues=HUES[k:]), mirrored_rows([0.2, 0.3, 0.25], hue=HUES[2])),
    86: same_shapes((A, A, B), (A, B, B), angle=[0, 80, 200]),
    87: shape_clumps(),
    88: touching_shapes(angle=77.0),
    89: shape_clumps(angle=50.0),
    90: problem(lambda k: facing(True), facing(False)),
    91: same_shapes((A, A, B, B), (A, A, A, B), flip=[False, True, True, False]),
    92: problem(
        lambda k: (*(pair := filling(o(A, 0.4, 0.25, 0.3, angle=30 * k), shape=B)), *(mirror(one) for one in pair)),
        (*(pair := filling(o(A, 0.4, 0.25, 0.3), shape=B)), mirror(pair[0]), pair[1]._replace(x=0.75)),
    ),
    93: problem(
        lambda k: (*filling(o([A, B, C][k], 0.4, 0.3, 0.3), flip=True), o(D, 0.2, 0.8, 0.8)),
        (*filling(o(A, 0.4, 0.3, 0.3)), o(D, 0.2, 0.8, 0.8)),
    ),
    94: hues_of_shapes((0, 0, 1, 1), (0, 1, 1, 1), flip=[False, True, True, False]),
    95: same_shapes((A, A, B), (A, B, B), flip=[False, True, False], angle=[0, 70, 0]),
    96: problem(lambda k: grid(60 + 50 * k, 60 + 50 * k), grid(60, 110)),
    97: problem(lambda k: flips_by_size(True, False), flips_by_size(False, True)),
    98: (turns_along(0, 50, 100), turns_along(90, 190, 290), turns_along(300, 0, 60), turns_along(50, 0, 100)),
    99: problem(
        lambda k: flips_along(*((True, False, False) if k else (False, True, True))), flips_along(False, False, True)
    ),
    100: problem(
        lambda k: transposed((o(A, 0.2, 0.5, 0.3), orbit(mirror(o(A, 0.3, 0.5, 0.3)), 0)._replace(y=0.7 + 0.05 * k))),
        (o(A, 0.2, 0.3), o(A, 0.2, 0.7, flip=True)),
    ),
    101: touching_shapes(flip=True),
    102: shape_clumps(flip=True),
}


def scheme(first, second):
    """Two clumps of two; where told, an object contains another."""
    image = clumped(
        [{"size": 0.2, "shape": A}, {"size": 0.2, "shape": B}], [{"size": 0.2, "shape": C}, {"size": 0.2, "shape": D}]
    )
    inner = tuple(o(E, 0.05, one.x, one.y) for one, filled in zip(image, (*first, *second), strict=True) if filled)
    return image + inner


PROBLEMS[79] = problem(lambda k: scheme((True, True), (False, False)), scheme((True, False), (False, True)))

ON_X = [14, 16, 24, 25, 31, 38, 85, 90, 98, 99]
SHIFTED = {rule: tuple(map(transposed, PROBLEMS[rule])) for rule in [*ON_X, 15, 27, 47, 53]} | {
    32: (line(3, 1, 2), line(4, 1, 3), line(5, 2, 3), line(2, 1, 3)),
    56: (
        at(CELLS[:4], shape=[A, A, B, B], size=[0.2, 0.2, 0.1, 0.1]),
        at(CELLS[:4], shape=[C, C, B, B], size=[0.1, 0.1, 0.2, 0.2]),
        at(CELLS[:4], shape=[C, C, D, D], size=[0.2, 0.2, 0.1, 0.1]),
        at(CELLS[:4], shape=[A, A, B, B], size=[0.2, 0.1, 0.2, 0.1]),
    ),
    57: (
        at(CELLS[:4], shape=[A, B, C, D], size=[0.05, 0.1, 0.15, 0.2]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.15, 0.2, 0.05, 0.1]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.1, 0.2, 0.05, 0.15]),
        at(CELLS[:4], shape=[A, B, C, D], size=[0.05, 0.2, 0.1, 0.15]),
    ),
}


@pytest.fixture(scope="session")
def problems():
    """Four images of every rule, the odd one last."""
    return PROBLEMS


@pytest.fixture(scope="session")
def shifted_problems():
    """The same of the shifted version, where it is read differently."""
    return SHIFTED


@pytest.fixture(scope="session")
def by_hand():
    """What scenes are made of by hand."""
    return SimpleNamespace(
        o=o,
        at=at,
        moved=moved,
        touch=touch,
        mirror=mirror,
        orbit=orbit,
        filling=filling,
        clumped=clumped,
        blob=blob,
        shapes=(A, B, C, D, E, F),
        cells=CELLS,
    )
