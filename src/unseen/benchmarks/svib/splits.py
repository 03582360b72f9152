"""Which combinations are trained on and which are held out, and the tasks.

Train, val and test draw objects from the combinations that are seen, `test_ood` from the held-out ones alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from unseen.benchmarks.svib import replay
from unseen.benchmarks.svib.rules import ANALYSIS, BENCHMARK, Rule, category, effects_of
from unseen.benchmarks.svib.spec import LEVELS, Alpha, Choice, Lists, Spec, Whose
from unseen.benchmarks.svib.worlds import WORLDS, Combination
from unseen.core.errors import SpecError, unknown
from unseen.core.splits import Listed
from unseen.core.task import NoOptions, Row, Split

if TYPE_CHECKING:  # listing tasks costs no numba
    from unseen.benchmarks.svib.sample import Record

TRAIN, TEST = 64_000, 8_000
READABLE = ("factor_accuracy", "color_accuracy", "shape_accuracy", "size_accuracy")  # where images can be read back
TABLES = {"dsprites": "8", "clevr": "9", "clevrtex": "10"}
BASELINES = ("copy", "i2i-cnn", "i2i-vit", "ssm-vae", "ssm-slot", "oracle", "factor-cnn")
Combinations = dict[str, list[Combination]]


def combinations(world: str, alpha: float = LEVELS["medium"], splits: Lists = "paper") -> Combinations:
    """Return the combinations of a world by what they are for: core, train (the core included) and test.

    >>> {name: len(found) for name, found in combinations("clevr", alpha=0.4, splits="published").items()}
    {'core': 6, 'train': 62, 'test': 27}
    """
    if world not in WORLDS:
        raise unknown("world", world, WORLDS, where="svib")
    choice = Choice(world=world, alpha=alpha, splits=splits)  # type: ignore[arg-type]
    return {name: list(found) for name, found in combinations_of(choice).items()}


def combinations_of(choice: Choice) -> Combinations:
    """Return the combinations of a world and its vocabularies, as a user chose them."""
    if choice.splits == "published":
        return replay.published(WORLDS[choice.world], choice.alpha)
    return drawn(tuple(map(len, choice.vocabularies)), choice.alpha)


@lru_cache(maxsize=64)
def drawn(sizes: tuple[int, ...], alpha: float) -> Combinations:
    """Draw as the paper does: the core, a fifth of the others to test, a share alpha of the rest to train on.

    The rest is shuffled once, so that the lists of smaller alphas are the beginnings of those of larger ones.
    """
    from unseen.core.random import Stream, path_key

    core = replay.core(sizes)
    others = [one for one in replay.every(sizes) if one not in core]
    Stream(path_key(0, "svib", "combinations", *map(str, sizes))).shuffle(others)
    tested = int(len(others) * replay.TEST_SHARE)
    test, rest = others[:tested], others[tested:]
    return {"core": core, "train": core + rest[: int(alpha * len(rest) + 0.5)], "test": test}


def drawn_from(spec: Spec) -> tuple[Combination, ...]:
    """Return the combinations that the objects of an input have."""
    if spec.combinations == "all":
        return tuple(replay.every([len(values) for values in spec.vocabularies]))
    found = combinations_of(spec)["train" if spec.combinations == "seen" else "test"]
    if not found:
        raise SpecError("there are too few combinations to hold any out; use larger vocabularies")
    return tuple(found)


def barred(spec: Spec) -> tuple[Combination, ...]:
    """Return the combinations that no object of a target may have."""
    return tuple(combinations_of(spec)["test"]) if spec.strict and spec.combinations == "seen" else ()


def compositions(spec: Spec) -> Listed:
    """Return the combinations of a split in words."""
    named = spec.vocabularies
    return Listed(tuple(str(named[k][value]) for k, value in enumerate(one)) for one in drawn_from(spec))


def contains(spec: Spec, record: Record) -> bool:
    """Tell whether this spec could have drawn this record."""
    from unseen.benchmarks.svib.verify import outside

    return not outside(record, spec)


# ---------------------------------------------------------------------------- tasks


@dataclass(frozen=True)
class Setting:
    """What a user may choose of a task of the paper."""

    alpha: Alpha = LEVELS["medium"]  # share of the other combinations to train on; hard, medium, easy: 0.2, 0.4, 0.6
    splits: Lists = "paper"  # the paper's procedure, or the published lists
    strict: bool = False  # no held-out combination in the targets of training either
    quadrant: Whose = "self"  # that is added to the other's value: the paper's formula, or the published code's


@dataclass(frozen=True)
class Custom(Choice):
    """What a user may choose of `svib/custom`: world, rule, objects, vocabularies, and how much there is."""

    samples: int = TRAIN  # to train on

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.samples < 1:
            raise SpecError(f"samples counts training episodes, so it cannot be {self.samples}")


def four(samples: int, **choices: Any) -> tuple[Split, ...]:
    """Train, val and test of what is seen, and a test of what is held out."""
    sizes = {"train": samples, "val": TEST, "test": TEST, "test_ood": TEST}
    seen, held_out = Spec(**choices), Spec(**choices, combinations="held_out")
    return tuple(Split(name, size, held_out if name == "test_ood" else seen) for name, size in sizes.items())


def named_splits(world: str, rule: str) -> Callable[[Setting], tuple[Split, ...]]:
    """Return the splits of a task of the paper."""
    return lambda options: four(TRAIN, world=world, rule=((rule,),), **_values(options))


def omni_splits(world: str) -> Callable[[NoOptions], tuple[Split, ...]]:
    """Return the splits of a world in which nothing happens and every combination occurs."""
    spec = Spec(world=world, rule=(("none",),), combinations="all")  # type: ignore[arg-type]
    return lambda _: tuple(Split(name, size, spec) for name, size in (("train", TRAIN), ("val", TEST), ("test", TEST)))


def custom_splits(options: Custom) -> tuple[Split, ...]:
    """Return the splits of a user's own world and rule."""
    choices = _values(options)
    return four(choices.pop("samples"), **choices)


def _values(options: Any) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _tasks() -> Iterator[Row]:
    for world in WORLDS.values():
        for rule in BENCHMARK:
            yield Row(
                f"{world.name}-{rule.name}",
                f"{world.about}; {category(effects_of(rule.parts))}: {rule.about}",
                named_splits(world.name, rule.name),
                Setting,
                _aliases(world.name, rule),
                BASELINES,
                ("1", TABLES[world.name], "11"),
                READABLE if world.flat else (),
            )
        summary = f"{world.about}; every combination, nothing happens"
        yield Row(f"{world.name}-omni", summary, omni_splits(world.name))
    taken = {effects_of(rule.parts) for rule in BENCHMARK}
    for rule in ANALYSIS:
        if effects_of(rule.parts) not in taken:  # four of them became tasks of the benchmark
            summary = f"{WORLDS['dsprites'].about}; {category(effects_of(rule.parts))}: {rule.about}"
            splits = named_splits("dsprites", rule.name)
            yield Row(f"analysis-{rule.name}", summary, splits, Setting, metrics=READABLE)
    yield Row("custom", "your own: world, rule, objects, vocabularies", custom_splits, Custom, repeats=True)


def _aliases(world: str, rule: Rule) -> tuple[str, ...]:
    """Other names of a task: the paper's, and that of the same rule among the analysis tasks."""
    same = [one.name for one in ANALYSIS if effects_of(one.parts) == effects_of(rule.parts)]
    return (f"{world}-{rule.code}", *(f"analysis-{name}" for name in same if world == "dsprites"))


TASKS = tuple(_tasks())
