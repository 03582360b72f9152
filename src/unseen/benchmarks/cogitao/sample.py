"""(spec, stream) -> record: which objects stand where, and the sequence that transforms them.

The sequence of an index is fixed before anything else and kept, so hard sequences are not rarer than easy ones. Grid
size and number of objects are drawn next, and kept for some thousand scenes. Objects are drawn one at a time among
those the sequence is for, and each takes a place drawn uniformly among the places that are valid in every frame of the
sequence. An object without such a place is drawn again; a scene with too many of them starts again. With
`placement="blind"` a place is drawn for the input alone, as in the published generator, and a scene starts again where
that turns out wrong.

This runs compiled (`kernels.py`). The second half of this file is the same in readable form: the oracle of the compiled
one, and what runs where a third party's transformation takes part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao import kernels
from unseen.benchmarks.cogitao.objects import Library, library_named
from unseen.benchmarks.cogitao.properties import holes
from unseen.benchmarks.cogitao.rules import PUBLISHED, TRANSFORMATIONS, Cells, Place, refusal, steps
from unseen.benchmarks.cogitao.spec import MAX_DEPTH, PairedSpec, Spec
from unseen.core.errors import TooFewExamples, Unplaceable
from unseen.core.key import hash_bytes
from unseen.core.random import Stream, permuted
from unseen.core.splits import Part, Sequences

CHUNK = 8192  # indices of one kernel call in a pass over a split
PAIRS = 20_000  # scenes that are tried for two sequences at once


class Placed(NamedTuple):
    """An object of the library at the place of its box's top-left cell."""

    object: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Pair:
    """An input grid as symbols: its size and its objects."""

    height: int
    width: int
    objects: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A symbolic example: the sequence, the query, and demonstrations of the same sequence."""

    sequence: tuple[str, ...]
    query: Pair
    demonstrations: tuple[Pair, ...] = ()


class Plan(NamedTuple):
    """A spec made ready for the kernels."""

    library: Library
    table: npt.NDArray[np.int64]  # of each library object: offset, height, width, and `barred`
    eligible: npt.NDArray[np.int32]
    listed: npt.NDArray[np.int16]  # length, then transformation numbers, per explicit sequence
    pool: npt.NDArray[np.int16]
    names: npt.NDArray[np.uint64]  # hash of each transformation's name
    numbered: tuple[str, ...]
    compiled: bool


@lru_cache(maxsize=64)
def plan(spec: Spec) -> Plan:
    """Make a spec ready: the eligible objects, and the sequences as numbers."""
    library = library_named(spec.library)
    eligible = library.query(
        wanted=spec.properties, unwanted=spec.unwanted, min_size=spec.min_size, max_size=spec.max_size
    )
    if not len(eligible):
        raise Unplaceable(f"no object of the library {spec.library!r} has what is asked for: {describe(spec)}")
    numbered = tuple(TRANSFORMATIONS)
    number = {name: i for i, name in enumerate(numbered)}
    listed = np.zeros((len(spec.sequences), 1 + MAX_DEPTH), np.int16)
    for row, sequence in zip(listed, spec.sequences, strict=True):
        row[0] = len(sequence)
        row[1 : 1 + len(sequence)] = [number[name] for name in sequence]
    return Plan(
        library,
        _table(library),
        np.ascontiguousarray(eligible, np.int32),
        listed,
        np.array([number[name] for name in spec.pool], np.int16),
        np.array([hash_bytes(name.encode()) for name in numbered], np.uint64),
        numbered,
        set(spec.occurring) <= set(PUBLISHED),
    )


def _table(library: Library) -> npt.NDArray[np.int64]:
    barred = np.zeros(len(library), np.int64)
    for number, name in enumerate(PUBLISHED):
        for reason in TRANSFORMATIONS[name].unless:
            barred |= library.having(reason).astype(np.int64) << number
    return np.stack([library.offsets, library.heights, library.widths, barred], axis=1)


def describe(spec: Spec, sequence: tuple[str, ...] | None = None) -> str:
    """Return a configuration in words, for errors."""
    low, high = spec.grid
    words = [
        f"{spec.objects[0]}-{spec.objects[1]} objects of {spec.min_size} to {spec.max_size} cells a side",
        f"{', '.join(spec.properties) or 'any'}" + (f", not {', '.join(spec.unwanted)}" if spec.unwanted else ""),
        f"grids of {low} to {high}" if low != high else f"{low}x{low} grids",
    ]
    if sequence:
        words.append(f"sequence {' -> '.join(sequence)}")
    return "; ".join(words)


class Sampler:
    """The contract of core/task.py: draws the examples of one spec, part and stream key, in any order.

    With `plain`, or where a third party's transformation takes part, it runs the readable sampler.
    """

    def __init__(self, spec: Spec, part: Part, key: int, *, plain: bool = False) -> None:
        self.spec = spec
        self.part = part
        self.key = key
        self.plan = plan(spec)
        self.compiled = self.plan.compiled and not plain
        limits = np.array([*spec.grid, *spec.objects, *spec.depth, *part, spec.placement == "blind"], np.int64)
        _, table, eligible, listed, pool, names, *_ = self.plan
        self._arrays = (self.plan.library.cells, table, eligible, listed, pool, names, limits, np.uint64(key))
        self._alone = Sampler(spec.alone, part, key, plain=plain) if isinstance(spec, PairedSpec) else None
        self._stream = np.uint64(key)
        self._words = kernels.OBJECTS + 3 * spec.objects[1]

    def draw(self, index: int, first: int = 0) -> tuple[Record, int, int]:
        """Draw the record of an index, with key and number of the draw: the first from `first` on in the part."""
        if self._alone:
            return self._draw_paired(self._alone, index, first)
        sequence, query, content, turn = self.pair(self._stream, index, first)
        if not self.spec.in_context:
            return Record(sequence, query), content, turn
        return Record(sequence, query, self._demonstrations(index, content)), content, turn

    def keys(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """(content key, draw) of a range of indices, faster than drawing their records one by one."""
        if self._alone or not self.compiled:
            yield from (self.draw(index)[1:] for index in range(start, stop))
            return
        scene = np.empty(self._words, np.int64)
        for begin in range(start, stop, CHUNK):
            size = min(CHUNK, stop - begin)
            found, draws = np.empty(size, np.uint64), np.zeros(size, np.int64)
            kernels.draw(*self._arrays, self._stream, begin, 0, scene, found, draws)
            if draws.min() < 0:
                failed = int(draws.argmin())
                raise _failure(int(draws[failed]), self.spec, sequence_of(self.spec, self.key, begin + failed))
            yield from zip(found.tolist(), draws.tolist(), strict=True)

    def pair(self, stream: np.uint64, index: int, first: int) -> Drawn:
        """Return one pair of the index's sequence from a stream: the query's own, or a demonstration's."""
        if not self.compiled:
            return plain_pair(self.spec, self.part, self.key, int(stream), index, first)
        scene, found, draws = np.empty(self._words, np.int64), np.empty(1, np.uint64), np.empty(1, np.int64)
        kernels.draw(*self._arrays, stream, index, first, scene, found, draws)
        height, width, count, depth, *words = scene.tolist()
        sequence = tuple([self.plan.numbered[op] for op in words[:depth]])
        turn = draws.item()
        if turn < 0:
            raise _failure(turn, self.spec, sequence)
        at = range(MAX_DEPTH, MAX_DEPTH + 3 * count, 3)
        placed = tuple([Placed(words[i], words[i + 1], words[i + 2]) for i in at])
        return sequence, Pair(height, width, placed), found.item(), turn

    def _draw_paired(self, alone: Sampler, index: int, first: int) -> tuple[Record, int, int]:
        """Draw until a scene is one of both partners, and both examples belong to the part."""
        assert isinstance(self.spec, PairedSpec)
        sequence = sequence_of(self.spec, self.key, index)
        partner = self.spec.partner(sequence)
        turn = first
        for _ in range(PAIRS):
            drawn, _, turn = alone.draw(index, turn)
            keys = [content_key(one, drawn.query, self.plan.library) for one in (sequence, partner)]
            other = partner if drawn.sequence == sequence else sequence
            if all(map(self.part.holds, keys)) and suits(other, drawn.query, self.plan.library):
                return replace(drawn, sequence=sequence), keys[0], turn
            turn += 1
        raise Unplaceable(f"found no scene that is also one of {' -> '.join(partner)}: {describe(self.spec, sequence)}")

    def _demonstrations(self, index: int, query: int) -> tuple[Pair, ...]:
        """Pairs of the same sequence from streams of their own, none of which repeats the query or another."""
        shown: list[Pair] = []
        seen = {query}
        for k in range(self.spec.in_context):
            stream = np.uint64(hash_bytes(f"demonstration {k}".encode(), self.key))
            _, pair, content, turn = self.pair(stream, index, 0)
            while content in seen:
                _, pair, content, turn = self.pair(stream, index, turn + 1)
            seen.add(content)
            shown.append(pair)
        return tuple(shown)


