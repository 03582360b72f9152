"""Which sequences and which scenes are trained on, and which are held out: every named setting, as data.

The paper decides; where its numbers cannot be placed on its grids, the published code does (`docs/fidelity.md`).
`settings="published"` takes the lists, grids and sizes of the published code, without the sequences that it both trains
and tests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any, Literal

from unseen.benchmarks.cogitao.objects import library_named
from unseen.benchmarks.cogitao.properties import property_named
from unseen.benchmarks.cogitao.rules import TRANSFORMATIONS
from unseen.benchmarks.cogitao.spec import PairedSpec, Placement, Spec
from unseen.core.errors import SpecError
from unseen.core.options import Sequences
from unseen.core.splits import Compositions, Filtered, Joined, Listed, having, where
from unseen.core.splits import Sequences as AllSequences
from unseen.core.task import Row, Split

if TYPE_CHECKING:  # listing tasks costs no numba
    from unseen.benchmarks.cogitao.sample import Pair, Record

Sequence = tuple[str, ...]
BASELINES = ("resnet", "vanilla-tf", "grid-tf", "pl-tf", "llada")


@dataclass(frozen=True)
class Setting:
    """What a user may choose of a named setting."""

    settings: Literal["paper", "published"] = "paper"  # "published": lists, grids and sizes of the published code
    library: str = "default"  # that objects are drawn from; "published": one as the published script makes it
    placement: Placement = "fair"  # "blind", as in the published generator, prefers small objects
    in_context: int = 0  # demonstration pairs of the same sequence before the query
    paired: bool = False  # two more test sets: what was held out and what was trained most like it, on the same grids


# ---------------------------------------------------------------------------- compositional generalization: C1 to C6

#        experiment: a, b, c, held out (paper), trained on besides a b c aa bb cc (published code)
ATOMS = {
    1: ("translate_up", "rot90", "mirror_horizontal", "ab", "ac bc cb"),
    2: ("pad_right", "fill_holes_different_color", "change_shape_color", "ca", "ab bc cb ca"),
    3: ("rot90", "pad_top", "crop_bottom_side", "ac", "ab bc ca"),
    4: ("double_right", "crop_contours", "change_shape_color", "ab", "ac bc ca"),
    5: ("extend_contours_same_color", "pad_left", "mirror_vertical", "ba", "cb ab ac"),
}
SINGLES, REPEATS = "a b c", "aa bb cc"
PUBLISHED_TRIPLES = "aaa aab aac abb abc acc bbb bbc bcc ccc aba aca bca bac cab cba"

C4_POOL = (
    ("mirror_horizontal", "rot90", "double_right"),
    ("translate_up", "crop_top_side", "mirror_vertical"),
    ("pad_top", "translate_right", "pad_right"),
    ("fill_holes_same_color", "fill_holes_different_color", "change_shape_color"),
    ("empty_inside_pixels", "double_down", "extend_contours_same_color"),
)
C4_HELD_OUT = ("double_right", "rot90")

MOVES = (
    *("translate_up", "translate_down", "translate_right", "translate_left"),
    *("rot90", "mirror_horizontal", "mirror_vertical"),
)
DEEP = (  # C5 holds out its first k + 2 steps, C6 its first 2 k + 1
    *("translate_up", "rot90", "mirror_horizontal", "translate_right", "rot90", "mirror_vertical"),
    *("translate_down", "rot90", "mirror_horizontal"),
)

COMPOSITIONS = Spec(grid=(20, 20), objects=(2, 2), max_size=6)


def spelled(words: str, atoms: tuple[str, ...]) -> tuple[Sequence, ...]:
    """Sequences from letters: "a ab" with atoms (rot90, pad_top, ...) is rot90, and rot90 -> pad_top."""
    return tuple(tuple(atoms["abc".index(letter)] for letter in word) for word in words.split())


def every(atoms: tuple[str, ...], *depths: int) -> tuple[Sequence, ...]:
    """Return all sequences of some atoms at some depths."""
    return tuple(sequence for depth in depths for sequence in product(atoms, repeat=depth))


def without(sequences: Iterable[Sequence], *held_out: Sequence) -> tuple[Sequence, ...]:
    """Sequences less the held-out ones."""
    return tuple(sequence for sequence in sequences if sequence not in held_out)


@dataclass(frozen=True)
class Lists:
    """What a compositional experiment trains on and what it tests on, on which scenes."""

    train: tuple[Sequence, ...]
    ood: tuple[Sequence, ...]
    base: Spec = COMPOSITIONS


def c1(experiment: int, published: bool, *, singles: bool = True) -> Lists:
    """C1: singles and pairs -> an unseen pair; C2: the same without singles."""
    *atoms, held, trained = ATOMS[experiment]
    alone = spelled(SINGLES, tuple(atoms)) if singles else ()
    if not published:
        ood = spelled(held, tuple(atoms))
        # up-then-turn and turn-then-up do the same: the paper holds out both orders of its first experiment
        barred = (*ood, *(pair[::-1] for pair in ood)) if experiment == 1 else ood
        return Lists(alone + without(every(tuple(atoms), 2), *barred), ood)
    held = "ac" if experiment == 2 else held  # the published code has the paper's pair the other way round
    train = alone + spelled(f"{REPEATS} {trained}", tuple(atoms))
    ood = without(spelled(f"{held} {held[::-1]}", tuple(atoms)), *train)  # its reverses are trained on in three of five
    return Lists(train, ood, replace(COMPOSITIONS, grid=(15, 15), max_size=5))


def c2(experiment: int, published: bool) -> Lists:
    """C2: pairs -> an unseen pair."""
    return c1(experiment, published, singles=False)


def c3(experiment: int, published: bool) -> Lists:
    """C3: singles and pairs -> triples."""
    atoms = ATOMS[experiment][:3]
    if not published:
        # cropping the contours of a 6x6 object three times leaves nothing
        impossible = ("crop_contours",) * 3
        return Lists(every(atoms, 1, 2), without(every(atoms, 3), impossible))
    if experiment == 1:
        atoms = (atoms[0], atoms[2], atoms[1])
    triples = spelled(PUBLISHED_TRIPLES, atoms)
    if experiment == 4:
        triples = without(triples, *spelled("aaa bbb", atoms))
    return Lists(spelled(f"{SINGLES} {REPEATS} ab ac bc", atoms), triples, replace(COMPOSITIONS, max_size=5))


def c4(experiment: int, published: bool) -> Lists:
    """C4: singles and pairs of a growing pool -> an unseen pair."""
    pool = tuple(name for names in C4_POOL[:experiment] for name in names)
    if not published:
        return Lists(without(every(pool, 1, 2), C4_HELD_OUT, C4_HELD_OUT[::-1]), (C4_HELD_OUT,))
    pairs = tuple((first, second) for i, first in enumerate(pool) for second in pool[i + 1 :])
    impossible = [pair for pair in pairs if pair[0].startswith("fill") and pair[1].startswith("empty")]  # to that code
    return Lists(every(pool, 1) + without(pairs, *impossible), (C4_HELD_OUT,), replace(COMPOSITIONS, max_size=5))


MOVED = replace(COMPOSITIONS, max_size=5, properties=("fully_connected", "more_than_2_cell"))


def c5(experiment: int, published: bool) -> Lists:
    """C5: all sequences up to a depth -> one that is a step deeper."""
    return Lists(every(MOVES, *range(1, experiment + 2)), (DEEP[: experiment + 2],), MOVED)


def c6(experiment: int, published: bool) -> Lists:
    """C6: all sequences up to a depth -> one that is several steps deeper."""
    return Lists(every(MOVES, *range(1, experiment + 2)), (DEEP[: 2 * experiment + 1],), MOVED)


# ---------------------------------------------------------------------------- the authors' later settings: N11 to N22

TRANSLATIONS, MIRRORS, TURN = MOVES[:4], MOVES[5:], MOVES[4:5]
PADS = ("pad_top", "pad_bottom", "pad_left", "pad_right")
CROPS = ("crop_top_side", "crop_bottom_side", "crop_left_side", "crop_right_side")
FILLS_AND_EXTENDS = (
    *("fill_holes_same_color", "fill_holes_different_color"),
    *("extend_contours_same_color", "extend_contours_different_color"),
)
TRIPLE = ("translate_up", "mirror_horizontal", "rot90")
PLAIN_FORMS = replace(
    MOVED,
    grid=(15, 15),
    properties=("fully_connected", "more_than_2_cell", "evenly_colored", "cross_or_rectangle"),
)
ANY_FORMS = replace(PLAIN_FORMS, properties=PLAIN_FORMS.properties[:-1])  # crosses and full boxes have no holes to fill


def later(atoms: tuple[str, ...], *held_out: Sequence, deepest: int = 2, base: Spec = PLAIN_FORMS) -> Lists:
    """Return all sequences of some atoms up to a depth but the held-out ones, of which the first is tested."""
    sequences = every(atoms, *range(1, deepest + 1))
    return Lists(without(sequences, *held_out), held_out[:1], base)


def unordered(sequence: Sequence) -> tuple[Sequence, ...]:
    """Return a sequence, and its steps in every other order."""
    return tuple(dict.fromkeys((sequence, *permutations(sequence))))


TURNED = (*TRANSLATIONS, *MIRRORS, *TURN)
LATER = {
    "n11-1": later(TRANSLATIONS, ("translate_up", "translate_right")),
    "n11-2": later(TURNED, ("rot90", "translate_up")),
    "n12-1": later(TURNED, ("rot90", "mirror_horizontal")),
    "n13-1": later(TRANSLATIONS, *unordered(("translate_up", "translate_right"))),
    "n13-2": later(PADS, *unordered(("pad_top", "pad_right"))),
    "n13-3": later(TURNED, *unordered(("rot90", "mirror_vertical"))),
    "n14-1": later(TURNED, *unordered(TRIPLE), deepest=3),
    "n15-1": later((*TRANSLATIONS, *MIRRORS), *unordered(TRIPLE[:2])),
    "n15-2": later((*TURNED, *CROPS), *unordered(TRIPLE[:2])),
    "n15-3": later((*TURNED, *CROPS, *FILLS_AND_EXTENDS), *unordered(TRIPLE[:2]), base=ANY_FORMS),
    "n21-1": Lists(every(TURNED, 1, 2), (TRIPLE,), PLAIN_FORMS),
    "n22-1": Lists(every(TURNED, 1, 2, 3), ((*TRIPLE, "translate_up"),), PLAIN_FORMS),
}
SUMMARIES = {
    "n11": "a pair whose reverse is trained",
    "n12": "a pair whose reverse is trained, with two steps that do not commute",
    "n13": "a pair in neither order",
    "n14": "three steps in no order, with other triples",
    "n15": "a pair in neither order, with a growing pool",
    "n21": "singles and pairs, then a triple",
    "n22": "up to three steps, then four",
}
LATER_TRAIN = 3_000_000


@dataclass(frozen=True)
class Later:
    """What a user may choose of the authors' later settings."""

    samples: int = LATER_TRAIN  # to train on


