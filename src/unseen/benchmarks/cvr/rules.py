"""The 103 rules of CVR as rows: what three images have in common, and what the odd one has instead.

Ids and names are the published ones. Sizes that the published generator draws so small or so unlike that a pixel
decides the answer, or that give it away, are drawn otherwise (docs/fidelity.md). Where a published sentence is wrong,
ours says what is true of the images: 48 (it repeats 47), 51 (nothing is turned as a whole), 57 (both couples, each
image), 95 (the odd image differs in shapes; flips and turns mean nothing).
"""

from __future__ import annotations

from typing import Any

from unseen.benchmarks.cvr.meaning import (
    Bearer,
    Meaning,
    across,
    angles,
    contact,
    either,
    holds,
    laws,
    on_an_axis,
    table,
)
from unseen.benchmarks.cvr.meaning.margins import DIRECTION, LAYOUT
from unseen.benchmarks.cvr.tells import (
    ANY_TURN,
    BOXES,
    CLUMPS,
    CONTENT,
    COUNTS,
    ENCLOSED,
    EQUAL_HUES,
    EQUAL_SHAPES,
    EQUAL_SIZES,
    GAPS,
    JOINED,
    LARGER_SHAPE,
    LIE,
    MANY,
    ONE_SHAPE,
    PLACES,
    PROPORTIONS,
    RANGE,
    ROUGHNESS,
    SAME_SHAPES,
    SHAPES,
    SIZE_GROUPS,
    SIZES,
    SMALL_PIECES,
    SYMMETRY,
    UNLIKE,
    WIDTHS,
    because,
    sets_of,
)
from unseen.benchmarks.cvr.vocabulary import (
    Cells,
    Change,
    Columns,
    Config,
    Copied,
    Correction,
    Couples,
    Fixed,
    I,
    Line,
    Mirror,
    Motifs,
    Oblique,
    Orbit,
    P,
    Ranked,
    Rule,
    S,
    Scene,
    Sides,
    bodies,
    clumps,
    exchange,
    filled,
    groups,
    instead,
    nest,
    pairs,
    redraw,
    sets,
    sided,
    singles,
)

SHAPE, POSITION, SIZE, COLOR, ROTATION, FLIP, COUNT, INSIDE, CONTACT = RELATIONS = (
    *("shape", "position", "size", "color", "rotation", "flip", "count", "inside", "contact"),
)

AXIS = P.one_of(0, 1)  # left to right, or top to bottom
VIVID: dict[str, Any] = {"gap": 0.15, "saturation": (0.6, 1.0), "value": (0.5, 1.0)}  # hues that can be told apart
LOPSIDED: dict[str, Any] = {"lopsided": True}  # shapes unlike their own turned or mirrored selves
QUADRANTS = ((0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73))
SIX = tuple((x, y) for x in (0.27, 0.73) for y in (0.18, 0.5, 0.82))

ONE = Scene(bodies("a"), shape=P("all"), size=I("each", 0.2, 0.4))
TWO = Scene(bodies("a b"), Line("axis"), shape=I("aa"), size=I("each", 0.133, 0.4), draws={"axis": AXIS})
TOUCHING = Scene(bodies("a-b c"), shape=I("aab"), size=P("all", 0.15, 0.3), color=P("all"))
TRIO = Scene(bodies("a b c"), shape=P("aab"), size=I("each", 0.15, 0.3), angle=I("each"))
CONTAINED = Scene(bodies("a(b)"), size=I("each", 0.3, 0.55, inner=(0.25, 0.4)))
PAIRED = Scene(pairs(1), Mirror("free"), shape=P("all", **LOPSIDED), size=I("pair", 0.1, 0.4), angle=I("each"))
TURNED = Scene(
    pairs(1, marker=True), Orbit(90), shape=P("abb", **LOPSIDED), size=I("pair", 0.1, 0.3, marker=0.05), angle=I("each")
)
ROWS = Scene(
    pairs(5), Mirror("middle", distance="linear"), shape=P("all", **LOPSIDED), size=I("pair", 0.06, 0.2, apart=True)
)
ROUND = Scene(
    pairs("k", marker=True),
    Orbit(about="middle"),
    shape=P("all", **LOPSIDED),
    size=I("pair", 0.07, 0.17, apart=True, marker=0.03),
    draws={"k": I.between(2, 4)},
)
GROUPED = Scene(  # groups of equal shape
    groups("counts"),
    shape=I("group"),
    size=P("all", 0.3, 0.45, root=True),
    draws={"k": P.between(2, 3), "counts": I.parts("k", 2, 3)},
)
# Groups of equal things: as many as the published ones have, in parts of any size. Every way to share them out occurs
# in regular and odd images alike, so that no size of a group is remarkable by itself.
BY_COUNT = {"k": P.between(2, 3), "n": P.between("k*2", "k*3"), "counts": P.partition("n", "k", 5)}
SPLIT = {"n": P.between(3, 7), "k": P.between(2, 4, "n"), "counts": I.composition("n", "k")}
HUED = GROUPED.but(shape=I("each"), color=I("group", **VIVID))
SIZED = GROUPED.but(shape=I("all"), size=I("group", across=(2.1, 2.8), area=(0.48, 0.62)))
CLUMPED = Scene(clumps("counts"), shape=I("group"), size=P("all", 0.3, 0.42, root=True), color=P("all"))
FILLED = Scene(
    filled("f", of="n"),
    shape=I("parent"),
    size=I("each", 0.4, 0.6, root=True, inner=(1 / 3, 1 / 2)),
    draws={"n": P.between(2, 3), "f": I.between(1, "n-1")},
)
MOTIFS = Scene(
    bodies("a(b) c(d)"),
    Motifs("turn"),
    shape=I("abab", **LOPSIDED),
    size=I("each", 0.28, 0.45, inner=(0.3, 0.42), inner_alike=True),
    angle=I("each"),
)
ARRANGED = Scene(
    singles("n"),
    Config(extent=(0.5, 0.7), extent_level="image"),
    shape=P("all"),
    size=P("all", 0.75, 1.05, box=True),
)
REORDERED = {"counts": I.draw("regrouped", "counts", 5)}
SMALLER_FIRST, LARGER_FIRST = "ba", "ab"

RANKS_57 = tuple(  # sizes of a, b, c, d by rank, the largest first: c before a, and d before b
    (a, b, c, d)
    for a in range(4)
    for b in range(4)
    for c in range(4)
    for d in range(4)
    if len({a, b, c, d}) == 4 and c < a and d < b
)
PAIRINGS_60 = (
    (1, 1, 0, 0),
    (1, 0, 1, 0),
    (0, 0, 1, 2),
    (2, 2, 0, 1),
    (1, 1, 0, 2),
    (3, 2, 1, 0),
    (3, 1, 2, 0),
    (3, 0, 2, 1),
)
PAIRINGS_76 = ((0, 0, 1, 1), (0, 1, 0, 1), (0, 0, 1, 2), (0, 1, 0, 2))
BY_COUNT_73 = {  # two groups, or three where there are objects enough
    "n": P.between(4, 6),
    "k": P.between(2, 3, "n-3"),
    "counts": P.partition("n", "k", 5),
}
SHAPES_ARE_CLUMPS = holds(laws.same_when_same, "clump", "shape")
HUES_ARE_SHAPES = holds(laws.same_when_same, "shape", "hue")
PICKS = [(pick, axis) for axis in "xy" for pick in ("first", "middle", "last")]
FLIPS_99 = ((0, 0, 1), (1, 0, 0), (1, 0, 1))


def rescaled(which: int) -> Change:
    """Make one object smaller than its partner."""
    return instead(after=Correction("scale", which, (1 / 3, 2 / 3)))