Drawn = tuple[tuple[str, ...], Pair, int, int]  # sequence, pair, content key, draw


def _failure(why: int, spec: Spec, sequence: tuple[str, ...]) -> Exception:
    if why == kernels.NO_KEY:
        return TooFewExamples(f"too few distinct examples for a split of their own: {describe(spec, sequence)}")
    if why == kernels.NO_OBJECT:
        return Unplaceable(f"found no object that the sequence is for and that fits: {describe(spec, sequence)}")
    return Unplaceable(
        "could not place the objects so that every frame is valid; use fewer or smaller objects or a larger grid:"
        f" {describe(spec, sequence)}"
    )


def suits(sequence: tuple[str, ...], pair: Pair, library: Library) -> bool:
    """Tell whether a scene is one of a sequence: it is for all objects, which stay inside the grid and apart."""
    taken: list[set[Place]] = [set() for _ in range(len(sequence) + 1)]
    for one, row, column in pair.objects:
        frames = steps(sequence, library[one])
        if frames is None or refusal(sequence, frames):
            return False
        cells = covered(frames)
        inside = all(0 <= row + r < pair.height and 0 <= column + c < pair.width for frame in cells for r, c in frame)
        if not inside or collides(cells, (row, column), taken):
            return False
        occupy(cells, (row, column), taken)
    return True


