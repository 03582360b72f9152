"""The sets as rows: every one is VMDS with some differences, SpMOT or VOR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from unseen.benchmarks.video.rules import SOLIDS, TEMPLATES
from unseen.benchmarks.video.spec import Room, Scenario, Spec, Traffic
from unseen.core.errors import SpecError
from unseen.core.splits import Listed
from unseen.core.task import NoOptions, Row, Split

if TYPE_CHECKING:
    from unseen.benchmarks.video.sample import Record

TRAIN, TEST = 10_000, 1_000
TRAFFIC = {"train": 9_600, "val": 384, "test": 1_000}  # 96 % and 4 % of 10,000 clips in whole batches of 64; SpMOT

VMDS = Spec()
SETS: dict[str, dict[str, Any]] = {  # split -> what differs from VMDS
    "train": {},
    "val": {},
    "test": {"frames": 20},
    "test_occlusion": {"objects": (2, 4), "occlusion": 2},
    "test_small": {"scale": (5, 5)},
    "test_large": {"scale": (10, 10)},
    "test_same_color": {"objects": (2, 4), "same_color": True},
    "test_rotation": {"changes": ("rotation",)},
    "test_color": {"changes": ("color",)},
    "test_size": {"changes": ("size",)},
}


def vmds_splits(options: Named) -> tuple[Split, ...]:
    """VMDS, its four challenge sets and its three out-of-distribution sets."""
    base = replace(VMDS, amplitude=options.amplitude)
    return tuple(
        Split(name, TRAIN if name == "train" else TEST, replace(base, **changes)) for name, changes in SETS.items()
    )


def three(**changes: Any) -> Callable[[Named], tuple[Split, ...]]:
    """Train, val and test at the sizes of VMDS, with some differences from it."""

    def splits(options: Named) -> tuple[Split, ...]:
        return _three(replace(VMDS, amplitude=options.amplitude, **changes), TRAIN)

    return splits


def _three(spec: Scenario, samples: int) -> tuple[Split, ...]:
    sizes = {"train": samples, "val": TEST, "test": TEST}
    return tuple(Split(name, size, spec) for name, size in sizes.items())


def traffic_splits(options: Traffic) -> tuple[Split, ...]:
    """Return the splits of SpMOT."""
    return tuple(Split(name, size, options) for name, size in TRAFFIC.items())


def room_splits(options: Room) -> tuple[Split, ...]:
    """Return the splits of VOR."""
    return _three(options, TRAIN)


@dataclass(frozen=True)
class Named:
    """What a user may choose of a named set: the paper leaves the amplitude open."""

    amplitude: int = VMDS.amplitude  # of the Gaussian process that moves sprites, in pixels


def still_splits(_: NoOptions) -> tuple[Split, ...]:
    """Multi-dSprites: one frame."""
    return _three(replace(VMDS, frames=1), TRAIN)


@dataclass(frozen=True)
class Custom(Spec):
    """What a user may choose of `video/custom`: every field of the spec, and how much there is to train on."""

    samples: int = TRAIN  # to train on

    @property
    def spec(self) -> Spec:
        """The spec alone."""
        return Spec(**{field.name: getattr(self, field.name) for field in fields(Spec)})


def custom_splits(options: Custom) -> tuple[Split, ...]:
    """Return the splits of a user's own scenario."""
    if options.samples < 1:
        raise SpecError(f"samples counts training examples, so it cannot be {options.samples}")
    return _three(options.spec, options.samples)


def compositions(spec: Scenario) -> Listed:
    """Return the shapes of a set, each with the changes that it undergoes."""
    if isinstance(spec, Traffic):
        return Listed((name,) for name in TEMPLATES)
    if isinstance(spec, Room):
        return Listed((name,) for name in SOLIDS)
    return Listed((name, *spec.changes) for name in spec.shapes)


def contains(spec: Scenario, record: Record) -> bool:
    """Tell whether this spec could have drawn this record."""
    from unseen.benchmarks.video.verify import outside

    return not outside(record, spec)


BASELINES = ("perfect", "blind", "regions")  # that need no training
TASKS = (
    Row(
        "vmds",
        "one to four sprites on curved paths, and seven sets that are harder",
        vmds_splits,
        Named,
        ("VMDS",),
        BASELINES,
        ("2", "E.1", "E.2", "E.3", "E.5"),
    ),
    Row(
        "vmds-changing",
        "the same with sprites that turn and change color and size, to train on",
        three(changes=("rotation", "color", "size")),
        Named,
        (),
        BASELINES,
        ("E.3",),
    ),
    Row(
        "texvmds",
        "the same with natural textures on sprites and background",
        three(textured=True),
        Named,
        ("texVMDS",),
        BASELINES,
        ("texVMDS",),
    ),
    Row(
        "texvmds-leaves",
        "VMDS with textures that have edges and shades as natural images do",
        three(textured=True, texture="leaves"),
        Named,
        (),
        BASELINES,
    ),
    Row(
        "vmds-camouflage",
        "VMDS in random dots of two colors, which all sprites and the background share: only motion tells them apart",
        three(textured=True, texture="dots"),
        Named,
        (),
        BASELINES,
    ),
    Row("multi-dsprites", "one frame of VMDS, for models of still images", still_splits, baselines=BASELINES),
    Row(
        "spmot",
        "up to three templates that enter, cross and leave",
        traffic_splits,
        Traffic,
        ("SpMOT",),
        BASELINES,
        ("2", "E.1"),
    ),
    Row(
        "vor",
        "up to four boxes and balls in a room, seen by a camera that walks towards them",
        room_splits,
        Room,
        ("VOR",),
        BASELINES,
        ("2", "E.1"),
    ),
    Row(
        "custom",
        "your own: objects, motion, sizes, colors, occlusion, changes, frames",
        custom_splits,
        Custom,
        (),
        BASELINES,
        repeats=True,
    ),
)
