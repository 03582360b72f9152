"""An image while it is drawn: its objects' shapes, sizes, colors, angles and flips, from a scene's factors.

A factor's pattern gives every object a letter; letters get their values from a palette, the problem's or the image's
own. What is drawn here is finished by `layouts.py`, which finds the places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unseen.benchmarks.cvr import kernels
from unseen.benchmarks.cvr.contours import cache_of
from unseen.benchmarks.cvr.draws import settled
from unseen.benchmarks.cvr.vocabulary import NONE, Cast, Factor, Scene
from unseen.core.random import Stream

UNLIKE = 0.0375  # least difference of two shapes that a rule tells apart
LOPSIDED = 0.027  # least difference of a lopsided shape from itself, turned or flipped
KEYS = 2**52  # contours to choose from: whole numbers that a float64 holds exactly
ROOM = 4096  # tries to find such a shape


class NoRoom(Exception):
    """The image cannot be finished as drawn; draw it again."""


@dataclass(slots=True)
class Problem:
    """What the four images of a problem share."""

    rng: Stream
    family: str
    telling: bool  # shapes carry the rule, so that different ones must look different
    crowd: int = 0  # most outermost objects in one of the images
    palette: dict[tuple[str, Any], Any] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """One image: the scene it follows, the numbers drawn for it, and what its objects are so far."""

    scene: Scene
    values: dict[str, Any]
    cast: Cast
    problem: Problem
    exchange: str = ""
    anew: tuple[str, ...] = ()
    place: int = 0  # which of the four images it is
    extent: tuple[float, ...] = ()  # of layouts that are kept as one thing
    shape: list[int] = field(default_factory=list)
    size: list[float] = field(default_factory=list)
    angle: list[float] = field(default_factory=list)
    flip: list[bool] = field(default_factory=list)
    color: list[tuple[float, float, float]] = field(default_factory=list)
    outlined: tuple[Any, ...] = ()  # sizes, angles and flips as the kernels take them

    @property
    def rng(self) -> Stream:
        """The problem's stream."""
        return self.problem.rng

    def number(self, value: Any) -> Any:
        """A number itself, or the draw it names."""
        return settled(value, self.values)

    def uniform(self, span: tuple[float, float]) -> float:
        """A real number within a span."""
        return span[0] + (span[1] - span[0]) * self.problem.rng.uniform()

    def shared(self, level: str, name: str, letter: Any, draw: Any) -> Any:
        """A value of the palette, drawn on first use: the problem's, or for this image alone."""
        if level == "image" or name in self.anew:
            return draw()
        palette = self.problem.palette
        if (name, letter) not in palette:
            palette[name, letter] = draw()
        return palette[name, letter]

    def letters(self, name: str) -> list[int]:
        """Which letter each object has of a factor, two of them exchanged where the odd image asks for it."""
        letters = self.pattern(getattr(self.scene, name))
        if self.exchange == name:
            first, second = self.exchanged(letters)
            letters[first], letters[second] = letters[second], letters[first]
        return letters

    def pattern(self, factor: Factor) -> list[int]:
        """A pattern as a letter for every object."""
        word: Any = factor.pattern
        if word in self.cast.labels:
            return list(self.cast.labels[word])
        if word[0] == "$":
            word = self.values[word[1:]]
        if not isinstance(word, str):
            return list(word) + [len(word)] * (len(self.cast) - len(word))
        if word in self.cast.labels:
            return list(self.cast.labels[word])
        return [ord(letter) - ord("a") for letter in word]

    def exchanged(self, letters: list[int]) -> tuple[int, int]:
        """Two objects of different groups with different letters, the first of which is not alone with its own."""
        outer = [i for i, parent in enumerate(self.cast.parent) if parent == NONE]
        if "pair" in self.cast.labels and self.cast.labels["pair"][0] != self.cast.labels["pair"][1]:
            outer = outer[1:]  # the marker
        many = [i for i in outer if letters.count(letters[i]) > 1] or outer
        first = many[self.rng.below(len(many))]
        labels = self.cast.labels
        group = labels.get("group", labels.get("pair", labels["each"]))
        others = [i for i in outer if letters[i] != letters[first] and group[i] != group[first]]
        return first, others[self.rng.below(len(others))]


# ------------------------------------------------------------------------------------------------ shapes


def draw_shapes(draft: Draft) -> None:
    """Give every object the key of its contour."""
    factor = draft.scene.shape
    if factor.pattern == "each" and factor.level == "image" and not draft.problem.telling:
        draft.shape = [new_shape(draft, {}) for _ in range(len(draft.cast))]
        return
    fresh = factor.option("fresh", 1 << 30)
    own: dict[int, int] = {}
    for letter in draft.letters("shape"):
        if letter not in own:
            level = "image" if letter >= fresh else factor.level
            own[letter] = draft.shared(level, "shape", letter, lambda: new_shape(draft, own))
        draft.shape.append(own[letter])


