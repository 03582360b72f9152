"""What kernels read: the recipe of an image, and what the images of a problem keep in common.

Words of the vocabulary are the numbers of their places in `WORDS`. A span of two zeros means that there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST = 32  # objects of an image
NONE, ANY = -1, -2  # no object, and any object

WORDS = (
    *("", "problem", "image", "spread"),
    *("shape", "size", "color", "angle", "flip"),
    *("none", "each", "steps", "values", "wheel", "pattern"),
    *("free", "drawn", "middle", "either", "joining", "linear", "shuffled", "places", "marker"),
    *("turn", "mirror", "outer", "inner", "first", "last", "side", "along", "total", "area", "cap"),
    *("scale", "turn both", "reshape", "mirror children", "copy children"),
    *("Scatter", "Ranked", "Fixed", "Line", "Sides", "Columns", "Cells", "Config", "Copied", "Oblique", "Couples"),
    *("Mirror", "Orbit", "Motifs"),
)
NOTHING, PROBLEM, IMAGE, SPREAD = range(4)
SHAPE_FACTOR, SIZE_FACTOR, COLOR_FACTOR, ANGLE_FACTOR, FLIP_FACTOR = range(4, 9)
UNTURNED, EACH, STEPS, VALUES, WHEEL, PATTERN = range(9, 15)
FREE, DRAWN, MIDDLE, EITHER, JOINING, LINEAR, SHUFFLED, PLACES, MARKER = range(15, 24)
TURN, REFLECTION, OUTER, INNER, FIRST, LAST, SIDE, ALONG, TOTAL, AREA, CAP = range(24, 35)
SCALE, TURN_BOTH, RESHAPE, MIRROR_CHILDREN, COPY_CHILDREN = range(35, 40)
SCATTER, RANKED, FIXED, LINE, SIDES, COLUMNS, CELLS, CONFIG, COPIED, OBLIQUE, COUPLES = range(40, 51)
MIRROR, ORBIT, MOTIFS = range(51, 54)

_word, _flag, _number = np.int64, np.int64, np.float64
_span = (np.float64, (2,))
_each = (np.int8, (MOST,))  # a whole number for each object


def _record(**fields: Any) -> Any:
    named = [(name, *(kind if isinstance(kind, tuple) else (kind,))) for name, kind in fields.items()]
    return np.dtype(named, align=True)


RECIPE = _record(
    # who is there
    count=np.int64,
    parent=_each,  # the container
    partner=_each,  # what it must touch, NONE for whichever it meets first
    clump=_each,  # the first object of its clump
    holder=_each,  # what its offset counts from
    measure=_each,  # what its size is a share of
    pair=_each,  # which pair it is in; NONE where there are no pairs
    group=_each,  # which group or set it is in
    team=_each,  # objects of one team exchange nothing
    marked=_flag,  # the first object is a marker
    filled=_flag,  # some are inside others
    touching=_flag,  # some touch
    # what the odd image changes
    exchange=_word,  # the factor of which two objects exchange their letters
    shape_anew=_flag,
    size_anew=_flag,
    color_anew=_flag,
    # shapes
    shape_letters=_each,  # one for each object: equal letters, equal values
    shape_level=_word,
    fresh=np.int64,  # letters from here on are the image's own
    telling=_flag,  # shapes carry the rule, so that different ones must look different
    lopsided=_flag,
    # sizes
    size_letters=_each,
    size_level=_word,
    size_span=_span,
    law=_number,  # how much smaller objects are where there are many
    by_extent=_flag,  # sizes follow the extent of the layout
    size_ratio=_span,  # of a size to the one before
    size_across=_span,  # of the largest size to the smallest
    told_apart=_flag,
    marker=_number,  # the marker's size, negative for none
    sum_of=_word,  # TOTAL of sizes, AREA of their boxes as the side of one box, or CAP
    sum_span=_span,
    zoom=_span,
    inner=_span,  # shares of the sizes they are measured by
    inner_over=_number,  # by which these are divided
    inner_alike=_flag,
    inner_of_smallest=_flag,
    redrawn=_span,  # of another size than the problem's
    fit=_span,  # of the longer side of a body
    lone=_number,  # times this for a body of one object
    # colors
    color_letters=_each,
    color_level=_word,
    hued=_flag,  # hues carry the rule
    hue_gap=_number,
    hue_fresh=_flag,
    hue_of_parent=_flag,
    hue_unlike=_number,
    hue_moved=_flag,
    saturation=_span,
    brightness=_span,
    shade_shared=_flag,
    black=_flag,  # the marker has no hue
    # angles and flips
    angle_letters=_each,
    angle_kind=_word,
    angle_level=_word,
    angle_span=_span,
    angle_gap=_number,
    angle_values=(np.float64, (MOST,)),
    rank=_each,  # how many steps
    begin=_each,  # from which beginning
    flip_letters=_each,
    flip_kind=_word,
    # corrections
    after=_word,
    after_which=np.int64,
    after_span=_span,
    # within and against others
    window=_word,
    direction=_number,  # of contact; nan for any
    # places: the fields of the classes of `vocabulary`
    place=_word,
    axis=np.int64,  # 0, 1, or a word
    side=np.int64,
    first=np.int64,
    which=_word,
    k=np.int64,
    order=_each,
    centers=(np.float64, (MOST, 2)),
    extent=_span,
    extent_level=_word,
    ratio=_span,
    sets=_flag,
    swap=_flag,
    other=_flag,
    reversed=_flag,
    turned=_flag,
    rows=_flag,
    near=np.int64,
    free=_flag,
    normal=_number,
    distance=_word,
    broken=_word,
    roles=_flag,
    turn=_number,
    about=_word,
    motion=_word,
    moved=_word,
    apart=_number,
)

KEPT = _record(  # all zero at first, which means: not yet drawn
    shapes=(np.int64, (MOST,)),
    sizes=(np.float64, (MOST,)),
    colored=_each,
    colors=(np.float64, (MOST, 3)),
    hued=_flag,
    hues=(np.float64, (MOST,)),
    shade=_span,
    wheeled=_flag,
    wheel=(np.float64, (MOST,)),
    flips=np.int64,
    extent=_number,
    upright=np.int64,  # 1 or 2
    center=_span,
    laid=_flag,
    layout=(np.float64, (MOST, 2)),
    celled=_flag,
    cells=_each,
    directed=_flag,
    directions=_each,  # in eighths of a turn
)
