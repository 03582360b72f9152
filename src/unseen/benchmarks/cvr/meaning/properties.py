"""What can be read off each object of an image: one value per object, how far two values are apart, and the margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unseen.benchmarks.cvr.meaning.margins import (
    EXACT,
    HUE,
    PLACE,
    SHAPE,
    SIZE,
    TURN,
    Floats,
    Margin,
    Truth,
    Undecided,
    circular,
    classes,
)
from unseen.benchmarks.cvr.meaning.seen import Integers, Seen
from unseen.core.errors import unknown

Values = NDArray[Any]  # (n,) or (n, k), one row per object

SLOT = Margin(0.02, 0.1)  # of an arrangement whose objects are at distance 1 from their middle in the mean
NEAREST = 0.9  # a partner is nearer than this share of the distance to the next object
VISIBLE_SATURATION, VISIBLE_VALUE = 0.3, 0.35  # below, a color looks gray or black and its hue cannot be seen


@dataclass(frozen=True)
class Property:
    """One value per object."""

    name: str
    values: Callable[[Seen], Values]
    metric: Callable[[Any, Any], Any]
    margin: Margin

    def distances(self, images: Sequence[Seen]) -> Floats:
        """Measure the distances (n, n) between all objects of some images, in their order."""
        values = np.concatenate([self.values(seen) for seen in images])
        return np.asarray(self.metric(values[:, None], values[None]), dtype=np.float64)

    def classes(self, images: Sequence[Seen]) -> list[Integers]:
        """Tell which objects of some images are equal in this property."""
        labels = classes(self.distances(images), self.margin, what=f"the objects, in {self.name},")
        return np.split(labels, np.cumsum([seen.count for seen in images])[:-1])

    def ranks(self, seen: Seen) -> Integers:
        """Return 0 for the objects of the least value, 1 for those of the next, and so on."""
        (labels,) = self.classes([seen])
        levels = self.values(seen)[labels]  # the value of the first equal object stands for all of them
        return np.unique(levels, return_inverse=True)[1]


@dataclass(frozen=True)
class Shape(Property):
    """Keys of contours, compared by how the contours look."""

    def distances(self, images: Sequence[Seen]) -> Floats:
        """Measure the distances (n, n) between all objects of some images of one problem."""
        keys = [one.shape for seen in images for one in seen.objects]
        difference = images[0].shapes.difference
        return np.array([[difference(one, other) for other in keys] for one in keys])


def same(name: str, seen: Seen) -> Callable[[int, int], Truth]:
    """Tell whether two objects of an image are equal in a property."""
    read = PROPERTIES[name]
    distances = read.distances([seen])
    return lambda i, j: read.margin.same(distances[i, j])


def unequal(one: Any, other: Any) -> Any:
    """Return distance 0 for equal values, and 1 for others."""
    return one != other


def euclidean(one: Floats, other: Floats) -> Floats:
    """Measure the distance between points."""
    x, y = np.moveaxis(one - other, -1, 0)
    return np.asarray(np.hypot(x, y))


def visible_hue(seen: Seen) -> Values:
    """Return the hue of each object, where all can be seen."""
    dull = (seen.numbers("saturation") < VISIBLE_SATURATION) | (seen.numbers("value") < VISIBLE_VALUE)
    if dull.any():
        raise Undecided("a color is too gray or too dark for its hue to be seen")
    return seen.numbers("hue")


def slots(seen: Seen) -> Values:
    """Each object's place in the arrangement: seen from the middle of all, in units of the mean distance from it."""
    return normalized(seen.centers)


def normalized(centers: Floats) -> Floats:
    """Places about their mean, at distance 1 from it in the mean."""
    about = centers - centers.mean(axis=0)
    return np.asarray(about / np.hypot(*about.T).mean())


def rank_on(axis: str, seen: Seen) -> Values:
    """Return the place of each object in the order on an axis; -1 for contained ones."""
    ranks = np.full(seen.count, -1)
    ranks[seen.order(axis)] = np.arange(len(seen.top))
    return ranks


def partners(seen: Seen) -> Values:
    """Objects in near couples: each is clearly the other's nearest."""
    apart = euclidean(seen.centers[:, None], seen.centers[None]) + np.diag(np.full(seen.count, np.inf))
    nearest = apart.argmin(axis=1)
    first, second = np.sort(apart, axis=1)[:, :2].T
    if (nearest[nearest] != np.arange(seen.count)).any() or (first > NEAREST * second).any():
        raise Undecided("the objects do not form clear couples of neighbors")
    return np.asarray(np.minimum(nearest, np.arange(seen.count)))


class Properties(dict[str, Property]):
    """Properties by name."""

    def __missing__(self, name: str) -> Property:
        raise unknown("property", name, self, where="cvr")


PROPERTIES = Properties(
    (one.name, one)
    for one in (
        Shape("shape", lambda seen: np.array([one.shape for one in seen.objects]), unequal, SHAPE),
        Property("size", lambda seen: np.log(seen.numbers("size")), lambda one, other: abs(one - other), SIZE),
        Property("hue", visible_hue, partial(circular, period=1), HUE),
        Property("angle", lambda seen: seen.numbers("angle"), partial(circular, period=360), TURN),
        Property("place", lambda seen: seen.centers, euclidean, PLACE),
        Property("slot", slots, euclidean, SLOT),
        Property("x", partial(rank_on, "x"), unequal, EXACT),
        Property("y", partial(rank_on, "y"), unequal, EXACT),
        Property("clump", lambda seen: seen.clumps, unequal, EXACT),
        Property("couple", partners, unequal, EXACT),
        Property("filled", lambda seen: seen.filled, unequal, EXACT),
        Property("depth", lambda seen: seen.depth, unequal, EXACT),
    )
)
