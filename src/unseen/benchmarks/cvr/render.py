"""Record -> arrays: the four panels; and pictures for people."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cvr.kernels.contours import cache_of
from unseen.benchmarks.cvr.kernels.ink import FILLED, OUTLINE, SMOOTH, ink
from unseen.benchmarks.cvr.scene import FIELDS, PANELS, ROW, Record
from unseen.benchmarks.cvr.spec import Spec, View
from unseen.render import figure
from unseen.render.palette import Image

STYLES = {"outline": OUTLINE, "smooth": SMOOTH, "filled": FILLED}
GREEN, RED = (26, 127, 55), (207, 34, 46)
BETWEEN, LINE = 8, 3  # pixels between the panels of a picture, and of the frame around the odd one


def panels(record: Record, view: View) -> npt.NDArray[np.uint8]:
    """Return the four images (4, size, size, 3)."""
    counts = np.array([len(table) // ROW for table in record.tables])
    objects = np.frombuffer(bytearray().join(record.tables)).reshape(-1, FIELDS)
    canvas = np.empty((PANELS, view.size, view.size, 3), np.uint8)
    ink(cache_of(record.contour), counts, objects, STYLES[view.style], canvas)
    return canvas


def arrays(record: Record, spec: Spec, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the panels and the name of the rule; which panel is the odd one."""
    return {"images": panels(record, view), "rule": record.rule}, {"odd": record.odd}


def rules(spec: Spec) -> tuple[str, ...]:
    """Return the rules that problems are drawn from, by name."""
    return spec.rules


def scene(record: Record, spec: Spec) -> dict[str, Any]:
    """Return the four images as plain values."""
    return {
        "rule": record.rule,
        "shifted": record.shifted,
        "contour": record.contour,
        "odd": record.odd,
        "images": [[one._asdict() for one in image] for image in record.images],
    }


def picture(record: Record, spec: Spec, view: View) -> Image:
    """Return the panels beside each other, the odd one framed."""
    return _beside(record, view, {record.odd: GREEN})


def answer_picture(record: Record, prediction: npt.NDArray[np.float32], spec: Spec, view: View) -> Image:
    """Return the panels beside each other, the odd one framed in green, and a wrong answer in red."""
    return _beside(record, view, {int(np.argmax(prediction)): RED, record.odd: GREEN})


def _beside(record: Record, view: View, colors: dict[int, figure.Color]) -> Image:
    """The panels beside each other, some of them in a frame of a color."""
    framed = [
        _framed(image, colors.get(i, figure.FRAME), LINE if i in colors else 1)
        for i, image in enumerate(panels(record, view))
    ]
    return figure.beside(framed, gap=BETWEEN)


def _framed(image: Image, color: figure.Color, line: int) -> Image:
    """A panel in a frame that takes the same room whatever its line."""
    side = LINE * 2 + image.shape[0]
    frame = np.full((side, LINE * 2 + image.shape[1], 3), 255, np.uint8)
    frame[LINE - line : side - LINE + line, LINE - line : frame.shape[1] - LINE + line] = color
    frame[LINE:-LINE, LINE:-LINE] = image
    return frame
