"""A scene and the numbers drawn for an image, made into the recipe that `kernels.draw_images` follows.

What the row says is written once; each image adds what depends on its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import chain
from math import nan
from string import ascii_lowercase
from struct import pack_into
from typing import Any

from unseen.benchmarks.cvr.kernels.words import ANY, MOST, NONE, RECIPE, WORDS
from unseen.benchmarks.cvr.sample.bodies import Cast, cast_of
from unseen.benchmarks.cvr.sample.numbers import Values, changes_of, drawn_as, settled
from unseen.benchmarks.cvr.vocabulary import Angle, Change, Color, Factor, Flip, Scene, Shape, Size
from unseen.core.errors import SpecError, unknown

Fields = Iterator[tuple[str, Any]]


class Codes(dict[str, int]):
    """The numbers of words."""

    def __missing__(self, word: str) -> int:
        raise unknown("word", word, self, where="the vocabulary of cvr")


CODES = Codes((word, number) for number, word in enumerate(WORDS))
FORMATS = {name: (kind.base.char, offset) for name, (kind, offset, *_) in RECIPE.fields.items()}
PLAIN, DULL = ((0.5, 1.0), (0.0, 1.0)), ((0.0, 0.5), (0.0, 0.8))  # saturation and value of colors that mean nothing
FULL_TURN = (0.0, 360.0)
NO_CHANGE = Change()


class Recipes:
    """A scene's recipes: those of the same numbers are made once."""

    def __init__(self, scene: Scene, change: Change = NO_CHANGE, *, of: Scene, telling: bool) -> None:
        self.scene = scene
        self.changes = changes_of(of.draws, scene.draws)  # against the scene of regular images
        size = scene.size
        # sizes of the problem depend on how many objects its images have
        self.crowded = size.level == "problem" and (size.root or size.over is True)
        self._row = bytearray(RECIPE.itemsize)
        write(self._row, chain(row_fields(scene), changed(change), [("telling", telling)]))
        self._made = lru_cache(maxsize=256)(self._make)

    def crowd(self, values: Values) -> int:
        """Tell how many outermost objects an image has."""
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
    """Yield all that does not depend on numbers."""
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
    """Return what the odd image changes."""
    yield "exchange", CODES[change.exchange]
    for name in change.anew:
        yield f"{name}_anew", True


def shape_fields(factor: Shape) -> Fields:
    """Tell where shapes come from."""
    yield "shape_level", CODES[factor.level]
    yield "fresh", factor.fresh
    yield "lopsided", factor.lopsided


def size_fields(factor: Size) -> Fields:
    """Tell how sizes come about."""
    yield "size_level", CODES[factor.level]
    yield "size_span", factor.span
    yield "by_extent", factor.box
    yield "told_apart", factor.apart
    yield "marker", -1.0 if factor.marker is None else factor.marker
    for sum_of in ("total", "area", "cap"):
        if given := getattr(factor, sum_of):
            yield "sum_of", CODES[sum_of]
            yield "sum_span", span(given)
    if factor.across:
        yield "size_across", factor.across
    for name in ("zoom", "inner", "inner_alike", "inner_of_smallest", "redrawn", "fit", "lone"):
        if (given := getattr(factor, name)) is not None:
            yield name, given


def color_fields(factor: Color) -> Fields:
    """Tell how colors come about."""
    saturation, value = DULL if factor.dull else PLAIN
    yield "color_level", CODES[factor.level]
    yield "hued", factor.saturation is not None
    yield "hue_gap", factor.gap
    yield "hue_fresh", factor.fresh
    yield "hue_of_parent", factor.pattern == "parent"
    yield "hue_unlike", factor.unlike
    yield "hue_moved", factor.moved
    yield "saturation", factor.saturation or saturation
    yield "brightness", factor.value or value
    yield "shade_shared", factor.shared


def angle_fields(factor: Angle) -> Fields:
    """Tell how objects are turned."""
    yield "angle_level", CODES[factor.level]
    yield "angle_kind", CODES[angle_kind(factor)]
    yield "angle_span", FULL_TURN if factor.span == (0.0, 1.0) else factor.span
    yield "angle_gap", factor.gap


