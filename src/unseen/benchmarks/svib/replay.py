"""The published combinations, drawn again as the published code drew them, whatever Python or NumPy runs here.

That code draws from Python sets, in the order in which CPython 3.8 to 3.11 keep tuples of small integers; so sets are
modelled here, with CPython's hash of a tuple and its way of finding a slot. CLEVR and CLEVRTex were drawn with Python's
`random`, whose 32-bit words are all that is used of it. dSprites was drawn with NumPy's legacy generator, which the
episodes of every training split draw from too before the next split is chosen; running through 64,000 of them three
times takes a while, so the outcome is kept below, and `replayed_sprites` makes it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import ceil, floor, hypot, log
from random import Random

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib.worlds import WORLDS, Combination, World
from unseen.core.errors import SpecError

TEST_SHARE = 0.2
WORD = 2**64 - 1

# ---------------------------------------------------------------------------- CPython's sets


def tuple_hash(items: Combination) -> int:
    """CPython's hash of a tuple of small non-negative integers, as 64 unsigned bits (its form of xxHash)."""
    total = 2870177450012600261
    for item in items:
        total = (total + item * 14029467366897019727) & WORD
        total = (total << 31 | total >> 33) & WORD
        total = total * 11400714785074694791 & WORD
    return (total + (len(items) ^ 2870177450012600261 ^ 3527539)) & WORD


class Kept:
    """Combinations in the order in which a set of CPython keeps them."""

    NEAR = 9  # slots after the first that are tried before it jumps

    def __init__(self, items: Iterable[Combination] = ()) -> None:
        self.slots: list[Combination | None] = [None] * 8
        self.filled = 0  # slots that are or were in use
        self.members: set[Combination] = set()
        for item in items:
            self._add(item)

    def __iter__(self) -> Iterator[Combination]:
        return (item for item in self.slots if item in self.members)

    def __len__(self) -> int:
        return len(self.members)

    def without(self, others: Sequence[Combination]) -> Kept:
        """Give the difference: a copy from which others are taken where they are few, else what is left put in anew."""
        if len(self) >> 2 <= len(others):
            return Kept(item for item in self if item not in others)
        copy = self._copy()
        copy.members -= {*others}  # their slots stay used
        return copy

    def _copy(self) -> Kept:
        copy = Kept()
        if len(self) * 5 >= 7 * 3:
            copy._resize(2 * len(self))
        if len(copy.slots) == len(self.slots) and self.filled == len(self):
            copy.slots = self.slots[:]
        else:
            for item in self:
                copy._insert(item)
        copy.filled, copy.members = len(self), {*self.members}
        return copy

    def _add(self, item: Combination) -> None:
        if item in self.members:
            return
        self._insert(item)
        self.filled += 1
        self.members.add(item)
        if self.filled * 5 >= (len(self.slots) - 1) * 3:
            self._resize(4 * len(self))

    def _insert(self, item: Combination) -> None:
        mask = len(self.slots) - 1
        jumps = hashed = tuple_hash(item)
        at = hashed & mask
        while True:
            for slot in range(at, at + self.NEAR + 1 if at + self.NEAR <= mask else at + 1):
                if self.slots[slot] is None:
                    self.slots[slot] = item
                    return
            jumps >>= 5
            at = (5 * at + 1 + jumps) & mask

    def _resize(self, least: int) -> None:
        items = list(self)
        self.slots = [None] * (1 << max(3, least.bit_length()))
        self.filled = len(items)
        for item in items:
            self._insert(item)


# ---------------------------------------------------------------------------- Python's random.sample


def sample(rng: Random, population: Sequence[Combination], count: int) -> list[Combination]:
    """Return some of a population, as `random.sample` has drawn them since Python 3.2."""
    pool = list(population)
    if len(pool) <= 21 + (4 ** ceil(log(count * 3, 4)) if count > 5 else 0):
        chosen = []
        for left in range(len(pool), len(pool) - count, -1):
            place = _below(rng, left)
            chosen.append(pool[place])
            pool[place] = pool[left - 1]
        return chosen
    places: dict[int, None] = {}
    while len(places) < count:
        places[_below(rng, len(pool))] = None
    return [pool[place] for place in places]


def _below(rng: Random, n: int) -> int:
    while (value := rng.getrandbits(n.bit_length())) >= n:
        pass
    return value


def core(sizes: Sequence[int]) -> list[Combination]:
    """Return the paper's Algorithm 1: the fewest combinations that hold every value once.

    >>> core((4, 2))
    [(0, 0), (1, 1), (2, 0), (3, 1)]
    """
    return [tuple(i % size for size in sizes) for i in range(max(sizes))]


def every(sizes: Sequence[int]) -> list[Combination]:
    """Return all combinations, the last factor changing fastest."""
    return list(product(*map(range, sizes)))


