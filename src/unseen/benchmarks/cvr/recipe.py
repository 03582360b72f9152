"""A scene and the numbers drawn for an image, made into the recipe that `kernels.draw_images` follows.

What the row says is written once; each image adds what depends on its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import chain
from math import nan
from struct import pack_into
from typing import Any

from unseen.benchmarks.cvr.draws import settled
from unseen.benchmarks.cvr.numbers import Values, cast_of, changes_of
from unseen.benchmarks.cvr.vocabulary import Cast, Change, Factor, Scene
from unseen.benchmarks.cvr.words.kernels import ANY, MOST, NONE, RECIPE, WORDS
from unseen.core.errors import SpecError

Fields = Iterator[tuple[str, Any]]

CODES = {word: number for number, word in enumerate(WORDS)}
FORMATS = {name: (kind.base.char, offset) for name, (kind, offset, *_) in RECIPE.fields.items()}
PLAIN = {"s": (0.5, 1.0), "v": (0.0, 1.0)}  # saturation and value of colors that mean nothing
DULL = {"s": (0.0, 0.5), "v": (0.0, 0.8)}
FULL_TURN = (0.0, 360.0)
NO_CHANGE = Change()


class Recipes:
    """A scene's recipes: those of the same numbers are made once."""

    def __init__(self, scene: Scene, change: Change = NO_CHANGE, *, of: Scene, telling: bool) -> None:
        self.scene = scene
        self.changes = changes_of(of.draws, scene.draws)  # against the scene of regular images
        size = scene.size
        # sizes of the problem depend on how many objects its images have
        self.crowded = size.level == "problem" and bool(size.option("root") or size.option("over") is True)
        self._row = bytearray(RECIPE.itemsize)
        write(self._row, chain(row_fields(scene), changed(change), [("telling", telling)]))
        self._made = lru_cache(maxsize=256)(self._make)

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
        recipe = self._row.copy()
        write(recipe, chain(bodies_of(cast), number_fields(self.scene, cast, values, crowd)))
        return bytes(recipe)


def write(recipe: bytearray, described: Fields) -> None:
    """Write fields in the bytes of a recipe."""
    for name, value in described:
        code, offset = FORMATS[name]
        if isinstance(value, Sequence):
            pack_into(f"{len(value)}{code}", recipe, offset, *value)
        else:
            pack_into(code, recipe, offset, value)


# ------------------------------------------------------------------------------------------------ what the row says


def row_fields(scene: Scene) -> Fields:
    """All that does not depend on numbers."""
    yield from shape_fields(scene.shape)
    yield from size_fields(scene.size)
    yield from color_fields(scene.color)
    yield from angle_fields(scene.angle)
    yield "flip_kind", CODES[flip_kind(scene.flip)]
    yield "after", CODES[scene.after.word]
    yield "after_which", scene.after.which
    yield "after_span", scene.after.span
    yield "window", CODES[scene.window]
    yield "direction", nan
    yield "place", CODES[type(scene.place).__name__]


def changed(change: Change) -> Fields:
    """What the odd image changes."""
    yield "exchange", CODES[change.exchange]
    for name in change.anew:
        yield f"{name}_anew", True


def shape_fields(factor: Factor) -> Fields:
    """Where shapes come from."""
    yield "shape_level", CODES[factor.level]
    yield "fresh", factor.option("fresh", MOST)
    yield "lopsided", factor.option("lopsided", False)


def size_fields(factor: Factor) -> Fields:
    """How sizes come about."""
    option = factor.option
    yield "size_level", CODES[factor.level]
    yield "size_span", factor.span
    yield "by_extent", option("box", False)
    yield "told_apart", option("apart", False)
    yield "marker", option("marker", -1.0)
    for sum_of in ("total", "area", "cap"):
        if sum_of in factor.options:
            yield "sum", CODES[sum_of]
            yield "sum_span", span(option(sum_of))
    for name in ("zoom", "inner", "factor", "fit"):
        if name in factor.options:
            yield name, option(name)
    yield "inner_alike", option("inner_alike", False)
    yield "inner_of_smallest", option("inner_of_smallest", False)
    yield "lone", option("lone", 1.0)


