"""Random numbers: Philox4x32-10 counters, the same from Python and from kernels.

A stream is named by a key (seed and path) and a counter (index, draw); it costs nothing to make, and any part of any
stream can be had alone. Sampling uses integers and float64 only, so that records agree on every machine.

In kernels a stream is a uint32 array of `STATE` words that `start` fills and the other functions advance:
words 0-1 key, 2 block, 3 draw, 4-5 index, 6-9 the current block of random words, 10 how many of them are used.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from unseen.core.kernel import inlined, kernel
from unseen.core.key import hash_bytes

Item = TypeVar("Item")

STATE = 11
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ROUNDS = 10
M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)  # what a round multiplies with
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)  # what it adds to the key


def rounds(counter: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
    """Ten rounds of Philox4x32 over a counter of four words (Salmon et al. 2011), or plainly over arrays of them."""
    c0, c1, c2, c3 = np.uint64(counter[0]), np.uint64(counter[1]), np.uint64(counter[2]), np.uint64(counter[3])
    k0, k1 = np.uint64(k0), np.uint64(k1)
    for _ in range(ROUNDS):
        a = M0 * c0
        b = M1 * c2
        c0, c1, c2, c3 = (b >> HALF) ^ c1 ^ k0, b & LOW, (a >> HALF) ^ c3 ^ k1, a & LOW
        k0 = (k0 + W0) & LOW
        k1 = (k1 + W1) & LOW
    return np.uint32(c0), np.uint32(c1), np.uint32(c2), np.uint32(c3)


philox = inlined(rounds)


@kernel
def start(state, key, index, draw):
    """Put a stream at the beginning of (key, index, draw)."""
    state[0] = np.uint32(np.uint64(key) & LOW)
    state[1] = np.uint32(np.uint64(key) >> HALF)
    state[2] = 0
    state[3] = np.uint32(draw)
    state[4] = np.uint32(np.uint64(index) & LOW)
    state[5] = np.uint32(np.uint64(index) >> HALF)
    state[10] = 4


@kernel
def word(state):
    """The next 32 random bits, as uint64."""
    if state[10] == 4:
        state[6], state[7], state[8], state[9] = philox(state[2:6], state[0], state[1])
        state[2] += np.uint32(1)
        state[10] = 0
    value = np.uint64(state[6 + state[10]])
    state[10] += np.uint32(1)
    return value


@kernel
def below(state, n):
    """An integer uniform in 0 .. n-1, without bias (Lemire 2019); n must be below 2**32."""
    n = np.uint64(n)
    product = word(state) * n
    if product & LOW < n:
        threshold = (np.uint64(1 << 32) - n) % n
        while product & LOW < threshold:
            product = word(state) * n
    return np.int64(product >> HALF)


@kernel
def uniform(state):
    """A float64 uniform in [0, 1)."""
    high = word(state)
    low = word(state)
    return np.float64(((high << HALF) | low) >> np.uint64(11)) * 2.0**-53


def _filled(state: npt.NDArray[np.uint32], out: npt.NDArray[np.float64]) -> None:
    """Many float64 uniform in [0, 1), from rounds over arrays of counters: NumPy takes as long for one as for many."""
    left = state[6 + state[10] : 10].copy()
    blocks = (2 * len(out) - len(left) + 3) // 4
    if blocks > 0:
        counters = np.arange(blocks, dtype=np.uint64) + state[2] & LOW
        fresh = np.stack(rounds((counters, *state[3:6]), state[0], state[1]), axis=1)
        state[2] = counters[-1] + np.uint64(1) & LOW
        state[6:10] = fresh[-1]
        left = np.concatenate([left, fresh.reshape(-1)])
    state[10] = 4 - (len(left) - 2 * len(out))
    high, low = left[: 2 * len(out)].astype(np.uint64).reshape(-1, 2).T
    out[:] = (high << HALF | low) >> np.uint64(11)
    out *= 2.0**-53


@partial(kernel, plain=_filled)
def fill_uniform(state, out):
    """Many float64 uniform in [0, 1)."""
    for i in range(len(out)):
        out[i] = uniform(state)


def _begun(states: npt.NDArray[np.uint32], key: Any, indices: npt.NDArray[np.uint64], draw: int, out: Any) -> None:
    """The first numbers of many streams, from rounds over the counters of all of them."""
    low, high = indices[:, None] & LOW, indices[:, None] >> HALF
    k0, k1 = np.uint64(key) & LOW, np.uint64(key) >> HALF
    counters = np.arange(out.shape[1] // 2, dtype=np.uint64)
    words = np.stack(rounds((counters, draw, low, high), k0, k1), axis=-1)
    states[:, 0], states[:, 1], states[:, 2], states[:, 3] = k0, k1, len(counters), draw
    states[:, 4:6] = np.hstack([low, high])
    states[:, 6:10], states[:, 10] = words[:, -1], 4
    halves = words.astype(np.uint64).reshape(*out.shape, 2)
    out[:] = (halves[..., 0] << HALF | halves[..., 1]) >> np.uint64(11)
    out *= 2.0**-53


@partial(kernel, plain=_begun)
def begin(states, key, indices, draw, out):
    """Start many streams of one key and draw; a row of `out` gets the first float64 of each, an even number of them."""
    for k in range(len(indices)):
        start(states[k], key, indices[k], draw)
        fill_uniform(states[k], out[k])


@kernel
def permuted(i, n, key):
    """Where a shuffle of range(n), chosen by `key`, puts i; needs no list (Feistel network with cycle walking)."""
    half = np.uint64(1)
    while (np.uint64(1) << (np.uint64(2) * half)) < np.uint64(n):
        half += np.uint64(1)
    mask = (np.uint64(1) << half) - np.uint64(1)
    counter = np.zeros(4, np.uint32)
    value = np.uint64(i)
    while True:
        left, right = value >> half, value & mask
        for turn in range(4):
            counter[0] = np.uint32(right)
            counter[1] = np.uint32(turn)
            noise, _, _, _ = philox(counter, np.uint64(key) & LOW, np.uint64(key) >> HALF)
            left, right = right, left ^ (np.uint64(noise) & mask)
        value = (left << half) | right
        if value < np.uint64(n):
            return np.int64(value)


def path_key(seed: int, *path: str) -> int:
    """Return the key of all streams of one seed and path, such as `path_key(0, "cogitao/c1-1", "train")`."""
    return hash_bytes("\0".join(path).encode(), seed)


class Stream:
    """A stream for Python code: draws the same numbers as a kernel that starts at the same place.

    `state` is what kernels take, so that both can go on where the other stopped.

    >>> rng = Stream(path_key(0, "docs"), index=3)
    >>> [rng.below(6) + 1 for _ in range(5)]
    [3, 6, 1, 6, 5]
    """

    __slots__ = ("state",)

    def __init__(self, key: int, *, index: int = 0, draw: int = 0) -> None:
        self.state = np.zeros(STATE, np.uint32)
        start(self.state, np.uint64(key), np.uint64(index), draw)

    def below(self, n: int) -> int:
        """Return an integer uniform in 0 .. n-1."""
        return int(below(self.state, n))

    def between(self, low: int, high: int) -> int:
        """Return an integer uniform in low .. high, both included."""
        return low + self.below(high - low + 1)

    def uniform(self) -> float:
        """Return a float uniform in [0, 1)."""
        return float(uniform(self.state))

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, uniformly."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Shuffle in place (Fisher-Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class BlockStream(Stream):
    """A stream for Python code that draws many single numbers: it takes them from its state a block at a time.

    Kernels may draw from `state` in between; they get what comes after the block.
    """

    __slots__ = ("_ahead",)

    BLOCK = 64

    def __init__(self, key: int, *, index: int = 0, draw: int = 0) -> None:
        super().__init__(key, index=index, draw=draw)
        self._ahead: list[float] = []

    @classmethod
    def several(cls, key: int, indices: Sequence[int], draw: int = 0) -> Iterator[Self]:
        """Yield the streams of some indices, each with its first block, which are made together."""
        states, blocks = np.zeros((len(indices), STATE), np.uint32), np.empty((len(indices), cls.BLOCK))
        begin(states, np.uint64(key), np.array(indices, np.uint64), draw, blocks)
        for state, block in zip(states, blocks.tolist(), strict=True):
            stream = cls.__new__(cls)
            stream.state, stream._ahead = state, block
            yield stream

    def uniform(self) -> float:
        """Return a float uniform in [0, 1)."""
        if not self._ahead:
            self._go_on()
        return self._ahead.pop()

    def _go_on(self) -> None:
        block = np.empty(self.BLOCK)
        fill_uniform(self.state, block)
        self._ahead = block.tolist()

    def below(self, n: int) -> int:
        """Return an integer uniform in 0 .. n-1, for n so small that the 53 bits of a float do for it."""
        return int(self.uniform() * n)

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, uniformly; it draws by itself because most numbers are drawn here."""
        if not self._ahead:
            self._go_on()
        return items[int(self._ahead.pop() * len(items))]