@lru_cache(maxsize=4)
def drawn_solids(sizes: tuple[int, ...]) -> tuple[list[Combination], list[list[Combination]]]:
    """Return the test combinations, and for alpha 0.00, 0.01 ... 0.80 those trained on besides the core."""
    rng = Random(0)
    others = Kept(every(sizes)).without(core(sizes))
    test = sample(rng, list(others), floor(TEST_SHARE * len(others)))
    pool = list(others.without(test))
    return test, [sample(rng, pool, ceil(len(others) * (0.01 * i))) for i in range(81)]


# ---------------------------------------------------------------------------- dSprites

ALPHAS = (0.0, 0.2, 0.4, 0.6)
EPISODES = 64_000  # of each training split
REPLAYED = (  # what `replayed_sprites` gives, in 13 seconds: color, shape and size of every combination
    "203 320 112 031",  # core
    "222 200 100 030 313 002 013 322 201 000 131 223",  # 0.2 adds
    "301 220 133 123 333 233 132 232 300 110 102 312",  # 0.4 adds
    "212 121 311 321 330 103 001 332 003 323 010 221",  # 0.6 adds
    "213 230 111 021 122 022 101 033 011 211 023 310",  # test
)


def kept_sprites() -> list[list[Combination]]:
    """Return the outcome of `replayed_sprites`."""
    return [[tuple(map(int, digits)) for digits in row.split()] for row in REPLAYED]


def published(world: World, alpha: float) -> dict[str, list[Combination]]:
    """Return the published combinations of a world: core, train (the core first) and test."""
    if world.flat:
        first, *added, test = kept_sprites()
        if alpha not in ALPHAS:
            raise SpecError(f"dsprites was published with alpha 0, 0.2, 0.4 and 0.6, not {alpha:g}; use splits=paper")
        train = [one for row in added[: ALPHAS.index(alpha)] for one in row]
        return {"core": first, "train": first + train, "test": test}
    steps = round(alpha * 100)
    if abs(alpha * 100 - steps) > 1e-9 or steps > 80:
        raise SpecError(f"{world.name} was published with alpha 0, 0.01 ... 0.8, not {alpha:g}; use splits=paper")
    sizes = tuple(map(len, world.vocabularies))
    test, further = drawn_solids(sizes)
    return {"core": core(sizes), "train": core(sizes) + further[steps], "test": list(test)}


def replayed_sprites(episodes: int = EPISODES) -> list[list[Combination]]:
    """Core, what 0.2, 0.4 and 0.6 add to it, each to the one before, and test: the published random stream again."""
    rng, world, sizes = np.random.RandomState(0), WORLDS["dsprites"], (4, 4, 4)
    everything = meshed(sizes)
    columns = [rng.choice(np.arange(size), (size, 1), replace=False) for size in sizes]
    chosen: list[Combination] = [tuple(map(int, row)) for row in np.hstack(columns)]
    added = [chosen[:]]
    for alpha in ALPHAS:
        if alpha:
            wanted = len(added[0]) + floor((len(everything) - len(added[0])) * alpha)
            added.append(_one_by_one(rng, list(Kept(everything).without(chosen)), wanted - len(chosen)))
            chosen += added[-1]
        _go_through(rng, np.array([world.sizes[size] for _, _, size in chosen]), episodes)
    tested = len(everything) - len(added[0]) - floor((len(everything) - len(added[0])) * (1 - TEST_SHARE))
    return [*added, _one_by_one(rng, sorted({*everything} - {*chosen}), tested)]


def meshed(sizes: Sequence[int]) -> list[Combination]:
    """All combinations in the order of the published code's mesh, in which they enter its sets and so settle theirs.

    >>> meshed((2, 2, 2))[:4]
    [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]
    """
    return [tuple(map(int, row)) for row in np.array(np.meshgrid(*map(np.arange, sizes))).T.reshape(-1, len(sizes))]


def _one_by_one(rng: np.random.RandomState, pool: list[Combination], count: int) -> list[Combination]:
    return [pool.pop(int(rng.choice(np.arange(len(pool))))) for _ in range(count)]


def _go_through(rng: np.random.RandomState, sizes: npt.NDArray[np.float64], episodes: int) -> None:
    """Draw what episodes draw: two combinations, two places nobody uses, two that are far enough apart, two angles."""
    margin = WORLDS["dsprites"].margin
    for _ in range(episodes):
        pair = sizes[rng.choice(len(sizes), 2)]
        rng.random_sample((2, 2))
        while True:
            (x1, y1), (x2, y2) = margin * pair[:, None] + rng.random_sample((2, 2)) * (1 - 2 * margin * pair[:, None])
            if hypot(x1 - x2, y1 - y2) >= margin * (pair[0] + pair[1]):
                break
        rng.random_sample(2)
