"""Pieces of a figure for people, each an image, and two ways to put them together: beside and above each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from unseen.render.palette import Image, palette

Align = Literal["start", "middle"]
Color = tuple[int, int, int]

PAPER: Color = (255, 255, 255)
INK: Color = (31, 35, 40)
QUIET: Color = (110, 119, 129)
BOX_FILL: Color = (238, 242, 247)
BOX_EDGE: Color = (201, 209, 219)
LINES = {"white": (226, 230, 235), "black": (58, 62, 68)}  # light against the background
FRAME: Color = (150, 158, 168)
FOR: Color = (207, 34, 46)  # red, of what speaks for an answer
AGAINST: Color = (9, 105, 218)  # blue
DARK = 100  # the mean of the channels of a color on which ink would not show
FINE = 4  # shapes are drawn this many times larger and shrunk, for smooth edges


def lined(grid: npt.NDArray[np.integer], cell: int, background: str = "white") -> Image:
    """Draw a grid with thin light lines between its cells, `cell` pixels apart."""
    image = palette(background)[grid].repeat(cell, axis=0).repeat(cell, axis=1)
    image[cell::cell] = LINES[background]
    image[:, cell::cell] = LINES[background]
    return framed(image)


def crossed(image: Image, cells: npt.NDArray[np.bool_], cell: int) -> Image:
    """Cross out some cells of a grid that `lined` drew."""
    canvas = Pillow.fromarray(image)
    draw = ImageDraw.Draw(canvas)
    for row, column in np.argwhere(cells):
        top, left = 1 + row * cell, 1 + column * cell  # 1: the frame
        color = INK if image[top + cell // 2, left + cell // 2].mean() > DARK else PAPER
        for start, end in (((1, 1), (cell - 2, cell - 2)), ((1, cell - 2), (cell - 2, 1))):
            draw.line((left + start[0], top + start[1], left + end[0], top + end[1]), fill=color)
    return np.asarray(canvas)


def heated(image: Image, values: npt.NDArray[np.floating], most: float) -> Image:
    """Tint an image by a number for each pixel: red above 0, blue below, the stronger the closer to `most`.

    Numbers are summed over a pixel and its neighbors, for lines of one pixel can hardly be seen.
    """
    edged = np.pad(np.asarray(values, np.float64), 1)
    height, width = image.shape[:2]
    shifts = [(row, column) for row in range(3) for column in range(3)]
    around = np.sum([edged[row : row + height, column : column + width] for row, column in shifts], axis=0)
    strength = np.clip(around / most, -1, 1)[..., None]
    tint = np.where(strength > 0, FOR, AGAINST)
    faded = 255 - (255 - image.astype(np.float64)) * 0.3
    tinted: Image = (faded + (tint - faded) * np.abs(strength)).round().astype(np.uint8)
    return tinted


def framed(image: Image) -> Image:
    """Draw a line around an image."""
    return _padded(image, ((1, 1), (1, 1)), FRAME)


def text(words: str, *, size: int = 14, color: Color = INK) -> Image:
    """Draw a line of text, as high as every line of its size, so that base lines agree."""
    face = font(size)
    ascent, descent = face.getmetrics()
    canvas = Pillow.new("RGB", (max(1, ceil(face.getlength(words))), ascent + descent), PAPER)
    ImageDraw.Draw(canvas).text((0, 0), words, fill=color, font=face)
    return np.asarray(canvas)


def paragraph(words: str, width: int, *, size: int = 14, color: Color = INK) -> Image:
    """Draw text in lines of at most `width` pixels; a word longer than a line is broken too."""
    return above([text(line, size=size, color=color) for line in wrapped(words, width, size=size)], gap=0)


def wrapped(words: str, width: int, *, size: int = 14) -> list[str]:
    """Break words into lines of at most `width` pixels, with at least one character to a line."""
    lines = [""]
    for piece in (piece for word in words.split() for piece in _pieces(word, width, size)):
        longer = f"{lines[-1]} {piece}".strip()
        if font(size).getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(piece)
    return [line for line in lines if line] or [""]


def _pieces(word: str, width: int, size: int) -> list[str]:
    """Cut a word into pieces that are no longer than a line."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and font(size).getlength(pieces[-1] + letter) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def name_box(name: str, *, size: int = 13) -> Image:
    """Draw a name in a rounded box."""
    face = font(size)
    height, width = sum(face.getmetrics()) + 8, ceil(face.getlength(name)) + 18
    large = Pillow.new("RGB", (width * FINE, height * FINE), PAPER)
    corner = (width * FINE - 1, height * FINE - 1)
    ImageDraw.Draw(large).rounded_rectangle(
        ((0, 0), corner), radius=6 * FINE, fill=BOX_FILL, outline=BOX_EDGE, width=FINE
    )
    box = large.resize((width, height), Pillow.Resampling.BOX)
    ImageDraw.Draw(box).text((width / 2, height / 2), name, fill=INK, font=face, anchor="mm")
    return np.asarray(box)


