"""Random numbers: the published known answers, and the properties that samplers rely on."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core import key, random
from unseen.core.key import hash_bytes
from unseen.core.random import BlockStream, Stream, path_key, permuted, philox

KNOWN_ANSWERS = [  # the published test vectors of Random123 for philox4x32-10: counter, key, result
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def words(text: str) -> list[int]:
    return [int(part, 16) for part in text.split()]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_philox_gives_the_published_known_answers(counter, key, expected):
    result = philox(np.array(words(counter), np.uint32), *words(key))
    assert [int(value) for value in result] == words(expected)


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        (b"", 0, 0xEF46DB3751D8E999),
        (b"a", 0, 0xD24EC4F1A98C6E5B),
        (b"abc", 0, 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0, 0xFBCEA83C8A378BF1),
    ],
)
def test_xxh64_gives_the_published_known_answers(data, seed, expected):
    assert hash_bytes(data, seed) == expected


@given(data=st.binary(max_size=150), seed=st.integers(0, 2**64 - 1))
def test_xxh64_is_the_same_in_integers_and_in_a_kernel(data, seed):
    given = np.frombuffer(bytearray(data), np.uint8), len(data), np.uint64(seed)
    assert key._in_integers(*given) == key.xxh64(*given)


@pytest.mark.parametrize("drawn", range(6))
def test_numbers_are_the_same_one_by_one_and_over_arrays_of_counters(drawn):
    streams = [Stream(path_key(0, "arrays"), index=3) for _ in range(2)]
    for stream in streams:
        stream.state[2] = 2**32 - 8  # the number of the block overflows on the way
        for _ in range(drawn):
            stream.below(7)
    for count in (0, 1, 3, 64, 2):
        one, other = np.empty(count), np.empty(count)
        random.fill_uniform(streams[0].state, one)
        random._filled(streams[1].state, other)
        assert one.tolist() == other.tolist()
        assert streams[0].state.tolist() == streams[1].state.tolist()


def test_a_stream_depends_on_seed_path_index_and_draw():
    places = [(0, "a", 0, 0), (1, "a", 0, 0), (0, "b", 0, 0), (0, "a", 1, 0), (0, "a", 0, 1), (0, "a", 1 << 32, 0)]
    firsts = [Stream(path_key(seed, path), index=index, draw=draw).below(1 << 31) for seed, path, index, draw in places]
    assert len(set(firsts)) == len(firsts)
    again = [Stream(path_key(seed, path), index=index, draw=draw).below(1 << 31) for seed, path, index, draw in places]
    assert firsts == again


@given(n=st.integers(1, 1 << 31), seed=st.integers(0, 1000))
def test_below_stays_below(n, seed):
    rng = Stream(path_key(seed, "below"))
    assert all(0 <= rng.below(n) < n for _ in range(20))


def test_below_is_uniform():
    rng = Stream(path_key(0, "uniform"))
    counts = Counter(rng.below(7) for _ in range(70_000))
    assert sorted(counts) == list(range(7))
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts.values())
    assert chi_square < 22.5  # 0.999 quantile for 6 degrees of freedom


@given(n=st.integers(1, 3000), key=st.integers(0, 2**64 - 1))
def test_permuted_is_a_permutation(n, key):
    assert sorted(int(permuted(i, n, np.uint64(key))) for i in range(n)) == list(range(n))


def test_permuted_reaches_large_ranges_without_a_list():
    seen = {int(permuted(i, 28**5, np.uint64(5))) for i in range(1000)}
    assert len(seen) == 1000
    assert max(seen) < 28**5


def test_shuffle_reaches_every_order_about_equally():
    rng = Stream(path_key(0, "shuffle"))
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = [0, 1, 2]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert min(counts.values()) > 850


def test_a_block_stream_gives_the_numbers_of_its_stream_block_by_block() -> None:
    plain, blocks = Stream(5, index=2), BlockStream(5, index=2)
    drawn = [plain.uniform() for _ in range(2 * BlockStream.BLOCK)]
    first, second = drawn[: BlockStream.BLOCK], drawn[BlockStream.BLOCK :]
    assert [blocks.uniform() for _ in drawn] == first[::-1] + second[::-1]
    assert {blocks.below(3) for _ in range(200)} == {0, 1, 2}


def test_streams_that_begin_together_are_those_that_begin_alone():
    indices = [0, 7, 2**40 + 3]
    for index, stream in zip(indices, BlockStream.several(5, indices, draw=2), strict=True):
        alone = BlockStream(5, index=index, draw=2)
        assert [stream.uniform() for _ in range(150)] == [alone.uniform() for _ in range(150)]
        assert stream.state.tolist() == alone.state.tolist()
        assert stream.choice("abcdef") == alone.choice("abcdef")
