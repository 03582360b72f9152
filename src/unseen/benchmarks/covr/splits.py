"""Which questions are trained on, and which are held out: i.i.d., the paper's 21 setups, and one's own.

A setup holds out the questions with a property, written as an expression over properties. Zero-shot: training has none
of them; few-shot: M of them. `val` and `test` have none, so that checkpoints are chosen without having seen one, and
`val_ood` and `test_ood` have nothing else. Sizes are the paper's, as its filter left them. No image is in two of
training, val and test, and no text of a question is in two of val and test, nor in two of val_ood and test_ood.

As yardsticks the paper trains on everything, and on as much of everything as a setup leaves: `training=iid` and
`training=iid-size` change what is trained on, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from unseen.benchmarks.covr.paper import DEV, FILTERED, IID, RANDOM_SEEDS, SIZE, TEST, TRAIN
from unseen.benchmarks.covr.questions.program import Program, is_program, nested
from unseen.benchmarks.covr.questions.properties import CODE_NAMES, holds, opposite, placed_rows, sort_of, terms
from unseen.benchmarks.covr.spec import Spec
from unseen.core.contents import Source, Sources
from unseen.core.errors import SpecError
from unseen.core.splits import Listed
from unseen.core.task import Row, Split

if TYPE_CHECKING:  # listing tasks costs no numba
    from unseen.benchmarks.covr.questions.question import Question

M = 250  # questions with the held-out property in few-shot training
CUSTOM_TEST = 1_000  # questions of each test of one's own
BASELINES = ("maj", "majtempl", "prior", "executor")  # that can be run; of the published ones there are results


@dataclass(frozen=True)
class Setting:
    """What a user may choose of every task."""

    distractors: Literal["hard", "easy"] = "hard"  # images to train with: like those of the question, or any
    style: Literal["english", "published"] = "english"  # wording: correct, or as published
    images: Literal["flat", "3d"] = "flat"  # of the built-in world: drawings, or solids on a table top in 3-D


@dataclass(frozen=True)
class ZeroShot(Setting):
    """What a user may choose of a zero-shot setup."""

    training: Literal["split", "iid-size", "iid"] = "split"  # without the property, or on that much or all of any kind

    @property
    def shots(self) -> int:
        """Questions with the held-out property that are trained on."""
        return 0


@dataclass(frozen=True)
class FewShot(ZeroShot):
    """What a user may choose of a few-shot setup."""

    m: int = M  # questions with the held-out property that are trained on

    def __post_init__(self) -> None:
        if self.m < 0:
            raise SpecError(f"m counts questions with the held-out property, so it cannot be {self.m}")

    @property
    def shots(self) -> int:
        """Questions with the held-out property that are trained on."""
        return self.m


@dataclass(frozen=True)
class Custom(FewShot):
    """What a user may choose of `covr/custom`."""

    m: int = 0  # questions with the held-out property that are trained on
    without: str = ""  # the held-out property: an expression over properties; empty holds out nothing
    samples: int = TRAIN  # questions to train on
    corpus: Sources = ()  # files of scene graphs, of GQA, Visual Genome or imSitu; none: the built-in world
    corpus_val: Sources = ()  # files that val and test are made from; none: an eighth of the scenes of corpus each
    exclusive: Source = ""  # a table of words that exclude each other; empty: a lexicon
    complete: Source = ""  # a table of what images show beyond their graphs; empty: the graphs are complete
    store: Literal["memory", "sqlite", "postgres"] = "memory"  # where the scenes of files are looked up

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.samples <= self.m:
            raise SpecError(
                f"samples counts all training questions, so that {self.samples} must be more than m={self.m}"
            )
        if self.corpus and self.images == "3d":
            raise SpecError(f"images=3d are those of the built-in world; leave it or corpus={self.corpus[0]} out")
        for name in ("corpus_val", "exclusive", "complete", "store"):
            if not self.corpus and getattr(self, name) != getattr(type(self), name):
                raise SpecError(f"{name} is about scene graphs of one's own; say which by corpus=, or leave it out")


# ---------------------------------------------------------------------------- splits


def split(name: str, size: int, options: Setting, *, keep: str = "", shots: int = 0) -> Split:
    """Return one split; images are those of the first word of its name."""
    images = name.partition("_")[0]
    distractors = options.distractors if name == "train" else "hard"
    spec = Spec(
        images,  # type: ignore[arg-type]
        keep,
        shots,
        size if shots else 0,
        distractors=distractors,
        style=options.style,
        world=options.images,
        **graphs_of(options),
    )
    return Split(name, size, spec)


def graphs_of(options: Setting) -> dict[str, Any]:
    """Return what a user says about scene graphs of one's own, where there are any."""
    names = ("corpus", "corpus_val", "exclusive", "complete", "store")
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def iid_splits(options: Setting) -> tuple[Split, ...]:
    """Training, development and test set of one distribution."""
    sizes = {"train": TRAIN, "val": DEV, "test": TEST}
    return tuple(split(name, size, options) for name, size in sizes.items())


