"""The words that rules are written in: who is there, what is equal, where it lies, and what the odd image changes.

Three ideas carry the table. A factor of an image is two draws: a *pattern*, which says who equals whom, and a palette,
which says what values there are, shared by the problem (P) or drawn for each image (I). The odd image is the same scene
with an override, and so is the shifted version. What a rule means is a reading (`readings.py`), which only the verifier
computes.

Everything here is plain data; `recipes` makes it ready for the kernels that act on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from unseen.benchmarks.cvr.readings import Meaning
from unseen.benchmarks.cvr.words.kernels import ANY, MOST, NONE

Span = tuple[float, float]
Number = int | str  # a number, or the name of a draw, times and plus what is written: "n", "n-1", "k*2+2"


# ------------------------------------------------------------------------------------------------ draws and factors


@dataclass(frozen=True)
class Draw:
    """A number (or several) that a scene is built from, drawn by one of the functions of `draws.py`."""

    level: str
    kind: str
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Factor:
    """A property of objects: who has the same value (`pattern`), and from where values come.

    A pattern is "all", "each", the name of a grouping of the bodies ("group", "clump", "pair", ...), letters ("aab"),
    "$name" for a draw, or "parent": what the container has.
    """

    level: str
    pattern: str
    span: Span = (0.0, 1.0)
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def option(self) -> Callable[..., Any]:
        """An option's value by its name, or what is given instead."""
        return self.options.get

    def but(self, pattern: str | None = None, level: str | None = None, **options: Any) -> Factor:
        """The same factor with differences."""
        merged = {**self.options, **options}
        return replace(self, pattern=pattern or self.pattern, level=level or self.level, options=merged)


@dataclass(frozen=True)
class Level:
    """When a value is drawn: P once for the problem, I for each image, S for all four at once without repeating."""

    name: str

    def __call__(self, pattern: str = "all", low: float = 0.0, high: float = 1.0, **options: Any) -> Factor:
        """A factor whose values are drawn at this level."""
        return Factor(self.name, pattern, (low, high), options)

    def draw(self, kind: str, *args: Any) -> Draw:
        """A named draw of this level."""
        return Draw(self.name, kind, args)

    def between(self, low: Number, high: Number, *most: Number) -> Draw:
        """A whole number, both ends included, and no more than `most`."""
        return self.draw("between", low, high, *most)

    def one_of(self, *values: Any) -> Draw:
        """One of several values."""
        return self.draw("one_of", *values)

    def parts(self, count: Number, low: int, high: int) -> Draw:
        """So many whole numbers within bounds."""
        return self.draw("parts", count, low, high)

    def composition(self, total: Number, count: Number) -> Draw:
        """So many whole numbers of at least 1 that make up a total."""
        return self.draw("composition", total, count)


P = Level("problem")
I = Level("image")  # noqa: E741
S = Level("spread")


# ------------------------------------------------------------------------------------------------ bodies


@dataclass(frozen=True)
class Bodies:
    """Who is there: what contains what, what touches what, and how objects are grouped."""

    kind: str
    args: tuple[Any, ...] = ()


def bodies(text: str, *, small: str = "") -> Bodies:
    """Bodies in letters: `()` contains, `-` touches, a space is apart: "a(b)", "a-b c"; "$s" is drawn.

    `small="b of a"`: b is as small as if it were in a, wherever it is.
    """
    return Bodies("written", (text, small))


def singles(n: Number) -> Bodies:
    """So many objects, apart."""
    return Bodies("singles", (n,))


def groups(counts: Number) -> Bodies:
    """Objects apart, in groups of drawn sizes."""
    return Bodies("groups", (counts,))


def clumps(counts: Number) -> Bodies:
    """Objects in clumps of drawn sizes, those of a clump touching."""
    return Bodies("clumps", (counts,))


def filled(count: Number, of: Number) -> Bodies:
    """So many objects of which the first few contain another."""
    return Bodies("filled", (count, of))


def sided(counts: Number, group: Number) -> Bodies:
    """Two groups of objects, of which those of one group contain another."""
    return Bodies("sided", (counts, group))


