"""Everything a user may choose: `Spec` changes the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from unseen.benchmarks.cogitao.objects import MAX_SIDE
from unseen.benchmarks.cogitao.properties import property_named
from unseen.benchmarks.cogitao.rules import PUBLISHED, TRANSFORMATIONS
from unseen.core.errors import SpecError
from unseen.core.options import Names, Range, Sequences

if TYPE_CHECKING:
    from unseen.core.task import Task

MAX_DEPTH = 16
MAX_OBJECTS = 32
MOST_SEQUENCES = 2**62  # that can be numbered
MOST_DEMONSTRATIONS = 64
LONGEST_CODE = 64  # tokens
LARGEST = 4096  # side of an image in pixels, and of padding in cells
Placement = Literal["fair", "blind"]
ALL = ("all",)
CONNECTED = ("fully_connected",)


@dataclass(frozen=True)
class Spec:
    """What scenes are made of; ranges include both ends.

    Sequences are given one by one, or drawn from a pool of `transformations` at a `depth`; each is as frequent as any
    other of its depth, however hard it is to place.
    """

    sequences: Sequences = ()  # one by one: names joined by ":", sequences by ","; else they are drawn from a pool
    transformations: Names = ALL  # the pool, each sequence of which is as frequent; "all": the published 28
    depth: Range = (2, 2)  # of sequences from the pool
    grid: Range = (20, 20)  # each side by itself, so that grids need not be square
    objects: Range = (2, 2)  # on a grid
    min_size: int = 1  # of both sides of an object's box
    max_size: int = 5  # of both sides too
    properties: Names = CONNECTED  # that every object has
    unwanted: Names = ()  # that no object has
    library: str = "default"  # that objects are drawn from
    placement: Placement = "fair"  # "blind": for the input alone, and again if that fails, which prefers small objects
    in_context: int = 0  # demonstration pairs of the same sequence before the query
    code: int = 4  # length of the task code, longer where a sequence is; 0: none, for tasks with one sequence

    def __post_init__(self) -> None:
        for name in self.occurring:
            TRANSFORMATIONS[name]  # an unknown name is an error before anything is drawn
        for name in (*self.properties, *self.unwanted):
            property_named(name)
        _check_range("grid", self.grid, 1, MAX_SIDE)
        _check_range("objects", self.objects, 1, MAX_OBJECTS)
        _check_range("depth", self.depth, 1, MAX_DEPTH)
        _check_range("min_size and max_size", (self.min_size, self.max_size), 1, MAX_SIDE)
        if not all(1 <= len(sequence) <= MAX_DEPTH for sequence in self.sequences):
            raise SpecError(f"a sequence has 1 to {MAX_DEPTH} transformations")
        if not self.sequences and len(self.pool) ** self.depth[1] >= MOST_SEQUENCES:
            raise SpecError(
                f"{len(self.pool)} transformations at depth {self.depth[1]} are too many sequences; use fewer, or less"
            )
        _check_range("in_context", (self.in_context, self.in_context), 0, MOST_DEMONSTRATIONS)
        _check_range("code", (self.code, self.code), 0, LONGEST_CODE)

    def __hash__(self) -> int:
        # specs are looked up for every example, and some list thousands of sequences: a few of them will do
        return hash(
            (self.sequences[:3], len(self.sequences), self.transformations, self.depth, self.grid, self.objects)
        )

    @cached_property
    def pool(self) -> tuple[str, ...]:
        """The transformations that sequences are drawn from; what others have registered takes part by its name."""
        return tuple(name for one in self.transformations for name in (PUBLISHED if one in ALL else (one,)))

    @cached_property
    def occurring(self) -> tuple[str, ...]:
        """The transformations that sequences are made of, each once."""
        return tuple(dict.fromkeys(name for sequence in self.sequences or (self.pool,) for name in sequence))

    @cached_property
    def code_length(self) -> int:
        """How many tokens name the sequence."""
        return max(self.code, self.deepest) if self.code else 0

    @cached_property
    def deepest(self) -> int:
        """The length of the longest sequence."""
        return max(map(len, self.sequences)) if self.sequences else self.depth[1]


@dataclass(frozen=True)
class PairedSpec(Spec):
    """A spec whose scenes are also those of other sequences: each sequence has a partner, in the same order.

    Two specs that are each other's partners draw the same scenes from the same stream.
    """

    partners: Sequences = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.partners) != len(self.sequences):
            raise SpecError(f"{len(self.sequences)} sequences cannot have {len(self.partners)} partners")

    def __hash__(self) -> int:
        return super().__hash__()

    def partner(self, sequence: tuple[str, ...]) -> tuple[str, ...]:
        """Return the sequence that is asked for on the same scenes."""
        return self.partners[self.sequences.index(sequence)]

    @cached_property
    def alone(self) -> Spec:
        """The spec that scenes are drawn by, the same for both partners."""
        names = (name for name in Spec.__dataclass_fields__ if name != "sequences")
        drawn = tuple(map(min, self.sequences, self.partners))
        return Spec(sequences=drawn, **{name: getattr(self, name) for name in names})


@dataclass(frozen=True)
class View:
    """How an example looks; views of one task share their records."""

    sequential: bool = False  # every intermediate frame, and which object each cell belongs to
    rgb: bool = False  # images beside the grids
    size: int = 128  # of an image's side in pixels
    background: Literal["white", "black"] = "white"  # of images and pictures
    soft: bool = False  # blurred images, as in the paper's figure; crisp by default, as in the published data
    padding: int = 0  # side that batches and grid accuracy pad to; 0: the largest grid of the task

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LARGEST:
            raise SpecError(f"size is an image's side in pixels, from 1 to {LARGEST}, not {self.size}")
        _check_range("padding", (self.padding, self.padding), 0, LARGEST)

    def check(self, task: Task) -> None:
        """Refuse what the paper leaves out: images of grids whose size varies."""
        largest = max(split.spec.grid[1] for split in task.splits.values())
        if self.rgb and any(split.spec.grid != (largest, largest) for split in task.splits.values()):
            raise SpecError(f"rgb=true needs one grid size, and the grids of {task.name} vary; leave rgb out")
        if self.rgb and self.size < largest:
            raise SpecError(f"size={self.size} is fewer pixels than the grid's {largest} cells; ask for more")
        if 0 < self.padding < largest:
            raise SpecError(f"padding={self.padding} is smaller than the largest grid of {task.name}, {largest}")


def _check_range(name: str, value: tuple[int, int], low: int, high: int) -> None:
    if not (low <= value[0] <= value[1] <= high):
        order, got = (" with the smaller first", f" to {value[1]}") if value[0] != value[1] else ("", "")
        raise SpecError(f"{name} must be within {low} to {high}{order}, got {value[0]}{got}")
