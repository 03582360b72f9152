"""Pictures of others: few formats, a size that is checked first, and a sentence for the rest."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from struct import pack

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from unseen.core.errors import DataError
from unseen.render.picture import PHOTOGRAPHS, read_picture
from unseen.render.png import SIGNATURE, encode_png

IMAGE = np.random.default_rng(0).integers(0, 255, (6, 7, 3), np.uint8)


def written(format: str) -> bytes:
    content = io.BytesIO()
    Image.fromarray(IMAGE).save(content, format)
    return content.getvalue()


def test_a_picture_is_read_from_a_file_or_its_content(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(encode_png(IMAGE))
    assert np.array_equal(read_picture(tmp_path / "a.png"), IMAGE)
    assert np.array_equal(read_picture(encode_png(IMAGE)), IMAGE)
    assert read_picture(written("JPEG"), formats=PHOTOGRAPHS).shape == IMAGE.shape


@pytest.mark.parametrize("format", ["JPEG", "GIF", "BMP", "TIFF", "PPM"])
def test_other_formats_are_not_even_tried(format: str) -> None:
    with pytest.raises(DataError, match="a picture is no PNG file that can be read"):
        read_picture(written(format))


@pytest.mark.parametrize("side", [8193, 60_000, 2**31 - 1])
def test_the_size_is_checked_before_anything_unfolds(side: int) -> None:
    head = b"IHDR" + pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    file = SIGNATURE + pack(">I", 13) + head + pack(">I", zlib.crc32(head))
    idat = b"IDAT" + zlib.compress(b"\0" * 1000)
    file += pack(">I", len(idat) - 4) + idat + pack(">I", zlib.crc32(idat))
    with pytest.raises(DataError, match=r"pixels|no PNG file"):
        read_picture(file)


@given(st.binary(max_size=80), st.integers(0, 200), st.integers(0, 7))
def test_damage_is_a_sentence_or_another_picture(noise: bytes, at: int, bit: int) -> None:
    content = bytearray(encode_png(IMAGE))
    content[at % len(content)] ^= 1 << bit
    for spoiled in (noise, bytes(content), bytes(content[:at]), SIGNATURE + noise):
        try:
            assert read_picture(spoiled).ndim == 3
        except DataError as error:
            assert "\n" not in str(error)  # noqa: PT017