def arrow(length: int) -> Image:
    """Draw an arrow to the right."""
    height, tip = 14, 10
    canvas = Pillow.new("RGB", (length * FINE, height * FINE), PAPER)
    draw = ImageDraw.Draw(canvas)
    middle = height * FINE // 2
    draw.rectangle(((0, middle - FINE), ((length - tip + 1) * FINE, middle + FINE - 1)), fill=QUIET)
    draw.polygon(
        [((length - tip) * FINE, FINE), (length * FINE - 1, middle), ((length - tip) * FINE, (height - 1) * FINE)],
        fill=QUIET,
    )
    return np.asarray(canvas.resize((length, height), Pillow.Resampling.BOX))


def beside(pieces: Sequence[Image], *, gap: int, align: Align = "middle") -> Image:
    """Put pieces side by side, from left to right, on white."""
    turned = above([piece.swapaxes(0, 1) for piece in pieces], gap=gap, align=align)
    return np.ascontiguousarray(turned.swapaxes(0, 1))


def above(pieces: Sequence[Image], *, gap: int, align: Align = "start") -> Image:
    """Put pieces above each other, from top to bottom, on white."""
    width = max(piece.shape[1] for piece in pieces)
    last = len(pieces) - 1
    return np.concatenate(
        [widened(piece, width, align, below=gap if i < last else 0) for i, piece in enumerate(pieces)]
    )


def widened(piece: Image, width: int, align: Align = "start", *, below: int = 0) -> Image:
    """Place a piece on a wider strip of white, with a little white below."""
    spare = width - piece.shape[1]
    left = spare // 2 if align == "middle" else 0
    return _padded(piece, ((0, below), (left, spare - left)), PAPER)


def blank(height: int, width: int = 1) -> Image:
    """Draw a white piece that keeps room."""
    return np.full((height, width, 3), PAPER, np.uint8)


def margin(piece: Image, pixels: int) -> Image:
    """Put a white margin around a piece."""
    return _padded(piece, ((pixels, pixels), (pixels, pixels)), PAPER)


def chain(names: Sequence[str], width: int) -> Image:
    """Draw names in boxes, one leading to the next, in as many lines as they need to stay within `width`."""
    boxes = [name_box(name) for name in names]
    onward = text("\u203a", size=16, color=QUIET)  # a single angle
    linked = [beside([onward, box], gap=6) if i else box for i, box in enumerate(boxes)]
    lines: list[list[Image]] = [[]]
    for piece in linked:
        taken = sum(other.shape[1] + 6 for other in lines[-1])
        if lines[-1] and taken + piece.shape[1] > width:
            lines.append([])
        lines[-1].append(piece)
    return above([beside(line, gap=6) for line in lines], gap=6)


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of all figures, which ships with Pillow."""
    face = ImageFont.load_default(size=size)
    assert isinstance(face, ImageFont.FreeTypeFont), "Pillow is built without FreeType"
    return face


def _padded(image: Image, amounts: tuple[tuple[int, int], tuple[int, int]], color: Color) -> Image:
    (top, bottom), (left, right) = amounts
    height, width, _ = image.shape
    whole = np.empty((top + height + bottom, left + width + right, 3), np.uint8)
    whole[:] = color
    whole[top : top + height, left : left + width] = image
    return whole