def color_fields(factor: Factor) -> Fields:
    """How colors come about."""
    option = factor.option
    spans = factor.options if "s" in factor.options else DULL if option("dull") else PLAIN
    yield "color_level", CODES[factor.level]
    yield "hued", "s" in factor.options
    yield "hue_gap", option("gap", 0.0)
    yield "hue_fresh", option("fresh", False)
    yield "hue_of_parent", factor.pattern == "parent"
    yield "hue_unlike", option("unlike", 0.0)
    yield "saturation", spans["s"]
    yield "brightness", spans["v"]
    yield "shade_shared", option("shared", False)


def angle_fields(factor: Factor) -> Fields:
    """How objects are turned."""
    yield "angle_level", CODES[factor.level]
    yield "angle_kind", CODES[angle_kind(factor)]
    yield "angle_span", FULL_TURN if factor.span == (0.0, 1.0) else factor.span
    yield "angle_gap", factor.option("gap", 0.0)


def angle_kind(factor: Factor) -> str:
    """Not at all, in steps, by given values, by values that are a gap apart, or each at random."""
    if factor.pattern in ("none", "steps"):
        return factor.pattern
    return "values" if "values" in factor.options else "wheel" if "gap" in factor.options else "each"


def flip_kind(factor: Factor) -> str:
    """In two images of four, not at all, each at random, or by a pattern."""
    if factor.level == "spread":
        return "spread"
    return factor.pattern if factor.pattern in ("none", "each") else "pattern"


def span(value: Any) -> tuple[float, float]:
    """Two ends, or twice the one number that is given."""
    return value if isinstance(value, tuple) else (value, value)


# ------------------------------------------------------------------------------------------------ what numbers add


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


def number_fields(scene: Scene, cast: Cast, values: Values, crowd: int) -> Fields:
    """Letters of all objects, and settings that are drawn."""
    colors = letters(scene.color, cast, values)
    yield "shape", letters(scene.shape, cast, values)
    yield "size", letters(scene.size, cast, values)
    yield "color", colors
    yield "law", crowding(scene.size, cast, crowd)
    if ratio := scene.size.option("ratio"):
        yield "size_ratio", span(settled(ratio, values))
    yield "inner_over", len(cast) - cast.measure.count(NONE) if scene.size.option("inner_over") else 1
    yield "black", "marker" in scene.size.options and len(set(colors)) > 1
    yield from turn_fields(scene.angle, cast, values)
    if flip_kind(scene.flip) == "pattern":
        yield "flip", letters(scene.flip, cast, values)
    if scene.window:
        yield "axis", values["axis"]
        yield "side", values.get("side", 0)
    if scene.direction is not None:
        yield "direction", settled(scene.direction, values)
    yield from place_fields(scene, values)


def turn_fields(factor: Factor, cast: Cast, values: Values) -> Fields:
    """How far each object is turned."""
    kind, option = angle_kind(factor), factor.option
    if kind == "steps":
        if "step" in factor.options:
            yield "angle_span", span(settled(option("step"), values))
        yield "rank", settled(option("ranks", range(len(cast))), values)
        yield "base", option("bases", (0,) * len(cast))
    elif kind == "values":
        yield "angle_values", [option("values")[letter] for letter in letters(factor, cast, values)]
    elif kind == "wheel":
        yield "angle", letters(factor, cast, values)


def place_fields(scene: Scene, values: Values) -> Fields:
    """The settings of the place."""
    for one in fields(scene.place):
        value = settled(getattr(scene.place, one.name), values)
        if one.name == "centers":
            value = tuple(chain.from_iterable(value))
        yield one.name, CODES[value] if isinstance(value, str) else value
