"""The next image among four: the true one, and three that break the rule in one factor each.

The four differ from each other in one factor of one object and in nothing else, so that each is as far from the other
three as any: without the rule, none stands out. Were each wrong image wrong in a factor of its own, the true one would
be in the middle of all. Where what the object had before is wrong, one of the three shows that. Where a factor has too
few values, two factors are used: one is wrong, the other is, or both are, which is as even.

What the four show must not tell either: held-out combinations are few, and half of them may be circles. So objects are
asked about the less often, the more often the rule gives them the value that is right, and each of the four is right
equally often, whatever the object was before. Which factor is asked about is left to chance: if it hung on what can be
asked about the others, it would hang on their values, which in few combinations tell of the one that is right. Nor is
the largest size right more often than others because there is always room for smaller ones, and not always for it. An
episode none of whose objects is taken is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from math import hypot

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import kernels
from unseen.benchmarks.svib.render import masks, seen
from unseen.benchmarks.svib.rules import DIRECTIONS, STEP, Effect, Parent, factor_in
from unseen.benchmarks.svib.sample import DECIDED_AT, Placed, Record
from unseen.benchmarks.svib.spec import Spec, View
from unseen.benchmarks.svib.splits import drawn_from
from unseen.benchmarks.svib.worlds import World
from unseen.core.key import hash_bytes
from unseen.core.random import Stream, path_key
from unseen.render.palette import Image

OFFERED = 4
PLACES = 1024  # at which it is tried how often there is room
FORM = ("shape", "size")  # the factors by which an object hides others; of another color alone, it hides no more

Objects = tuple[Placed, ...]
Found = tuple[list[Objects], tuple[str, ...]]  # scenes, the true one first, and the factors that differ


@dataclass(frozen=True)
class Choices:
    """Four scenes, which of them is the next one, and the factors in which the others are wrong."""

    scenes: tuple[Objects, ...]
    right: int
    factors: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A factor of one object, and the object with every wrong value of it, in random order."""

    number: int  # of the object, from 0
    factor: str
    others: list[Placed]
    old: Placed | None  # the one with the value that the object had before, where that can be told

    @property
    def old_first(self) -> list[Placed]:
        """The wrong values, that of before in front."""
        return sorted(self.others, key=lambda one: one != self.old)


@lru_cache(maxsize=4096)  # an episode is put, answered and scored
def choices(record: Record, spec: Spec) -> Choices | None:
    """Return the four scenes of an episode, always the same; none where too few wrong ones can be made."""
    # the order depends on the content alone, and not on where an episode stands in its split
    rng = Stream(path_key(0, "svib", "choices"), index=hash_bytes(repr((record.source, record.target)).encode()))
    cells = list(_cells(record, spec, rng.choice(list(shares_taken(spec))), rng))
    rng.shuffle(cells)
    found = _row(record, spec, cells) or _square(record, spec, cells)
    if found is None:
        return None
    scenes, factors = found
    order = list(range(OFFERED))
    rng.shuffle(order)
    return Choices(tuple(scenes[place] for place in order), order.index(0), factors)


def images(record: Record, spec: Spec, view: View) -> list[Image]:
    """Return the images of the four scenes."""
    offered = choices(record, spec)
    assert offered is not None, "episodes without choices are not asked"
    drawn = [seen(objects, record, spec, view).image for objects in offered.scenes]
    return [image for image in drawn if image is not None]


def _row(record: Record, spec: Spec, cells: list[Cell]) -> Found | None:
    """The true scene, and three with the same factor wrong."""
    for cell in cells:
        if len(cell.others) >= OFFERED - 1:  # it takes a drawing to know what fits
            fitting = _fitting(cell.old_first, cell.number, record, spec)
            wrong = [_with(record.target, {cell.number: one}) for one in islice(fitting, OFFERED - 1)]
            if len(wrong) == OFFERED - 1:
                return [record.target, *wrong], (cell.factor,)
    return None