def angle_kind(factor: Angle) -> str:
    """Not at all, in steps, by given values, by values that are a gap apart, or each at random."""
    if factor.pattern in ("none", "steps"):
        return factor.pattern
    return "values" if factor.values else "wheel" if factor.gap else "each"


def flip_kind(factor: Flip) -> str:
    """In two images of four, not at all, each at random, or by a pattern."""
    if factor.level == "spread":
        return "spread"
    return factor.pattern if factor.pattern in ("none", "each") else "pattern"


def span(value: Any) -> tuple[float, float]:
    """Return two ends, or twice the one number that is given."""
    return value if isinstance(value, tuple) else (value, value)


# ------------------------------------------------------------------------------------------------ what numbers add


def bodies_of(cast: Cast) -> Fields:
    """Tell who is there."""
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
    """Return a factor's pattern as a letter for every object."""
    word: Any = factor.pattern
    if word[0] == "$":
        word = drawn_as(word[1:], values)
    if not isinstance(word, str):
        return list(word) + [len(word)] * (len(cast) - len(word))
    if word in cast.labels:
        return list(cast.labels[word])
    found = [ascii_lowercase.find(letter) for letter in word]
    if len(found) != len(cast) or min(found) < 0 or max(found) > len(cast):  # the odd image may have one letter more
        raise unknown("pattern", word, cast.labels, where="these bodies; letters are a, b, c and so on, one an object")
    return found


def crowding(factor: Size, cast: Cast, crowd: int) -> float:
    """Tell how much smaller objects are where there are many of them."""
    if factor.box:
        return (2 if "set" in cast.labels else 1) / len(cast)
    count = cast.outer if factor.level == "image" else crowd
    if factor.over == "most":
        groups = cast.labels["group"]
        return 1 / max(max(groups) + 1, *map(groups.count, groups))
    if factor.over is True:
        return 1 / count
    if factor.over:
        return 1 / factor.over
    return float(count**-0.5) if factor.root else 1.0


def number_fields(scene: Scene, cast: Cast, values: Values, crowd: int) -> Fields:
    """Letters of all objects, and settings that are drawn."""
    colors = letters(scene.color, cast, values)
    yield "shape_letters", letters(scene.shape, cast, values)
    yield "size_letters", letters(scene.size, cast, values)
    yield "color_letters", colors
    yield "law", crowding(scene.size, cast, crowd)
    if ratio := scene.size.ratio:
        yield "size_ratio", span(settled(ratio, values))
    yield "inner_over", len(cast) - cast.measure.count(NONE) if scene.size.inner_over else 1
    yield "black", scene.size.marker is not None and len(set(colors)) > 1
    yield from turn_fields(scene.angle, cast, values)
    if flip_kind(scene.flip) == "pattern":
        yield "flip_letters", letters(scene.flip, cast, values)
    if scene.window:
        yield "axis", values["axis"]
        yield "side", values.get("side", 0)
    if scene.direction is not None:
        yield "direction", settled(scene.direction, values)
    yield from place_fields(scene, values)


def turn_fields(factor: Angle, cast: Cast, values: Values) -> Fields:
    """Tell how far each object is turned."""
    kind = angle_kind(factor)
    if kind == "steps":
        if factor.step is not None:
            yield "angle_span", span(settled(factor.step, values))
        yield "rank", range(len(cast)) if factor.ranks is None else settled(factor.ranks, values)
        yield "begin", factor.bases or (0,) * len(cast)
    elif kind == "values":
        yield "angle_values", [factor.values[letter] for letter in letters(factor, cast, values)]
    elif kind == "wheel":
        yield "angle_letters", letters(factor, cast, values)


def place_fields(scene: Scene, values: Values) -> Fields:
    """Yield the settings of the place."""
    for one in fields(scene.place):
        value = settled(getattr(scene.place, one.name), values)
        if one.name == "centers":
            value = tuple(chain.from_iterable(value))
        yield one.name, CODES[value] if isinstance(value, str) else value
