"""The odd image from the four pictures alone, for the rules where pixels suffice: a second opinion on every label.

Ink is what is not white. A blob is a connected piece of ink (corners join): an object where nothing touches, a clump
where the rule speaks of contact. What a blob encloses is what background cannot reach from outside. Outlines are one
pixel wide and sizes of an object may be ten, so margins are wide, and what falls between is left undecided.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unseen.benchmarks.cvr.meaning.margins import EXACT, Floats, Margin, Truth, Undecided, circular, every
from unseen.benchmarks.cvr.meaning.odd import agreed, exception, stranger

Mask = NDArray[np.bool_]
Labels = NDArray[np.intp]
Distance = Callable[[Any, Any], Any]

WHITE = 255
SECTORS = 64  # of a shape's outline
FINER = 4  # each pixel counts as 4 x 4 points, so that sectors of small shapes are not ragged

PLACE = Margin(2.5, 12)  # pixels
HUE = Margin(0.03, 0.1)  # of a full circle of 1; 8 bits blur dull colors by .01
RATIO = Margin(0.12, 0.17)  # of logarithms of sides: a pixel more or less on a side of about ten
OFF_CENTER = 0.07  # of the side of the blob around it: a blob is clearly at one end, or two along one axis
STANDS_OUT = 1.25  # times: the odd shape is at least so much less like the others than those are like each other


def label(mask: Mask, *, corners: bool) -> Labels:
    """Return the number of the connected piece that each true cell belongs to, from 1; 0 elsewhere.

    >>> label(np.eye(2, dtype=bool), corners=True).tolist(), label(np.eye(2, dtype=bool), corners=False).tolist()
    ([[1, 0], [0, 1]], [[1, 0], [0, 2]])
    """
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    runs = list(zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True))  # row, first cell, one past the last
    root = list(range(len(runs)))

    def find(run: int) -> int:
        while root[run] != run:
            run = root[run]
        return run

    above = 0  # the first run that may still touch the one at hand from the row above
    reach = int(corners)
    for here, (row, start, end) in enumerate(runs):
        while runs[above][0] < row - 1 or (runs[above][0] == row - 1 and runs[above][2] + reach <= start):
            above += 1
        other = above
        while runs[other][0] == row - 1 and runs[other][1] < end + reach:
            one, two = find(other), find(here)
            root[max(one, two)] = min(one, two)
            other += 1
    numbers: dict[int, int] = {}
    labels = np.zeros(mask.shape, np.intp)
    for run, (row, start, end) in enumerate(runs):
        labels[row, start:end] = numbers.setdefault(find(run), len(numbers) + 1)
    return labels


class Blob:
    """One connected piece of ink; lengths are in pixels."""

    def __init__(self, ink: Mask, pixels: NDArray[np.uint8]) -> None:
        rows, columns = np.nonzero(ink)
        self.low = np.array([columns.min(), rows.min()])
        self.high = np.array([columns.max(), rows.max()])
        self.center = (self.low + self.high) / 2
        self.side = float((self.high - self.low).max() + 1)
        self.some = (int(columns[0]), int(rows[0]))  # a pixel of it
        self._ink = ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        self._colors = pixels[rows, columns]

    @cached_property
    def filled(self) -> Mask:
        """The pixels of the blob's box that are inked, or that background cannot reach from outside."""
        background = label(~np.pad(self._ink, 1), corners=False)
        return np.asarray(background != background[0, 0])[1:-1, 1:-1]

    def encloses(self, other: Blob) -> bool:
        """Tell whether another blob lies within this one."""
        x, y = np.subtract(other.some, self.low)
        height, width = self.filled.shape
        return other is not self and 0 <= x < width and 0 <= y < height and bool(self.filled[y, x])

    @property
    def hue(self) -> float:
        """The hue of the blob's ink, which must be of one color."""
        (color,) = exactly(1, np.unique(self._colors, axis=0).tolist())
        return rgb_to_hsv(*(channel / WHITE for channel in color))[0]

    @cached_property
    def radii(self) -> Floats:
        """Of what it encloses: the root of the area in each direction from the middle, of mean square 1."""
        fine = np.kron(self.filled, np.ones((FINER, FINER), bool))
        y, x = np.nonzero(fine)
        turns = np.arctan2(y - y.mean(), x - x.mean()) * (SECTORS / (2 * np.pi))
        share = np.bincount(np.floor(turns).astype(np.intp) % SECTORS, minlength=SECTORS) / len(x)
        return np.asarray(np.sqrt(share * SECTORS))


_TURNS = (np.arange(SECTORS)[:, None] + np.arange(SECTORS)) % SECTORS
_MOTIONS = np.concatenate([_TURNS, _TURNS[:, ::-1]])


