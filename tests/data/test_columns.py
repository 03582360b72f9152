from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from unseen.data.columns import PICTURE, Listed, Numbers, column_named, column_of, hugging_face_feature

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")


def through_parquet(column, values):
    """Values written to a file and read back."""
    file = io.BytesIO()
    pq.write_table(pa.table({"x": column.encode(values)}), file)
    array = pq.read_table(file)["x"].combine_chunks()
    return list(column.decode(array.chunk(0) if isinstance(array, pa.ChunkedArray) else array))


def same(one, other):
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@st.composite
def numbers(draw, *, lists=False):
    """Arrays of one dtype and rank whose shapes differ, or lists of such arrays."""
    dtype, rank = draw(st.sampled_from(DTYPES)), draw(st.integers(0, 4))
    shapes = arrays.array_shapes(min_dims=rank, max_dims=rank, min_side=1, max_side=4) if rank else st.just(())
    array = shapes.flatmap(lambda shape: arrays.arrays(dtype, shape)).map(np.asarray)
    return draw(st.lists(st.lists(array, min_size=1, max_size=3) if lists else array, min_size=1, max_size=6))


@given(numbers())
def test_arrays_of_any_rank_and_shape_come_back_equal(values):
    column = column_of("x", values)
    assert column.encode(values).type == column.arrow
    assert column == column_named(str(column))
    assert all(map(same, values, through_parquet(column, values)))


@given(numbers(lists=True))
def test_lists_of_arrays_come_back_as_lists(values):
    column = column_of("x", values)
    assert isinstance(column, Listed)
    assert column == column_named(str(column))
    assert all(map(same, values, through_parquet(column, values)))


@pytest.mark.parametrize("values", [[True, False], [-(2**63), 2**63 - 1], [0.5, float("inf")], ["", "naïve"]])
def test_plain_values_come_back_equal_and_of_their_type(values):
    column = column_of("x", values)
    assert column == column_named(str(column))
    back = through_parquet(column, values)
    assert back == values
    assert {type(value) for value in back} == {type(values[0])}


def test_empty_arrays_and_lists_come_back():
    code = [np.zeros(0, np.int16), np.ones(2, np.int16)]
    assert all(map(same, code, through_parquet(column_of("code", code), code)))
    shown = [[], [np.ones((2, 3), np.int8)], []]
    assert all(map(same, shown, through_parquet(column_of("shown", shown), shown)))


def test_arrays_that_were_read_can_be_written_to():
    (back,) = through_parquet(Numbers(np.dtype("int8"), 2), [np.zeros((2, 2), np.int8)])
    back += 1
    assert back.sum() == 4


def test_the_column_type_follows_from_name_dtype_and_rank_alone():
    ids = np.zeros((5, 7, 3), np.uint8)  # three columns wide, and no picture for all that
    assert str(column_of("target_ids", [ids])) == "uint8 3"
    assert str(column_of("input_image", [ids])) == "picture 0"
    assert str(column_of("input_frames", [np.zeros((2, 5, 7), np.int8)])) == "int8 3"
    assert str(column_of("input_images", [[ids]])) == "list of picture 0"


def test_an_array_of_another_dtype_is_refused_and_not_converted():
    with pytest.raises(TypeError, match="an array of int64 and rank 2 is in a column of int8 and rank 2"):
        Numbers(np.dtype("int8"), 2).encode([np.zeros((1, 1), np.int8), np.zeros((1, 1), np.int64)])


def test_what_cannot_be_stored_is_named():
    with pytest.raises(TypeError, match="'extra' cannot be stored: dict"):
        column_of("extra", [{}])
    with pytest.raises(TypeError, match="'shown' cannot be stored"):
        column_of("shown", [[], []])


@pytest.mark.parametrize("shape", [(6, 5, 3), (4, 6, 5, 3), (2, 3, 6, 5, 3)])
def test_pictures_are_stored_as_png_and_come_back_equal(shape):
    pytest.importorskip("unseen.render.png")
    rng = np.random.default_rng(0)
    values = [rng.integers(0, 256, shape, np.uint8), np.zeros((1, *shape[1:]), np.uint8)]
    column = column_of("input_images", values)
    encoded = column.encode(values)
    assert encoded.type == column.arrow
    while encoded.type != PICTURE:
        encoded = encoded.flatten()
    assert encoded[0]["bytes"].as_py().startswith(b"\x89PNG")
    assert all(map(same, values, through_parquet(column, values)))


def test_lists_of_pictures_of_different_sizes_come_back_equal():
    pytest.importorskip("unseen.render.png")
    values = [[np.full((4, size, 3), size, np.uint8) for size in range(1, count)] for count in (3, 1, 5)]
    assert all(map(same, values, through_parquet(column_of("images", values), values)))


def test_hugging_face_is_told_of_pictures_only():
    picture = np.zeros((4, 4, 3), np.uint8)
    assert hugging_face_feature(column_of("image", [picture])) == {"_type": "Image", "mode": "RGB"}
    assert hugging_face_feature(column_of("images", [picture[None]])) == [{"_type": "Image", "mode": "RGB"}]
    assert hugging_face_feature(column_of("images", [[picture]])) == [{"_type": "Image", "mode": "RGB"}]
    assert hugging_face_feature(column_of("ids", [picture])) is None