def new_shape(draft: Draft, others: dict[int, int]) -> int:
    """The key of a contour; where shapes carry the rule, of one that can be told from the others."""
    problem = draft.problem
    if not problem.telling:
        return int(problem.rng.uniform() * KEYS)
    shared = [key for (name, _), key in problem.palette.items() if name == "shape"]
    known = np.array(shared + list(others.values()), np.int64)
    lopsided = LOPSIDED if draft.scene.shape.option("lopsided") else 0.0
    key: int = kernels.find_key(cache_of(problem.family), known, UNLIKE, lopsided, ROOM, problem.rng.state)
    if key < 0:
        raise NoRoom
    return key


# ------------------------------------------------------------------------------------------------ sizes


def draw_sizes(draft: Draft) -> None:
    """Give every object its size: from a span, down a ladder of ratios, or as a share of its container's."""
    factor, cast = draft.scene.size, draft.cast
    letters = draft.letters("size")
    inner = factor.option("inner")
    sizes = draft.size = [0.0] * len(cast)
    outer = [i for i in range(len(cast)) if not inner or cast.measure[i] == NONE]
    steps = palette_of_sizes(draft, factor, max(letters[i] for i in outer) + 1)
    for i in outer:
        sizes[i] = steps[letters[i]]
    if (marker := factor.option("marker")) is not None:
        sizes[0] = marker
    scale_to_total(draft, factor, outer)
    if zoom := factor.option("zoom"):
        by = draft.uniform(zoom)
        draft.size = sizes = [size * by for size in sizes]
    if inner:
        shares: dict[str, float] = {}
        small = len(cast) - len(outer)
        for i in range(len(cast)):
            if cast.measure[i] != NONE:
                share = draft.uniform(inner) / (small if factor.option("inner_over") else 1)
                if factor.option("inner_alike"):
                    share = shares.setdefault("all", share)
                if "pair" in cast.labels:
                    share = shares.setdefault(str(cast.labels["pair"][i]), share)
                whose = min(sizes[k] for k in outer) if factor.option("inner_of_smallest") else sizes[cast.measure[i]]
                sizes[i] = whose * share


def palette_of_sizes(draft: Draft, factor: Factor, count: int) -> list[float]:
    """A size for each of so many letters."""
    low, high = factor.span
    law = crowding(draft, factor)
    if ratio := factor.option("ratio"):
        sizes = [draft.uniform(factor.span) * law]
        for _ in range(count - 1):
            sizes.append(sizes[-1] * (draft.number(ratio) if isinstance(ratio, str) else draft.uniform(ratio)))
        return sizes
    if factor.option("apart"):  # sizes that are told apart: one in each of as many equal steps
        step = (high - low) / count
        order = list(range(count))
        draft.rng.shuffle(order)
        return [low + step * (k + 0.6 * draft.rng.uniform()) for k in order]
    sizes = [draft.shared(factor.level, "size", k, lambda: draft.uniform(factor.span)) for k in range(count)]
    if "size" in draft.anew:
        sizes = [other_size(draft, factor)] * count
    return [size * law for size in sizes]


def other_size(draft: Draft, factor: Factor) -> float:
    """A size that is a factor smaller than the problem's, or as much larger where there is room."""
    size: float = draft.problem.palette["size", 0]
    ratio = draft.uniform(factor.option("factor"))
    return size / ratio if draft.rng.below(2) and size / ratio <= 0.85 else size * ratio


def crowding(draft: Draft, factor: Factor) -> float:
    """How much smaller objects are where there are many of them."""
    if factor.option("box"):
        return draft.extent[0] * (2 if len(draft.cast.labels.get("set", ())) else 1) / len(draft.cast)
    over = factor.option("over")
    count = draft.cast.outer if factor.level == "image" else draft.problem.crowd
    if over == "most":
        groups = draft.cast.labels["group"]
        return 1 / max(max(groups) + 1, *(groups.count(g) for g in set(groups)))
    if over is True:
        return 1 / count
    if over:
        return float(1 / over)
    return float(count**-0.5) if factor.option("root") else 1.0


def scale_to_total(draft: Draft, factor: Factor, outer: list[int]) -> None:
    """Bring the sum of sizes, or of areas, to a total that is drawn, or the sum under a cap."""
    scale = 1.0
    if target := factor.option("total"):
        scale = draft.uniform(target) / sum(draft.size[i] for i in outer)
    elif target := factor.option("area"):  # of boxes, as the side of one box
        scale = draft.uniform(target) / sum(draft.size[i] ** 2 for i in outer) ** 0.5
    elif cap := factor.option("cap"):
        scale = min(1.0, cap / sum(draft.size[i] for i in outer))
    if scale != 1.0:
        for i in outer:
            draft.size[i] *= scale


# ------------------------------------------------------------------------------------------------ colors