# ---------------------------------------------------------------------------- the same in readable form


def sequence_of(spec: Spec, order: int, index: int) -> tuple[str, ...]:
    """Return the sequence of an index: each in turn, in an order shuffled by the seed."""
    if spec.sequences:
        count = len(spec.sequences)
        return spec.sequences[permuted(index % count, count, np.uint64(order))]
    low, high = spec.depth
    later, turn = divmod(index, high - low + 1)
    every = Sequences(spec.pool, low + turn)
    return every[permuted(later % len(every), len(every), np.uint64(order))]


def plain_pair(spec: Spec, part: Part, order: int, key: int, index: int, first: int) -> Drawn:
    """Draw a pair with the readable sampler, the kernel's plain twin."""
    sequence = sequence_of(spec, order, index)
    for turn in range(first, first + kernels.DRAWS):
        pair = _scene(spec, sequence, Stream(key, index=index, draw=turn))
        content = content_key(sequence, pair, library_named(spec.library))
        if part.holds(content):
            return sequence, pair, content, turn
    raise _failure(kernels.NO_KEY, spec, sequence)


def _scene(spec: Spec, sequence: tuple[str, ...], rng: Stream) -> Pair:
    """A grid size and a number of objects for which a scene can be composed."""
    for _ in range(kernels.ROUNDS):
        height, width, count = rng.between(*spec.grid), rng.between(*spec.grid), rng.between(*spec.objects)
        try:
            return Pair(height, width, _compose(spec, sequence, (height, width), count, rng))
        except Unplaceable as error:
            last = error
    raise last


