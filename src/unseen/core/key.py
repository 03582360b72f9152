"""XXH64, the hash behind stream keys and content keys, in a form that Python and kernels share."""

from __future__ import annotations

import struct
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.kernel import kernel

P1 = np.uint64(0x9E3779B185EBCA87)
P2 = np.uint64(0xC2B2AE3D27D4EB4F)
P3 = np.uint64(0x165667B19E3779F9)
P4 = np.uint64(0x85EBCA77C2B2AE63)
P5 = np.uint64(0x27D4EB2F165667C5)


def _in_integers(data: npt.NDArray[np.uint8], length: int, seed: Any) -> np.uint64:
    """XXH64 in Python integers, which do not overflow and are ten times as fast as NumPy scalars."""
    content, start, whole = data[:length].tobytes(), int(seed), 2**64 - 1
    length = len(content)  # as a Python integer too
    p1, p2, p3, p4, p5 = map(int, (P1, P2, P3, P4, P5))

    def rotated(x: int, bits: int) -> int:
        return (x << bits | x >> (64 - bits)) & whole

    def turned(lane: int, word: int) -> int:
        return rotated((lane + word * p2) & whole, 31) * p1 & whole

    words = struct.unpack_from(f"<{length // 8}Q", content)
    striped = length // 32 * 4  # words that are taken four at a time
    h = start + p5
    if striped:
        lanes = [start + p1 + p2, start + p2, start, start - p1]
        for i in range(striped):
            lanes[i % 4] = turned(lanes[i % 4], words[i])
        h = sum(map(rotated, lanes, (1, 7, 12, 18)))
        for lane in lanes:
            h = ((h ^ turned(0, lane)) * p1 + p4) & whole
    h = (h + length) & whole
    for word in words[striped:]:
        h = (rotated(h ^ turned(0, word), 27) * p1 + p4) & whole
    at = length // 8 * 8
    if at + 4 <= length:
        h = (rotated(h ^ int.from_bytes(content[at : at + 4], "little") * p1 & whole, 23) * p2 + p3) & whole
        at += 4
    for byte in content[at:]:
        h = rotated(h ^ byte * p5 & whole, 11) * p1 & whole
    h = (h ^ h >> 33) * p2 & whole
    h = (h ^ h >> 29) * p3 & whole
    return np.uint64(h ^ h >> 32)


@kernel
def _rotate(x, bits):
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@kernel
def _read(data, at, size):
    """Little-endian unsigned integer of `size` bytes."""
    value = np.uint64(0)
    for i in range(size):
        value |= np.uint64(data[at + i]) << np.uint64(8 * i)
    return value


@kernel
def _round(lane, word):
    return _rotate(lane + word * P2, 31) * P1


@partial(kernel, plain=_in_integers)
def xxh64(data, length, seed):
    """XXH64 of the first `length` bytes of a uint8 array."""
    at = 0
    if length >= 32:
        v1, v2, v3, v4 = seed + P1 + P2, seed + P2, seed + np.uint64(0), seed - P1
        while at + 32 <= length:
            v1 = _round(v1, _read(data, at, 8))
            v2 = _round(v2, _read(data, at + 8, 8))
            v3 = _round(v3, _read(data, at + 16, 8))
            v4 = _round(v4, _read(data, at + 24, 8))
            at += 32
        h = _rotate(v1, 1) + _rotate(v2, 7) + _rotate(v3, 12) + _rotate(v4, 18)
        for lane in (v1, v2, v3, v4):
            h = (h ^ _round(np.uint64(0), lane)) * P1 + P4
    else:
        h = seed + P5
    h += np.uint64(length)
    while at + 8 <= length:
        h = _rotate(h ^ _round(np.uint64(0), _read(data, at, 8)), 27) * P1 + P4
        at += 8
    if at + 4 <= length:
        h = _rotate(h ^ (_read(data, at, 4) * P1), 23) * P2 + P3
        at += 4
    while at < length:
        h = _rotate(h ^ (np.uint64(data[at]) * P5), 11) * P1
        at += 1
    h = (h ^ (h >> np.uint64(33))) * P2
    h = (h ^ (h >> np.uint64(29))) * P3
    return h ^ (h >> np.uint64(32))


def hash_bytes(data: bytes, seed: int = 0) -> int:
    """XXH64 of a byte string.

    >>> hex(hash_bytes(b""))
    '0xef46db3751d8e999'
    """
    writable = np.frombuffer(bytearray(data), np.uint8)  # as in kernels: a read-only array would be compiled for again
    return int(xxh64(writable, len(data), np.uint64(seed & (2**64 - 1))))
