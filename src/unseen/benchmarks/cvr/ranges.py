"""Where rows draw from other ranges than the published generator, rule by rule, each with the reason.

`variant=published` draws the published range wherever it is sound: answers stay right, objects stay in the frame and
apart, and nothing is smaller than about six pixels. What such a range gives away is another matter; that is why ours
differ. Where it is not sound, ours is drawn in both variants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from unseen.benchmarks.cvr.vocabulary import FACTORS, Change, Draw, Factor, I, P, Rule, Scene, instead

TINY = "the smallest objects would have too few pixels to be seen"
CROWDED = "objects of that size do not fit in the frame side by side"
TOLD = "told by ink or boxes"
SAME_PICTURE = "images that are copies of each other tell the odd one by any statistic of the whole"
SEEN = "the difference that carries the rule could be too small to be seen"
LARGER = "larger objects are seen better"
GAPS = "objects keep three pixels from each other and one from the frame, which leaves less room"


@dataclass(frozen=True)
class Published:
    """A published range that is not ours."""

    rule: int
    what: str  # a factor, a draw, a setting of the place, or "odd"
    drawn: str  # the published range, in words
    reason: str  # why ours is another
    scene: Mapping[str, Any] = field(default_factory=dict)  # what draws the published range; empty: it is not sound
    odd: tuple[Change, ...] = ()  # what the odd image has in it
    shifted: bool = False  # of the generalization set
    ours: str = ""  # in words, where the row does not say it

    @property
    def sound(self) -> bool:
        """Whether `variant=published` draws it."""
        return bool(self.scene or self.odd)


def generalized(rule: int, what: str, drawn: str, reason: str, scene: Mapping[str, Any] | None = None) -> Published:
    """Return a published range of the generalization set that is not ours."""
    return Published(rule, what, drawn, reason, scene or {}, shifted=True)


RANGES: tuple[Published, ...] = (
    Published(1, "size", "one for the problem, .2 to .4", TOLD, {"size": P("all", 0.2, 0.4)}),
    Published(1, "odd", "a center at least .2 away", SEEN, odd=(instead(apart=0.2),), ours="at least .25 away"),
    generalized(3, "color", "saturation .1 to .5, value .4 to .9", "hues below a saturation of .3 look gray"),
    generalized(4, "size", "each .4 to .8", CROWDED + ", however they are turned"),
    generalized(6, "same", "shapes and sizes of the problem, the image or the object", TOLD),
    Published(
        7, "size", "outer .25 to .5, inner .25 to .4 of it", LARGER, {"size": I("each", 0.25, 0.5, inner=(0.25, 0.4))}
    ),
    generalized(7, "size", "outer .25 to .6", LARGER, {"size": I("each", 0.25, 0.6, inner=(0.25, 0.4))}),
    Published(9, "size", ".1 to .4", GAPS, {"size": I("pair", 0.1, 0.4, marker=0.05)}),
    Published(
        9, "odd", "of one variant: all positions at random", TOLD, ours="as far from the marker, at another angle"
    ),
    Published(
        10,
        "odd",
        "of one variant: both turned by 90 to 180 degrees",
        "near 180 degrees it is symmetric again",
        ours="90 to 150 degrees",
    ),
    Published(11, "extent", ".35 to .7, one for the problem", TINY + "; " + SAME_PICTURE),
    Published(11, "size", ".65 to 1.3 of the extent over the number of objects", TINY),
    Published(
        11,
        "odd",
        "another arrangement",
        "told by how the whole lies",
        odd=(instead(other=True),),
        ours="three in four: the arrangement after half a turn",
    ),
    Published(12, "extent", ".225 to .45", TINY),
    Published(12, "size", ".55 to 1.1 of the extent over the number of objects", TINY),
    Published(13, "size", ".4 to .8 over the number of objects", GAPS),
    Published(
        13,
        "total",
        "2 or 3 beside the row, in the odd image too",
        "more in the row are more ink",
        ours="the total does not depend on the row",
    ),
    Published(14, "size", ".4 to .8 over the larger number", TINY),
    Published(14, "place", "empty strip from .4 to .6", GAPS, ours="from .45 to .55"),
    Published(
        16,
        "counts",
        "3 to 5 objects in each column",
        "more columns are more ink",
        ours="12 to 18 objects, shared out among the columns",
    ),
    Published(16, "size", ".3 to .6 over the larger of columns and objects in one", TINY),
    generalized(16, "size", ".9 over the root of 2 to 5 times the number", GAPS),
    Published(17, "total", "1 to 4 more than are filled, 5 at most", "more that are filled are more ink"),
    Published(18, "odd", "the even number that is left, plus one", TOLD, ours="one more or one less"),
    Published(21, "size", ".45 to .9 over the number of objects", LARGER, {"size": I("each", 0.45, 0.9, over=True)}),
    Published(22, "size", "outer .35 to .7, each inner one .25 to .4 of the one around it", TINY),
    Published(23, "size", "outer .3 to .6, inner 1/3 to 2/3 of it over their number", TINY),
    Published(24, "counts", "2 to 5, a side may be empty", "with an empty side there is no rule to see"),
    Published(25, "size", "outer .25 to .5, inner .2 to .286 of it", TINY),
    Published(
        26, "size", "outer .3 to .6, inner .2 to .25 of it", LARGER, {"size": I("each", 0.3, 0.6, inner=(0.2, 0.25))}
    ),
    Published(
        27,
        "size",
        "two of .15 to .3, one as small as a content",
        "a small empty object is told from a content by its place alone",
    ),
    Published(30, "size", "each .2 to .4", CROWDED + ", however they are turned"),
    Published(
        30,
        "odd",
        "60 to 120 degrees more or less, modulo 180",
        "nobody sees which of two was turned",
        ours="60 degrees off at least, without sense",
    ),
    Published(31, "place", "no least difference of distances", SEEN, ours="distances differ by .08 at least"),
    Published(32, "size", ".4 to .8 over the number of objects", TINY),
    Published(
        32,
        "odd",
        "the third column off by 1 or 2",
        "told by the parity of the number of objects",
        ours="an object moved between columns",
    ),
    generalized(32, "counts", "3 to 6 in the two columns", TINY),
    Published(33, "size", "small .1 to .25, the other at least .15 more, .4 at most", TINY),
    Published(34, "size", "two of .225 to .45, ratio 1/3 to 2/3, in sum .9 at most", TOLD),
    Published(
        34,
        "odd",
        "all equal or all different, as often",
        TOLD,
        odd=(instead(p=I.one_of((0, 0, 0), (0, 1, 2))),),
        ours="all equal in one of three",
    ),
    Published(35, "size", "successive ratios 1/3 to 2/3, in sum .9", TOLD),
    Published(36, "size", "the larger .25 to .5", TOLD, {"size": I("ab", 0.25, 0.5, ratio="r")}),
    Published(
        37,
        "size",
        ".053 to .267, ascending downwards on the left",
        TINY + "; with a fixed order on the left the right half alone tells",
    ),
    Published(38, "size", ".05 to .25, .9 in sum at most", SEEN),
    Published(39, "size", ".06 to .18", SEEN),
    Published(
        39,
        "place",
        "couples turned by 90 or 180 degrees, or another shape in the odd image",
        "these turns are a part of those of the other set",
        shifted=True,
        ours="no shift but of colors, shapes and contours",
    ),
    Published(40, "color", "saturation .2 to .7", "hues below a saturation of .3 look gray"),
    generalized(40, "size", "each .09 to .45", LARGER, {"size": I("each", 0.09, 0.45)}),
    Published(41, "size", "each .3 to .9 over the number of objects", LARGER, {"size": I("each", 0.3, 0.9, over=True)}),
    Published(
        41,
        "odd",
        "1 to n - 1 other hues",
        "more than five others are not far enough from each other",
        ours="5 other hues at most",
    ),
    Published(
        42,
        "odd",
        "an axis more than 60 degrees off, not as on a circle",
        "4.5 % are within 30 degrees",
        ours="45 degrees off at least, on a circle",
    ),
    Published(43, "size", ".1 to .4", GAPS, {"size": I("pair", 0.1, 0.4, marker=0.05)}),
    Published(
        46,
        "size",
        ".45 to .9 over twice the root of the number of objects",
        "a single object is smaller than any clump",
    ),
    Published(
        47,
        "size",
        "the larger .3 to .6, ratio .2 to .667, in sum .9 at most",
        GAPS,
        {"size": I("ab", 0.3, 0.6, ratio=(0.2, 0.667), cap=0.88)},
    ),
    generalized(47, "size", ".3 at most, ratio .5 to .8", SEEN),
    Published(48, "extent", "the wider .3 to .6", TINY),
    Published(48, "ratio", "1/2 to 2/3", "sets of less than .3 have no room for objects that can be seen"),
    Published(
        48,
        "place",
        "arrangements of the problem",
        "which one is the wider is told by its gaps",
        ours="arrangements of each image",
    ),
    Published(50, "size", ".9 over the number of objects, one for the problem", GAPS),
    Published(51, "extent", ".35 to .7, one for the problem", SAME_PICTURE),
    Published(51, "size", "one for the problem", SAME_PICTURE),
    Published(
        51, "odd", "all angles drawn again", "told by the aspect of boxes", ours="two objects exchange their angles"
    ),
    Published(52, "extent", ".225 to .45", TINY),
    Published(
        52,
        "place",
        "turned by a quarter or half a turn",
        "quarter turns are told by boxes",
        ours="turned by 40 to 320 degrees",
    ),
    Published(53, "size", "each .225 to .45", GAPS, {"size": I("each", 0.225, 0.45)}),
    Published(54, "extent", "one for the problem", SAME_PICTURE, {"extent_level": "problem"}),
    Published(54, "color", "equally spaced hues, in the odd image from hue 0 on", TOLD),
    Published(
        56,
        "size",
        "large .146 to .293, ratio 1/3 to 2/3",
        LARGER,
        {"size": I("$p", 0.146, 0.293, ratio=(1 / 3, 2 / 3))},
    ),
    Published(57, "size", "small .05 to .125, large at least .075 more, .2 at most", TINY),
    Published(
        58,
        "size",
        "the largest .245 to .367, ratios 2/3 to 3/4",
        "the same but for rounding",
        {"size": I("abc", 0.245, 0.367, ratio=(2 / 3, 0.75))},
    ),
    Published(59, "size", "the larger .2475 to .495, ratio 1/2 to 2/3", TINY),
    Published(60, "size", "the largest .169 to .3375, ratios .4 to .667", TINY),
    Published(
        60,
        "p",
        "nine patterns, any other in the odd image",
        "told by the sizes there are",
        ours="eight patterns; the same sizes in other pairs",
    ),
    Published(
        61,
        "counts",
        "groups of 2 or 3, in the odd image of 1 and more",
        "a group of 1, or of 4 and more, gives the odd image away",
    ),
    Published(62, "size", "ratios of the problem", "more levels reach from larger to smaller sizes"),
    Published(63, "size", "each .225 to .45", GAPS, {"size": I("each", 0.225, 0.45)}),
    Published(
        66, "size", "outer .25 to .5, inner .25 to .4 of it", LARGER, {"size": I("each", 0.25, 0.5, inner=(0.25, 0.4))}
    ),
    Published(67, "size", "outer .424 to .636 over the root of their number", GAPS),
    Published(
        67, "place", "contents in the middle of their containers", "insideness is not tested", ours="anywhere inside"
    ),
    Published(
        67,
        "odd",
        "contents of new shapes",
        "one shape more gives the odd image away",
        odd=(instead(shape="each"),),
        ours="shapes of other containers, or of empty objects",
    ),
    Published(
        68, "size", ".225 to .45 over the root of the number", LARGER, {"size": P("all", 0.225, 0.45, root=True)}
    ),
    Published(
        68,
        "counts",
        "groups of 2 or 3, in the odd image of 1 and more",
        "a group of 1, or of 4 and more, gives the odd image away",
    ),
    Published(71, "size", "outer .225 to .45, inner .25 to .4 of it", LARGER),
    Published(71, "angle", "turned by quarter turns", "told by the aspect of boxes"),
    Published(71, "odd", "turned by 90 to 180 degrees more", "the same but for 30 degrees", ours="60 to 180 degrees"),
    Published(
        72,
        "odd",
        "contents of new shapes",
        "one shape more gives the odd image away",
        odd=(instead(shape="each"),),
        ours="shapes of other containers, or of empty objects",
    ),
    Published(73, "size", ".4 to .6 over the root of the number", CROWDED + ", however they are turned"),
    Published(73, "shape", "of the problem", "told by the enclosed area"),
    Published(74, "size", "outer .35 to .7", GAPS, {"size": I("each", 0.35, 0.7, inner=(0.25, 0.4))}),
    Published(75, "size", "outer .32 to .64 over the root of their number", TINY),
    Published(
        75,
        "odd",
        "contents of new hues, however near",
        "one hue more gives the odd image away",
        ours="hues of other containers, or of empty objects",
    ),
    Published(76, "size", "each .1125 to .225", LARGER, {"size": I("each", 0.1125, 0.225)}),
    Published(
        77,
        "counts",
        "groups of 2 or 3, in the odd image of 1 and more",
        "a group of 1, or of 4 and more, gives the odd image away",
    ),
    Published(78, "size", ".45 to .9 over the number of objects", LARGER, {"size": P("all", 0.45, 0.9, over=True)}),
    Published(79, "size", "each .159 to .318", TINY),
    Published(
        80,
        "size",
        ".225 to .45 over the root of the number, one for the problem",
        "the ink of a clump counts its objects",
        {"size": P("all", 0.225, 0.45, root=True)},
    ),
    Published(
        80,
        "counts",
        "clumps of 2 or 3, in the odd image of 1 and more",
        "a clump of 1, or of 4 and more, gives the odd image away",
    ),
    Published(
        82,
        "size",
        "the larger .3 to .6, ratio .2 to .667",
        GAPS,
        {"size": I("ab", 0.3, 0.6, ratio=(0.2, 0.667), cap=0.9)},
    ),
    Published(83, "size", "ratios of the problem", TINY),
    Published(85, "size", ".05 to .25, .9 in sum at most", TINY),
    Published(86, "size", "one for the problem, .15 to .3", TOLD, {"size": P("all", 0.15, 0.3)}),
    Published(90, "k", "2 to 4 pairs", "four pairs whose contents can be seen do not fit"),
    Published(
        90,
        "place",
        "contents mirrored or copied with their containers",
        "told by the mean of all places",
        ours="contents anywhere inside",
    ),
    Published(91, "size", ".4 to .6 over the root of the number", CROWDED),
    Published(91, "shape", "of the problem", "told by the enclosed area"),
    Published(92, "size", "outer .225 to .45, inner .25 to .4 of it", LARGER),
    Published(95, "size", "one for the problem, .15 to .3", TOLD, {"size": P("all", 0.15, 0.3)}),
    Published(96, "size", "one for the problem, .15 to .3", LARGER, {"size": P("all", 0.15, 0.3)}),
    generalized(96, "size", "to .45", CROWDED + ", however they are turned"),
    Published(96, "odd", "of one variant: turned by any angle", SEEN, ours="40 to 90 degrees"),
    Published(
        97,
        "size",
        "the largest .245 to .367, ratios 2/3 to 3/4",
        "the same but for rounding",
        {"size": I("abc", 0.245, 0.367, ratio=(2 / 3, 0.75))},
    ),
    Published(98, "angle", "steps of 30 to 150 degrees", "near 120 degrees the odd image turns by equal steps too"),
    Published(99, "size", "one for the problem, .15 to .3", GAPS, {"size": P("all", 0.15, 0.3)}),
    Published(100, "size", "each .225 to .45", CROWDED + ", however they are turned"),
    *(
        generalized(rule, "size", "each .105 to .367", LARGER, {"size": I("each", 0.105, 0.367)})
        for rule in (20, 44, 88, 101)
    ),
)


def as_published(rule: Rule, *, shifted: bool) -> Rule:
    """Return the rule, in one of its versions, with the published ranges where they are sound."""
    chosen = [row for row in RANGES if row.rule == rule.id and row.shifted == shifted and row.sound]
    scene = {name: value for row in chosen for name, value in row.scene.items()}
    odd = next((row.odd for row in chosen if row.odd), None)
    if shifted:
        return replace(rule, shifted={**rule.shifted, **scene})
    return replace(rule, scene=rule.scene.but(**scene), odd=odd or rule.odd)


# ------------------------------------------------------------------------------------------------ for people


def ours(row: Published, rule: Rule) -> str:
    """Return what the row of a rule draws instead, in words."""
    if row.ours:
        return row.ours
    scene = rule.version(row.shifted)
    if row.what in FACTORS:
        return in_words(getattr(scene, row.what))
    if row.what in scene.draws:
        return drawn_in_words(scene.draws[row.what])
    return plain(getattr(scene.place, row.what)) + extent_level(scene, row.what)


LEVELS = {"problem": "one for the problem", "image": "of each image", "spread": "of the four images"}
PATTERNS = {"each": "each its own", "all": "all alike"}


def in_words(factor: Factor) -> str:
    """A factor: when it is drawn, who is equal, from where values come, and all options that are not the usual ones.

    >>> in_words(P("all", 0.2, 0.4).to(FACTORS["size"]))
    'one for the problem, all alike, .2 to .4'
    """
    usual = type(factor)()
    said = [LEVELS[factor.level], PATTERNS.get(factor.pattern, f"pattern {factor.pattern}")]
    if factor.span != usual.span:
        said.append(plain(factor.span))
    for one in fields(factor):
        value = getattr(factor, one.name)
        if one.name not in ("level", "pattern", "span") and value != getattr(usual, one.name):
            said.append(one.name.replace("_", " ") + ("" if value is True else f" {plain(value)}"))
    return ", ".join(said)


def drawn_in_words(draw: Draw) -> str:
    """Return a draw: when it is drawn, and how."""
    return f"{LEVELS[draw.level]}: {draw.kind.replace('_', ' ')} {', '.join(map(plain, draw.args))}"


def extent_level(scene: Scene, what: str) -> str:
    """Tell when an extent is drawn."""
    return f", {LEVELS[getattr(scene.place, 'extent_level', 'image')]}" if what == "extent" else ""


def plain(value: Any) -> str:
    """Return a span, a number, or several values, as one writes them.

    >>> plain((0.2, 0.4)), plain(0.15), plain((1, 2, 3))
    ('.2 to .4', '.15', '1, 2, 3')
    """
    if isinstance(value, float):
        return f"{round(value, 3):g}".removeprefix("0") if 0 < value < 1 else f"{round(value, 3):g}"
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(one, float) for one in value):
        low, high = map(plain, value)
        return low if low == high else f"{low} to {high}"
    return ", ".join(map(plain, value)) if isinstance(value, tuple) else str(value)


def describe(rules: Iterable[Rule]) -> list[tuple[str, ...]]:
    """Rule, version, what differs, the published range, ours, the reason, and whether the published one can be had."""
    known = {rule.id: rule for rule in rules}
    return [
        (
            f"{row.rule} {known[row.rule].name}",
            "generalization" if row.shifted else "train",
            row.what,
            row.drawn,
            ours(row, known[row.rule]),
            row.reason,
            "yes" if row.sound else "",
        )
        for row in sorted(RANGES, key=lambda row: (row.rule, row.shifted))
    ]