def _square(record: Record, spec: Spec, cells: list[Cell]) -> Found | None:
    """The true scene, two with one wrong factor each, and one with both."""
    for one, other in combinations(cells, 2):
        if one.number == other.number:
            continue  # each cell holds its object whole
        first, second = (next(_fitting(cell.others, cell.number, record, spec), None) for cell in (one, other))
        if first is None or second is None:
            continue
        scenes = [
            record.target,
            _with(record.target, {one.number: first}),
            _with(record.target, {other.number: second}),
            _with(record.target, {one.number: first, other.number: second}),
        ]
        if _fits(scenes[-1], record, spec):
            return scenes, (one.factor, other.factor)
    return None


def _cells(record: Record, spec: Spec, factor: str, rng: Stream) -> Iterator[Cell]:
    """One factor of every object that is taken."""
    shares = shares_taken(spec)[factor]
    for number, (before, after) in enumerate(zip(record.source, record.target, strict=True)):
        every = list(_moved(before, spec) if factor == "position" else _changed(after, factor, spec))
        old = None if factor == "position" else before.look[spec.place.factors.index(factor)]
        rates = dict(zip(every, shares[old or 0].tolist(), strict=True))
        rooms = [_room(record, _with(record.target, {number: one}), spec) for one in every if rates[one]]
        if rng.uniform() < rates[after] * _room(record, record.target, spec) / max(rooms):
            others = [one for one in every if rates[one] and one != after]
            rng.shuffle(others)
            yield Cell(number, factor, others, None if old is None else every[old])


@lru_cache(maxsize=64)
def shares_taken(spec: Spec) -> dict[str, npt.NDArray[np.float64]]:
    """Of every factor that the rule sets (all, where it sets none), how often an object is taken: (before, after).

    Taken at that rate, all values that can follow the one before are right equally often, or what was before in one of
    four episodes, where it is always offered. A value that cannot follow is never right, and so not to be offered: its
    rate is 0. Where what follows is certain, as with "moves to the right", there is nothing to balance.

    The rates hold for objects that are drawn from all combinations alike, and places from all quadrants alike.
    """
    world, combinations = spec.place, np.array(drawn_from(spec))
    quadrants = np.arange(1, 5)
    # on four axes: the object's own combination, the other's, and the quadrants that they are in
    axes = {"self": (combinations.T[:, :, None, None, None], quadrants[:, None])}
    axes["other"] = (combinations.T[:, None, :, None, None], quadrants)
    taken = {}
    for effect in spec.effects or tuple(Effect(factor, (Parent("self", factor),)) for factor in world.factors):
        factor, total = factor_in(world, effect.writes), np.full((1, 1, 1, 1), effect.constant)
        for parent in effect.parents:
            looks, places = axes[parent.of]
            read = factor_in(world, parent.factor)
            total = total + (places if read == "quadrant" else looks[world.factors.index(read)])
        moves = factor == "position"
        values = len(DIRECTIONS) if moves else len(world.vocabularies[world.factors.index(factor)])
        before = np.zeros_like(total) if moves else axes["self"][0][world.factors.index(factor)]
        counts = np.zeros((values, values))
        np.add.at(counts, tuple(np.broadcast_arrays(before, total % values)), 1)
        taken[factor] = _rates(counts, kept=not moves)
    return taken


def _rates(counts: npt.NDArray[np.float64], *, kept: bool) -> npt.NDArray[np.float64]:
    """The rates that even out how often a value (column) follows another (row); `kept` ones are always offered."""
    possible = counts > 0
    follow = possible.sum(axis=1, keepdims=True)
    if follow.max() == 1:
        return np.ones_like(counts)
    wanted = possible / np.maximum(follow, 1)
    for row in np.flatnonzero((follow[:, 0] >= OFFERED) & possible.diagonal() & kept):
        wanted[row] *= (1 - 1 / OFFERED) / (1 - wanted[row, row])
        wanted[row, row] = 1 / OFFERED
    rates = np.zeros_like(counts)
    np.divide(wanted, counts, out=rates, where=possible & (follow > 1))
    rates /= np.maximum(rates.max(axis=1, keepdims=True), 1e-12)
    return rates


