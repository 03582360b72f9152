"""Pictures that others have made: of few formats, of a size that is checked first, and never a traceback."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.core.errors import DataError, quoted

MOST_PIXELS = 1 << 26  # of a picture, 8192 x 8192: a small file may unfold to any size
PNG = ("PNG",)
PHOTOGRAPHS = ("PNG", "JPEG", "WEBP")


def read_picture(
    file: Path | bytes, *, formats: tuple[str, ...] = PNG, most: int = MOST_PIXELS
) -> npt.NDArray[np.uint8]:
    """Read a picture, a file or its content, as uint8 (h, w, 3).

    >>> from unseen.render.png import encode_png
    >>> read_picture(encode_png(np.zeros((4, 5, 3), np.uint8))).shape
    (4, 5, 3)
    """
    from PIL import Image, UnidentifiedImageError

    what = str(file) if isinstance(file, Path) else "a picture"
    try:
        with Image.open(BytesIO(file) if isinstance(file, bytes) else file, formats=formats) as image:
            if image.width * image.height > most:
                raise DataError(f"{what} has {image.width} x {image.height} pixels, and {most:,} are the most in all")
            return np.array(image.convert("RGB"))
    except DataError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise DataError(f"{what} has too many pixels: {most:,} are the most") from None
    except (OSError, ValueError, SyntaxError, TypeError, IndexError, EOFError, struct.error, zlib.error) as error:
        reason = "" if isinstance(error, UnidentifiedImageError) else f": {quoted(str(error))}"
        raise DataError(f"{what} is no {' or '.join(formats)} file that can be read{reason}") from error