def later_splits(lists: Lists) -> Callable[[Later], tuple[Split, ...]]:
    """Return the splits of a later setting: sizes as published, repeated examples kept, and paired test sets."""

    def splits(options: Later) -> tuple[Split, ...]:
        if options.samples < 1:
            raise SpecError(f"samples counts training examples, so it cannot be {options.samples}")
        both = (replace(lists.base, sequences=lists.train), replace(lists.base, sequences=lists.ood))
        sizes = {"train": options.samples}
        five_of = (replace(one, size=sizes.get(one.name, TEST), unique=False) for one in five(*both))
        return (*five_of, *paired_splits(*both))

    return splits


# ---------------------------------------------------------------------------- environmental generalization: G1 to G5

TRANSFORMED = {
    1: "translate_up",
    2: "rot90",
    3: "mirror_horizontal",
    4: "crop_top_side",
    5: "extend_contours_same_color",
}
SIMPLE = ("fully_connected", "symmetric", "evenly_colored")
COMPLEX = ("fully_connected", "not_symmetric", "not_evenly_colored")
ENVIRONMENT = Spec(grid=(15, 15), objects=(2, 2), max_size=5, code=0)


@dataclass(frozen=True)
class Environments:
    """The scenes an environmental setting trains on and tests on, as differences from ENVIRONMENT.

    `fifth` is what the fifth experiment has instead (growing objects need more room), `published` what the code has.
    """

    train: dict[str, object]
    ood: dict[str, object]
    fifth: dict[str, dict[str, object]]
    published: dict[str, dict[str, object]]


