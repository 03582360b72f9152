"""Is an example right? Re-derived from its objects by the plain meaning of each transformation, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from unseen.benchmarks.cogitao.objects import library_named
from unseen.benchmarks.cogitao.properties import holes
from unseen.benchmarks.cogitao.render import paint
from unseen.benchmarks.cogitao.rules import Cells, Place, refusal, steps
from unseen.benchmarks.cogitao.sample import Pair, Record
from unseen.benchmarks.cogitao.spec import PairedSpec, Spec
from unseen.benchmarks.cogitao.splits import outside

Frame = dict[Place, int]  # cell -> color


def check(record: Record, spec: Spec) -> list[str]:
    """Return everything wrong with a record, as sentences."""
    reason = outside(spec, record)
    problems = [reason] if reason else []
    for pair in (record.query, *record.demonstrations):
        problems += check_pair(record.sequence, pair, spec)
    if isinstance(spec, PairedSpec) and not reason:
        problems += check_pair(spec.partner(record.sequence), record.query, spec)
    return problems


def check_pair(sequence: tuple[str, ...], pair: Pair, spec: Spec) -> Iterator[str]:
    """Check preconditions, places in every frame, and whether the painted grids are those of the definitions."""
    library = library_named(spec.library)
    objects: list[list[Frame]] = []
    for one in pair.objects:
        frames = steps(sequence, library[one.object], (one.row, one.column))
        if frames is None:
            yield f"{' -> '.join(sequence)} leaves nothing of object {one.object}"
            return
        if reason := refusal(sequence, frames):
            yield f"object {one.object}: {reason}"
        objects.append([cells_of(cells, at) for cells, at in frames])
    for k in range(len(sequence) + 1):
        yield from check_frame(k, [frames[k] for frames in objects], pair)
    yield from check_apart([frames[0] for frames in objects])
    painted, _ = paint(sequence, pair, spec)
    for k, grid in enumerate(painted):
        derived = {cell: color for frames in objects for cell, color in frames[k].items()}
        if cells_of(grid, (0, 0)) != derived:
            yield f"the grid of frame {k} is not what the definitions give"


def cells_of(cells: Cells, at: Place) -> Frame:
    """Return an object as a set of colored cells."""
    return {(at[0] + int(r), at[1] + int(c)): int(cells[r, c]) for r, c in np.argwhere(cells)}


def check_frame(k: int, frames: list[Frame], pair: Pair) -> Iterator[str]:
    """Check that no object leaves the grid or covers another."""
    for i, cells in enumerate(frames):
        if not all(0 <= r < pair.height and 0 <= c < pair.width for r, c in cells):
            yield f"object {i} leaves the grid in frame {k}"
    for (i, one), (j, other) in combinations(enumerate(frames), 2):
        if one.keys() & other.keys():
            yield f"objects {i} and {j} overlap in frame {k}"


def check_apart(frames: list[Frame]) -> Iterator[str]:
    """Check that, on the input, objects neither touch, not even by a corner, nor stand inside one another."""
    for (i, one), (j, other) in combinations(enumerate(frames), 2):
        near = {(r + down, c + right) for r, c in one for down in (-1, 0, 1) for right in (-1, 0, 1)}
        if near & other.keys():
            yield f"objects {i} and {j} touch on the input"
        if encloses(one, other) or encloses(other, one):
            yield f"one of objects {i} and {j} is inside the other"


def encloses(one: Frame, other: Frame) -> bool:
    """Whether a cell of the other object is in a hole of this one; only a box that reaches beyond it can hold one."""
    rows, columns = {r for r, _ in one}, {c for _, c in one}
    top, left = min(rows), min(columns)
    if not any(top < r < max(rows) and left < c < max(columns) for r, c in other):
        return False
    cells = np.zeros((max(rows) - top + 1, max(columns) - left + 1), np.uint8)
    for (r, c), color in one.items():
        cells[r - top, c - left] = color
    return any((top + int(r), left + int(c)) in other for r, c in np.argwhere(holes(cells)))
