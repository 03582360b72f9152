"""Parts -> one message: texts and PNG files in a fixed order, in the words of the chat protocol."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import unpack
from typing import Any

import numpy as np
from PIL import Image as Pillow

from unseen.core.asking import Manner, Part
from unseen.render import figure
from unseen.render.palette import Image
from unseen.render.png import encode_png

TILE = 512  # pixels a side of the pieces by which endpoints count images
# the most tokens that an endpoint known to us bills for an image, and for each tile of it
PER_IMAGE, PER_TILE = 2_833, 5_667
GAP, NAME = 12, 18  # pixels between the images of a strip, and the size of their names


@dataclass(frozen=True)
class Message:
    """Texts and PNG files; two messages of the same content are equal."""

    parts: tuple[str | bytes, ...]

    @property
    def text(self) -> str:
        """The message's texts, as paragraphs of one."""
        return "\n\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def pictures(self) -> list[bytes]:
        """The message's pictures, as PNG files."""
        return [part for part in self.parts if isinstance(part, bytes)]

    @cached_property
    def content(self) -> str | list[dict[str, Any]]:
        """The content of a chat message: plain text where there are no images, else a list of parts."""
        if not self.pictures:
            return self.text
        return [_text(part) if isinstance(part, str) else _picture(part) for part in self.parts]

    @property
    def most_tokens(self) -> int:
        """More tokens than any endpoint counts: a token for every byte, and for images as many as the dearest bills."""
        return len(self.text.encode()) + sum(map(image_tokens, self.pictures))


def message(parts: Sequence[Part], manner: Manner) -> Message:
    """Return the message of an item."""
    return Message(tuple(_merged(_spelled(parts, manner))))


def chat(written: Message) -> list[dict[str, Any]]:
    """Return the messages of a chat request: one, of the user."""
    return [{"role": "user", "content": written.content}]


def _spelled(parts: Sequence[Part], manner: Manner) -> Iterator[str | bytes]:
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        images = [resized(image, manner.image_size) for image in part.images]
        if manner.images_as == "strip" and len(images) > 1:
            yield f"{part.names[0]} to {part.names[-1]}, from left to right:"
            yield encode_png(strip(images, part.names))
            continue
        for name, image in zip(part.names, images, strict=True):
            yield f"{name}:"
            yield encode_png(image)


def _merged(parts: Iterator[str | bytes]) -> Iterator[str | bytes]:
    """Parts with neighboring texts made one."""
    text: list[str] = []
    for part in parts:
        if isinstance(part, str):
            text.append(part)
            continue
        if text:
            yield "\n\n".join(text)
            text = []
        yield part
    if text:
        yield "\n\n".join(text)


def resized(image: Image, size: int) -> Image:
    """Return an image with sides of so many pixels at most, the longer one exactly; 0 leaves it as it is.

    Enlarged by a whole number of times it keeps its hard edges.

    >>> resized(np.zeros((2, 4, 3), np.uint8), 8).shape
    (4, 8, 3)
    """
    height, width = image.shape[:2]
    longest = max(height, width)
    if size in (0, longest):
        return np.ascontiguousarray(image)
    whole = size % longest == 0
    wide, high = max(1, round(width * size / longest)), max(1, round(height * size / longest))
    way = Pillow.Resampling.NEAREST if whole else Pillow.Resampling.LANCZOS
    return np.array(Pillow.fromarray(np.ascontiguousarray(image)).resize((wide, high), way))


def strip(images: Sequence[Image], names: Sequence[str]) -> Image:
    """Images side by side, each under its name."""
    pieces = [
        figure.above([figure.text(name, size=NAME), figure.framed(image)], gap=4)
        for name, image in zip(names, images, strict=True)
    ]
    return figure.beside(pieces, gap=GAP, align="start")


def image_tokens(png: bytes) -> int:
    """Return the most tokens that an image counts as.

    >>> image_tokens(encode_png(np.zeros((128, 600, 3), np.uint8)))
    14167
    """
    width, height = (int(side) for side in unpack(">II", png[16:24]))
    return PER_IMAGE + PER_TILE * (-(-width // TILE)) * (-(-height // TILE))


def _text(part: str) -> dict[str, Any]:
    return {"type": "text", "text": part}


def _picture(png: bytes) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(png).decode()}"}}