def draw_colors(draft: Draft) -> None:
    """Give every object hue, saturation and value."""
    factor = draft.scene.color
    letters = draft.letters("color")
    if factor.option("s") is None:
        spans = ((0.0, 1.0), (0.0, 0.5), (0.0, 0.8)) if factor.option("dull") else ((0.0, 1.0), (0.5, 1.0), (0.0, 1.0))
        own: dict[int, tuple[float, ...]] = {}
        for letter in letters:
            if letter not in own:
                own[letter] = draft.shared(
                    factor.level, "color", letter, lambda: tuple(draft.uniform(span) for span in spans)
                )
        draft.color = [own[letter] for letter in letters]  # type: ignore[misc]
    else:
        draft.color = list(zip(hues(draft, factor, letters), *shades(draft, factor), strict=True))
    if draft.scene.size.option("marker") is not None and len(set(letters)) > 1:
        draft.color[0] = (0.0, 0.0, 0.0)  # a marker has no hue


def shades(draft: Draft, factor: Factor) -> tuple[list[float], list[float]]:
    """Saturation and value of every object, or one of each for the whole problem."""
    count = len(draft.cast)
    if factor.option("shared"):
        keep = draft.problem.palette
        both = keep.setdefault(("shade", 0), (draft.uniform(factor.option("s")), draft.uniform(factor.option("v"))))
        return [both[0]] * count, [both[1]] * count
    return (
        [draft.uniform(factor.option("s")) for _ in range(count)],
        [draft.uniform(factor.option("v")) for _ in range(count)],
    )


def hues(draft: Draft, factor: Factor, letters: list[int]) -> list[float]:
    """The hue of every object: letters have hues that are a gap apart."""
    gap = factor.option("gap", 0.0)
    unlike = factor.option("unlike")
    if factor.pattern == "parent":
        own = [draft.rng.uniform() for _ in letters]
        found = [own[letter] for letter in letters]
        if unlike:
            for i, parent in enumerate(draft.cast.parent):
                if parent != NONE:
                    found[i] = (own[parent] + draft.uniform((unlike, 1 - unlike))) % 1
        return found
    count = max(letters) + 1
    if "color" in draft.anew:
        old = draft.problem.palette["hues", 0][0]
        return [(old + draft.uniform((gap, 1 - gap))) % 1] * len(letters)
    if factor.option("fresh"):
        first = draft.shared(factor.level, "hues", 0, draft.rng.uniform)
        palette = [first, (first + draft.uniform((gap, 1 - gap))) % 1]
    else:
        palette = draft.shared(factor.level, "hues", 0, lambda: spaced(draft, count, gap))
    return [palette[letter] for letter in letters]


def spaced(draft: Draft, count: int, gap: float) -> list[float]:
    """Numbers on a circle of length 1, each at least a gap from every other, in any order."""
    slack = [draft.rng.uniform() + 1e-9 for _ in range(count)]
    share = (1 - count * gap) / sum(slack)
    at, found = draft.rng.uniform(), []
    for one in slack:
        at += gap + share * one
        found.append(at % 1)
    draft.rng.shuffle(found)
    return found


# ------------------------------------------------------------------------------------------------ angles and flips


def draw_angles(draft: Draft) -> None:
    """Give every object its angle, in degrees: none, its own, given values, or equal steps from a free beginning."""
    factor, count = draft.scene.angle, len(draft.cast)
    if factor.pattern == "none":
        draft.angle = [0.0] * count
    elif factor.pattern == "steps":
        step = factor.option("step")
        turn = draft.number(step) if step else draft.uniform(factor.span)
        ranks = draft.number(factor.option("ranks", tuple(range(count))))
        bases = factor.option("bases", (0,) * count)  # which of several beginnings each has
        begins = [360 * draft.rng.uniform() for _ in range(max(bases) + 1)]
        draft.angle = [begins[base] + turn * rank for base, rank in zip(bases, ranks, strict=True)]
    elif values := factor.option("values"):
        draft.angle = [values[letter] for letter in draft.letters("angle")]
    elif gap := factor.option("gap"):
        wheel = draft.shared(factor.level, "angle", 0, lambda: spaced(draft, count, gap / 360))
        draft.angle = [360 * wheel[letter] for letter in draft.letters("angle")]
    else:
        span = factor.span if factor.span != (0.0, 1.0) else (0.0, 360.0)
        draft.angle = [draft.uniform(span) for _ in range(count)]


def draw_flips(draft: Draft) -> None:
    """Say of every object whether it is mirrored: each at random, or by a pattern from a random beginning."""
    factor, count = draft.scene.flip, len(draft.cast)
    if factor.pattern == "none":
        draft.flip = [False] * count
    elif factor.pattern == "each":
        draft.flip = [bool(draft.rng.below(2)) for _ in range(count)]
    elif factor.level == "spread":
        flips = draft.problem.palette.setdefault(("flips", 0), draft.rng.below(6))
        draft.flip = [bool(TWO_OF_FOUR[flips] >> draft.place & 1)] * count
    else:
        base = draft.rng.below(2)
        draft.flip = [bool(base ^ letter & 1) for letter in draft.letters("flip")]


TWO_OF_FOUR = (0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100)  # the images that are flipped
