"""A small PNG encoder: flat images as 8-bit palette files, several times faster than general libraries."""

from __future__ import annotations

import zlib

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

    An image of at most 256 colors becomes an 8-bit palette file. The same array gives the same bytes.

    >>> encode_png(np.zeros((4, 4, 3), np.uint8))[:8] == SIGNATURE
    True
    """
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or array.shape[2:] not in ((), (3,)) or not array.size:
        raise SpecError(f"a PNG is made of uint8 (h, w) or (h, w, 3), not of {array.dtype} {array.shape}")
    if array.ndim == 2:
        return _file(array, GRAY)
    indexed = _indexed(array)
    if indexed is None:
        return _file(array.reshape(len(array), -1), RGB)
    numbers, palette = indexed
    return _file(numbers, INDEXED, palette=palette)


def _indexed(image: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], bytes] | None:
    """Palette numbers of the pixels, and the palette in ascending order; None where there are more than 256 colors."""
    from unseen.render.kernels import CHUNK, COLORS, find_colors  # numba, which most users do without

    # other layouts and read-only memory would be compiled once more
    pixels = np.require(image, requirements=["C", "W"]).reshape(-1)
    words = pixels[: len(pixels) // (3 * CHUNK) * 3 * CHUNK].view(np.uint64)
    numbers, colors = np.empty(image.shape[:2], np.uint8), np.empty(COLORS, np.uint32)
    count = find_colors(pixels, words, numbers.reshape(-1), colors)
    if not count:
        return None
    return numbers, colors[:count].astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()


def _file(lines: npt.NDArray[np.uint8], color_type: int, *, palette: bytes = b"") -> bytes:
    """The file of an image whose rows are already bytes."""
    height, bytes_a_row = lines.shape
    width = bytes_a_row // 3 if color_type == RGB else bytes_a_row
    filtered = np.empty((height, 1 + bytes_a_row), np.uint8)
    filtered[:, 0] = UP
    filtered[0, 1:] = lines[0]
    np.subtract(lines[1:], lines[:-1], out=filtered[1:, 1:])  # modulo 256, as the filter is defined
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, color_type, 0, 0, 0))
    deflate = zlib.compressobj(LEVEL, strategy=STRATEGIES[color_type])
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette) if palette else b"",
            _chunk(b"IDAT", deflate.compress(filtered.data) + deflate.flush()),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