LARGE: dict[str, object] = {"min_size": 6, "max_size": 8}  # the paper's 9 and 10 cannot be placed on its grids
ENVIRONMENTS = {
    "g1": Environments({"objects": (1, 2)}, {"objects": (3, 4)}, {}, {}),
    "g2": Environments({"grid": (10, 15)}, {"grid": (16, 20)}, {}, {}),
    "g3": Environments(
        {},
        LARGE,
        {"train": {"grid": (15, 20)}, "ood": {"grid": (15, 20)}},
        {"train": {"max_size": 4}},
    ),
    "g4": Environments(
        {"properties": SIMPLE},
        {"properties": COMPLEX},
        {},
        {"train": {"max_size": 15}, "ood": {"max_size": 15}},
    ),
    "g5": Environments(
        {"grid": (10, 15), "objects": (1, 2), "properties": SIMPLE},
        {"grid": (16, 20), "objects": (3, 4), "properties": COMPLEX, **LARGE},
        {"ood": {"grid": (17, 20), "objects": (3, 3)}},
        {"train": {"max_size": 4}},
    ),
}

# ---------------------------------------------------------------------------- sample efficiency: S1 to S4

FAMILIES = {
    "translate": "translate_up",
    "rotate": "rot90",
    "mirror": "mirror_horizontal",
    "extend": "extend_contours_different_color",
    "empty": "empty_inside_pixels",
    "crop": "crop_top_side",
    "fill": "fill_holes_different_color",
    "duplicate": "double_up",
    "change-color": "change_shape_color",
    "pad": "pad_shape",
}
SAMPLES = {1: 100, 2: 1_000, 3: 10_000, 4: 100_000}
EFFICIENCY = replace(ENVIRONMENT, max_size=6)

