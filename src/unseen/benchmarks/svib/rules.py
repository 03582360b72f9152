"""Rules as effects: each writes one factor of an object from factors of itself and of the other, all at once.

An effect is written as the factor it sets, then what its new value is the sum of, joined by colons:

    shape:other.shape                   the other object's shape
    color:self.shape:self.quadrant      modulo the number of colors, as everywhere
    size:other.color:1                  a number is a constant
    position:other.size                 a step of 0.3 frames down, up, left or right, by the sum modulo 4

A rule is a list of effects, or of names of rules, joined by commas; all of them read the scene as it was. With more
than two objects `other` is the next one in order, after the last the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unseen.benchmarks.svib.worlds import WORLDS, Combination, World
from unseen.core.errors import SpecError, unknown

Written = tuple[tuple[str, ...], ...]  # a rule as options have it
DIRECTIONS = {"down": (0, -1), "up": (0, 1), "left": (-1, 0), "right": (1, 0)}  # of steps, by the sum modulo 4
RIGHT = tuple(DIRECTIONS).index("right")
STEP = 0.3  # frames
MOST_PARENTS = 4
MOST_CONSTANT = 9_999  # that an effect adds; values count from 0 to the size of a vocabulary, and round again
READ = ("color", "shape", "size", "material", "quadrant")  # what an effect may read
SET = ("color", "shape", "size", "material", "position")  # what an effect may write


@dataclass(frozen=True)
class Parent:
    """What an effect reads."""

    of: str  # self or other
    factor: str


@dataclass(frozen=True)
class Effect:
    """A factor of an object, and what its new value is the sum of."""

    writes: str
    parents: tuple[Parent, ...]
    constant: int = 0

    @property
    def causes(self) -> tuple[Parent, ...]:
        """All that the new value depends on: an object moves from where it was."""
        own = (Parent("self", "position"),) if self.writes == "position" else ()
        return own + self.parents


@dataclass(frozen=True)
class Rule:
    """A named rule; the published code knows it by `code`."""

    name: str
    code: str
    parts: Written
    about: str


ATOMIC = (
    Rule("cp", "CP", (("position", str(RIGHT)),), "moves to the right"),
    Rule("shac", "ShAC", (("color", "self.shape"),), "its shape gives its color"),
    Rule("shaash", "ShAASh", (("shape", "other.shape"),), "the other's shape gives its shape"),
    Rule("caasi", "CAASi", (("size", "other.color"),), "the other's color gives its size"),
)
NON_ATOMIC = (
    Rule("ncp", "NCP", (("position", "other.size"),), "moves where the other's size tells it"),
    Rule("nshac", "NShAC", (("color", "self.shape", "self.quadrant"),), "its shape and quadrant give its color"),
    Rule("nshaash", "NShAASh", (("shape", "self.shape", "other.shape"),), "both shapes give its shape"),
    # the published code reads the other's quadrant, see `of_quadrant`
    Rule("ncaasi", "NCAASi", (("size", "other.color", "self.quadrant"),), "the other's color and a quadrant, its size"),
)
ANALYSIS = (  # 16 rules in the order of the published code: four single ones, then four of two parts each
    *ATOMIC,
    Rule("mintra", "MIntra", (("cp",), ("shac",)), "cp and shac"),
    Rule("mmix2", "MMix2", (("shac",), ("caasi",)), "shac and caasi"),
    Rule("mmix1", "MMix1", (("cp",), ("shaash",)), "cp and shaash"),
    Rule("minter", "MInter", (("shaash",), ("caasi",)), "shaash and caasi"),
    *NON_ATOMIC,
    Rule("mnintra", "MNIntra", (("ncp",), ("nshac",)), "ncp and nshac"),
    Rule("mnmix2", "MNMix2", (("nshac",), ("ncaasi",)), "nshac and ncaasi"),
    Rule("mnmix1", "MNMix1", (("ncp",), ("nshaash",)), "ncp and nshaash"),
    Rule("mninter", "MNInter", (("nshaash",), ("ncaasi",)), "nshaash and ncaasi"),
)
BENCHMARK = (
    Rule("sa", "S-A", (("shaash",),), "objects swap shapes"),
    Rule("sna", "S-NA", (("nshaash",),), "an object's shape is the sum of both"),
    Rule("ma", "M-A", (("mmix2",),), "own shape gives color, the other's color size"),
    Rule("mna", "M-NA", (("mnmix2",),), "the same, each added to a quadrant"),
)
NONE = Rule("none", "None", (), "nothing changes")
RULES = {rule.name: rule for rule in (*BENCHMARK, *ANALYSIS, NONE)}


def effects_of(written: Written, quadrant: str = "self") -> tuple[Effect, ...]:
    """The effects of a rule; named ones read the quadrant that `quadrant` says where they add one to the other's value.

    >>> [str(effect) for effect in effects_of((("ma",),))][0]
    "Effect(writes='color', parents=(Parent(of='self', factor='shape'),), constant=0)"
    """
    effects: list[Effect] = []
    for part in written:
        if len(part) == 1:
            if part[0] not in RULES:
                raise unknown("rule", part[0], RULES, where="svib", listing="unseen list svib")
            effects += [of_quadrant(effect, quadrant) for effect in effects_of(RULES[part[0]].parts)]
        else:
            effects.append(effect_of(part))
    written_to = [effect.writes for effect in effects]
    for factor in written_to:
        if written_to.count(factor) > 1:
            raise SpecError(f"a rule sets each factor once, and this one sets {factor} twice")
    return tuple(effects)


def effect_of(words: Sequence[str]) -> Effect:
    """Return an effect from its words: what it sets, and what it sums."""
    writes, *summed = words
    if writes not in SET:
        raise unknown("factor", writes, SET, where="what a rule may set")
    constant, parents = 0, []
    for word in summed:
        if word.isdecimal():
            constant += int(word[: 1 + len(str(MOST_CONSTANT))])  # as many digits as tell that it is too large
            if constant > MOST_CONSTANT:
                raise SpecError(f"the constants of an effect are {MOST_CONSTANT:,} at most, not {word}")
            continue
        of, _, factor = word.rpartition(".")
        if (of or "self") not in ("self", "other"):
            raise SpecError(f"a rule reads a factor of self or other, such as other.shape, not {word!r}")
        if factor not in READ:
            raise unknown("factor", factor, READ, where="what a rule may read")
        parents.append(Parent(of or "self", factor))
    if len(parents) > MOST_PARENTS:
        raise SpecError(f"an effect sums up to {MOST_PARENTS} factors, not {len(parents)}")
    return Effect(writes, tuple(parents), constant)


def of_quadrant(effect: Effect, whose: str) -> Effect:
    """Return an effect that reads the other object, with the quadrant of `whose` object.

    The paper's formula and its Figure 2 have the object's own, its text and the published code the other's.
    """
    if all(parent.of == "self" or parent.factor == "quadrant" for parent in effect.parents):
        return effect
    parents = (Parent(whose, p.factor) if p.factor == "quadrant" else p for p in effect.parents)
    return Effect(effect.writes, tuple(parents), effect.constant)


def category(effects: Sequence[Effect]) -> str:
    """Tell how complex a rule is, by the paper's two axes: factors that it sets, and causes of each.

    >>> category(effects_of((("sa",),))), category(effects_of((("mna",),)))
    ('single atomic', 'multiple non-atomic')
    """
    if not effects:
        return "nothing"
    number = "multiple" if len(effects) > 1 else "single"
    return f"{number} {'non-atomic' if any(len(effect.causes) > 1 for effect in effects) else 'atomic'}"


def factor_in(world: World, factor: str) -> str:
    """Return what a world calls a factor of a rule: textures are the colors of CLEVRTex."""
    name = "material" if factor == "color" and "color" not in world.factors else factor
    if name not in (*world.factors, "quadrant", "position"):
        raise SpecError(f"objects of {world.name} have no {factor}; a rule may name {', '.join(world.factors)}")
    return name


# ---------------------------------------------------------------------------- what rules mean

Place = tuple[float, float]
State = tuple[tuple[Combination, Place], ...]  # every object's look and place


def quadrant_of(place: Place, center: float) -> int:
    """1 to 4, counted as in mathematics; a place on an axis belongs to the right or the upper side.

    >>> [quadrant_of(place, 0.5) for place in ((0.5, 0.5), (0.4, 0.5), (0.4, 0.4), (0.5, 0.4))]
    [1, 2, 3, 4]
    """
    x, y = place
    if y >= center:
        return 1 if x >= center else 2
    return 4 if x >= center else 3


def apply(effects: Sequence[Effect], state: State, world: World, sizes: Sequence[int]) -> State:
    """Return the scene after a rule; `sizes` are those of the vocabularies, in the order of the world's factors."""

    def value(parent: Parent, i: int) -> int:
        combination, place = state[(i + 1) % len(state) if parent.of == "other" else i]
        if parent.factor == "quadrant":
            return quadrant_of(place, world.center)
        return combination[world.factors.index(factor_in(world, parent.factor))]

    changed = []
    for i, (combination, place) in enumerate(state):
        look = list(combination)
        for effect in effects:
            total = effect.constant + sum(value(parent, i) for parent in effect.parents)
            if effect.writes == "position":
                x, y = tuple(DIRECTIONS.values())[total % len(DIRECTIONS)]
                step = STEP * (world.high - world.low)
                place = (place[0] + step * x, place[1] + step * y)
            else:
                factor = world.factors.index(factor_in(world, effect.writes))
                look[factor] = total % sizes[factor]
        changed.append((tuple(look), place))
    return tuple(changed)


def describe() -> list[dict[str, str]]:
    """Return the rules as rows for people."""
    worlds = {rule.name: tuple(WORLDS) if rule in BENCHMARK else ("dsprites",) for rule in RULES.values()}
    return [
        {
            "rule": rule.name,
            "what it does": rule.about,
            "effects": formula(effects_of(((rule.name,),))),
            "category": category(effects_of(((rule.name,),))),
            "code": rule.code,
            "worlds": ", ".join(worlds[rule.name]),
        }
        for rule in RULES.values()
    ]


def formula(effects: Sequence[Effect]) -> str:
    """Effects as the paper writes them.

    >>> formula(effects_of((("mna",),)))
    'color <- self.shape + self.quadrant; size <- other.color + self.quadrant'
    """
    return "; ".join(f"{effect.writes} <- {_sum(effect)}" for effect in effects)


def _sum(effect: Effect) -> str:
    if effect.writes == "position" and not effect.parents:
        return f"self.position + {STEP:g} {tuple(DIRECTIONS)[effect.constant % len(DIRECTIONS)]}"
    terms = [f"{parent.of}.{parent.factor}" for parent in effect.causes]
    return " + ".join([*terms, *([str(effect.constant)] if effect.constant or not terms else [])])
