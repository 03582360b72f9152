"""A small PNG encoder: flat images as palette files, several times faster than general libraries."""

from __future__ import annotations

import zlib
from functools import lru_cache
from struct import pack

import numpy as np
import numpy.typing as npt

from unseen.core.errors import SpecError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, INDEXED = 0, 2, 3  # color types of the PNG specification
UP = 2  # the filter that stores a row as its difference from the row above: zeros where cells are several pixels high
LEVEL = 1  # of zlib: flat images shrink hardly further above it, and it is by far the fastest
# runs are all there is to find in a flat image: looking for nothing else is faster, makes smaller files, and needs
# little memory, which would take longer to clear than to use
FLAT = 4, zlib.Z_RLE
DEFLATE = {GRAY: FLAT, INDEXED: FLAT, RGB: (zlib.DEF_MEM_LEVEL, zlib.Z_DEFAULT_STRATEGY)}


def encode_png(array: npt.NDArray[np.uint8]) -> bytes:
    """Encode an image (h, w, 3), or a mask (h, w) in gray, as a PNG file.

    An image of at most 256 colors becomes a palette file, of as few bits a pixel as it needs. The same array gives the
    same bytes.

    >>> encode_png(np.zeros((4, 4, 3), np.uint8))[:8] == SIGNATURE
    True
    """
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or array.shape[2:] not in ((), (3,)) or not array.size:
        raise SpecError(f"a PNG is made of uint8 (h, w) or (h, w, 3), not of {array.dtype} {array.shape}")
    height, width = array.shape[:2]
    flat = _flat_lines(array) if array.ndim == 3 else None
    if flat:
        lines, depth, palette = flat
        return _file(lines, width, INDEXED, depth=depth, palette=palette)
    rows = array.reshape(height, -1)
    lines = np.empty((height, 1 + rows.shape[1]), np.uint8)
    lines[:, 0] = UP
    lines[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=lines[1:, 1:])  # modulo 256, as the filter is defined
    return _file(lines, width, GRAY if array.ndim == 2 else RGB)


def _flat_lines(image: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], int, bytes] | None:
    """Filter the lines of an image as palette numbers: lines, bits and palette; None for over 256 colors."""
    from unseen.render.kernels import CHUNK, palette_lines  # numba, which most users do without

    # other layouts and read-only memory would be compiled once more
    pixels = (image if image.flags.carray else image.copy()).reshape(-1)
    words = pixels[: len(pixels) // (3 * CHUNK) * 3 * CHUNK].view(np.uint64)
    lines, depth, palette = palette_lines(pixels, words, image.shape[1], UP)
    return (lines, depth, palette.tobytes()) if len(palette) else None


def _file(lines: npt.NDArray[np.uint8], width: int, color_type: int, *, depth: int = 8, palette: bytes = b"") -> bytes:
    """Write the PNG file of an image whose lines are filtered."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, *DEFLATE[color_type])
    return b"".join(
        (
            _beginning(width, len(lines), depth, color_type),
            _chunk(b"PLTE", palette) if palette else b"",
            _chunk(b"IDAT", deflate.compress(lines.data) + deflate.flush()),
            END,
        )
    )


@lru_cache(maxsize=64)
def _beginning(width: int, height: int, depth: int, color_type: int) -> bytes:
    """Write the signature and the header of a PNG file."""
    return SIGNATURE + _chunk(b"IHDR", pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


END = _chunk(b"IEND", b"")