def unlike(one: Blob, other: Blob) -> float:
    """Tell how different two shapes look, whatever their size, turn and flip."""
    return float(np.abs(one.radii - other.radii[_MOTIONS]).mean(axis=1).min())


class Panel:
    """One picture, uint8 (h, w, 3)."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        labels = label((pixels != WHITE).any(axis=2), corners=True)
        self.blobs = [Blob(labels == number, pixels) for number in range(1, int(labels.max()) + 1)]
        self.shape = pixels.shape[:2]

    @cached_property
    def parents(self) -> list[Blob | None]:
        """The smallest blob that encloses each."""
        around = [[outer for outer in self.blobs if outer.encloses(blob)] for blob in self.blobs]
        return [min(outer, key=lambda blob: blob.side) if outer else None for outer in around]

    @property
    def families(self) -> list[tuple[Blob, Blob]]:
        """Each blob that lies within another, after that one."""
        return [(outer, inner) for outer, inner in zip(self.parents, self.blobs, strict=True) if outer]

    @property
    def top(self) -> list[Blob]:
        """The blobs that lie within no other."""
        return [blob for blob, outer in zip(self.blobs, self.parents, strict=True) if outer is None]

    def one(self) -> Blob:
        """Return the only blob."""
        (blob,) = exactly(1, self.blobs)
        return blob


Found = TypeVar("Found")


def exactly(count: int, found: list[Found]) -> list[Found]:
    """Return what was found, if it is as many as there should be."""
    if len(found) != count:
        raise Undecided(f"a panel shows {len(found)} of what should be {count}")
    return found


# Values and statements


def count(panel: Panel) -> int:
    """Tell how many blobs there are."""
    return len(panel.blobs)


def parity(panel: Panel) -> int:
    """Tell whether there is an odd number of blobs."""
    return len(panel.blobs) % 2


def filled_count(panel: Panel) -> int:
    """Tell how many blobs directly enclose another."""
    return len({id(outer) for outer, _ in panel.families})


def nested(allowed: tuple[tuple[int, ...], ...], panel: Panel) -> bool:
    """Tell whether the sorted depths at which blobs lie are these."""
    depth = (sum(outer.encloses(blob) for outer in panel.blobs) for blob in panel.blobs)
    return tuple(sorted(depth)) in allowed


def one_encloses_all(panel: Panel) -> bool:
    """Tell whether one blob encloses all others, side by side."""
    return nested(((0,) + (1,) * (len(panel.blobs) - 1),), panel)


def is_one(panel: Panel) -> bool:
    """Tell whether all ink is one blob."""
    return len(panel.blobs) == 1


def by_size(blobs: list[Blob]) -> list[Blob]:
    """Return two blobs, the smaller first, clearly different in size."""
    small, large = sorted(exactly(2, blobs), key=lambda blob: blob.side)
    if RATIO.same(size_distance(small, large)) is not False:
        raise Undecided("two sizes are not clearly different")
    return [small, large]


def size_distance(one: Blob, other: Blob) -> float:
    """Compare the sizes of two blobs: the difference of the logarithms of their sides."""
    return float(abs(np.log(one.side / other.side)))


def hue_distance(one: Blob, other: Blob) -> float:
    """Compare the hues of two blobs, on a circle."""
    return float(circular(one.hue, other.hue, period=1))


def place_distance(one: Blob, other: Blob) -> float:
    """Measure the distance between the centers of two blobs."""
    return float(np.hypot(*(one.center - other.center)))


def hues_distance(blobs: Sequence[Blob], others: Sequence[Blob]) -> float:
    """Compare the hues of blobs in two orders: the largest of their distances."""
    return max(map(hue_distance, blobs, others))


def couple_of(panel: Panel) -> tuple[Blob, Blob]:
    """Return the blob that encloses the other, and the other."""
    ((outer, inner),) = exactly(1, panel.families)
    return outer, inner


def by_hue(panels: Sequence[Panel]) -> list[list[Blob]]:
    """Return the two blobs of each panel, that with the hue of the first panel's first blob coming first."""
    first = panels[0].blobs[0]
    return [sorted(exactly(2, panel.blobs), key=lambda blob: hue_distance(first, blob)) for panel in panels]


def along(axis: int, panel: Panel) -> list[Blob]:
    """Return the blobs in their order on an axis, each wholly before the next."""
    ordered = sorted(panel.top, key=lambda blob: blob.center[axis])
    if any(one.high[axis] >= other.low[axis] for one, other in pairwise(ordered)):
        raise Undecided("not every blob is wholly before or after every other")
    return ordered


def larger_comes_first(axis: int, panel: Panel) -> bool:
    """Tell whether the larger of two blobs comes first on an axis."""
    first, _ = exactly(2, along(axis, panel))
    return first is by_size(panel.blobs)[1]


