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
# runs are all there is to find in a flat image: looking for nothing else is faster, and makes smaller files
STRATEGIES = {GRAY: zlib.Z_RLE, INDEXED: zlib.Z_RLE, RGB: zlib.Z_DEFAULT_STRATEGY}


def encode_png(array: npt.NDArray[np.uint8]) -> bytes:
    """A PNG file of an image (h, w, 3), or of a mask (h, w) in gray.

    An image of at most 256 colors becomes a palette file, of as few bits a pixel as it needs. The same array gives the
    same bytes.

    >>> encode_png(np.zeros((4, 4, 3), np.uint8))[:8] == SIGNATURE
    True
    """
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or array.shape[2:] not in ((), (3,)) or not array.size:
        raise SpecError(f"a PNG is made of uint8 (h, w) or (h, w, 3), not of {array.dtype} {array.shape}")
    width = array.shape[1]
    if array.ndim == 2:
        return _file(array, width, GRAY)
    indexed = _indexed(array)
    if indexed is None:
        return _file(array.reshape(len(array), -1), width, RGB)
    numbers, palette = indexed
    depth = next(bits for bits in (1, 2, 4, 8) if len(palette) <= 3 << bits)
    return _file(_packed(numbers, depth), width, INDEXED, depth=depth, palette=palette)


def _indexed(image: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], bytes] | None:
    """Palette numbers of the pixels, and the palette in ascending order; None where there are more than 256 colors."""
    from unseen.render.kernels import CHUNK, COLORS, find_colors  # numba, which most users do without

    # other layouts and read-only memory would be compiled once more
    pixels = (image if image.flags.carray else image.copy()).reshape(-1)
    words = pixels[: len(pixels) // (3 * CHUNK) * 3 * CHUNK].view(np.uint64)
    numbers, colors = np.empty(image.shape[:2], np.uint8), np.empty(COLORS, np.uint32)
    count = find_colors(pixels, words, numbers.reshape(-1), colors)
    if not count:
        return None
    return numbers, colors[:count].astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()


def _packed(numbers: npt.NDArray[np.uint8], depth: int) -> npt.NDArray[np.uint8]:
    """Numbers of so many bits, several to a byte from its highest bits on; zeros fill up a row's last byte."""
    if depth == 8:
        return numbers
    if depth == 1:
        return np.packbits(numbers, axis=1)
    each = 8 // depth
    padded = np.pad(numbers, ((0, 0), (0, -numbers.shape[1] % each))) if numbers.shape[1] % each else numbers
    packed = np.zeros((len(padded), padded.shape[1] // each), np.uint8)
    for k in range(each):
        packed |= padded[:, k::each] << np.uint8(8 - depth - k * depth)
    return packed


def _file(lines: npt.NDArray[np.uint8], width: int, color_type: int, *, depth: int = 8, palette: bytes = b"") -> bytes:
    """The file of an image whose rows are already bytes."""
    height, bytes_a_row = lines.shape
    filtered = np.empty((height, 1 + bytes_a_row), np.uint8)
    filtered[:, 0] = UP
    filtered[0, 1:] = lines[0]
    np.subtract(lines[1:], lines[:-1], out=filtered[1:, 1:])  # modulo 256, as the filter is defined
    deflate = zlib.compressobj(LEVEL, strategy=STRATEGIES[color_type])
    return b"".join(
        (
            _beginning(width, height, depth, color_type),
            _chunk(b"PLTE", palette) if palette else b"",
            _chunk(b"IDAT", deflate.compress(filtered.data) + deflate.flush()),
            END,
        )
    )


@lru_cache(maxsize=64)
def _beginning(width: int, height: int, depth: int, color_type: int) -> bytes:
    """The signature and the header."""
    return SIGNATURE + _chunk(b"IHDR", pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


END = _chunk(b"IEND", b"")