RULES: tuple[Rule, ...] = (
    Rule(
        0,
        "shape",
        (SHAPE,),
        Meaning("Three images show the same shape; the odd one shows another.", table("shape")),
        ONE,
        redraw("shape"),
        {"size": I("each", 0.4, 0.8)},
        tells=ONE_SHAPE,
    ),
    Rule(
        1,
        "pos",
        (POSITION,),
        Meaning("The object is at the same place in three images, elsewhere in the odd one.", table("place")),
        ONE.but(place=Fixed()),
        instead(apart=0.25),
        {"size": I("all", 0.3, 0.6), "shape": I("all")},
        tells=because("the place is the rule", PLACES),
    ),
    Rule(
        2,
        "size",
        (SIZE,),
        Meaning("The object has the same size in three images, another in the odd one.", table("size")),
        ONE.but(shape=I("all"), size=P("all", 0.2, 0.4, redrawn=(0.3, 0.5)), color=P("all")),
        redraw("size"),
        {"size": P("all", 0.2, 0.6, redrawn=(0.3, 0.5))},
        tells=because("all of these are its size", "ink", "filled area", BOXES, WIDTHS, ROUGHNESS, PROPORTIONS, LIE)
        | because("a large object has less room to move", PLACES),
    ),
    Rule(
        3,
        "color",
        (COLOR,),
        Meaning("The object has the same hue in three images, another in the odd one.", table("hue")),
        ONE.but(
            shape=I("all"),
            size=I("all", 0.2, 0.6),
            color=P("all", gap=0.15, saturation=(0.5, 1.0), value=(0.5, 1.0), shared=True),
        ),
        redraw("color"),
        {
            "size": I("all", 0.15, 0.6),
            "color": P("all", gap=0.15, saturation=(0.3, 0.5), value=(0.4, 0.9), shared=True),
        },
        tells=because("the hue is the rule", "hue"),
    ),
    Rule(
        4,
        "rot",
        (ROTATION,),
        Meaning("Three images show the same shape, turned in any way; the odd one shows another.", table("shape")),
        ONE.but(angle=I("each")),
        redraw("shape"),
        {"size": I("each", 0.35, 0.65)},
        tells=ONE_SHAPE | ANY_TURN,
    ),
    Rule(
        5,
        "flip",
        (FLIP,),
        Meaning("Three images show the same shape, mirrored or not; the odd one shows another.", table("shape")),
        ONE.but(flip=S("two of four")),
        redraw("shape"),
        {"size": I("each", 0.4, 0.8)},
        tells=ONE_SHAPE,
    ),
    Rule(
        6,
        "count",
        (COUNT,),
        Meaning("Three images have the same number of objects.", across(laws.objects)),
        Scene(
            singles("n"),
            shape=P("all"),
            size=P("all", 0.4, 0.8, over=True),
            color=P("all"),
            draws={"n": P.between(1, 5)},
        ),
        redraw("n"),
        {
            "n": P.between(4, 8),
            "same": P.one_of("all", "each"),
            "shape": I("$same"),
            "size": I("$same", 0.9, 1.2, over=8),
        },
        tells=MANY,
    ),
    Rule(
        7,
        "inside",
        (INSIDE,),
        Meaning("One object is inside the other; in the odd image they are apart.", holds(laws.arranged, ("o(o)",))),
        CONTAINED,
        instead(bodies=bodies("a b", small="b of a")),
        {"size": I("each", 0.35, 0.6, inner=(0.25, 0.4))},
        tells=ENCLOSED,
    ),
    Rule(
        8,
        "contact",
        (CONTACT,),
        contact("The two objects touch; in the odd image they are apart.", holds(laws.arranged, ("o-o",))),
        Scene(bodies("a-b"), size=I("each", 0.2, 0.4), color=P("all")),
        instead(bodies=bodies("a b")),
        {"size": I("each", 0.1, 0.2)},
        tells=JOINED,
    ),
    Rule(
        9,
        "sym_rot",
        (SHAPE, POSITION, ROTATION, SIZE),
        Meaning(
            "A quarter turn about the small marker takes one object to the other; in the odd image it does not.",
            holds(laws.quarter_turn),
        ),
        TURNED,
        (
            instead(shape="abc"),
            rescaled(2),
            instead(broken="places"),
            instead(after=Correction("turn", 2, (90.0, 180.0))),
        ),
        {"shape": I("abb", **LOPSIDED)},
        tells=SYMMETRY
        | because("both are as far from the marker, a quarter turn apart", GAPS, LIE, PROPORTIONS, "spread")
        | because("a quarter turn leaves the area of a box as it is, so that both boxes are equal", BOXES),
    ),
    Rule(
        10,
        "sym_mir",
        (SHAPE, POSITION, FLIP, SIZE),
        Meaning(
            "The two objects are mirror images of each other across some line; in the odd image they are not.",
            holds(laws.reflection),
        ),
        PAIRED,
        (
            instead(shape="ab"),
            rescaled(1),
            instead(after=Correction("flip", 1)),
            instead(broken="places"),
            instead(after=Correction("turn both", 0, (90.0, 150.0))),
        ),
        {"shape": I("all", **LOPSIDED)},
        tells=SYMMETRY | because("a mirror image has the proportions of what it mirrors", PROPORTIONS),
    ),
    Rule(
        11,
        "pos_pos_1",
        (POSITION, POSITION),
        Meaning(
            "The objects are in the same arrangement in three images, wherever it lies; in the odd one in another.",
            across(laws.places, margin=LAYOUT, distance=laws.layout_distance),
        ),
        ARRANGED.but(n=P.between(3, 6)),
        # half a turn keeps all distances and how the whole lies; one in four is another arrangement altogether
        (*(instead(reversed=True) for _ in range(3)), instead(other=True)),
        {"extent": (0.45, 0.7), "shape": I("each")},
    ),
    Rule(
        12,
        "pos_pos_2",
        (POSITION, POSITION),
        Meaning(
            "Two sets of objects are in the same arrangement; in the odd image the arrangements differ.",
            holds(laws.repeats_layout),
        ),
        Scene(
            sets(2, "n"),
            Copied((0.38, 0.45)),
            shape=P("set"),
            size=P("all", 0.72, 0.95, box=True),
            draws={"n": P.between(3, 5)},
        ),
        instead(other=True),
        {"shape": I("each")},
        # either set alone tells nothing
        tells=because("gaps belong to an arrangement: two equal ones have each of them twice", GAPS),
    ),
    Rule(
        13,
        "pos_count_2",
        (POSITION, COUNT),
        Meaning(
            "The same number of objects stands in a straight row in three images, others beside it.",
            across(laws.longest_row),
        ),
        Scene(
            singles("total"),
            Oblique("k"),
            shape=P("all"),
            size=I("all", 0.45, 0.75, over=True),
            draws={"k": P.between(3, 6), "total": I.between("k+2", "k+3")},
        ),
        instead(place=Oblique("j"), j=I.draw("other", "k", 3, 6, "total-1")),
        {"k": P.between(5, 8), "total": I.between("k+4", "k+5"), "shape": I("each")},
        (instead(place=Oblique("j"), j=I.draw("other", "k", 5, 8, "total-1")),),
    ),
    Rule(
        14,
        "pos_count_1",
        (POSITION, COUNT),
        Meaning(
            "The same side of the image has more objects than the other; in the odd image the other side has more.",
            across(laws.fuller_side, "x"),
            on_an_axis(lambda axis: across(laws.fuller_side, axis)),
        ),
        Scene(
            groups("counts"),
            Sides("axis", "side"),
            size=I("each", 0.5, 0.8, over="most"),
            draws={"axis": P.one_of(0), "side": P.one_of(0), "counts": I.draw("fewer_first", 3, 7)},
        ),
        instead(side=I.draw("opposite", "side")),
        {"axis": AXIS, "side": P.one_of(0, 1), "counts": I.draw("fewer_first", 6, 10)},
        unless="another half with more",
        tells=because("more objects on a side are more ink there", PLACES),
    ),
    Rule(
        15,
        "pos_pos_4",
        (POSITION, POSITION),
        Meaning(
            "The lowest object has the same place in the order from left to right in three images.",
            across(laws.rank_of, "last", "x"),
            either(*(across(laws.rank_of, pick, axis) for pick, axis in PICKS)),
        ),
        Scene(
            singles("n"),
            Ranked("axis", "which", "k"),
            shape=P("all"),
            size=I("all", 0.4, 0.8, over=True),
            draws={
                "n": P.between(3, 4),
                "k": P.between(0, "n-1"),
                "axis": P.one_of(0),
                "which": P.one_of("last"),
            },
        ),
        redraw("k"),
        {"axis": AXIS, "which": P.draw("first_middle_or_last", "n"), "shape": I("each")},
        unless="another rank",
    ),
    Rule(
        16,
        "pos_count_3",
        (POSITION, COUNT),
        Meaning(
            "The objects stand in the same number of columns in three images.",
            across(laws.line_count, "x"),
            on_an_axis(lambda axis: across(laws.line_count, axis)),
        ),
        Scene(
            groups("counts"),
            Columns("axis"),
            shape=P("all"),
            size=I("all", 0.065, 0.1),
            # the number of objects says nothing: columns are shorter where there are more of them
            draws={
                "axis": P.one_of(0),
                "c": P.between(3, 6),
                "total": I.between(12, 18),
                "counts": I.draw("shared_out", "total", "c"),
            },
        ),
        redraw("c"),
        {
            "axis": AXIS,
            "c": P.between(6, 10),
            "total": I.between(20, 26),
            "shape": I("all"),
            "size": I("each", 0.05, 0.066),
        },
        tells=because("columns are gaps between objects", GAPS, WIDTHS)
        | because("more columns are a wider whole", LIE),
    ),
    Rule(
        17,
        "inside_count_1",
        (INSIDE, COUNT),
        Meaning("The same number of objects contain another in three images.", across(laws.filled)),
        Scene(
            filled("k", of="total"),
            size=I("each", 0.24, 0.34, inner=(0.26, 0.38), zoom=(0.7, 1.0)),
            # the number of outlines says nothing: fewer objects are there where more are filled
            draws={"k": P.between(1, 3), "m": I.between("k*2+2", "k+5"), "total": I.draw("minus", "m", "k")},
        ),
        instead(
            bodies=filled("j", of="others"),
            j=I.draw("plus_minus", "k", 1, 9),
            others=I.draw("minus", "m", "j"),
        ),
        {
            "k": P.between(2, 5),
            "m": I.between("k*2+2", "k*2+3"),
            "size": I("each", 0.23, 0.27, inner=(0.24, 0.3), zoom=(0.7, 1.0)),
        },
        tells=because("what is inside another is what is counted", "contained", GAPS)
        | because("contents are small, and counted", UNLIKE, RANGE, BOXES, SIZE_GROUPS, sets_of("size"))
        | because("contents add ink, and enclose nothing more", "ink", "filled area", ROUGHNESS),
    ),
    Rule(
        18,
        "count_count",
        (COUNT, COUNT),
        Meaning("The number of objects is even in three images and odd in one, or the reverse.", across(laws.parity)),
        Scene(
            singles("m"),
            shape=P("all"),
            size=P("all", 0.4, 0.8, over=8),
            draws={"n": S.one_of(2, 4, 6, 8), "parity": P.one_of(0), "m": I.draw("plus", "n", "parity")},
        ),
        instead(m=I.draw("plus_minus", "n", 2, 8)),
        {
            "n": S.one_of(6, 8, 10, 12),
            "parity": P.one_of(0, 1),
            "shape": I("each"),
            "size": I("each", 0.6, 1.2, over=12),
        },
        (instead(m=I.draw("odd_parity", "n", "parity")),),
        tells=MANY,
    ),
    Rule(
        19,
        "shape_shape",
        (SHAPE, SHAPE),
        Meaning("The two objects have the same shape; in the odd image they differ.", holds(laws.all_same, "shape")),
        TWO,
        instead(shape="ab"),
        tells=SAME_SHAPES,
    ),
    Rule(
        20,
        "shape_contact_2",
        (SHAPE, CONTACT),
        contact(
            "The two objects that touch have the same shape, the third another; in the odd image they differ.",
            SHAPES_ARE_CLUMPS,
        ),
        TOUCHING,
        (instead(shape="aba"), instead(shape="abb")),
        {"size": I("each", 0.15, 0.35)},
    ),
    Rule(
        21,
        "contact_contact_1",
        (CONTACT, CONTACT),
        contact("All objects hang together by contact; in the odd image not all do.", holds(laws.all_same, "clump")),
        Scene(
            clumps("counts"),
            size=I("each", 0.6, 0.9, over=True),
            color=P("all"),
            draws={"n": I.between(3, 6), "counts": I.draw("whole", "n")},
        ),
        instead(counts=I.draw("in_pieces", "n")),
        {"n": I.between(4, 8)},
        tells=JOINED
        | because("where all is one piece, the middle of pieces is that of all ink", "piece x", "piece y")
        | because("what hangs together encloses the room in between", "filled area"),
    ),
    Rule(
        22,
        "inside_inside_1",
        (INSIDE, INSIDE),
        Meaning(
            "One object contains the two others; in the odd image it does not contain both.",
            holds(laws.arranged, ("o(o(o))", "o(o o)")),
        ),
        Scene(
            bodies("$s"),
            size=I("abc", 0.5, 0.7, ratio=(0.32, 0.45)),
            draws={"s": I.one_of("a(b(c))", "a(bc)")},
        ),
        instead(s=I.one_of("b(c) a", "a(b) c", "a(c) b", "a b c")),
        {"size": I("abc", 0.55, 0.75, ratio=(0.32, 0.45))},
        tells=ENCLOSED,
    ),
    Rule(
        23,
        "inside_inside_2",
        (INSIDE, INSIDE),
        Meaning("One object contains all others; in the odd image some lie outside.", holds(laws.one_contains_all)),
        Scene(
            nest("m"),
            size=I("each", 0.5, 0.7, inner=(0.4, 0.7), inner_over=True),
            draws={"m": I.between(2, 5)},
        ),
        instead(bodies=nest("i", "o"), o=I.between(1, "m-1"), i=I.draw("minus", "m", "o")),
        {"m": I.between(3, 6), "size": I("each", 0.6, 0.75, inner=(0.5, 0.8), inner_over=True)},
        tells=ENCLOSED,
    ),
    Rule(
        24,
        "pos_inside_3",
        (POSITION, INSIDE),
        Meaning(
            "Just the objects on one side of the image contain another, the same side in three images.",
            across(laws.filled_side, "x"),
            on_an_axis(lambda axis: across(laws.filled_side, axis)),
        ),
        Scene(
            sided("counts", "g"),
            Sides("axis"),
            size=I("each", 0.42, 0.52, root=True, inner=(0.26, 0.38)),
            color=P("all"),
            draws={"axis": P.one_of(0), "g": P.one_of(0), "counts": I.draw("both_sides", 2, 5)},
        ),
        instead(g=I.draw("opposite", "g")),
        {"axis": AXIS, "g": P.one_of(0, 1), "size": I("each", 0.42, 0.5, root=True, inner=(0.26, 0.34))},
        unless="another filled half",
        tells=CONTENT,
    ),
    Rule(
        25,
        "pos_inside_1",
        (POSITION, INSIDE),
        Meaning(
            "The inner object lies at one side of its container in three images, at the opposite one in the odd image.",
            across(laws.inner_side, "x"),
            on_an_axis(lambda axis: across(laws.inner_side, axis)),
        ),
        CONTAINED.but(
            size=I("each", 0.35, 0.6, inner=(0.2, 0.286)),
            color=P("all"),
            window="side",
            axis=P.one_of(0),
            side=P.one_of(-1),
        ),
        instead(side=I.draw("negative", "side")),
        {"axis": AXIS, "side": P.one_of(-1, 1)},
        unless="another side",
        tells=CONTENT,
    ),
    Rule(
        26,
        "pos_inside_2",
        (POSITION, INSIDE),
        Meaning(
            "Two inner objects lie side by side in three images, one above the other in the odd one, or the reverse.",
            across(laws.inner_direction),
        ),
        CONTAINED.but(
            bodies=bodies("a(bc)"), size=I("each", 0.4, 0.65, inner=(0.2, 0.25)), window="along", axis=P.one_of(0)
        ),
        instead(axis=I.draw("opposite", "axis")),
        {"axis": AXIS},
        tells=because("how the contents lie is the rule", WIDTHS, GAPS, LIE),
    ),
    Rule(
        27,
        "pos_inside_4",
        (POSITION, INSIDE),
        Meaning(
            "Of three objects in a line that at the same end contains another; in the odd image that at the other end.",
            table("y", "filled", top=True),
            on_an_axis(lambda axis: table(axis, "filled", top=True)),
        ),
        Scene(
            bodies("a(d) b c"),
            Line("axis", first="end"),
            size=I("each", 0.17, 0.26, inner=(0.36, 0.46)),
            draws={"axis": P.one_of(1), "end": P.one_of(0, 2)},
        ),
        instead(end=I.draw("far_end", "end")),
        {"axis": AXIS, "size": I("each", 0.19, 0.26, inner=(0.32, 0.42))},
        tells=CONTENT,
    ),
    Rule(
        28,
        "rot_rot_1",
        (ROTATION, ROTATION),
        Meaning(
            "The two objects have the same shape, turned in any way; in the odd image they differ.",
            holds(laws.all_same, "shape"),
        ),
        TWO.but(angle=I("each")),
        instead(shape="ab"),
        tells=SAME_SHAPES,
    ),
    Rule(
        29,
        "flip_flip_1",
        (FLIP, FLIP),
        Meaning(
            "The two objects have the same shape, one of them mirrored; in the odd image the shapes differ.",
            holds(laws.twins_mirrored),
        ),
        TWO.but(shape=I("aa", **LOPSIDED), flip=I("ab")),
        instead(shape="ab"),
        tells=SAME_SHAPES,
    ),
    Rule(
        30,
        "rot_rot_3",
        (ROTATION, ROTATION),
        Meaning(
            "One object is the other turned by the same angle in three images, by another in the odd one.",
            angles(laws.turn_between, period=360),
        ),
        TWO.but(
            shape=I("aa", **LOPSIDED),
            size=I("each", 0.2, 0.35),
            angle=I("steps", step="d"),
            d=P.draw("uniform", 30, 180),
        ),
        instead(d=I.draw("other_turn", "d", 30, 180, 60)),
        {"shape": I("aa", **LOPSIDED)},
        tells=because("the turn from one to the other decides how their proportions go together", PROPORTIONS),
    ),
    Rule(
        31,
        "pos_pos_3",
        (POSITION, POSITION),
        Meaning(
            "Of an upper and a lower couple the same one is closer together in three images.",
            across(laws.closer_row, "y"),
            on_an_axis(lambda axis: across(laws.closer_row, axis)),
        ),
        Scene(
            pairs(2),
            Couples(rows=True, axis="axis", near="near"),
            size=I("each", 0.133, 0.267),
            draws={"axis": P.one_of(0), "near": P.one_of(0)},
        ),
        instead(near=I.draw("opposite", "near")),
        {"axis": P.one_of(1)},
        unless="another row",
    ),
    Rule(
        32,
        "pos_count_4",
        (POSITION, COUNT),
        Meaning(
            "Of three columns the last has as many objects as the other two together; in the odd image it has not.",
            holds(laws.sums_up, 2),
            either(*(holds(laws.sums_up, column) for column in range(3))),
        ),
        Scene(
            groups("counts"),
            Columns(0, order="order"),
            shape=P("group"),
            size=I("all", 0.062, 0.085),
            draws={"order": P.one_of((0, 1, 2)), "counts": I.draw("summed", 1, 4)},
        ),
        instead(counts=I.draw("missummed", 1, 4)),
        {
            "order": P.draw("permutation", 3),
            "counts": I.draw("summed", 3, 5),
            "shape": I("group"),
            "size": I("all", 0.052, 0.062),
        },
        (instead(counts=I.draw("missummed", 3, 5)),),
        tells=because("a column is of one shape, and how many it holds is the rule", sets_of("shape")),
    ),
    Rule(
        33,
        "size_size_1",
        (SIZE, SIZE),
        Meaning("The same one of two shapes is the larger in three images.", table("shape", "size#")),
        Scene(bodies("a b"), shape=P("ab", unlike=True), size=I(SMALLER_FIRST, 0.25, 0.4, ratio=(0.35, 0.6))),
        instead(size=LARGER_FIRST),
        tells=LARGER_SHAPE,
    ),
    Rule(
        34,
        "size_size_2",
        (SIZE, SIZE),
        Meaning("Just two of three objects have the same size.", holds(laws.has_tally, "size", (2, 1))),
        Scene(
            bodies("a b c"),
            shape=P("all"),
            size=I("$p", 0.3, 0.3, across=(1.75, 2.6), total=(0.5, 0.85)),
            draws={"p": I.one_of((0, 0, 1), (0, 1, 1))},
        ),
        instead(p=I.one_of((0, 0, 0), (0, 1, 2), (0, 1, 2))),
        {"shape": I("each")},
        tells=SIZES | SMALL_PIECES,
    ),
    Rule(
        35,
        "size_size_3",
        (SIZE, SIZE),
        Meaning("All three objects differ in size.", holds(laws.has_tally, "size", (1, 1, 1))),
        Scene(
            bodies("a b c"),
            shape=P("all"),
            size=I("$p", 0.3, 0.3, across=(1.75, 2.6), total=(0.5, 0.85)),
            draws={"p": I.one_of((0, 1, 2))},
        ),
        instead(p=I.one_of((0, 0, 0), (0, 0, 1), (0, 1, 1))),
        {"shape": I("each")},
        tells=SIZES | SMALL_PIECES,
    ),
    Rule(
        36,
        "size_size_4",
        (SIZE, SIZE),
        Meaning("One object is half the size of the other; in the odd image it is not.", holds(laws.half_size)),
        Scene(
            bodies("a b"),
            shape=P("all"),
            size=I("ab", 0.3, 0.3, ratio="r", total=(0.4, 0.7)),
            draws={"r": P.one_of(0.5)},
        ),
        instead(r=I.one_of(0.8, 2 / 3, 0.25, 0.2)),
        {"shape": P("ab")},
        tells=SIZES
        | SMALL_PIECES
        | because("the nearer two sizes are, the more evenly ink lies along the line between them", LIE, "spread"),
    ),
    Rule(
        37,
        "size_size_5",
        (SIZE, SIZE),
        Meaning(
            "The sizes on the right are in the same order as in the other images, relative to those on the left.",
            across(laws.size_permutation),
        ),
        Scene(
            sets(2, 3),
            Cells(SIX),
            shape=I("abcabc"),
            size=I("$p", 0.2, 0.27, ratio=(0.55, 0.72)),
            draws={
                "map": P.draw("permutation", 3),
                "rows": I.draw("permutation", 3),
                "p": I.draw("mapped", "rows", "map"),
            },
        ),
        redraw("map"),
        {"shape": I("each")},
        tells=because("where two large objects are in a row is the rule", PLACES, WIDTHS, LIE),
    ),
    Rule(
        38,
        "size_sym_1",
        (SIZE, POSITION, FLIP, SHAPE),
        Meaning(
            "The scene mirrors itself across its middle, larger objects farther out; the odd image breaks one of both.",
            holds(laws.mirrored_by_size, "x"),
            on_an_axis(lambda axis: holds(laws.mirrored_by_size, axis)),
        ),
        ROWS,
        (instead(distance="shuffled"), instead(after=Correction("reshape", span=(1, 3)))),
        {"bodies": pairs(6), "axis": "either"},
        tells=SYMMETRY
        | because("a scene that mirrors itself has its middle on the line", PLACES)
        | because("how far out large and small objects are is the rule", WIDTHS, GAPS, LIE),
    ),
    Rule(
        39,
        "size_sym_2",
        (SIZE, POSITION, ROTATION),
        Meaning(
            "Couples are turned about the small marker, larger ones farther out; in the odd image they are not.",
            holds(laws.orbiting_by_size),
        ),
        ROUND.but(distance="linear", k=P.one_of(3)),
        instead(distance="shuffled"),
        tells=because("how far out large and small objects are is the rule", WIDTHS, GAPS),
    ),
    Rule(
        40,
        "color_color_1",
        (COLOR, COLOR),
        Meaning("The two objects have the same hue; in the odd image they differ.", holds(laws.all_same, "hue")),
        Scene(
            bodies("a b"), size=I("each", 0.133, 0.4), color=I("aa", gap=0.15, saturation=(0.3, 0.7), value=(0.5, 1.0))
        ),
        instead(color="ab"),
        {"size": I("each", 0.12, 0.45), "color": I("aa", gap=0.15, saturation=(0.5, 1.0), value=(0.35, 0.85))},
        tells=EQUAL_HUES,
    ),
    Rule(
        41,
        "color_color_2",
        (COLOR, COLOR),
        Meaning("All objects have the same hue; in the odd image not all have.", holds(laws.all_same, "hue")),
        Scene(
            singles("n"),
            size=I("each", 0.5, 0.9, over=True),
            color=I("$p", gap=0.15, saturation=(0.3, 1.0), value=(0.7, 1.0)),
            draws={"n": I.between(3, 6), "p": I.draw("all_alike", "n")},
        ),
        instead(p=I.draw("some_unlike", "n")),
        {"n": I.between(5, 8), "color": I("$p", gap=0.15, saturation=(0.4, 1.0), value=(0.35, 0.85))},
        tells=EQUAL_HUES,
    ),
    Rule(
        42,
        "sym_sym_1",
        (SHAPE, POSITION, FLIP),
        Meaning(
            "The two objects mirror each other across a line of the same direction in three images.",
            angles(laws.reflection_axis, period=180),
        ),
        PAIRED.but(place=Mirror("drawn", "normal"), normal=P.draw("uniform", 0, 180)),
        instead(normal=I.draw("other_axis", "normal", 45)),
        {"shape": I("all", **LOPSIDED)},
        tells=because(
            "mirror images lie across their line, so that how the whole lies is the line", LIE, WIDTHS, PROPORTIONS
        ),
    ),
    Rule(
        43,
        "sym_sym_2",
        (SHAPE, POSITION, ROTATION),
        Meaning(
            "The same turn about the small marker takes one object to the other in three images.",
            angles(laws.orbit_turn, period=360),
        ),
        TURNED.but(turn="t", t=P.draw("uniform", 45, 180)),
        instead(t=I.draw("other_turn", "t", 45, 180, 45)),
        {"shape": I("abb", **LOPSIDED)},
        tells=because("a wider turn takes the two farther apart", LIE, WIDTHS, GAPS),
    ),
    Rule(
        44,
        "shape_contact_3",
        (SHAPE, CONTACT),
        contact(
            "The two objects that touch have the same shape, at any size; in the odd image the touching ones differ.",
            SHAPES_ARE_CLUMPS,
        ),
        TOUCHING.but(size=I("each", 0.15, 0.3), color=I("all")),
        (instead(shape="aba"), instead(shape="abb")),
        {"size": I("each", 0.15, 0.35)},
    ),
    Rule(
        45,
        "shape_contact_4",
        (SHAPE, CONTACT),
        contact(
            "The two objects that touch have the same shape, in any color; in the odd image the touching ones differ.",
            SHAPES_ARE_CLUMPS,
        ),
        TOUCHING.but(color=I("all")),
        (instead(shape="aba"), instead(shape="abb")),
        {"size": I("all", 0.15, 0.3)},
    ),
    Rule(
        46,
        "contact_contact_2",
        (CONTACT, CONTACT),
        contact("Every object touches another; in the odd image one stands alone.", holds(laws.no_singles, "clump")),
        Scene(
            clumps("counts"),
            shape=P("all"),
            size=I("each", 0.32, 0.5, root=True, fit=(0.46, 0.62), lone=0.68),
            color=P("all"),
            draws={"k": P.between(2, 4), "counts": I.parts("k", 2, 3)},
        ),
        instead(counts=I.draw("with_single", "k")),
        {"k": P.between(3, 5), "size": I("each", 0.42, 0.5, root=True, fit=(0.48, 0.6), lone=0.68)},
        tells=CLUMPS
        | because("one that stands alone is larger than those that touch", RANGE, SIZE_GROUPS, sets_of("size"))
        | because("the others are more, and lie closer together", COUNTS, "ink", "filled area", WIDTHS, LIE, PLACES),
    ),
    Rule(
        47,
        "pos_size_1",
        (POSITION, SIZE),
        Meaning(
            "The larger object comes first, or second, on an axis in three images.",
            on_an_axis(lambda axis: table(axis, "size#")),
        ),
        TWO.but(shape=I("each"), size=I(LARGER_FIRST, 0.3, 0.55, ratio=(0.25, 0.667), cap=0.85)),
        instead(size=SMALLER_FIRST),
        {"size": I(LARGER_FIRST, 0.2, 0.3, ratio=(0.5, 0.75)), "axis": AXIS},
        unless="another axis of sizes",
        tells=because("the ink lies towards the larger object, and its place is the rule", PLACES),
    ),
    Rule(
        48,
        "pos_size_2",
        (POSITION, SIZE),
        Meaning(
            "Of two sets of objects the one of the same shape is spread wider in three images.",
            across(laws.wider_shape),
        ),
        Scene(
            sets(2, "n"),
            Config(extent=(0.5, 0.56), extent_level="image", sets=True, ratio=(0.6, 0.68)),
            shape=P("set", unlike=True),
            size=P("all", 0.06, 0.072),
            draws={"n": P.between(3, 5)},
        ),
        instead(swap=True),
        {"n": P.between(4, 6), "size": P("all", 0.052, 0.06)},
    ),
    Rule(
        49,
        "pos_shape_1",
        (POSITION, SHAPE),
        Meaning(
            "The same one of two shapes comes first on an axis; the odd image has another order or another shape.",
            on_an_axis(lambda axis: table(axis, "shape")),
        ),
        TWO.but(shape=P("ab"), size=I("each", 0.125, 0.25), color=P("all")),
        (instead(shape="ba"), instead(shape="ac")),
        {"size": I("each", 0.125, 0.35)},
        (instead(shape="ba"),),
        unless="another axis of shapes",
        tells=SHAPES,
    ),
    Rule(
        50,
        "pos_shape_2",
        (POSITION, SHAPE),
        Meaning(
            "The same shapes are neighbors in three images; in the odd one two of them changed partners.",
            table("couple'", "shape"),
        ),
        Scene(
            pairs("k"),
            Couples(),
            shape=P("each"),
            size=I("all", 0.1, 0.16),
            draws={"k": P.between(2, 4)},
        ),
        exchange("shape"),
        {"free": True, "size": I("each", 0.09, 0.13)},
    ),
    Rule(
        51,
        "pos_rot_1",
        (POSITION, ROTATION),
        Meaning(
            "Three images have one arrangement with the same turn at each place; in the odd image turns change places.",
            table("slot", "angle"),
        ),
        ARRANGED.but(
            n=P.between(3, 5), shape=P("all", **LOPSIDED), size=I("each", 0.5, 0.8, box=True), angle=P("each", gap=30.0)
        ),
        exchange("angle"),
        {"extent": (0.45, 0.7), "shape": I("all", **LOPSIDED)},
        tells=because("an object that is turned otherwise has its ink elsewhere about its center", GAPS, LIE, WIDTHS),
    ),
    Rule(
        52,
        "pos_rot_2",
        (POSITION, ROTATION),
        Meaning(
            "One set of objects is the other turned as a whole; in the odd image its arrangement is another.",
            holds(laws.repeats_turned_layout),
        ),
        Scene(
            sets(2, "n"),
            Copied((0.36, 0.4), turned=True),
            shape=P("all", **LOPSIDED),
            size=P("all", 0.7, 0.82, box=True),
            draws={"n": P.between(4, 5)},
        ),
        instead(other=True),
        {"shape": I("all", **LOPSIDED)},
    ),
    Rule(
        53,
        "pos_col_1",
        (POSITION, COLOR),
        Meaning(
            "The same one of two hues comes first on an axis in three images.",
            on_an_axis(lambda axis: table(axis, "hue")),
        ),
        TWO.but(shape=I("each"), size=I("each", 0.225, 0.4), color=P("ab", **VIVID)),
        instead(color="ba"),
        unless="another axis of hues",
    ),
    Rule(
        54,
        "pos_col_2",
        (POSITION, COLOR),
        Meaning(
            "In one arrangement the same places share a hue, whichever it is; in the odd image other places do.",
            table("slot", "hue'"),
        ),
        ARRANGED.but(
            n=P.between(4, 6),
            groups=P.between(2, 5, "n-1"),
            g=P.draw("grouping", "n", "groups"),
            color=I("$g", **VIVID),
        ),
        instead(g=I.draw("repartitioned", "g")),
        {"extent": (0.45, 0.7), "shape": I("each")},
    ),
    Rule(
        55,
        "pos_contact",
        (POSITION, CONTACT),
        contact(
            "The two objects touch along the same direction in three images.",
            angles(laws.contact_direction, period=180, margin=DIRECTION),
        ),
        Scene(
            bodies("a-b"),
            size=I("each", 0.2, 0.4),
            color=P("all"),
            direction="d",
            draws={"d": P.draw("uniform", 0, 360)},
        ),
        instead(d=I.draw("sideways", "d")),
        tells=because("two objects side by side make a wide piece, one above the other a high one", PROPORTIONS, LIE),
    ),
    Rule(
        56,
        "size_shape_1",
        (SIZE, SHAPE),
        Meaning(
            "Of two shapes, twice each, the same ones are large and small in three images.",
            table("shape", "size#"),
            table("shape'", "size#"),
        ),
        Scene(
            bodies("a b c d"),
            shape=P("aabb"),
            size=I("$p", 0.18, 0.3, ratio=(0.4, 0.67)),
            draws={"p": P.one_of((0, 0, 1, 1), (0, 1, 0, 1))},
        ),
        instead(p=I.draw("contrary", "p")),
        {"shape": I("aabb")},
        (instead(p=I.draw("other_of", "p", (0, 0, 1, 1), (0, 1, 0, 1))),),
        tells=LARGER_SHAPE,
    ),
    Rule(
        57,
        "size_shape_2",
        (SIZE, SHAPE),
        Meaning(
            "In two couples of shapes the same ones are the smaller; in the odd image one couple is reversed.",
            either(*(across(laws.couple_sizes, coupling) for coupling in range(3))),
            either(*(across(laws.couples_agree, coupling) for coupling in range(3))),
        ),
        Scene(
            bodies("a b c d"),
            shape=P("abcd"),
            size=I("$p", 0.22, 0.3, ratio=(0.65, 0.78)),
            draws={"p": I.one_of(*RANKS_57)},
        ),
        instead(p=I.draw("half_turned", RANKS_57)),
        {"p": I.draw("both_or_neither", RANKS_57)},
        unless="another couple",
        tells=LARGER_SHAPE,
    ),
    Rule(
        58,
        "size_rot",
        (SIZE, ROTATION),
        Meaning(
            "From the largest to the smallest the objects turn one way by equal steps; in the odd image the other way.",
            across(laws.sense_by_size),
        ),
        Scene(
            bodies("a b c"),
            shape=P("all", **LOPSIDED),
            size=I("abc", 0.25, 0.36, ratio=(0.64, 0.75)),
            angle=I("steps", 30, 90),
        ),
        instead(size="cba"),
        {"shape": I("all", **LOPSIDED)},
    ),
    Rule(
        59,
        "size_inside_1",
        (SIZE, INSIDE),
        Meaning(
            "The larger of two objects, or the smaller, contains a third in three images.",
            table("size#", "filled", top=True),
        ),
        Scene(
            bodies("a(c) b"),
            size=I("$p", 0.38, 0.5, ratio=(0.6, 0.75), inner=(0.32, 0.45), inner_of_smallest=True),
            draws={"p": P.one_of((0, 1))},
        ),
        instead(p=I.draw("contrary", "p")),
        {"p": P.one_of((0, 1), (1, 0))},
        tells=because(
            "a content is where its container is, which is the larger or the smaller one", GAPS, PLACES, WIDTHS, LIE
        ),
    ),
    Rule(
        60,
        "size_contact",
        (SIZE, CONTACT),
        contact("Sizes touch each other in the same combinations in three images.", table("clump'", "size#")),
        Scene(
            bodies("a-b c-d"),
            shape=P("all"),
            size=I("$p", 0.26, 0.34, ratio=(0.6, 0.72)),
            color=P("all"),
            draws={"p": P.one_of(*PAIRINGS_60)},
        ),
        instead(p=I.draw("repaired", "p", True)),
        {"shape": I("each")},
        tells=because("which sizes touch decides how much ink a clump has", UNLIKE, ROUGHNESS, BOXES, GAPS),
    ),
    Rule(
        61,
        "size_count_1",
        (SIZE, COUNT),
        Meaning("The same numbers of objects are small, larger, and largest in three images.", table("size#")),
        SIZED.but(size={"area": (0.38, 0.64)}, **BY_COUNT | {"counts": P.composition("n", "k", 5)}),
        instead(counts=I.draw("recounted", "counts", 5)),
        {"shape": I("each")},
        tells=SIZES,
    ),
    Rule(
        62,
        "size_count_2",
        (SIZE, COUNT),
        Meaning("There are as many different sizes in three images.", across(laws.kinds, "size")),
        SIZED.but(n=P.between(4, 12), k=P.between(2, 4), counts=I.composition("n", "k")),
        redraw("k"),
        {"shape": I("each")},
        tells=EQUAL_SIZES,
    ),
    Rule(
        63,
        "shape_color",
        (SHAPE, COLOR),
        Meaning(
            "Each of two shapes has its own hue in three images; in the odd one the hues are exchanged.",
            table("shape", "hue"),
        ),
        TWO.but(axis=I.one_of(0, 1), shape=P("ab"), size=I("each", 0.225, 0.4), color=P("ab", **VIVID)),
        instead(color="ba"),
    ),
    Rule(
        64,
        "shape_color_2",
        (SHAPE, COLOR),
        Meaning("Objects have the same hue exactly when they have the same shape.", HUES_ARE_SHAPES),
        GROUPED.but(counts=I.parts("k", 2, 4), color=I("group", **VIVID)),
        exchange("color"),
        {"k": P.between(3, 4), "counts": I.parts("k", 2, 3)},
    ),
    Rule(
        65,
        "shape_color_3",
        (SHAPE, COLOR),
        Meaning(
            "Objects of the same shape all differ in hue; in the odd image two of a shape share one.",
            holds(laws.different_when_same, "shape", "hue"),
        ),
        GROUPED.but(color=I("within", **VIVID)),
        exchange("color"),
        {"k": P.between(3, 4)},
    ),
    Rule(
        66,
        "shape_inside",
        (SHAPE, INSIDE),
        Meaning(
            "The same shape contains the other in three images; in the odd one they change places.",
            table("depth", "shape"),
        ),
        CONTAINED.but(shape=P("ab")),
        instead(shape="ba"),
        tells=LARGER_SHAPE,
    ),
    Rule(
        67,
        "shape_inside_1",
        (SHAPE, INSIDE),
        Meaning(
            "What is inside an object has its shape; in the odd image it has another.",
            holds(laws.like_container, "shape"),
        ),
        FILLED,
        instead(shape="astray"),
        {"size": I("each", 0.45, 0.65, root=True, inner=(0.28, 0.42))},
    ),
    Rule(
        68,
        "shape_count_1",
        (SHAPE, COUNT),
        Meaning("Shapes occur the same numbers of times in three images.", table("shape'")),
        GROUPED.but(**BY_COUNT),
        instead(**REORDERED),
        {"k": P.between(3, 4)},
        tells=EQUAL_SHAPES,
    ),
    Rule(
        69,
        "shape_count_2",
        (SHAPE, COUNT),
        Meaning("There are as many different shapes in three images.", across(laws.kinds, "shape")),
        GROUPED.but(**SPLIT),
        redraw("k"),
        tells=EQUAL_SHAPES,
    ),
    Rule(
        70,
        "rot_color",
        (ROTATION, COLOR),
        Meaning("Objects have the same hue exactly when they have the same shape, turned in any way.", HUES_ARE_SHAPES),
        GROUPED.but(angle=I("each"), color=I("group", **VIVID)),
        exchange("color"),
        {"k": P.between(3, 4)},
    ),
    Rule(
        71,
        "rot_inside_1",
        (ROTATION, INSIDE),
        Meaning(
            "One filled object is the other turned, its content by the same angle; in the odd image it is not.",
            holds(laws.turned_with_content),
        ),
        MOTIFS,
        (instead(moved="outer"), instead(moved="inner")),
        tells=because("a turned content lies as far from the middle of its container", GAPS),
    ),
    Rule(
        72,
        "rot_inside_2",
        (ROTATION, INSIDE),
        Meaning(
            "What is inside an object has its shape, turned in any way; in the odd image it has another.",
            holds(laws.like_container, "shape"),
        ),
        FILLED.but(angle=I("each")),
        instead(shape="astray"),
        {"size": I("each", 0.45, 0.65, root=True, inner=(0.28, 0.42))},
    ),
    Rule(
        73,
        "rot_count_1",
        (ROTATION, COUNT),
        Meaning("Shapes, turned in any way, occur the same numbers of times in three images.", table("shape'")),
        GROUPED.but(angle=I("each"), **BY_COUNT_73),
        instead(**REORDERED),
        {"n": P.between(5, 8)},
        tells=EQUAL_SHAPES,
    ),
    Rule(
        74,
        "color_inside_1",
        (COLOR, INSIDE),
        Meaning(
            "The outer and the inner object have the same hues in three images, exchanged in the odd one.",
            table("depth", "hue"),
        ),
        CONTAINED.but(size=I("each", 0.35, 0.65, inner=(0.25, 0.4)), color=P("ab", **VIVID)),
        instead(color="ba"),
        tells=because("the outer outline is the longer one, and its hue the rule", "hue"),
    ),
    Rule(
        75,
        "color_inside_2",
        (COLOR, INSIDE),
        Meaning(
            "What is inside an object has its hue; in the odd image it has another.", holds(laws.like_container, "hue")
        ),
        FILLED.but(
            n=P.between(2, 6),
            shape=I("each"),
            size=I("each", 0.48, 0.66, root=True, inner=(0.26, 0.38)),
            color=I("parent", saturation=(0.6, 1.0), value=(0.5, 1.0), unlike=0.15),
        ),
        instead(color={"moved": True}),
        {"n": P.between(4, 8), "size": I("each", 0.6, 0.7, root=True, inner=(0.24, 0.32))},
    ),
    Rule(
        76,
        "color_contact",
        (COLOR, CONTACT),
        contact(
            "Hues touch each other in the same pattern in three images, whichever they are.", table("clump'", "hue'")
        ),
        Scene(
            bodies("a-b c-d"),
            shape=P("all"),
            size=I("each", 0.13, 0.25),
            color=I("$p", **VIVID),
            draws={"p": P.one_of(*PAIRINGS_76)},
        ),
        instead(p=I.draw("repaired", "p", False)),
        {"shape": I("each")},
    ),
    Rule(
        77,
        "color_count_1",
        (COLOR, COUNT),
        Meaning("Hues occur the same numbers of times in three images, whichever they are.", table("hue'")),
        HUED.but(**BY_COUNT | {"k": P.between(2, 4)}),
        instead(**REORDERED),
        {"k": P.between(3, 4)},
        tells=EQUAL_HUES,
    ),
    Rule(
        78,
        "color_count_2",
        (COLOR, COUNT),
        Meaning("There are as many different hues in three images.", across(laws.kinds, "hue")),
        HUED.but(**SPLIT),
        redraw("k"),
        {"k": P.between(2, 5, "n")},
        tells=EQUAL_HUES,
    ),
    Rule(
        79,
        "inside_contact",
        (INSIDE, CONTACT),
        contact(
            "Filled objects touch each other and empty ones do, or each filled one an empty one, in three images.",
            table("clump'", "filled", top=True),
        ),
        Scene(
            bodies("$s"),
            size=I("each", 0.22, 0.32, inner=(0.26, 0.38)),
            color=P("all"),
            draws={"s": P.one_of("a(e)-b(f) c-d", "a(e)-c b(f)-d")},
        ),
        redraw("s"),
        tells=because("contents are near each other just where their containers touch", GAPS),
    ),
    Rule(
        80,
        "contact_count_1",
        (CONTACT, COUNT),
        contact("Clumps of touching objects have the same sizes in three images.", table("clump'")),
        CLUMPED.but(
            shape=I("each"),
            size=I("each", 0.26, 0.44, root=True),
            color=I("all"),
            **BY_COUNT | {"k": P.between(2, 4), "counts": P.partition("n", "k", 4)},
        ),
        instead(counts=I.draw("regrouped", "counts", 4)),
        {"k": P.between(2, 5)},
        tells=CLUMPS,
    ),
    Rule(
        81,
        "contact_count_2",
        (CONTACT, COUNT),
        contact(
            "There are as many clumps of touching objects, single ones included, in three images.",
            across(laws.kinds, "clump"),
        ),
        CLUMPED.but(shape=I("all"), color=I("all"), **SPLIT),
        redraw("k"),
        tells=JOINED,
    ),
    Rule(
        82,
        "size_color_1",
        (SIZE, COLOR),
        Meaning(
            "The larger object has the same hue in three images; in the odd one the smaller has it.",
            Bearer("hue", "size"),
        ),
        Scene(
            bodies("a b"),
            size=I(LARGER_FIRST, 0.3, 0.55, ratio=(0.25, 0.667), cap=0.85),
            color=P("ab", **VIVID, fresh=True),
        ),
        instead(size=SMALLER_FIRST),
        tells=because("the larger outline is the longer one, and its hue the rule", "hue"),
    ),
    Rule(
        83,
        "size_color_2",
        (SIZE, COLOR),
        Meaning(
            "Objects have the same hue exactly when they have the same size.", holds(laws.same_when_same, "size", "hue")
        ),
        SIZED.but(k=P.between(2, 4), counts=P.parts("k", 2, 3), color=I("group", **VIVID)),
        exchange("color"),
        {"k": P.between(2, 5), "shape": I("each"), "size": I("group", across=(2.7, 3.0), area=(0.5, 0.62))},
    ),
    Rule(
        84,
        "color_sym_1",
        (COLOR, POSITION, ROTATION),
        Meaning(
            "Objects that a turn about the marker takes to each other share their hue; in the odd image two do not.",
            holds(laws.orbiting_by_hue),
        ),
        ROUND.but(color=I("pair", **VIVID)),
        exchange("color"),
        {"shape": I("all", **LOPSIDED)},
    ),
    Rule(
        85,
        "color_sym_2",
        (COLOR, POSITION, FLIP),
        Meaning(
            "Mirror images share their hue; in the odd image two couples do not.",
            holds(laws.mirrored_by_hue, "x"),
            on_an_axis(lambda axis: holds(laws.mirrored_by_hue, axis)),
        ),
        ROWS.but(color=I("pair", **VIVID)),
        exchange("color"),
        {"bodies": pairs(6), "axis": "either"},
    ),
    Rule(
        86,
        "shape_rot_1",
        (SHAPE, ROTATION),
        Meaning("Of two shapes, turned in any way, the same one occurs twice in three images.", table("shape")),
        TRIO,
        instead(shape="abb"),
        tells=SHAPES | ANY_TURN,
    ),
    Rule(
        87,
        "shape_contact_5",
        (SHAPE, CONTACT),
        contact("Objects have the same shape exactly when they hang together by contact.", SHAPES_ARE_CLUMPS),
        CLUMPED.but(k=P.between(3, 4), n=P.between("k+1", "k*2-1"), counts=I.composition("n", "k")),
        exchange("shape"),
    ),
    Rule(
        88,
        "rot_contact_1",
        (ROTATION, CONTACT),
        contact(
            "The two objects that touch have the same shape, turned in any way; in the odd image they differ.",
            SHAPES_ARE_CLUMPS,
        ),
        TOUCHING.but(size=I("each", 0.15, 0.3), color=I("all"), angle=I("each")),
        (instead(shape="aba"), instead(shape="abb")),
        {"size": I("each", 0.15, 0.33)},
    ),
    Rule(
        89,
        "rot_contact_2",
        (ROTATION, CONTACT),
        contact(
            "Objects have the same shape, turned in any way, exactly when they hang together by contact.",
            SHAPES_ARE_CLUMPS,
        ),
        CLUMPED.but(angle=I("each"), k=P.between(3, 4), n=P.between("k+1", "k*2-1"), counts=I.composition("n", "k")),
        exchange("shape"),
    ),
    Rule(
        90,
        "inside_sym_mir",
        (INSIDE, POSITION, FLIP),
        Meaning(
            "Of couples facing each other just the filled ones are mirror images; in the odd image the empty ones.",
            holds(laws.filled_where_mirrored, "x"),
            on_an_axis(lambda axis: holds(laws.filled_where_mirrored, axis)),
        ),
        Scene(
            pairs("k", filled="f"),
            Mirror("middle", distance="linear", roles=True),
            shape=P("shell", fresh=1, **LOPSIDED),
            size=I("pair", 0.22, 0.3, apart=True, inner=(0.3, 0.42)),
            draws={"k": P.between(2, 3), "f": P.between(1, "k-1")},
        ),
        instead(swap=True),
        {"axis": "either", "size": I("pair", 0.24, 0.31, apart=True, inner=(0.26, 0.36))},
    ),
    Rule(
        91,
        "flip_count_1",
        (FLIP, COUNT),
        Meaning("Shapes, mirrored or not, occur the same numbers of times in three images.", table("shape'")),
        GROUPED.but(flip=I("each"), **BY_COUNT_73),
        instead(**REORDERED),
        {"n": P.between(5, 8)},
        tells=EQUAL_SHAPES,
    ),
    Rule(
        92,
        "flip_inside_1",
        (FLIP, INSIDE),
        Meaning(
            "One filled object is the other mirrored, and so is what is inside; in the odd image one of them is not.",
            holds(laws.mirrored_with_content),
        ),
        MOTIFS.but(motion="mirror", size=I("all", 0.28, 0.42, inner=(0.3, 0.42), inner_alike=True)),
        (instead(moved="outer"), instead(moved="inner")),
        tells=because("a mirrored content lies as far from the middle of its container", GAPS),
    ),
    Rule(
        93,
        "flip_inside_2",
        (FLIP, INSIDE),
        Meaning(
            "What is inside an object is its mirrored shape; in the odd image it is not mirrored.",
            holds(laws.mirrors_container),
        ),
        FILLED.but(
            shape=I("parent", **LOPSIDED), angle=I("each"), after=Correction("mirror children", span=(-30.0, 30.0))
        ),
        instead(after=Correction("copy children", span=(-30.0, 30.0))),
        {"n": P.between(3, 4), "size": I("each", 0.5, 0.65, root=True, inner=(0.26, 0.36))},
    ),
    Rule(
        94,
        "flip_color_1",
        (FLIP, COLOR),
        Meaning("Objects have the same hue exactly when they have the same shape, mirrored or not.", HUES_ARE_SHAPES),
        GROUPED.but(flip=I("each"), color=I("group", **VIVID)),
        exchange("color"),
        {"k": P.between(3, 4)},
    ),
    Rule(
        95,
        "shape_flip_1",
        (SHAPE, FLIP),
        Meaning(
            "Of two shapes, mirrored and turned in any way, the same one occurs twice in three images.", table("shape")
        ),
        TRIO.but(flip=I("each")),
        instead(shape="abb"),
        tells=SHAPES | ANY_TURN,
    ),
    Rule(
        96,
        "rot_flip_1",
        (ROTATION, FLIP),
        Meaning(
            "The right objects are the left ones turned by one angle, the lower row mirrored; the odd image breaks it.",
            holds(laws.same_turn_mirrored_rows),
        ),
        Scene(
            bodies("a b c d"),
            Cells(QUADRANTS),
            shape=P("all", **LOPSIDED),
            size=P("all", 0.18, 0.3),
            angle=I("steps", 60, 300, ranks=(0, 1, 0, 1), bases=(0, 0, 1, 1)),
            flip=I("aabb"),
        ),
        (instead(after=Correction("turn", 3, (40.0, 90.0))), instead(flip="aaba")),
        {"shape": I("all", **LOPSIDED), "size": P("all", 0.2, 0.32)},
    ),
    Rule(
        97,
        "size_flip_1",
        (SIZE, FLIP),
        Meaning(
            "Against the middle one the largest is mirrored one way, the smallest the other; in the odd image not so.",
            across(laws.flips_by_size),
        ),
        Scene(
            bodies("a b c"),
            shape=I("all", **LOPSIDED),
            size=I("abc", 0.25, 0.36, ratio=(0.64, 0.75)),
            angle=I("aab", values=(0.0, 180.0)),
            flip=I("aba"),
        ),
        instead(size="cba"),
    ),
    Rule(
        98,
        "pos_rot_3",
        (POSITION, ROTATION),
        Meaning(
            "The objects turn the same way by equal steps along a line; in the odd image they do not.",
            across(laws.sense_along, "x"),
            on_an_axis(lambda axis: across(laws.sense_along, axis)),
        ),
        Scene(
            bodies("a b c"),
            Line("axis"),
            shape=P("all", **LOPSIDED),
            size=P("all", 0.17, 0.26),
            angle=I("steps", 35, 105, ranks="r"),  # near 120 the odd one would turn by equal steps too
            draws={"axis": P.one_of(0), "r": P.one_of((0, 1, 2))},
        ),
        instead(r=I.one_of((2, 1, 0), (1, 0, 2), (0, 2, 1))),
        {"axis": AXIS, "shape": I("all", **LOPSIDED)},
        unless="another axis of angles",
    ),
    Rule(
        99,
        "pos_flip_1",
        (POSITION, FLIP),
        Meaning(
            "Of three objects in a line the same ones are mirrored against the middle one in three images.",
            across(laws.flips_along, "x"),
            on_an_axis(lambda axis: across(laws.flips_along, axis)),
        ),
        Scene(
            bodies("a b c"),
            Line("axis"),
            shape=P("all", **LOPSIDED),
            size=P("all", 0.17, 0.28),
            angle=I("each", -60, 60),
            flip=I("$f"),
            draws={"axis": P.one_of(0), "f": P.one_of(*FLIPS_99)},
        ),
        redraw("f"),
        {"axis": AXIS, "shape": I("all", **LOPSIDED)},
        unless="another axis of flips",
    ),
    Rule(
        100,
        "pos_flip_2",
        (POSITION, FLIP),
        Meaning(
            "One object is the other mirrored across the line through both; in the odd image it is not.",
            holds(laws.mirrored_across_joining_line),
        ),
        Scene(
            pairs(1),
            Mirror("joining"),
            shape=P("all", **LOPSIDED),
            size=I("each", 0.225, 0.4),
            angle=I("each"),
        ),
        (instead(after=Correction("flip", 1)), instead(after=Correction("turn both", 0, (45.0, 45.0)))),
        {"shape": I("all", **LOPSIDED)},
    ),
    Rule(
        101,
        "flip_contact_1",
        (FLIP, CONTACT),
        contact(
            "The two objects that touch have the same shape, mirrored or not; in the odd image they differ.",
            SHAPES_ARE_CLUMPS,
        ),
        TOUCHING.but(size=I("each", 0.15, 0.3), color=I("all"), flip=I("each")),
        (instead(shape="aba"), instead(shape="abb")),
        {"size": I("each", 0.15, 0.35)},
    ),
    Rule(
        102,
        "flip_contact_2",
        (FLIP, CONTACT),
        contact(
            "Objects have the same shape, mirrored or not, exactly when they hang together by contact.",
            SHAPES_ARE_CLUMPS,
        ),
        CLUMPED.but(flip=I("each"), k=P.between(3, 4), n=P.between("k+1", "k*2-1"), counts=I.composition("n", "k")),
        exchange("shape"),
    ),
)

PUBLISHED = tuple(rule.name for rule in RULES if rule.id < 103)  # what joint tasks hold, whatever is added above
BY_NAME = {rule.name: rule for rule in RULES}  # and those that `splits.add_rule` adds


def describe() -> list[dict[str, str]]:
    """Return the rules as rows for people."""
    return [
        {"rule": rule.name, "what it does": rule.sentence, "id": str(rule.id), "relations": " + ".join(rule.relations)}
        for rule in BY_NAME.values()
    ]