def _room(record: Record, target: Objects, spec: Spec) -> float:
    """How often there is room for a next scene where its objects are placed by chance."""
    size = spec.place.factors.index("size")
    sizes = [tuple(spec.place.sizes[one.look[size]] for one in objects) for objects in (record.source, target)]
    moves = tuple((b.x - a.x, b.y - a.y) for a, b in zip(record.source, target, strict=True))
    return room(spec.place, sizes[0], sizes[1], moves)


@lru_cache(maxsize=4096)
def room(
    world: World, before: tuple[float, ...], after: tuple[float, ...], moves: tuple[tuple[int, int], ...]
) -> float:
    """Return the share of places at which objects of these sizes are apart before and after; never quite 0.

    An episode's looks are drawn first, and then places until there is room. So where all sizes would fit, the true one
    is large as much more often than in all episodes as there is seldom room for large ones.

    >>> from unseen.benchmarks.svib.worlds import WORLDS
    >>> still = ((0, 0), (0, 0))
    >>> room(WORLDS["clevr"], (1, 1), (1, 1), still) > room(WORLDS["clevr"], (1, 1), (2, 2), still) > 0
    True
    """
    margins = world.margin * np.array(before)[:, None]
    source = world.low + margins + _anywhere(len(before)) * (world.high - world.low - 2 * margins)
    target = source + np.array(moves) / kernels.GRAIN
    apart = np.ones(PLACES, np.bool_)
    for places, sizes in ((source, before), (target, after)):
        for i, j in combinations(range(len(sizes)), 2):
            far = ((places[:, i] - places[:, j]) ** 2).sum(axis=1)
            apart &= far >= (world.apart * (sizes[i] + sizes[j])) ** 2
    return float(apart.sum() + 1) / (PLACES + 1)


@lru_cache(maxsize=8)
def _anywhere(objects: int) -> npt.NDArray[np.float64]:
    """Places of some objects, from 0 to 1: (PLACES, objects, 2)."""
    rng = Stream(path_key(0, "svib", "places"))
    return np.array([rng.uniform() for _ in range(PLACES * objects * 2)]).reshape(PLACES, objects, 2)


def _fitting(others: Iterable[Placed], number: int, record: Record, spec: Spec) -> Iterator[Placed]:
    """Those that can stand in the place of an object of the next scene."""
    true = record.target[number]
    forms = [spec.place.factors.index(factor) for factor in FORM]
    for one in others:
        differs = one._replace(look=true.look) != true or any(one.look[k] != true.look[k] for k in forms)
        if not differs or _fits(_with(record.target, {number: one}), record, spec):
            yield one


def _changed(after: Placed, factor: str, spec: Spec) -> Iterator[Placed]:
    """An object of the next scene with every value of a factor."""
    place = spec.place.factors.index(factor)
    for value in range(len(spec.vocabularies[place])):
        yield after._replace(look=(*after.look[:place], value, *after.look[place + 1 :]))


def _moved(before: Placed, spec: Spec) -> Iterator[Placed]:
    """An object a step away from where it was, in every direction."""
    step = round(STEP * (spec.place.high - spec.place.low) * kernels.GRAIN)
    for right, up in DIRECTIONS.values():
        yield before._replace(x=before.x + right * step, y=before.y + up * step)


def _with(objects: Objects, others: dict[int, Placed]) -> Objects:
    return tuple(others.get(number, one) for number, one in enumerate(objects))


def _fits(objects: Objects, record: Record, spec: Spec) -> bool:
    """Whether a scene keeps objects apart and in sight, as every scene of an episode does: else it would tell."""
    world = spec.place
    size = world.factors.index("size")
    for one, other in combinations(objects, 2):
        near = world.apart * (world.sizes[one.look[size]] + world.sizes[other.look[size]])
        if hypot(one.x - other.x, one.y - other.y) / kernels.GRAIN < near:
            return False
    if world.flat:
        ids = masks(objects, spec, DECIDED_AT)
        return all((ids == number).sum() >= kernels.VISIBLE for number in range(1, len(objects) + 1))
    from unseen.benchmarks.svib.solids import scene_of
    from unseen.render.space.project import project

    return min(project(scene_of(objects, record, spec), DECIDED_AT).visible) >= kernels.VISIBLE
