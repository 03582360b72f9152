"""Which rules and how many problems: a task for each rule, joint tasks, and one's own choice of rules.

Out of distribution is the shifted version of the same rules: other ranges, other counts, fuzzier contours. Joint tasks
hold the problems of the single ones, as the published files do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from unseen.benchmarks.cvr.paper import MODELS
from unseen.benchmarks.cvr.rules import BY_NAME, PUBLISHED, RELATIONS, RULES
from unseen.benchmarks.cvr.spec import Spec
from unseen.benchmarks.cvr.vocabulary import Rule
from unseen.core.catalogue import register_task
from unseen.core.errors import SpecError, unknown
from unseen.core.options import Names
from unseen.core.splits import Listed, having, where
from unseen.core.task import Row, Split

if TYPE_CHECKING:  # listing tasks costs no numba
    from unseen.benchmarks.cvr.scene import Record

TRAIN, VAL, TEST = 10_000, 500, 1_000  # problems of a rule
BASELINES = ("outlier", *MODELS)  # the first needs no training


@dataclass(frozen=True)
class Setting:
    """What a user may choose of a rule or of a joint task."""

    samples: int = TRAIN  # problems of each rule to train on; a smaller set is the beginning of a larger one
    variant: Literal["balanced", "published"] = "balanced"  # ranges without shortcuts, or the published ones if sound

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise SpecError(f"samples counts training problems of a rule, so it cannot be {self.samples}")


@dataclass(frozen=True)
class Custom(Setting):
    """What a user may choose of `cvr/custom`: rules by name, by all their relations, or by an expression.

    Without a choice these are the published rules; rules that were added are found like any other.
    """

    rules: Names = ()
    relations: Names = ()  # that rules combine, and no others
    where: str = ""  # an expression over relations, "shape & not color", that rules satisfy

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.relations:
            if name not in RELATIONS:
                raise unknown("relation", name, RELATIONS, where="cvr")
        if sum(map(bool, (self.rules, self.relations, self.where))) > 1:
            raise SpecError("cvr/custom takes one of rules, relations and where; leave the others out")


def four(rules: tuple[str, ...], options: Setting) -> tuple[Split, ...]:
    """Return the splits of some rules; several take turns, each with the problems that it has alone."""
    sizes = {"train": options.samples, "val": VAL, "test": TEST, "test_ood": TEST}
    return tuple(split_of(name, size, rules, options) for name, size in sizes.items())


def split_of(name: str, size: int, rules: tuple[str, ...], options: Setting) -> Split:
    """Make a split with as many problems of each of some rules."""
    spec = Spec(rules, shifted=name == "test_ood", variant=options.variant)
    alone = tuple((row_name(rule), replace(spec, rules=(rule,))) for rule in rules)
    return Split(name, size * len(rules), spec, turns=alone if len(rules) > 1 else ())


def row_name(rule: str) -> str:
    """Return the name of a rule's task."""
    return rule.replace("_", "-")


def of_rules(*rules: str) -> Callable[[Setting], tuple[Split, ...]]:
    """Return the splits of named rules, for a row."""
    return lambda options: four(rules, options)


def combining(relations: Iterable[str]) -> tuple[str, ...]:
    """Give the rules that combine these relations and no others; one relation given twice is that relation with itself.

    >>> combining(["shape", "color"])
    ('shape_color', 'shape_color_2', 'shape_color_3')
    """
    wanted = sorted(relations)
    return tuple(rule.name for rule in BY_NAME.values() if sorted(rule.relations) == wanted)


def custom_splits(options: Custom) -> tuple[Split, ...]:
    """Return the splits of a user's choice of rules."""
    names = tuple(name.replace("-", "_") for name in options.rules)
    for name in names:
        if name not in BY_NAME:
            raise unknown("rule", name, BY_NAME, where="cvr", listing="unseen list cvr")
    if options.relations:
        names = combining(options.relations)
        if not names:
            raise SpecError(f"no rule of cvr combines {' and '.join(options.relations)} and nothing else")
    if options.where:
        fits = where(options.where, having(RELATIONS, lambda name: BY_NAME[name].relations))
        names = tuple(filter(fits, BY_NAME))
        if not names:
            raise SpecError(f"no rule of cvr satisfies {options.where!r}")
    return four(names or PUBLISHED, options)


def compositions(spec: Spec) -> Listed:
    """Return the rules a spec draws from."""
    return Listed(tuple((name,) for name in spec.rules))


def contains(spec: Spec, record: Record) -> bool:
    """Tell whether this spec could have drawn this record: its rule, and its version of it."""
    return record.rule in spec.rules and record.shifted == spec.shifted


def atoms(record: Record) -> tuple[str, ...]:
    """Return the relations that a problem's rule combines."""
    return BY_NAME[record.rule].relations


def compounds(record: Record) -> list[tuple[str, ...]]:
    """Their combination, if there is more than one."""
    relations = tuple(sorted(BY_NAME[record.rule].relations))
    return [relations] if len(relations) > 1 else []


def groups(record: Record) -> dict[str, str]:
    """Return the groups that a problem is scored in."""
    return {"rule": record.rule}


def task_of(rule: Rule) -> Row:
    """Return the task of one rule, found by its published folder and id too."""
    aliases = (rule.name, f"task_{rule.name}", str(rule.id))
    row = Row(row_name(rule.name), rule.sentence, of_rules(rule.name), Setting, aliases, BASELINES)
    return replace(row, tables=("3",)) if rule.name in PUBLISHED else row


def _tasks() -> Iterable[Row]:
    yield from map(task_of, RULES)
    alone = tuple(name for name in PUBLISHED if len(BY_NAME[name].relations) == 1)
    others = tuple(name for name in PUBLISHED if name not in alone)
    joint = partial(Row, options=Setting, baselines=BASELINES, repeats=True)
    yield joint("all", "all 103 published rules in turn", of_rules(*PUBLISHED), tables=("3",))
    yield joint("elementary", "the nine elementary rules in turn", of_rules(*alone))
    yield joint("compositions", "the 94 compositions in turn", of_rules(*others))
    summary = "your own: rules by name, or all that combine some relations"
    yield Row("custom", summary, custom_splits, Custom, repeats=True)


TASKS = tuple(_tasks())


def add_rule(rule: Rule) -> None:
    """Make a rule of one's own known: it gets a task, and can be chosen in `cvr/custom`; no other task has it."""
    for relation in rule.relations:
        if relation not in RELATIONS:
            raise unknown("relation", relation, RELATIONS, where="cvr")
    if rule.id in {known.id for known in BY_NAME.values()}:
        raise SpecError(f"cvr has a rule with the id {rule.id} already; choose another number")
    register_task("cvr", task_of(rule))  # refuses a name that is taken
    BY_NAME[rule.name] = rule
