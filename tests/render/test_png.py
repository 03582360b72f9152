"""Our PNG files are those of everyone else."""

from __future__ import annotations

import io
import zlib

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from unseen.core.errors import SpecError
from unseen.render.palette import grid_image
from unseen.render.png import encode_png

sides = st.integers(1, 24)
shapes = st.tuples(sides, sides, st.just(3)) | st.tuples(sides, sides)


def decoded(png: bytes) -> tuple[str, npt.NDArray[np.uint8]]:
    with Image.open(io.BytesIO(png)) as image:
        return image.mode, np.asarray(image.convert("RGB" if image.mode != "L" else "L"))


@given(arrays(np.uint8, shapes, elements=st.integers(0, 3) | st.integers(0, 255)))
def test_pillow_reads_the_same_pixels(array: npt.NDArray[np.uint8]) -> None:
    _, pixels = decoded(encode_png(array))
    assert (pixels == array).all()


@given(arrays(np.uint8, st.tuples(sides, sides, st.just(3))), st.integers(1, 12), st.integers(1, 40))
def test_cells_of_one_color_are_read_as_such(array: npt.NDArray[np.uint8], height: int, width: int) -> None:
    image = array.repeat(height, axis=0).repeat(width, axis=1)
    assert (decoded(encode_png(image))[1] == image).all()


def test_memory_that_may_not_be_written_can_be_encoded() -> None:
    image = np.zeros((5, 7, 3), np.uint8)
    before = encode_png(image)
    image.flags.writeable = False
    assert encode_png(image) == before


def test_a_palette_is_in_order_of_appearance() -> None:
    colors = np.array([[(9, 0, 0), (1, 2, 3), (1, 2, 0), (9, 0, 0)]], np.uint8)
    with Image.open(io.BytesIO(encode_png(colors))) as image:
        assert image.getpalette()[:9] == [9, 0, 0, 1, 2, 3, 1, 2, 0]
        assert np.asarray(image).tolist() == [[0, 1, 2, 0]]


def test_a_line_is_a_difference_where_that_has_longer_runs() -> None:
    mixed = np.random.default_rng(0).integers(0, 2, 64, np.uint8) * 255
    lines = np.stack([mixed, mixed, np.full(64, mixed[0]), mixed])
    png = encode_png(np.stack([lines] * 3, axis=2))
    data = png.index(b"IDAT")
    size = int.from_bytes(png[data - 4 : data], "big")
    packed = zlib.decompress(png[data + 4 : data + 4 + size])
    assert list(packed[:: 1 + 64 // 8]) == [0, 2, 0, 0]  # filters: none, the line above, none, none


@pytest.mark.parametrize(("colors", "mode"), [(256, "P"), (257, "RGB")])
def test_up_to_256_colors_become_a_palette(colors: int, mode: str) -> None:
    image = np.zeros((1, colors, 3), np.uint8)
    image[0, :, 0] = np.arange(colors) % 256
    image[0, :, 1] = np.arange(colors) // 256
    found, pixels = decoded(encode_png(image))
    assert found == mode
    assert (pixels == image).all()


@given(colors=st.integers(1, 20), width=st.integers(1, 40), data=st.data())
def test_a_pixel_takes_as_few_bits_as_its_palette_needs(colors: int, width: int, data: st.DataObject) -> None:
    numbers = data.draw(arrays(np.uint8, (3, width), elements=st.integers(0, colors - 1)))
    image = np.stack([numbers * 12, 255 - numbers, numbers], axis=2)
    png, used = encode_png(image), len(np.unique(numbers))
    assert (decoded(png)[1] == image).all()
    assert png[24] == next(bits for bits in (1, 2, 4, 8) if used <= 1 << bits)  # of the header


def test_a_view_that_is_not_contiguous_is_written_as_it_looks() -> None:
    image = grid_image(np.arange(9, dtype=np.int8).reshape(3, 3), 31)[::-1, ::2]
    assert (decoded(encode_png(image))[1] == image).all()


def test_a_mask_is_gray() -> None:
    mask = np.arange(200, dtype=np.uint8).reshape(10, 20)
    mode, pixels = decoded(encode_png(mask))
    assert mode == "L"
    assert (pixels == mask).all()


@pytest.mark.parametrize("array", [np.zeros((2, 2)), np.zeros((2, 2, 4), np.uint8), np.zeros((0, 3, 3), np.uint8)])
def test_what_is_no_image_is_refused(array: npt.NDArray[np.uint8]) -> None:
    with pytest.raises(SpecError, match="a PNG is made of uint8"):
        encode_png(array)