def nest(inside: Number, outside: Number = 0) -> Bodies:
    """One object that contains some small ones, and others outside."""
    return Bodies("nest", (inside, outside))


def pairs(count: Number, *, marker: bool = False, filled: Number = 0) -> Bodies:
    """Pairs of objects, of which the first few pairs are filled; a marker may come first."""
    return Bodies("pairs", (count, marker, filled))


def sets(count: int, of: Number) -> Bodies:
    """So many sets of objects of equal number."""
    return Bodies("sets", (count, of))


@dataclass(frozen=True)
class Cast:
    """The objects of one image: for each the one that contains it, the one it touches, and what its size refers to."""

    parent: tuple[int, ...]
    touches: tuple[int, ...]  # an earlier member of the clump, ANY of them, or NONE
    measure: tuple[int, ...]  # whose size its own is a share of
    labels: Mapping[str, tuple[int, ...]]

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def outer(self) -> int:
        """How many objects are not inside another."""
        return self.parent.count(NONE)

    @cached_property
    def clumps(self) -> tuple[int, ...]:
        """The first member of each object's clump: itself, where it touches nothing before it."""
        first: list[int] = []
        for i, partner in enumerate(self.touches):
            first.append(i if partner == NONE else first[i - 1] if partner == ANY else first[partner])
        return tuple(first)

    @cached_property
    def marked(self) -> bool:
        """Whether the first object is a marker, and no part of a pair."""
        pair = self.labels.get("pair", (0, 0))
        return pair[0] != pair[1]

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """What each offset counts from: the container, the first of the clump, or NONE for the root of a body."""
        own = range(len(self))
        return tuple(
            parent if parent != NONE else NONE if first == i else first
            for i, parent, first in zip(own, self.parent, self.clumps, strict=True)
        )


@lru_cache(maxsize=4096)
def cast(kind: str, *args: Any) -> Cast:
    """The objects of bodies whose numbers are settled."""
    return globals()[f"_{kind}"](*args)  # type: ignore[no-any-return]


def _cast(
    parent: list[int], touches: list[int] | None = None, measure: list[int] | None = None, **labels: list[int]
) -> Cast:
    n = len(parent)
    touches = touches or [NONE] * n
    own = [i if outer == NONE else outer for i, outer in enumerate(parent)]
    labels = {"all": [0] * n, "each": list(range(n)), "parent": own} | labels
    return Cast(
        tuple(parent), tuple(touches), tuple(measure or parent), {name: tuple(label) for name, label in labels.items()}
    )


def _written(text: str, small: str = "") -> Cast:
    """Objects from letters, in alphabetical order, whatever the order they are written in."""
    letters = sorted(set(re.findall("[a-z]", text)))
    number = {letter: i for i, letter in enumerate(letters)}
    parent, touches = [NONE] * len(letters), [NONE] * len(letters)
    for body in text.split():
        inside: list[int] = []
        last, touching = NONE, False
        for sign in body:
            if sign == "(":
                inside.append(last)
            elif sign == ")":
                last = inside.pop()
            elif sign == "-":
                touching = True
            elif sign.isalpha():
                if inside:
                    parent[number[sign]] = inside[-1]
                if touching:
                    touches[number[sign]] = last
                    touching = False
                last = number[sign]
    measure = list(parent)
    if small:
        inner, _, outer = small.split()
        measure[number[inner]] = number[outer]
    return _cast(parent, touches, measure)


def _singles(n: int) -> Cast:
    return _cast([NONE] * n)


def _by_group(counts: tuple[int, ...]) -> list[int]:
    return [group for group, count in enumerate(counts) for _ in range(count)]


def _groups(counts: tuple[int, ...]) -> Cast:
    group = _by_group(counts)
    within = [i for count in counts for i in range(count)]
    return _cast([NONE] * len(group), group=group, within=within)


def _clumps(counts: tuple[int, ...]) -> Cast:
    group = _by_group(counts)
    touches = [ANY if i and group[i] == group[i - 1] else NONE for i in range(len(group))]
    return _cast([NONE] * len(group), touches, group=group)


def _filled(count: int, of: int) -> Cast:
    inner = list(range(count))
    return _cast([NONE] * of + inner)