# ---------------------------------------------------------------------------- tasks

TRAIN, TEST = 100_000, 1_000
MOST_LISTED = 1_000_000  # sequences of a pool from which some are held out


def five(train: Spec, ood: Spec) -> tuple[Split, ...]:
    """Return the five splits of a generalization experiment, at the paper's sizes and without duplicates."""
    sizes = {"train": (TRAIN, train), "val": (TEST, train), "test": (TEST, train)}
    sizes |= {"val_ood": (TEST, ood), "test_ood": (TEST, ood)}
    return tuple(Split(name, size, spec, unique=True) for name, (size, spec) in sizes.items())


def paired_splits(train: Spec, ood: Spec) -> tuple[Split, ...]:
    """Two test sets with the same scenes: one asks for held-out sequences, one for the trained sequence most like each.

    That is the reverse where it was trained, else what is left without the last step.
    """
    if ood.in_context:
        raise SpecError("paired test sets have no demonstrations; leave in_context or paired out")
    likes = {sequence: like for sequence in ood.sequences if (like := most_like(sequence, train.sequences))}
    if not likes:
        raise SpecError("no held-out sequence was trained in reverse or without its last step; leave paired out")
    held_out, trained = tuple(likes), tuple(likes.values())
    same = {name: getattr(ood, name) for name in Spec.__dataclass_fields__ if name != "sequences"}
    return (
        Split("test_paired", TEST, PairedSpec(sequences=trained, partners=held_out, **same), stream="test_paired"),
        Split("test_paired_ood", TEST, PairedSpec(sequences=held_out, partners=trained, **same), stream="test_paired"),
    )


def most_like(sequence: Sequence, trained: Iterable[Sequence]) -> Sequence | None:
    """Return the trained sequence that is most like one that was held out.

    >>> most_like(("rot90", "pad_top"), [("rot90",), ("pad_top", "rot90")])
    ('pad_top', 'rot90')
    >>> most_like(("rot90", "pad_top"), [("rot90",), ("pad_top",)])
    ('rot90',)
    """
    return next((one for one in (sequence[::-1], sequence[:-1]) if one in trained), None)


def drawn_as(options: Setting) -> dict[str, Any]:
    """Return what a user may choose of the scenes of a named setting."""
    return {"library": options.library, "placement": options.placement, "in_context": options.in_context}


def composition_splits(lists: Callable[[int, bool], Lists], experiment: int) -> Callable[[Setting], tuple[Split, ...]]:
    """Return the splits of a compositional experiment."""

    def splits(options: Setting) -> tuple[Split, ...]:
        chosen = lists(experiment, options.settings == "published")
        deepest = max(len(sequence) for sequence in chosen.train + chosen.ood)
        base = replace(chosen.base, **drawn_as(options), code=max(4, deepest))
        both = (replace(base, sequences=chosen.train), replace(base, sequences=chosen.ood))
        return (*five(*both), *(paired_splits(*both) if options.paired else ()))

    return splits