def _compose(
    spec: Spec, sequence: tuple[str, ...], grid: tuple[int, int], count: int, rng: Stream
) -> tuple[Placed, ...]:
    """Draw objects and places one at a time; start again where too many find no place."""
    suitable = _suitable(spec, sequence, rng)
    for _ in range(kernels.ATTEMPTS):
        taken: list[set[Place]] = [set() for _ in range(len(sequence) + 1)]
        placed: list[Placed] = []
        misses = 0
        while len(placed) < count and misses < kernels.MISSES:
            one, frames = next(suitable)
            cells, inside = covered(frames), within(frames, grid)
            places = [place for place in inside if not collides(cells, place, taken)]
            if spec.placement == "blind":
                starts = [start for start in within(frames[:1], grid) if not collides(cells[:1], start, taken[:1])]
                if not starts or rng.below(len(starts)) >= len(places):
                    break
            if not places:
                misses += bool(inside)
                continue
            row, column = places[rng.below(len(places))]
            occupy(cells, (row, column), taken)
            placed.append(Placed(one, row, column))
        if len(placed) == count:
            return tuple(placed)
    raise _failure(kernels.NO_PLACE, spec, sequence)


Frames = list[tuple[Cells, Place]]  # an object in each frame, and where it is as seen from where it starts
Covered = list[list[Place]]  # the cells an object covers in each frame, as seen from where it starts


def _suitable(spec: Spec, sequence: tuple[str, ...], rng: Stream) -> Iterator[tuple[int, Frames]]:
    """Objects that the sequence is for, and what becomes of them."""
    made = plan(spec)
    for _ in range(kernels.CANDIDATES):
        one = int(made.eligible[rng.below(len(made.eligible))])
        frames = steps(sequence, made.library[one])
        if frames is not None and not refusal(sequence, frames):
            yield one, frames
    raise _failure(kernels.NO_OBJECT, spec, sequence)


def within(frames: Frames, grid: tuple[int, int]) -> list[Place]:
    """Return the places from which all frames of an object are inside the grid, in reading order."""
    rows = range(max(-at[0] for _, at in frames), min(grid[0] - c.shape[0] - at[0] for c, at in frames) + 1)
    columns = range(max(-at[1] for _, at in frames), min(grid[1] - c.shape[1] - at[1] for c, at in frames) + 1)
    return list(product(rows, columns))


def covered(frames: Frames) -> Covered:
    """Give the cells of each frame; on the input with holes closed, because nothing may start inside another object."""
    masks = [(cells > 0, at) for cells, at in frames]
    masks[0] = (masks[0][0] | holes(frames[0][0]), frames[0][1])
    return [[(at[0] + int(r), at[1] + int(c)) for r, c in np.argwhere(mask)] for mask, at in masks]


def collides(cells: Covered, place: Place, taken: list[set[Place]]) -> bool:
    """Tell whether an object at a place covers what others have taken, in any frame."""
    row, column = place
    return any((row + r, column + c) in others for frame, others in zip(cells, taken, strict=True) for r, c in frame)


def occupy(cells: Covered, place: Place, taken: list[set[Place]]) -> None:
    """Note what an object covers: on the input its neighborhood too, because objects may not touch there."""
    row, column = place
    for k, frame in enumerate(cells):
        reach = (-1, 0, 1) if k == 0 else (0,)
        taken[k] |= {(row + r + down, column + c + right) for r, c in frame for down in reach for right in reach}


def content_key(sequence: tuple[str, ...], pair: Pair, library: Library) -> int:
    """Return the key of what decides input and answer: grid size, input grid and transformation names."""
    grid = np.zeros((pair.height, pair.width), np.uint8)
    for one, row, column in pair.objects:
        cells = library[one]
        np.copyto(grid[row : row + cells.shape[0], column : column + cells.shape[1]], cells, where=cells > 0)
    names = b"".join(hash_bytes(name.encode()).to_bytes(8, "little") for name in sequence)
    return hash_bytes(bytes([pair.height, pair.width]) + grid.tobytes() + names)
