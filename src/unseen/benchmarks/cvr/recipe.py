"""A scene and the numbers drawn for an image, made into the recipe that `kernels.draw_image` follows.

Everything that depends on whole numbers only is settled here, once for all images that have the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from itertools import chain
from math import nan
from typing import Any

import numpy as np

from unseen.benchmarks.cvr.draws import settled
from unseen.benchmarks.cvr.numbers import Values, cast_of, changes_of
from unseen.benchmarks.cvr.vocabulary import Cast, Change, Factor, Scene
from unseen.benchmarks.cvr.words.kernels import ANY, MOST, NONE, RECIPE, WORDS
from unseen.core.errors import SpecError

Fields = Iterator[tuple[str, Any]]

CODES = {word: number for number, word in enumerate(WORDS)}
PLAIN = {"s": (0.5, 1.0), "v": (0.0, 1.0)}  # saturation and value of colors that mean nothing
DULL = {"s": (0.0, 0.5), "v": (0.0, 0.8)}
FULL_TURN = (0.0, 360.0)
NO_CHANGE = Change()


class Recipes:
    """A scene's recipes: those of the same numbers are made once."""

    def __init__(self, scene: Scene, change: Change = NO_CHANGE, *, of: Scene, telling: bool) -> None:
        self.scene = scene
        self.change = change
        self.changes = changes_of(of.draws, scene.draws)  # against the scene of regular images
        self.telling = telling
        self._made = lru_cache(maxsize=256)(self._make)

    @property
    def crowded(self) -> bool:
        """Whether sizes of the problem depend on how many objects its images have."""
        size = self.scene.size
        return size.level == "problem" and bool(size.option("root") or size.option("over") is True)

    def crowd(self, values: Values) -> int:
        """How many outermost objects an image has."""
        return cast_of(self.scene.bodies, values).outer

    def recipe(self, values: Values, crowd: int) -> bytes:
        """The bytes of the `RECIPE` of an image; crowd: the largest `crowd` of its problem, where sizes are crowded."""
        return self._made(tuple(values.items()), crowd)

    def _make(self, items: tuple[tuple[str, Any], ...], crowd: int) -> bytes:
        values = dict(items)
        cast = cast_of(self.scene.bodies, values)
        if len(cast) > MOST:
            raise SpecError(f"an image has room for {MOST} objects, not for {len(cast)}; lower the numbers of the row")
        scene = self.scene
        recipe: Any = np.zeros(1, RECIPE)
        described = chain(
            bodies_of(cast),
            changed(self.change),
            shapes_of(scene.shape, cast, values, telling=self.telling),
            sizes_of(scene.size, cast, values, crowd=crowd),
            colors_of(scene, cast, values),
            angles_of(scene.angle, cast, values),
            flips_of(scene.flip, cast, values),
            correction_of(scene),
            surroundings_of(scene, values),
            place_of(scene, values),
        )
        for name, value in described:
            if np.ndim(value):
                recipe[name][0, : len(value)] = value
            else:
                recipe[name] = value
        return bytes(recipe.tobytes())


def bodies_of(cast: Cast) -> Fields:
    """Who is there."""
    labels = cast.labels
    yield "count", len(cast)
    yield "parent", cast.parent
    yield "partner", [NONE if partner == ANY else partner for partner in cast.touches]
    yield "clump", cast.clumps
    yield "holder", cast.holders
    yield "measure", cast.measure
    yield "pair", labels.get("pair", (NONE,) * len(cast))
    yield "group", labels.get("group", labels.get("set", ()))
    yield "team", labels.get("group", labels.get("pair", labels["each"]))
    yield "marked", cast.marked
    yield "filled", cast.outer < len(cast)
    yield "touching", cast.touches.count(NONE) < len(cast)


def changed(change: Change) -> Fields:
    """What the odd image changes."""
    yield "exchange", CODES[change.exchange]
    for name in change.anew:
        yield f"{name}_anew", True


def letters(factor: Factor, cast: Cast, values: Values) -> list[int]:
    """A factor's pattern as a letter for every object."""
    word: Any = factor.pattern
    if word[0] == "$":
        word = values[word[1:]]
    if not isinstance(word, str):
        return list(word) + [len(word)] * (len(cast) - len(word))
    if word in cast.labels:
        return list(cast.labels[word])
    return [ord(letter) - ord("a") for letter in word]


def shapes_of(factor: Factor, cast: Cast, values: Values, *, telling: bool) -> Fields:
    """Which objects have one shape."""
    yield "shape", letters(factor, cast, values)
    yield "shape_level", CODES[factor.level]
    yield "fresh", factor.option("fresh", MOST)
    yield "telling", telling
    yield "lopsided", factor.option("lopsided", False)


