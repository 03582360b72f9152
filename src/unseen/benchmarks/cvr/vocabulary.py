"""The words that rules are written in: who is there, what is equal, where it lies, and what the odd image changes.

Three ideas carry the table. A factor of an image is two draws: a *pattern*, which says who equals whom, and a palette,
which says what values there are, shared by the problem (P) or drawn for each image (I). The odd image is the same scene
with an override, and so is the shifted version. What a rule means is a reading (`meaning`), which only the verifier
computes.

Everything here is plain data; `sample/recipe.py` makes it ready for the kernels that act on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from unseen.benchmarks.cvr.kernels.words import MOST, NONE
from unseen.benchmarks.cvr.meaning import Meaning
from unseen.core.errors import unknown

Span = tuple[float, float]
Number = int | str  # a number, or the name of a draw, times and plus what is written: "n", "n-1", "k*2+2"


# ------------------------------------------------------------------------------------------------ draws and factors


@dataclass(frozen=True)
class Draw:
    """A number (or several) that a scene is built from, drawn by one of the functions of `sample/numbers.py`."""

    level: str
    kind: str
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Factor:
    """A property of objects: who has the same value (`pattern`), and from where values come.

    A pattern is "all", "each", the name of a grouping of the bodies ("group", "clump", "pair", ...), letters ("aab"),
    "$name" for a draw, or "parent": what the container has. Each factor is a class, whose further fields are all the
    options that a row can give it.
    """

    level: str = "image"
    pattern: str = "all"
    span: Span = (0.0, 1.0)

    def but(self, pattern: str | None = None, level: str | None = None, **options: Any) -> Self:
        """Return the same factor with differences."""
        refuse_unknown(options, type(self))
        return replace(self, pattern=pattern or self.pattern, level=level or self.level, **options)


@dataclass(frozen=True)
class Shape(Factor):
    """Which contour objects have."""

    lopsided: bool = False  # only shapes that look different when they are turned or mirrored
    fresh: int = MOST  # letters from this number on are drawn for each image, even at level P
    unlike: bool = False  # the rule tells objects apart by shape, so different shapes must look different


@dataclass(frozen=True)
class Size(Factor):
    """How large objects are; a share is of the size of what an object is measured by, its container."""

    ratio: Span | str | None = None  # ratio of each letter's size to the size of the letter before it
    across: Span | None = None  # ratio of the largest letter's size to the smallest's, however many are between
    apart: bool = False  # sizes of the letters are spread evenly over the span, in random order
    redrawn: Span | None = None  # ratio of the odd image's size to the problem's, or the other way round
    root: bool = False  # sizes are divided by the square root of the number of outermost objects
    over: bool | int | Literal["most"] = False  # sizes are divided by that number, another, or the most of groups
    box: bool = False  # sizes are a share of the place's extent, divided among the objects
    total: Span | None = None  # sum of all sizes of an image
    area: Span | None = None  # side of a box as large as the boxes of all objects together
    cap: float | None = None  # largest sum of all sizes of an image
    zoom: Span | None = None  # factor by which all sizes of an image are multiplied
    inner: Span | None = None  # size of an inner object as a share of its container's
    inner_over: bool = False  # `inner` is divided by the number of inner objects
    inner_alike: bool = False  # all inner objects have the same share
    inner_of_smallest: bool = False  # `inner` is a share of the smallest outer object's size
    marker: float | None = None  # size of the marker
    fit: Span | None = None  # longer side of a body, divided by the square root of the number of bodies
    lone: float = 1.0  # factor on `fit` for a body of a single object


@dataclass(frozen=True)
class Color(Factor):
    """Which hue, saturation and value objects have; hues carry a rule where a saturation is given."""

    gap: float = 0.0  # least distance between the hues of two letters, on a circle of length 1
    saturation: Span | None = None  # range of saturations; giving it makes hues carry the rule
    value: Span | None = None  # range of values, as in HSV
    shared: bool = False  # one saturation and one value for the whole problem
    dull: bool = False  # grayish and dark colors, where colors carry nothing
    fresh: bool = False  # the hue of the second letter is drawn for each image
    unlike: float = 0.0  # least distance between the hue of a container and that of another that its content could have
    moved: bool = False  # contents have the hues of other containers than theirs, or of empty objects


@dataclass(frozen=True)
class Angle(Factor):
    """How far objects are turned, in degrees; the pattern may also be "none", or "steps" from a free beginning."""

    gap: float = 0.0  # least difference between the angles of two letters
    values: tuple[float, ...] = ()  # angle of each letter
    step: Number | None = None  # size of a step in the pattern steps, where it is not drawn from the span
    ranks: Number | tuple[int, ...] | None = None  # steps by which each object is turned; 0, 1, 2, ... if not given
    bases: tuple[int, ...] = ()  # number of the starting angle of each object, where there are several


@dataclass(frozen=True)
class Flip(Factor):
    """Whether objects are mirrored; the pattern may also be "none", and S("two of four") is of images."""


FACTORS: dict[str, type[Factor]] = {"shape": Shape, "size": Size, "color": Color, "angle": Angle, "flip": Flip}


@dataclass(frozen=True)
class Given:
    """What a row gives a factor; which factor it is, and so what options it has, the scene says."""

    level: str
    pattern: str
    span: Span
    options: Mapping[str, Any]

    def to(self, factor: type[Factor]) -> Factor:
        """Return the factor with what is given."""
        refuse_unknown(self.options, factor)
        return factor(self.level, self.pattern, self.span, **self.options)


def refuse_unknown(options: Iterable[str], factor: type[Factor]) -> None:
    """Refuse an option that a factor does not have."""
    known = [one.name for one in fields(factor) if one not in fields(Factor)]
    for name in options:
        if name not in known:
            raise unknown("option", name, known, where=f"the factor {factor.__name__.lower()}")


@dataclass(frozen=True)
class Level:
    """When a value is drawn: P once for the problem, I for each image, S for all four at once without repeating."""

    name: str

    def __call__(self, pattern: str = "all", low: float = 0.0, high: float = 1.0, **options: Any) -> Any:
        """A factor whose values are drawn at this level, from a span; options are the fields of the factor's class."""
        return Given(self.name, pattern, (low, high), options)

    def draw(self, kind: str, *args: Any) -> Draw:
        """Name a draw of this level by its kind."""
        return Draw(self.name, kind, args)

    def between(self, low: Number, high: Number, *most: Number) -> Draw:
        """Draw a whole number, both ends included, and no more than `most`."""
        return self.draw("between", low, high, *most)

    def one_of(self, *values: Any) -> Draw:
        """Draw one of several values."""
        return self.draw("one_of", *values)

    def parts(self, count: Number, low: int, high: int) -> Draw:
        """Draw several whole numbers within bounds."""
        return self.draw("parts", count, low, high)

    def composition(self, total: Number, count: Number, *most: Number) -> Draw:
        """Draw whole numbers from 1 to `most` that make up a total."""
        return self.draw("composition", total, count, *most)

    def partition(self, total: Number, count: Number, *most: Number) -> Draw:
        """Draw whole numbers from 1 to `most` that make up a total, each multiset as likely as any other."""
        return self.draw("partition", total, count, *most)


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
    """Place some objects apart from each other."""
    return Bodies("singles", (n,))


