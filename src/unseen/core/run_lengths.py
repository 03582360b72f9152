"""Masks as run lengths, in the two forms they are stored in, and back.

    "3 2 9 4"                                   published: start and length, starts from 1, rows first
    {"size": [4, 5], "counts": [2, 3, 15]}      COCO: lengths of background and mask in turn, columns first;
                                                its counts may also be packed into a string

A published frame is a dict of `masks` and their `ids`; a true one says in `num_bg` how many of its last masks are
background.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]

FIRST_BACKGROUND = 240  # of true ids; 0 is background too


def is_background(label: Any) -> Any:
    """Tell whether true ids, one or an array of them, belong to background segments.

    >>> is_background(np.array([0, 1, 255])).tolist()
    [True, False, True]
    """
    return (label == 0) | (label >= FIRST_BACKGROUND)


def published_frame(labels: npt.NDArray[np.uint8], first_id: int, *, truth: bool) -> dict[str, Any]:
    """A frame of ids (height, width) in the published form, with ids from `first_id` on; the background of truth last.

    >>> published_frame(np.array([[0, 2], [2, 0]], np.uint8), 10, truth=True)
    {'masks': ['2 2', '1 1 4 1'], 'ids': [12, 10], 'num_bg': 1}
    """
    present = np.unique(labels).tolist()
    background = [label for label in present if truth and is_background(label)]
    written = [label for label in present if label and label not in background] + background
    found = {"masks": [encode_published(labels == label) for label in written], "ids": [first_id + i for i in written]}
    return {**found, "num_bg": len(background)} if truth else found


def encode_published(mask: Mask) -> str:
    """Encode a mask (height, width) as starts and lengths of runs, row by row.

    >>> encode_published(np.array([[0, 1], [1, 0]], bool))
    '2 2'
    """
    edges = np.flatnonzero(np.diff(mask.ravel(), prepend=False, append=False)).reshape(-1, 2)
    return " ".join(f"{start + 1} {stop - start}" for start, stop in edges.tolist())


def encode_coco(mask: Mask) -> dict[str, list[int]]:
    """Encode a mask (height, width) as lengths of background and mask in turn, column by column.

    >>> encode_coco(np.array([[0, 1], [1, 0]], bool))
    {'size': [2, 2], 'counts': [1, 2, 1]}
    """
    pixels = mask.ravel(order="F")
    edges = np.flatnonzero(np.diff(pixels, prepend=False))
    return {"size": list(mask.shape), "counts": np.diff(edges, prepend=0, append=pixels.size).tolist()}


def decode_coco(mask: Mapping[str, Any]) -> Mask:
    """Decode COCO run lengths to a mask (height, width); raise ValueError if they are not valid.

    >>> decode_coco({"size": [2, 2], "counts": [1, 2, 1]}).tolist()
    [[False, True], [True, False]]
    """
    try:
        (height, width), counts = mask["size"], mask["counts"]
        lengths = np.array(counts if isinstance(counts, list) else unpack_coco(counts), np.int64)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(str(error)) from None
    if lengths.sum() != height * width:
        raise ValueError(f"the counts are of {lengths.sum()} pixels, and {height}x{width} are {height * width}")
    return np.repeat(np.arange(lengths.size) % 2 == 1, lengths).reshape(width, height).T


def unpack_coco(packed: str | bytes) -> list[int]:
    """The counts that a COCO string packs: five bits a character above "0", lowest first; a sixth says that more come.

    From the fourth count on, differences to the count before the last are packed.

    >>> unpack_coco("132M")
    [1, 3, 2, 0]
    """
    counts: list[int] = []
    value = shift = 0
    for character in packed.encode() if isinstance(packed, str) else packed:
        bits = character - ord("0")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift  # a negative number
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
        value = shift = 0
    if shift:
        raise ValueError("the last count is cut off")
    return counts