def filled_is_larger(panel: Panel) -> bool:
    """Tell whether, of two blobs, the one that encloses a third is the larger."""
    ((outer, _),) = exactly(1, panel.families)
    return outer is by_size(panel.top)[1]


def filled_rank(axis: int, panel: Panel) -> int:
    """Return the place on an axis of the blob that encloses another."""
    ((outer, _),) = exactly(1, panel.families)
    return exactly(3, along(axis, panel)).index(outer)


def sizes(tally: tuple[int, ...], panel: Panel) -> Truth:
    """Tell whether exactly these numbers of blobs share a size."""
    return groups(size_distance, RATIO, panel) == tally


def groups(distance: Callable[[Blob, Blob], float], margin: Margin, panel: Panel) -> tuple[int, ...]:
    """Tell how many blobs are equal to each other, the most first."""
    found: list[list[Blob]] = []
    for blob in panel.blobs:
        truths = [every(margin.same(distance(blob, other)) for other in group) for group in found]
        if None in truths:
            raise Undecided("two blobs are neither equal nor clearly different")
        if True not in truths:
            found.append([])
        found[truths.index(True) if True in truths else -1].append(blob)
    return tuple(sorted(map(len, found), reverse=True))


def half_size(panel: Panel) -> Truth:
    """Tell whether one of two blobs is half the size of the other."""
    one, other = sorted(blob.side for blob in exactly(2, panel.blobs))
    return RATIO.same(abs(np.log(other / one) - np.log(2)))


def same_hue(panel: Panel) -> Truth:
    """Tell whether all blobs have the same hue."""
    return every(HUE.same(hue_distance(one, other)) for one, other in combinations(panel.blobs, 2))


def hue_of_container(panel: Panel) -> Truth:
    """Tell whether what lies within a blob has its hue."""
    return every(HUE.same(hue_distance(outer, inner)) for outer, inner in panel.families)


def inner_side(axis: int, panel: Panel) -> bool:
    """At which end of an axis one blob lies in another."""
    outer, inner = couple_of(panel)
    offset = (inner.center - outer.center)[axis] / outer.side
    if abs(offset) < OFF_CENTER:
        raise Undecided("the inner blob lies at neither end")
    return bool(offset > 0)


def inner_direction(panel: Panel) -> bool:
    """Tell whether two blobs within a third lie side by side."""
    (outer, one), (_, other) = exactly(2, panel.families)
    x, y = abs(one.center - other.center) / outer.side
    if abs(x - y) < OFF_CENTER:
        raise Undecided("the inner blobs lie along neither axis")
    return bool(x > y)


def fuller_side(axis: int, panel: Panel) -> int:
    """Tell which half of the picture has more blobs."""
    middle = panel.shape[1 - axis] / 2
    if any(blob.low[axis] < middle <= blob.high[axis] for blob in panel.top):
        raise Undecided("a blob lies in both halves")
    return int(np.sign(sum(1 if blob.low[axis] >= middle else -1 for blob in panel.top)))


# Decisions


@dataclass(frozen=True)
class Pixels:
    """How a rule is read off pixels: a value that three panels share, or a statement true of three."""

    statistic: str  # which, for people
    decide: Callable[[Sequence[Panel]], int]


def differs(
    statistic: str, *reads: Callable[[Panel], Any], margin: Margin = EXACT, distance: Distance = operator.ne
) -> Pixels:
    """Make a reading of a value that one panel does not share; of several ways all that find an odd one must agree."""

    def by(read: Callable[[Panel], Any], panels: Sequence[Panel]) -> int:
        return strange([read(panel) for panel in panels], margin, distance)

    return Pixels(statistic, lambda panels: agreed(partial(by, read, panels) for read in reads))


def strange(values: Sequence[Any], margin: Margin, distance: Distance = operator.ne) -> int:
    """Return the place of the value that is far from all others, which are near each other."""
    return stranger(values, lambda one, other: margin.same(float(distance(one, other))))


def holds(statistic: str, statement: Callable[[Panel], Truth]) -> Pixels:
    """Make a reading of a statement that is false of one panel."""
    return Pixels(statistic, lambda panels: exception([statement(panel) for panel in panels]))


def bound_by_hue(panels: Sequence[Panel]) -> int:
    """Return two blobs, told apart by their hues: which shape has which."""
    return standing_out(by_hue(panels))


def shapes(statistic: str, read: Callable[[Panel], Sequence[Blob]]) -> Pixels:
    """Make a reading of blobs in an order, whose shapes one panel does not share."""
    return Pixels(statistic, lambda panels: standing_out([read(panel) for panel in panels]))


