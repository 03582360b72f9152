"""XXH64, the hash behind stream keys and content keys, in a form that Python and kernels share."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

P1 = np.uint64(0x9E3779B185EBCA87)
P2 = np.uint64(0xC2B2AE3D27D4EB4F)
P3 = np.uint64(0x165667B19E3779F9)
P4 = np.uint64(0x85EBCA77C2B2AE63)
P5 = np.uint64(0x27D4EB2F165667C5)


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


@kernel
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