def _sided(counts: tuple[int, ...], group: int) -> Cast:
    side = _by_group(counts)
    inner = [i for i, one in enumerate(side) if one == group]
    return _cast([NONE] * len(side) + inner, group=side + [group] * len(inner))


def _nest(inside: int, outside: int) -> Cast:
    parent = [NONE] + [0] * inside + [NONE] * outside
    return _cast(parent, measure=[NONE] + [0] * (inside + outside))


def _pairs(count: int, marker: bool, filled: int) -> Cast:
    first = int(marker)
    pair = [0] * first + [first + k for k in range(count) for _ in range(2)]
    parent = [NONE] * len(pair) + [first + i for i in range(2 * filled)]
    inner = [k for k in range(filled) for _ in range(2)]
    shell = [0] * len(pair) + [1 + k for k in inner]
    return _cast(parent, pair=pair + [first + k for k in inner], shell=shell)


def _sets(count: int, of: int) -> Cast:
    return _cast([NONE] * (count * of), set=[k for k in range(count) for _ in range(of)])


# ------------------------------------------------------------------------------------------------ places


@dataclass(frozen=True)
class Place:
    """Where the bodies go; the subclasses are the words."""


@dataclass(frozen=True)
class Scatter(Place):
    """Anywhere, boxes apart."""


@dataclass(frozen=True)
class Ranked(Place):
    """Anywhere, but the object that is first, in the middle or last across the axis has rank k along it."""

    axis: Number
    which: Number
    k: Number


@dataclass(frozen=True)
class Fixed(Place):
    """One center for the problem."""

    apart: float = 0.0  # how far the odd image's is


@dataclass(frozen=True)
class Line(Place):
    """In order along an axis, free across it."""

    axis: Number = 0
    first: Number = NONE  # the place of the first object, where the others come in any order


@dataclass(frozen=True)
class Sides(Place):
    """In two half images, with an empty strip between: bodies of group 0 in the first."""

    axis: Number = 0
    side: Number = 0  # where group 0 is


@dataclass(frozen=True)
class Columns(Place):
    """In columns, a group each; `order` permutes the columns."""

    axis: Number = 0
    order: Number | tuple[int, ...] = tuple(range(MOST))


@dataclass(frozen=True)
class Cells(Place):
    """At given centers."""

    centers: tuple[Span, ...]


@dataclass(frozen=True)
class Config(Place):
    """Relative positions that are kept as one thing and moved together."""

    extent: Span = (0.35, 0.7)
    extent_level: str = "problem"
    sets: bool = False  # each set has positions of its own, and their extents follow a ladder
    ratio: Span = (1.0, 1.0)  # of the second set's extent to the first's
    swap: bool = False  # the extents exchanged
    other: bool = False  # other positions than those of the problem


@dataclass(frozen=True)
class Copied(Place):
    """Two sets, the second placed as the first is: moved, or moved and turned."""

    extent: Span
    extent_level: str = "problem"
    turned: bool = False
    other: bool = False  # the second is placed by itself, in a box of the same size


@dataclass(frozen=True)
class Oblique(Place):
    """The first k objects on a straight slanted line, the others off it."""

    k: Number


@dataclass(frozen=True)
class Couples(Place):
    """Couples of neighbors: in rows with distances, or at cells with directions."""

    rows: bool = False
    axis: Number = 0
    near: Number = 0  # the row whose couple is closer
    free: bool = False  # directions of each image


@dataclass(frozen=True)
class Mirror(Place):
    """Pairs reflected across a line: any, one whose normal is drawn, the middle, or the line that joins them."""

    axis: Literal["free", "drawn", "middle", "either", "joining"] = "middle"
    normal: Number = 0  # of the drawn one, in degrees
    distance: Literal["free", "linear", "shuffled"] = "free"
    broken: Literal["", "places"] = ""
    roles: bool = False  # only filled pairs are mirrored, or, where `swap`, only empty ones
    swap: bool = False


@dataclass(frozen=True)
class Orbit(Place):
    """Pairs turned about a marker or the middle."""

    turn: Number = 90
    about: Literal["marker", "middle"] = "marker"
    distance: Literal["free", "linear", "shuffled"] = "free"
    broken: Literal["", "places"] = ""