def environment_splits(setting: str, experiment: int) -> Callable[[Setting], tuple[Split, ...]]:
    """Return the splits of an environmental experiment."""

    def spec(side: str, options: Setting) -> Spec:
        row = ENVIRONMENTS[setting]
        changes = dict(row.train if side == "train" else row.ood)
        if experiment == 5:
            changes |= row.fifth.get(side, {})
        if options.settings == "published":
            changes |= row.published.get(side, {})
        changes["sequences"] = ((TRANSFORMED[experiment],),)
        return replace(ENVIRONMENT, **changes, **drawn_as(options))  # type: ignore[arg-type]

    return lambda options: five(spec("train", options), spec("ood", options))


def efficiency_splits(samples: int, family: str) -> Callable[[Setting], tuple[Split, ...]]:
    """Return the splits of a sample-efficiency experiment: no out-of-distribution sets."""

    def splits(options: Setting) -> tuple[Split, ...]:
        largest = 5 if options.settings == "published" else 6
        spec = replace(EFFICIENCY, sequences=((FAMILIES[family],),), max_size=largest, **drawn_as(options))
        sizes = {"train": samples, "val": TEST, "test": TEST}
        return tuple(Split(name, size, spec, unique=True) for name, size in sizes.items())

    return splits


@dataclass(frozen=True)
class Custom(Spec):
    """What a user may choose of `cogitao/custom`: every field of the spec, and how the splits are made."""

    held_out: Sequences = ()  # sequences kept for val_ood and test_ood
    without: str = ""  # an expression over transformations, "rot90 & pad_top": sequences that satisfy it are kept too
    samples: int = TRAIN  # to train on
    unique: bool = False  # no example twice
    paired: bool = False  # two more test sets: what was held out and what was trained most like it, on the same grids

    @property
    def spec(self) -> Spec:
        """The spec alone."""
        return Spec(**{name: getattr(self, name) for name in Spec.__dataclass_fields__})


def custom_splits(options: Custom) -> tuple[Split, ...]:
    """Return the splits of a user's own task: three, or five where sequences are held out."""
    if options.samples < 1:
        raise SpecError(f"samples counts training examples, so it cannot be {options.samples}")
    spec = options.spec
    if not options.held_out and not options.without:
        sizes = {"train": options.samples, "val": TEST, "test": TEST}
        return tuple(Split(name, size, spec, unique=options.unique) for name, size in sizes.items())
    whole = compositions(spec)
    if len(whole) > MOST_LISTED:
        raise SpecError(
            f"{len(whole):,} sequences are too many to hold some out; use fewer transformations or less depth"
        )
    unwanted = (
        Filtered(whole, where(options.without, having(TRANSFORMATIONS, tuple))) if options.without else Listed(())
    )
    held_out = tuple(Listed(options.held_out) | unwanted)
    train = tuple(whole - Listed(held_out))
    if not train:
        raise SpecError("every sequence is held out; leave some to train on")
    if not held_out:
        raise SpecError(f"no sequence satisfies {options.without!r}, so that nothing is held out")
    code = max(spec.code, *map(len, train), *map(len, held_out)) if spec.code else 0
    both = (replace(spec, sequences=train, code=code), replace(spec, sequences=held_out, code=code))
    splits = tuple(
        replace(split, size=options.samples if split.name == "train" else TEST, unique=options.unique)
        for split in five(*both)
    )
    return (*splits, *(paired_splits(*both) if options.paired else ()))


def compositions(spec: Spec) -> Compositions:
    """Return the sequences a spec draws from."""
    if spec.sequences:
        return Listed(spec.sequences)
    low, high = spec.depth
    return Joined(tuple(AllSequences(spec.pool, depth) for depth in range(low, high + 1)))


def atoms(record: Record) -> tuple[str, ...]:
    """Return the transformations of an example."""
    return record.sequence


def compounds(record: Record) -> Iterable[tuple[str, ...]]:
    """Return the transformations that follow each other, two or more at a time."""
    ends = combinations(range(len(record.sequence) + 1), 2)
    return (record.sequence[start:stop] for start, stop in ends if stop - start > 1)


def contains(spec: Spec, record: Record) -> bool:
    """Tell whether this spec could have drawn this record: its sequence, its grids and its objects."""
    return outside(spec, record) is None


