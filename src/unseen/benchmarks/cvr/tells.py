"""Statistics that find the odd image because they are the rule, each with the reason why that is no shortcut.

A rule declares them in its row. What it does not declare must not find the odd image, alone or together with others
(`unseen audit cvr`); so what follows from a rule is declared with it.
"""

from __future__ import annotations

from collections.abc import Sequence

Tells = dict[str, str]

PLACES = ("centroid", "centroid x", "centroid y", "piece x", "piece y", "object x", "object y")
LIE = ("whole aspect", "axes", "axis elongation")  # how the whole lies
WIDTHS = ("spread", "x spread", "y spread", "whole box")
GAPS = ("gap", "gap spread", "x gaps", "y gaps", "closest", "distance spread")
ROUGHNESS = ("roughness", "compactness", "piece roughness", "smoothest", "roughest", "roughness spread")
PROPORTIONS = ("box aspect", "box elongation")
BOXES = ("box area", "smallest box", "largest box")
UNLIKE = ("ink spread", "ink ratio", "area spread", "area ratio")  # how unlike pieces are
RANGE = ("size ratio", "size spread")
COUNTS = ("components", "parity", "objects", "object parity")
SIZE_GROUPS = ("sizes", "smallest size group", "largest size group", "size group of 1 or 4")  # of pieces
HUES = ("hues", "smallest hue group", "largest hue group", "hue group of 1 or 4", "hue spread")  # of colors


def sets_of(what: str) -> tuple[str, ...]:
    """Return the statistics of how many objects are equal in something."""
    return f"{what} sets", f"smallest {what} set", f"largest {what} set", f"{what} set of 1 or 4"


def because(reason: str, *names: str | Sequence[str]) -> Tells:
    """Statistics, one by one or in groups, with one reason.

    >>> because("the place is the rule", "centroid", ("piece x", "piece y"))["piece x"]
    'the place is the rule'
    """
    return {name: reason for one in names for name in ((one,) if isinstance(one, str) else one)}


SHAPES = because("compactness and proportions belong to a shape", ROUGHNESS, "axes", "axis elongation")
# of one object alone; its size is drawn anew for each image, so that these tell by what they are of each other
ONE_SHAPE = SHAPES | because(
    "which share of its box a shape fills, with how much ink, and where its ink lies in it, belongs to the shape",
    *("filled area", "ink", "spread", "centroid", "centroid x", "centroid y", "piece x", "piece y"),
)
ANY_TURN = because("how long a shape is limits its proportions at any angle", PROPORTIONS, LIE)
EQUAL_SHAPES = because("how many have one shape is the rule", sets_of("shape"))
SAME_SHAPES = because("objects of one shape are equally compact, at any size", ROUGHNESS) | because(
    "that shapes are equal is the rule", sets_of("shape")
)
LARGER_SHAPE = because(
    "which of two shapes is the larger one decides how they look together", ROUGHNESS, LIE, UNLIKE, PROPORTIONS
)
SYMMETRY = because(
    "what is taken to itself, or to another, is equal in shape and size", sets_of("shape"), sets_of("size"), SIZE_GROUPS
) | because("equal shapes of one size have as much ink, and enclose as much", UNLIKE, ROUGHNESS, RANGE)
ENCLOSED = because(
    "what is inside lies closer together, about one middle, and encloses nothing more",
    *(WIDTHS, GAPS, LIE, PLACES, ROUGHNESS, "filled area", "contained"),
)
CONTENT = because("a content is one more object where its container is, and that is the rule", PLACES, WIDTHS, GAPS)
JOINED = because(
    "what touches is one piece of ink, and a larger one",
    *(COUNTS, BOXES, WIDTHS, GAPS, LIE, ROUGHNESS, UNLIKE, PROPORTIONS, SIZE_GROUPS, sets_of("clump")),
)
MANY = because(
    "more objects are more of everything",
    *(
        COUNTS,
        "ink",
        "filled area",
        "colors",
        HUES,
        BOXES,
        WIDTHS,
        GAPS,
        LIE,
        ROUGHNESS,
        UNLIKE,
        PROPORTIONS,
        SIZE_GROUPS,
        PLACES,
    ),
    *map(sets_of, ("shape", "size", "hue", "clump")),
)
SIZES = because(
    "sizes are the rule, and their sum says nothing", "smallest box", "largest box", RANGE, UNLIKE
) | because("how many have one size is the rule", sets_of("size"), SIZE_GROUPS)
SMALL_PIECES = because("pieces of unlike size enclose more with the same ink", ROUGHNESS, "filled area", "box area")
EQUAL_SIZES = because("how many have one size is the rule", sets_of("size"), SIZE_GROUPS, RANGE, UNLIKE)
EQUAL_HUES = because("how many have one hue is the rule", sets_of("hue"), HUES)
CLUMPS = because(
    "how many touch each other is the rule, and a clump of more has more ink",
    *(sets_of("clump"), UNLIKE, ROUGHNESS, BOXES, GAPS, PROPORTIONS),
)
