"""Contact sheets: many pictures on one page, each with its caption."""

from __future__ import annotations

from collections.abc import Sequence

from unseen.core.errors import SpecError
from unseen.render.figure import QUIET, above, beside, margin, paragraph, widened
from unseen.render.palette import Image

MARGIN = 28
BETWEEN = 36  # pictures of a row, and rows
CAPTION = 13  # size of the letters
NARROWEST = 80  # column, so that a caption under a small picture is not broken letter by letter


def contact_sheet(pictures: Sequence[Image], captions: Sequence[str], columns: int) -> Image:
    """Put pictures in rows of `columns`, each under its caption; columns are as wide as their widest picture.

    >>> import numpy as np
    >>> contact_sheet([np.zeros((20, 30, 3), np.uint8)] * 3, ["a", "b", "c"], columns=2).shape[2]
    3
    """
    if not pictures or columns < 1:
        raise SpecError(f"a contact sheet needs a picture and a column, got {len(pictures)} and {columns}")
    used = range(min(columns, len(pictures)))
    widths = [max(NARROWEST, *(picture.shape[1] for picture in pictures[k::columns])) for k in used]
    entries = [
        _entry(picture, caption, widths[i % columns])
        for i, (picture, caption) in enumerate(zip(pictures, captions, strict=True))
    ]
    rows = [entries[i : i + columns] for i in range(0, len(entries), columns)]
    return margin(above([beside(row, gap=BETWEEN, align="start") for row in rows], gap=BETWEEN), MARGIN)


def _entry(picture: Image, caption: str, width: int) -> Image:
    if not caption:
        return widened(picture, width)
    return widened(above([paragraph(caption, width, size=CAPTION, color=QUIET), picture], gap=8), width)