def held_out_splits(property: str, filtered: int) -> Callable[[ZeroShot], tuple[Split, ...]]:
    """Make the splits of a setup that holds out a property, which `filtered` training questions have."""
    share = filtered / TRAIN

    def splits(options: ZeroShot) -> tuple[Split, ...]:
        return (
            training_split(property, TRAIN - filtered + options.shots, options),
            split("val", round(DEV * (1 - share)), options, keep=opposite(property)),
            split("test", round(TEST * (1 - share)), options, keep=opposite(property)),
            split("val_ood", round(DEV * share), options, keep=property),
            split("test_ood", round(TEST * share), options, keep=property),
        )

    return splits


def training_split(property: str, size: int, options: ZeroShot, *, everything: int = TRAIN) -> Split:
    """Return what is trained on: questions without the property and some with it, or as many or all of any kind."""
    if options.training == IID:
        return split("train", everything, options)
    if options.training == SIZE:
        return split("train", size, options)
    return split("train", size, options, keep=opposite(property), shots=options.shots)


def custom_splits(options: Custom) -> tuple[Split, ...]:
    """Return the splits of a user's own property: three, or five where something is held out."""
    if not options.without:
        sizes = {"train": options.samples, "val": CUSTOM_TEST, "test": CUSTOM_TEST}
        return tuple(split(name, size, options) for name, size in sizes.items())
    held_out = opposite(options.without)
    return (
        training_split(options.without, options.samples, options, everything=options.samples),
        *(split(name, CUSTOM_TEST, options, keep=held_out) for name in ("val", "test")),
        *(split(name, CUSTOM_TEST, options, keep=options.without) for name in ("val_ood", "test_ood")),
    )


def contains(spec: Spec, record: Question) -> bool:
    """Tell whether this spec could have drawn this question: its property, and its images."""
    from unseen.benchmarks.covr.questions.corpus import (  # compiled code, which listing tasks has no use for
        find_scene,
        share,
    )

    kept = spec.shots > 0 or holds(spec.keep)(record)
    return kept and all(share(spec, find_scene(spec, image)) == spec.images for image in record.scenes)


def compositions(spec: Spec) -> Listed:
    """Tell which questions a spec draws, in a line."""
    some = f", and {spec.shots:,} others" if spec.shots else ""
    return Listed(((spec.keep or "any question") + some,))


def groups(record: Question) -> dict[str, str]:
    """Return the groups that a question is scored in."""
    return {"template": CODE_NAMES[record.template], "sort": sort_of(record)}


# ---------------------------------------------------------------------------- atoms and compounds, for divergence


def atoms(record: Question) -> Iterator[str]:
    """Yield the operators and words of a question."""
    yield from (row.operation for row, _ in placed_rows(record))
    yield from terms(record)


