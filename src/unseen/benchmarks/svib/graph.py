"""A rule drawn as its causal graph: what each factor of an object after the rule depends on, before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from unseen.benchmarks.svib.rules import Effect, Parent
from unseen.render import figure
from unseen.render.palette import Image

WIDTH, ROW, MARGIN = 360, 40, 12  # pixels
FINE = 4  # lines are drawn so many times as large, then reduced


def causal_graph(effects: Sequence[Effect]) -> Image:
    """Causes on the left, the factors that they set on the right, an arrow for each; empty where nothing is set."""
    causes = list(dict.fromkeys(cause for effect in effects for cause in effect.causes))
    left = [figure.name_box(_name(cause)) for cause in causes]
    right = [figure.name_box(_set(effect)) for effect in effects]
    height = ROW * max(len(left), len(right), 1) + MARGIN
    places = {cause: _middle(k, len(causes), height) for k, cause in enumerate(causes)}
    lines = Pillow.new("RGB", (WIDTH * FINE, height * FINE), figure.PAPER)
    draw = ImageDraw.Draw(lines)
    for k, effect in enumerate(effects):
        end = (WIDTH - MARGIN - right[k].shape[1] - 2, _middle(k, len(effects), height))
        for cause in effect.causes:
            _arrow(draw, (MARGIN + left[causes.index(cause)].shape[1] + 2, places[cause]), end)
    canvas = np.array(lines.resize((WIDTH, height), Pillow.Resampling.BOX))
    for cause, box in zip(causes, left, strict=True):
        _put(canvas, box, MARGIN, places[cause])
    for k, box in enumerate(right):
        _put(canvas, box, WIDTH - MARGIN - box.shape[1], _middle(k, len(right), height))
    return canvas


def _name(cause: Parent) -> str:
    return f"{cause.of} {cause.factor}"


def _set(effect: Effect) -> str:
    plus = f" + {effect.constant}" if effect.constant and effect.parents else ""
    return f"new {effect.writes}{plus}"


def _middle(k: int, count: int, height: int) -> int:
    """Where the k-th of some boxes is, so that they share the height evenly."""
    return (2 * k + 1) * height // (2 * count)


def _arrow(draw: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int]) -> None:
    a, b = (np.array(point, float) * FINE for point in (start, end))
    along = (b - a) / np.hypot(*(b - a))
    aside = np.array([-along[1], along[0]])
    neck = b - 9 * FINE * along
    draw.line([*a, *neck], fill=figure.QUIET, width=2 * FINE)
    draw.polygon([tuple(point) for point in (b, neck + 5 * FINE * aside, neck - 5 * FINE * aside)], fill=figure.QUIET)


def _put(canvas: Image, box: Image, left: int, middle: int) -> None:
    top = middle - len(box) // 2
    canvas[top : top + len(box), left : left + box.shape[1]] = box