def standing_out(values: Sequence[Sequence[Blob]]) -> int:
    """Return the place of the blobs that are least like the others, which are much more like each other.

    How far two drawings of one shape differ depends on how large they are drawn, so it is measured, not set.
    """
    apart = np.array([[max(map(unlike, one, other)) for other in values] for one in values])
    for k in range(len(values)):
        rest = [i for i in range(len(values)) if i != k]
        if apart[k, rest].min() > STANDS_OUT * apart[np.ix_(rest, rest)].max():
            return k
    raise Undecided("no shape stands out")


def most_unlike_pair(panels: Sequence[Panel]) -> int:
    """Return the panel whose two blobs are much less like each other than those of all other panels."""
    apart = [unlike(*exactly(2, panel.blobs)) for panel in panels]
    second, first = np.argsort(apart)[-2:]
    if apart[first] <= STANDS_OUT * apart[second]:
        raise Undecided("no panel's shapes stand out")
    return int(first)


def larger_by_hue(panels: Sequence[Panel]) -> int:
    """Return a hue that all panels have, and whether the larger blob has it."""

    def by(bearer: Blob) -> int:
        alike = [[HUE.same(hue_distance(bearer, blob)) for blob in by_size(panel.blobs)] for panel in panels]
        if any(truths not in ([True, False], [False, True]) for truths in alike):
            raise Undecided("not just one blob of every panel has a hue of all panels")
        return strange(alike, EXACT)

    return agreed(partial(by, bearer) for bearer in panels[0].blobs)


SHAPE = shapes("outline around the middle of the enclosed area", lambda panel: [panel.one()])
SAME_SHAPE = Pixels("outlines around the middles of the enclosed areas", most_unlike_pair)
SAME_HUE = holds("hues", same_hue)
X, Y = 0, 1

PIXEL_RULES: dict[int, Pixels] = {
    0: SHAPE,
    1: differs("center of the box", Panel.one, margin=PLACE, distance=place_distance),
    2: differs("side of the box", Panel.one, margin=RATIO, distance=size_distance),
    3: differs("hue", Panel.one, margin=HUE, distance=hue_distance),
    4: SHAPE,
    5: SHAPE,
    6: differs("number of blobs", count),
    7: holds("who encloses whom", partial(nested, ((0, 1),))),
    8: holds("number of blobs", is_one),
    14: differs("number of blobs per half", partial(fuller_side, X), partial(fuller_side, Y)),
    17: differs("number of blobs that enclose another", filled_count),
    18: differs("number of blobs", parity),
    19: SAME_SHAPE,
    21: holds("number of blobs", is_one),
    22: holds("who encloses whom", partial(nested, ((0, 1, 1), (0, 1, 2)))),
    23: holds("who encloses whom", one_encloses_all),
    25: differs("offset of the inner box", partial(inner_side, X), partial(inner_side, Y)),
    26: differs("offset of the inner boxes", inner_direction),
    27: differs("who encloses whom, and the order of boxes", partial(filled_rank, X), partial(filled_rank, Y)),
    28: SAME_SHAPE,
    29: SAME_SHAPE,
    33: shapes("outlines in the order of boxes", lambda panel: by_size(panel.blobs)),
    34: holds("sides of boxes", partial(sizes, (2, 1))),
    35: holds("sides of boxes", partial(sizes, (1, 1, 1))),
    36: holds("sides of boxes", half_size),
    40: SAME_HUE,
    41: SAME_HUE,
    47: differs("sides and order of boxes", partial(larger_comes_first, X), partial(larger_comes_first, Y)),
    53: differs(
        "hues in the order of boxes",
        partial(along, X),
        partial(along, Y),
        margin=HUE,
        distance=hues_distance,
    ),
    59: differs("who encloses whom, and sides of boxes", filled_is_larger),
    63: Pixels("outlines in the order of hues", bound_by_hue),
    66: shapes("outlines by who encloses whom", couple_of),
    74: differs("hues by who encloses whom", couple_of, margin=HUE, distance=hues_distance),
    75: holds("hues by who encloses whom", hue_of_container),
    77: differs("numbers of blobs per hue", partial(groups, hue_distance, HUE)),
    78: differs("number of hues", lambda panel: len(groups(hue_distance, HUE, panel))),
    81: differs("number of blobs", count),
    82: Pixels("sides of boxes by hue", larger_by_hue),
}


def odd_from_pixels(panels: NDArray[np.uint8], rule: int) -> int | None:
    """The odd one of four pictures (4, h, w, 3); None where this rule, or this problem, is not decided by pixels."""
    if rule not in PIXEL_RULES:
        return None
    try:
        return PIXEL_RULES[rule].decide([Panel(pixels) for pixels in panels])
    except Undecided:
        return None