def compounds(record: Question) -> Iterator[tuple[str, ...]]:
    """Operators that take each other's results, two or three in a row, and pairs of words."""
    for program in nested(record.program):
        for at in range(len(program)):
            yield from paths(program, at, 2)
            yield from paths(program, at, 3)
    yield from combinations(terms(record), 2)


def paths(program: Program, at: int, length: int) -> Iterator[tuple[str, ...]]:
    """Yield the operators from a row down its dependencies and nested programs, `length` of them."""
    row = program[at]
    if length == 1:
        yield (row.operation,)
        return
    taken = [(program, one) for one in row.dependencies]
    taken += [(inner, len(inner) - 1) for inner in filter(is_program, row.arguments)]
    for inner, one in taken:
        yield from ((row.operation, *path) for path in paths(inner, one, length - 1))


# ---------------------------------------------------------------------------- tasks

FEW_SHOT = {  # expression by name, where it is not the name itself
    "has-quant": "",
    "has-quant-all": "",
    "has-quant-compscope": "",
    "has-compar": "",
    "has-compar-more": "",
    "has-groupby": "",
    "has-logic": "",
    "has-logic-and": "",
    "has-num-3": "",
    "has-num-3-ans-3": "has-num-3 | ans-3",
    "ans-num": "",
}
ZERO_SHOT = {
    "has-quant-compscope-and-has-quant-all": "has-quant-compscope & has-quant-all",
    "has-count-and-has-attr": "has-count & has-attr",
    "has-count-and-rm-v-c": "has-count & rm-v-c",
    "has-sameattr-color": "",
    "tpl-chooseobject": "",
    "tpl-verifyquantattr": "",
    "tpl-verifyattr": "",
    "tpl-verifycount-or-tpl-verifycountgroupby": "tpl-verifycount | tpl-verifycountgroupby",
}
RANDOM = {  # properties without their seed
    "program": ("program-split", "programs whose like is not in training"),
    "lexical": ("lexical-split", "words that are not together in training"),
}
HELD_OUT = {  # what each setup holds out, by its name
    **{f"{name}-m{M}": expression or name for name, expression in FEW_SHOT.items()},
    **{f"{name}-zero": expression or name for name, expression in ZERO_SHOT.items()},
    **{f"{name}-zero-{seed}": f"{family}-{seed}" for name, (family, _) in RANDOM.items() for seed in RANDOM_SEEDS},
}


def _tasks() -> Iterable[Row]:
    yield Row("iid", "questions of one distribution", iid_splits, Setting, (), BASELINES, ("6", "12", "13"))
    for name in FEW_SHOT:
        task = f"{name}-m{M}"
        splits = held_out_splits(HELD_OUT[task], FILTERED[task])
        summary = f"few-shot: {M} training questions with {HELD_OUT[task]}"
        yield Row(task, summary, splits, FewShot, (), BASELINES, ("7", "14", "16"))
    for name in ZERO_SHOT:
        task = f"{name}-zero"
        splits = held_out_splits(HELD_OUT[task], FILTERED[task])
        summary = f"zero-shot: no training question with {HELD_OUT[task]}"
        yield Row(task, summary, splits, ZeroShot, (), BASELINES, ("8", "15", "17"))
    for name, (_, about) in RANDOM.items():
        for seed in RANDOM_SEEDS:
            task = f"{name}-zero-{seed}"
            splits = held_out_splits(HELD_OUT[task], FILTERED[f"{name}-zero"])
            summary = f"zero-shot: {about}, drawn with seed {seed}"
            aliases = (f"{name}_{seed}",)
            yield Row(task, summary, splits, ZeroShot, aliases, BASELINES, ("8", "15", "17"))
    summary = "your own: a held-out property, scene graphs, sizes"
    yield Row("custom", summary, custom_splits, Custom, repeats=True)


TASKS = tuple(_tasks())
