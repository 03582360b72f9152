"""Episode -> what a language model can be asked about the next image, and its answer.

Both forms are views: models that write text draw no images. "choose" offers four next images, "factors" asks for the
objects of the next one in words. Which rule holds is shown by solved episodes, said in words, or both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import choices
from unseen.benchmarks.svib.rules import DIRECTIONS, STEP, Effect, factor_in
from unseen.benchmarks.svib.spec import Spec
from unseen.core.asking import (
    Form,
    Manner,
    Part,
    Pictures,
    Unusable,
    by_name,
    numbered,
    read_choice,
    read_json,
    solved,
)
from unseen.core.errors import SpecError
from unseen.core.task import Example

RULE = "A hidden rule turns an image of some objects into the next image. It is the same rule throughout."
SHOWN = "First come solved examples: an image, and the next one."
CHOOSE = "Which of the four images at the end is the next one? The other three break the rule."
CHOOSE_RULE = "Answer with its number alone, 1, 2, 3 or 4: no explanation."
NAME = "Say what the next image shows."
NAME_RULE = "Answer with a JSON list alone, one object of JSON for each object of the image, {keys}: no explanation."
HUES = {  # names of the worlds' colors
    "00ff00": "green",
    "ff00ff": "magenta",
    "007fff": "blue",
    "ff7f00": "orange",
    "ff0000": "red",
    "0000ff": "blue",
    "00ffff": "cyan",
    "ffff00": "yellow",
}
RANKS = {  # names of so many sizes, the smallest first
    1: ("medium",),
    2: ("small", "large"),
    3: ("small", "medium", "large"),
    4: ("tiny", "small", "medium", "large"),
}

# places by number, as they are seen: in 3-D the camera looks from one corner of the ground
QUADRANTS = {
    True: "1 at the upper right, 2 at the upper left, 3 at the lower left and 4 at the lower right",
    False: "parts of the ground: 1 to the right, 2 at the back, 3 to the left and 4 in front",
}
WAYS = {
    True: tuple(DIRECTIONS),
    False: ("to the front and left", "to the back and right", "to the back and left", "to the front and right"),
}

Look = dict[str, str]  # the words for an object's factors


# ---------------------------------------------------------------------------- words


def words(factor: str, spec: Spec) -> tuple[str, ...]:
    """Return the values of a factor in words, in the order in which rules count them.

    >>> words("color", Spec()), words("size", Spec())
    (('green', 'magenta', 'blue', 'orange'), ('tiny', 'small', 'medium', 'large'))
    """
    values = spec.vocabularies[spec.place.factors.index(factor)]
    if factor == "color":
        named = tuple(HUES.get(str(value), f"#{value}") for value in values)
    elif factor == "size":
        order = sorted(set(values))  # type: ignore[type-var]
        ranks = RANKS.get(len(order), tuple(f"size {k}" for k in range(1, len(order) + 1)))
        named = tuple(ranks[order.index(value)] for value in values)
    else:
        named = tuple(str(value).removesuffix("_4").replace("_", " ") for value in values)
    return named if len(set(named)) == len(named) else tuple(f"{name} {k}" for k, name in enumerate(named, 1))


def looks(example: Example) -> list[Look]:
    """Return the objects of the next image in words."""
    spec = spec_of(example)
    named = {factor: words(factor, spec) for factor in spec.place.factors}
    return [
        {factor: named[factor][value] for factor, value in zip(named, one.look, strict=True)}
        for one in example.record.target
    ]


def vocabulary(spec: Spec) -> str:
    """Return every factor with its values, in the order in which rules count them."""
    return "\n".join(f"{factor}: {', '.join(words(factor, spec))}" for factor in spec.place.factors)


def in_words(spec: Spec) -> str:
    """Return the rule as sentences, and what they count by.

    >>> print(in_words(Spec(rule=(("mna",),))).splitlines()[0])
    The rule: the color of each object becomes number (own shape + own quadrant) of its list. The size of each object \
