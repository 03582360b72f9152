"""Drawing problems: a rule's row, made ready once, becomes four images of which one is odd.

All whole numbers of a problem (how many, which pattern) are drawn once and kept while sizes, shapes and places are
drawn again for want of room, so that crowded problems are no rarer than sparse ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import permutations

import numpy as np

from unseen.benchmarks.cvr.kernels.contours import cache_of, room
from unseen.benchmarks.cvr.kernels.images import draw_images
from unseen.benchmarks.cvr.kernels.words import KEPT, MOST, RECIPE
from unseen.benchmarks.cvr.ranges import as_published
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.sample.coincidences import COINCIDENCES
from unseen.benchmarks.cvr.sample.numbers import draw_numbers, in_order
from unseen.benchmarks.cvr.sample.recipe import Recipes
from unseen.benchmarks.cvr.scene import FIELDS, PANELS, Record, Table, image_of
from unseen.benchmarks.cvr.spec import Spec
from unseen.benchmarks.cvr.vocabulary import Change, Rule
from unseen.core.errors import Unplaceable, unknown
from unseen.core.key import hash_bytes
from unseen.core.options import check_types
from unseen.core.random import BlockStream, Stream
from unseen.core.splits import Part

IMAGE_TRIES, PROBLEM_TRIES = 20, 180
ORDERS = tuple(permutations(range(PANELS)))


@dataclass(frozen=True)
class Plan:
    """A rule made ready: the scene of regular images, and those that an odd image may have."""

    rule: Rule
    shifted: bool
    regular: Recipes
    odd: tuple[Recipes, ...]
    family: str


@lru_cache(maxsize=512)
def plan(name: str, shifted: bool, variant: str = "balanced") -> Plan:
    """Make a rule ready."""
    rule = as_published(BY_NAME[name], shifted=shifted) if variant == "published" else BY_NAME[name]
    if rule.unless and rule.unless not in COINCIDENCES:
        raise unknown("coincidence", rule.unless, COINCIDENCES, where="cvr")
    changes = (rule.shifted_odd or rule.odd) if shifted else rule.odd
    changes = (changes,) if isinstance(changes, Change) else changes
    scenes = [rule.version(shifted, change) for change in (None, *changes)]
    for part in (part for scene in scenes for part in scene.parts):
        check_types(part, of=f"{type(part).__name__} in the rule {name}")
    regular, *odd = map(in_order, scenes)
    recipes = partial(Recipes, of=regular, telling=rule.tells_shapes)
    family = ("wide" if "inside" in rule.relations else "plain") + ("-fuzzy" if shifted else "")
    return Plan(rule, shifted, recipes(regular), tuple(map(recipes, odd, changes)), family)


# ------------------------------------------------------------------------------------------------ problems


def draw_problem(ready: Plan, rng: Stream) -> list[Table]:
    """Return three regular images and an odd one, which comes last."""
    unlikely = COINCIDENCES[ready.rule.unless] if ready.rule.unless else None
    while True:
        odd = ready.odd[rng.below(len(ready.odd)) if len(ready.odd) > 1 else 0]
        tables = finish(ready, odd, rng)
        if not (unlikely and unlikely([image_of(table) for table in tables], ready.shifted)):
            return tables


def finish(ready: Plan, odd: Recipes, rng: Stream) -> list[Table]:
    """Return the four images of numbers that are drawn once."""
    scenes = [ready.regular] * (PANELS - 1) + [odd]
    numbers = draw_numbers(ready.regular.scene.draws, odd.changes, rng)
    crowd = max(map(Recipes.crowd, scenes, numbers)) if ready.regular.crowded else 0
    written = [one.recipe(values, crowd) for one, values in zip(scenes, numbers, strict=True)]
    recipes = np.frombuffer(bytearray().join(written), RECIPE)
    tables = np.empty((PANELS, MOST, FIELDS))
    contours, out = cache_of(ready.family), room(MOST)
    for _ in range(PROBLEM_TRIES):
        kept = np.frombuffer(bytearray(KEPT.itemsize), KEPT)  # zeros, in a third of the time of `np.zeros`
        if draw_images(contours, out, recipes, kept, IMAGE_TRIES, rng.state, tables) == PANELS:
            return [tables[k, :count] for k, count in enumerate(recipes["count"].tolist())]
    raise Unplaceable(
        f"could not place the objects of rule {ready.rule.name!r}"
        f"{' in its shifted version' if ready.shifted else ''} after {PROBLEM_TRIES} tries; numbers drawn: {numbers}"
    )


class Sampler:
    """The contract of core/task.py: draws the problems of one rule, part and stream key, in any order.

    The order of the four images is drawn last, until the problem's content key falls in the part: a new order costs
    little where a new problem would not.
    """

    def __init__(self, spec: Spec, part: Part, key: int) -> None:
        (rule,) = spec.rules  # tasks of several rules take turns
        self.part = part
        self.key = key
        self.ready = plan(rule, spec.shifted, spec.variant)

    def draw(self, index: int, first: int = 0) -> tuple[Record, int, int]:
        """Draw the record of an index, with key and number of the draw: the first from `first` on in the part."""
        ready = self.ready
        head = f"{ready.rule.name}\0{ready.family}\0".encode()
        turn = first
        while True:
            rng = BlockStream(self.key, index=index, draw=turn)
            tables = draw_problem(ready, rng)
            blobs = [table.tobytes() for table in tables]
            begin = rng.below(len(ORDERS))
            for order in ORDERS[begin:] + ORDERS[:begin]:
                content = hash_bytes(head + b"".join([blobs[i] for i in order]))
                if self.part.holds(content):
                    shown = tuple([blobs[i] for i in order])
                    odd = order.index(PANELS - 1)
                    return Record.of_tables(ready.rule.name, ready.shifted, ready.family, odd, shown), content, turn
            turn += 1