def groups(counts: Number) -> Bodies:
    """Place objects apart from each other, in groups of drawn sizes."""
    return Bodies("groups", (counts,))


def clumps(counts: Number) -> Bodies:
    """Place objects in clumps of drawn sizes; those of a clump touch."""
    return Bodies("clumps", (counts,))


def filled(count: Number, of: Number) -> Bodies:
    """Place some objects, of which the first few contain another."""
    return Bodies("filled", (count, of))


def sided(counts: Number, group: Number) -> Bodies:
    """Place two groups of objects, of which those of one group contain another."""
    return Bodies("sided", (counts, group))


def nest(inside: Number, outside: Number = 0) -> Bodies:
    """Place one object that contains some small ones, and others outside."""
    return Bodies("nest", (inside, outside))


def pairs(count: Number, *, marker: bool = False, filled: Number = 0) -> Bodies:
    """Place pairs of objects, of which the first few pairs are filled; a marker may come first."""
    return Bodies("pairs", (count, marker, filled))


def sets(count: int, of: Number) -> Bodies:
    """Place several sets of as many objects each."""
    return Bodies("sets", (count, of))


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
    sets: bool = False  # each set has positions of its own, drawn for each image; their extents follow a ladder
    ratio: Span = (1.0, 1.0)  # of the second set's extent to the first's
    swap: bool = False  # the extents exchanged
    other: bool = False  # other positions than those of the problem
    reversed: bool = False  # those of the problem after half a turn, which keeps all distances and how the whole lies


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


TIED = (Mirror, Orbit, Motifs, Config, Copied)  # places whose objects have sizes that belong together


# ------------------------------------------------------------------------------------------------ scenes and changes