becomes number (the other's color + own quadrant) of its list.
    """
    if not spec.effects:
        return "The rule: nothing changes."
    said = " ".join(_said(effect, spec) for effect in spec.effects)
    counted = (
        "Values are counted from 0 in the order of these lists, and a number past the end of a list starts again at its"
        " beginning; all numbers are those of the first image. What the rule does not name stays as it is."
    )
    quadrants = (
        f"\nQuadrants are {QUADRANTS[spec.place.flat]}."
        if any(parent.factor == "quadrant" for effect in spec.effects for parent in effect.parents)
        else ""
    )
    return f"The rule: {said[0].lower()}{said[1:]}\n{counted}\n{vocabulary(spec)}{quadrants}"


def _said(effect: Effect, spec: Spec) -> str:
    terms = [f"own {p.factor}" if p.of == "self" else f"the other's {p.factor}" for p in effect.parents]
    total = " + ".join([*terms, *([str(effect.constant)] if effect.constant or not terms else [])])
    if effect.writes != "position":
        return f"The {factor_in(spec.place, effect.writes)} of each object becomes number ({total}) of its list."
    ways = ", ".join(f"{way} for {number}" for number, way in enumerate(WAYS[spec.place.flat]))
    room = "image's side" if spec.place.flat else "ground's side"
    return f"Each object moves {STEP:g} of the {room}, by ({total}) modulo 4: {ways}."


def spec_of(example: Example) -> Spec:
    """Return what the split of an example draws."""
    spec: Spec = example.task.split(example.split).spec
    return spec


# ---------------------------------------------------------------------------- what is asked


def write_choice(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of an episode with four next images to choose from."""
    return [
        *_beginning(example, context, manner, CHOOSE, CHOOSE_RULE),
        *(part for one in context for part in _solved(one)),
        Pictures([_shown(example)], ("The image",)),
        "What is the next one?",
        numbered(choices.images(example.record, spec_of(example), example.task.view)),
    ]


def write_naming(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of an episode whose next image is to be described."""
    spec = spec_of(example)
    keys = " and ".join(", ".join(f'"{factor}"' for factor in spec.place.factors).rsplit(", ", 1))
    rule = f"{NAME_RULE.format(keys=f'with the keys {keys}')} The values are these:\n{vocabulary(spec)}"
    return [
        *_beginning(example, context, manner, NAME, rule),
        *(part for one in context for part in _solved(one)),
        Pictures([_shown(example)], ("The image",)),
        "What does the next one show?",
    ]


def _beginning(example: Example, context: Sequence[Example], manner: Manner, asked: str, rule: str) -> list[Part]:
    if not context and not manner.rule:
        raise SpecError("without solved episodes nobody can know the rule; ask with shots=1 or more, or with rule=true")
    said = [RULE, *([SHOWN] if context else []), asked]
    return ["\n\n".join([*said, *([in_words(spec_of(example))] if manner.rule else []), rule])]


def _solved(example: Example) -> list[Part]:
    return [Pictures([_shown(example), _shown(example, after=True)], ("An image", "The next image"))]


def _shown(example: Example, *, after: bool = False) -> Any:
    found = (example.target if after else example.inputs).get("image")
    if found is None:
        raise SpecError(f"{example.task.id} has no images to show; leave renderer=none out")
    return found


# ---------------------------------------------------------------------------- what is answered


def can_choose(example: Example) -> bool:
    """Tell whether three wrong images can be made beside the next one."""
    return choices.choices(example.record, spec_of(example)) is not None


def right_choice(example: Example) -> int:
    """Return the place of the next image among the four, from 0."""
    offered = choices.choices(example.record, spec_of(example))
    assert offered is not None, "episodes without choices are not asked"
    return offered.right


def parse_choice(text: str, example: Example, manner: Manner) -> int | Unusable:
    """Tell which of the four images an answer chooses, from 0, or why it is unusable."""
    return read_choice(text, choices.OFFERED, lenient=manner.lenient)


def parse_naming(text: str, example: Example, manner: Manner) -> list[Look] | Unusable:
    """Return the objects that an answer names, or why it is unusable; words that are in no list make it so.

    >>> import unseen
    >>> episode = unseen.load("svib/dsprites-sa", "test")[0]
    >>> one = '{"color": "green", "shape": "star", "size": "tiny"}'
    >>> parse_naming(f"[{one}, {one}]", episode, Manner())[0]["shape"], parse_naming(f"[{one}]", episode, Manner())
    ('star', 'the answer names 1 of 2 objects')
    """
    found = read_json(text, lenient=manner.lenient)
    if isinstance(found, Unusable):
        return found
    if not (isinstance(found, list) and all(isinstance(one, dict) for one in found)):
        return Unusable("the answer is not a list of objects")
    spec = spec_of(example)
    if len(found) != spec.objects:
        return Unusable(f"the answer names {len(found)} of {spec.objects} objects")
    return _checked(found, spec, lenient=manner.lenient)


def _checked(found: list[dict[str, Any]], spec: Spec, *, lenient: bool) -> list[Look] | Unusable:
    named = []
    for one in found:
        look = {}
        for factor in spec.place.factors:
            value = one.get(factor)
            said = " ".join(str(value).lower().replace("_", " ").split()) if lenient else value
            if said not in words(factor, spec):
                return Unusable(f"the answer has no {factor} that is in the list")
            look[factor] = str(said)
        if not lenient and len(one) != len(look):
            return Unusable("the answer has keys that were not asked for")
        named.append(look)
    return named


def _distances(example: Example) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How far each of the four images is from the one before, and from the other three."""
    offered = np.stack(choices.images(example.record, spec_of(example), example.task.view)).astype(np.float64)
    before = ((offered - _shown(example)) ** 2).sum(axis=(1, 2, 3))
    return before, ((offered[:, None] - offered) ** 2).sum(axis=(1, 2, 3, 4))


def _unchanged(example: Example) -> list[Look]:
    """The objects of the image before, as if nothing happened."""
    spec = spec_of(example)
    return [
        {factor: words(factor, spec)[value] for factor, value in zip(spec.place.factors, one.look, strict=True)}
        for one in example.record.source
    ]


FORMS = by_name(
    Form(
        "choose",
        "Which of four images is the next one?",
        write_choice,
        parse_choice,
        right_choice,
        say=lambda right: str(right + 1),
        unusable=None,
        metrics=("choice_accuracy",),
        takes=("shots", "rule"),
        shots=5,
        chooser=solved(lambda example: ()),
        asks=can_choose,
        options=lambda example: [str(number) for number in range(1, choices.OFFERED + 1)],
        shortcuts={
            "most like the image before": lambda example: int(_distances(example)[0].argmin()),
            "most like the other three": lambda example: int(_distances(example)[1].argmin()),
            "least like the other three": lambda example: int(_distances(example)[1].argmax()),
        },
    ),
    Form(
        "factors",
        "What are the factors of the objects of the next image?",
        write_naming,
        parse_naming,
        looks,
        json.dumps,
        unusable=[],
        metrics=("named_factors", "named_objects"),
        takes=("shots", "rule"),
        shots=5,
        chooser=solved(lambda example: ()),
        shortcuts={"the objects of the image before": _unchanged},
    ),
)