def outside(spec: Spec, record: Record) -> str | None:
    """Say why a record is not one of this spec's, or None."""
    depth = len(record.sequence)
    if spec.sequences:
        known = record.sequence in spec.sequences
    else:
        known = spec.depth[0] <= depth <= spec.depth[1] and set(record.sequence) <= set(spec.pool)
    if not known:
        return f"the sequence {' -> '.join(record.sequence)} is not one of the split's"
    if len(record.demonstrations) != spec.in_context:
        return f"there are {len(record.demonstrations)} demonstrations, not {spec.in_context}"
    reasons = (_outside_pair(spec, pair) for pair in (record.query, *record.demonstrations))
    return next((reason for reason in reasons if reason), None)


def _outside_pair(spec: Spec, pair: Pair) -> str | None:
    low, high = spec.grid
    if not (low <= pair.height <= high and low <= pair.width <= high):
        return f"a grid of {pair.height}x{pair.width} is outside {low} to {high}"
    if not spec.objects[0] <= len(pair.objects) <= spec.objects[1]:
        return f"{len(pair.objects)} objects are outside {spec.objects[0]} to {spec.objects[1]}"
    library = library_named(spec.library)
    for one in pair.objects:
        cells = library[one.object]
        if min(cells.shape) < spec.min_size or max(cells.shape) > spec.max_size:
            return f"object {one.object} of {cells.shape} is outside {spec.min_size} to {spec.max_size} cells a side"
        lacks = [name for name in spec.properties if not property_named(name).holds(cells)]
        has = [name for name in spec.unwanted if property_named(name).holds(cells)]
        if lacks or has:
            return f"object {one.object} is " + ", ".join([f"not {name}" for name in lacks] + has)
    return None


COMPOSITIONAL = {
    "c1": (c1, 5, "singles and pairs, then an unseen pair", ("1", "4", "5")),
    "c2": (c2, 5, "pairs, then an unseen pair", ("1", "4", "5")),
    "c3": (c3, 5, "singles and pairs, then all triples", ("1", "4", "5")),
    "c4": (c4, 5, "singles and pairs of a growing pool, then an unseen pair", ()),
    "c5": (c5, 4, "sequences of moves, then one that is a step deeper", ()),
    "c6": (c6, 4, "sequences of moves, then one that is several steps deeper", ()),
}
ENVIRONMENTAL = {
    "g1": "one or two objects, then three or four",
    "g2": "small grids, then larger ones",
    "g3": "small objects, then larger ones",
    "g4": "symmetric objects of one color, then asymmetric ones of several",
    "g5": "all that makes scenes easy, then all that makes them hard",
}


def _tasks() -> Iterable[Row]:
    for setting, (lists, experiments, summary, tables) in COMPOSITIONAL.items():
        for experiment in range(1, experiments + 1):
            name = f"{setting}-{experiment}"
            atoms = lists(experiment, False).train[:3] if setting in ("c1", "c3") else ()
            about = f": {', '.join(atom for (atom,) in atoms)}" if atoms else ""
            splits = composition_splits(lists, experiment)
            yield Row(name, summary + about, splits, Setting, (name.upper(),), BASELINES, tables)
    for setting, summary in ENVIRONMENTAL.items():
        for experiment, transformed in TRANSFORMED.items():
            name = f"{setting}-{experiment}"
            splits = environment_splits(setting, experiment)
            yield Row(name, f"{summary}: {transformed}", splits, Setting, (name.upper(),), BASELINES, ("1", "6", "7"))
    for regime, samples in SAMPLES.items():
        for number, (family, transformed) in enumerate(FAMILIES.items(), 1):
            splits = efficiency_splits(samples, family)
            summary = f"{transformed} from {samples:,} examples"
            yield Row(f"s{regime}-{family}", summary, splits, Setting, (f"S-{regime}-{number}",), BASELINES, ("2",))
    for name, chosen in LATER.items():
        held = ", ".join(chosen.ood[0])
        yield Row(name, f"{SUMMARIES[name.partition('-')[0]]}: {held}", later_splits(chosen), Later, (), BASELINES)
    summary = "your own: transformations, depth, grids, objects, held-out sequences"
    yield Row("custom", summary, custom_splits, Custom, repeats=True)


TASKS = tuple(_tasks())