def sizes_of(factor: Factor, cast: Cast, values: Values, *, crowd: int) -> Fields:
    """Which objects have one size, and how sizes come about."""
    option = factor.option
    inner = [i for i, whose in enumerate(cast.measure) if whose != NONE]
    yield "size", letters(factor, cast, values)
    yield "size_level", CODES[factor.level]
    yield "size_span", factor.span
    yield "law", crowding(factor, cast, crowd)
    yield "by_extent", option("box", False)
    yield "size_ratio", span(option("ratio"), values)
    yield "told_apart", option("apart", False)
    yield "marker", option("marker", -1.0)
    for sum_of in ("total", "area", "cap"):
        if sum_of in factor.options:
            yield "sum", CODES[sum_of]
            yield "sum_span", span(option(sum_of), values)
    yield "zoom", span(option("zoom"), values)
    yield "inner", span(option("inner"), values)
    yield "inner_over", len(inner) if option("inner_over") else 1
    yield "inner_alike", option("inner_alike", False)
    yield "inner_of_smallest", option("inner_of_smallest", False)
    yield "factor", span(option("factor"), values)
    yield "fit", span(option("fit"), values)
    yield "lone", option("lone", 1.0)


def span(value: Any, values: Values) -> tuple[float, float]:
    """Two ends: none, those that are given, or twice the one number that is given or drawn."""
    if value is None:
        return 0.0, 0.0
    if isinstance(value, tuple):
        return value
    number = settled(value, values)
    return number, number


def crowding(factor: Factor, cast: Cast, crowd: int) -> float:
    """How much smaller objects are where there are many of them."""
    if factor.option("box"):
        return (2 if "set" in cast.labels else 1) / len(cast)
    over = factor.option("over")
    count = cast.outer if factor.level == "image" else crowd
    if over == "most":
        groups = cast.labels["group"]
        return 1 / max(max(groups) + 1, *map(groups.count, groups))
    if over is True:
        return 1 / count
    if over:
        return 1 / float(over)
    return float(count**-0.5) if factor.option("root") else 1.0


def colors_of(scene: Scene, cast: Cast, values: Values) -> Fields:
    """Which objects have one color, or one hue."""
    factor = scene.color
    given = letters(factor, cast, values)
    option = factor.option
    spans = factor.options if "s" in factor.options else DULL if option("dull") else PLAIN
    yield "color", given
    yield "color_level", CODES[factor.level]
    yield "hued", "s" in factor.options
    yield "hue_gap", option("gap", 0.0)
    yield "hue_fresh", option("fresh", False)
    yield "hue_of_parent", factor.pattern == "parent"
    yield "hue_unlike", option("unlike", 0.0)
    yield "saturation", spans["s"]
    yield "brightness", spans["v"]
    yield "shade_shared", option("shared", False)
    yield "black", "marker" in scene.size.options and len(set(given)) > 1


def angles_of(factor: Factor, cast: Cast, values: Values) -> Fields:
    """How objects are turned."""
    option, own = factor.option, range(len(cast))
    yield "angle_level", CODES[factor.level]
    if factor.pattern == "none":
        yield "angle_kind", CODES["none"]
    elif factor.pattern == "steps":
        yield "angle_kind", CODES["steps"]
        yield "angle_span", span(option("step", factor.span), values)
        yield "rank", settled(option("ranks", own), values)
        yield "base", option("bases", (0,) * len(cast))
    elif "values" in factor.options:
        yield "angle_kind", CODES["values"]
        yield "angle_values", [option("values")[letter] for letter in letters(factor, cast, values)]
    elif "gap" in factor.options:
        yield "angle_kind", CODES["wheel"]
        yield "angle", letters(factor, cast, values)
        yield "angle_gap", option("gap")
    else:
        yield "angle_kind", CODES["each"]
        yield "angle_span", FULL_TURN if factor.span == (0.0, 1.0) else factor.span


def flips_of(factor: Factor, cast: Cast, values: Values) -> Fields:
    """Which objects are mirrored."""
    if factor.level == "spread":
        yield "flip_kind", CODES["spread"]
    elif factor.pattern in ("none", "each"):
        yield "flip_kind", CODES[factor.pattern]
    else:
        yield "flip_kind", CODES["pattern"]
        yield "flip", letters(factor, cast, values)


def correction_of(scene: Scene) -> Fields:
    """What single objects have instead."""
    yield "after", CODES[scene.after.word]
    yield "after_which", scene.after.which
    yield "after_span", scene.after.span


def surroundings_of(scene: Scene, values: Values) -> Fields:
    """Where contents lie in their container, and from where objects come that touch."""
    yield "window", CODES[scene.window]
    if scene.window:
        yield "axis", values["axis"]
        yield "side", values.get("side", 0)
    yield "direction", nan if scene.direction is None else settled(scene.direction, values)


def place_of(scene: Scene, values: Values) -> Fields:
    """The place of the bodies, with all its settings."""
    yield "place", CODES[type(scene.place).__name__]
    for one in fields(scene.place):
        value = settled(getattr(scene.place, one.name), values)
        yield one.name, CODES[value] if isinstance(value, str) else value
