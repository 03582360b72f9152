"""What each of the 103 rules means: how to find the odd image of four, in words that the verifier reads.

A reading looks at four images. `across` reads one value off each: three are equal, the odd one's is different. `table`
does so with a row of columns per object, in any order of the objects; a column is a plain value, the same in all images
(`hue`), a rank within the image (`size#`), or says only who equals whom (`hue'`). `holds` is a statement, true of three
images and false of the odd one. Where a problem draws an axis or a direction, the reading is `either` of the
possible ones, and all that explain the problem must point at the same image. Values between equal and different
explain nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, Protocol

import numpy as np

from unseen.benchmarks.cvr import laws
from unseen.benchmarks.cvr.columns import COLUMNS, unequal
from unseen.benchmarks.cvr.decide import agreed, exception, stranger
from unseen.benchmarks.cvr.margins import DIRECTION, EXACT, LAYOUT, TURN, Margin, Truth, Undecided, circular
from unseen.benchmarks.cvr.seen import Seen


class Reading(Protocol):
    """A way to find the odd image."""

    def odd(self, images: Sequence[Seen]) -> int:
        """The odd one; raises Undecided, with the reason, where no image or not just one is odd."""
        ...


@dataclass(frozen=True)
class Across:
    """A value that is equal in three images and different in one."""

    read: Callable[[Seen], Any]
    margin: Margin = EXACT
    distance: Callable[[Any, Any], Any] = unequal

    def odd(self, images: Sequence[Seen]) -> int:
        """The image whose value differs."""
        values = [self.read(seen) for seen in images]
        return stranger(values, lambda one, other: self.margin.same(float(self.distance(one, other))))


@dataclass(frozen=True)
class Table:
    """A row of columns per object; the rows, in any order, are the same in three images and others in one."""

    columns: tuple[str, ...]
    top: bool = False  # only of the objects that nothing contains

    def odd(self, images: Sequence[Seen]) -> int:
        """The image whose table differs."""
        plain = [COLUMNS[name].classes(images) for name in self.columns if name[-1] not in "#'"]
        tables = []
        for k, seen in enumerate(images):
            ranks = [COLUMNS[name[:-1]].ranks(seen) for name in self.columns if name.endswith("#")]
            labels = [COLUMNS[name[:-1]].classes([seen])[0] for name in self.columns if name.endswith("'")]
            members = seen.top if self.top else range(seen.count)
            fixed = [tuple(int(column[i]) for column in [*(classes[k] for classes in plain), *ranks]) for i in members]
            tables.append(canonical(fixed, [tuple(int(column[i]) for i in members) for column in labels]))
        return stranger(tables, operator.eq)


Row = tuple[int, ...]


def canonical(rows: list[Row], labels: Sequence[Row]) -> tuple[tuple[Row, ...], ...]:
    """Rows as a multiset, with columns of labels up to renaming: one form for all tables that say the same.

    >>> canonical([(0,), (0,), (1,)], [(5, 6, 6)]) == canonical([(0,), (1,), (0,)], [(2, 2, 9)])
    True
    """
    if not labels:
        return (tuple(sorted(rows)),)
    *renamed, grouping = labels
    if not renamed:
        groups = (
            tuple(sorted(row for row, label in zip(rows, grouping, strict=True) if label == g)) for g in set(grouping)
        )
        return tuple(sorted(groups))
    names = sorted(set(renamed[0]))
    return min(
        canonical([(*row, order[names.index(label)]) for row, label in zip(rows, renamed[0], strict=True)], labels[1:])
        for order in permutations(range(len(names)))
    )


@dataclass(frozen=True)
class Holds:
    """A statement that is true of three images and false of one."""

    statement: Callable[[Seen], Truth]

    def odd(self, images: Sequence[Seen]) -> int:
        """The image of which the statement is false."""
        return exception([self.statement(seen) for seen in images])


@dataclass(frozen=True)
class Either:
    """One of several readings, drawn for the problem."""

    readings: tuple[Reading, ...]

    def odd(self, images: Sequence[Seen]) -> int:
        """The image at which every reading points that points at any."""
        return agreed(partial(reading.odd, images) for reading in self.readings)


@dataclass(frozen=True)
class Bearer:
    """One object of each image has a value of `column` that all images share; its rank in `ranked` is read across."""

    column: str
    ranked: str

    def odd(self, images: Sequence[Seen]) -> int:
        """The image in which the bearer has another rank."""
        return agreed(partial(self._odd_by, value, images) for value in range(images[0].count))

    def _odd_by(self, value: int, images: Sequence[Seen]) -> int:
        """The same, if the value is that of this object of the first image."""
        column = COLUMNS[self.column]
        distances = np.split(column.distances(images)[value], np.cumsum([seen.count for seen in images])[:-1])
        ranks = []
        for seen, row in zip(images, distances, strict=True):
            alike = [column.margin.same(distance) for distance in row]
            if None in alike or alike.count(True) != 1:
                raise Undecided(f"not just one object of every image has a {self.column} of all images")
            ranks.append(int(COLUMNS[self.ranked].ranks(seen)[alike.index(True)]))
        return stranger(ranks, operator.eq)


# Words for the table below


def table(*columns: str, top: bool = False) -> Table:
    """Rows of these columns, the same in three images."""
    return Table(columns, top)


def across(
    read: Callable[..., Any], *given: Any, margin: Margin = EXACT, distance: Callable[..., Any] = unequal
) -> Across:
    """A value that three images share."""
    return Across(partial(read, *given), margin, distance)


def angles(read: Callable[[Seen], float], *, period: float, margin: Margin = TURN) -> Across:
    """An angle in degrees that three images share."""
    return Across(read, margin, partial(circular, period=period))


def holds(statement: Callable[..., Truth], *given: Any) -> Holds:
    """A statement that is true of three images."""
    return Holds(partial(statement, *given))


def either(*readings: Reading) -> Either:
    """One of several readings."""
    return Either(readings)


def on_an_axis(word: Callable[[str], Reading]) -> Either:
    """A reading on the x axis, or the same on the y axis."""
    return either(word("x"), word("y"))


@dataclass(frozen=True)
class Meaning:
    """A rule: what it says to a person, and how it is read; the shifted version only where it is read differently."""

    sentence: str
    reading: Reading
    shifted: Reading | None = None
    touching: bool = False  # the rule speaks of contact, so outlines may touch

    def read(self, *, shifted: bool) -> Reading:
        """The reading of one of the two versions."""
        return self.shifted if shifted and self.shifted else self.reading


def contact(sentence: str, reading: Reading) -> Meaning:
    """A rule that speaks of contact."""
    return Meaning(sentence, reading, touching=True)


SHAPES_ARE_CLUMPS = holds(laws.same_when_same, "clump", "shape")
HUES_ARE_SHAPES = holds(laws.same_when_same, "shape", "hue")
PICKS = [(pick, axis) for axis in "xy" for pick in ("first", "middle", "last")]

# Where the published sentence is wrong, ours says what is true of the images: 48 (it repeats 47), 51 (nothing is turned
# as a whole), 57 (both couples, each image), 95 (the odd image differs in shapes; flips and turns mean nothing)
READINGS: dict[int, Meaning] = {
    0: Meaning("Three images show the same shape; the odd one shows another.", table("shape")),
    1: Meaning("The object is at the same place in three images, elsewhere in the odd one.", table("place")),
    2: Meaning("The object has the same size in three images, another in the odd one.", table("size")),
    3: Meaning("The object has the same hue in three images, another in the odd one.", table("hue")),
    4: Meaning("Three images show the same shape, turned in any way; the odd one shows another.", table("shape")),
    5: Meaning("Three images show the same shape, mirrored or not; the odd one shows another.", table("shape")),
    6: Meaning("Three images have the same number of objects.", across(laws.objects)),
    7: Meaning("One object is inside the other; in the odd image they are apart.", holds(laws.arranged, ("o(o)",))),
    8: contact("The two objects touch; in the odd image they are apart.", holds(laws.arranged, ("o-o",))),
    9: Meaning(
        "A quarter turn about the small marker takes one object to the other; in the odd image it does not.",
        holds(laws.quarter_turn),
    ),
    10: Meaning(
        "The two objects are mirror images of each other across some line; in the odd image they are not.",
        holds(laws.reflection),
    ),
    11: Meaning(
        "The objects are in the same arrangement in three images, wherever it lies; in the odd one in another.",
        across(laws.places, margin=LAYOUT, distance=laws.layout_distance),
    ),
    12: Meaning(
        "Two sets of objects are in the same arrangement; in the odd image the arrangements differ.",
        holds(laws.repeats_layout),
    ),
    13: Meaning(
        "The same number of objects stands in a straight row in three images, others beside it.",
        across(laws.longest_row),
    ),
    14: Meaning(
        "The same side of the image has more objects than the other; in the odd image the other side has more.",
        across(laws.fuller_side, "x"),
        on_an_axis(lambda axis: across(laws.fuller_side, axis)),
    ),
    15: Meaning(
        "The lowest object has the same place in the order from left to right in three images.",
        across(laws.rank_of, "last", "x"),
        either(*(across(laws.rank_of, pick, axis) for pick, axis in PICKS)),
    ),
    16: Meaning(
        "The objects stand in the same number of columns in three images.",
        across(laws.line_count, "x"),
        on_an_axis(lambda axis: across(laws.line_count, axis)),
    ),
    17: Meaning("The same number of objects contain another in three images.", across(laws.filled)),
    18: Meaning("The number of objects is even in three images and odd in one, or the reverse.", across(laws.parity)),
    19: Meaning("The two objects have the same shape; in the odd image they differ.", holds(laws.all_same, "shape")),
    20: contact(
        "The two objects that touch have the same shape, the third another; in the odd image the touching ones differ.",
        SHAPES_ARE_CLUMPS,
    ),
    21: contact("All objects hang together by contact; in the odd image not all do.", holds(laws.all_same, "clump")),
    22: Meaning(
        "One object contains the two others; in the odd image it does not contain both.",
        holds(laws.arranged, ("o(o(o))", "o(o o)")),
    ),
    23: Meaning("One object contains all others; in the odd image some lie outside.", holds(laws.one_contains_all)),
    24: Meaning(
        "Just the objects on one side of the image contain another, the same side in three images.",
        across(laws.filled_side, "x"),
        on_an_axis(lambda axis: across(laws.filled_side, axis)),
    ),
    25: Meaning(
        "The inner object lies at one side of its container in three images, at the opposite one in the odd image.",
        across(laws.inner_side, "x"),
        on_an_axis(lambda axis: across(laws.inner_side, axis)),
    ),
    26: Meaning(
        "Two inner objects lie side by side in three images and one above the other in the odd one, or the reverse.",
        across(laws.inner_direction),
    ),
    27: Meaning(
        "Of three objects in a line the one at the same end contains another; in the odd image that at the other end.",
        table("y", "filled", top=True),
        on_an_axis(lambda axis: table(axis, "filled", top=True)),
    ),
    28: Meaning(
        "The two objects have the same shape, turned in any way; in the odd image they differ.",
        holds(laws.all_same, "shape"),
    ),
    29: Meaning(
        "The two objects have the same shape, one of them mirrored; in the odd image the shapes differ.",
        holds(laws.twins_mirrored),
    ),
    30: Meaning(
        "One object is the other turned by the same angle in three images, by another in the odd one.",
        angles(laws.turn_between, period=360),
    ),
    31: Meaning(
        "Of an upper and a lower couple the same one is closer together in three images.",
        across(laws.closer_row, "y"),
        on_an_axis(lambda axis: across(laws.closer_row, axis)),
    ),
    32: Meaning(
        "Of three columns the last has as many objects as the other two together; in the odd image it has not.",
        holds(laws.sums_up, 2),
        either(*(holds(laws.sums_up, column) for column in range(3))),
    ),
    33: Meaning("The same one of two shapes is the larger in three images.", table("shape", "size#")),
    34: Meaning("Just two of three objects have the same size.", holds(laws.has_tally, "size", (2, 1))),
    35: Meaning("All three objects differ in size.", holds(laws.has_tally, "size", (1, 1, 1))),
    36: Meaning("One object is half the size of the other; in the odd image it is not.", holds(laws.half_size)),
    37: Meaning(
        "The sizes on the right are in the same order as in the other images, relative to those on the left.",
        across(laws.size_permutation),
    ),
    38: Meaning(
        "The scene mirrors itself across its middle, larger objects farther out; the odd image breaks one of the two.",
        holds(laws.mirrored_by_size, "x"),
        on_an_axis(lambda axis: holds(laws.mirrored_by_size, axis)),
    ),
    39: Meaning(
        "Couples of objects are turned about the small marker, larger ones farther out; in the odd image they are not.",
        holds(laws.orbiting_by_size),
    ),
    40: Meaning("The two objects have the same hue; in the odd image they differ.", holds(laws.all_same, "hue")),
    41: Meaning("All objects have the same hue; in the odd image not all have.", holds(laws.all_same, "hue")),
    42: Meaning(
        "The two objects mirror each other across a line of the same direction in three images.",
        angles(laws.reflection_axis, period=180),
    ),
    43: Meaning(
        "The same turn about the small marker takes one object to the other in three images.",
        angles(laws.orbit_turn, period=360),
    ),
    44: contact(
        "The two objects that touch have the same shape, at any size; in the odd image the touching ones differ.",
        SHAPES_ARE_CLUMPS,
    ),
    45: contact(
        "The two objects that touch have the same shape, in any color; in the odd image the touching ones differ.",
        SHAPES_ARE_CLUMPS,
    ),
    46: contact("Every object touches another; in the odd image one stands alone.", holds(laws.no_singles, "clump")),
    47: Meaning(
        "The larger object comes first, or second, on an axis in three images.",
        on_an_axis(lambda axis: table(axis, "size#")),
    ),
    48: Meaning(
        "Of two sets of objects the one of the same shape is spread wider in three images.",
        across(laws.wider_shape),
    ),
    49: Meaning(
        "The same one of two shapes comes first on an axis; the odd image has another order or another shape.",
        on_an_axis(lambda axis: table(axis, "shape")),
        on_an_axis(lambda axis: either(table(axis, "shape"), across(laws.aligned, axis))),
    ),
    50: Meaning(
        "The same shapes are neighbors in three images; in the odd one two of them changed partners.",
        table("couple'", "shape"),
    ),
    51: Meaning(
        "Three images have one arrangement with the same turn at each place; in the odd image turns change places.",
        table("slot", "angle"),
    ),
    52: Meaning(
        "One set of objects is the other turned as a whole; in the odd image its arrangement is another.",
        holds(laws.repeats_turned_layout),
    ),
    53: Meaning(
        "The same one of two hues comes first on an axis in three images.", on_an_axis(lambda axis: table(axis, "hue"))
    ),
    54: Meaning(
        "In one arrangement the same places share a hue, whichever it is; in the odd image other places do.",
        table("slot", "hue'"),
    ),
    55: contact(
        "The two objects touch along the same direction in three images.",
        angles(laws.contact_direction, period=180, margin=DIRECTION),
    ),
    56: Meaning(
        "Of two shapes, twice each, the same ones are large and small in three images.",
        table("shape", "size#"),
        table("shape'", "size#"),
    ),
    57: Meaning(
        "In two couples of shapes the same ones are the smaller; in the odd image one couple is reversed.",
        either(*(across(laws.couple_sizes, coupling) for coupling in range(3))),
        either(*(across(laws.couples_agree, coupling) for coupling in range(3))),
    ),
    58: Meaning(
        "From the largest to the smallest the objects turn one way by equal steps; in the odd image the other way.",
        across(laws.sense_by_size),
    ),
    59: Meaning(
        "The larger of two objects, or the smaller, contains a third in three images.",
        table("size#", "filled", top=True),
    ),
    60: contact("Sizes touch each other in the same combinations in three images.", table("clump'", "size#")),
    61: Meaning("The same numbers of objects are small, larger, and largest in three images.", table("size#")),
    62: Meaning("There are as many different sizes in three images.", across(laws.kinds, "size")),
    63: Meaning(
        "Each of two shapes has its own hue in three images; in the odd one the hues are exchanged.",
        table("shape", "hue"),
    ),
    64: Meaning("Objects have the same hue exactly when they have the same shape.", HUES_ARE_SHAPES),
    65: Meaning(
        "Objects of the same shape all differ in hue; in the odd image two of a shape share one.",
        holds(laws.different_when_same, "shape", "hue"),
    ),
    66: Meaning(
        "The same shape contains the other in three images; in the odd one they change places.", table("depth", "shape")
    ),
    67: Meaning(
        "What is inside an object has its shape; in the odd image it has another.", holds(laws.like_container, "shape")
    ),
    68: Meaning("Shapes occur the same numbers of times in three images.", table("shape'")),
    69: Meaning("There are as many different shapes in three images.", across(laws.kinds, "shape")),
    70: Meaning("Objects have the same hue exactly when they have the same shape, turned in any way.", HUES_ARE_SHAPES),
    71: Meaning(
        "One filled object is the other turned, and its content turned by the same angle; in the odd image it is not.",
        holds(laws.turned_with_content),
    ),
    72: Meaning(
        "What is inside an object has its shape, turned in any way; in the odd image it has another.",
        holds(laws.like_container, "shape"),
    ),
    73: Meaning("Shapes, turned in any way, occur the same numbers of times in three images.", table("shape'")),
    74: Meaning(
        "The outer and the inner object have the same hues in three images, exchanged in the odd one.",
        table("depth", "hue"),
    ),
    75: Meaning(
        "What is inside an object has its hue; in the odd image it has another.", holds(laws.like_container, "hue")
    ),
    76: contact(
        "Hues touch each other in the same pattern in three images, whichever they are.", table("clump'", "hue'")
    ),
    77: Meaning("Hues occur the same numbers of times in three images, whichever they are.", table("hue'")),
    78: Meaning("There are as many different hues in three images.", across(laws.kinds, "hue")),
    79: contact(
        "Filled objects touch each other and empty ones do, or each filled one touches an empty one, in three images.",
        table("clump'", "filled", top=True),
    ),
    80: contact("Clumps of touching objects have the same sizes in three images.", table("clump'")),
    81: contact(
        "There are as many clumps of touching objects, single ones included, in three images.",
        across(laws.kinds, "clump"),
    ),
    82: Meaning(
        "The larger object has the same hue in three images; in the odd one the smaller has it.", Bearer("hue", "size")
    ),
    83: Meaning(
        "Objects have the same hue exactly when they have the same size.", holds(laws.same_when_same, "size", "hue")
    ),
    84: Meaning(
        "Objects that a turn about the small marker takes to each other share their hue; in the odd image two do not.",
        holds(laws.orbiting_by_hue),
    ),
    85: Meaning(
        "Mirror images share their hue; in the odd image two couples do not.",
        holds(laws.mirrored_by_hue, "x"),
        on_an_axis(lambda axis: holds(laws.mirrored_by_hue, axis)),
    ),
    86: Meaning("Of two shapes, turned in any way, the same one occurs twice in three images.", table("shape")),
    87: contact("Objects have the same shape exactly when they hang together by contact.", SHAPES_ARE_CLUMPS),
    88: contact(
        "The two objects that touch have the same shape, turned in any way; in the odd image the touching ones differ.",
        SHAPES_ARE_CLUMPS,
    ),
    89: contact(
        "Objects have the same shape, turned in any way, exactly when they hang together by contact.", SHAPES_ARE_CLUMPS
    ),
    90: Meaning(
        "Of couples facing each other just the filled ones are mirror images; in the odd image just the empty ones.",
        holds(laws.filled_where_mirrored, "x"),
        on_an_axis(lambda axis: holds(laws.filled_where_mirrored, axis)),
    ),
    91: Meaning("Shapes, mirrored or not, occur the same numbers of times in three images.", table("shape'")),
    92: Meaning(
        "One filled object is the other mirrored, and so is what is inside; in the odd image one of them is not.",
        holds(laws.mirrored_with_content),
    ),
    93: Meaning(
        "What is inside an object is its mirrored shape; in the odd image it is not mirrored.",
        holds(laws.mirrors_container),
    ),
    94: Meaning("Objects have the same hue exactly when they have the same shape, mirrored or not.", HUES_ARE_SHAPES),
    95: Meaning(
        "Of two shapes, mirrored and turned in any way, the same one occurs twice in three images.", table("shape")
    ),
    96: Meaning(
        "The right objects are the left ones turned by one angle, the lower row is mirrored; the odd image breaks it.",
        holds(laws.same_turn_mirrored_rows),
    ),
    97: Meaning(
        "Against the middle one the largest is mirrored one way, the smallest the other; in the odd image reversed.",
        across(laws.flips_by_size),
    ),
    98: Meaning(
        "The objects turn the same way by equal steps along a line; in the odd image they do not.",
        across(laws.sense_along, "x"),
        on_an_axis(lambda axis: across(laws.sense_along, axis)),
    ),
    99: Meaning(
        "Of three objects in a line the same ones are mirrored against the middle one in three images.",
        across(laws.flips_along, "x"),
        on_an_axis(lambda axis: across(laws.flips_along, axis)),
    ),
    100: Meaning(
        "One object is the other mirrored across the line through both; in the odd image it is not.",
        holds(laws.mirrored_across_joining_line),
    ),
    101: contact(
        "The two objects that touch have the same shape, mirrored or not; in the odd image the touching ones differ.",
        SHAPES_ARE_CLUMPS,
    ),
    102: contact(
        "Objects have the same shape, mirrored or not, exactly when they hang together by contact.", SHAPES_ARE_CLUMPS
    ),
}