@dataclass(frozen=True)
class Correction:
    """What single objects have instead: a word, the object that it concerns, and a span of numbers."""

    word: Literal["", "scale", "turn", "turn both", "flip", "reshape", "mirror children", "copy children"] = ""
    which: int = 0
    span: Span = (0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """An image's recipe."""

    bodies: Bodies
    place: Place = Scatter()
    shape: Shape = Shape(pattern="each")
    size: Size = Size(pattern="each", span=(0.2, 0.4))
    color: Color = Color()
    angle: Angle = Angle(pattern="none")
    flip: Flip = Flip(pattern="none")
    draws: Mapping[str, Draw] = field(default_factory=dict)
    window: Literal["", "side", "along"] = ""  # where in their container inner objects lie: on a side, along an axis
    direction: Number | None = None  # of contact, in degrees
    after: Correction = Correction()

    def __post_init__(self) -> None:
        for name, factor in FACTORS.items():
            given = getattr(self, name)
            if isinstance(given, Given):
                object.__setattr__(self, name, given.to(factor))

    @property
    def parts(self) -> tuple[Factor | Place | Correction, ...]:
        """Draw several whole numbers within bounds."""
        return *(getattr(self, name) for name in FACTORS), self.place, self.after

    def but(self, **changes: Any) -> Scene:
        """Return the same scene with differences.

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
            place = settled.get("place", self.place)
            settings = [one.name for one in fields(place)]
            for name in placed:
                if name not in settings:
                    raise unknown("word", name, [*names, *settings], where=f"a scene with {type(place).__name__}")
            settled["place"] = replace(place, **placed)
        return replace(self, **settled)


@dataclass(frozen=True)
class Change:
    """What one image has instead: overrides of its scene, an exchange of values, or factors drawn again."""

    scene: Mapping[str, Any] = field(default_factory=dict)
    exchange: str = ""  # the factor of which two objects exchange their values
    anew: tuple[str, ...] = ()  # factors of the problem that are drawn again


def instead(**scene: Any) -> Change:
    """Give the odd image something else than the others."""
    return Change(scene)


def redraw(*names: str) -> Change:
    """Draw something that the problem shares again, so that it comes out otherwise: factors, or draws."""
    factors = tuple(name for name in names if name in FACTORS)
    drawn = {name: Draw("image", "again", (name,)) for name in names if name not in FACTORS}
    return Change(drawn, anew=factors)


def exchange(factor: str) -> Change:
    """Exchange the values of two objects in a factor, so that the values of the whole image stay the same."""
    if factor not in FACTORS:
        raise unknown("factor", factor, FACTORS, where="cvr")
    return Change(exchange=factor)


@dataclass(frozen=True)
class Rule:
    """A row of the table."""

    id: int
    name: str
    relations: tuple[str, ...]
    meaning: Meaning
    scene: Scene
    odd: Change | tuple[Change, ...]
    shifted: Mapping[str, Any] = field(default_factory=dict)  # what the scene has instead; the rest follows of itself
    shifted_odd: tuple[Change, ...] = ()  # where it differs from `odd`
    unless: str = ""  # a coincidence that would make another image odd, one of `sample/coincidences.py`
    tells: Mapping[str, str] = field(default_factory=dict)  # statistics that carry the rule, and why they must

    @property
    def sentence(self) -> str:
        """What the rule says, to a person."""
        return self.meaning.sentence

    @property
    def tells_shapes(self) -> bool:
        """Whether shapes carry the rule or name its objects: equal ones must be equal, and others look different."""
        return bool({"shape", "rotation", "flip"} & {*self.relations} or self.scene.shape.unlike)

    def version(self, shifted: bool, change: Change | None = None) -> Scene:
        """Return the scene of the images of either version, or of an odd one."""
        scene = self._shifted_scene() if shifted else self.scene
        return scene.but(**change.scene) if change else scene

    def _shifted_scene(self) -> Scene:
        """The scene of the generalization version: what the row gives it, and else what all such scenes have.

        Colors are dull, dark and each object's own; shapes and sizes that the rule does not speak of are each object's
        own.
        """
        scene, given = self.scene.but(**self.shifted), self.shifted
        if scene.color.saturation is None:
            scene = replace(scene, color=I("each", dull=True))
        elif "color" not in given:
            scene = replace(scene, color=scene.color.but(saturation=(0.4, 1.0), value=(0.35, 0.85)))
        if "shape" not in given and not self.tells_shapes:
            scene = replace(scene, shape=I("each"))
        free = "size" not in given and "size" not in self.relations and not isinstance(scene.place, TIED)
        if free and scene.size.pattern == "all":
            scene = replace(scene, size=scene.size.but("each", "image"))
        return scene