@dataclass(frozen=True)
class Motifs(Place):
    """Two filled containers, the second pair the first as a whole under a motion."""

    motion: Literal["turn", "mirror"]
    moved: Literal["", "outer", "inner"] = ""  # which does not follow the motion


# ------------------------------------------------------------------------------------------------ scenes and changes


@dataclass(frozen=True)
class Correction:
    """What single objects have instead: a word, the object that it concerns, and a span of numbers."""

    word: Literal["", "scale", "turn", "turn both", "flip", "reshape", "mirror children", "copy children"] = ""
    which: int = 0
    span: Span = (0.0, 0.0)


PLAIN_SHAPE, PLAIN_SIZE, PLAIN_COLOR, UNTURNED = I("each"), I("each", 0.2, 0.4), I("all"), I("none")


@dataclass(frozen=True)
class Scene:
    """An image's recipe."""

    bodies: Bodies
    place: Place = Scatter()
    shape: Factor = PLAIN_SHAPE
    size: Factor = PLAIN_SIZE
    color: Factor = PLAIN_COLOR
    angle: Factor = UNTURNED
    flip: Factor = UNTURNED
    draws: Mapping[str, Draw] = field(default_factory=dict)
    window: Literal["", "side", "along"] = ""  # where in their container inner objects lie: on a side, along an axis
    direction: Number | None = None  # of contact, in degrees
    after: Correction = Correction()

    def but(self, **changes: Any) -> Scene:
        """The same scene with differences.

        Draws are added to the others, a word for a factor is another pattern of it, a mapping further options, and what
        no field is called is a setting of the place.
        """
        names = {one.name for one in fields(self)}
        settled = {name: value for name, value in changes.items() if name in names}
        for name in FACTORS:
            if isinstance(settled.get(name), str):
                settled[name] = getattr(self, name).but(settled[name])
            elif isinstance(settled.get(name), Mapping):
                settled[name] = getattr(self, name).but(**settled[name])
        drawn = {name: value for name, value in changes.items() if isinstance(value, Draw)}
        placed = {name: value for name, value in changes.items() if name not in names and name not in drawn}
        if drawn or "draws" in settled:
            settled["draws"] = {**self.draws, **settled.get("draws", {}), **drawn}
        if placed:
            settled["place"] = replace(settled.get("place", self.place), **placed)
        return replace(self, **settled)


@dataclass(frozen=True)
class Change:
    """What one image has instead: overrides of its scene, an exchange of values, or factors drawn again."""

    scene: Mapping[str, Any] = field(default_factory=dict)
    exchange: str = ""  # the factor of which two objects exchange their values
    anew: tuple[str, ...] = ()  # factors of the problem that are drawn again


def instead(**scene: Any) -> Change:
    """The odd image has this instead."""
    return Change(scene)


def redraw(*names: str) -> Change:
    """Something shared by the problem is drawn again, and comes out otherwise: factors, or draws."""
    factors = tuple(name for name in names if name in FACTORS)
    drawn = {name: Draw("image", "again", (name,)) for name in names if name not in FACTORS}
    return Change(drawn, anew=factors)


def exchange(factor: str) -> Change:
    """Two objects exchange their values of a factor, so that the values of the whole image stay the same."""
    return Change(exchange=factor)


FACTORS = ("shape", "size", "color", "angle", "flip")


@dataclass(frozen=True)
class Rule:
    """A row of the table."""

    id: int
    name: str
    relations: tuple[str, ...]
    meaning: Meaning
    scene: Scene
    odd: Change | tuple[Change, ...]
    shifted: Mapping[str, Any] = field(default_factory=dict)  # what the scene has instead; the rest follows `shift`
    shifted_odd: tuple[Change, ...] = ()  # where it differs from `odd`
    unless: str = ""  # a coincidence that would make another image odd, one of coincidences.py
    tells: Mapping[str, str] = field(default_factory=dict)  # statistics that carry the rule, and why they must

    @property
    def sentence(self) -> str:
        """What the rule says, to a person."""
        return self.meaning.sentence
