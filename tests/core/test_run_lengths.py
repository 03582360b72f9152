"""Run lengths of masks are read as they were written, and as others write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.run_lengths import decode_coco, encode_coco, encode_published, published_frame, unpack_coco

masks = hnp.arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6)))


@given(masks)
def test_starts_and_lengths_are_of_the_pixels_in_the_order_of_rows(mask):
    pixels = np.zeros(mask.size, bool)
    numbers = [int(word) for word in encode_published(mask).split()]
    for start, length in zip(numbers[::2], numbers[1::2], strict=True):
        pixels[start - 1 : start - 1 + length] = True
    assert np.array_equal(pixels.reshape(mask.shape), mask)


@given(masks)
def test_a_coco_mask_is_read_as_it_was_written(mask):
    assert np.array_equal(decode_coco(encode_coco(mask)), mask)


@given(masks)
def test_packed_counts_are_those_of_pycocotools(mask):
    coco = pytest.importorskip("pycocotools.mask", reason="pycocotools comes with trackeval; see CONTRIBUTING.md")
    packed = coco.encode(np.asfortranarray(mask, np.uint8))
    assert unpack_coco(packed["counts"]) == encode_coco(mask)["counts"]
    assert np.array_equal(decode_coco(packed), mask)


def test_packed_counts_may_be_large_and_differences_negative():
    # by hand: 100 is 3 * 32 + 4, so "T3"; the fourth count is packed as its difference to the second, 2 - 7 = -5
    assert unpack_coco("T371K") == [100, 7, 1, 2]


def test_a_frame_without_background_says_so():
    assert published_frame(np.ones((2, 2), np.uint8), 5, truth=True) == {"masks": ["1 4"], "ids": [6], "num_bg": 0}


def test_floor_and_walls_are_background_of_the_truth_and_segments_of_a_prediction():
    labels = np.array([[255, 1], [240, 0]], np.uint8)
    assert published_frame(labels, 0, truth=True)["ids"] == [1, 0, 240, 255]
    assert published_frame(labels, 0, truth=True)["num_bg"] == 3
    assert published_frame(labels, 0, truth=False)["ids"] == [1, 240, 255]
